"""A place that a hand moves on the board, in the lesson on kernels: by pointer, press, arrows and finger; the picture
follows."""

import numpy as np
import pytest

from svmlab import solve
from svmlab.lab.lessons.kernels.similarity import SIMILARITY, START
from tests.browser.test_browser_margin import reading, show

WHERE = """root => { const b = root.board, p = b.data.probe; return [b.m.values[p.x] ?? p.at[0], b.m.values[p.y] ?? p.at[1]]; }"""


def decided(board):
    """The exact f at u, as Python has it where u stands now."""
    return float(solve(SIMILARITY.board().problem).decision(np.array([board.root.evaluate(WHERE)]))[0])


def opened(board):
    board.open("/kernels?step=similarity")
    board.page.locator(".st-key-similarity_show").wait_for()
    board.settle()
    return board


def follows(board):
    board.until(lambda: reading(board, "f(u)") == pytest.approx(decided(board), abs=1e-6), "f(u) to follow u")


def test_u_is_dragged_pressed_for_and_pushed_and_nothing_is_added(new_board):
    board = opened(new_board(1280, 800, reduced_motion="reduce"))
    places = board.places
    show(board, "similarity")
    board.settle(frames=12)
    assert board.root.evaluate(WHERE) == list(START)
    board.grab(*START).pull(0.4, -0.6)
    path_count = board.root.locator(".overlay path").count()
    board.drop()
    follows(board)
    assert path_count >= 3
    assert board.root.evaluate(WHERE) == pytest.approx([0.4, -0.6], abs=0.03)
    with board.answered():
        board.click(-2.6, 2.4)
    follows(board)
    assert board.root.evaluate(WHERE) == pytest.approx([-2.6, 2.4], abs=0.03)
    with board.answered():
        board.press("ArrowRight")
    follows(board)
    assert board.root.evaluate(WHERE) == pytest.approx([-2.5, 2.4], abs=0.03)
    assert board.places == places


def test_a_finger_moves_u_too_and_escape_takes_a_drag_back(new_board):
    board = opened(new_board(390, 844, has_touch=True, is_mobile=True, reduced_motion="reduce"))
    show(board, "similarity")
    board.settle(frames=12)
    with board.answered():
        board.page.touchscreen.tap(*board.at(2.6, 2.6))
    assert board.root.evaluate(WHERE) == pytest.approx([2.6, 2.6], abs=0.05)
    hand = board.page.context.new_cdp_session(board.page)

    def touch(kind, *fingers):
        points = [dict(zip("xy", board.at(*finger), strict=True)) for finger in fingers]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (2.6, 2.6))
    touch("touchMove", (1.0, 1.0))
    touch("touchMove", (0.0, -2.6))
    board.until(lambda: board.root.evaluate(WHERE)[1] < -2, "u to follow the finger")
    board.page.keyboard.press("Escape")
    touch("touchEnd")
    assert board.root.evaluate(WHERE) == pytest.approx([2.6, 2.6], abs=0.05)
