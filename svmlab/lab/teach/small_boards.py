"""Small boards side by side, as markup of a Table.

They show the same points with other labels, and how an SVM classifies them.
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

SIDE = 200  # the side of a small board, in the units of its drawing
MARK, RING = 13.0, 18.0  # the radius of a point, and of the ring where convex hulls meet
SQUARE = 0.886  # half the side of a square of the same area as a disc of radius 1: sqrt(pi)/2
STEP = 0.75  # the factor from one size of a small board to the next
ROOM = 1.25  # the largest size of a board, in units of the largest coordinate


@dataclass(frozen=True, eq=False)
class SmallBoard:
    """One small board. labels (m,) are those of the points, and description is its text for hover and screen readers.

    plus: polygons (k, 2) where f > 0, or None if no sides are drawn. lines: polylines (k, 2) where f = 0. crossing:
    segments (2, 2) that intersect in `meet` (2,).
    """

    id: int
    labels: Array
    description: str
    plus: Sequence[Array] | None = None
    lines: Sequence[Array] = ()
    crossing: Sequence[Array] = ()
    meet: Array | None = None


def half_side(data: Dataset, view: float) -> float:
    """Return half the side of a small board.

    It is the view of the board, reduced in steps while the points have enough space. Because of the steps it rarely
    changes during a drag.
    """
    reach = ROOM * float(np.abs(data.X).max(initial=0.0))
    while view > 0.25 and reach <= STEP * view:
        view *= STEP
    return view


def sides(values: Array, half: float) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """Return the polygons where f > 0 in [-half, half]^2, with their holes, and the polylines where f = 0.

    values (n, n): f on a grid with row 0 at x2 = -half. For a straight line the result is exact.
    """
    at = np.linspace(-half, half, len(values))
    contours = contourpy.contour_generator(at, at, values, fill_type=contourpy.FillType.OuterOffset)
    filled: Any = contours.filled(0.0, float(np.abs(values).max()) + 1.0)
    plus = tuple(points[a:b] for points, cuts in zip(*filled, strict=True) for a, b in pairwise(cuts))
    return plus, tuple(np.asarray(line) for line in contours.lines(0.0))


def linear_values(w: Array, b: float, at: Array) -> Array:
    """Return f = <w, x> + b at the points (at_j, at_i), shape (n, n), as `sides` takes it."""
    return w[0] * at[None, :] + w[1] * at[:, None] + b


def signs_of(y: Array) -> str:
    """Return the labels as signs, in the order of the points."""
    return " ".join("+" if label > 0 else "−" for label in y.tolist())


def boards(X: Array, smalls: Sequence[SmallBoard], half: float, chosen: int | None, together: int, name: str) -> str:
    """Return the markup of small boards [-half, half]^2 with the points X (m, 2).

    together: how many stay in one row. name: the name of all of them together.
    """
    cells = "".join(_board(X, small, half, small.id == chosen) for small in smalls)
    return f'<div class="boards" role="group" aria-label="{escape(name)}" data-together="{together}">{cells}</div>'


def _board(X: Array, small: SmallBoard, half: float, chosen: bool) -> str:
    def placed(points: Array) -> Array:
        return SIDE / 2 * (1.0 + np.asarray(points) / half * np.array([1.0, -1.0]))

    parts = []
    if small.plus is not None:
        parts = [
            f'<rect class="minus side" width="{SIDE}" height="{SIDE}"/>',
            _path(map(placed, small.plus), "plus side", "Z"),
        ]
    parts += [_path(map(placed, small.lines), "line"), _path(map(placed, small.crossing), "cross")]
    for (x, y), label in zip(placed(X).tolist(), small.labels.tolist(), strict=True):
        if label > 0:
            parts.append(f'<circle class="plus" cx="{x:.0f}" cy="{y:.0f}" r="{MARK:g}"/>')
        else:
            side = SQUARE * MARK
            at = f'x="{x - side:.1f}" y="{y - side:.1f}" width="{2 * side:.1f}" height="{2 * side:.1f}"'
            parts.append(f'<rect class="minus" {at}/>')
    if small.meet is not None:
        x, y = placed(small.meet).tolist()
        parts.append(f'<circle class="meet" cx="{x:.0f}" cy="{y:.0f}" r="{RING:g}"/>')
    kind, text = "some" if small.meet is None else "none", escape(small.description)
    return (
        f'<button type="button" class="{kind}" data-id="{small.id}" aria-pressed="{str(chosen).lower()}" '
        f'aria-label="{text}" title="{text}">'
        f'<svg viewBox="0 0 {SIDE} {SIDE}" aria-hidden="true">{"".join(parts)}</svg></button>'
    )


def _path(polylines: Iterable[Array], kind: str, close: str = "") -> str:
    """Return polylines as one path, or nothing if there are none."""
    drawn = "".join(
        "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in polyline.tolist()) + close
        for polyline in polylines
        if len(polyline)
    )
    return f'<path class="{kind}" d="{drawn}"/>' if drawn else ""
