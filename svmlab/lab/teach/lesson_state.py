"""Where a person is in a lesson: the open step, what was answered, which board stands, and the stage on it.

Where a board has not what the step needs, the step lends one; the own board comes back when the step is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from svmlab.lab.board.payload import Data
from svmlab.lab.charts.show import page_palette
from svmlab.lab.session import long_work
from svmlab.lab.session.cache import Cache, Result
from svmlab.lab.session.state import History, Lab, initial_history, labelled
from svmlab.lab.session.tab import Answer, Picked, Session
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import CHECK, Lesson, Need, Step


@dataclass(frozen=True)
class LessonState:
    """A session in a lesson."""

    session: Session
    lesson: Lesson

    @property
    def memory(self) -> dict[str, Any]:
        """What the page remembers beside the link: a "play" in progress, "numbers" on the page."""
        return self.session.step_memory.setdefault(self.lesson.page, {})

    @property
    def step(self) -> Step | None:
        """The open step; None on the page of checks."""
        key = self.session.open_steps.get(self.lesson.page)
        return None if key == CHECK else self.lesson.step(key) or self.lesson.steps[0]

    @property
    def answer(self) -> Answer:
        """What was answered to the open step."""
        return self.session.answers.get(self.step_name(self.step), Answer())

    def step_name(self, step: Step | None) -> str:
        """A step's name among all lessons."""
        return f"{self.lesson.page}.{step.key if step else CHECK}"

    # which board stands

    def prepare_board(self) -> None:
        """The board of the open step stands, if the step has just been opened; the own one where the step fails."""
        step, name = self.step, self.step_name(self.step)
        self.session.open_steps[self.lesson.page] = step.key if step else CHECK
        if self.session.prepared_step == name:
            return
        self.session.prepared_step = name
        self.session.leave_job()
        try:
            self._put_up(step, name)
        except Exception as error:  # of the step: what else it shows can still be seen
            self.session.show_board(None)
            self.session.fail(error)

    def _put_up(self, step: Step | None, name: str) -> None:
        if step is None and self.lesson.end is not None:  # it is about the board of the last step
            step, name = self.lesson.steps[-1], self.step_name(self.lesson.steps[-1])
        if step is None or (not self.has_initial_points and self.unmet_need_of_own(step) is None):
            self.session.show_board(None)
        elif name in self.session.lent_histories:
            self.session.show_board(name)
        else:
            self.session.show_board(name, self.board_to_lend(step), given=True)

    @property
    def has_initial_points(self) -> bool:
        """Whether the own board is the one that everybody begins with: then the step's own suits its question
        better.
        """
        own = self.session.own_history
        return not own.past and own.present.points == initial_history().present.points

    def board_to_lend(self, step: Step) -> Lab:
        """The person's points with the machine that the step needs, where that will do; else the step's own board."""
        fitted = self.fitted(step)
        return (
            step.board()
            if self.has_initial_points or step.first_unmet_need(self.stage(step, fitted)) is not None
            else fitted
        )

    def fitted(self, step: Step) -> Lab:
        """The person's points, with their machine changed only where the step needs another."""
        lab = self.session.own_history.present
        for _ in step.all_needs:  # a need counts on those before it, so one is met after another
            lacking = step.first_unmet_need(self.stage(step, lab))
            if lacking is None:
                break
            lab = labelled(replace(lab, **lacking.settings))
        return lab

    def unmet_need_of_own(self, step: Step) -> Need | None:
        """What the person's own board has not."""
        return step.first_unmet_need(self.stage(step, self.session.own_history.present))

    def watches(self, film: Data | None) -> None:
        """A film is on the board: the place in another is forgotten, a place that names no film is in this one."""
        left = self.session.board_inputs.get("film")
        if film is None or left is None or self.session.moving:
            return
        if left["key"] is None:
            left["key"] = film["key"]
        elif left["key"] != film["key"]:
            self.session.input_scopes.pop("film", None)

    # what a step sees

    def stage(self, step: Step, lab: Lab | None = None) -> Stage:
        """The stage for a step, on the board that stands or on another."""
        session = self.session
        lab = self.lesson.lab_to_draw(lab or session.lab)
        history, answer = session.history, session.answers.get(self.step_name(step), Answer())
        held, hand = history.before_drag, session.board_inputs.get("hand")
        return Stage(
            lab,
            answer.shown,
            answer.choice if (answer.choice or 0) < len(step.choices) else None,
            session.dials,
            self._picks(),
            None if hand is None else (tuple(hand["a"]), tuple(hand["b"])),
            session.moving,
            held is not None and held.points != history.present.points,
            page_palette(session.projector, session.type_size),
            session.cache,
            session.cache.get_or_compute(("notes", self.step_name(step), lab.points_key if lab.points else ""), dict),
            lambda key, make: long_work.request_work(session, key, make),
        )

    def _picks(self) -> Mapping[str, Picked]:
        """What was picked, where there is such an option: a link may say anything."""
        every = {pick.name: pick for step in self.lesson.steps for pick in step.picks}
        picked = {name: self.session.picks.get(f"{self.lesson.page}.{name}") for name in every}
        return {n: picked[n] if picked[n] in each.options else each.default for n, each in every.items()}  # type: ignore[misc]

    def step_overlay(self, step: Step) -> StepOverlay:
        """What the open step adds to each picture of the socket."""
        stage, cache = self.stage(step), self.memory.setdefault(f"lane {step.key}", Cache())
        cache.entries.update({key: job for key, job in self.session.cache.entries.items() if key[0] == "work"})
        return StepOverlay(self.lesson, step, replace(stage, cache=cache, memory=dict(stage.memory), request_work=None))


@dataclass(frozen=True)
class StepOverlay:
    """What the open step adds to a picture of the socket: pure, with a cache of its own."""

    lesson: Lesson
    step: Step
    stage: Stage

    def __call__(self, history: History, dials: Mapping[str, float], found: Result[Any] | None = None) -> Data:
        """For the board of a history and the dials that were moved since; found: what came of its machine, if that is
        known.
        """
        lab = self.lesson.lab_to_draw(history.present)
        if found is not None:
            self.stage.cache.store_outcome(lab, found)
        dragging = lab.points != self.stage.lab.points
        stage = replace(self.stage, lab=lab, dials={**self.stage.dials, **dials}, moving=True, dragging=dragging)
        return overlay_of(self.step, stage)


def overlay_of(step: Step, stage: Stage) -> Data:
    """What a step adds to the board; nothing where the board has not what it needs, or a result is still worked on."""
    if step.first_unmet_need(stage) is not None:
        return {}
    try:
        return step.draw(stage)
    except Working:
        return {}
