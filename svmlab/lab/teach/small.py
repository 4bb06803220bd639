"""Boards in small, side by side: the same points with other labels, and what a machine does with them, as markup of a Table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import contourpy
import numpy as np

from svmlab.arrays import Array
from svmlab.data import Dataset

MARK, RING = 6.5, 9.0  # of 100: the radius of a point, and of the ring where hulls meet
SQUARE = 0.886  # half the side of a square of the same area as a disc of radius 1
ROOM = 1.25  # how much further than the outermost point a small board goes


@dataclass(frozen=True, eq=False)
class Small:
    """One of them. labels (m,) of the points; told: what a hover says, and a screen reader.

    plus, minus: polygons (k, 2), the sides; lines: polylines (k, 2) between them; crossing: segments (2, 2) that meet in `meet` (2,),
    where there are no sides.
    """

    id: int
    labels: Array
    told: str
    plus: Sequence[Array] = ()
    minus: Sequence[Array] = ()
    lines: Sequence[Array] = ()
    crossing: Sequence[Array] = ()
    meet: Array | None = None


@dataclass(frozen=True, eq=False)
class Sides:
    """Where f > 0, where f < 0, polygons (k, 2), and where f = 0, polylines (k, 2)."""

    plus: tuple[Array, ...]
    minus: tuple[Array, ...]
    lines: tuple[Array, ...]


def window(data: Dataset, view: float) -> float:
    """Half the side of a small board: the view of the board, halved while the points have room: so it rarely changes in a drag."""
    reach = ROOM * float(np.abs(data.X).max(initial=0.0))
    while view > 0.25 and reach <= view / 2:
        view /= 2
    return view


def sides(values: Array, half: float) -> Sides:
    """The sides and the line of f in [-half, half]^2, values (n, n) with row 0 at x2 = -half; a line is exact from n = 2 on."""
    at = np.linspace(-half, half, len(values))
    contours = contourpy.contour_generator(at, at, values, fill_type=contourpy.FillType.OuterOffset)
    most = float(np.abs(values).max()) + 1.0
    plus, minus = (_polygons(contours.filled(lo, hi)) for lo, hi in ((0.0, most), (-most, 0.0)))
    return Sides(plus, minus, tuple(np.asarray(line) for line in contours.lines(0.0)))


def _polygons(filled: Any) -> tuple[Array, ...]:
    """The outlines of contourpy's polygons, those of holes among them."""
    return tuple(points[a:b] for points, cuts in zip(*filled, strict=True) for a, b in pairwise(cuts))


def spread(w: Array, b: float, at: Array) -> Array:
    """F = <w, x> + b at (at_j, at_i), shape (n, n), as `sides` takes it."""
    return w[0] * at[None, :] + w[1] * at[:, None] + b


def signs(y: Array) -> str:
    """Labels in a row, by the points."""
    return " ".join("+" if label > 0 else "−" for label in y.tolist())


def boards(X: Array, smalls: Sequence[Small], half: float, chosen: int | None, together: int, name: str) -> str:
    """The markup of small boards [-half, half]^2 with the points X (m, 2); `together` of them stay in one row. name: of them all."""
    cells = "".join(_board(X, one, half, one.id == chosen) for one in smalls)
    return f'<div class="boards" role="group" aria-label="{escape(name)}" data-together="{together}">{cells}</div>'


def _board(X: Array, one: Small, half: float, chosen: bool) -> str:
    def placed(points: Array) -> Array:
        return 50.0 + np.asarray(points) / half * np.array([50.0, -50.0])

    parts = [
        _path([placed(p) for p in ways], f"{kind} side", "Z")
        for ways, kind in ((one.plus, "plus"), (one.minus, "minus"))
    ]
    parts += [_path([placed(p) for p in one.lines], "line"), _path([placed(p) for p in one.crossing], "cross")]
    for (x, y), label in zip(placed(X).tolist(), one.labels.tolist(), strict=True):
        if label > 0:
            parts.append(f'<circle class="plus" cx="{x:.1f}" cy="{y:.1f}" r="{MARK}"/>')
        else:
            side = SQUARE * MARK
            at = f'x="{x - side:.1f}" y="{y - side:.1f}" width="{2 * side:.1f}" height="{2 * side:.1f}"'
            parts.append(f'<rect class="minus" {at}/>')
    if one.meet is not None:
        x, y = placed(one.meet).tolist()
        parts.append(f'<circle class="meet" cx="{x:.1f}" cy="{y:.1f}" r="{RING}"/>')
    kind, told = "some" if one.meet is None else "none", escape(one.told)
    return (
        f'<button type="button" class="{kind}" data-id="{one.id}" aria-pressed="{str(chosen).lower()}" aria-label="{told}" title="{told}">'
        f'<svg viewBox="0 0 100 100" aria-hidden="true">{"".join(parts)}</svg></button>'
    )


def _path(ways: Sequence[Array], kind: str, close: str = "") -> str:
    """Polylines as one path; nothing where there are none."""
    drawn = "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in way.tolist()) + close for way in ways if len(way))
    return f'<path class="{kind}" d="{drawn}" fill-rule="evenodd"/>' if drawn else ""
