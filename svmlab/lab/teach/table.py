"""HTML tables: numbers exact on hover, rows that select their points, tints by sign, and samples of lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from svmlab.lab.numbers import ROUNDING, short


def number(value: float, digits: int = 3, kind: str = "", share: float | None = None, noise: float = ROUNDING) -> str:
    """Return a cell with a short number, the exact one on hover; `share` in [-1, 1] tints it."""
    tint = "" if share is None else f' style="--share: {abs(share):.3f}" data-sign="{"+" if share >= 0 else "-"}"'
    return f'<td class="{kind}" title="{float(value)!r}"{tint}>{short(value, digits, noise)}</td>'


def words(text: str, kind: str = "words") -> str:
    """Return a cell of words."""
    return f'<td class="{kind}">{escape(text)}</td>'


def swatch(style: str) -> str:
    """Return a cell with a short piece of a line of the board."""
    form = "dashed" if "dashed" in style else "solid"
    return f'<td><span class="swatch" data-line="{style.split()[0]}" style="border-top-style:{form}"></span></td>'


def head(*cells: str, over: Iterable[tuple[int, str]] = (), first: str = "") -> str:
    """Return the heading row: `first` above the names of the rows, then the columns. Cells may hold HTML.

    over: (number of columns, words) of the groups above.
    """
    groups = "".join(f'<th colspan="{n}" class="group">{c}</th>' for n, c in over if n)
    groups = f"<tr>{groups}</tr>" if groups else ""
    columns = "".join(f"<th>{c}</th>" for c in cells)
    return f"<thead>{groups}<tr><th>{escape(first)}</th>{columns}</tr></thead>"


def mark(label: float) -> str:
    """Return the mark of a class as on the board."""
    return f'<i class="mark" data-label="{1 if label > 0 else -1}"></i>'


def named_row(name: str, cells: Sequence[str], strong: bool = False) -> str:
    """Return a row with a name. `strong` marks the row that the text is about."""
    on = ' class="strong"' if strong else ""
    return f"<tr{on}><th>{escape(name)}</th>{''.join(cells)}</tr>"


def row(id_: int, name: str, label: float, cells: Iterable[str], selected: int | None) -> str:
    """Return a row that stands for a point. A click selects the point."""
    on = ' aria-selected="true"' if id_ == selected else ""
    return f'<tr data-id="{id_}" tabindex="0"{on}><th>{mark(label)}{escape(name)}</th>{"".join(cells)}</tr>'


def table(heading: str, rows: Iterable[str], foot: Iterable[str] = (), caption: str = "") -> str:
    """Return a table. Its caption may hold HTML."""
    tail = "".join(foot)
    tail = f"<tfoot>{tail}</tfoot>" if tail else ""
    above = f"<caption>{caption}</caption>" if caption else ""
    return f"<table>{above}{heading}<tbody>{''.join(rows)}</tbody>{tail}</table>"
