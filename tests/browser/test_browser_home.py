"""A newcomer's way: the first screen, the first support vector, the first lesson."""

from urllib.parse import parse_qs, urlsplit

import pytest

from svmlab.lab.lessons.start import overlap
from svmlab.lab.session import share
from svmlab.lab.session.state import initial_history
from svmlab.lab.teach.stage import Stage

PRESSED = "window.pressed = 0; addEventListener('pointerdown', () => { window.pressed += 1; }, true);"


@pytest.fixture
def newcomer(new_board):
    """Somebody who has just come."""
    return new_board().open("/")


def test_from_the_first_screen_to_a_dragged_support_vector_in_three_clicks(newcomer):
    board, before = newcomer, newcomer.lines
    board.page.evaluate(PRESSED)
    assert board.root.locator(".hint").is_visible(), "what to drag is said"
    support_vector = next(dot for dot in board.dots.values() if dot.cat == "margin_free" and dot.label > 0)
    board.grab(support_vector.x, support_vector.y).pull(support_vector.x - 0.6, support_vector.y + 0.5).drop()
    assert board.page.evaluate("window.pressed") <= 3
    assert board.lines["zero"] != before["zero"], "the street follows"
    said = parse_qs(urlsplit(board.page.url).query)
    assert said["s"] == [share.encode(initial_history().present)], "nobody's own points are touched"
    after = board.places
    board.page.reload()
    board.loaded()
    assert board.places == after
    board.page.get_by_text("Open the lab").click()
    board.widget("kernel").wait_for()
    board.settle(frames=12)
    assert urlsplit(board.page.url).path == "/lab"
    assert board.link == share.encode(initial_history().present)


def test_the_first_lesson_is_one_click_away_and_its_last_picture_moves_and_changes_nothing(newcomer):
    board = newcomer
    board.page.get_by_text("Start here: 5 minutes").click()
    board.page.locator(".st-key-points_show").wait_for()
    assert urlsplit(board.page.url).path == "/start"
    board.page.locator(".sv-strip [data-key=overlap]").click()
    board.page.locator(".st-key-overlap_show").wait_for()
    board.settle(frames=12)
    before, row = board.places, overlap.most_slack(Stage(overlap.OVERLAP.board()))
    board.page.locator(".st-key-overlap_show button").click()
    board.until(lambda: board.places[row] != before[row], "the point to come over")
    board.page.locator(".st-key-overlap_picture, .st-key-chart .js-plotly-plot").first.wait_for()
    board.settle(frames=12)
    assert board.places == before
    assert board.button("undo").is_disabled()
    assert board.root.locator(".slack path[d]:not([d=''])").count() > 0, "its slack is drawn"
    board.page.get_by_text("Next: Check yourself").click()
    board.page.get_by_text("Next: The same in symbols").click()
    board.page.get_by_text("Next lesson: the margin").click()
    board.page.locator(".st-key-scaling_show").wait_for()
