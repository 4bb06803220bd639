"""Boards in small, side by side: the same points with other labels, and what a machine does with them, as markup of a
Table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import contourpy
import numpy as np

from svmlab.core.arrays import Array
from svmlab.data import Dataset

WIDE = 200  # of a small board, in the units of its drawing
MARK, RING = 13.0, 18.0  # the radius of a point, and of the ring where hulls meet
SQUARE = 0.886  # half the side of a square of the same area as a disc of radius 1
STEP = 0.75  # from one size of a small board to the next
ROOM = 1.25  # how much further than the outermost point a small board goes


@dataclass(frozen=True, eq=False)
class Small:
    """One of them. labels (m,) of the points; told: what a hover says, and a screen reader.

    plus: polygons (k, 2), where f > 0, None where there are no sides; lines: polylines (k, 2), where f = 0; crossing:
    segments (2, 2) that meet in `meet` (2,).
    """

    id: int
    labels: Array
    description: str
    plus: Sequence[Array] | None = None
    lines: Sequence[Array] = ()
    crossing: Sequence[Array] = ()
    meet: Array | None = None


def window(data: Dataset, view: float) -> float:
    """Half the side of a small board: the view of the board, in steps as small as leaves the points room: so it rarely
    changes in a drag.
    """
    reach = ROOM * float(np.abs(data.X).max(initial=0.0))
    while view > 0.25 and reach <= STEP * view:
        view *= STEP
    return view


def sides(values: Array, half: float) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """Where f > 0 in [-half, half]^2, polygons with their holes, and where f = 0; values (n, n), row 0 at x2 = -half. A
    line is exact.
    """
    at = np.linspace(-half, half, len(values))
    contours = contourpy.contour_generator(at, at, values, fill_type=contourpy.FillType.OuterOffset)
    filled: Any = contours.filled(0.0, float(np.abs(values).max()) + 1.0)
    plus = tuple(points[a:b] for points, cuts in zip(*filled, strict=True) for a, b in pairwise(cuts))
    return plus, tuple(np.asarray(line) for line in contours.lines(0.0))


def linear_values(w: Array, b: float, at: Array) -> Array:
    """F = <w, x> + b at (at_j, at_i), shape (n, n), as `sides` takes it."""
    return w[0] * at[None, :] + w[1] * at[:, None] + b


def signs(y: Array) -> str:
    """Labels in a row, by the points."""
    return " ".join("+" if label > 0 else "−" for label in y.tolist())


def boards(X: Array, smalls: Sequence[Small], half: float, chosen: int | None, together: int, name: str) -> str:
    """The markup of small boards [-half, half]^2 with the points X (m, 2); `together` of them stay in one row. name: of
    them all.
    """
    cells = "".join(_board(X, one, half, one.id == chosen) for one in smalls)
    return f'<div class="boards" role="group" aria-label="{escape(name)}" data-together="{together}">{cells}</div>'


def _board(X: Array, one: Small, half: float, chosen: bool) -> str:
    def placed(points: Array) -> Array:
        return WIDE / 2 * (1.0 + np.asarray(points) / half * np.array([1.0, -1.0]))

    parts = []
    if one.plus is not None:
        parts = [
            f'<rect class="minus side" width="{WIDE}" height="{WIDE}"/>',
            _path(map(placed, one.plus), "plus side", "Z"),
        ]
    parts += [_path(map(placed, one.lines), "line"), _path(map(placed, one.crossing), "cross")]
    for (x, y), label in zip(placed(X).tolist(), one.labels.tolist(), strict=True):
        if label > 0:
            parts.append(f'<circle class="plus" cx="{x:.0f}" cy="{y:.0f}" r="{MARK:g}"/>')
        else:
            side = SQUARE * MARK
            at = f'x="{x - side:.1f}" y="{y - side:.1f}" width="{2 * side:.1f}" height="{2 * side:.1f}"'
            parts.append(f'<rect class="minus" {at}/>')
    if one.meet is not None:
        x, y = placed(one.meet).tolist()
        parts.append(f'<circle class="meet" cx="{x:.0f}" cy="{y:.0f}" r="{RING:g}"/>')
    kind, told = "some" if one.meet is None else "none", escape(one.description)
    return (
        f'<button type="button" class="{kind}" data-id="{one.id}" aria-pressed="{str(chosen).lower()}" '
        f'aria-label="{told}" title="{told}">'
        f'<svg viewBox="0 0 {WIDE} {WIDE}" aria-hidden="true">{"".join(parts)}</svg></button>'
    )


def _path(ways: Iterable[Array], kind: str, close: str = "") -> str:
    """Polylines as one path; nothing where there are none."""
    drawn = "".join("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in way.tolist()) + close for way in ways if len(way))
    return f'<path class="{kind}" d="{drawn}"/>' if drawn else ""
