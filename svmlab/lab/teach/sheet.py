"""The parts of a step beside the board, from the question to the foot, as Streamlit widgets.

Every function draws one part. What a person does is passed to `Actions`, which change the session and run the page
again.
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
from svmlab.lab.words import N_, _, message_of, tex


def lacking(step: Step, need: Need, marks: Marks, lend: Callable[[], None]) -> None:
    """Show what the board lacks, and a button that lends a board that has it."""
    st.info(marks.markdown(_(need.why)))
    st.button(_("A board for this step"), key=f"{step.key}_lend", on_click=lend, type="primary")


SECRET = N_("The link hides settings of this board. The answer would reveal them, so it is not shown here.")


def secret(step: Step, lend: Callable[[], None]) -> None:
    """Say why the answer is not shown, with a button that lends a board without a secret."""
    st.info(_(SECRET))
    st.button(_("A board for this step"), key=f"{step.key}_lend", on_click=lend)


def choices(step: Step, stage: Stage, actions: Actions) -> None:
    """Show the choices of the question. Choosing only marks a choice, and the button shows the answer."""
    key = f"{step.key}_choice"
    st.session_state[key] = stage.choice
    with st.container(key="choices", gap="xsmall"):
        st.radio(
            _("What do you expect?"),
            range(len(step.choices)),
            format_func=lambda i: _(step.choices[i].text),
            key=key,
            label_visibility="collapsed",
            on_change=lambda: actions.choose(st.session_state[key]),
        )
        marked = stage.choice is not None
        kind: Literal["primary", "secondary"] = "primary" if marked else "secondary"
        st.button(_("Show"), key=f"{step.key}_show", type=kind, on_click=actions.show, args=(True,))


def verdict(step: Step, stage: Stage, marks: Marks, actions: Actions) -> None:
    """Show the chosen answer in one line, the verdict, and for a wrong choice why it is tempting."""
    with st.container(key="verdict", gap=None):
        right, mark = step.answer(stage), ""
        if stage.choice is not None:
            mark, cross = (":material/check: ", "") if stage.choice == right else ("", ":material/close: ")
            chosen = step.choices[stage.choice]
            why = f" {_(chosen.why)}" if stage.choice != right and chosen.why else ""
            with st.container(key="fold", gap=None):
                expected = _("You expected: {choice}.").format(choice=_(chosen.text).rstrip("."))
                st.markdown(cross + marks.markdown(expected + why))
        template = _("**Always:** {verdict}") if step.is_theorem else _("**Here:** {verdict}")
        st.markdown(mark + marks.markdown(template.format(verdict=step.verdict_text(stage))))


def ask_again(step: Step, actions: Actions) -> None:
    """Show the button that brings the question back. Where there is little room, it shows its symbol alone."""
    with st.container(key="again", width="content"):
        st.button(
            _("Ask again"),
            icon=":material/replay:",
            help=_("Fold the answer away and ask the question again"),
            key=f"{step.key}_again",
            type="tertiary",
            on_click=actions.show,
            args=(False,),
        )


def numbers(readings: Sequence[Reading], marks: Marks) -> None:
    """Show one line of numbers, exact and defined on hover. It takes the same space if there are none."""
    cells = "".join(
        f'<div title="{escape(r.hover, quote=True)}"><span>{marks.html(r.name)}</span><b>{escape(r.text)}</b></div>'
        for r in readings
    )
    st.html(f'<div class="sv-values">{cells}</div>')


def picks(asked: tuple[Pick, ...], stage: Stage, actions: Actions, key: str = "picks") -> None:
    """Show options of the chart in one row."""
    with st.container(horizontal=True, gap="small", key=key, vertical_alignment="center"):
        for each in asked:
            _pick(each, stage, actions)


def _pick(each: Pick, stage: Stage, actions: Actions) -> None:
    """Show one Pick as a widget, with a new key if something else has changed its value.

    After such a change the browser may still report the value that was chosen in the old widget.
    """
    name, value = f"pick_{each.name}", stage.pick(each.name)
    version = st.session_state.setdefault(f"{name} turn", 0)
    key = f"{name}_{version}" if version else name
    if st.session_state.get(key, value) != value:
        version = st.session_state[f"{name} turn"] = version + 1
        key = f"{name}_{version}"
    st.session_state[key] = value

    def changed() -> None:
        if st.session_state[f"{name} turn"] == version:
            actions.apply({"op": "pick", "values": {each.name: st.session_state[key]}})

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
    actions: Actions,
    made: Callable[[Stage], Part | None],
    rise: str | None = None,
) -> Job | None:
    """Show the chart or table, or the progress of the work on it, and return the job of that work.

    rise: the id of the animation of the rising points of a Space, which is played once.
    """
    try:
        part = made(stage)
    except Working as working:
        if working.job is not None:
            _progress(working.job, actions)
        return working.job
    if part is not None:
        show(part, f"{step.key}_picture", step, actions, marks, fill=True, rise=rise)
    return None


def show(
    part: Part, key: str, step: Step, actions: Actions, marks: Marks, fill: bool = False, rise: str | None = None
) -> None:
    """Show markdown, a figure, a table or a picture above the board. fill: as high as its container."""
    if isinstance(part, str):
        st.markdown(marks.markdown(part))
    elif isinstance(part, Chart):
        made = part.on_click
        picked = None if made is None else lambda mark: actions.chart_clicked(made, mark)
        show_chart(part.figure, key, picked, fill, {"name": step.key, "title": _(step.title)})
    elif isinstance(part, Space):
        space(part, key, rise, lambda id_: actions.apply({"op": "select", "id": id_}), step.key, actions.turn)
    else:
        assert isinstance(part, Table)
        chosen = part.on_click or (lambda id_: {"op": "select", "id": id_})
        clickable(part.markup, key, lambda id_: actions.chart_clicked(chosen, id_), part.follows_drag)


def awaited(job: Job, actions: Actions) -> None:
    """Run the page once more when the work that it requested ends, even if nothing that is drawn waits for it."""
    if job.running:
        work_progress.show_progress_line(job, actions.rerun, "awaited")
    elif job.result is not None:  # it ended while the rest was drawn
        st.rerun()


def _progress(job: Job, actions: Actions) -> None:
    """Show progress and a cancel button while work runs or waits. The page runs once more when it ends."""
    if job.running:
        work_progress.show_progress(job, actions.rerun, "job")
    elif job.result is not None:  # it ended after it was requested
        st.rerun()
    elif job.error is not None:
        st.warning(message_of(job.error))
    else:
        st.caption(_("Cancelled."))
        st.button(_("Run"), on_click=actions.redo_work, key="job_again")


def says(step: Step, stage: Stage, marks: Marks) -> None:
    """Show one or two sentences, and the formula."""
    with st.container(key="says", gap=None):
        st.markdown(marks.markdown(step.says_text(stage)))
        formula = tex(step.formula_tex(stage))
        if formula:
            st.markdown(f"$$\n{formula}\n$$")
        if step.letters:
            st.html(glossary_popups.own_letters_html(step.letters))


def tries(step: Step, actions: Actions) -> None:
    """Show what can be tried on the board."""
    with st.container(horizontal=True, gap="xsmall", key="tries", vertical_alignment="center"):
        st.markdown(_("Try"), width="content")
        for i, each in enumerate(step.tries):
            st.button(_(each.label), key=f"{step.key}_try{i}", on_click=actions.try_out, args=(each,))


LENT = N_("{why} This board is lent. Yours comes back when you leave the step.")
FITTED = N_("{why} These are your points, with the settings that this step needs.")
