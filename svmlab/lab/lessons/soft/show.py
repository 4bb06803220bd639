"""What the steps of the soft margin show with: rows of numbers, tables, lines on the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from svmlab import Solution
from svmlab.arrays import Array
from svmlab.lab.board.payload import flat
from svmlab.lab.numbers import DUST, short
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.teach.step import Stage
from svmlab.scene import scene

Item = dict[str, Any]


def choose(stage: Stage, name: str, labels: Mapping[str, str]) -> str:
    """One of several views, remembered by the step."""
    key, memory = f"soft_{stage.step.key}_{name}", stage.memory
    st.session_state[key] = memory.setdefault(name, next(iter(labels)))

    def changed() -> None:
        memory[name] = st.session_state[key]
        stage.done()

    st.segmented_control(
        name,
        list(labels),
        format_func=labels.__getitem__,
        key=key,
        required=True,
        label_visibility="collapsed",
        on_change=changed,
    )
    return str(memory[name])


def values(names: Sequence[str], *told: float | str) -> str:
    """A quiet row of names and values, exact on hover."""
    pairs = zip(names, told, strict=True)
    cells = "".join(
        f'<div title="{escape(repr(v) if isinstance(v, float) else v, quote=True)}"><span>{escape(name)}</span>'
        f"<b>{escape(short(v, noise=DUST) if isinstance(v, float) else v)}</b></div>"
        for name, v in pairs
    )
    return f'<div class="sv-values">{cells}</div>'


Cell = str | tuple[str, float]


def table(heads: tuple[str, ...], *rows: tuple[Cell, ...]) -> str:
    """A small table: text (or a swatch), or (what stands before it, a number), the number exact on hover."""
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
    return f'<table class="sv-table"><tr>{"".join(f"<th>{escape(h)}</th>" for h in heads)}</tr>{body}</table>'


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return f"<td>{cell if cell.startswith('<span') else escape(cell)}</td>"
    return f'<td title="{cell[1]!r}">{escape(cell[0])}{short(cell[1], 6)}</td>'


def swatch(style: str) -> str:
    """A short stretch of a line of the board."""
    form = "dashed" if "dashed" in style else "solid"
    return f'<span class="sv-swatch" data-line="{style.split()[0]}" style="border-top-style:{form}"></span>'


def legend(*lines: tuple[str, str]) -> str:
    """(form of a line, what it is) in one row of swatches."""
    drawn = "".join(f"<div>{swatch(style)} {escape(text)}</div>" for style, text in lines)
    return f'<div class="sv-values">{drawn}</div>'


def overlays(lines: tuple[Any, ...], style: str) -> list[Item]:
    """Polylines of a scene as overlay items."""
    return [{"kind": "line", "pts": flat(line), "style": style} for line in lines]


def boundary(stage: Stage, name: str, machine: Solution) -> tuple[Array, ...]:
    """Where f = 0 for another machine than the board's, drawn once; a straight line needs no grid."""
    half = stage.lab.view
    n = 2 if stage.lab.machine.straight else 96
    found: tuple[Array, ...] = stage.once(f"boundary {name} {half}", lambda: scene(machine, half, n).zero)
    return found


def heavy(stage: Stage) -> bool:
    """Whether a point is being dragged on a board on which further machines would slow it down."""
    held, lab = stage.session.history.held, stage.lab
    return held is not None and held.points != lab.points and (not lab.machine.straight or len(lab.points) > 100)


def dragging(stage: Stage) -> bool:
    """Whether a point or a slider is on the move."""
    return stage.session.history.held is not None


def row_of(stage: Stage) -> int | None:
    """The row of the selected point."""
    ids = [p.id for p in stage.lab.points]
    return ids.index(stage.lab.selected) if stage.lab.selected in ids else None


def price(C: float) -> dict[str, Any]:
    """The operation that sets the price."""
    limits = CONTROLS["value"]
    return {"op": "set", "values": {"face": "C", "value": min(max(C, limits.low), limits.high), "hard": False}}
