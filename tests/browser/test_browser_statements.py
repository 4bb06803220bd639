"""The page of statements in a real browser."""

from urllib.parse import urlsplit

import pytest

from svmlab.lab.session import share
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.statements import CATALOGUE

STREET = with_preset(Lab(preset="separable", size=24, seed=19, hard=True))
# The cards show the verdicts of the board in sight, and none of those of the board before.
CHECKED = """() => !document.querySelector('.sv-stale, .st-key-checks_state :is([role=progressbar], button)')
  && document.querySelector('.st-key-card_M12')"""


def statements(board, lab=STREET):
    board.open("/statements?s=" + share.encode(lab))
    board.page.wait_for_function(CHECKED)
    return board.settle()


def test_the_cards_of_a_lesson_hold_on_a_street_and_links_lead_to_a_step_and_back_to_its_statement(board):
    statements(board)
    badges = board.page.locator("[class*=st-key-card_] > * .sv-head:first-child > .sv-badge").all_inner_texts()
    assert sum("holds" in b for b in badges) >= 12
    board.page.locator(".st-key-card_M1 .sv-ways a[href='statements#M2']").press("Enter")
    board.page.locator(".st-key-card_M2 .sv-ways a[href='margin?step=scaling']").click()
    board.page.locator(".sv-strip [data-key=scaling]").wait_for()
    assert urlsplit(board.page.url).path == "/margin"
    board.page.locator(".st-key-scaling_show button").click()
    board.page.locator(".st-key-more button").click()
    board.settle(frames=12)  # what the step reports after the link would bring it back
    board.page.locator(".sv-ways a[href='statements#M2']").click()
    board.page.locator(".st-key-card_M2").wait_for()
    assert board.page.locator("[class*=st-key-card_]").count() == 1


def test_a_witness_opens_on_the_board_in_sight_and_undo_brings_the_board_back(board):
    statements(board)
    before = board.places
    with board.answered():
        board.page.locator(".st-key-witness_M4 button:visible").click()
    assert [(x, y) for _, x, y in board.places] == list(CATALOGUE["M4"].witness.X)
    board.page.wait_for_function(CHECKED)
    corrected, printed = board.page.locator(".st-key-card_M4 .sv-row .sv-badge").all_inner_texts()
    assert ["holds" in corrected, "fails" in printed] == [True, True]
    box = board.root.bounding_box()
    assert box["y"] >= 0
    assert box["y"] + 300 < 800
    with board.answered():
        board.page.keyboard.press("Control+z")
    assert board.places == before


def test_cards_wait_dimmed_in_their_place_while_a_large_board_is_checked(board):
    statements(board, with_preset(Lab(size=200, kernel="gaussian")))
    top = "() => document.querySelector('.st-key-card_M1').getBoundingClientRect().top"
    before = board.page.evaluate(top)
    board.click(-3.5, 3.5)
    assert abs(board.page.evaluate(top) - before) < 60
    board.page.wait_for_function(CHECKED)
    assert board.page.evaluate(top) == before


def test_a_card_under_a_resting_pointer_stays_there_when_those_above_it_change(board):
    statements(board)
    card = board.page.locator(".st-key-card_M6")
    card.evaluate("card => card.closest('[data-testid=stMain]').scrollBy(0, card.getBoundingClientRect().top - 600)")
    before = card.bounding_box()
    board.page.mouse.move(before["x"] + 40, before["y"] + 20)
    minus = [id_ for id_, dot in board.dots.items() if dot.label < 0]
    board.root.evaluate(
        """(root, ids) => root.board.set("event",
        {boot: root.board.boot, seq: root.board.data.ack + 1, ops: [{op: "delete", ids}]})""",
        minus,
    )
    board.page.locator(".st-key-card_M6 .sv-badge[data-tone=idle]").wait_for()
    board.settle()
    assert card.bounding_box()["y"] == pytest.approx(before["y"], abs=1)
    assert card.bounding_box()["height"] != before["height"]


def test_words_are_looked_for_in_all_lessons_and_the_log_stays_quiet(app, board):
    statements(board)
    before = len(app.log.read_text(errors="replace"))
    field = board.widget("statements_search").locator("input")
    field.fill("perceptron radius")
    field.press("Enter")
    board.until(lambda: board.page.locator("[class*=st-key-card_]").count() == 1, "the one card")
    assert board.page.locator(".st-key-card_M8").is_visible()
    field.fill("")
    field.press("Enter")
    board.page.locator(".st-key-card_M1").wait_for()
    assert "statements_lesson" not in app.log.read_text(errors="replace")[before:]


def test_all_tools_stand_in_one_row_beside_the_cards(new_board):
    board = new_board(1920, 1080).open("/statements")
    groups = board.root.locator(".top .group").evaluate_all("all => all.map((g) => g.getBoundingClientRect().bottom)")
    assert max(groups) - min(groups) < 10
