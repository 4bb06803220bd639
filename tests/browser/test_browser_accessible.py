"""An accessibility audit (axe-core) of every page in four modes, before and after what it asks for is shown."""

from itertools import pairwise

import pytest

from svmlab.lab.frame import PAGES, url_path
from tests.lessons import LESSONS

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

MODES = {  # width, height, theme, projected
    "light": (1280, 800, "light", False),
    "dark": (1280, 800, "dark", False),
    "projector": (1920, 1080, "light", True),
    "phone": (390, 844, "dark", False),
}
# .ci/run tries two pages, each in another mode; .ci/all tries every page in every mode, and of alike lessons one.
ALWAYS = (("lab", "phone"), ("margin", "dark"))
TABS = {
    "Points": "[data-testid=stDataFrame]",
    "Certificate": "text=complementarity",
    "Code": "[data-testid=stCode]",
    "My boards": ".sv-kept .name",
}
READY = "[data-testid=stApp][data-test-script-state=notRunning]"


def serious(board) -> list[str]:
    board.page.wait_for_selector(READY)
    return violations(board.page)


def violations(page) -> list[str]:
    """What axe-core finds serious or worse on a page.

    A long formula in a list of cards is no stop of its own. Arrow keys lead to it, which axe-core cannot see.
    """
    report = axe.Axe().run(page, options={"resultTypes": ["violations"]})  # nothing else is worked out in full
    worst = [v for v in report.response["violations"] if v["impact"] in ("serious", "critical")]
    nodes = [(v["id"], node["html"][:160]) for v in worst for node in v["nodes"]]
    by_arrows = ("scrollable-region-focusable", '<span class="katex-display" tabindex="-1">')
    return [f"{id}: {html}" for id, html in nodes if not (id == by_arrows[0] and html.startswith(by_arrows[1]))]


# The levels of all headings that are heard, in their order, shadow roots included.
HEADINGS = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => e.shadowRoot ? [e, ...all(e.shadowRoot)] : [e]);
  const level = (e) => Number(e.getAttribute("aria-level") ?? e.tagName.at(-1));
  return all(document).filter((e) => e.matches("h1, h2, h3, h4, h5, h6, [role=heading]") && e.checkVisibility()).map(level);
}"""


def headed(page) -> bool:
    """Whether the page has one heading of the first level, at its beginning, and below it leaves out none."""
    levels = page.evaluate(HEADINGS)
    return levels[:1] == [1] and levels.count(1) == 1 and all(b <= a + 1 for a, b in pairwise(levels))


def turned(board, mode: str):
    """The page that is open, at rest in another mode."""
    width, height, scheme, projected = MODES[mode]
    board.page.set_viewport_size({"width": width, "height": height})
    board.page.emulate_media(color_scheme=scheme)
    if board.page.locator(".sv-projected").count() != projected:
        board.page.keyboard.press("p")
        board.page.locator(".sv-projected").wait_for(state="attached" if projected else "detached")
    return board.settle(frames=12)


def modes(page: str) -> tuple[str, ...]:
    """Those in which a page is tried: lessons are alike but for what they show, half of them asked in one and shown in
    the other."""
    lessons = [lesson.page for lesson in LESSONS]
    if page not in lessons[1:]:
        return tuple(MODES)
    return ("light", "dark") if lessons.index(page) % 2 else ("projector", "phone")


@pytest.mark.parametrize(
    ("page", "modes"),
    [
        *((page, (mode,)) for page, mode in ALWAYS),
        *(pytest.param(page, modes(page), marks=pytest.mark.sweep) for page in PAGES),
    ],
)
def test_nothing_serious_on_any_page_in_any_mode(new_board, page, modes) -> None:
    board = new_board().open(f"/{url_path(page)}")

    def wrong(modes: tuple[str, ...]) -> list[str]:
        faults = []
        for mode in modes:
            faults += [f"{mode}: {each}" for each in serious(turned(board, mode))]
            assert headed(board.page), mode
        return faults

    lesson = page in (lesson.page for lesson in LESSONS)  # asked in two of four modes, shown in the others
    faults = wrong(modes[::2] if lesson else modes)
    if lesson:
        board.page.locator("[class*=_show] button").click()
        board.page.locator(".st-key-chart :is(.js-plotly-plot, table, canvas)").first.wait_for()
        faults += wrong(modes[1::2] or modes)
    if page == "guide" and "light" in modes:  # the menus are the same on every page
        turned(board, "light").page.get_by_role("navigation", name="Pages").get_by_role(
            "button", name="Lessons"
        ).click()
        faults += serious(board)
    assert "\n".join(faults) == ""
    if page == "sources":
        board.page.set_viewport_size({"width": 390, "height": 844})
        formulas = board.page.locator(".katex-display")
        cut = "formulas => formulas.filter((e) => e.scrollHeight > e.clientHeight + 2).length"
        assert formulas.evaluate_all(cut) == 0, "a formula is cut below"
        long = board.page.locator("[class*=st-key-erratum_] .katex-display[tabindex='-1']").first
        long.locator("xpath=ancestor::*[contains(@class, 'st-key-erratum_')]").get_by_role("link").first.focus()
        for _ in range(12):
            board.page.keyboard.press("ArrowRight")
            if board.page.evaluate("document.activeElement.matches('.katex-display')"):
                break
        else:
            raise AssertionError("arrow keys do not lead to a long formula")


def test_what_stands_outside_the_app_has_the_colours_of_the_theme(new_board):
    board = turned(new_board().open("/margin"), "dark")
    board.page.locator("[class*=_show] button").click()
    board.page.locator(".st-key-chart .js-plotly-plot").wait_for()  # which comes when the play has ended
    board.page.locator(".st-key-more button").first.click()
    link = board.page.locator("[data-testid=stPopoverBody] .sv-ways a").first
    link.wait_for()
    board.settle(frames=12)
    assert "\n".join(serious(board)) == ""
    dark = link.evaluate("e => getComputedStyle(e).color")
    board.page.emulate_media(color_scheme="light")
    board.until(lambda: link.evaluate("e => getComputedStyle(e).color") != dark, "the light colours")


@pytest.mark.parametrize(
    "mode",
    ["light", *(pytest.param(mode, marks=pytest.mark.sweep) for mode in MODES if mode not in ("light", "projector"))],
)
def test_nothing_serious_in_what_opens_below_the_board(new_board, mode) -> None:
    board = turned(new_board().open(), mode)
    for tab, there in TABS.items():
        page = board.page
        page.get_by_role("radio", name=tab).or_(page.get_by_role("button", name=tab, exact=True)).first.click()
        page.locator(there).first.wait_for()
        assert "\n".join(serious(board)) == "", tab
    board.page.locator(".sv-kept [data-act=keep]").click()
    board.page.locator(".sv-kept li").wait_for()
    assert "\n".join(serious(board)) == "", "a kept board"
    board.page.goto(f"{board.base}/")
    board.loaded().page.locator(".sv-kept .mine li").wait_for()
    assert "\n".join(serious(board)) == "", "a kept board on the first screen"
