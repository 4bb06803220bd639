"""The soft margin in a browser: the board draws what Python computes, predictions reveal, prompts set up and undo."""

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import solve
from svmlab.lab.lessons.soft import LESSON
from svmlab.lab.lessons.soft.variants import biases
from svmlab.lab.session import share
from svmlab.lab.session.state import begin

KEYS = [step.key for step in LESSON.steps]


@pytest.fixture
def lesson(new_board):
    """The lesson on the board of the first visit."""
    return new_board().open("/soft")


def go(board, key, show=True):
    with board.answered():
        board.widget("soft_step").get_by_role("radio").nth(KEYS.index(key)).click()
    if show and board.page.get_by_role("button", name="Show it").count():
        with board.answered():
            board.widget(f"{key}_show").get_by_role("button").click()
    return board


def prompt(board, key, i):
    with board.answered():
        board.widget(f"{key}_try{i}").get_by_role("button").click()


def told(board):
    """The row of numbers by name."""
    cells = board.page.locator(".sv-values > div[title]")
    return dict(cells.evaluate_all("all => all.map(c => [c.querySelector('span').textContent, c.title])"))


def overlay(board, style):
    """The lines of the overlay with a style, as places of their ends in the plane."""
    return board.root.evaluate(
        """(root, style) => [...root.querySelectorAll("g.overlay:not(.film-layer) path")].filter(p => p.getAttribute("class") === style)
        .map(p => { const n = p.getAttribute("d").match(/-?[0-9.]+/g).map(Number), s = root.board.size, v = root.board.m.view;
          return [n[0], n[1], n.at(-2), n.at(-1)].map((t, i) => (i % 2 ? v - (2 * v * t) / s : (2 * v * t) / s - v)); })""",
        style,
    )


def test_a_prediction_reveals_the_trade_and_the_slider_has_its_breakpoints(lesson):
    with lesson.answered():
        lesson.page.get_by_text("w = 0, with slack 1 at every point").click()
    lesson.page.get_by_text("That is what happens.").wait_for()
    lesson.page.locator(".st-key-soft_trade .js-plotly-plot").wait_for()
    assert lesson.root.locator(".track path").get_attribute("d").count("M") > 50
    s = solve(begin().present.problem)
    assert float(told(lesson)["|w|"]) == pytest.approx(s.norm_w, rel=1e-9)


def test_scrubbing_c_moves_numbers_and_board(lesson):
    with lesson.answered():
        lesson.root.locator(".sliders input").first.fill("-1")
    s = solve(replace(begin().present.problem, C=0.1))
    assert float(told(lesson)["|w|"]) == pytest.approx(s.norm_w, rel=1e-9)
    assert float(told(lesson)["Σ ξ"]) == pytest.approx(float(s.xi.sum()), rel=1e-9)
    assert [d.cat for d in lesson.dots.values()] == [c.value for c in s.categories]


def test_the_arrow_of_a_point_is_as_long_as_its_slack_over_the_norm(lesson):
    go(lesson, "slack")
    s = solve(begin().present.problem)
    x0, y0, *_ = overlay(lesson, "accent")[0]
    worst = int(s.xi.argmax())
    assert (x0, y0) == pytest.approx(tuple(s.problem.data.X[worst]), abs=0.02)
    values = told(lesson)
    assert float(values["arrow"]) == pytest.approx(float(s.xi[worst]) / s.norm_w, rel=1e-4)


def test_a_click_on_a_mark_of_the_chart_selects_its_point_on_the_board(lesson):
    go(lesson, "multipliers")
    marks = lesson.page.locator(".st-key-soft_multipliers_shares .points path.point")
    marks.first.wait_for()
    marks.last.scroll_into_view_if_needed()
    lesson.settle()
    box = marks.last.bounding_box()
    with lesson.answered():
        lesson.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert lesson.root.evaluate("root => root.board.m.selected") is not None
    assert "αᵢ/C" in told(lesson)


def test_the_three_boundaries_of_the_three_biases_are_drawn(lesson):
    go(lesson, "biases")
    found = biases(begin().present.problem)
    for name, style in (("free", "accent"), ("penalised", "witness-line"), ("none", "witness-line dashed")):
        (line,) = overlay(lesson, style)
        s = found[name]
        f = s.decision(np.array([line[:2], line[2:]]))
        assert np.abs(f).max() / s.norm_w < 0.02


def test_deleting_the_idle_points_is_one_step_of_undo_and_shows_the_boundary_before(lesson):
    go(lesson, "support")
    before = lesson.places
    s = solve(begin().present.problem)
    prompt(lesson, "support", 1)
    assert len(lesson.places) == int(s.support.sum())
    (line,) = overlay(lesson, "faint dashed")
    assert np.abs(s.decision(np.array([line[:2], line[2:]]))).max() / s.norm_w < 0.02
    lesson.root.locator("svg.plane").focus()
    with lesson.answered():
        lesson.page.keyboard.press("Control+z")
    assert sorted(lesson.places) == sorted(before)


def test_a_chosen_place_dims_the_points_elsewhere(lesson):
    go(lesson, "places")
    assert lesson.root.locator("g.pt.dim").count() == 0
    table = lesson.widget("soft_places").get_by_test_id("stDataFrame")
    box = table.bounding_box()
    with lesson.answered():
        lesson.page.mouse.click(box["x"] + 18, box["y"] + 35 * 5 + 18)  # inside the margin
    inside = sum(d.cat == "inside" for d in lesson.dots.values())
    assert lesson.root.locator("g.pt:not(.dim)").count() == inside


def test_the_soft_margin_at_c0_is_the_hard_margin(lesson):
    go(lesson, "hard")
    with lesson.answered():
        lesson.widget("hard_need").get_by_role("button").click()
    prompt(lesson, "hard", 0)
    values = told(lesson)
    assert float(values["|w|"]) == pytest.approx(float(values["hard |w|"]), rel=1e-7)
    assert float(values["Σ ξ"]) < 1e-6
    lab = share.decode(lesson.link)
    hard = solve(replace(lab.problem, C=math.inf))
    assert float(values["C₀"]) == pytest.approx(hard.alpha.max(), rel=1e-6)


def test_the_way_to_the_lab_and_back_keeps_points_and_step(lesson):
    go(lesson, "offset")
    prompt(lesson, "offset", 0)
    places = lesson.places
    links = lesson.page.get_by_test_id("stTopNavLink")
    links.get_by_text("Lab", exact=True).click()
    lesson.page.locator(".st-key-preset").wait_for()
    lesson.settle()
    assert lesson.places == places
    links.get_by_text("Soft margin", exact=True).click()
    lesson.page.get_by_role("heading", name="Which vectors know b").wait_for()
    lesson.settle()
    assert lesson.places == places


def test_a_large_gaussian_board_is_walked_in_the_background(lesson):
    go(lesson, "multipliers")
    prompt(lesson, "multipliers", 2)
    lesson.page.locator(".st-key-soft_multipliers_shares .points path.point").first.wait_for()
    lesson.until(
        lambda: lesson.root.locator(".track path").first.get_attribute("d").count("M") > 200, "the breakpoints"
    )
    assert len(lesson.places) == 300
