"""The sheet for printing and the form for a goal in a browser: accessible in every mode, and no word left out."""

from __future__ import annotations

import pytest

from tests.browser.test_browser_accessible import MODES, serious, turned
from tests.browser.translated import forgotten

SHEET = "step=sheet&pick.q1=circle-support-vectors-1-3&pick.q2=kkt-box-2-17&pick.q3=no-1-1"
PAGES = {SHEET: ".st-key-paper iframe", "step=make": ".st-key-own_add button"}


@pytest.mark.sweep
@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_accessible_in_every_mode_and_nothing_is_wider_than_the_screen(new_board, page):
    board = new_board().open(f"/practice?{page}")
    board.page.locator(PAGES[page]).wait_for()
    faults = [f"{mode}: {each}" for mode in MODES for each in serious(turned(board, mode))]
    assert "\n".join(faults) == ""
    board.page.set_viewport_size({"width": 390, "height": 844})
    board.settle(frames=12)
    assert board.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.sweep
@pytest.mark.parametrize("page", PAGES)
def test_no_word_of_the_page_is_left_out(bracketed, new_board, page):
    page_ = new_board(base=bracketed.url).page
    page_.goto(f"{bracketed.url}/practice?{page}")
    page_.locator(PAGES[page]).wait_for()
    page_.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    assert forgotten(page_) == ""


def test_a_sheet_breaks_between_questions_on_paper_and_fetches_nothing(new_board, tmp_path):
    board = new_board().open(f"/practice?{SHEET}")
    page = board.page
    page.locator(PAGES[SHEET]).wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the sheet").click()
    saved.value.save_as(tmp_path / "sheet.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "sheet.html").as_uri())
    page.emulate_media(media="print")
    assert [url for url in asked if not url.startswith("file:")] == []
    assert page.locator("section").count() == 2
    assert page.locator("section").first.evaluate("e => getComputedStyle(e).breakInside") == "avoid"
    assert page.locator("math").first.evaluate("e => e.getBoundingClientRect().width") > 5
    assert not page.locator("button").is_visible()
