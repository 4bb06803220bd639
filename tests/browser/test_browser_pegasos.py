"""The Pegasos lesson in a browser: the film, what is played, long work, the board that is lent, clicks on bars."""

import math

import numpy as np
import pytest

from svmlab import Dataset, pegasos
from svmlab.lab.lessons.pegasos import LESSON
from svmlab.lab.session import share
from svmlab.lab.session.state import initial_history
from svmlab.pegasos import Rule, replay, run_kernel

ARROW = """root => { const s = root.board, t = root.querySelector('.film-layer .accent:last-of-type').getAttribute('d').match(/-?[\\d.]+/g).map(Number);
  const at = i => [t[i] / s.size * 2 * s.m.view - s.m.view, s.m.view - t[i + 1] / s.size * 2 * s.m.view]; return [at(0), at(2)]; }"""
OVERLAY = "root => root.board.data.overlay ?? []"


@pytest.fixture
def lesson(new_board):
    return new_board(reduced_motion="reduce").open("/pegasos?s=" + share.encode(initial_history().present))


def go(board, step):
    if LESSON.step(step).deeper and not board.page.locator(f".sv-strip [data-key={step}]").count():
        board.page.locator(".sv-strip .fold").click()
    board.page.locator(f".sv-strip [data-key={step}]").click()
    board.page.locator(f".st-key-{step}_show, .st-key-{step}_again").first.wait_for()
    board.settle(frames=12)


def show(board, step):
    board.page.locator(f".st-key-{step}_show button").click()
    board.page.locator(f".st-key-{step}_again").wait_for()
    board.until_work_ends()
    board.settle(frames=12)


def data(board):
    dots = board.dots.values()
    return Dataset([(d.x, d.y) for d in dots], [d.label for d in dots])


def test_the_film_draws_the_steps_that_the_engine_makes(lesson):
    go(lesson, "step")
    assert lesson.root.locator(".film").is_hidden()
    show(lesson, "step")
    points = data(lesson)
    steps = replay(pegasos(points, 0.1, 120), 0, 1, 121)
    lesson.root.locator('[data-film="reset"]').click()
    for at in (0, 1):
        lesson.settle()
        assert lesson.data("frame") == str(at)
        assert lesson.root.locator(".film-caption").inner_text().startswith(f"t = {at + 1} (1 to 40) ·")
        start, end = lesson.root.evaluate(ARROW)
        assert np.hypot(*start) < 0.02
        w = steps.after[at]
        assert math.atan2(end[1], end[0]) == pytest.approx(math.atan2(w[1], w[0]), abs=0.02)
        ring = lesson.root.locator("circle.drawn")
        x, y = points.X[steps.drawn[at, 0]]
        box, view = lesson.plane.bounding_box(), lesson.root.evaluate("root => root.board.m.view")
        assert float(ring.get_attribute("cx")) == pytest.approx((x + view) / (2 * view) * box["width"], abs=1)
        assert float(ring.get_attribute("cy")) == pytest.approx((view - y) / (2 * view) * box["height"], abs=1)
        lesson.root.locator('[data-film="next"]').click()


def test_showing_makes_the_pushes_one_after_the_other(lesson):
    go(lesson, "pushes")
    show(lesson, "pushes")
    lesson.until(lambda: lesson.page.locator(".st-key-chart .js-plotly-plot").count(), "the chart after the last push")
    lesson.settle()
    *chain, w = [np.array(i["pts"]).reshape(2, 2) for i in lesson.root.evaluate(OVERLAY) if i["kind"] == "arrow"]
    np.testing.assert_allclose(chain[-1][1], w[1], atol=1e-3)
    assert lesson.page.locator(".st-key-chart .barlayer .point").count() == 2 * len(chain)


def test_regret_opens_on_one_point_and_gives_the_own_board_back(lesson):
    before = initial_history().present
    go(lesson, "regret")
    assert [(d.x, d.y, d.label) for d in lesson.dots.values()] == [(1, 0, 1)]
    show(lesson, "regret")
    assert lesson.page.locator(".st-key-verdict").get_by_text("but the regret is 0.5").count() == 1
    lesson.page.get_by_role("link", name="Lab", exact=True).click()
    lesson.page.locator(".sv-figures").first.wait_for()
    lesson.settle(frames=12)
    assert lesson.places == [(p.label, p.x / 1000, p.y / 1000) for p in before.points]


def test_time_is_measured_on_request_with_progress(lesson):
    go(lesson, "cost")
    show(lesson, "cost")
    lesson.page.locator(".st-key-cost_try1 button").click()
    lesson.page.locator(".st-key-chart .ytitle", has_text="seconds").wait_for(timeout=60_000)
    lesson.settle()
    assert lesson.page.locator(".st-key-numbers, .sv-values").get_by_text("×").count() == 3


def test_clicking_a_bar_selects_its_point(lesson):
    go(lesson, "kernel")
    show(lesson, "kernel")
    bar = lesson.page.locator(".st-key-chart .barlayer .point path").first
    bar.wait_for()
    box = bar.bounding_box()
    lesson.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    lesson.until(lambda: lesson.root.evaluate("root => root.board.m.selected"), "a selected point")
    lab = LESSON.step("kernel").board()
    beta = run_kernel(lab.data, Rule(lab.lam), 10_000, lab.kernel_function).beta[0, -1]
    assert lesson.root.evaluate("root => root.board.m.selected") == lab.points[int(np.abs(beta).argmax())].id
