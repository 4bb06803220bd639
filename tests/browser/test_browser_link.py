"""The link is the whole board: it survives reloads, pages, and the death of the server."""

import pytest
import segno

from svmlab.lab.board import component
from svmlab.lab.frame import GROUPS, PAGES
from svmlab.lab.session import share, tab
from svmlab.lab.session.state import Lab, Point
from tests.conftest import ROOT, Server
from tests.eyes import CONNECTED, restarted

LAB = Lab(
    points=(Point(1, 1234, -567, 1), Point(2, -2000, 1999, -1), Point(3, 5, 0, 1)),
    kernel="gaussian",
    sigma=0.63,
    value=7.5,
    preset="moons",
)
GOOD = share.encode(LAB)


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


def to_guide(board):
    bar = board.page.get_by_role("navigation", name="Pages")
    bar.get_by_role("button", name="Help").click()
    bar.get_by_role("link", name="Guide").click()
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


@pytest.mark.every_step
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


@pytest.mark.every_step
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


@pytest.mark.every_step
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


@pytest.mark.every_step
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


def looked_at(board):
    """A point selected, a fit pinned, then C changed: what one sees besides the board."""
    board.open()
    with board.answered():
        board.page.get_by_text("Ghost", exact=True).click()
    board.type("exact", "0.05")
    _, x, y = board.places[3]
    board.click(x, y)
    return board


def seen(board):
    pinned = board.root.locator(".pin path").evaluate_all("paths => paths.map(p => p.getAttribute('d'))")
    rows = [*board.dots].index(int(board.data("selected")))
    return rows, pinned, board.page.locator(".sv-inspector").inner_text(), state(board), board.page.url


@pytest.mark.every_step
def test_a_reload_brings_selection_and_pinned_fit_back(board):
    before = seen(looked_at(board))
    assert before[1]
    assert "select=4" in board.page.url
    assert "pin=value:1" in board.page.url, "on the same points a pinned fit is its settings"
    board.page.reload()
    board.loaded()
    assert seen(board) == before


@pytest.mark.every_step
def test_a_killed_server_brings_selection_and_pinned_fit_back(mortal, new_board):
    board = looked_at(new_board(base=mortal.url, offline=True))
    before = seen(board)
    restarted(mortal, board)
    assert seen(board) == before


@pytest.mark.every_step
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
    field = board.page.locator(".sv-share input")
    field.wait_for()
    assert field.input_value() == board.page.url
    assert "127.0.0.1" in board.page.get_by_role("dialog").get_by_role("alert").inner_text(), "phones do not reach it"
    modules = segno.make(board.page.url, error="l", micro=False).symbol_size(border=4)[0]
    small = board.page.locator(".sv-share > .picture").bounding_box()
    assert small["width"] / modules > 4, "pixels of a module: a phone reads it"
    board.page.keyboard.press("q")
    large = board.page.locator(".sv-share dialog .picture").bounding_box()
    assert large["height"] > 0.9 * board.page.viewport_size["height"]
    board.page.keyboard.press("Escape")
    assert not board.page.locator(".sv-share dialog").evaluate("dialog => dialog.open")
    board.page.get_by_text("The pinned fit").click()
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


@pytest.mark.parametrize("where", ["lab", pytest.param("guide", marks=pytest.mark.every_step)])
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


@pytest.mark.every_step
@pytest.mark.parametrize("path", ["/guide", "/lab", "/"])
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
    assert board.page.locator(".sv-nav .bar [data-panel]").count() == len(GROUPS) - 1


@pytest.mark.every_step
def test_a_point_placed_while_the_server_is_away_is_not_lost(mortal, new_board):
    board = new_board(base=mortal.url, offline=True).open()
    board.click(-3, 3)
    boot = board.root.evaluate("root => root.board.boot")
    mortal.kill()
    board.page.mouse.click(*board.at(-3, 2))
    assert len(board.dots) == 62, "it is drawn at once"
    before = board.places
    mortal.start()
    board.until(lambda: board.root.count() == 1 and board.root.evaluate("r => r.board.boot") != boot, "a new session")
    board.settle(frames=12)
    assert board.places == before
    assert len(share.decode(board.link).points) == 62


@pytest.mark.every_step
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
    assert f"its version is '1', and this server reads version {OWN}" in board.message.inner_text()
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


@pytest.mark.every_step
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


@pytest.mark.every_step
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


@pytest.mark.every_step
def test_a_link_of_an_unknown_version_stays_in_the_address_until_something_is_placed(board):
    unknown = "7" + GOOD[1:]
    board.open("/lab?s=" + unknown)
    assert "its version is '7', and this server reads version 1" in board.message.inner_text()
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


# Nested deeper than Python reads, than it copies, and than any event of the board; a number too long for it; not a message.
UNREADABLE = [
    "(() => { let n = []; for (let i = 0; i < 5000; i++) n = [n]; return n; })()",
    "(() => { let n = {}; for (let i = 0; i < 600; i++) n = {n}; return n; })()",
    "(() => { let n = {}; for (let i = 0; i < 25; i++) n = {n}; return n; })()",
    "JSON.rawJSON('9'.repeat(5000))",
    "'message'",
]


@pytest.mark.every_step
def test_an_event_that_python_cannot_read_is_a_message_on_the_board(app, board):
    board.open()
    before, log = board.places, len(app.log.read_text(errors="replace"))
    wrapped = [f"{{boot: s.data.boot, seq: s.data.ack + 1, ops: [{value}]}}" for value in UNREADABLE]
    for value in (*UNREADABLE, *wrapped):
        with board.answered():
            board.root.evaluate(f"root => {{ const s = root.board; s.set('event', {value}); }}")
        assert board.message.inner_text() == tab.GARBLED
        board.click(-3.5, 3.5)
        board.press("Control+z")
        assert board.message.count() == 0
        assert board.places == before
    assert board.page.get_by_test_id("stException").count() == 0
    assert "Error" not in app.log.read_text(errors="replace")[log:]


@pytest.mark.every_step
def test_a_page_that_was_only_looked_at_meets_a_restarted_server_as_soon_as_a_point_is_placed(mortal, new_board):
    board = new_board(base=mortal.url, offline=True).open()
    restarted(mortal, board, lambda: board.page.mouse.click(*board.at(-3.5, 3.5)))
    assert len(board.dots) == 61
    assert len(share.decode(board.link).points) == 61
    assert board.message.count() == 0
