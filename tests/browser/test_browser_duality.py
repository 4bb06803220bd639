"""The lesson on duality in a browser: what is drawn is what was computed, and what is selected is selected everywhere."""

import re

import numpy as np
import pytest

from svmlab import solve
from svmlab.lab.lessons.duality import words
from svmlab.lab.session import share
from svmlab.lab.session.state import Lab, with_preset

EIGHT = with_preset(Lab(preset="separable", size=8, seed=26, hard=True))
SOLUTION = solve(EIGHT.problem)


@pytest.fixture
def lesson(new_board):
    board = new_board()
    board.open("/")
    board.page.get_by_role("link", name="Duality", exact=True).click()
    board.page.get_by_role("heading", name=words.VERSIONS["title"]).wait_for()
    board.settle(frames=12)
    return board


def start(board, lab=EIGHT):
    """Set the board through the door for links."""
    with board.answered():
        board.root.evaluate(
            """(root, share) => { const s = root.board;
            s.set("event", {boot: s.data.boot, seq: s.data.ack + 1, ops: [{op: "restore", share}]}); }""",
            share.encode(lab),
        )
    return board


def step(board, number):
    with board.answered():
        board.page.locator(".st-key-duality_step").get_by_role("radio", name=str(number), exact=True).click()


def press(board, name):
    with board.answered():
        board.page.get_by_role("button", name=name, exact=True).click()


def drawn(board, path):
    """The first two places of a drawn path, in the plane."""
    d = board.root.locator(path).first.get_attribute("d")
    numbers = [float(v) for v in re.findall(r"-?\d+(?:\.\d+)?", d)][:4]
    size, view = board.root.evaluate("root => [root.board.size, root.board.m.view]")
    return np.array([[x / size * 2 * view - view, view - y / size * 2 * view] for x, y in np.reshape(numbers, (2, 2))])


def test_a_prediction_reveals_and_the_arrow_on_the_board_is_the_normal(lesson):
    start(lesson)
    assert lesson.root.locator(".overlay path").count() == 0
    with lesson.answered():
        lesson.page.get_by_text(words.VERSIONS["choices"][0], exact=True).click()
    lesson.page.get_by_text("All four stop at margin").wait_for()
    a, b = drawn(lesson, ".overlay path.accent")
    np.testing.assert_allclose(b - a, SOLUTION.w / SOLUTION.norm_w, atol=0.03)
    assert abs(SOLUTION.decision(a[None])[0]) < 0.03
    with lesson.answered():
        lesson.page.get_by_role("radio", name=words.VERSIONS["names"]["square"], exact=True).click()
    a, b = drawn(lesson, ".overlay path.accent")
    np.testing.assert_allclose(b - a, SOLUTION.w, atol=0.03)


def test_a_row_selects_its_point_and_a_point_its_row(lesson):
    start(lesson)
    step(lesson, 2)
    press(lesson, "Show it")
    row = lesson.page.locator('.sv-pick tr[data-id="5"]')
    with lesson.answered():
        row.click()
    assert lesson.data("selected") == "5"
    lesson.page.locator('.sv-pick tr[data-id="5"][aria-selected="true"]').wait_for()
    assert lesson.page.locator(".sv-pick td.column").count() == 9
    other = lesson.dots[2]
    lesson.click(other.x, other.y)
    lesson.page.locator('.sv-pick tr[data-id="2"][aria-selected="true"]').wait_for()
    titles = lesson.page.locator('.sv-pick tr[data-id="2"] td').evaluate_all("all => all.map(c => Number(c.title))")
    row_of_Q = EIGHT.problem.qp("dual").P[1]
    np.testing.assert_allclose(titles[3:11], row_of_Q)


def test_the_film_of_w_plays_to_its_end_and_tells_python(lesson):
    start(lesson)
    step(lesson, 5)
    press(lesson, "Show it")
    assert lesson.data("frame") == "0"
    for k in range(1, 5):
        lesson.root.locator('[data-film="next"]').click()
        lesson.until(lambda k=k: lesson.data("frame") == str(k), "the next frame")
    a, b = drawn(lesson, ".film-layer path.accent")
    factor = np.linalg.norm(b - a) / SOLUTION.norm_w
    np.testing.assert_allclose(b, factor * SOLUTION.w, atol=0.03)
    assert factor == pytest.approx(round(factor), abs=0.02)
    assert "w = (0.643, 0.3142)" in lesson.root.locator(".film-caption").inner_text()


def test_a_prompt_sets_up_a_board_and_undo_brings_the_old_one_back(lesson):
    before = lesson.places
    press(lesson, words.BOARDS["four"])
    assert lesson.places == [(-1, 0, 0), (-1, 2, 2), (1, 2, 0), (1, 3, 0)]
    with lesson.answered():
        lesson.page.keyboard.press("Control+z")
    assert lesson.places == before


def test_deleting_the_others_leaves_the_line_where_it_was(lesson):
    start(lesson)
    step(lesson, 8)
    line = lesson.lines["zero"]
    press(lesson, words.KEEP["delete"])
    assert len(lesson.dots) == 3
    assert lesson.lines["zero"] == line
    assert lesson.root.locator(".pin path").first.get_attribute("d") == line
    press(lesson, words.KEEP["lose"])
    assert lesson.lines["zero"] != line


def test_walking_to_the_lab_and_back_keeps_points_and_step(lesson):
    start(lesson)
    step(lesson, 6)
    lesson.page.get_by_role("link", name="Lab", exact=True).click()
    lesson.page.locator(".sv-figures").wait_for()
    lesson.settle(frames=12)
    assert len(lesson.dots) == 8
    lesson.page.get_by_role("link", name="Duality", exact=True).click()
    lesson.page.get_by_role("heading", name=words.OFFSET["title"]).wait_for()
    lesson.settle(frames=12)
    assert len(lesson.dots) == 8


def test_the_board_stays_in_sight_beside_a_long_lesson(lesson):
    start(lesson)
    step(lesson, 4)
    press(lesson, "Show it")
    size = lesson.root.evaluate("root => root.board.size")
    lesson.page.mouse.move(900, 500)
    lesson.page.mouse.wheel(0, 500)
    lesson.settle(frames=12)
    press(lesson, words.KKT["try_support"])
    box = lesson.plane.bounding_box()
    assert 0 < box["y"] < 160
    assert lesson.root.evaluate("root => root.board.size") == size
