"""Gestures and keys on the board."""

import pytest

from tests.eyes import PAIR


def added(before, after):
    """The points of `after` that `before` has not."""
    return [dot for id_, dot in after.items() if id_ not in before]


def one_point(board):
    """An empty stretch of the board with one new point, which is the selected one."""
    board.open()
    before = board.dots
    board.click(-3, 3)
    (dot,) = added(before, board.dots)
    return dot


def test_a_click_adds_a_point_of_the_current_class(board):
    dot = one_point(board)
    assert dot.label == 1
    assert (dot.x, dot.y) == pytest.approx((-3, 3), abs=0.02)
    assert dot.cat, "the new point has been solved"
    assert round(dot.x * 1000) / 1000 == dot.x


@pytest.mark.parametrize("control", ["key", "toggle"])
def test_key_2_and_the_toggle_switch_the_class(board, control):
    board.open()
    if control == "key":
        board.plane.focus()
        board.press("2")
    else:
        board.act("minus")
    assert board.data("label") == "-1"
    assert board.button("minus").get_attribute("aria-pressed") == "true"
    before = board.dots
    board.click(-3, 3)
    assert added(before, board.dots)[0].label == -1
    board.press("1") if control == "key" else board.act("plus")
    assert board.data("label") == "1"


@pytest.mark.parametrize("how", [{"modifiers": ["Shift"]}, {"button": "right"}], ids=["shift-click", "right-click"])
def test_shift_click_and_right_click_add_the_other_class(board, how):
    board.open()
    before = board.dots
    if "modifiers" in how:
        board.page.keyboard.down("Shift")
        board.click(-3, 3)
        board.page.keyboard.up("Shift")
    else:
        board.click(-3, 3, **how)
    assert added(before, board.dots)[0].label == -1
    assert board.data("label") == "1", "the class of the toggle stays"


def test_a_press_that_slides_over_empty_ground_adds_nothing(board):
    board.open()
    before = board.dots
    board.grab(-3, 3).pull(-3, 2.5).drop()
    assert board.dots == before


def test_a_drag_moves_the_point_and_the_lines_follow_before_the_button_is_released(board):
    board.open()
    dot = min((d for d in board.dots.values() if d.cat == "margin_free"), key=lambda d: d.x**2 + d.y**2)
    lines, link = board.lines, board.page.url
    board.grab(dot.x, dot.y).pull(dot.x + 1, dot.y + 0.5)
    board.until(lambda: board.lines["zero"] != lines["zero"], "the boundary to follow the drag")
    board.settle()
    assert board.page.url == link, "the link waits for the end of the drag"
    assert board.dots[dot.id][2:4] == pytest.approx((dot.x + 1, dot.y + 0.5), abs=0.02)
    board.drop()
    assert board.dots[dot.id][2:4] == pytest.approx((dot.x + 1, dot.y + 0.5), abs=0.02)
    board.until(lambda: board.page.url != link, "the link of the new place")


def test_undo_takes_a_whole_drag_back_in_one_step_and_redo_brings_it_back(board):
    board.open()
    assert board.button("undo").is_disabled()
    before, lines, link = board.dots, board.lines, board.link
    dot = next(iter(before.values()))
    board.grab(dot.x, dot.y)
    for step in range(1, 5):
        with board.answered():
            board.pull(dot.x + 0.2 * step, dot.y, steps=3)
    board.drop()
    after, link_after = board.dots, board.link
    assert after[dot.id] != before[dot.id]
    board.act("undo")
    assert (board.dots, board.lines, board.link) == (before, lines, link)
    assert board.button("undo").is_disabled()
    board.act("redo")
    assert (board.dots, board.link) == (after, link_after)
    assert board.button("redo").is_disabled()


def test_escape_during_a_drag_puts_the_point_back_and_adds_no_step(board):
    board.open()
    before = board.dots
    dot = next(iter(before.values()))
    board.grab(dot.x, dot.y)
    with board.answered():
        board.pull(dot.x + 1, dot.y)
    board.press("Escape")
    board.drop()
    assert board.dots == before
    assert board.button("undo").is_disabled()


def test_control_z_and_control_shift_z_work_without_the_focus_of_the_board(board):
    dot = one_point(board)
    board.page.locator(".sv-figures").click()
    with board.answered():
        board.page.keyboard.press("Control+z")
    assert dot.id not in board.dots
    with board.answered():
        board.page.keyboard.press("Control+Shift+z")
    assert dot.id in board.dots


def test_a_new_point_is_selected_and_a_click_lets_go_of_it_and_takes_it_again(board):
    dot = one_point(board)
    assert board.data("selected") == str(dot.id)
    inspector = board.page.locator(".sv-inspector")
    inspector.locator("[data-value=alpha]").wait_for()
    assert inspector.get_attribute("data-category") == board.dots[dot.id].cat
    assert f"({dot.x:g},\N{NO-BREAK SPACE}{dot.y:g})".replace("-", "−") in inspector.inner_text()
    exact = {
        name: float(inspector.locator(f"[data-value={name}]").get_attribute("title"))
        for name in ("f", "yf", "xi", "alpha", "distance")
    }
    assert exact["yf"] == pytest.approx(exact["f"])
    assert exact["xi"] == pytest.approx(max(0, 1 - exact["yf"]))
    assert exact["distance"] == pytest.approx(exact["yf"] * float(board.exact["margin"]))
    board.click(dot.x, dot.y)
    assert board.data("selected") == ""
    assert inspector.locator("[data-value]").count() == 0
    board.click(dot.x, dot.y)
    assert board.data("selected") == str(dot.id)
    board.act("undo")
    assert dot.id not in board.dots
    assert board.data("selected") == ""


@pytest.mark.parametrize("control", ["Delete", "Backspace", "bin", "eraser"])
def test_a_point_can_be_deleted_by_key_by_the_bin_and_by_the_eraser(board, control):
    dot = one_point(board)
    if control == "eraser":
        board.act("eraser").click(dot.x, dot.y)
        board.act("eraser")
    else:
        board.act("bin") if control == "bin" else board.press(control)
    assert dot.id not in board.dots
    assert len(board.dots) == 60
    board.act("undo")
    assert dot.id in board.dots


def test_a_point_dragged_onto_the_bin_is_deleted(board):
    dot = one_point(board)
    box = board.button("bin").bounding_box()
    board.grab(dot.x, dot.y)
    board.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
    board.drop()
    assert dot.id not in board.dots
    board.act("undo")
    assert board.dots[dot.id][:4] == dot[:4], "one step brings it back to where it was before the drag"


def test_the_eraser_wipes_out_what_it_passes_in_one_step(board):
    board.open()
    n = len(board.dots)
    for x in (-3.4, -3, -2.6):
        board.click(x, 3.4)
    board.act("eraser")
    board.grab(-3.5, 3.4).pull(-2.5, 3.4, steps=20).drop()
    assert len(board.dots) == n
    board.act("eraser").act("undo")
    assert len(board.dots) == n + 3


def test_arrows_nudge_the_selected_point_finely_and_coarsely(board):
    dot = one_point(board)
    step = board.root.evaluate("root => root.board.m.view") / 100
    board.press("ArrowRight", "ArrowUp")
    assert board.dots[dot.id][2:4] == pytest.approx((dot.x + step, dot.y + step), abs=1e-9)
    board.press("Shift+ArrowLeft")
    assert board.dots[dot.id].x == pytest.approx(dot.x + step - 0.001, abs=1e-9)
    board.press("Alt+ArrowDown")
    assert board.dots[dot.id].y == pytest.approx(dot.y - 9 * step, abs=1e-9)


FOCUS = """root => { const e = root.getRootNode().activeElement; return e && (e.dataset.act ?? e.tagName); }"""


def test_n_walks_from_point_to_point_and_tab_passes_the_scene_in_one_stop(board):
    board.open()
    ids = [str(i) for i in board.dots]
    board.plane.focus()
    for key, i in (("n", 0), ("n", 1), ("Shift+N", 0), ("Shift+N", -1), ("n", 0)):
        board.press(key)
        assert board.data("selected") == ids[i], "round and round"
    board.press("Tab")
    assert board.root.evaluate(FOCUS) == "INPUT", "the slider is next"
    assert board.data("selected") == ids[0], "and the point stays selected"
    board.press("Shift+Tab", "Escape")
    assert board.data("selected") == ""
    assert board.root.evaluate(FOCUS) == "svg"


def test_a_toolbar_is_one_stop_of_tab_and_arrows_go_along_it(board):
    board.open()
    board.plane.focus()
    board.press("Shift+Tab")
    assert board.root.evaluate(FOCUS) == "plus"
    board.press("ArrowRight", "ArrowRight")
    assert board.root.evaluate(FOCUS) == "eraser"
    board.press("ArrowRight")
    assert board.root.evaluate(FOCUS) == "clear", "what cannot be pressed is left out"
    board.press("End")
    assert board.root.evaluate(FOCUS) == "help"
    board.press("Tab", "Shift+Tab")
    assert board.root.evaluate(FOCUS) == "help", "one comes back to where one was"
    board.press("Home")
    assert board.root.evaluate(FOCUS) == "plus"


def heard(board):
    return board.root.locator(".heard").text_content()


def test_what_is_selected_and_what_a_change_changes_is_heard_once(board):
    board.open(PAIR)
    board.plane.focus()
    board.press("n")
    assert heard(board) == "disc, class +1, (1, 1), free support vector, on its margin line, α = 0.25"
    board.page.keyboard.down("ArrowRight")
    board.until(lambda: board.dots[1].x > 1, "the point to move")
    board.until(lambda: board.data("pending") == "0", "an answer")
    assert "(1, 1)" in heard(board), "while a key is held nothing is said"
    board.page.keyboard.up("ArrowRight")
    board.until(lambda: "(1, 1)" not in heard(board), "the new place")
    point, figures = heard(board).split(". ", 1)
    assert point.startswith("disc, class +1, (1.0")
    assert figures.startswith("margin 1.4")
    assert "support vectors" not in figures, "only what has changed"
    board.press("Delete")
    assert heard(board) == "points: 1, no margin, support vectors: 0"
    board.press("Escape", "ArrowRight")
    assert heard(board) == "(0.1, 0)"


def test_the_board_reads_as_its_tools_one_scene_its_sliders_and_its_counts(board):
    board.open(PAIR)
    lines = [line.strip("- ") for line in board.root.aria_snapshot().splitlines()]
    assert [line for line in lines if line.startswith("application")] == [
        'application "Board with points of two classes"'
    ]
    kinds = {line.strip("'").split()[0].rstrip(":") for line in lines}
    assert kinds == {"toolbar", "button", "application", "slider", "paragraph"}, "no number of an axis, no second word"


def test_a_point_can_be_placed_by_the_keyboard_alone(board):
    board.open()
    before = board.dots
    board.plane.focus()
    board.press("2", "Alt+ArrowLeft", "Alt+ArrowLeft", "Alt+ArrowUp", "Enter")
    (dot,) = added(before, board.dots)
    assert (dot.label, dot.x, dot.y) == (-1, -2, 1)


def test_zoom_keys_change_what_is_seen_and_fit_shows_every_point(board):
    board.open()
    board.plane.focus()
    view = "root => root.board.data.view"
    start = board.root.evaluate(view)
    with board.answered():
        board.page.keyboard.press("+")
    assert board.root.evaluate(view) < start
    with board.answered():
        board.page.keyboard.press("0")
    largest_coordinate = max(max(abs(d.x), abs(d.y)) for d in board.dots.values())
    assert board.root.evaluate(view) > largest_coordinate
    assert board.button("undo").is_disabled(), "looking is not doing"


def test_many_quick_clicks_all_arrive(board):
    board.open()
    n = len(board.dots)
    for i in range(12):
        board.page.mouse.click(*board.at(-3.6 + 0.3 * i, 3.6))
    board.settle()
    assert len(board.dots) == n + 12
    assert sum(board.legend.values()) == n + 12
