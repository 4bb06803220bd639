"""The soft margin in a browser: the board draws what Python computes, C plays, marks and rows select, undo takes
back."""

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import solve
from svmlab.lab.lessons.soft.biases import BIASES
from svmlab.lab.lessons.soft.places import PLACES
from svmlab.lab.lessons.soft.price import PRICE
from svmlab.lab.lessons.soft.slack import SLACK
from svmlab.lab.lessons.soft.support import SUPPORT
from svmlab.lab.lessons.soft.variants import biases
from svmlab.lab.session import share
from svmlab.lab.session.lab import Lab, with_preset


@pytest.fixture
def open_at(new_board):
    """A step of the lesson on a board that is one's own."""

    def make(key, lab, shown=True):
        board = new_board(reduced_motion="reduce").open(f"/soft?step={key}&s={share.encode(lab)}")
        board.page.locator(f".st-key-{key}_show").wait_for()
        if shown:
            board.widget(f"{key}_show").get_by_role("button").click()
            board.page.locator(f".st-key-{key}_again").wait_for()
        return board.settle(frames=12)

    return make


def press_suggestion(board, key, i):
    with board.answered():
        board.widget(f"{key}_try{i}").get_by_role("button").click()


def numbers_by_name(board):
    """The line of numbers by name, exact."""
    cells = board.page.locator(".st-key-sheet .sv-values > div")
    return dict(
        cells.evaluate_all("all => all.map(c => [c.querySelector('span').textContent, c.title.split(': ').at(-1)])")
    )


def overlay(board, style):
    """The lines of the overlay with a style, as places of their ends in the plane."""
    return board.root.evaluate(
        """(root, style) => [...root.querySelectorAll("g.overlay:not(.film-layer) path")].filter(p => p.getAttribute("class") === style)
        .map(p => { const n = p.getAttribute("d").match(/-?[0-9.]+/g).map(Number), s = root.board.size, v = root.board.m.view;
          return [n[0], n[1], n.at(-2), n.at(-1)].map((t, i) => (i % 2 ? v - (2 * v * t) / s : (2 * v * t) / s - v)); })""",
        style,
    )


def test_the_chart_comes_when_c_has_played_and_the_slider_has_its_breakpoints(new_board):
    board = new_board().open(f"/soft?s={share.encode(PRICE.board())}")
    values = "root => Number(root.querySelector('.sliders input').value)"
    home = board.root.evaluate(values)
    board.widget("price_show").get_by_role("button").click()
    board.until(lambda: board.root.evaluate(values) < home - 1, "C to fall")
    assert board.page.locator(".st-key-price_picture").count() == 0
    chart = board.page.locator(".st-key-chart")
    chart.wait_for(state="attached")
    place = chart.bounding_box()
    board.page.locator(".st-key-price_picture .js-plotly-plot").wait_for()
    assert chart.bounding_box() == place, "the words under the chart stay where they are"
    assert board.root.evaluate(values) == pytest.approx(-3)  # C = 0.001, where the board rests
    assert board.root.locator(".track path").get_attribute("d").count("M") > 20


def test_scrubbing_c_moves_numbers_and_board(open_at):
    board = open_at("price", PRICE.board())
    with board.answered():
        board.root.locator(".sliders input").first.fill("-1")
    s = solve(replace(PRICE.board().problem, C=0.1))
    board.until(lambda: float(numbers_by_name(board)["‖w‖"]) == pytest.approx(s.norm_w, rel=1e-9), "the numbers")
    assert float(numbers_by_name(board)["Σ ξ"]) == pytest.approx(float(s.xi.sum()), rel=1e-9)
    assert [d.cat for d in board.dots.values()] == [c.value for c in s.categories]


def test_the_arrow_starts_at_the_point_and_is_as_long_as_its_slack_over_the_norm(open_at):
    board = open_at("slack", SLACK.board())
    s = solve(SLACK.board().problem)
    x0, y0, *_ = overlay(board, "accent")[-1]
    worst = int(s.xi.argmax())
    assert (x0, y0) == pytest.approx(tuple(s.problem.data.X[worst]), abs=0.02)
    assert float(numbers_by_name(board)["distance"]) == pytest.approx(float(s.xi[worst]) / s.norm_w, rel=1e-9)


def test_a_click_on_a_mark_of_the_chart_selects_its_point_on_the_board(open_at):
    board = open_at("multipliers", PRICE.board())
    marks = board.page.locator(".st-key-multipliers_picture .points path.point")
    marks.first.wait_for()
    board.settle(frames=12)
    hovered = board.page.locator(".st-key-multipliers_picture .hoverlayer .hovertext")
    board.until(lambda: marks.last.hover(force=True) or hovered.count(), "the chart to know where its marks are")
    with board.answered():
        marks.last.click(force=True)
    assert board.root.evaluate("root => root.board.m.selected") is not None
    assert "αᵢ/C" in numbers_by_name(board)


def test_a_group_of_places_dims_the_points_elsewhere_and_a_row_selects_its_point(open_at):
    board = open_at("places", PLACES.board())
    bound = sum(d.cat in ("margin_full", "inside", "on_line", "wrong") for d in board.dots.values())
    assert board.root.locator("g.pt:not(.dim)").count() == bound == 8
    with board.answered():
        board.widget("pick_seen").get_by_text("violations").click()
    violating = sum(d.cat in ("inside", "on_line", "wrong") for d in board.dots.values())
    assert board.root.locator("g.pt:not(.dim)").count() == violating == 6
    row = board.page.locator(".st-key-places_picture tr[data-id]").first
    with board.answered():
        row.click()
    assert board.root.evaluate("root => root.board.m.selected") == int(row.get_attribute("data-id"))


def test_the_three_boundaries_of_the_three_biases_are_drawn(open_at):
    board = open_at("biases", BIASES.board())
    solutions = biases(BIASES.board().problem)
    for name, style in (("free", "accent"), ("penalised", "witness-line"), ("none", "witness-line dashed")):
        (line,) = overlay(board, style)
        s = solutions[name]
        f = s.decision(np.array([line[:2], line[2:]]))
        assert np.abs(f).max() / s.norm_w < 0.02


def test_deleting_the_idle_points_is_one_step_of_undo(open_at):
    board = open_at("support", SUPPORT.board())
    before = board.places
    press_suggestion(board, "support", 0)
    assert len(board.places) == int(solve(SUPPORT.board().problem).support.sum())
    board.root.locator("svg.plane").focus()
    with board.answered():
        board.page.keyboard.press("Control+z")
    assert sorted(board.places) == sorted(before)


def test_a_lent_board_rests_at_the_hard_margin_and_ones_own_board_comes_back(open_at):
    own = SLACK.board()
    board = open_at("hard", own)
    values = numbers_by_name(board)
    assert float(values["‖w‖"]) == pytest.approx(float(values["hard ‖w‖"]), rel=1e-7)
    lent = Lab(preset="separable", size=24, seed=3)
    hard = solve(replace(with_preset(lent).problem, C=math.inf))
    assert float(values["C₀"]) == pytest.approx(hard.alpha.max(), rel=1e-6)
    with board.answered():
        board.page.locator(".sv-strip [data-key=places]").click()
    assert board.places == [(p.label, p.x / 1000, p.y / 1000) for p in own.points]


def test_a_large_gaussian_board_is_walked_in_the_background(open_at):
    large = with_preset(Lab(preset="moons", size=300, kernel="gaussian", sigma=0.7))
    board = open_at("multipliers", large)
    board.page.locator(".st-key-multipliers_picture .points path.point").first.wait_for()
    board.until(lambda: board.root.locator(".track path").first.get_attribute("d").count("M") > 200, "the breakpoints")
    assert len(board.places) == 300
