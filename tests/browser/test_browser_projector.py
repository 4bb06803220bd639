"""In front of a class: on every page type and contrast are measured, nothing is cut or covered, and the mode is left
again."""

from __future__ import annotations

import pytest

from svmlab.lab.bench.tabs import TABS
from svmlab.lab.frame import FIRST, PAGES
from tests.browser import measure
from tests.browser.measure import MODES
from tests.lessons import LESSONS

HALLS = [mode for mode, (*_, projected, _) in MODES.items() if projected]
OTHERS = [page for page in PAGES if page not in {lesson.page for lesson in LESSONS}]  # these are walked step by step
LONG = {"statements", "glossary"}  # on the smaller screen alone
OPENED = {  # what can be opened in the lab, and what shows that it is
    "Points": "[data-testid=stDataFrame]",
    "Certificate": "table",
    "Code": "[data-testid=stCode]",
    "Controls": ".st-key-preset",
}
TOOLS = ("undo", "given", "zoomOut", "zoomIn", "fit", "project", "save", "share", "help")


def address(page: str) -> str:
    return "/" if page == FIRST else f"/{page}"


def projected(new_board, page: str, mode: str):
    """A page in front of a class."""
    width, height, _, theme = MODES[mode]
    return entered(new_board(width, height, reduced_motion="reduce", color_scheme=theme).open(address(page)))


def entered(board, key: str = "p"):
    board.page.keyboard.press(key)
    board.page.locator(".sv-projected").wait_for(state="attached")
    return board.settle(frames=12)


def inside(part, whole) -> bool:
    """Whether a box lies in another."""
    a, b = part.bounding_box(), whole.bounding_box()
    return all(a[o] >= b[o] - 1 and a[o] + a[s] <= b[o] + b[s] + 1 for o, s in (("x", "width"), ("y", "height")))


def apart(one, other) -> bool:
    """Whether two boxes share no place."""
    a, b = one.bounding_box(), other.bounding_box()
    return any(a[o] + a[s] <= b[o] or b[o] + b[s] <= a[o] for o, s in (("x", "width"), ("y", "height")))


def test_the_lab_can_be_read_from_the_back_row_and_nothing_is_missing_or_covered(new_board):
    board = new_board(1280, 720, reduced_motion="reduce").open("/lab")
    page, before = board.page, board.plane.bounding_box()["width"]
    entered(board)
    side = board.plane.bounding_box()["width"]
    assert side > 0.8 * 720 > 1.2 * before
    assert all(board.button(act).is_visible() for act in TOOLS)
    assert len({board.button(act).bounding_box()["y"] for act in TOOLS}) == 1
    bench, figures = page.locator(".st-key-bench"), page.locator(".sv-figures")
    assert measure.wrong(page, projector=True) == []
    for name, there in OPENED.items():
        board.widget("tab").get_by_text(name, exact=True).first.click()
        page.locator(f".st-key-opened {there}").first.wait_for()
        board.settle(frames=12)
        assert measure.wrong(page, projector=True) == [], name
        assert inside(page.locator(".st-key-opened").locator(".."), bench), name
        assert board.plane.bounding_box()["width"] == side
    page.locator(".stPopover").get_by_role("button", name="Sample").click()
    sample = page.get_by_test_id("stPopoverBody")
    sample.get_by_role("button", name="New sample").wait_for()
    assert measure.wrong(page, projector=True) == []
    assert apart(sample, figures)
    assert apart(sample, board.plane)
    page.keyboard.press("Escape")
    with board.answered():
        board.widget("compare").get_by_text("Pinned fit", exact=True).first.click()
    assert page.locator(".sv-figure em").count() == 6
    assert measure.wrong(page, projector=True) == []
    page.set_viewport_size({"width": 1280, "height": 800})  # larger type in the same width
    board.settle(frames=12)
    assert measure.wrong(page, projector=True) == []
    assert apart(board.button("help"), page.get_by_role("button", name="Pages"))


@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["room", "hall"])
def test_two_boards_can_be_read_with_every_tab(new_board, mode):
    width, height, _, theme = MODES[mode]
    board = new_board(width, height, reduced_motion="reduce", color_scheme=theme).open("/lab")
    with board.answered():
        board.page.get_by_text("Second board", exact=True).click()
    board.page.locator(".sv-pair").wait_for()
    entered(board.choose("kernel", "polynomial"))
    for name, there in {**OPENED, "Error map": ".js-plotly-plot", "My boards": "[data-act=keep]"}.items():
        tabs = board.widget("tab").get_by_role("radio")
        assert all(tab.is_visible() for tab in tabs.all())
        assert tabs.count() == 1 + len(TABS)
        tabs.get_by_text(name, exact=True).click()
        board.page.locator(f".st-key-opened {there}").first.wait_for()
        board.until_work_ends()
        board.settle(frames=12)
        assert measure.wrong(board.page, projector=True) == [], name
    assert board.plane.first.bounding_box()["width"] > 0.6 * height


@pytest.mark.parametrize(("width", "height"), [(1280, 800), pytest.param(1440, 900, marks=pytest.mark.sweep)])
def test_beside_two_boards_every_field_shows_its_value(new_board, width, height):
    board = new_board(width, height, reduced_motion="reduce").open("/lab")
    with board.answered():
        board.page.get_by_text("Second board", exact=True).click()
    board.choose("kernel", "polynomial").settle(frames=12)
    assert measure.wrong(board.page, projector=False) == []
    for key in ("degree", "coef0", "scale"):
        field = board.widget(key).locator("input")
        assert field.is_enabled()
        assert field.evaluate("field => field.scrollWidth <= field.clientWidth && field.clientWidth > 40"), key


def test_every_way_in_leads_out_where_there_is_no_board(new_board):
    board = new_board(1280, 720, reduced_motion="reduce").open("/guide")
    page, on = board.page, board.page.locator(".sv-projected")
    for enter, leave in (("p", "Escape"), ("p", "p"), ("project", "project")):
        for act, state in ((enter, "attached"), (leave, "detached")):
            if act == "project":
                board.act(act)
            else:
                page.keyboard.press(act)
            on.wait_for(state=state)
            board.settle(frames=12)
            if state == "attached":
                assert measure.wrong(page, projector=True) == []
    entered(board)
    page.get_by_role("link", name="To the lab").click()
    board.until(lambda: board.data("projector") == "1", "the lab in front of a class")


def test_a_key_before_the_board_is_there_is_not_lost(new_board):
    board = new_board()
    routes, waiting = [], True
    board.page.route("**/main.js", lambda route: routes.append(route) if waiting else route.continue_())
    board.page.goto(f"{board.base}/lab")
    board.page.wait_for_function("window.svmlabKeys")
    board.page.keyboard.press("p")
    waiting = False
    for route in routes:
        route.continue_()
    board.loaded()
    board.page.locator(".sv-projected").wait_for(state="attached")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("page", "mode"), [(page, mode) for page in OTHERS for mode in HALLS if page not in LONG or mode == "room"]
)
def test_every_page_can_be_read_from_the_back_row(new_board, page, mode):
    board = projected(new_board, page, mode)
    assert "\n".join(measure.wrong_on_the_way(board.page)) == ""
    board.page.locator("[data-testid=stMain]").evaluate("main => { main.scrollTop = 0; }")
    board.press("Escape")
    board.page.locator(".sv-projected").wait_for(state="detached")
    board.act("project")
    board.page.locator(".sv-projected").wait_for(state="attached")
    board.settle(frames=12).act("share")
    board.page.get_by_role("dialog").get_by_role("img").first.wait_for()
    assert measure.wrong(board.page, projector=True, within="[data-testid=stDialog]") == []
