"""The link, when a server dies, is of another version, or cannot read it: no point is lost."""

import pytest
from playwright.sync_api import Error as PlaywrightError

from svmlab.lab.board import component
from svmlab.lab.frame import GROUPS, PAGES
from svmlab.lab.session import inbox, share
from tests.browser.linked import GOOD, LAB, edited, looked_at, state, to_guide, visible_state
from tests.conftest import ROOT, Server
from tests.eyes import CONNECTED, restarted


@pytest.fixture
def board(new_board):
    """Here every test loads a page of its own."""
    return new_board()


@pytest.fixture(scope="module")
def one_server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("mortal") / "log.txt")
    yield server
    server.kill()


@pytest.fixture
def mortal(one_server):
    """A server that is there, which tests kill and start again."""
    if one_server.process is None:
        one_server.start()
    return one_server


def settings(board):
    lab = share.decode(board.link)
    return lab.kernel, lab.bias


OWN = "3"
# A server of another version: it reads and writes links of a version of its own, and its board has other files.
OTHER = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from svmlab.lab.board import component
from svmlab.lab.session import share
share.VERSION, share.READERS = {own!r}, {{{own!r}: share.READERS["1"]}}
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
    program.write_text(OTHER.format(root=str(ROOT), package=str(package), own=OWN))
    server.program = [str(program)]
    return server


def test_a_killed_server_brings_selection_and_pinned_fit_back(mortal, new_board):
    board = looked_at(new_board(base=mortal.url, offline=True))
    before = visible_state(board)
    restarted(mortal, board)
    assert visible_state(board) == before


def test_a_killed_server_brings_both_boards_back(mortal, new_board):
    board = new_board(base=mortal.url, offline=True).open()
    with board.answered():
        board.page.get_by_text("Second board", exact=True).click()
    board.choose("kernel", "Gaussian")
    board.click(-3, 3)
    read = "root => [...root.querySelectorAll('.lines path')].map(path => path.getAttribute('d'))"
    before, names = board.root.evaluate(read), board.root.locator(".names").inner_text()
    restarted(mortal, board)
    board.page.locator(".sv-pair").wait_for()
    assert (board.root.evaluate(read), board.root.locator(".names").inner_text()) == (before, names)


@pytest.mark.parametrize("where", ["lab", "guide"])
def test_the_board_survives_a_killed_server(mortal, new_board, where):
    board = edited(new_board(base=mortal.url, offline=True))
    before, link, boot = state(board), board.link, board.root.evaluate("root => root.board.boot")
    if where == "guide":
        to_guide(board)
    mortal.kill()
    mortal.start()
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


# Every text that stands on the page at any time, be it for a moment; and what of it has gone.
WATCH = """
  const read = (node, said) => {
    if (node.nodeType === Node.TEXT_NODE) said.add(node.data.trim());
    if (node.shadowRoot) read(node.shadowRoot, said);
    for (const child of node.childNodes) read(child, said);
    return said;
  };
  const seen = new Set();
  new MutationObserver(() => read(document, seen)).observe(document, {childList: true, subtree: true, characterData: true});
  window.gone = () => [...seen].filter((text) => !read(document, new Set()).has(text));
"""


@pytest.mark.parametrize("path", ["/guide", *(pytest.param(p, marks=pytest.mark.sweep) for p in ("/lab", "/"))])
def test_any_page_may_be_the_first_request_of_a_fresh_server_and_no_file_is_named(new_server, new_board, path):
    board = new_board(base=new_server().url)
    board.page.add_init_script(WATCH)
    board.page.goto(f"{board.base}{path}?s={GOOD}")
    if path == "/guide":
        board.page.get_by_text("Conventions").wait_for()
        board.settle()
        assert not {"app", *PAGES} & set(board.page.evaluate("gone()"))
        board.page.get_by_test_id("stPageLink").get_by_text("To the lab").click()
        board.plane.wait_for()
    board.loaded()
    assert board.places == [(p.label, p.x / 1000, p.y / 1000) for p in LAB.points]
    assert board.page.get_by_test_id("stException").count() == 0
    assert path == "/guide" or not {"app", *PAGES} & set(board.page.evaluate("gone()"))
    board.page.locator(".sv-nav .bar [data-panel]").first.wait_for(state="attached")
    assert board.page.locator(".sv-nav .bar [data-panel]").count() == sum(
        len(pages) > 1 for pages in GROUPS.values()
    ), "each group of several pages but the first, and the notation"


def test_a_point_placed_while_the_server_is_away_is_not_lost(mortal, new_board):
    board = new_board(base=mortal.url, offline=True).open()
    board.click(-3, 3)
    boot = board.root.evaluate("root => root.board.boot")
    mortal.kill()
    board.page.get_by_test_id("stStatusWidget").wait_for()
    assert board.page.get_by_role("button", name="Room for the class").is_hidden(), "Streamlit's sign lies over it"
    board.page.mouse.click(*board.at(-3, 2))
    assert len(board.dots) == 62, "it is drawn at once"
    before = board.places
    mortal.start()
    board.until(
        lambda: board.root.count() == 1 and board.root.evaluate("r => r.board?.boot") not in (None, boot),
        "a new session",
    )
    board.settle(frames=12)
    assert board.places == before
    assert len(share.decode(board.link).points) == 62


def edited_while_away(server, board):
    """Five points placed while the server is away, and what the address bar says then."""
    board.open()
    board.click(-3, 3)
    server.kill()
    for y in (2, 1, 0, -1, -2):
        board.page.mouse.click(*board.at(-3, y))
    assert len(board.dots) == 66, "they are drawn at once"
    return board.places, board.page.url


def open_again(board, address):
    """Open an address that the browser could not reach. Its page of errors may do so itself at the same moment."""
    try:
        board.page.goto(address)
    except PlaywrightError as error:
        if "interrupted by another navigation" not in str(error):
            raise


def test_points_placed_while_the_server_is_away_survive_a_reload(mortal, new_board):
    board = new_board(base=mortal.url, offline=True)
    before, address = edited_while_away(mortal, board)
    with pytest.raises(PlaywrightError, match="REFUSED"):
        board.page.reload()
    mortal.start()
    open_again(board, address)
    board.loaded()
    assert board.places == before
    assert len(share.decode(board.link).points) == 66, "the server has them, and the address too"
    board.page.reload()
    board.loaded()
    assert board.places == before
    board.press("Control+z")
    assert len(board.dots) == 61, "undo survives a reload, and what was placed while the server was away is one step"


def test_a_slider_moved_while_the_server_is_away_survives_a_reload(mortal, new_board):
    board = new_board(base=mortal.url, offline=True).open()
    slider = board.root.locator("input[type=range]").first
    mortal.kill()
    slider.press("ArrowRight")
    moved, address = slider.input_value(), board.page.url
    with pytest.raises(PlaywrightError, match="REFUSED"):
        board.page.reload()
    mortal.start()
    open_again(board, address)
    board.loaded()
    assert slider.input_value() == moved
    assert share.decode(board.link).value == pytest.approx(10 ** float(moved), rel=1e-3)


def test_another_link_that_is_opened_after_an_outage_gets_none_of_the_points_placed_meanwhile(mortal, new_board):
    board = new_board(base=mortal.url, offline=True)
    edited_while_away(mortal, board)
    mortal.start()
    board.page.goto(f"{board.base}/lab?s={GOOD}")
    board.loaded()
    assert board.places == [(p.label, p.x / 1000, p.y / 1000) for p in LAB.points]


@pytest.mark.parametrize(
    "css",
    [
        pytest.param("", id="same style sheet", marks=pytest.mark.sweep),
        pytest.param("/* newer */", id="other style sheet"),
    ],
)
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
    assert f"begins with '1', and this version reads only what begins with {OWN}" in board.message.inner_text()
    assert share.KEPT in board.message.inner_text()
    assert not board.figures["margin"].startswith("–"), "the points are on the server's board too"
    server.program = ["-m", "streamlit"]
    restarted(server, board)
    assert board.places == places
    assert settings(board) == ("gaussian", False), "back again, nothing is lost"
    board.press("2", "1")
    restarted(other(server, tmp_path, css), board)
    board.click(-3.5, 3.5)
    assert len(board.dots) == 62
    assert board.link.startswith(OWN)
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
    assert board.link.startswith(OWN), "something was placed: the new board is in the address"


def test_on_a_page_without_a_board_the_points_and_the_address_are_kept_too(new_server, new_board, tmp_path):
    server = new_server()
    board = edited(new_board(base=server.url, offline=True))
    places, link = board.places, board.link
    to_guide(board)
    restarted(other(server, tmp_path), board, lambda: board.page.keyboard.press("p"))
    assert board.link == link
    board.page.get_by_test_id("stPageLink").get_by_text("To the lab").click()
    board.plane.wait_for()
    board.settle(frames=12)
    assert board.places == places
    assert board.link == link
    assert share.KEPT in board.message.inner_text()


def test_a_link_of_an_unknown_version_stays_in_the_address_until_something_is_placed(board):
    unknown = "7" + GOOD[1:]
    board.open("/lab?s=" + unknown)
    assert "begins with '7', and this version reads only what begins with 1 or 2" in board.message.inner_text()
    assert share.EMPTY in board.message.inner_text()
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


# Nested deeper than Python reads, than it copies, and than any event of the board; a number too long for it; not a
# message.
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
        assert board.message.inner_text() == inbox.GARBLED
        board.click(-3.5, 3.5)
        board.press("Control+z")
        assert board.message.count() == 0
        assert board.places == before
    assert board.page.get_by_test_id("stException").count() == 0
    assert "Error" not in app.log.read_text(errors="replace")[log:]


def test_a_page_that_was_only_looked_at_meets_a_restarted_server_as_soon_as_a_point_is_placed(mortal, new_board):
    board = new_board(base=mortal.url, offline=True).open()
    restarted(mortal, board, lambda: board.page.mouse.click(*board.at(-3.5, 3.5)))
    assert len(board.dots) == 61
    assert len(share.decode(board.link).points) == 61
    assert board.message.count() == 0
