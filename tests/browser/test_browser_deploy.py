"""Two processes behind nginx, by the files of deploy/: whatever becomes of one, nobody loses anything and every drag
finds its pictures."""

import signal
from itertools import cycle
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from svmlab.lab.lessons.margin import LESSON
from tests.browser.test_browser_room import Phone, handed_in, open_room
from tests.conftest import missing
from tests.deployed import BEFORE, HOST, NGINX, ROOT, Site
from tests.eyes import CONNECTED, WAIT

OTHER = {"one": "two", "two": "one"}


@pytest.fixture(scope="module")
def site(tmp_path_factory, chromium):
    if NGINX is None:
        missing("no nginx is installed")
    made = Site(tmp_path_factory.mktemp("site"), read_timeout=WAIT)  # on a busy machine a process starts slowly
    yield made
    made.close()


def status(url):
    try:
        with urlopen(url) as answer:
            return answer.status
    except HTTPError as error:
        return error.code


def process(board):
    """The name of the visitor's process."""
    (name,) = (c["value"] for c in board.page.context.cookies() if c["name"] == "svmlab_process")
    return name


def drag(board):
    """A point up and down, a ringed one if there is one: pictures come past the page."""
    seen = int(board.data("frames") or 0)
    dot = min(board.dots.values(), key=lambda d: (d.cat != "margin_free", d.x**2 + d.y**2))
    board.grab(dot.x, dot.y)
    heights = cycle((0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4))

    def pictured():
        board.pull(dot.x, dot.y + next(heights), steps=2)
        return int(board.data("frames") or 0) > seen

    board.until(pictured, "a picture past the page")
    board.pull(dot.x, dot.y)
    board.drop()


def saved(board):
    """The certificate, a file that only the process of the page has."""
    tab = board.page.get_by_role("radio", name="Certificate").or_(
        board.page.get_by_role("button", name="Certificate", exact=True)
    )
    tab.first.click()
    with board.page.expect_download() as download:
        board.page.get_by_role("button", name="Save the certificate").click()
    tab.first.click()
    board.widget("opened").wait_for(state="detached")
    board.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    board.settle(frames=12)
    return Path(download.value.path()).read_text(encoding="utf-8")


def until_connected(board, points):
    board.page.locator(CONNECTED).wait_for()
    board.until(lambda: len(board.dots) == points, "the points")
    board.settle(frames=12)


def test_a_visitor_stays_with_a_process_and_goes_over_when_it_dies(site, new_board):
    board = new_board(base=site.url, offline=True).open()
    page, first = board.page, process(board)
    answer = page.request.get(f"{site.url}/lab")
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    script = page.locator("script[src]").first.get_attribute("src")
    kept = page.request.get(f"{site.url}/{script.removeprefix('./')}", headers={"Accept-Encoding": "gzip"})
    assert kept.headers["content-encoding"] == "gzip"
    assert "immutable" in kept.headers["cache-control"]
    before = saved(board)
    drag(board)

    site.processes[first].end(signal.SIGKILL)
    page.mouse.click(*board.at(-3.5, -3.5))
    until_connected(board, 61)
    assert process(board) == OTHER[first]
    drag(board)
    assert saved(board) != before

    site.processes[first].start()
    site.processes[first].ready()
    saved(board)
    drag(board)
    assert process(board) == OTHER[first], "where his websocket is"

    upgraded = site.processes[OTHER[first]]
    upgraded.end(signal.SIGTERM, keeps_socket=True)
    page.mouse.click(*board.at(3.5, -3.5))  # the message about the server lies at the top
    upgraded.start()
    until_connected(board, 62)
    assert process(board) == OTHER[first], "its port was never closed"
    drag(board)


def answer(board, step):
    """Mark the first choice of the open step, and press Show."""
    board.page.get_by_test_id("stRadioOption").first.click()
    board.settle()
    board.page.locator(f".st-key-{step.key}_show button").click()
    board.page.locator(".st-key-verdict").wait_for()
    board.until_work_ends()


def go_on(board):
    """The next step, as its button opens it."""
    board.page.locator(".st-key-next button").click()
    board.page.locator(".st-key-choices").wait_for()
    board.until_work_ends()


@pytest.mark.sweep
def test_a_tab_of_the_version_before_is_served_by_this_one(site, new_board):
    """SVMLAB_BEFORE is the checkout of that version; without it, it is this one, which has forgotten every tab."""
    for each in site.processes.values():
        each.replace(BEFORE)
    first, second, third = LESSON.steps[:3]
    board = new_board(base=site.url, offline=True).open(f"/margin?step={first.key}")
    answer(board, first)
    board.press("Home")
    dot = next(iter(board.dots.values()))
    board.grab(dot.x, dot.y).pull(dot.x + 0.3, dot.y - 0.3).drop()
    placed, verdict = board.places, board.page.locator(".st-key-verdict").inner_text()

    for each in site.processes.values():
        each.replace(ROOT)
    board.page.locator(CONNECTED).wait_for()
    board.until(lambda: board.places == placed, "the points")
    board.settle(frames=12)
    assert board.page.locator(".st-key-verdict").inner_text() == verdict, "the answer is shown as it was"
    drag(board)
    dot = next(iter(board.dots.values()))
    board.grab(dot.x, dot.y).pull(dot.x - 0.5, dot.y).drop()
    assert board.places != placed
    board.act("undo")
    assert board.places == placed
    go_on(board)
    answer(board, second)
    go_on(board)
    assert f"step={third.key}" in board.page.url


def test_a_room_is_with_the_process_of_its_lecturer_and_boards_come_from_the_other(site, new_board, new_page):
    board = new_board(base=site.url, offline=True).open("/practice?step=three-support-vectors")
    code, own = open_room(board), process(board)
    with urlopen(f"{site.url}/r/{code}/process") as answer:
        of_room = answer.read()
    with urlopen(f"http://{HOST}:{site.processes[own].port}/r/{code}/process") as answer:
        assert answer.read() == of_room
    phone = Phone(new_page(390, 844, offline=True), f"{site.url}/r/{code}")
    board.until(lambda: phone.dots == [[d.x, d.y] for d in board.dots.values()], "the points on the phone")
    drag(board)
    board.until(lambda: phone.dots == [[d.x, d.y] for d in board.dots.values()], "the dragged point on the phone")
    assert phone.page.request.get(phone.page.url.replace(code, code.lower())).url.endswith(f"/svm/r/{code}")
    # The app of a member is with the other process, which judges the board. The room of the first one takes it.
    board.page.get_by_role("button", name="Set to the class").click()
    board.page.get_by_role("button", name="Set this task").click()
    # In the place of the cookie that nginx may have set for the code in small letters.
    phone.page.context.add_cookies([{"name": "svmlab_process", "value": OTHER[own], "domain": HOST, "path": "/svm/"}])
    with phone.page.context.expect_page() as opened:
        phone.page.locator("#open").click()
    app = opened.value
    app.set_default_timeout(1000 * WAIT)
    handed_in(app, 1)
    assert {c["value"] for c in app.context.cookies() if c["name"] == "svmlab_process"} == {OTHER[own]}
    wall = board.page.locator(".sv-room .to-wall")
    board.until(lambda: wall.inner_text() == "Wall: 1 handed in, 0 passed", "the board")
    site.processes[own].end(signal.SIGKILL)
    board.page.reload()
    board.loaded()
    board.until(lambda: wall.inner_text() == "Wall: 1 handed in, 0 passed", "the board, in the process that is left")
    site.processes[own].start()
    site.processes[own].ready()
    with pytest.raises(HTTPError, match="413"):
        urlopen(f"{site.url}/r/{code}/hand", b"x" * 20_000)


def test_below_a_room_stands_the_app_and_what_is_for_the_keeper_does_not(site, new_board):
    board = new_board(base=f"{site.url}/r/K7Q4").open()
    drag(board)
    board.page.goto(f"{board.base}/non/sense")
    board.page.locator("h1", has_text="No such page").wait_for()
    assert board.page.url.startswith(f"{board.base}/non-sense")
    assert not [c for c in board.page.context.cookies() if c["name"] == "svmlab_process"], "its code decides"
    for below in ("", "/r/K7Q4"):
        assert {status(f"{site.url}{below}/{path}") for path in ("_stcore/metrics", "ready")} == {403}
