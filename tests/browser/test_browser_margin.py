"""The lesson on the margin in a real browser: the board draws what Python computes, and everything follows the hand."""

import math

import numpy as np
import pytest

from svmlab import Dataset, Problem, solve
from svmlab.geometry import Line
from svmlab.lab.numbers import short
from svmlab.lab.session import share
from svmlab.lab.session.state import Lab, with_preset

STREET = with_preset(Lab(preset="separable", size=24, seed=19, hard=True))
HANDS = """root => { const h = root.board.m.hand; return [h.a, h.b]; }"""
OVERLAY = """root => root.board.data.overlay"""


def lesson(board, step, lab=STREET):
    board.open("/margin?s=" + share.encode(lab))
    if step:
        go(board, step)
    return board


def go(board, step):
    with board.answered():
        board.page.locator(".st-key-margin_step button").nth(step).click()


def predict(board, key, choice):
    with board.answered():
        board.page.locator(f".st-key-margin_{key}_choice").get_by_test_id("stRadioOption").nth(choice).click()


def attempt(board, key, i):
    with board.answered():
        board.page.locator(f".st-key-{key}_try{i} button").click()


def reading(board, name):
    """The exact value behind a reading of the line that follows every move."""
    cell = board.page.locator(".sv-values div", has_text=name).first
    return float(cell.get_attribute("title"))


def best():
    return solve(Problem(STREET.data, C=math.inf))


def test_a_prediction_reveals_and_says_what_was_right(board):
    lesson(board, 0)
    predict(board, "scaling", 1)
    board.page.get_by_text("That is what happens").wait_for()
    assert board.page.locator(".katex-display").count() >= 1


def test_the_slider_through_zero_moves_the_level_lines_and_not_the_boundary(board):
    lesson(board, 0)
    before = board.lines
    attempt(board, "scaling", 0)  # c = 2
    assert board.lines["zero"] == before["zero"]
    assert board.lines["plus"] not in (before["plus"], before["minus"])
    assert reading(board, "c · y f") == pytest.approx(2.0, rel=1e-9)
    assert reading(board, "geometric") == pytest.approx(1 / best().norm_w, rel=1e-9)
    attempt(board, "scaling", 1)  # c = -1: the sides are swapped
    assert (board.lines["plus"], board.lines["minus"]) == (before["minus"], before["plus"])
    assert reading(board, "geometric") == pytest.approx(-1 / best().norm_w, rel=1e-9)
    slider = board.root.locator(".sliders input")
    with board.answered():
        slider.fill("0")
    assert board.lines == {"zero": "", "plus": "", "minus": ""}


def test_the_margin_follows_a_line_that_is_dragged_and_the_best_stays_on_record(board):
    lesson(board, 3)
    assert board.lines["zero"] == ""  # the answer is not given away
    attempt(board, "hand", 2)
    assert reading(board, "your margin") == pytest.approx(1 / best().norm_w, rel=1e-2)
    (ax, ay), _ = board.root.evaluate(HANDS)
    board.grab(ax, ay).pull(ax + 0.6, ay)
    board.until(lambda: reading(board, "your margin") < 0.95 / best().norm_w, "the margin to follow")
    board.drop()
    a, b = board.root.evaluate(HANDS)
    assert reading(board, "your margin") == pytest.approx(
        Line.through(a, b).margin(STREET.data.X, STREET.data.y), abs=1e-9
    )
    assert reading(board, "your best") == pytest.approx(1 / best().norm_w, rel=1e-2)
    predict(board, "hand", 0)
    board.page.get_by_text("That is what happens").wait_for()
    assert board.lines["zero"] != ""


def test_the_direction_on_the_board_is_that_of_the_slider(board):
    lesson(board, 4)
    attempt(board, "turn", 0)
    assert reading(board, "margin there") == pytest.approx(1 / best().norm_w, rel=1e-9)
    x0, y0, x1, y1 = board.root.evaluate(OVERLAY)[0]["pts"]
    w = best().w / best().norm_w
    assert abs((x1 - x0) * w[0] + (y1 - y0) * w[1]) < 1e-3


def test_a_click_on_the_curve_turns_the_line(board):
    lesson(board, 4)
    predict(board, "turn", 0)
    page = board.page
    plot = page.locator(".st-key-turn_chart .nsewdrag").first
    plot.scroll_into_view_if_needed()
    box, top = plot.bounding_box(), page.locator(".st-key-turn_chart .shapelayer path").first.bounding_box()
    peak = math.degrees(math.atan2(best().w[1], best().w[0])) % 360
    assert abs(reading(board, "direction") - peak) > 20
    page.mouse.move(box["x"] + box["width"] * peak / 360, top["y"] + 3)
    page.locator(".st-key-turn_chart .hoverlayer .hovertext").wait_for()
    with board.answered():
        page.mouse.click(box["x"] + box["width"] * peak / 360, top["y"] + 3)
    assert reading(board, "direction") == pytest.approx(peak, abs=6)


def test_the_film_shows_each_mistake_and_ends_on_a_line_that_separates(board):
    lesson(board, 5)
    predict(board, "perceptron", 1)
    last = int(board.root.locator(".film input").get_attribute("max"))
    for t in range(last + 1):
        frame = board.root.evaluate("(root, t) => root.board.data.film.frames[t]", t)
        assert (frame["ring"] is None) == (t == last)
    (x0, y0, x1, y1) = frame["items"][0]["pts"]
    margins = Line.through((x1, y1), (x0, y0)).margins(STREET.data.X, STREET.data.y)
    assert (margins > 0).all()
    with board.answered():
        board.root.locator('[data-film="next"]').click()
    assert board.data("frame") == "1"


def test_discs_and_arrows_are_as_long_as_they_say(board):
    lesson(board, 6)
    predict(board, "shake", 0)
    items = board.root.evaluate(OVERLAY)
    discs = [i["pts"][2] for i in items if i["kind"] == "disc"]
    arrows = [np.hypot(i["pts"][2] - i["pts"][0], i["pts"][3] - i["pts"][1]) for i in items if i["kind"] == "arrow"]
    assert len(discs) == len(arrows) == 24
    assert discs == pytest.approx([1 / best().norm_w] * 24, abs=1e-4)
    assert arrows == pytest.approx([0.9 / best().norm_w] * 24, abs=3e-4)
    attempt(board, "shake", 2)
    crossed = [i for i in board.root.evaluate(OVERLAY) if i["style"] == "witness-line"]
    assert len(crossed) == reading(board, "wrong side now") == (best().margins < 1.01).sum()


def test_a_prompt_sets_up_the_board_and_undo_brings_the_old_one_back(board):
    board.open("/margin")
    before = board.places
    go(board, 3)
    with board.answered():
        board.page.locator(".st-key-hand_setup button").click()
    data = Dataset([(d.x, d.y) for d in board.dots.values()], [d.label for d in board.dots.values()])
    assert solve(Problem(data, C=math.inf)).norm_w > 0
    with board.answered():
        board.page.keyboard.press("Control+z")
    assert board.places == before


def test_points_and_step_stay_while_one_walks_to_the_lab_and_back(board):
    lesson(board, 6)
    places = board.places
    board.page.get_by_role("link", name="Lab", exact=True).click()
    board.page.locator(".st-key-kernel").wait_for()
    board.loaded()
    assert board.places == places
    assert board.figures["margin"] == short(1 / best().norm_w)
    board.page.get_by_role("link", name="Margin", exact=True).click()
    board.page.get_by_text("Room for noise").first.wait_for()
    board.loaded()
    assert board.places == places


def test_on_a_phone_nothing_is_wider_than_the_screen(new_board):
    board = new_board(390, 844, has_touch=True)
    for step in (0, 5):
        lesson(board, step)
        widths = board.page.evaluate("[document.querySelector('[data-testid=stMain]').scrollWidth, innerWidth]")
        assert widths[0] <= widths[1]
