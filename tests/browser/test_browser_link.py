"""The link is the whole board: it survives reloads, pages, and the death of the server."""

import pytest
import segno

from svmlab.lab.session import share
from tests.browser.linked import GOOD, LAB, edited, looked_at, state, to_guide, visible_state


@pytest.fixture
def board(new_board):
    """Here every test loads a page of its own."""
    return new_board()


def test_an_edit_writes_the_whole_state_into_the_address(board):
    edited(board)
    lab = share.decode(board.link)
    assert [(p.label, p.x / 1000, p.y / 1000) for p in lab.points] == board.places
    assert (lab.kernel, lab.bias) == ("gaussian", False)


def test_edits_leave_no_trail_in_the_history_of_the_browser(board):
    board.open()
    length = board.page.evaluate("history.length")
    for x in (-3, -2.5, -2):
        board.click(x, 3.3)
    assert board.page.evaluate("history.length") == length


def test_a_reload_brings_the_same_points_and_settings(board):
    before = state(edited(board))
    link = board.link
    board.page.reload()
    board.loaded()
    assert state(board) == before
    assert board.link == link
    assert "Gaussian" in board.widget("kernel").inner_html()
    for _ in range(3):
        board.press("Control+z")
    assert len(board.places) == len(before[0]) - 1, "undo survives the reload too"


def test_the_address_opens_the_same_board_in_another_browser(board, new_board):
    before = state(edited(board))
    other = new_board()
    other.page.goto(board.page.url)
    other.loaded()
    assert state(other) == before
    other.click(-3.5, 3.5)
    board.settle()
    assert state(board) == before, "two tabs are two boards"


def test_a_link_opens_with_its_exact_points_and_settings(board):
    board.open("/lab?s=" + GOOD)
    assert board.places == [(p.label, p.x / 1000, p.y / 1000) for p in LAB.points]
    assert share.decode(board.link) == LAB
    assert board.widget("sigma").locator("input").input_value() == "0.63"
    assert board.widget("exact").locator("input").input_value() == "7.5"


def test_the_guide_and_back_keeps_everything(board):
    before = state(edited(board))
    link = board.link
    to_guide(board)
    assert board.page.url.split("?")[0].endswith("/guide")
    assert board.link == link
    board.page.get_by_test_id("stPageLink").get_by_text("To the lab").click()
    board.plane.wait_for()
    board.settle(frames=12)
    assert state(board) == before
    assert board.link == link
    assert not board.button("undo").is_disabled(), "what was done can still be undone"


def test_back_and_forward_of_the_browser_keep_everything(board):
    before = state(edited(board))
    link = board.link
    to_guide(board)
    board.page.go_back()
    board.plane.wait_for()
    board.settle(frames=12)
    assert state(board) == before
    board.until(lambda: board.link == link, "the link to be written again")
    board.page.go_forward()
    board.page.get_by_text("Conventions").wait_for()
    board.until(lambda: board.link == link, "the link on the guide")


def test_a_reload_on_the_guide_keeps_everything(board):
    before = state(edited(board))
    to_guide(board)
    board.page.reload()
    board.page.get_by_text("Conventions").wait_for()
    board.settle()
    board.page.get_by_test_id("stPageLink").get_by_text("To the lab").click()
    board.plane.wait_for()
    board.settle(frames=12)
    assert state(board) == before


def test_a_reload_brings_selection_and_pinned_fit_back(board):
    before = visible_state(looked_at(board))
    assert before[1]
    assert "select=4" in board.page.url
    assert "pin=value:1" in board.page.url, "on the same points a pinned fit is its settings"
    board.page.reload()
    board.loaded()
    assert visible_state(board) == before


def test_a_link_hides_controls_and_locks_points_and_says_so_after_a_reload(board):
    board.open(f"/lab?hide=kernel,price,more&lock=points&s={GOOD}")
    for _ in range(2):
        assert board.widget("kernel").count() == board.widget("exact").count() == board.widget("preset").count() == 0
        assert board.root.locator(".sliders label").count() == 0
        before = board.places
        board.grab(*before[0][1:]).pull(0, 0).drop()
        board.click(-3.5, 3.5)
        board.press("Control+z")
        assert board.places == before
        board.switch("bias")
        assert "hide=kernel,price,more&lock=points" in board.page.url
        board.page.reload()
        board.loaded()


def test_share_shows_the_address_as_a_code_that_fills_the_screen_and_copies_it(board):
    looked_at(board)
    board.button("share").click()
    field = board.page.locator(".sv-share .address:not(.frame) input")
    field.wait_for()
    assert field.input_value() == board.page.url
    choice = board.page.get_by_text("The pinned fit")
    choice.wait_for()
    board.settle()
    assert field.bounding_box()["y"] < choice.bounding_box()["y"], "the address comes first"
    assert "127.0.0.1" in board.page.get_by_role("dialog").get_by_role("alert").inner_text(), "phones do not reach it"
    modules = segno.make(board.page.url, error="l", micro=False).symbol_size(border=4)[0]
    small = board.page.locator(".sv-share > .picture").bounding_box()
    assert small["width"] / modules > 4, "pixels of a module: a phone reads it"
    board.page.keyboard.press("q")
    large = board.page.locator(".sv-share dialog .picture").bounding_box()
    assert large["height"] > 0.75 * board.page.viewport_size["height"]
    board.page.keyboard.press("Escape")
    assert not board.page.locator(".sv-share dialog").evaluate("dialog => dialog.open")
    choice.click()
    board.page.wait_for_function("() => true")
    board.until(lambda: "pin=" not in field.input_value(), "an address without the pinned fit")
    board.page.get_by_text("Points cannot be moved").click()
    board.until(lambda: "lock=points" in field.input_value(), "locked points")
    board.page.keyboard.press("Escape")
    field.wait_for(state="detached")
    assert "lock" not in board.page.url, "for those who open the link, not here"


def test_back_to_the_board_of_the_link_is_one_step_of_undo(board):
    board.open("/lab?s=" + GOOD)
    given = board.places
    assert board.button("given").is_disabled()
    board.click(-3.5, 3.5)
    board.click(-3.5, 2.5)
    after = board.places
    board.act("given")
    assert board.places == given
    board.press("Control+z")
    assert [p[1:] for p in board.places] == [p[1:] for p in after]
