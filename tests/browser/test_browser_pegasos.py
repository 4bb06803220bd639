"""The Pegasos lesson in a browser: the film, the lines on the board, prompts and undo."""

import math

import numpy as np
import pytest

from svmlab import Dataset, Linear, Problem, pegasos, solve
from svmlab.lab.lessons.pegasos import LESSON, words
from svmlab.pegasos import Rule, replay, run_kernel

FILM = "root => root.board.data.film"
ARROW = """root => { const s = root.board, t = root.querySelector('.film-layer .accent:last-of-type').getAttribute('d').match(/-?[\\d.]+/g).map(Number);
  const at = i => [t[i] / s.size * 2 * s.m.view - s.m.view, s.m.view - t[i + 1] / s.size * 2 * s.m.view]; return [at(0), at(2)]; }"""


@pytest.fixture
def lesson(new_board):
    return new_board().open("/pegasos")


def go(board, step):
    board.page.locator(".st-key-pegasos_step").get_by_role("radio").nth(step).click()
    board.page.get_by_role("heading", name=LESSON.steps[step].title).wait_for()
    return board.settle(frames=12)


def predict(board, choice):
    with board.answered():
        board.page.get_by_test_id("stRadio").locator("[role=radiogroup] label").nth(choice).click()
    board.until(lambda: board.page.get_by_role("button", name="Hide the answer").count(), "the answer")
    return board.settle(frames=12)


def data(board):
    dots = board.dots.values()
    return Dataset([(d.x, d.y) for d in dots], [d.label for d in dots])


def test_the_film_draws_the_steps_that_the_engine_makes(lesson):
    assert lesson.root.locator(".film").is_hidden()
    predict(lesson, 1)
    assert lesson.page.get_by_text("That is what happens.").count() == 1
    points = data(lesson)
    steps = replay(pegasos(points, 1 / 60, 120), 0, 1, 121)
    first = int(np.argmax(~steps.violates[:, 0]))
    for at in (first, first + 1):
        assert lesson.data("frame") == str(at)
        caption = lesson.root.locator(".film-caption").inner_text()
        assert caption.startswith(f"t = {at + 1} ·")
        assert (words.STEP["kept"] in caption) == (not steps.violates[at, 0])
        start, end = lesson.root.evaluate(ARROW)
        assert np.hypot(*start) < 0.02
        w = steps.after[at]
        assert math.atan2(end[1], end[0]) == pytest.approx(math.atan2(w[1], w[0]), abs=0.02)
        ring = lesson.root.locator("circle.drawn")
        x, y = points.X[steps.drawn[at, 0]]
        box = lesson.plane.bounding_box()
        assert float(ring.get_attribute("cx")) == pytest.approx((x + 4) / 8 * box["width"], abs=1)
        assert float(ring.get_attribute("cy")) == pytest.approx((4 - y) / 8 * box["height"], abs=1)
        lesson.root.locator('[data-film="next"]').click()
        lesson.settle()


def test_the_film_plays_pauses_and_goes_back_to_its_start(lesson):
    predict(lesson, 0)
    lesson.root.locator(".film select").select_option("30")
    before = int(lesson.data("frame"))
    lesson.root.locator('[data-film="play"]').click()
    lesson.until(lambda: int(lesson.data("frame")) > before + 3, "the film to play")
    lesson.root.locator('[data-film="play"]').click()
    lesson.settle()
    lesson.root.locator('[data-film="reset"]').click()
    lesson.settle()
    assert lesson.data("frame") == "0"


def test_the_board_shows_the_machine_without_bias_and_the_averaged_line(lesson):
    go(lesson, 1)
    predict(lesson, 1)
    lesson.until(lambda: lesson.root.evaluate("root => (root.board.data.overlay ?? []).length"), "the averaged line")
    points = data(lesson)
    best = solve(Problem(points, Linear(), 1.0, bias=False))
    drawn = lesson.root.evaluate("root => [root.board.data.lines.zero[0], root.board.data.overlay[0].pts]")
    exact, averaged = (np.array(line).reshape(2, 2) for line in drawn)
    w = pegasos(points, 1 / 60, 10_000, 20).averages[0, -1]
    np.testing.assert_allclose(exact @ best.w, 0, atol=1e-3)
    np.testing.assert_allclose(averaged @ w, 0, atol=1e-3)
    assert lesson.page.locator(".js-plotly-plot").count() >= 2


def test_moving_lambda_under_the_board_moves_both_lines(lesson):
    go(lesson, 1)
    predict(lesson, 1)
    before = lesson.lines
    with lesson.answered():
        lesson.root.locator(".sliders input").first.fill("-1.5")
    lesson.settle(frames=12)
    assert lesson.lines != before
    C = 10**-1.5
    lesson.until(lambda: lesson.root.evaluate("root => (root.board.data.overlay ?? []).length"), "the averaged line")
    ends = np.array(lesson.root.evaluate("root => root.board.data.overlay[0].pts")).reshape(2, 2)
    w = pegasos(data(lesson), 1 / (60 * float(f"{C:.4g}")), 10_000, 20).averages[0, -1]
    np.testing.assert_allclose(ends @ w, 0, atol=2e-3 * np.hypot(*w))


def test_the_counterexample_sets_up_one_point_and_undo_brings_the_board_back(lesson):
    go(lesson, 2)
    predict(lesson, 0)
    before = lesson.places
    with lesson.answered():
        lesson.page.get_by_role("button", name=words.REGRET_TRY[0]).click()
    assert [(d.x, d.y, d.label) for d in lesson.dots.values()] == [(1, 0, 1)]
    lesson.page.get_by_text("Not on this board").wait_for()
    lesson.root.locator("svg.plane").focus()
    lesson.press("Control+z")
    assert lesson.places == before


def test_clicking_a_bar_selects_its_point(lesson):
    go(lesson, [s.key for s in LESSON.steps].index("kernel"))
    predict(lesson, 0)
    bar = lesson.page.locator(".st-key-pegasos_counts .barlayer .point path").first
    bar.wait_for()
    assert lesson.root.evaluate("root => root.board.m.selected") is None
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    lesson.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    lesson.until(lambda: lesson.root.evaluate("root => root.board.m.selected"), "a selected point")
    points = data(lesson)
    beta = run_kernel(points, Rule(1 / 60), 10_000, Linear()).beta[0, -1]
    assert lesson.root.evaluate("root => root.board.m.selected") == list(lesson.dots)[int(np.abs(beta).argmax())]


def test_walking_to_the_lab_and_back_keeps_points_and_step(lesson):
    go(lesson, 3)
    lesson.click(-3, 3)
    places = lesson.places
    lesson.page.get_by_role("link", name="Lab").click()
    lesson.page.locator(".sv-figures").first.wait_for()
    lesson.settle(frames=12)
    assert lesson.places == places
    lesson.page.get_by_role("link", name="Pegasos").click()
    lesson.page.get_by_role("heading", name=LESSON.steps[3].title).wait_for()
    lesson.settle(frames=12)
    assert lesson.places == places


def test_the_board_stays_in_view_and_keeps_its_size_beside_a_long_lesson(lesson):
    go(lesson, 3)
    predict(lesson, 1)
    lesson.page.locator(".js-plotly-plot").last.wait_for()
    before = lesson.plane.bounding_box()
    lesson.page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 900)")
    lesson.settle(frames=12)
    assert lesson.plane.bounding_box() == before
    lesson.page.evaluate("window.dispatchEvent(new Event('resize'))")
    lesson.settle(frames=12)
    assert lesson.plane.bounding_box() == before
