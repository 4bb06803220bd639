"""Tables as HTML: numbers exact on hover, rows that stand for points and select them, tints by sign, swatches of
lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from svmlab.lab.numbers import ROUNDING, short


def number(value: float, digits: int = 3, kind: str = "", share: float | None = None, noise: float = ROUNDING) -> str:
    """A cell: the short number, the exact one on hover; `share` in [-1, 1] tints it."""
    tint = "" if share is None else f' style="--share: {abs(share):.3f}" data-sign="{"+" if share >= 0 else "-"}"'
    return f'<td class="{kind}" title="{float(value)!r}"{tint}>{short(value, digits, noise)}</td>'


def words(text: str, kind: str = "words") -> str:
    """A cell of words."""
    return f'<td class="{kind}">{escape(text)}</td>'


def swatch(style: str) -> str:
    """A cell with a short stretch of a line of the board."""
    form = "dashed" if "dashed" in style else "solid"
    return f'<td><span class="swatch" data-line="{style.split()[0]}" style="border-top-style:{form}"></span></td>'


def head(*cells: str, over: Iterable[tuple[int, str]] = (), first: str = "") -> str:
    """The heading row: `first` over the names of the rows, then the columns; cells may hold HTML. `over`: (columns,
    words) above.
    """
    groups = "".join(f'<th colspan="{n}" class="group">{c}</th>' for n, c in over if n)
    groups = f"<tr>{groups}</tr>" if groups else ""
    columns = "".join(f"<th>{c}</th>" for c in cells)
    return f"<thead>{groups}<tr><th>{escape(first)}</th>{columns}</tr></thead>"


def mark(label: float) -> str:
    """The mark of a class as on the board."""
    return f'<i class="mark" data-label="{1 if label > 0 else -1}"></i>'


def named_row(name: str, cells: Sequence[str], strong: bool = False) -> str:
    """A row with a name; `strong` where it is the one that the words speak of."""
    on = ' class="strong"' if strong else ""
    return f"<tr{on}><th>{escape(name)}</th>{''.join(cells)}</tr>"


def row(id_: int, name: str, label: float, cells: Iterable[str], selected: int | None) -> str:
    """A row that stands for a point: a click selects it."""
    on = ' aria-selected="true"' if id_ == selected else ""
    return f'<tr data-id="{id_}" tabindex="0"{on}><th>{mark(label)}{escape(name)}</th>{"".join(cells)}</tr>'


def table(heading: str, rows: Iterable[str], foot: Iterable[str] = (), caption: str = "") -> str:
    """A table; its caption may hold HTML."""
    tail = "".join(foot)
    tail = f"<tfoot>{tail}</tfoot>" if tail else ""
    above = f"<caption>{caption}</caption>" if caption else ""
    return f"<table>{above}{heading}<tbody>{''.join(rows)}</tbody>{tail}</table>"
