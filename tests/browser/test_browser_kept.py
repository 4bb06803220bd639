"""Boards and progress that the browser keeps: over a reload, in two tabs, as a file, and where it cannot keep them."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from svmlab.lab.lessons.margin import LESSON
from svmlab.lab.session import share
from tests.browser.linked import LAB
from tests.eyes import PAIR, WAIT, Board
from tests.lessons import LESSONS

STORED = "key => JSON.parse(localStorage.getItem(key))"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
FORBIDDEN = """const read = Storage.prototype.getItem;
Storage.prototype.getItem = function (key) {
  if (key.startsWith("svmlab")) throw new DOMException("denied", "SecurityError");
  return read.call(this, key);
};"""


def panel(board):
    """The list of kept boards, opened in the lab."""
    tab = board.page.get_by_role("radio", name="My boards")
    tab.or_(board.page.get_by_role("button", name="My boards", exact=True)).first.click()
    kept = board.page.locator(".st-key-kept .sv-kept")
    kept.locator(".name").wait_for()
    board.settle()
    return kept


def names(kept):
    return kept.locator("li > div > a").all_inner_texts()


def keep(kept, name=None):
    if name is not None:
        kept.locator(".name").fill(name)
    kept.locator("[data-act=keep]").click()
    kept.locator(".said", has_text="is kept.").wait_for()


@pytest.fixture
def board(new_board):
    return new_board().open(f"/lab?s={share.encode(LAB)}")


def test_a_board_is_kept_over_a_reload_and_opened_from_the_first_screen(board):
    kept = panel(board)
    assert kept.locator(".none").is_visible()
    offered = kept.locator(".name").input_value()
    assert offered.startswith("3 points: Gaussian")
    keep(kept)
    keep(kept, "My own <b>")
    assert names(kept) == ["My own <b>", offered]
    before = board.places
    board.page.goto(board.base + PAIR)
    board.loaded()
    other = board.places
    board.page.goto(board.base + "/")
    board.loaded()
    mine = board.page.locator(".st-key-kept_home .mine")
    mine.get_by_text("My own <b>").click()
    board.page.wait_for_url(re.compile("/lab"))
    board.until(lambda: board.places == before, "the kept board")
    assert board.settle().message.inner_text() == "“My own <b>” is open now. Undo brings your previous board back."
    board.act("undo")
    assert len(board.places) == 60, "the own board, which the reload of the first screen did not have"
    assert other != before


def test_a_board_is_opened_in_the_lab_renamed_and_deleted_and_both_are_taken_back(board):
    kept, page = panel(board), board.page
    keep(kept, "First")
    before = board.places
    board.act("clear")
    board.until(lambda: kept.locator("[data-act=keep]").is_disabled(), "an empty board that is not kept")
    kept.locator("li a").last.click()
    board.until(lambda: board.places == before, "the kept board")
    board.settle().act("undo")
    assert board.places == []
    kept.get_by_role("button", name="Rename: First").click()
    page.keyboard.type("Second")
    page.keyboard.press("Enter")
    assert names(kept) == ["Second"]
    assert page.evaluate("document.activeElement.shadowRoot?.activeElement?.dataset.act") == "rename"
    kept.get_by_role("button", name="Rename: Second").click()
    page.keyboard.type("Third")
    page.keyboard.press("Escape")
    assert names(kept) == ["Second"]
    kept.get_by_role("button", name="Delete: Second").click()
    assert names(kept) == []
    page.keyboard.press("Enter")  # the focus is on Undo
    assert names(kept) == ["Second"]
    assert board.places == [], "keys in the list are not for the board"


def test_two_tabs_keep_the_boards_of_each_other(board):
    tab = board.page.context.new_page()
    tab.set_default_timeout(1000 * WAIT)
    second = Board(tab, board.base).open(PAIR)
    first, other = panel(board), panel(second)
    keep(first, "One")
    keep(other, "Two")
    board.until(lambda: names(first) == ["Two", "One"], "the board of the other tab")
    assert names(other) == ["Two", "One"]


def test_everything_is_exported_as_one_file_and_imported_into_another_browser(board, new_board, tmp_path):
    kept = panel(board)
    keep(kept, "Mine")
    board.page.evaluate(
        "localStorage.setItem('svmlab.progress',"
        ' \'{"version": 1, "entries": {"margin.turn": {"right": true, "version": "ab", "at": 5}}}\')'
    )
    with board.page.expect_download() as download:
        kept.locator("[data-act=exports]").click()
    assert download.value.suggested_filename == "svmlab-boards.json"
    file = tmp_path / "boards.json"
    file.write_bytes(Path(download.value.path()).read_bytes())
    fresh = new_board().open()
    there, chooser = panel(fresh), "input[type=file]"
    there.locator(chooser).set_input_files(file)
    there.get_by_text("New boards: 1. New answers to steps: 1.").wait_for()
    there.locator(chooser).set_input_files(file)
    there.get_by_text("New boards: 0. New answers to steps: 0.").wait_for()
    assert names(there) == ["Mine"]
    damaged = json.loads(file.read_text(encoding="utf-8"))
    damaged["documents"]["boards"]["entries"] |= {"bad": {"name": "x"}, "good": {"name": "New", "link": "1AA", "at": 1}}
    file.write_text(json.dumps(damaged), encoding="utf-8")
    there.locator(chooser).set_input_files(file)
    there.get_by_text("Damaged entries that were left out: 1.").wait_for()
    assert names(there) == ["Mine", "New"]
    file.write_text("x1,x2,label\n1,2,1\n", encoding="utf-8")
    there.locator(chooser).set_input_files(file)
    there.get_by_text("boards.json could not be read.").wait_for()
    there.get_by_role("button", name="Open: New").click()
    fresh.until(lambda: fresh.message.count() and "damaged" in fresh.message.inner_text(), "a message about the link")


def test_what_is_damaged_is_said_and_the_next_board_is_kept(board):
    board.page.evaluate("localStorage.setItem('svmlab.boards', '{\"version\": 1, \"entries\": [')")
    kept = panel(board)
    kept.get_by_text("is damaged and could not be read").wait_for()
    keep(kept, "New")
    assert names(kept) == ["New"]


@pytest.mark.parametrize(
    ("script", "said"), [(FULL, "The storage of this browser is full"), (FORBIDDEN, "lets pages keep nothing")]
)
def test_a_storage_that_is_full_or_forbidden_is_said_and_the_rest_of_the_page_works(new_board, script, said):
    board = new_board(reduced_motion="reduce")
    board.page.add_init_script(script)
    board.open(PAIR)
    kept = panel(board)
    kept.locator("[data-act=keep]").click()
    kept.get_by_text(said).wait_for()
    assert names(kept) == []
    board.page.goto(board.base + "/")
    board.loaded()
    assert board.page.locator(".st-key-mine").inner_text().strip() == ""


def answered(board, step, choice):
    """Mark a choice of the open step and press Show."""
    page = board.page
    page.get_by_test_id("stRadioOption").nth(choice).click()
    board.settle()
    page.locator(f".st-key-{step.key}_show button").click()
    page.locator(".st-key-verdict").wait_for()
    board.settle(frames=12)


def test_the_first_answer_to_a_step_is_kept_shown_beside_the_lesson_and_reset(new_board):
    board, (step, following) = new_board(), LESSON.steps[:2]
    board.open(f"/margin?step={step.key}")
    page, right = board.page, 1 + [choice.is_right for choice in step.choices].index(True)
    board.root.evaluate("root => { root.isFirst = true; }")
    answered(board, step, right % len(step.choices))
    board.until(lambda: page.evaluate(STORED, "svmlab.progress"), "the kept answer")
    entries = page.evaluate(STORED, "svmlab.progress")["entries"]
    assert set(entries) == {f"margin.{step.key}"}
    first = entries[f"margin.{step.key}"]
    assert {**first, "at": 0} == {"right": False, "version": step.version, "at": 0}
    page.locator(f".st-key-{step.key}_again button").first.click()
    page.locator(f".st-key-{step.key}_show").wait_for()
    answered(board, step, right - 1)
    assert page.evaluate(STORED, "svmlab.progress")["entries"][f"margin.{step.key}"] == first, "the first one counts"
    page.keyboard.press("PageDown")
    page.locator(f".st-key-{following.key}_show").wait_for()
    assert board.settle().root.evaluate("root => root.isFirst"), "the answer has put another board on the page"

    page.goto(board.base + "/")
    board.loaded()
    home = page.locator(".st-key-kept_home .sv-kept")
    core = sum(not each.deeper for lesson in LESSONS for each in lesson.steps)
    assert home.locator(".progress span").inner_text() == f"1 of {core} steps of the core path, 0 right at first try"
    beside = "href => getComputedStyle(document.querySelector(`.st-key-rest a[href$='${href}']`), '::after').content"
    assert page.evaluate(beside, "margin") == '"1 of 5, 0 right"'
    assert page.evaluate(beside, "duality") == "none"
    onward = page.locator(".st-key-kept_onward a")
    assert onward.inner_text() == f"Continue with Margin: {following.title}"
    home.locator("[data-act=reset]").click()
    assert onward.count() == 0
    assert page.evaluate(beside, "margin") == "none"
    home.locator("[data-act=undo]").click()
    assert page.evaluate(beside, "margin") == '"1 of 5, 0 right"'
    onward.click()
    page.locator(f".st-key-{following.key}_show").wait_for()
    board.settle(frames=12)
    assert urlsplit(page.url).path == "/margin"


def test_a_link_with_an_answer_or_an_answer_without_a_choice_is_not_kept(new_board):
    board, step = new_board(), LESSON.steps[0]
    board.open(f"/margin?step={step.key}&choice=1&shown=1&hide=kernel,more&lock=points")
    board.page.locator(".st-key-verdict").wait_for()
    board.settle(frames=12)
    board.open(f"/margin?step={step.key}")
    board.page.locator(f".st-key-{step.key}_show button").click()
    board.page.locator(".st-key-verdict").wait_for()
    board.settle(frames=12)
    assert board.page.evaluate(STORED, "svmlab.progress") is None


def test_a_prepared_board_with_locked_points_is_not_replaced(board):
    keep(panel(board), "Mine")
    board.open(f"{PAIR}&lock=points")
    before = board.places
    panel(board).get_by_role("button", name="Open: Mine").click()
    board.until(lambda: board.message.count() and "does not allow" in board.message.inner_text(), "the reason")
    assert board.places == before
    board.open(f"{PAIR}&hide=more")
    assert board.page.get_by_text("My boards").count() == 0


@pytest.mark.parametrize("shape", [(1280, 800, {}), (390, 844, {"has_touch": True, "is_mobile": True})])
def test_boards_and_progress_fit_on_the_first_screen(new_board, shape):
    width, height, more = shape
    board = new_board(width, height, **more).open(f"/lab?s={share.encode(LAB)}")
    kept = panel(board)
    for i in range(7):
        keep(kept, f"Board {i} with a long name")
    step = LESSON.steps[0]
    entry = {f"margin.{step.key}": {"right": True, "version": step.version, "at": 1}}
    board.page.evaluate("e => localStorage.setItem('svmlab.progress', JSON.stringify({version: 1, entries: e}))", entry)
    board.page.goto(board.base + "/")
    board.loaded()
    mine = board.page.locator(".st-key-kept_home .mine")
    mine.locator("li").nth(4).wait_for()
    assert mine.locator("li").count() == 5
    assert board.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if width > 640:
        assert board.page.evaluate(
            "(e => e.scrollHeight <= e.clientHeight)(document.querySelector('[data-testid=stMain]'))"
        )
    mine.locator("[data-act=all]").click()
    board.page.locator(".st-key-kept .sv-kept .name").wait_for()
    board.settle(frames=12)
    assert len(names(board.page.locator(".st-key-kept .sv-kept"))) == 7
    assert board.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
