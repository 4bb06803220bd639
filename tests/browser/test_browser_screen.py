"""What one sees first, on three screens."""

import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

from svmlab import solve
from svmlab.lab.board.caption import caption
from svmlab.lab.session.state import initial_history

NUMBER = re.compile(r"[0-9.]+(·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?")
FIRST_SCREEN = (
    ".svmlab-board svg.plane",
    ".svmlab-board .bar.top",
    ".svmlab-board .legend",
    ".svmlab-board .hint",
    ".st-key-preset",
    ".st-key-kernel",
    ".st-key-face",
    ".svmlab-board .sliders",
    ".st-key-exact",
    ".st-key-hard",
    ".st-key-bias",
    ".sv-figures",
    ".sv-inspector",
)
OVERFLOW = """() => { const m = document.querySelector("[data-testid=stMain]"), d = document.documentElement;
  return { height: Math.max(d.scrollHeight - innerHeight, m.scrollHeight - m.clientHeight),
           width: Math.max(d.scrollWidth - innerWidth, m.scrollWidth - m.clientWidth) }; }"""


@pytest.fixture
def board(new_board):
    """Here every test loads a page of its own."""
    return new_board()


@pytest.mark.parametrize(
    ("width", "height", "side"),
    [(1280, 800, (540, 640)), pytest.param(1920, 1080, (760, 900), marks=pytest.mark.sweep)],
)
def test_the_first_screen_shows_everything_solved_without_scrolling(new_board, width, height, side):
    board = new_board(width, height).open()
    for selector in FIRST_SCREEN:
        part = board.page.locator(selector).first
        assert part.is_visible(), selector
        box = part.bounding_box()
        assert box["x"] >= 0, selector
        assert box["y"] >= 0, selector
        assert box["x"] + box["width"] <= width, selector
        assert box["y"] + box["height"] <= height, selector
    assert board.page.evaluate(OVERFLOW) == {"height": 0, "width": 0}
    plane = board.plane.bounding_box()
    assert plane["width"] == pytest.approx(plane["height"], abs=1)
    assert side[0] <= plane["width"] <= side[1]
    assert NUMBER.fullmatch(board.figures["margin"])
    assert all(board.lines.values())
    assert board.message.count() == 0


def test_a_phone_shows_the_board_first_and_never_scrolls_sideways(new_board):
    board = new_board(390, 844, has_touch=True).open()
    assert board.page.evaluate(OVERFLOW)["width"] == 0
    plane, preset = board.plane.bounding_box(), board.widget("preset").bounding_box()
    assert plane["x"] >= 0
    assert plane["x"] + plane["width"] <= 390
    assert plane["y"] + plane["height"] < preset["y"]
    for act in ("plus", "minus", "undo", "eraser"):
        box = board.button(act).bounding_box()
        assert box["y"] > plane["y"] + plane["height"] - 1, f"{act} is not below the scene"
        assert box["y"] + box["height"] <= 844, act
        assert box["height"] >= 40, act


def test_a_tap_on_a_phone_adds_a_point(new_board):
    board = new_board(390, 844, has_touch=True).open()
    before = len(board.dots)
    with board.answered():
        board.page.touchscreen.tap(*board.at(-3, 3))
    assert len(board.dots) == before + 1


def test_the_hint_goes_with_the_first_touch_and_stays_away(board):
    board.open()
    assert board.root.locator(".hint").is_visible()
    board.click(-3, 3)
    assert not board.root.locator(".hint").is_visible()
    board.act("undo")
    assert not board.root.locator(".hint").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_board_follows_the_theme_of_the_page(new_board, scheme):
    board = new_board(color_scheme=scheme).open()
    assert board.data("theme") == scheme


def test_key_p_turns_the_projector_on_and_off(board):
    board.open()
    thin = board.root.evaluate("root => root.board.k")
    board.plane.focus()
    with board.answered():
        board.page.keyboard.press("p")
    assert board.data("projector") == "1"
    assert board.root.evaluate("root => root.board.k") > 1.2 * thin
    board.plane.focus()
    with board.answered():
        board.page.keyboard.press("p")
    assert board.data("projector") == "0"


def test_help_opens_by_its_key_and_closes_by_escape(board):
    board.open()
    board.plane.focus()
    board.press("?")
    card = board.root.locator(".card.help")
    assert card.is_visible()
    assert "undo, redo" in card.inner_text()
    board.press("Escape")
    assert not card.is_visible()
    assert board.plane.evaluate("plane => plane.matches(':focus')")


def test_a_saved_picture_is_for_paper_and_says_what_it_shows(board):
    board.open()
    kept = {}
    board.page.emulate_media(color_scheme="dark")
    try:
        board.until(lambda: board.data("theme") == "dark", "the dark theme")
        for act in ("saveSvg", "savePng"):
            board.button("save").click()
            with board.page.expect_download() as download:
                board.button(act).click()
            kept[download.value.suggested_filename] = Path(download.value.path()).read_bytes()
        assert board.data("theme") == "dark"
    finally:
        board.page.emulate_media(color_scheme="light")
    assert list(kept) == ["svmlab-linear-C-1.svg", "svmlab-linear-C-1.png"]
    svg = ElementTree.fromstring(kept["svmlab-linear-C-1.svg"])
    size, height = int(svg.get("width")), int(svg.get("height"))
    said = caption(initial_history().present, solve(initial_history().present.problem))
    assert [e.text for e in svg.iter() if e.tag.endswith(("}title", "}desc"))] == [
        " · ".join(line) for line in (said.settings, said.figures)
    ]
    below = [e.text for e in svg.iter() if e.tag.endswith("}text") and float(e.get("y")) > size]
    assert " · ".join(below) == " · ".join((*said.settings, *said.figures))
    text = kept["svmlab-linear-C-1.svg"].decode()
    assert 'fill="rgb(255, 255, 255)"' in text
    assert 'stroke="rgb(0, 0, 0)"' in text
    assert not re.search(r"color\(|https?://(?!www\.w3\.org/2000/svg)|url\((?!data:)", text)
    png = kept["svmlab-linear-C-1.png"]
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (2 * size, 2 * height)
