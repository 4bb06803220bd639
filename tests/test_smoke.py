"""The real app in a real browser, once: what every run of the tests looks at where a browser is installed."""

import pytest

from svmlab import Linear
from tests.browser.agreed import check_against_mathematics
from tests.lessons import LESSONS


@pytest.mark.usefixtures("warmed_up")
def test_the_lab_follows_a_drag_with_the_right_numbers_and_a_lesson_shows_its_answer(board):
    """Server, socket, scripts and pages work together: the boundary follows the mouse and every figure is svmlab's."""
    board.open("/lab")
    before = board.lines["zero"]
    check_against_mathematics(board, Linear())
    dot = next(dot for dot in board.dots.values() if dot.cat == "margin_free")
    board.grab(dot.x, dot.y).pull(dot.x + 0.6, dot.y + 0.4).drop()
    assert board.lines["zero"] != before
    check_against_mathematics(board, Linear())
    lesson = LESSONS[0]
    step = lesson.steps[0]
    page = board.open(f"/{lesson.page}?step={step.key}").page
    page.locator(f".st-key-{step.key}_choice").get_by_test_id("stRadioOption").first.click()
    page.locator(f".st-key-{step.key}_show button").click()
    page.locator(".st-key-verdict").wait_for()
    page.locator(".st-key-chart").wait_for()
