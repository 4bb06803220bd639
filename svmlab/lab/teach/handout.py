"""A whole lesson on paper: each step in a block, its board beside its chart, without or with the answers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.board import board_data, display
from svmlab.lab.board.payload import Data
from svmlab.lab.charts.show import show_chart
from svmlab.lab.frame import share, work_progress
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.session import state, unexpected_errors
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.link import ANSWERS, Location
from svmlab.lab.teach.open_lesson import OpenLesson, overlay_of
from svmlab.lab.teach.pick import clickable
from svmlab.lab.teach.space import space
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Part, Space, Step, Table
from svmlab.lab.words import N_, _

HOW = N_("Press Ctrl+P to print this page or to save it as a PDF file.")
CHOICE = "☐"


def show(place: OpenLesson) -> None:
    """Show all steps of the lesson below each other, each on the board that it lends."""
    frame.keep_link(place.session)
    _Handout(place, place.session.link.only == ANSWERS).show()


def stage_on_paper(place: OpenLesson, step: Step, answered: bool) -> Stage:
    """Return the stage of a step on its own board, with the answer in the state in which its animation ends."""
    lab = step.board()
    stage = replace(
        place.stage(step, lab), shown=answered, choice=None, dials={}, hand=None, moving=False, dragging=False
    )
    return rested(step, stage) if answered and step.first_unmet_need(stage) is None else stage


def rested(step: Step, stage: Stage) -> Stage:
    """Return the stage after the animation of the answer."""
    try:
        play = step.animation(stage) or {}
    except Working:
        return stage
    if "to" not in play or play.get("back"):
        return stage
    key, to = play["key"], play["to"]
    if play.get("op") == "dial" or key not in CONTROLS:
        return replace(stage, dials={**stage.dials, key: to})
    return replace(stage, lab=state.apply_to_lab(stage.lab, {"op": "set", "values": {key: to}}))


@dataclass(frozen=True)
class _Handout:
    state: OpenLesson
    answered: bool

    def show(self) -> None:
        lesson, marks = self.state.lesson, Marks(self.state.lesson.page)
        self._head()
        st.markdown(marks.markdown(_(lesson.intro)))
        waiting = False
        for number, step in enumerate(lesson.steps, start=1):
            with st.container(key=f"handout_{step.key}"), unexpected_errors.showing_errors():
                waiting |= self._step(step, number, waiting, marks)

    def _head(self) -> None:
        """Show the title, how to print, and the address of the lesson as text and QR code."""
        page = self.state.lesson.page
        address = share.address_of(Location())
        code = share.qr_picture(address)
        st.html(
            f'<div class="sv-handout-head"><div><h1>{escape(_(frame.PAGES[page]))}</h1>'
            f'<p class="sv-handout-how">{escape(_(HOW))}</p><p class="sv-handout-address">{escape(address)}</p></div>'
            f'<img class="sv-code" src="{code}" alt="{escape(_("QR code of the address"))}"></div>'
        )

    def _step(self, step: Step, number: int, waiting: bool, marks: Marks) -> bool:
        """Show one step, and return whether its long work is awaited. Only one work is requested at a time."""
        stage = stage_on_paper(self.state, step, self.answered)
        if waiting:
            stage = replace(stage, request_work=None)
        st.html(f"<h2>{number}. {escape(_(step.title))}</h2>")
        awaited = False
        if situation := step.situation_text(stage):
            st.markdown(marks.markdown(situation))
        st.markdown(marks.markdown(f"**{_(step.question)}**"))
        if not self.answered:
            st.markdown("\n".join(f"- {CHOICE} {marks.markdown(_(choice.text))}" for choice in step.choices))
        board, chart = st.columns(2, gap="medium")
        with board, st.container(key=f"still_{step.key}"):
            self._board(step, stage)
        if not self.answered:
            return False
        try:
            with chart:
                if (part := step.chart(stage)) is not None:
                    self._part(part, step)
            template = _("**Always:** {verdict}") if step.is_theorem else _("**Here:** {verdict}")
            st.markdown(marks.markdown(template.format(verdict=step.verdict_text(stage))))
        except Working as working:
            awaited = working.job is not None
            with chart:
                if working.job is not None and working.job.running:
                    work_progress.show_progress(working.job, st.rerun, f"job_{step.key}")
                elif working.job is not None and working.job.result is not None:
                    st.rerun()
                else:
                    st.caption(_("Measuring ..."))
        with suppress(Working):
            st.markdown(marks.markdown(step.says_text(stage)))
            if tex := step.formula_tex(stage):
                st.markdown(f"$$\n{tex}\n$$")
        return awaited

    def _board(self, step: Step, stage: Stage) -> None:
        """Show the board as a picture, with what the step draws on it."""
        drawn = overlay_of(step, stage)
        if drawn.get("film"):
            drawn = drawn | {"film": drawn["film"] | {"at": len(drawn["film"]["frames"]) - 1}}
        data = board_data(self.state.session, stage.lab) | {"hint": None, "lesson": True, "alone": True, "still": True}
        data |= _without_wire(drawn) | {"filmPlace": None, "message": None}
        display(data, key=f"board_{step.key}", on_event=lambda: None)

    def _part(self, part: Part, step: Step) -> None:
        key = f"{step.key}_handout"
        if isinstance(part, Chart):
            show_chart(part.figure, key, said={"name": step.key, "title": _(step.title)})
        elif isinstance(part, Space):
            with st.container(key=f"raised_{step.key}", height=360, border=False):
                space(part, key, None, lambda id_: None, step.key, self.state.session.lessons.turn)
        elif isinstance(part, Table):
            clickable(part.markup, key, lambda id_: None)
        else:
            st.markdown(part)


def _without_wire(drawn: Data) -> dict[str, Any]:
    """Return what a step draws without what only a live board uses."""
    return {name: value for name, value in drawn.items() if name not in ("play", "probe", "space", "table", "socket")}
