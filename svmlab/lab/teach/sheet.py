"""What a step shows beside the board, from the question to the foot: words, numbers and pictures as Streamlit's
widgets.

Every function draws one part. What a person does is told to `Hands`, which changes the session and runs the page again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Literal

import streamlit as st

from svmlab.lab.charts.show import show_chart
from svmlab.lab.frame import glossary_popups, work_progress
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.session.worker import Job
from svmlab.lab.teach.actions import Actions
from svmlab.lab.teach.pick import clickable
from svmlab.lab.teach.space import space
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Need, Part, Pick, Reading, Space, Step, Table
from svmlab.lab.words import N_, _, message_of


def lacking(step: Step, need: Need, marks: Marks, lend: Callable[[], None]) -> None:
    """What the board has not, and a button that brings one that has."""
    st.info(marks.markdown(_(need.why)))
    st.button(_("A board for this step"), key=f"{step.key}_lend", on_click=lend, type="primary")


def choices(step: Step, stage: Stage, hands: Actions) -> None:
    """What can be expected; choosing marks, the button shows."""
    key = f"{step.key}_choice"
    st.session_state[key] = stage.choice
    with st.container(key="choices", gap="xsmall"):
        st.radio(
            _("What do you expect?"),
            range(len(step.choices)),
            format_func=lambda i: _(step.choices[i].text),
            key=key,
            label_visibility="collapsed",
            on_change=lambda: hands.choose(st.session_state[key]),
        )
        marked = stage.choice is not None
        kind: Literal["primary", "secondary"] = "primary" if marked else "secondary"
        st.button(_("Show"), key=f"{step.key}_show", type=kind, on_click=hands.show, args=(True,))


def verdict(step: Step, stage: Stage, marks: Marks, hands: Actions) -> None:
    """What was expected in one line, what happens, and for a wrong choice why one might think so."""
    with st.container(horizontal=True, gap="small", key="result", vertical_alignment="top"):
        with st.container(key="verdict", gap=None, width="stretch"):
            right, mark = step.answer(stage), ""
            if stage.choice is not None:
                mark = ":material/check: " if stage.choice == right else ""
                chosen = step.choices[stage.choice]
                why = f" {_(chosen.why)}" if stage.choice != right and chosen.why else ""
                with st.container(key="fold", gap=None):
                    expected = _("You expected: {choice}.").format(choice=_(chosen.text).rstrip("."))
                    st.markdown(marks.markdown(expected + why))
            said = _("**Always:** {verdict}") if step.is_theorem else _("**Here:** {verdict}")
            st.markdown(mark + marks.markdown(said.format(verdict=step.verdict_text(stage))))
        label = _("Ask again")
        st.button(label, key=f"{step.key}_again", type="tertiary", on_click=hands.show, args=(False,))


def numbers(readings: Sequence[Reading], marks: Marks) -> None:
    """One line of numbers, exact on hover; it takes its room even where there is nothing to read."""
    cells = "".join(
        f'<div title="{escape(r.exact, quote=True)}"><span>{marks.html(r.name)}</span><b>{escape(r.text)}</b></div>'
        for r in readings
    )
    st.html(f'<div class="sv-values">{cells}</div>')


def picks(asked: tuple[Pick, ...], stage: Stage, hands: Actions) -> None:
    """The choices beside the chart, in one row."""
    with st.container(horizontal=True, gap="small", key="picks", vertical_alignment="center"):
        for each in asked:
            _pick(each, stage, hands)


def _pick(each: Pick, stage: Stage, hands: Actions) -> None:
    """A choice that something else has changed is another widget: of the old one the browser may still say what was
    chosen there.
    """
    name, value = f"pick_{each.name}", stage.pick(each.name)
    turn = st.session_state.setdefault(f"{name} turn", 0)
    key = f"{name}_{turn}" if turn else name
    if st.session_state.get(key, value) != value:
        turn = st.session_state[f"{name} turn"] = turn + 1
        key = f"{name}_{turn}"
    st.session_state[key] = value

    def changed() -> None:
        if st.session_state[f"{name} turn"] == turn:
            hands.do({"op": "pick", "values": {each.name: st.session_state[key]}})

    st.segmented_control(
        _(each.label),
        each.options,
        key=key,
        format_func=lambda option: _(each.option_text(option)),
        on_change=changed,
        label_visibility="collapsed",
        required=True,
    )


def picture(
    step: Step,
    stage: Stage,
    marks: Marks,
    hands: Actions,
    made: Callable[[Stage], Part | None],
    rise: str | None = None,
) -> Job | None:
    """The chart or table, or how far the work on it is; then that work. rise: names the rising of the points of a
    Space, which is played once.
    """
    try:
        part = made(stage)
    except Working as working:
        if working.job is not None:
            _progress(working.job, hands)
        return working.job
    if part is not None:
        show(part, f"{step.key}_picture", step, hands, marks, fill=True, rise=rise)
    return None


def show(
    part: Part, key: str, step: Step, hands: Actions, marks: Marks, fill: bool = False, rise: str | None = None
) -> None:
    """Markdown, a figure, a table or what stands above the board. fill: as high as its place is."""
    if isinstance(part, str):
        st.markdown(marks.markdown(part))
    elif isinstance(part, Chart):
        made = part.on_click
        picked = None if made is None else lambda mark: hands.chart_clicked(made, mark)
        show_chart(part.figure, key, picked, fill, {"name": step.key, "title": _(step.title)})
    elif isinstance(part, Space):
        space(part, key, rise, lambda id_: hands.do({"op": "select", "id": id_}), step.key)
    else:
        assert isinstance(part, Table)
        chosen = part.on_click or (lambda id_: {"op": "select", "id": id_})
        clickable(part.markup, key, lambda id_: hands.chart_clicked(chosen, id_), part.follows_drag)


def awaited(job: Job, hands: Actions) -> None:
    """The page runs once more when the work that it asked for ends, also where nothing that is drawn has to wait for
    it.
    """
    if job.running:
        work_progress.show_progress_line(job, hands.rerun, "awaited")
    elif job.result is not None:  # it came while the rest was drawn
        st.rerun()


def _progress(job: Job, hands: Actions) -> None:
    """Progress and cancel while work goes on or waits; when it ends the page runs once more."""
    if job.running:
        work_progress.show_progress(job, hands.rerun, "job")
    elif job.result is not None:  # it came since it was asked for
        st.rerun()
    elif job.error is not None:
        st.warning(message_of(job.error))
    else:
        st.caption(_("Cancelled."))
        st.button(_("Run"), on_click=hands.forget, key="job_again")


def says(step: Step, stage: Stage, marks: Marks) -> None:
    """One or two sentences, and the formula."""
    with st.container(key="says", gap=None):
        st.markdown(marks.markdown(_(step.says) if isinstance(step.says, str) else step.says(stage)))
        tex = formula(step, stage)
        if tex:
            st.markdown(f"$$\n{tex}\n$$")
        if step.letters:
            st.html(glossary_popups.own(step.letters))


def formula(step: Step, stage: Stage) -> str:
    """The one formula of a step, in TeX."""
    return step.formula if isinstance(step.formula, str) else step.formula(stage)


def tries(step: Step, hands: Actions) -> None:
    """What can be tried on the board."""
    with st.container(horizontal=True, gap="xsmall", key="tries", vertical_alignment="center"):
        st.markdown(_("Try"), width="content")
        for i, each in enumerate(step.tries):
            st.button(_(each.label), key=f"{step.key}_try{i}", on_click=hands.attempt, args=(each,))


LENT = N_("{why} This board is lent; yours comes back when you leave the step.")
FITTED = N_("{why} These are your points, with the machine that this step needs.")
