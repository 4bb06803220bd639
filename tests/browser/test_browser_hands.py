"""Hands do the unexpected: back to where they began, a second finger, keys in between, a connection that is gone for a
while."""

import pytest

from tests.eyes import PAIR


def places(board):
    return sorted((x, y) for _, x, y in board.places)


def grab_c(board):
    """The mouse down on the slider of C; where its track is."""
    box = board.root.locator(".sliders input").first.bounding_box()
    middle = box["y"] + box["height"] / 2
    board.page.mouse.move(box["x"] + box["width"] / 2, middle)
    board.page.mouse.down()
    return lambda part: board.page.mouse.move(box["x"] + part * box["width"], middle, steps=4)


def price(board):
    return float(board.widget("exact").locator("input").input_value())


def test_a_slider_that_comes_back_to_its_value_is_let_go_of(board):
    board.open(PAIR)
    to = grab_c(board)
    to(0.4)
    board.settle()
    to(0.5)
    board.drop()
    board.page.mouse.move(*board.at(1, 1))
    board.until(lambda: board.root.locator(".tip").is_visible(), "the values of the point under the mouse")
    assert price(board) == 1
    assert board.button("undo").is_disabled()


def test_a_lesson_goes_on_after_a_slider_has_come_back_to_its_value(board):
    board.open("/margin")
    slider, shown = board.root.locator(".sliders input[data-key=factor]"), board.page.locator(".sv-values")
    board.page.locator(".st-key-scaling_show button").click()
    board.until(lambda: slider.input_value() == "2", "the play to end")
    board.settle()
    slider.press("End")
    board.settle()
    start, box = slider.input_value(), slider.bounding_box()
    said = shown.inner_text()
    y = box["y"] + box["height"] / 2
    board.page.mouse.move(box["x"] + box["width"] - 4, y)
    board.page.mouse.down()
    board.page.mouse.move(box["x"] + 0.7 * box["width"], y, steps=4)
    board.settle()
    assert shown.inner_text() != said
    board.page.mouse.move(box["x"] + box["width"] + 20, y, steps=4)
    board.drop()
    assert slider.input_value() == start
    board.until(lambda: shown.inner_text() == said, "the numbers to come back")
    board.act("clear")
    board.page.get_by_text("There are no points on the board.").wait_for()
    shown.wait_for(state="detached")


def test_undo_waits_while_a_slider_is_held(board):
    board.open(PAIR)
    board.click(2, -2)
    to = grab_c(board)
    to(0.6)
    board.page.keyboard.press("Control+z")
    to(0.65)
    board.drop()
    assert len(board.dots) == 3
    assert price(board) > 1
    board.act("undo")
    assert (len(board.dots), price(board)) == (3, 1)
    board.act("undo")
    assert len(board.dots) == 2


def test_a_key_held_on_a_slider_is_one_step_of_undo(board):
    board.open(PAIR)
    slider = board.root.locator(".sliders input").first
    slider.focus()
    for _ in range(12):  # a repeat has no key up
        board.page.keyboard.down("ArrowLeft")
    board.page.keyboard.up("ArrowLeft")
    board.settle()
    assert price(board) < 0.95
    board.act("undo")
    assert price(board) == 1
    assert board.button("undo").is_disabled()


def test_an_arrow_held_on_a_point_is_one_step_of_undo(board):
    board.open(PAIR)
    board.click(1, 1)
    for _ in range(12):
        board.page.keyboard.down("ArrowRight")
    board.page.keyboard.up("ArrowRight")
    board.settle()
    assert max(places(board)) > (1.2, 1)
    board.press("ArrowUp")
    board.act("undo").act("undo")
    assert places(board) == [(-1, -1), (1, 1)]
    assert board.button("undo").is_disabled()


def test_a_second_finger_does_not_take_the_point(new_board):
    board = new_board(390, 844, has_touch=True, is_mobile=True).open(PAIR)
    hand = board.page.context.new_cdp_session(board.page)

    def touch(kind, *fingers):
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(board.at(*f) for f in fingers)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (1, 1))
    touch("touchMove", (1.5, 1))
    touch("touchStart", (1.5, 1), (-2, 2))
    touch("touchMove", (1.5, 1), (-2, 2.5))
    board.settle()
    assert places(board) == [(-1, -1), pytest.approx((1.5, 1), abs=0.05)]
    touch("touchMove", (1.6, 1))  # the second is lifted
    touch("touchMove", (2, 1))
    touch("touchEnd")
    board.settle()
    assert places(board) == [(-1, -1), pytest.approx((2, 1), abs=0.05)]
    board.act("undo")
    assert places(board) == [(-1, -1), (1, 1)]


def test_a_drag_across_a_lost_connection_is_one_step_of_undo(new_board):
    board = new_board(offline=True)
    board.open(PAIR)
    board.grab(1, 1).pull(1.5, 1)
    board.settle()
    board.page.context.set_offline(True)
    board.pull(2, 1)
    board.page.wait_for_timeout(2500)
    board.page.context.set_offline(False)
    board.until(lambda: board.data("pending") == "0", "the server to answer again")
    board.pull(2, 2).drop()
    board.until(lambda: board.data("pending") == "0", "the end of the drag to arrive")
    assert places(board) == [(-1, -1), (2, 2)]
    board.act("undo")
    assert places(board) == [(-1, -1), (1, 1)]
    assert board.button("undo").is_disabled()


SCROLLED = """() => document.querySelector("[data-testid=stMain]").scrollTop + scrollY"""
HANDLES = """root => [...root.querySelectorAll(".hand .hit")].map((e) => {
    const box = e.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
})"""


@pytest.mark.parametrize(
    "address",
    [
        "/losses?step=errors",
        *(
            pytest.param(each, marks=pytest.mark.sweep)
            for each in ("/start?step=lines", "/margin?step=hand", "/soft?step=objective")
        ),
    ],
)
def test_a_handle_follows_a_finger_up_and_down_and_the_page_stays(new_board, address):
    board = new_board(390, 844, has_touch=True, is_mobile=True, reduced_motion="reduce").open(address)
    board.root.locator(".hand .hit").first.wait_for(state="attached")
    board.settle()
    hand = board.page.context.new_cdp_session(board.page)

    def touch(kind, *at):
        points = [{"x": x, "y": y} for x, y in at]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    start = board.page.evaluate(SCROLLED)
    for k in range(len(board.root.evaluate(HANDLES))):
        for pull in (-3, 3):
            x, y = board.root.evaluate(HANDLES)[k]
            touch("touchStart", (x, y))
            for i in range(1, 16):
                touch("touchMove", (x, y + pull * i))
            board.until(
                lambda k=k, to=y + 45 * pull / 3: abs(board.root.evaluate(HANDLES)[k][1] - to) < 8,
                "the handle to follow",
            )
            touch("touchEnd")
            board.settle()
            assert board.page.evaluate(SCROLLED) == start
