"""From page to page: a bar of groups, one button where there is no room for it, and the same session everywhere."""

import pytest

from svmlab.lab.frame import GROUPS, PAGES
from tests.browser.measure import MODES

# What is drawn, of toolbar, strip and sheet, where the button's sign is.
OVER = """sign => {
  const inside = (root) => [...root.querySelectorAll("*")].flatMap((e) => e.shadowRoot ? [e, ...inside(e.shadowRoot)] : [e]);
  const { left, right, top, bottom } = sign.getBoundingClientRect();
  return inside(document).filter((e) => {
    const r = e.getBoundingClientRect();
    return e.matches("path, circle, p, span, i") && !sign.contains(e) && e.checkVisibility()
      && r.width && r.left < right && r.right > left && r.top < bottom && r.bottom > top;
  }).map((e) => e.outerHTML.slice(0, 90));
}"""

SIZES = "all => all.map(a => parseFloat(getComputedStyle(a).fontSize))"


@pytest.fixture
def board(new_board):
    """Here every test loads a page of its own."""
    return new_board()


def shown(page):
    """Which menus and sheets are open."""
    return page.locator(".sv-nav :is(.menu, .sheet)").evaluate_all("all => all.filter(e => !e.hidden).map(e => e.id)")


def links(page):
    return page.locator(".sv-nav .sheet a")


def current(page):
    return page.locator(".sv-nav a[aria-current=page]:visible").all_inner_texts()


def test_menus_open_by_click_and_key_and_close_by_escape_outside_and_a_choice(board):
    board.open()
    page, bar = board.page, board.page.get_by_role("navigation", name="Pages")
    lessons, statements = bar.get_by_role("button", name="Lessons"), bar.get_by_role("button", name="Statements")
    bar.wait_for()
    assert current(page) == ["Lab"]
    lessons.click()
    assert shown(page) == [lessons.get_attribute("aria-controls")]
    assert lessons.get_attribute("aria-expanded") == "true"
    names = [PAGES[name] for name in GROUPS["Lessons"]]
    assert page.locator(".sv-nav .menu a:visible").all_inner_texts() == names
    statements.click()
    assert shown(page) == [statements.get_attribute("aria-controls")], "one at a time"
    page.keyboard.press("Escape")
    assert shown(page) == []
    assert statements.evaluate("button => button.matches(':focus')")
    assert statements.get_attribute("aria-expanded") == "false"
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    assert bar.get_by_role("link", name="Sources").evaluate("link => link.matches(':focus')")
    page.keyboard.press("Tab")
    assert shown(page) == [], "left behind"
    lessons.press("Enter")
    before = board.places
    page.mouse.click(*board.at(-3.5, 3.5))
    assert shown(page) == []
    board.settle()
    assert len(board.places) == len(before) + 1, "a menu is no veil"
    assert page.get_by_test_id("stHeader").bounding_box()["height"] == 60
    assert page.locator(".sv-nav").bounding_box()["height"] == 60


def test_a_choice_changes_the_page_within_the_session_and_back_and_forward_follow(board):
    board.open()
    page, bar = board.page, board.page.get_by_role("navigation", name="Pages")
    board.click(-3.5, 3.5)
    boot, places = board.root.evaluate("root => root.board.boot"), board.places
    bar.evaluate("nav => { nav.mark = true; }")
    length = page.evaluate("history.length")
    lessons, there = bar.get_by_role("button", name="Lessons"), {"lab": ".sv-figures", "duality": ".sv-strip"}

    def arrived(name):
        page.locator(there[name]).first.wait_for()
        board.settle(frames=12)
        assert page.url.split("?")[0] == f"{board.base}/{name}"
        assert page.title() == f"{PAGES[name]} · svmlab"
        assert board.root.evaluate("root => root.board.boot") == boot

    lessons.click()
    link = bar.get_by_role("link", name="Duality")
    link.focus()
    assert link.get_attribute("href") == f"{board.base}/duality?s={board.link}", "for another tab"
    link.click()
    assert shown(page) == []
    arrived("duality")
    assert lessons.inner_text().split() == ["Lessons", "Duality"]
    assert lessons.evaluate("button => button.matches(':focus')")
    assert bar.evaluate("nav => nav.mark"), "the navigation stays"
    lessons.click()
    assert current(page) == ["Duality"]
    page.go_back()
    arrived("lab")
    assert shown(page) == []
    assert board.places == places
    assert not board.button("undo").is_disabled()
    page.go_forward()
    arrived("duality")
    assert page.evaluate("history.length") == length + 1


def test_on_a_phone_a_button_opens_all_pages_in_reach_of_a_thumb(new_board):
    board = new_board(390, 844, has_touch=True).open("/statements")
    page = board.page
    # The page stays long while it changes, so that nothing but the app can bring it back to its top.
    page.add_style_tag(content="[data-testid=stMainBlockContainer] {min-height: 5000px}")
    page.locator(".st-key-card_M12").scroll_into_view_if_needed()
    places, button = board.places, page.get_by_role("button", name="Pages: Statements")
    assert not page.locator(".sv-nav .bar").is_visible()
    assert button.bounding_box()["height"] >= 44
    button.tap()
    board.until(lambda: shown(page), "the sheet")
    assert links(page).all_inner_texts() == [*PAGES.values()]
    boxes = links(page).evaluate_all("all => all.map(a => a.getBoundingClientRect().toJSON())")
    assert all(box["height"] >= 44 and box["bottom"] <= 844 and box["right"] <= 390 for box in boxes)
    page.touchscreen.tap(195, 130)
    assert shown(page) == [], "a tap outside closes it,"
    board.settle()
    assert board.places == places, "and does nothing else"
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.get_by_role("link", name="Guide").tap()):
        button.tap()
        board.until(lambda: shown(page), "the sheet")
        close()
        board.until(lambda: shown(page) == [], "a closed sheet")
    page.locator("h1", has_text="Guide").wait_for()
    page.get_by_role("button", name="Pages: Guide").wait_for()
    page.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop === 0")


@pytest.mark.parametrize("mode", ["room", pytest.param("hall", marks=pytest.mark.sweep)])
def test_in_front_of_a_class_a_button_beside_the_board_opens_all_pages_and_covers_nothing(new_board, mode):
    width, height, _, scheme = MODES[mode]
    board = new_board(width, height, reduced_motion="reduce", color_scheme=scheme).open("/statements").press("p")
    page = board.page
    for path, there in (("lab", ".sv-figures"), ("duality", ".sv-strip"), ("guide", "h2")):
        at = page.title().split(" · ")[0]
        button = page.get_by_role("button", name=f"Pages: {at}")
        assert min(button.bounding_box()["width"], button.bounding_box()["height"]) >= 24
        assert button.locator("svg").evaluate(OVER) == [], at
        button.click()
        assert current(page) == [at]
        assert min(links(page).evaluate_all(SIZES)) >= 0.022 * height
        page.keyboard.press("Escape")
        assert shown(page) == []
        button.click()
        page.locator(f".sv-nav .sheet [data-path={path}]").click()
        page.locator(there).first.wait_for()
        page.wait_for_function("at => !document.title.startsWith(at)", arg=at)
        board.settle(frames=12)
        assert page.locator(".sv-projected").count() == 1, "Esc closed the sheet alone"
    assert page.locator(".sv-nav .bar").is_visible(), "a page without a board has room"


def test_an_address_of_no_page_says_so_and_keeps_the_points(board):
    board.open().click(-3.5, 3.5)
    board.page.goto(f"{board.base}/non/sense?s={board.link}")
    board.page.locator("h1", has_text="No such page").wait_for()
    assert board.page.get_by_role("dialog").count() == 0
    board.page.get_by_role("navigation", name="Pages").get_by_role("link", name="Lab", exact=True).click()
    board.plane.wait_for()
    board.settle(frames=12)
    assert len(board.places) == 61


# The link first, and without a pause what a busy page reports late.
LINK_AND_REPORT = """(root, {link, ids}) => {
  const { set, data: { boot, board, ack } } = root.board;
  link.click();
  set("event", {boot, board, seq: ack + 1, ops: [{op: "delete", ids}]});
}"""


@pytest.mark.parametrize("to", ["statements", "duality"])
def test_what_a_page_reports_late_is_no_error_and_the_page_that_comes_is_whole(board, to):
    """Streamlit goes back to the page that has reported, unless it has the report before the link."""
    page = board.open("/margin?step=scaling").page
    link = page.locator(f".sv-nav a[data-path={to}]").first.element_handle()
    last = max(board.dots)
    board.root.evaluate(LINK_AND_REPORT, {"link": link, "ids": [last]})
    there = {"statements": ".st-key-card_M1", "duality": ".st-key-primal_show"}[to]
    board.until(
        lambda: (
            page.locator(there).or_(page.locator(".st-key-scaling_show")).count() == 1
            and (last not in board.settle(frames=12).dots or page.locator(there).count())
        ),
        "a whole page",
    )
    assert not page.get_by_test_id("stException").count()
    page.locator(f".sv-nav a[data-path={to}]").first.evaluate("link => link.click()")
    page.locator(there).wait_for()


@pytest.mark.parametrize(("lesson", "following"), [("pegasos", "kernels"), ("extensions", "practice")])
def test_the_last_page_of_a_lesson_leads_on(board, lesson, following):
    board.open(f"/{lesson}?step=summary")
    while board.page.locator(".st-key-next button").count():
        with board.answered():
            board.page.locator(".st-key-next button").click()
    board.page.locator(".st-key-onward button").click()
    board.page.wait_for_url(f"**/{following}*")
