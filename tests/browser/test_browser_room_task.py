"""A lecturer sets a task, and two members hand in: the wall, a projected board, all boundaries, a reload and a kill."""

import pytest

from tests.browser.test_browser_accessible import violations
from tests.browser.test_browser_room import open_room
from tests.conftest import Server
from tests.eyes import restarted

GOAL = "/practice?step=three-support-vectors"
BOUNDARIES = ".class-layer path"


@pytest.fixture(scope="module")
def mortal(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("task") / "log.txt", SVMLAB_SECRET="a secret of this test, long enough")
    yield server
    server.kill()


def handed_in(page, number):
    """Press the button of a member's page of the app, and wait for the receipt."""
    page.get_by_role("button", name="Hand in").click()
    page.get_by_text(f"as number {number}. The goal").wait_for()


def test_a_class_hands_in_and_the_lecturer_shows_what_it_has_made(mortal, new_board, new_page):
    lead = new_board(base=mortal.url, offline=True).open(GOAL)
    code = open_room(lead)
    lead.settle(frames=12)
    lead.page.get_by_role("button", name="Set to the class").click()
    lead.page.get_by_role("button", name="Set this task").click()
    a, b = (new_page(390, 844, offline=True) for _ in "ab")
    apps = []
    for page in (a, b):
        page.goto(f"{mortal.url}/r/{code}")
        with page.context.expect_page() as opened:
            page.locator("#open").click()
        apps.append(opened.value)
        apps[-1].set_default_timeout(60_000)
        handed_in(apps[-1], len(apps))
    handed_in(apps[0], 1)  # again, under the same number
    wall = lead.page.locator(".sv-room .to-wall")
    lead.until(lambda: wall.inner_text() == "Wall: 2 handed in, 0 passed", "both boards")
    assert violations(apps[1]) == []
    assert violations(b) == []
    # The server is killed, and the lecturer reloads.
    restarted(mortal, lead)
    lead.page.reload()
    lead.loaded()
    lead.until(lambda: wall.inner_text() == "Wall: 2 handed in, 0 passed", "the boards of before")
    wall.click()
    lead.page.locator(".sv-room .boards .boundary[d]").nth(1).wait_for(state="attached")
    assert violations(lead.page) == []
    with lead.page.expect_download() as saved:
        lead.page.get_by_role("button", name="Save as CSV").click()
    lines = saved.value.path().read_text().splitlines()
    assert [line.split(",")[:2] for line in lines[1:]] == [["1", "0"], ["2", "0"]]
    lead.page.get_by_role("button", name="Project board 2").click()
    lead.page.get_by_text("This is board 2 of the class.").wait_for()
    lead.page.get_by_role("button", name="Back to my board").click()
    lead.page.get_by_role("button", name="Next goal").wait_for()
    wall.click()
    lead.page.get_by_role("button", name="Draw all boundaries on the board").click()
    lead.until(lambda: lead.page.locator(BOUNDARIES).count() == 2, "the boundaries")
    lead.until(lambda: a.locator(BOUNDARIES).count() == 2, "the boundaries on the phone")
    # The end of the task.
    wall.click()
    for _press in range(2):
        lead.page.locator(".sv-room .end-task").click()
    b.locator("#task").wait_for(state="hidden")
    apps[1].get_by_role("button", name="Hand in again").click()
    apps[1].get_by_text("This task is closed").wait_for()
