"""A question with its answer field, its verdict, its hints and its solution."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from svmlab.lab.frame import kept
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.practice.figure import points_svg
from svmlab.lab.practice.parts import PLAIN, mark, show_hints, weight
from svmlab.lab.practice.tasks import Variant
from svmlab.lab.practice.work import Work, work_on
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _, message_of
from svmlab.practice import Boundary, Choice, Numbers, Points, Question, Unreadable


@dataclass(frozen=True)
class QuestionView:
    """A question of a page. hides_verdict: whether nothing says yet what is right."""

    session: Session
    task: Variant
    marks: Marks
    hides_verdict: bool = False

    @property
    def question(self) -> Question:
        """Return the question."""
        return self.task.question

    @property
    def work(self) -> Work:
        """Return what was done on it."""
        return work_on(self.task.name)

    def show(self) -> None:
        """Show the question, its answer field, the verdict, and the hints and the solution that are open."""
        question, work, marks = self.question, self.work, self.marks
        if self.session.view.notation.minus_b:
            st.caption(_(PLAIN))
        with st.container(key="ask", gap=None):
            st.markdown(marks.markdown(_(question.situation)))
            if question.board is not None:
                st.markdown(points_svg(question.board, self._drawn), unsafe_allow_html=True)
            st.markdown(marks.markdown(f"**{_(question.ask)}**"))
        self._show_field()
        self._show_verdict()
        show_hints(self.session, work, question.hints, marks)
        if work.revealed and not self.hides_verdict:
            with st.container(key="solution", gap=None):
                st.markdown(_("**Solution**"))
                for line in question.solution:
                    st.markdown(marks.markdown(_(line)))

    @property
    def _drawn(self) -> tuple[Boundary, ...]:
        """Return the lines that the solution draws, and none before it is shown."""
        return self.question.boundaries if self.work.revealed and not self.hides_verdict else ()

    def _show_field(self) -> None:
        """Show what the answer is typed or chosen in. Enter answers, as the button does."""
        answer, name = self.question.answer, self.task.name
        with st.form(f"form_{name}", border=False, enter_to_submit=True):
            with st.container(key="answer", horizontal=True, gap="small", vertical_alignment="bottom"):
                if isinstance(answer, Numbers):
                    keys = [f"number{i}_{name}" for i in range(len(answer.fields))]
                    for i, (key, each) in enumerate(zip(keys, answer.fields, strict=True)):
                        self._restore(key, i)
                        st.text_input(_(each.label), key=key, max_chars=100, width=160, autocomplete="off")
                elif isinstance(answer, Choice):
                    keys = [f"choice_{name}"]
                    self._restore(keys[0])
                    st.radio(
                        _("Your answer"),
                        range(len(answer.options)),
                        format_func=lambda i: _(answer.options[i].words),
                        index=None,
                        key=keys[0],
                        label_visibility="collapsed",
                    )
                else:
                    assert isinstance(answer, Points)
                    assert self.question.board is not None
                    keys = [f"points_{name}"]
                    self._restore(keys[0])
                    st.pills(
                        _("The numbers of the points"),
                        self.question.board.ids,
                        selection_mode="single" if answer.is_single else "multi",
                        key=keys[0],
                    )
                solved = self.work.solved and not self.hides_verdict
                label = _("Keep this answer") if self.hides_verdict else _("Check")
                st.form_submit_button(
                    label, key=f"check_{name}", type=weight(not solved), on_click=self._judge, args=(keys,)
                )
            if isinstance(answer, Numbers) and not all(each.whole for each in answer.fields):
                st.caption(_("You can write 3.5, 3,5, 7/2, sqrt(2)/2 or 1e-3. Three significant digits are enough."))

    def _restore(self, key: str, part: int = 0) -> None:
        """Put the answer that was given into a field that returns to the page."""
        if key not in st.session_state and self.work.given:
            st.session_state[key] = self.work.given[part]

    def _judge(self, keys: list[str]) -> None:
        work, answer = self.work, self.question.answer
        given = tuple(st.session_state.get(key) for key in keys)
        work.given, work.judgement, work.unreadable = given, None, ""
        try:
            if isinstance(answer, Numbers):
                judged = answer.judge([str(each or "") for each in given])
            elif isinstance(answer, Choice):
                if given[0] is None:
                    work.unreadable = N_("Choose one of the answers first.")
                    return
                judged = answer.judge(given[0])
            else:
                assert isinstance(answer, Points)
                if not given[0] and all(wrong.points for wrong in answer.wrong):
                    work.unreadable = N_("Choose at least one point first.")
                    return
                chosen = given[0] or ()
                judged = answer.judge([chosen] if isinstance(chosen, int) else chosen)
        except Unreadable as error:
            work.unreadable = message_of(error)
            return
        if self.hides_verdict and not judged.is_complete:
            work.unreadable = next(sentence for right, sentence in judged.parts if right is None)
            return
        work.judgement = judged
        if not judged.is_complete:
            return
        work.tries += 1
        work.solved |= judged.right

    def _show_verdict(self) -> None:
        """Show the judgement, one line for each part of the answer, and let the browser keep it."""
        work = self.work
        with st.container(key="judged", gap=None):
            if work.unreadable:
                st.markdown(":material/help: " + _(work.unreadable))
                return
            if work.judgement is None:
                return
            with st.container(key="verdict", gap=None):
                if self.hides_verdict:
                    st.markdown(_("Your answer is kept. You can change it until you ask for the result."))
                    return
                for right, sentence in work.judgement.parts:
                    st.markdown(f"{mark(right)} {self.marks.markdown(_(sentence))}")
        if (result := self.result) is not None:
            kept.record(result)

    @property
    def result(self) -> kept.Result | None:
        """Return what the browser keeps of the last answer, or None if there is none that counts.

        An answer counts if each part of it could be read. After the solution was shown, a right answer does not count.
        """
        work = self.work
        judged = work.judgement
        if judged is None or not judged.is_complete or (work.revealed and judged.right):
            return None
        stamp = f"{self.session.boot}.{self.task.name}.{work.tries}"
        version, first = str(self.task.kind.version), work.tries == 1
        return kept.Result(self.task.progress_key, version, judged.right, stamp, first)

    def show_help_button(self) -> None:
        """Show the button of the next hint, or that of the solution."""
        work, hints = self.work, self.question.hints
        if work.hints < len(hints):
            label = _("Hint {n} of {m}").format(n=work.hints + 1, m=len(hints))
            st.button(label, key="hint", on_click=self._hint)
        elif not work.revealed and not self.hides_verdict:
            st.button(_("Show the solution"), key="reveal", on_click=self._reveal)

    def _hint(self) -> None:
        self.work.hints += 1

    def _reveal(self) -> None:
        self.work.revealed = True
