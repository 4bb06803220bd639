"""A lecturer and two members with phones, while the server is killed in the middle: everybody is where they were.

They follow, vote and hand in. The lecturer shows the wall, a board of a member, and all boundaries on one board.
"""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.test_browser_accessible import violations
from tests.conftest import Server
from tests.eyes import restarted

STEP, GOAL = "/margin?step=slide", "/practice?step=three-support-vectors&projector=1"
BOUNDARIES = ".class-layer path"


@pytest.fixture(scope="module")
def mortal(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("room") / "log.txt", SVMLAB_SECRET="a secret of this test, long enough")
    yield server
    server.kill()


class Phone:
    """A member's page, and what stands on it."""

    def __init__(self, page, address):
        self.page = page
        page.goto(address)

    @property
    def dots(self):
        read = "all => all.map(g => [Number(g.dataset.x), Number(g.dataset.y)])"
        return self.page.locator("#board g.pt").evaluate_all(read)


def open_room(lead):
    """The code of the room that this lecturer opens with one click."""
    if lead.page.locator(".sv-projected").count():  # without a header
        lead.page.get_by_role("button", name="Pages").click()
    lead.page.get_by_role("button", name="Room for the class").click()
    strip = lead.page.locator(".sv-room .strip")
    strip.wait_for()
    over = lead.page.locator(".sv-room dialog[open]")
    over.locator("svg").wait_for()
    lead.page.keyboard.press("q")
    over.wait_for(state="detached")
    return strip.locator(".code").inner_text()


def lent(page):
    """The board that the open step lends, as it stands in the address."""
    return parse_qs(urlsplit(page.url).query).get("b", [None])[0]


def test_a_class_follows_and_votes_while_the_server_is_killed(mortal, new_board, new_page):
    lead = new_board(base=mortal.url, offline=True).open(STEP)
    code = open_room(lead)
    lead.settle(frames=12)
    a, b = (Phone(new_page(390, 844, offline=True), f"{mortal.url}/r/{code}") for _ in "ab")
    title = lead.page.get_by_role("heading", name="Distance").first.inner_text()
    for phone in (a, b):
        phone.page.locator("h1", has_text=title).wait_for()
        lead.until(lambda phone=phone: phone.dots == [[d.x, d.y] for d in lead.dots.values()], "the points")
    # A drag is followed before it ends.
    dot = next(iter(lead.dots.values()))
    lead.grab(dot.x, dot.y).pull(dot.x + 0.2, dot.y + 0.1)
    for phone in (a, b):
        lead.until(lambda phone=phone: phone.dots[0] == [lead.dots[dot.id].x, lead.dots[dot.id].y], "the dragged point")
    lead.drop()
    tried = a.page.locator("#try")
    lead.until(lambda: tried.get_attribute("href") == f"../lab?s={lent(lead.page)}", "the same board alone")
    # A question, two answers, and the end of the server in between.
    lead.page.get_by_role("button", name="Ask the class").click()
    a.page.locator(".choice").nth(1).click()
    b.page.locator(".choice").nth(0).click()
    answered = lead.page.locator(".sv-room .answered")
    lead.until(lambda: answered.inner_text() == "2 of 2 answered", "both votes")
    frames = [int(phone.page.locator("#board").get_attribute("data-frames")) for phone in (a, b)]
    before = [[d.x, d.y] for d in lead.dots.values()]
    restarted(mortal, lead)
    lead.until(lambda: answered.inner_text() == "2 of 2 answered", "the votes of before")
    for phone, seen in zip((a, b), frames, strict=True):
        count = phone.page.locator("#board")
        lead.until(
            lambda c=count, seen=seen: int(c.get_attribute("data-frames")) > seen, "the board of the new process"
        )
        assert phone.dots == before
        chosen = phone.page.locator(".choice[aria-pressed=true]")
        lead.until(lambda chosen=chosen: chosen.count() == 1, "the vote of before")
    lead.until(lambda: lead.page.locator(".sv-room .here").inner_text() == "2 here", "everybody")
    b.page.locator(".choice").nth(1).click()
    b.page.locator("#said", has_text="is counted").wait_for()
    lead.page.get_by_role("button", name="Close the question").click()
    a.page.locator("#said", has_text="closed").wait_for()
    assert a.page.locator(".tally").count() == 0, "the lecturer has not shown the bars"
    lead.page.get_by_role("button", name="Show the bars").click()
    a.page.locator(".tally").first.wait_for()
    assert a.page.locator(".tally").all_inner_texts() == ["0 (0 %)", "2 (100 %)", "0 (0 %)"]
    assert a.page.locator(".choice.right, #verdict:not([hidden])").count() == 0
    assert violations(a.page) == []
    bars = lead.page.locator(".sv-room .bars")
    assert bars.locator("li b").all_inner_texts() == ["0 (0 %)", "2 (100 %)", "0 (0 %)"]
    lead.page.get_by_role("button", name="Hide the bars").click()
    bars.wait_for(state="hidden")
    lead.page.get_by_role("button", name="Show the bars").click()
    bars.wait_for()
    lead.page.get_by_role("button", name="Show the answer").click()
    bars.locator("li.right").wait_for()
    for phone in (a, b):
        phone.page.locator("#verdict").wait_for()
        phone.page.locator(".choice.right").nth(0).wait_for()
        assert phone.page.locator(".choice").nth(1).get_attribute("class") == "choice right"
    assert tried.get_attribute("href").startswith("../margin?step=slide"), "the step with its question"
    # The lecturer reloads, and ends the room.
    lead.page.reload()
    lead.loaded()
    lead.page.locator(".sv-room .code", has_text=code).wait_for()
    lead.until(lambda: lead.page.locator(".sv-room .here").inner_text() == "2 here", "the members")
    close = lead.page.locator(".sv-room .close")
    close.click()
    close.click()
    for phone in (a, b):
        phone.page.get_by_text("The lecturer has closed this room.").wait_for()
    lead.page.get_by_role("button", name="Room for the class").wait_for()


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
    apps[0].get_by_role("button", name="Hand in again").and_(apps[0].locator(":enabled")).wait_for()
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
    wall.click()
    lead.page.get_by_role("button", name="Remove board 2").click()
    lead.until(lambda: lead.page.locator(BOUNDARIES).count() == 1, "the boundary that is left")
    # The end of the task.
    for _press in range(2):
        lead.page.locator(".sv-room .end-task").click()
    b.locator("#task").wait_for(state="hidden")
    apps[1].get_by_role("button", name="Hand in again").click()
    apps[1].get_by_text("This task is closed").wait_for()
