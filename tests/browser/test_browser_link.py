"""The link is the whole board: it survives reloads, pages, and the death of the server."""

import pytest

from svmlab.lab import text
from svmlab.lab.board import component
from svmlab.lab.session import share
from svmlab.lab.session.state import Lab, Point
from tests.conftest import ROOT

LAB = Lab(
    points=(Point(1, 1234, -567, 1), Point(2, -2000, 1999, -1), Point(3, 5, 0, 1)),
    kernel="gaussian",
    sigma=0.63,
    value=7.5,
    preset="moons",
)
GOOD = share.encode(LAB)
CONNECTED = "[data-testid=stApp][data-test-connection-state=CONNECTED]"


@pytest.fixture
def board(new_board):
    """Here every test loads a page of its own."""
    return new_board()


def edited(board):
    """A board with a new point, another kernel and no bias."""
    board.open()
    board.click(-3, 3)
    board.choose("kernel", "Gaussian")
    board.switch("bias")
    return board


def state(board):
    """What must survive."""
    return board.places, board.figures, board.lines


def settings(board):
    lab = share.decode(board.link)
    return lab.kernel, lab.bias


# A server of another version: it reads and writes links of version 2 only, and its board has other files.
OTHER = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from svmlab.lab.board import component
from svmlab.lab.session import share
share.VERSION, share.READERS = "2", {{"2": share.READERS["1"]}}
component.PACKAGE = Path({package!r})
from streamlit.web.cli import main
main()
"""
NEWER = "\nwindow.newer = true;\n"  # in a module that the board's main.js reaches through others


def other(server, folder, css=""):
    """From its next start on the server is of another version."""
    package = folder / "svmlab"
    if not package.exists():
        for part in (component.PACKAGE / "pyproject.toml", *component.PACKAGE.glob("lab/**/js/*")):
            copy = package / part.relative_to(component.PACKAGE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(part.read_text() + {"numbers.js": NEWER, "board.css": css}.get(part.name, ""))
    program = folder / "other.py"
    program.write_text(OTHER.format(root=str(ROOT), package=str(package)))
    server.program = [str(program)]
    return server


def restarted(server, board, meet=lambda: None):
    """The server killed and started again, and a new session that has answered on the page that is open.

    meet: what makes the page speak; Streamlit does so by itself if the last thing it ran was a part of the page.
    """
    boot = board.root.evaluate("root => root.board.boot")
    server.kill()
    server.start()
    board.page.locator(CONNECTED).wait_for()
    meet()
    board.until(
        lambda: board.root.count() == 1 and board.root.evaluate("r => r.board?.boot") not in (None, boot),
        "a new session",
    )
    board.settle(frames=12)


def to_guide(board):
    board.page.get_by_test_id("stTopNavLink").get_by_text("Guide").click()
    board.page.get_by_text("Conventions").wait_for()
    board.settle()


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
    board.open("/?s=" + GOOD)
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


@pytest.mark.parametrize("where", ["lab", "guide"])
def test_the_board_survives_a_killed_server(new_server, new_board, where):
    server = new_server()
    board = edited(new_board(base=server.url, offline=True))
    before, link, boot = state(board), board.link, board.root.evaluate("root => root.board.boot")
    if where == "guide":
        to_guide(board)
    server.kill()
    server.start()
    board.page.locator(CONNECTED).wait_for()
    if where == "guide":
        board.page.get_by_test_id("stPageLink").get_by_text("To the lab").click()
        board.plane.wait_for()
    board.until(
        lambda: board.root.count() == 1 and board.root.evaluate("root => root.board?.boot") not in (None, boot),
        "a new session",
    )
    board.settle(frames=12)
    assert board.link == link
    assert state(board) == before
    assert settings(board) == ("gaussian", False)
    board.click(-3.5, 3.5)
    assert len(board.dots) == 62, "and it goes on"


@pytest.mark.parametrize("path", ["/guide", "/"])
def test_any_page_may_be_the_first_request_of_a_fresh_server(new_server, new_board, path):
    board = new_board(base=new_server().url)
    board.page.goto(f"{board.base}{path}?s={GOOD}")
    if path == "/guide":
        board.page.get_by_text("Conventions").wait_for()
        board.settle()
        board.page.get_by_test_id("stPageLink").get_by_text("To the lab").click()
        board.plane.wait_for()
    board.loaded()
    assert board.places == [(p.label, p.x / 1000, p.y / 1000) for p in LAB.points]
    assert board.page.get_by_test_id("stException").count() == 0
    assert board.page.get_by_test_id("stTopNavLink").count() == len(text.PAGES)


def test_a_point_placed_while_the_server_is_away_is_not_lost(new_server, new_board):
    server = new_server()
    board = new_board(base=server.url, offline=True).open()
    board.click(-3, 3)
    boot = board.root.evaluate("root => root.board.boot")
    server.kill()
    board.page.mouse.click(*board.at(-3, 2))
    assert len(board.dots) == 62, "it is drawn at once"
    before = board.places
    server.start()
    board.until(lambda: board.root.count() == 1 and board.root.evaluate("r => r.board.boot") != boot, "a new session")
    board.settle(frames=12)
    assert board.places == before
    assert len(share.decode(board.link).points) == 62


@pytest.mark.parametrize("css", ["", "/* newer */"], ids=["same style sheet", "other style sheet"])
def test_a_server_that_cannot_read_the_link_takes_the_points_and_leaves_the_address(
    new_server, new_board, tmp_path, css
):
    server = new_server()
    board = edited(new_board(base=server.url, offline=True))
    places, link = board.places, board.link
    board.root.evaluate("root => { window.earlier = root.board; }")
    restarted(other(server, tmp_path, css), board)
    assert not board.page.evaluate("window.earlier.alive"), "what the earlier script listens to is let go of"
    assert board.page.evaluate("window.newer"), "every module is the newer server's"
    assert board.places == places
    assert board.link == link
    assert "its version is '1', and this server reads version 2" in board.message.inner_text()
    assert text.LINK_POINTS in board.message.inner_text()
    assert not board.figures["margin"].startswith("–"), "the points are on the server's board too"
    server.program = ["-m", "streamlit"]
    restarted(server, board)
    assert board.places == places
    assert settings(board) == ("gaussian", False), "back again, nothing is lost"
    board.press("2", "1")
    restarted(other(server, tmp_path, css), board)
    board.click(-3.5, 3.5)
    assert len(board.dots) == 62
    assert board.link.startswith("2")
    board.press("Control+z")
    assert board.places == places


def test_a_point_placed_meanwhile_is_on_the_board_of_a_server_that_cannot_read_the_link(
    new_server, new_board, tmp_path
):
    server = new_server()
    board = new_board(base=server.url, offline=True).open()
    board.click(-3, 3)
    boot = board.root.evaluate("root => root.board.boot")
    server.kill()
    board.page.mouse.click(*board.at(-3, 2))
    before = board.places
    other(server, tmp_path).start()
    board.until(
        lambda: board.root.count() == 1 and board.root.evaluate("r => r.board?.boot") not in (None, boot),
        "a new session",
    )
    board.settle(frames=12)
    assert board.places == before
    assert len(before) == 62
    assert board.link.startswith("2"), "something was placed: the new board is in the address"


def test_on_a_page_without_a_board_the_points_and_the_address_are_kept_too(new_server, new_board, tmp_path):
    server = new_server()
    board = edited(new_board(base=server.url, offline=True))
    places, link = board.places, board.link
    to_guide(board)
    restarted(other(server, tmp_path), board, lambda: to_guide(board))
    assert board.link == link
    board.page.get_by_test_id("stPageLink").get_by_text("To the lab").click()
    board.plane.wait_for()
    board.settle(frames=12)
    assert board.places == places
    assert board.link == link
    assert text.LINK_POINTS in board.message.inner_text()


def test_a_link_of_an_unknown_version_stays_in_the_address_until_something_is_placed(board):
    unknown = "7" + GOOD[1:]
    board.open("/?s=" + unknown)
    assert "its version is '7', and this server reads version 1" in board.message.inner_text()
    assert text.LINK_EMPTY in board.message.inner_text()
    board.press("2")
    assert board.link == unknown, "choosing a class places nothing"
    to_guide(board)
    assert board.link == unknown
    board.page.reload()
    board.page.get_by_text("Conventions").wait_for()
    board.settle()
    assert board.link == unknown
    board.page.get_by_test_id("stPageLink").get_by_text("To the lab").click()
    board.plane.wait_for()
    board.settle(frames=12)
    assert board.link == unknown
    board.click(1, 1)
    assert [(p.x, p.y) for p in share.decode(board.link).points] == [
        (round(1000 * x), round(1000 * y)) for _, x, y in board.places
    ]


# Nested deeper than Python reads, than it copies, and than any event of the board; a number too long for it; not a message.
UNREADABLE = [
    "(() => { let n = []; for (let i = 0; i < 5000; i++) n = [n]; return n; })()",
    "(() => { let n = {}; for (let i = 0; i < 600; i++) n = {n}; return n; })()",
    "(() => { let n = {}; for (let i = 0; i < 25; i++) n = {n}; return n; })()",
    "JSON.rawJSON('9'.repeat(5000))",
    "'message'",
]


def test_an_event_that_python_cannot_read_is_a_message_on_the_board(app, board):
    board.open()
    before, log = board.places, len(app.log.read_text(errors="replace"))
    wrapped = [f"{{boot: s.data.boot, seq: s.data.ack + 1, ops: [{value}]}}" for value in UNREADABLE]
    for value in (*UNREADABLE, *wrapped):
        with board.answered():
            board.root.evaluate(f"root => {{ const s = root.board; s.set('event', {value}); }}")
        assert board.message.inner_text() == text.MALFORMED
        board.click(-3.5, 3.5)
        board.press("Control+z")
        assert board.message.count() == 0
        assert board.places == before
    assert board.page.get_by_test_id("stException").count() == 0
    assert "Error" not in app.log.read_text(errors="replace")[log:]


def test_a_page_that_was_only_looked_at_meets_a_restarted_server_as_soon_as_a_point_is_placed(new_server, new_board):
    server = new_server()
    board = new_board(base=server.url, offline=True).open()
    restarted(server, board, lambda: board.page.mouse.click(*board.at(-3.5, 3.5)))
    assert len(board.dots) == 61
    assert len(share.decode(board.link).points) == 61
    assert board.message.count() == 0
