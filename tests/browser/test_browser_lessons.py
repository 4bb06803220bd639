"""Every step of every lesson fits on one screen in front of a class, and can be read from the back row."""

from __future__ import annotations

import pytest

from svmlab.lab.teach.step import Lesson, Step
from tests.browser import measure
from tests.browser.measure import MODES
from tests.lessons import LESSONS, one_of_each


def kind(step: Step) -> tuple[bool, ...]:
    """What makes one step look unlike another."""
    drawn = step.picks, step.formula, step.more
    return tuple(map(bool, drawn))


def walk(new_board, lesson: Lesson, steps: tuple[Step, ...], modes: tuple[str, ...]) -> list[str]:
    """What is wrong on any of the steps in front of a class: as many of them on each of the screens."""
    width, height, _, scheme = MODES[modes[0]]
    board = new_board(width, height, reduced_motion="reduce", color_scheme=scheme).open(f"/{lesson.page}")
    measure.unfold(board).press("p")
    faults, mode = [], modes[0]

    def look(step: Step, when: str) -> None:
        wrong = [*measure.layout_faults(board), *measure.wrong(board.page, projector=True)]
        faults.extend(f"{step.key}, {when}, {mode}: {each}" for each in wrong)

    for i, step in enumerate(steps):
        if mode != modes[i * len(modes) // len(steps)]:
            mode = modes[i * len(modes) // len(steps)]
            moved(board, mode)
        board.page.locator(f".sv-strip [data-key={step.key}]").click()
        board.page.locator(f".st-key-{step.key}_show").wait_for()
        board.settle(frames=12)
        look(step, "asked")
        board.page.locator("[data-testid=stRadio] label").last.click()
        board.settle()
        board.page.locator(f".st-key-{step.key}_show button").click()
        board.page.locator(f".st-key-{step.key}_again").wait_for()
        board.until_work_ends()
        board.page.mouse.move(1, 1)  # what a chart offers under the pointer covers its corner
        board.settle(frames=24)
        look(step, "shown")
    return faults


def moved(board, mode: str) -> None:
    """The window is another screen's."""
    width, height, _, scheme = MODES[mode]
    board.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    board.page.set_viewport_size({"width": width, "height": height})
    board.until(
        lambda: board.root.evaluate("root => root.board.data.type") == round(0.0225 * height), "type to read from afar"
    )


def test_a_step_of_each_kind_fits_in_front_of_a_class(new_board):
    lesson = LESSONS[0]
    assert "\n".join(walk(new_board, lesson, one_of_each(lesson.steps, kind), ("room",))) == ""


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)
def test_every_step_opens_and_fits_at_a_desk(new_board, lesson):
    """The question and the board of each step; `.ci/all` measures what comes with the answer, by keyboard alone."""
    width, height, _, scheme = MODES["desk"]
    board = new_board(width, height, reduced_motion="reduce", color_scheme=scheme).open(f"/{lesson.page}")
    measure.unfold(board)
    wrong = []
    for step in lesson.steps:
        board.page.locator(f".sv-strip [data-key={step.key}]").click()
        board.page.locator(f".st-key-{step.key}_show").wait_for()
        board.settle(frames=2)
        seen = [*measure.layout_faults(board), *measure.wrong(board.page, projector=False)]
        wrong += [f"{step.key}: {each}" for each in seen]
    assert "\n".join(wrong) == ""


@pytest.mark.sweep
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)
def test_every_step_fits_in_front_of_a_class(new_board, lesson):
    modes = ("room", "hall")[:: 1 if LESSONS.index(lesson) % 2 else -1]
    assert "\n".join(walk(new_board, lesson, lesson.steps, modes)) == ""
