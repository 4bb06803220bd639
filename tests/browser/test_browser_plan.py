"""A lecturer collects a plan, walks it with a clicker, and is where they were after a reload."""

from pathlib import Path

import pytest

from svmlab.lab.plan.plan import read_plan
from tests.browser.test_browser_accessible import violations

ROOT = Path(__file__).parents[2]

PLACE, VERDICT, BLANK = ".sv-plan .place", ".st-key-verdict", "dialog.sv-blank"


def added(board, title):
    """The page added to the plan from Share, after which the dialog is still open."""
    page = board.page
    page.get_by_role("button", name="Share").first.click()
    page.get_by_role("button", name="Add to my plan").click()
    page.get_by_role("dialog").get_by_text(f"“{title}” is stop").wait_for()
    board.until(lambda: title in (page.evaluate("localStorage.getItem('svmlab.plan')") or ""), "the kept plan")


def known(board, n):
    """Wait until the session of a new page has the stops that the browser keeps."""
    board.until(lambda: board.page.locator(f".sv-plan[data-count='{n}']").count() == 1, "the plan of before")


def test_a_plan_is_collected_and_walked_and_outlasts_a_reload(new_board):
    board = new_board(reduced_motion="reduce").open("/margin?step=scaling")
    page, place = board.page, board.page.locator(PLACE)
    added(board, "Functional and geometric margin")
    board.open("/margin?step=places")
    known(board, 1)
    added(board, "Distance and functional margin")
    page.keyboard.press("Escape")
    board.open("/practice")
    known(board, 2)
    page.get_by_role("button", name="Share").first.click()
    page.get_by_role("button", name="My plan (2)").click()
    page.get_by_role("button", name="Start at the first stop").click()
    board.until(lambda: "step=scaling" in page.url, "the first stop")
    board.until(lambda: place.inner_text() == "1 of 2", "the sign")
    page.locator(".sv-strip h1").wait_for()
    board.settle(frames=12)
    page.keyboard.press("PageDown")
    page.locator(VERDICT).wait_for()
    board.settle(frames=12)
    assert "step=scaling" in page.url, "the answer comes before the next stop"
    page.keyboard.press("PageDown")
    board.until(lambda: "step=places" in page.url and place.inner_text() == "2 of 2", "the second stop")
    board.until(lambda: page.locator(VERDICT).count() == 0, "its question")
    page.reload()
    board.loaded()
    board.until(lambda: place.inner_text() == "2 of 2", "the same stop after a reload")
    board.settle(frames=12)
    place.click()
    page.get_by_role("button", name="Edit").first.click()
    notes = page.get_by_label("Speaker's notes", exact=True)
    assert not notes.is_visible(), "the class would read them"
    page.get_by_text("they appear on this screen").click()
    notes.wait_for()
    board.settle(frames=12)
    assert violations(page) == []
    page.get_by_role("button", name="Remove", exact=True).last.click()
    board.until(lambda: place.inner_text() == "1 of 1", "the sign of a plan with one stop")
    page.get_by_role("button", name="Undo", exact=True).last.click()
    board.until(lambda: place.inner_text() == "1 of 2", "the stop that was removed")
    board.settle(frames=12)  # the line with Undo goes, and the list moves
    page.get_by_role("button", name="2. Distance and functional margin").click()
    board.until(lambda: place.inner_text() == "2 of 2", "the stop again")
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.keyboard.press("b")
    page.locator(BLANK).wait_for()
    page.keyboard.press("b")
    page.locator(BLANK).wait_for(state="detached")
    page.keyboard.press("/")
    page.locator("[role=combobox]:focus").wait_for()
    page.keyboard.press("PageUp")
    page.keyboard.press("Escape")
    board.settle(frames=12)
    assert "step=places" in page.url, "somebody types"
    page.keyboard.press("PageUp")
    board.until(lambda: "step=scaling" in page.url and place.inner_text() == "1 of 2", "the stop before")
    page.locator(".sv-plan .end").click()
    place.wait_for(state="hidden")


@pytest.mark.sweep  # tests/plan walks all three of them without a browser
def test_a_plan_of_the_docs_is_opened_and_walked_to_its_task(new_board):
    board = new_board(reduced_motion="reduce").open("/guide")
    page, place, file = board.page, board.page.locator(PLACE), ROOT / "docs/plans/margins_and_duality.md"
    stops = read_plan(file.read_text(encoding="utf-8")).stops
    page.get_by_role("button", name="Share").first.click()
    page.get_by_role("button", name="My plan", exact=True).click()
    page.locator(".st-key-plan_file input[type=file]").set_input_files(file)
    page.get_by_role("dialog").get_by_text("The plan was opened.").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the notes").click()
    assert stops[0].notes.split("\n")[0] in Path(saved.value.path()).read_text(encoding="utf-8")
    page.get_by_role("button", name="Start at the first stop").click()
    for n, stop in enumerate(stops, 1):
        if n > 1:
            page.locator(".sv-plan .onward").click()
        board.until(lambda n=n: place.inner_text() == f"{n} of {len(stops)}", stop.title)
        heading = stop.title.removeprefix("Task: ")
        page.get_by_role("heading", name=heading, exact=False).first.wait_for()
        board.until(lambda stop=stop: stop.query in page.url, stop.link)
        assert board.message.count() == 0, stop.title
    assert page.locator(".sv-plan .onward").is_disabled()
