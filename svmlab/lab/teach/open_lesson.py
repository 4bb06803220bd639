"""A lesson that a person has open: the open step, the answers, the board that is shown, and the stage on it.

If a board does not meet the needs of the step, the step lends one. The own board returns when the step is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from svmlab.core.errors import quoted
from svmlab.core.phrase import N_, Phrase
from svmlab.lab.board.board_picture import Additions
from svmlab.lab.board.hidden_parts import hides_classifier
from svmlab.lab.board.payload import Data
from svmlab.lab.charts.show import page_palette
from svmlab.lab.session import long_work
from svmlab.lab.session.cache import Cache, Result
from svmlab.lab.session.lab import Lab, with_valid_labels
from svmlab.lab.session.lesson_state import Answer, AnswerResult, PageMemory, PickValue
from svmlab.lab.session.state import History, initial_history, same_content
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.exercises import Exercises
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import PRACTICE, SUMMARY, Lesson, Need, Step

UNKNOWN_STEP = N_("The link has {name} = {value}, but this lesson has no such step, so it begins at its first step.")


@dataclass(frozen=True)
class OpenLesson:
    """A session together with the lesson that is open in it, and the tasks at its end."""

    session: Session
    lesson: Lesson
    exercises: Exercises | None = None

    @property
    def open_exercises(self) -> Exercises | None:
        """Return the tasks at the end of the lesson if they are open."""
        return self.exercises if self.step is None and self.open_key == PRACTICE else None

    @property
    def memory(self) -> PageMemory:
        """Return what the page remembers beside the link."""
        return self.session.lessons.memory(self.lesson.page)

    @property
    def step(self) -> Step | None:
        """Return the open step, or None on a page after the last step."""
        key = self.session.lessons.open_steps.get(self.lesson.page)
        return None if key in self.lesson.last_pages else self.lesson.step(key) or self.lesson.steps[0]

    @property
    def open_key(self) -> str:
        """Return the key of the open step or page."""
        step = self.step
        return step.key if step else self.session.lessons.open_steps[self.lesson.page]

    @property
    def deeper_steps(self) -> tuple[Step, ...]:
        """Return the steps that go deeper, which can be folded away."""
        return tuple(step for step in self.lesson.steps if step.deeper)

    @property
    def is_unfolded(self) -> bool:
        """Return whether the steps that go deeper are in sight. They are while one of them is open."""
        step = self.step
        return self.memory.is_unfolded or (step is not None and step.deeper)

    @property
    def steps_in_sight(self) -> tuple[Step, ...]:
        """Return the steps of the core path, and those that go deeper if they are unfolded."""
        return tuple(step for step in self.lesson.steps if self.is_unfolded or not step.deeper)

    @property
    def answer(self) -> Answer:
        """Return the answer to the open step."""
        return self.session.lessons.answers.get(self.open_name, Answer())

    @property
    def open_name(self) -> str:
        """Return the name of the open step or page among all lessons."""
        return f"{self.lesson.page}.{self.open_key}"

    def step_name(self, step: Step) -> str:
        """Return a step's name among all lessons."""
        return f"{self.lesson.page}.{step.key}"

    # Whether an answer was right. It is known when the right answer is, which may take long work.

    def ask_for_result(self, step: Step) -> None:
        """Note that "Show" was pressed. It counts as an answer if a choice was marked."""
        results = self.memory.results
        results.pop(step.key, None)
        if self.answer.choice is not None:
            self.memory.answers += 1
            results[step.key] = AnswerResult(f"{self.session.boot}.{self.lesson.page}.{self.memory.answers}", None)

    def result(self, step: Step, stage: Stage) -> AnswerResult | None:
        """Return the result of the last answer to a step, or None if nobody has answered it in this session.

        Later changes of the board do not change it. Raises Working while the right answer is being computed.
        """
        result = self.memory.results.get(step.key)
        if result is not None and result.right is None:
            result = self.memory.results[step.key] = AnswerResult(result.stamp, stage.choice == step.answer(stage))
        return result

    # Which board is shown.

    def prepare_board(self) -> None:
        """Show the board of the open step if the step has just been opened, and the own board if the step fails."""
        step, name = self.step, self.open_name
        self._note_unknown_step()
        self.session.lessons.open_steps[self.lesson.page] = self.open_key
        self.memory.is_unfolded = self.is_unfolded
        if self.open_exercises is not None:
            self.open_exercises.prepare_board()
            return
        if self.session.lessons.prepared_step == name:
            return
        self.session.lessons.prepared_step = name
        self.session.leave_job()
        self.session.lessons.step_board = None
        try:
            self._show_board_of(step, name)
        except Exception as error:  # an error of the step; the rest of it can still be shown
            self.session.show_board(None)
            self.session.show_failure(error)

    def _note_unknown_step(self) -> None:
        """Leave a message for the board if a link names a step that the lesson does not have."""
        key = self.session.lessons.open_steps.get(self.lesson.page)
        if key is not None and key not in self.lesson.last_pages and not self.lesson.step(key):
            self.session.add_link_message(Phrase(UNKNOWN_STEP, name=quoted("step"), value=quoted(key)))

    def _show_board_of(self, step: Step | None, name: str) -> None:
        if step is None and (self.lesson.end is not None or self.open_key == SUMMARY):  # with the last step's board
            step, name = self.lesson.steps[-1], self.step_name(self.lesson.steps[-1])
        self.session.lessons.step_board = step.board() if step else None
        if step is None or (not self.has_initial_points and self.unmet_need_of_own(step) is None):
            self.session.show_board(None)
        elif name in self.session.boards.lent:
            self.session.show_board(name)
        else:
            self.session.show_board(name, self.board_to_lend(step), given=True)

    @property
    def has_initial_points(self) -> bool:
        """Return whether the own board still has the points with which everybody begins.

        Then the step's own board suits its question better.
        """
        own = self.session.boards.own
        return not own.past and own.present.points == initial_history().present.points

    def board_to_lend(self, step: Step) -> Lab:
        """Return the board that a step lends.

        It has the person's points with the settings that the step needs, if that suffices, else it is the step's own
        board.
        """
        fitted = self.fitted(step)
        return (
            step.board()
            if self.has_initial_points or step.first_unmet_need(self.stage(step, fitted)) is not None
            else fitted
        )

    def fitted(self, step: Step) -> Lab:
        """Return the person's points, with their settings changed only where the step needs others."""
        lab = self.session.boards.own.present
        for _ in step.all_needs:  # a need relies on those before it, so they are met one after another
            unmet_need = step.first_unmet_need(self.stage(step, lab))
            if unmet_need is None:
                break
            lab = with_valid_labels(replace(lab, **unmet_need.settings))
        return lab

    def keeps_secret(self, step: Step) -> bool:
        """Return whether the answer would reveal settings of the board that the link hides.

        A board that the step lends to everybody has no secret.
        """
        session, usual = self.session, self.session.lessons.step_board
        if not hides_classifier(session.link.hidden):
            return False
        began = session.boards.initial[session.boards.shown]
        return session.boards.shown is None or usual is None or not same_content(began, usual)

    def is_shown(self, step: Step) -> bool:
        """Return whether the answer is shown."""
        return self.answer.shown and not self.keeps_secret(step)

    def unmet_need_of_own(self, step: Step) -> Need | None:
        """Return the first need that the person's own board does not meet, or None."""
        return step.first_unmet_need(self.stage(step, self.session.boards.own.present))

    def drop_frame_of_other_film(self, film: Data | None) -> None:
        """Keep the recorded frame only for the film on the board. A frame that names no film belongs to this one."""
        frame = self.session.lessons.inputs.get("film")
        if film is None or frame is None or self.session.moving:
            return
        if frame["key"] is None:
            frame["key"] = film["key"]
        elif frame["key"] != film["key"]:
            self.session.lessons.input_scopes.pop("film", None)

    # The input of a step.

    def stage(self, step: Step, lab: Lab | None = None) -> Stage:
        """Return the stage for a step, on the board that is shown or on another. A secret answer is never shown."""
        session, hidden = self.session, lab is None and self.keeps_secret(step)
        lab = self.lesson.lab_to_draw(lab or session.lab)
        history, answer = session.history, session.lessons.answers.get(self.step_name(step), Answer())
        before_drag, hand = history.before_drag, session.lessons.inputs.get("hand")
        return Stage(
            lab,
            answer.shown and not hidden,
            answer.choice if (answer.choice or 0) < len(step.choices) else None,
            session.lessons.dials,
            self._picks(),
            None if hand is None else (tuple(hand["a"]), tuple(hand["b"])),
            session.moving,
            before_drag is not None and before_drag.points != history.present.points,
            page_palette(session.view.projector, session.view.type_size),
            session.cache,
            session.cache.get_or_compute(("notes", self.step_name(step), lab.points_key if lab.points else ""), dict),
            lambda key, make: long_work.request_work(session, key, make),
        )

    def _picks(self) -> Mapping[str, PickValue]:
        """Return the chosen options. A link may contain anything, so an unknown option becomes the default."""
        every = {pick.name: pick for step in self.lesson.steps for pick in step.picks}
        picked = {name: self.session.lessons.picks.get(f"{self.lesson.page}.{name}") for name in every}
        return {n: picked[n] if picked[n] in each.options else each.default for n, each in every.items()}  # type: ignore[misc]

    def additions(self, drawn: Data) -> Additions:
        """Return what the page shows on the board beside the solution: what the open step has drawn."""
        return Additions(lab_to_draw=self.lesson.lab_to_draw, step_part=lambda *_board: drawn)

    def step_overlay(self, step: Step) -> StepOverlay:
        """Return the function that adds the open step to each picture of the drag socket."""
        stage, cache = self.stage(step), self.memory.drag_caches.setdefault(step.key, Cache())
        cache.entries.update({key: job for key, job in self.session.cache.entries.items() if key[0] == "work"})
        return StepOverlay(self.lesson, step, replace(stage, cache=cache, memory=dict(stage.memory), request_work=None))


@dataclass(frozen=True)
class StepOverlay:
    """Add the open step to a picture of the drag socket. It is pure, with a cache of its own."""

    lesson: Lesson
    step: Step
    stage: Stage

    def __call__(self, history: History, dials: Mapping[str, float], result: Result[Any] | None = None) -> Data:
        """Return the overlay for the board of a history and the dials moved since.

        result: the result of the board's problem, if it is known already.
        """
        lab = self.lesson.lab_to_draw(history.present)
        if result is not None:
            self.stage.cache.store_outcome(lab, result)
        dragging = lab.points != self.stage.lab.points
        stage = replace(self.stage, lab=lab, dials={**self.stage.dials, **dials}, moving=True, dragging=dragging)
        return overlay_of(self.step, stage)


def overlay_of(step: Step, stage: Stage) -> Data:
    """Return what a step adds to the board.

    It is empty if the board does not meet the needs, or if a result is still being computed. Before the answer the
    legend has no counts, because the number of support vectors is often the answer.
    """
    if step.first_unmet_need(stage) is not None:
        return {}
    try:
        return step.drawn(stage) | ({} if stage.shown else {"uncounted": True})
    except Working:
        return {}
