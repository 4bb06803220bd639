"""The dialog in which columns of a table become points: how it was read, what is chosen, and a preview.

The board stays as it is until "Use these points" is pressed, and undo brings its points back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import streamlit as st

from svmlab import BadInput
from svmlab.lab.bench.number_field import number_field, show_refusals
from svmlab.lab.bench.widget_state import set_widget
from svmlab.lab.session import operations, table
from svmlab.lab.session.controls import BINARY, CLASSES, CONTROLS, EDGE, LABELS, MAX_POINTS, VALUES
from svmlab.lab.session.lab import Point
from svmlab.lab.session.tab import Session
from svmlab.lab.session.table import KEEP, SCALINGS, STANDARDISE, STRETCH, Draft, Prepared
from svmlab.lab.streamlit_internals import DeltaGenerator
from svmlab.lab.words import N_, _, message_of
from svmlab.plot.palette import DARK, LIGHT

TITLE = N_("Your own data")
COORDINATE = {"x1": N_("Column for x₁"), "x2": N_("Column for x₂")}
LABEL = N_("Column of the label")
SCALING_LABEL, SEED_LABEL = N_("Scaling"), N_("Seed of the random rows")
SCALING = {
    STANDARDISE: N_("Standardise: mean 0, standard deviation 1"),
    STRETCH: N_("Stretch each column to the board"),
    KEEP: N_("Keep the values"),
}
DIVIDE = N_("Divide both columns by {unit}")
CLASS = N_("Class {label} is")
SEVERAL = N_("Values of the classes 1, 2, ... (at most {most})")
OTHERS, REST = N_("all other values"), ""  # REST: stands for them, because no value is an empty text
USE, CANCEL = N_("Use these points"), N_("Cancel")
COUNTS = N_("{m} points: {classes}")
COUNT = N_("{n} of class {label} ({value})")


def show(session: Session) -> None:
    """Open the dialog over the page if a table waits for the board that is shown."""
    draft = session.draft
    if draft is not None and draft.board_key == session.boards.shown:
        st.dialog(_(TITLE), width="large", dismissible=False)(_body)(session)


def _body(session: Session) -> None:
    draft = session.draft
    if draft is None:  # it was confirmed or cancelled
        st.rerun()
        return
    with st.container(key="table_dialog"):
        st.html(f"<p>{escape(' '.join(map(_, table.reading(draft))))}</p>" + head_table(draft))
        _columns(session, draft)
        prepared, error = _prepared(draft)
        left, right = st.columns([1, 1.6], gap="medium")
        with left:
            _scaling(session, draft)
            _seed(session, draft, prepared)
        with right:
            if prepared is not None:
                st.html(f'<div class="sv-prepared">{preview(prepared)}<div>{summary(draft, prepared)}</div></div>')
            elif error is not None:
                st.warning(message_of(error))
        with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
            st.button(_(CANCEL), key="table_cancel", on_click=_close, args=(session,))
            st.button(
                _(USE),
                key="table_use",
                type="primary",
                disabled=prepared is None,
                on_click=_confirm,
                args=(session,),
            )


def _prepared(draft: Draft) -> tuple[Prepared, None] | tuple[None, BadInput]:
    try:
        return table.prepare(draft), None
    except BadInput as error:
        return None, error


def _close(session: Session) -> None:
    session.draft = None


def _confirm(session: Session) -> None:
    with session.showing_errors():
        operations.accept(session)


def _choose(session: Session, key: str, change: Callable[[Draft, Any], Draft]) -> Callable[[], None]:
    """Return the callback of a widget, which changes the draft by the new value of the widget."""

    def changed() -> None:
        if session.draft is not None:
            session.draft = change(session.draft, st.session_state[key])

    return changed


def _select(
    session: Session,
    name: str,
    label: str,
    options: Sequence[Any],
    value: Any,
    words: Callable[[Any], str],
    change: Any,
) -> None:
    key = f"table_{name}"
    set_widget(key, value)
    st.selectbox(label, options, format_func=words, key=key, on_change=_choose(session, key, change))


def _columns(session: Session, draft: Draft) -> None:
    """Show the columns of both coordinates and of the label, and the values of the classes."""
    choice, columns = draft.choice, draft.table.columns

    def name(i: int) -> str:
        return columns[i].name

    def with_choice(field: str) -> Callable[[Draft, Any], Draft]:
        return lambda current, value: replace(current, choice=replace(current.choice, **{field: value}))

    fields = st.columns({BINARY: 5, CLASSES: 3, VALUES: 2}[draft.task])
    for field, where in zip(("x1", "x2"), fields, strict=False):
        with where:
            options = draft.table.numeric
            _select(session, field, _(COORDINATE[field]), options, getattr(choice, field), name, with_choice(field))
    if choice.label is None:
        return
    with fields[2]:
        options = draft.table.possible_labels
        _select(session, "label", _(LABEL), options, choice.label, name, table.with_label)
    values = columns[choice.label].values
    if draft.task == BINARY:
        _two_classes(session, draft, values, fields[3:])
    else:
        _several_classes(session, draft, values)


def _two_classes(session: Session, draft: Draft, values: Sequence[str], fields: Sequence[DeltaGenerator]) -> None:
    classes, rest = draft.choice.classes, [REST] if len(values) != 2 else []

    def words(value: str) -> str:
        return value or _(OTHERS)

    def with_class(at: int) -> Callable[[Draft, Any], Draft]:
        def change(current: Draft, chosen: str) -> Draft:
            value = chosen or None
            one, other = current.choice.classes[at], current.choice.classes[1 - at]
            pair = (value, one if value == other else other)  # a value that the other class has is exchanged
            return replace(current, choice=replace(current.choice, classes=pair if at == 0 else pair[::-1]))

        return change

    for at, (sign, where) in enumerate(zip(("+1", "−1"), fields, strict=True)):
        with where:
            options = [*values] if at == 0 else [*rest, *values]
            value = classes[at] or REST
            _select(session, f"class{at}", _(CLASS).format(label=sign), options, value, words, with_class(at))


def _several_classes(session: Session, draft: Draft, values: Sequence[str]) -> None:
    key, most = "table_classes", len(LABELS[draft.task])
    set_widget(key, list(draft.choice.classes))
    st.multiselect(
        _(SEVERAL).format(most=most),
        values,
        key=key,
        max_selections=most,
        on_change=_choose(
            session,
            key,
            lambda current, chosen: replace(current, choice=replace(current.choice, classes=tuple(chosen))),
        ),
    )


def _scaling(session: Session, draft: Draft) -> None:
    unit = table.unit_that_keeps(draft)

    def words(scaling: str) -> str:
        return _(DIVIDE).format(unit=f"{unit:g}") if scaling == KEEP and unit != 1 else _(SCALING[scaling])

    def change(current: Draft, scaling: str) -> Draft:
        return replace(current, choice=replace(current.choice, scaling=scaling))

    set_widget("table_scaling", draft.choice.scaling)
    st.radio(
        _(SCALING_LABEL),
        SCALINGS,
        format_func=words,
        key="table_scaling",
        on_change=_choose(session, "table_scaling", change),
    )


def _seed(session: Session, draft: Draft, prepared: Prepared | None) -> None:
    """Show the seed if rows are drawn."""
    if prepared is None or prepared.available <= MAX_POINTS:
        return

    def take(seed: float) -> None:
        session.draft = replace(draft, choice=replace(draft.choice, seed=int(seed)))

    seed = draft.choice.seed
    number_field("table_seed", _(SEED_LABEL), CONTROLS["seed"], seed, take, lambda: None, step=1)
    show_refusals({"table_seed": SEED_LABEL})


def head_table(draft: Draft) -> str:
    """Return the first rows as HTML, with the names of the columns and what each chosen one is used for."""
    choice = draft.choice
    uses = {choice.x1: "x₁", choice.x2: "x₂"} | ({} if choice.label is None else {choice.label: _("label")})

    def cell(tag: str, i: int, text: str) -> str:
        chosen = ' class="sv-chosen"' if i in uses else ""
        return f"<{tag}{chosen}>{escape(text)}</{tag}>"

    names = [c.name if i not in uses else f"{c.name} ({uses[i]})" for i, c in enumerate(draft.table.columns)]
    head = "".join(cell("th", i, name) for i, name in enumerate(names))
    rows = "".join(f"<tr>{''.join(cell('td', i, text) for i, text in enumerate(row))}</tr>" for row in draft.table.head)
    return f'<div class="sv-head-rows" tabindex="0"><table class="sv-table"><tr>{head}</tr>{rows}</table></div>'


def summary(draft: Draft, prepared: Prepared) -> str:
    """Return in words what the points are, how they follow from the columns, and which rows are left out."""
    signs = {1: "+1", -1: "−1"} if draft.task == BINARY else {label: str(label) for label in LABELS[draft.task]}
    classes = [
        _(COUNT).format(n=n, label=signs[label], value=value)
        for n, label, value in zip(prepared.counts, LABELS[draft.task], prepared.axes.classes, strict=False)
    ]
    m = len(prepared.points)
    counted = _(COUNTS).format(m=m, classes=", ".join(classes)) if classes else _("{m} points").format(m=m)
    lines = [counted, *prepared.axes.formulas, *map(_, prepared.remarks)]
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def preview(prepared: Prepared) -> str:
    """Return the points as a small picture, with the edges of the board."""
    name = escape(_("The points on the board"), quote=True)
    return f'<div class="sv-preview" role="img" aria-label="{name}">{"".join(map(_mark, prepared.points))}</div>'


def _mark(point: Point) -> str:
    left, top = (50 + 50 * coordinate / EDGE for coordinate in (point.x, -point.y))
    colour = f"light-dark({LIGHT.class_colour(point.label)}, {DARK.class_colour(point.label)})"
    shape = 2 if point.label == -1 else point.label
    return f'<i class="sv-class-{shape}" style="left:{left:.2f}%;top:{top:.2f}%;background:{colour}"></i>'
