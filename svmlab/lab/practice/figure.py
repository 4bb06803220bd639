"""The points of a question as a small drawing with their numbers, and the lines that its solution draws."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, hypot

from svmlab.lab.words import _
from svmlab.plot.palette import LIGHT
from svmlab.practice import Board, Boundary

UNIT = 40  # of the drawing, for one unit of the board
LARGEST = 8
PRINTED_UNIT = 24  # pixels on paper, the same in every figure, so that its type is never smaller than 7 points
PRINTED_STYLE = (  # black, grey and the colours of the classes on white paper
    ".grid{stroke:#ddd;fill:none}.axis{stroke:#888;fill:none}text{fill:#000;font:16px sans-serif}"
    ".tick{text-anchor:middle;font-size:16px;fill:#444}"
    ".number{font-size:21px;font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    f".plus{{fill:{LIGHT.plus}}}.minus{{fill:{LIGHT.minus}}}"
    ".boundary{stroke:#000;stroke-width:2.5;fill:none}"
    ".margin{stroke:#000;stroke-width:1.5;stroke-dasharray:7 5;fill:none}"
    ".label{font-size:20px;font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:4px}"
)


def points_svg(board: Board, boundaries: Sequence[Boundary] = (), needs_numbers: bool = True) -> str:
    """Return the points of a board as SVG: discs of class +1, squares of class −1, each with its number.

    The numbers of the axes stand at the edge, where no point hides them. boundaries: drawn with their margin lines.
    needs_numbers: whether every point has its number even where one number would cover another or a point.
    """
    half = _half(board)
    side = 2 * half * UNIT

    def at(x1: float, x2: float) -> tuple[float, float]:
        return (x1 + half) * UNIT, (half - x2) * UNIT

    lines = "".join(
        f'<path class="{"axis" if n == 0 else "grid"}" d="M{(n + half) * UNIT} 0V{side}M0 {(n + half) * UNIT}H{side}"/>'
        for n in range(-half, half + 1)
    )
    ticks = "".join(
        f'<text class="tick" x="{at(n, 0)[0]}" y="{side - 5}">{shown}</text>'
        f'<text class="tick" x="14" y="{at(0, n)[1] + 5}">{shown}</text>'
        for n in range(-half + 1, half)
        if (shown := str(n).replace("-", "−"))
    )
    places = [at(x1, x2) for x1, x2, _label in board.points]
    has_numbers = needs_numbers or not _is_crowded(places)
    marks = []
    for number, (x1, x2, label) in zip(board.ids, board.points, strict=True):
        x, y = at(x1, x2)
        shape = (
            f'<circle class="plus" cx="{x:g}" cy="{y:g}" r="9"/>'
            if label > 0
            else f'<rect class="minus" x="{x - 8:g}" y="{y - 8:g}" width="16" height="16"/>'
        )
        named = f'<text class="number" x="{x + 12:g}" y="{y - 9:g}">{number}</text>' if has_numbers else ""
        marks.append(shape + named)
    words = "; ".join(
        _("point {n} at ({x1:g}, {x2:g}), class {label:+d}").format(n=n, x1=x1, x2=x2, label=label)
        for n, (x1, x2, label) in zip(board.ids, board.points, strict=True)
    )
    return (
        f'<svg class="sv-points" viewBox="0 0 {side} {side}" role="img" aria-label="{escape(words, quote=True)}">'
        f"{lines}{''.join(_lines(each, n, half) for n, each in enumerate(boundaries))}{ticks}{''.join(marks)}</svg>"
    )


def printed_svg(board: Board, boundaries: Sequence[Boundary] = ()) -> str:
    """Return the points of a board and lines as SVG with its own style and size, for paper and for files."""
    opening, end, rest = points_svg(board, boundaries).partition(">")
    side = 2 * _half(board) * PRINTED_UNIT
    return f'{opening} width="{side}" height="{side}"{end}<style>{PRINTED_STYLE}</style>{rest}'


def _half(board: Board) -> int:
    """Return the largest coordinate of the drawing of a board."""
    reach = max((max(abs(x1), abs(x2)) for x1, x2, _label in board.points), default=1.0)
    return min(LARGEST, ceil(reach) + 1)


def _is_crowded(places: Sequence[tuple[float, float]]) -> bool:
    """Return whether the number of a point would cover another point or its number."""
    return any(
        (-20 < u - x < 42 and -34 < v - y < 12) or (abs(u - x) < 24 and abs(v - y) < 18)
        for i, (x, y) in enumerate(places)
        for j, (u, v) in enumerate(places)
        if i != j
    )


def _lines(boundary: Boundary, number: int, half: int) -> str:
    """Return a boundary and its two margin lines, from one edge of the drawing to the other, and its label.

    number: 0 for the first boundary of the drawing, 1 for the second, whose lines are lighter and whose label is lower.
    """
    w1, w2, b = boundary.w1, boundary.w2, boundary.b
    norm, reach = hypot(w1, w2), 3 * half
    parts = []
    for level in (-1, 0, 1):
        foot = [part * (level - b) / norm**2 for part in (w1, w2)]
        ends = [(foot[0] - s * reach * w2 / norm, foot[1] + s * reach * w1 / norm) for s in (-1, 1)]
        (x, y), (u, v) = (((x1 + half) * UNIT, (half - x2) * UNIT) for x1, x2 in ends)
        parts.append(f'<path class="{"margin" if level else "boundary"}" d="M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}"/>')
    if boundary.label:
        # on the boundary, near the upper edge or, if it is closer to horizontal, near the right one
        along = half - (1 + number if abs(w1) >= abs(w2) else 2 + 3 * number)
        x1, x2 = (-(b + w2 * along) / w1, along) if abs(w1) >= abs(w2) else (along, -(b + w1 * along) / w2)
        x, y = (x1 + half) * UNIT + 5, (half - x2) * UNIT - 5
        parts.append(f'<text class="label" x="{x:.1f}" y="{y:.1f}">{escape(_(boundary.label))}</text>')
    return f'<g class="line{number}">{"".join(parts)}</g>'
