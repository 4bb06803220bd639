"""A term is explained where it stands: on hover, focus and tap, in the way of nothing, and from there on the page of
them all."""

import pytest

MARK = 'a[href="glossary#{}"]'
OPEN = ".sv-tip:popover-open"
REST = "[data-testid=stApp][data-test-script-state=notRunning]"
# Where everything on the sheet is, but for the marks themselves, to half a pixel; and the sheet without marks.
PLACES = """() => [...document.querySelectorAll(".st-key-sheet *")].filter((e) => !e.matches("a[href^='glossary#']"))
  .map((e) => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].map((v) => Math.round(2 * v)).join(); })"""
# Until all of it has stayed where it is for some frames.
STEADY = f"""async () => {{ const places = {PLACES}; let seen = "", times = 0;
  while (times < 12) {{ await new Promise(requestAnimationFrame); const now = places().join(";"); times = now === seen ? times + 1 : 0; seen = now; }} }}"""
UNMARK = """() => { for (const a of document.querySelectorAll(".st-key-sheet a[href^='glossary#']")) a.replaceWith(...a.childNodes);
  document.querySelector(".st-key-sheet").normalize(); }"""


def rest(page):
    """Wait for the step with its formula and its chart, each in its place."""
    page.locator(".st-key-says .katex-display").wait_for()
    page.locator(".st-key-chart .js-plotly-plot").wait_for()
    page.wait_for_selector(REST)
    page.evaluate(STEADY)


@pytest.fixture
def lesson(new_board):
    """A step that is shown, with a formula and several terms."""

    def opened(**how):
        page = new_board(**how).open("/soft?step=slack&shown=1").page
        rest(page)
        return page

    return opened


def test_a_term_is_explained_on_hover_and_focus_and_nothing_moves(lesson):
    page = lesson(reduced_motion="reduce")
    tip, slack = page.locator(OPEN), page.locator(f".st-key-ask {MARK.format('slack')}")
    before = page.evaluate(PLACES)
    slack.hover()
    assert tip.inner_text().startswith("slack\nξ")
    assert "ξᵢ = max(0, 1 − yᵢ f(xᵢ))" in tip.inner_text()
    assert page.evaluate(PLACES) == before
    tip.hover()  # one may go there, to follow its link
    page.keyboard.press("Escape")
    tip.wait_for(state="detached")
    page.locator(".st-key-says .katex-display .msupsub").first.hover()  # an index speaks for its letter
    assert tip.inner_text().startswith("slack\nξ")
    page.mouse.move(2, 2)
    tip.wait_for(state="detached")
    page.locator(f".st-key-ask {MARK.format('margin-line')}").focus()
    page.keyboard.press("ArrowLeft")  # to the term before it: the terms of a page are one stop of Tab
    assert slack.evaluate("e => e === document.activeElement")
    tip.wait_for()
    assert page.locator("#" + slack.get_attribute("aria-describedby")).inner_text() == tip.inner_text()
    page.keyboard.press("Escape")
    tip.wait_for(state="detached")
    page.keyboard.press("Enter")
    heading = page.locator(".st-key-term_slack h3")
    page.wait_for_function("() => document.activeElement.matches('.st-key-term_slack h3')")
    assert heading.bounding_box()["y"] > 0
    assert page.url.endswith("#slack")
    page.locator('.st-key-term_slack a[href="soft?step=slack"]').click()
    rest(page)
    marked = page.evaluate(PLACES)
    page.evaluate(UNMARK)
    assert page.evaluate(PLACES) == marked


def test_what_slides_under_a_resting_mouse_waits_for_the_hand(lesson):
    page = lesson()
    page.mouse.move(900, 700)
    slack = page.locator(f".st-key-ask {MARK.format('slack')}")
    slack.evaluate(
        "e => Object.assign(e.style, { position: 'fixed', left: '880px', top: '690px', padding: '20px', zIndex: 9999 })"
    )
    page.mouse.move(900, 700)  # a browser says by itself what is under a mouse that rests, but not always
    page.wait_for_function("e => e.matches(':hover')", arg=slack.element_handle())
    page.wait_for_timeout(400)  # longer than a hand has to rest
    assert page.locator(OPEN).count() == 0
    page.mouse.move(903, 702)
    page.locator(OPEN).wait_for()


def test_a_tap_explains_a_term_or_a_formula_above_the_thumb(lesson):
    page = lesson(width=390, height=844, has_touch=True, is_mobile=True)
    tip, slack = page.locator(OPEN), page.locator(f".st-key-ask {MARK.format('slack')}")
    slack.tap()
    box, word = tip.bounding_box(), slack.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= word["y"]
    page.locator(".st-key-ask").tap(position={"x": 2, "y": 2})
    tip.wait_for(state="detached")
    formula = page.locator(".st-key-says .katex-display")
    formula.scroll_into_view_if_needed()
    formula.locator(".mrel").first.tap()
    tip.locator("li").first.wait_for()
    assert tip.locator("li").all_inner_texts()[0].endswith("slack")
    tip.locator("li a").nth(1).tap()
    page.wait_for_function("tip => tip.innerText.startsWith('label')", arg=tip.element_handle())
    tip.get_by_text("More").tap()
    page.locator(".st-key-term_label").wait_for()
