"""The lesson on duality in a browser: what is drawn is what was computed, and what is selected is selected
everywhere."""

import re

import numpy as np
import pytest

from svmlab import solve
from svmlab.lab.lessons.duality.boards import EIGHT, FLOWERS, TWELVE
from svmlab.lab.lessons.duality.classify import START
from tests.browser.test_browser_probe import WHERE

WHOLE = solve(TWELVE().problem)


@pytest.fixture
def lesson(new_board):
    """The page on a desk where nothing moves by itself."""
    return new_board(1280, 800, reduced_motion="reduce").open("/duality")


def show(board, key, choice=0):
    """Open a step, which can be folded away in the strip, commit, and see."""
    board.open(f"/duality?step={key}")
    board.page.locator(f".st-key-{key}_show").wait_for()
    board.settle(frames=12)
    board.page.locator(f".st-key-{key}_choice").get_by_test_id("stRadioOption").nth(choice).click()
    board.settle(frames=12)
    board.page.locator(f".st-key-{key}_show button").click()
    board.page.locator(f".st-key-{key}_again").wait_for()
    return board.settle(frames=12)


def exact(board, name):
    """The exact value of a reading, which stands behind its definition in the hover."""
    hover = board.page.locator(".sv-values div", has_text=name).first.get_attribute("title")
    return float(hover.rpartition(": ")[2])


def press_suggestion(board, key, i):
    with board.answered():
        board.page.locator(f".st-key-{key}_try{i} button").click()


def drawn(board, path):
    """The first two places of a drawn path, in the plane."""
    numbers = [float(v) for v in re.findall(r"-?\d+(?:\.\d+)?", board.root.locator(path).first.get_attribute("d"))][:4]
    size, view = board.root.evaluate("root => [root.board.size, root.board.m.view]")
    return np.array([[x / size * 2 * view - view, view - y / size * 2 * view] for x, y in np.reshape(numbers, (2, 2))])


def test_the_line_turns_to_the_largest_margin_and_the_chart_can_change(lesson):
    show(lesson, "primal")
    lesson.until(lambda: float(lesson.root.locator(".sliders input").input_value()) == 0, "the slider at its end")
    arrow = lesson.root.evaluate("root => root.board.data.overlay.at(-1).pts")
    assert np.hypot(arrow[2] - arrow[0], arrow[3] - arrow[1]) == pytest.approx(
        solve(FLOWERS().problem).norm_w, abs=1e-3
    )
    lesson.page.locator(".st-key-picks").get_by_text("plane of w", exact=True).click()
    lesson.settle(frames=12)
    lesson.page.locator(".js-plotly-plot").get_by_text("feasible w").wait_for()


def test_a_row_selects_its_point_and_a_point_its_row(lesson):
    show(lesson, "kkt")
    with lesson.answered():
        lesson.page.locator('.sv-pick tr[data-id="5"]').click()
    assert lesson.data("selected") == "5"
    lesson.page.locator('.sv-pick tr[data-id="5"][aria-selected="true"]').wait_for()
    other = lesson.dots[2]
    lesson.click(other.x, other.y)
    lesson.page.locator('.sv-pick tr[data-id="2"][aria-selected="true"]').wait_for()


def test_the_film_of_w_stands_at_its_end_and_goes_step_by_step(lesson):
    show(lesson, "sum")
    solution = solve(EIGHT().problem)
    assert lesson.data("frame") == "4"
    a, b = drawn(lesson, ".film-layer path.accent")
    factor = np.linalg.norm(b - a) / solution.norm_w
    np.testing.assert_allclose(b, factor * solution.w, atol=0.03)
    assert factor == pytest.approx(round(factor), abs=0.02)
    assert "w = (0.643, 0.314)" in lesson.root.locator(".film-caption").inner_text()
    lesson.root.locator('[data-film="back"]').click()
    lesson.until(lambda: lesson.data("frame") == "3", "the frame before")


def test_the_others_go_and_the_line_stays_until_a_support_vector_goes(lesson):
    show(lesson, "keep", 2)
    assert float(lesson.root.locator(".sliders input").input_value()) == (~WHOLE.support).sum()
    assert lesson.root.locator(".pt .cross").count() == (~WHOLE.support).sum()
    boundary = lesson.lines["zero"]
    assert lesson.root.locator(".pin path").first.get_attribute("d") == boundary
    press_suggestion(lesson, "keep", 1)  # one more
    assert lesson.lines["zero"] != boundary
    assert lesson.root.locator(".pin path").first.get_attribute("d") == boundary
    assert len(lesson.dots) == 12


def test_the_new_point_is_dragged_and_its_sum_follows(lesson):
    show(lesson, "classify")
    lesson.grab(*START).pull(1.5, -1.0).drop()

    def follows():
        at = np.array([lesson.root.evaluate(WHERE)])
        return exact(lesson, "f(x)") == pytest.approx(float(WHOLE.decision(at)[0]), abs=1e-6)

    lesson.until(follows, "f(x) to follow x")
    assert lesson.root.evaluate(WHERE) == pytest.approx([1.5, -1.0], abs=0.03)
    assert lesson.data("frame") == str(int(WHOLE.support.sum()))
    assert len(lesson.dots) == 12
    press_suggestion(lesson, "classify", 0)  # another x
    lesson.until(follows, "f(x) to follow another x")
    assert lesson.root.evaluate(WHERE) == [2, -2.5]


def test_the_film_of_b_rests_where_the_boundary_is(lesson):
    show(lesson, "offset")
    assert lesson.data("frame") == "11"
    np.testing.assert_allclose(WHOLE.decision(drawn(lesson, ".film-layer path.accent")), 0, atol=0.05)
    press_suggestion(lesson, "offset", 0)  # the largest error
    lesson.until(lambda: lesson.data("frame") == "0", "the picture of the selected point")
    assert abs(WHOLE.decision(drawn(lesson, ".film-layer path.accent"))).min() > 1


def test_a_try_lends_a_board_to_its_step_alone(lesson):
    show(lesson, "primal")
    press_suggestion(lesson, "primal", 1)
    assert lesson.places == [(-1, 0, 0), (-1, 2, 2), (1, 2, 0), (1, 3, 0)]
    lesson.page.locator(".sv-strip [data-key=kkt]").click()
    lesson.page.locator(".st-key-kkt_show").wait_for()
    lesson.settle(frames=12)
    assert len(lesson.dots) == 12
