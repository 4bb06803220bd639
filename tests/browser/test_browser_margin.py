"""The lesson on the margin in a real browser: the board draws what Python computes, and everything follows the hand."""

import math

import pytest

from svmlab import Problem, solve
from svmlab.lab.lessons.margin.flowers import BOARD
from svmlab.lab.numbers import short
from svmlab.lab.session import share
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.plane.geometry import Line

FLOWERS = BOARD()
HANDS = """root => { const h = root.board.m.hand; return [h.a, h.b]; }"""


def lesson(board, step):
    board.open("/margin?s=" + share.encode(FLOWERS))
    go(board, step)
    return board


def go(board, step):
    """Open a step of the strip, in which those that go deeper are folded away at first."""
    if not board.page.locator(f".sv-strip [data-key={step}]").count():
        board.page.locator(".sv-strip .fold").click()
    board.page.locator(f".sv-strip [data-key={step}]").click()
    board.page.locator(f".st-key-{step}_show, .st-key-{step}_again").first.wait_for()
    board.settle()


def show(board, step):
    board.page.locator(f".st-key-{step}_show button").click()
    board.page.locator(f".st-key-{step}_again").wait_for()


def press_suggestion(board, step, i):
    with board.answered():
        board.page.locator(f".st-key-{step}_try{i} button").click()


def reading(board, name):
    """The exact value behind a reading of the line that follows every move."""
    cell = board.page.locator(".sv-values div", has_text=name).first
    return float(cell.get_attribute("title").rpartition(": ")[2])


def best():
    return solve(Problem(FLOWERS.data, C=math.inf))


def test_showing_plays_the_factor_to_2_and_the_boundary_stays(board):
    lesson(board, "scaling")
    before = board.lines
    show(board, "scaling")
    board.until(lambda: reading(board, "functional") == pytest.approx(2.0, rel=1e-9), "the factor to be 2")
    board.page.locator(".st-key-chart .js-plotly-plot").wait_for()
    assert board.lines["zero"] == before["zero"]
    assert board.lines["plus"] not in (before["plus"], before["minus"])
    board.page.get_by_text("Only the functional margin doubles, here from 1 to 2").wait_for()
    assert board.page.locator(".katex-display").count() == 1


def test_the_margin_and_the_answer_follow_a_line_that_is_dragged(board):
    lesson(board, "hand")
    assert board.lines["zero"] == ""  # the answer is not given away
    show(board, "hand")
    board.until(lambda: board.lines["zero"], "the SVM to be drawn")
    press_suggestion(board, "hand", 1)
    assert reading(board, "margin of your line") == pytest.approx(1 / best().norm_w, rel=1e-2)
    (ax, ay), _ = board.root.evaluate(HANDS)
    board.grab(ax, ay).pull(ax, ay + 0.3)
    board.until(lambda: reading(board, "margin of your line") < 0.95 / best().norm_w, "the margin to follow")
    board.drop()
    a, b = board.root.evaluate(HANDS)
    assert reading(board, "margin of your line") == pytest.approx(
        Line.through(a, b).margin(FLOWERS.data.X, FLOWERS.data.y), abs=1e-9
    )
    board.page.get_by_text("More than 0 %, but less than 90 %. The green line").wait_for()


def test_a_click_on_the_curve_turns_the_line(board):
    lesson(board, "turn")
    show(board, "turn")
    page = board.page
    plot = page.locator(".st-key-chart .nsewdrag").first
    plot.wait_for()
    board.settle(frames=12)
    box, top = plot.bounding_box(), page.locator(".st-key-chart .shapelayer path").first.bounding_box()
    peak = math.degrees(math.atan2(best().w[1], best().w[0])) % 360
    press_suggestion(board, "turn", 1)
    assert abs(reading(board, "direction") - peak) > 170
    page.mouse.move(box["x"] + box["width"] * peak / 360, top["y"] + 3)
    page.locator(".st-key-chart .hoverlayer .hovertext").wait_for()
    with board.answered():
        page.mouse.click(box["x"] + box["width"] * peak / 360, top["y"] + 3)
    assert reading(board, "direction") == pytest.approx(peak, abs=6)


def test_showing_plays_the_film_to_a_line_that_separates(board):
    lesson(board, "perceptron")
    show(board, "perceptron")
    last = board.root.locator(".film input").get_attribute("max")
    board.until(lambda: board.data("frame") == last, "the film to be at its end")
    x0, y0, x1, y1 = board.root.evaluate("root => root.board.data.film.frames.at(-1).items[0].pts")
    assert (Line.through((x1, y1), (x0, y0)).margins(FLOWERS.data.X, FLOWERS.data.y) > 0).all()


def test_points_and_step_stay_while_one_walks_to_the_lab_and_back(board):
    lesson(board, "shake")
    places = board.places
    board.page.get_by_role("link", name="Lab", exact=True).click()
    board.page.locator(".st-key-kernel").wait_for()
    board.loaded()
    assert board.places == places
    assert board.figures["margin"] == short(1 / best().norm_w)
    board.page.get_by_role("navigation", name="Pages").get_by_role("button", name="Lessons").click()
    board.page.get_by_role("link", name="Margin", exact=True).click()
    board.page.get_by_text("Margin and measurement errors").first.wait_for()
    board.loaded()
    assert board.places == places


def test_a_lent_board_leaves_the_own_one_as_it_was(board):
    board.open("/margin?s=" + share.encode(with_preset(Lab(preset="xor", size=16))))
    go(board, "exists")
    mine = board.places
    go(board, "hand")
    lent = board.places
    assert lent != mine
    assert len(lent) == len(FLOWERS.points)
    go(board, "exists")
    assert board.places == mine


def test_on_a_phone_nothing_is_wider_than_the_screen(new_board):
    board = new_board(390, 844, has_touch=True)
    lesson(board, "perceptron")
    show(board, "perceptron")
    board.settle(frames=12)
    widths = board.page.evaluate("[document.querySelector('[data-testid=stMain]').scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
