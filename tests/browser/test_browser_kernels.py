"""The lesson on kernels in a browser: what stands above the board is turned by hand and follows every move on it."""

import math

import pytest

CANVAS = ".sv-space canvas"
TOUCH = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


def space(board):
    """What is drawn: the plane, where each point was put last on the canvas, the box, and how it is looked at."""
    read = """root => ({plane: root.space.data.space.plane, high: root.space.box.high, held: root.space.draggedId,
        marks: Object.fromEntries(root.space.marks.map(({seen, of}) => [of[0], [...seen.slice(0, 2), of[1], of[2]]])),
        turn: [Number(root.dataset.az), Number(root.dataset.el)], frames: Number(root.dataset.frames), up: root.dataset.up})"""
    return board.page.locator(".sv-space").evaluate(read)


def picture(board):
    return board.page.locator(CANVAS).evaluate("canvas => canvas.toDataURL()")


def show(board, step="lift"):
    """Open the step and see, with whatever stands above the board up there."""
    board.open(f"/kernels?step={step}")
    board.page.locator(f".st-key-{step}_show button").click()
    board.page.locator(CANVAS).wait_for()
    board.settle(frames=12)
    board.until(lambda: space(board)["up"] == "1.00", "the points to be up")
    return board


@pytest.fixture
def lift(new_board):
    """The step on a desk where nothing moves by itself."""
    return show(new_board(1280, 800, reduced_motion="reduce"))


def swiped(board, right, down):
    """A hand on the empty upper middle of the canvas moves so many pixels."""
    box = board.page.locator(CANVAS).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 30
    board.page.mouse.move(x, y)
    board.page.mouse.down()
    board.page.mouse.move(x + right, y + down, steps=5)
    board.page.mouse.up()
    return board.settle()


def test_a_hand_turns_it_and_a_drag_on_the_board_moves_what_stands_above(lift):
    first, before = space(lift), picture(lift)
    swiped(lift, -80, 40)
    lift.until(lambda: space(lift)["turn"][0] > first["turn"][0] + 0.5, "the turn")
    turned = space(lift)
    assert turned["turn"][1] == pytest.approx(first["turn"][1] + 0.36, abs=0.02)
    assert picture(lift) != before
    assert turned["plane"] == first["plane"]

    lift.grab(1.6, 0).pull(2.0, 0.3)
    lift.until(
        lambda: (moved := space(lift))["held"] is not None and moved["plane"] != first["plane"], "the socket's plane"
    )
    while_held = space(lift)
    id_ = str(while_held["held"])
    assert while_held["marks"][id_][2:] == pytest.approx([2.0, 0.3], abs=0.02)
    assert while_held["marks"][id_][:2] != turned["marks"][id_][:2]
    assert while_held["high"] == turned["high"], "the height stays while a hand holds a point"
    lift.page.locator(".sv-space .tip", has_text=f"Point {id_}").wait_for()
    lift.drop()
    lift.settle(frames=12)
    after = space(lift)
    assert after["held"] is None
    assert after["turn"] == turned["turn"], "how it is looked at outlasts a run of the page"
    a, _, c, d = after["plane"]
    assert a * 2.0 + c * 4.0 + d < -0.9, "the point stays on its side of the street"


def test_arrow_keys_turn_it_and_leave_the_board_alone(lift):
    lift.click(0.6, 0)
    first, places = space(lift), lift.places
    lift.page.locator(CANVAS).focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp"):
        lift.page.keyboard.press(key)
    lift.until(
        lambda: space(lift)["turn"] == pytest.approx([first["turn"][0] + 0.2, first["turn"][1] + 0.1], abs=2e-3),
        "the turn",
    )
    assert lift.settle().places == places
    for _ in range(30):
        lift.page.keyboard.press("ArrowUp")
    lift.until(lambda: space(lift)["turn"][1] == 1.5, "the steepest")


def test_a_point_says_its_name_and_its_height_and_is_selected_by_a_click(lift):
    box, (x, y, at, _) = lift.page.locator(CANVAS).bounding_box(), space(lift)["marks"]["7"]
    lift.page.mouse.move(box["x"] + x, box["y"] + y)
    tip = lift.page.locator(".sv-space .tip")
    tip.wait_for()
    assert tip.inner_text().replace("−", "-") == f"Point 7 at ({at:g}, 0)\nheight {at * at:.4g}"
    with lift.answered():
        lift.page.mouse.click(box["x"] + x, box["y"] + y)
    assert lift.data("selected") == "7"


def test_circles_are_parted_by_a_plane_and_every_height_is_drawn(lift):
    with lift.answered():
        lift.page.locator(".st-key-lift_try0 button").click()
    lift.settle(frames=12)
    bowl = space(lift)
    assert abs(bowl["plane"][2]) > 0.1
    pictures = {picture(lift)}
    for name in ("‖x‖", "x³"):
        lift.page.locator(".st-key-picks").get_by_text(name, exact=True).click()
        lift.settle(frames=12)
        lift.until(lambda: picture(lift) not in pictures, "another surface")
        pictures.add(picture(lift))
    assert "at the height x³" in lift.page.locator(CANVAS).get_attribute("aria-label")


def test_points_rise_once_when_it_is_shown(new_board):
    board = new_board(1280, 800).open("/kernels?step=lift")
    board.page.locator(".st-key-lift_show button").click()
    board.page.locator(CANVAS).wait_for()
    seen = []

    def up():
        seen.append(float(board.page.locator(".sv-space").get_attribute("data-up") or 0))
        return seen[-1] == 1

    board.until(up, "the points to be up")
    assert seen == sorted(seen)
    assert space(board)["frames"] > 2  # where motion is reduced, one
    board.settle(frames=12)
    before = space(board)["frames"]
    with board.answered():
        board.page.locator(".st-key-lift_try1 button").click()
    board.settle(frames=12)
    assert space(board)["up"] == "1.00"
    assert space(board)["frames"] > before


def test_a_swipe_turns_it_and_the_page_stays(new_board):
    board = show(new_board(390, 844, **TOUCH))
    canvas = board.page.locator(CANVAS)
    canvas.scroll_into_view_if_needed()
    main = board.page.get_by_test_id("stMain")
    box, first, top = canvas.bounding_box(), space(board)["turn"], main.evaluate("main => main.scrollTop")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = board.page.context.new_cdp_session(board.page)

    def finger(kind, *points):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    finger("touchStart", (x, y))
    for i in range(1, 9):
        finger("touchMove", (x - 6 * i, y + 5 * i))
    finger("touchEnd")
    board.until(lambda: space(board)["turn"][0] > first[0] + 0.3, "the turn")
    assert main.evaluate("main => main.scrollTop") == top
    x, y, at, _ = space(board)["marks"]["1"]
    with board.answered():
        board.page.touchscreen.tap(box["x"] + x, box["y"] + y)
    board.page.locator(".sv-space .tip", has_text=f"height {at * at:.4g}").wait_for()
    board.until(lambda: board.data("selected") == "1", "the point to be selected")


def test_the_picture_can_be_kept(lift):
    lift.page.locator(CANVAS).hover()
    with lift.page.expect_download() as kept:
        lift.page.locator(".sv-space button").click()
    assert kept.value.suggested_filename == "svmlab-lift.png"
    assert math.log10(kept.value.path().stat().st_size) > 3.5
