"""The points of a question as a small drawing with their numbers, without boundary and margin lines."""

from __future__ import annotations

from html import escape
from math import ceil

from svmlab.lab.words import _
from svmlab.practice import Board

UNIT = 40  # of the drawing, for one unit of the board
LARGEST = 8


def points_svg(board: Board) -> str:
    """Return the points of a board as SVG: discs of class +1, squares of class −1, each with its number."""
    reach = max((max(abs(x1), abs(x2)) for x1, x2, _label in board.points), default=1.0)
    half = min(LARGEST, ceil(reach) + 1)
    side = 2 * half * UNIT

    def at(x1: float, x2: float) -> tuple[float, float]:
        return (x1 + half) * UNIT, (half - x2) * UNIT

    lines = "".join(
        f'<path class="{"axis" if n == 0 else "grid"}" d="M{(n + half) * UNIT} 0V{side}M0 {(n + half) * UNIT}H{side}"/>'
        for n in range(-half, half + 1)
    )
    ticks = "".join(
        f'<text class="tick" x="{at(n, 0)[0]}" y="{at(0, 0)[1] + 16}">{n}</text>'
        f'<text class="tick" x="{at(0, 0)[0] - 12}" y="{at(0, n)[1] + 5}">{n}</text>'
        for n in range(-half + 1, half)
        if n
    )
    marks = []
    for number, (x1, x2, label) in zip(board.ids, board.points, strict=True):
        x, y = at(x1, x2)
        shape = (
            f'<circle class="plus" cx="{x:g}" cy="{y:g}" r="9"/>'
            if label > 0
            else f'<rect class="minus" x="{x - 8:g}" y="{y - 8:g}" width="16" height="16"/>'
        )
        marks.append(f'{shape}<text class="number" x="{x + 12:g}" y="{y - 9:g}">{number}</text>')
    words = "; ".join(
        _("point {n} at ({x1:g}, {x2:g}), class {label:+d}").format(n=n, x1=x1, x2=x2, label=label)
        for n, (x1, x2, label) in zip(board.ids, board.points, strict=True)
    )
    return (
        f'<svg class="sv-points" viewBox="0 0 {side} {side}" role="img" aria-label="{escape(words, quote=True)}">'
        f"{lines}{ticks}{''.join(marks)}</svg>"
    )
