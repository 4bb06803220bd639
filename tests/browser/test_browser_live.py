"""While something is dragged, pictures come past the page; whatever becomes of them, the page has the last word."""

import re
from dataclasses import replace
from itertools import cycle

import pytest

from svmlab.lab.session import share
from svmlab.lab.session.lab import Lab, with_preset

SOCKET = re.compile(r"/live\?boot=")
CROWD = with_preset(replace(Lab(), preset="overlapping", size=200, kernel="gaussian"))


def frames(board):
    return int(board.data("frames") or 0)


def drawn_solution(board):
    """All that is drawn of the machine."""
    read = """root => [[...root.querySelectorAll("g.pt")].map(g => [g.dataset.cat, g.querySelector(".body").getAttribute("fill-opacity")]),
        [...root.querySelectorAll(".slack path")].map(p => p.getAttribute("d")), root.querySelector("canvas").toDataURL()]"""
    return board.lines, board.legend, board.root.evaluate(read)


@pytest.fixture
def crowd(board):
    return board.open(f"/lab?s={share.encode(CROWD)}")


def grab_free_support_vector(board):
    dot = min((d for d in board.dots.values() if d.cat == "margin_free"), key=lambda d: d.x**2 + d.y**2)
    board.grab(dot.x, dot.y)
    return dot


def test_a_drag_shows_pictures_between_the_answers_of_the_page_and_ends_with_the_page_s_own(crowd):
    dot, rev = grab_free_support_vector(crowd), int(crowd.rev)
    places = cycle(range(1, 21))

    def mostly_pictures():
        crowd.pull(dot.x + 0.04 * next(places), dot.y, steps=2)
        return frames(crowd) > max(1, int(crowd.rev) - rev)

    crowd.until(mostly_pictures, "more pictures past the page than with it")
    crowd.settle()
    drawn_before = drawn_solution(crowd)
    crowd.drop()
    assert drawn_solution(crowd) == drawn_before, "letting go changes nothing"
    crowd.page.reload()
    crowd.loaded()
    assert drawn_solution(crowd) == drawn_before, "and it is what the link shows"


def test_escape_brings_the_picture_back_that_was_there_before(crowd):
    before = drawn_solution(crowd)
    dot = grab_free_support_vector(crowd)
    crowd.pull(dot.x + 1, dot.y, steps=10)
    crowd.until(lambda: frames(crowd) > 0, "a picture past the page")
    crowd.press("Escape")
    crowd.drop()
    assert drawn_solution(crowd) == before
    assert crowd.button("undo").is_disabled()


def test_after_a_drag_other_edits_show_at_once(crowd):
    dot = grab_free_support_vector(crowd)
    crowd.pull(dot.x + 0.5, dot.y, steps=8)
    crowd.until(lambda: frames(crowd) > 0, "a picture past the page")
    crowd.page.mouse.up()
    crowd.page.mouse.click(*crowd.at(-3.5, -3.5))
    crowd.settle()
    assert [d.cat for d in crowd.dots.values()].count("") == 0, "the new point is solved"
    crowd.press("Control+z", "Control+z")
    assert crowd.dots[dot.id][:4] == dot[:4]


def test_scrubbing_shows_pictures_between_the_answers_of_the_page(crowd):
    box = crowd.root.locator(".sliders input").first.bounding_box()
    middle, rev = box["y"] + box["height"] / 2, int(crowd.rev)
    crowd.page.mouse.move(box["x"] + 0.5 * box["width"], middle)
    crowd.page.mouse.down()
    places = cycle(range(20))

    def mostly_pictures():
        crowd.page.mouse.move(box["x"] + (0.5 - 0.01 * next(places)) * box["width"], middle)
        crowd.page.evaluate("new Promise(requestAnimationFrame)")
        return frames(crowd) > max(1, int(crowd.rev) - rev)

    crowd.until(mostly_pictures, "more pictures past the page than with it")
    crowd.settle()
    drawn_before = drawn_solution(crowd)
    crowd.drop()
    assert drawn_solution(crowd) == drawn_before


@pytest.mark.parametrize("when", [pytest.param("at once", marks=pytest.mark.sweep), "after a picture"])
def test_where_the_socket_does_not_answer_the_page_does(new_board, when):
    board, opened = new_board(), []

    def cut(socket):
        opened.append(socket)
        if when == "at once" or len(opened) > 1:
            socket.close()
            return
        server = socket.connect_to_server()
        server.on_message(lambda message: (socket.send(message), socket.close()))

    board.page.route_web_socket(SOCKET, cut)
    board.open()
    lines = board.lines
    dot = grab_free_support_vector(board)
    for step in range(1, 9):
        board.pull(dot.x + 0.1 * step, dot.y, steps=2)
    board.until(lambda: board.lines["zero"] != lines["zero"], "the boundary to follow the drag")
    board.settle()
    assert frames(board) <= (0 if when == "at once" else 1)
    drawn_before = drawn_solution(board)
    board.drop()
    assert drawn_solution(board) == drawn_before
    assert board.dots[dot.id][2:4] == pytest.approx((dot.x + 0.8, dot.y), abs=0.02)


def test_a_socket_that_says_nothing_is_given_up(new_board):
    board, closed = new_board(), []
    board.page.route_web_socket(SOCKET, lambda socket: socket.on_close(lambda *_: closed.append(True)))
    board.open()
    lines = board.lines
    dot = grab_free_support_vector(board)
    board.pull(dot.x + 0.3, dot.y)
    board.until(lambda: closed, "the board to close the socket")
    board.pull(dot.x + 0.6, dot.y)
    board.until(lambda: board.lines["zero"] != lines["zero"], "the boundary to follow the drag")
    board.drop()
    assert frames(board) == 0


def test_after_a_socket_was_lost_a_new_one_is_opened(new_board):
    board, opened = new_board(), []

    def lose_the_first(socket):
        opened.append(socket)
        if len(opened) == 1:
            socket.close()
        else:
            socket.connect_to_server()

    board.page.route_web_socket(SOCKET, lose_the_first)
    board.open()
    dot, places = grab_free_support_vector(board), cycle(range(1, 21))

    def sees_a_picture():
        board.pull(dot.x + 0.04 * next(places), dot.y, steps=2)
        return frames(board) > 0

    board.until(sees_a_picture, "a picture past the page")
    board.drop()
