"""Every word that a person sees or hears is translated: in the language of brackets none stands outside of them."""

import pytest

from svmlab.lab.frame import FIRST
from svmlab.lab.session import share
from svmlab.lab.session.lab import Lab, Point, smallest_view, with_preset
from tests.browser.translated import forgotten, outside
from tests.lessons import LESSONS

PAGES = (FIRST, "lab", "start", "statements", "sources", "glossary", "guide")  # those whose words are all marked
POINTS = (Point(1, 0, 0, 1), Point(2, 0, 0, -1), Point(3, 1000, 0, 1))
BOARDS = {
    "empty": Lab(),
    "one class": Lab(points=POINTS[:1]),
    "no boundary": Lab(points=POINTS, hard=True, view=smallest_view(POINTS)),
    "no kernel": with_preset(Lab(kernel="sigmoid", size=20)),
    "in feature space": with_preset(Lab(kernel="gaussian", face="lambda", size=20, bias=False)),
    "not unique": with_preset(Lab(preset="four_corners", hard=True)),
}


@pytest.fixture
def words(bracketed, new_board):
    """A board that speaks in brackets, not yet opened."""
    return new_board(base=bracketed.url)


@pytest.mark.parametrize("name", PAGES)
def test_no_word_of_a_page_is_left_out(words, name):
    words.page.goto(f"{words.base}/{'' if name == FIRST else name}")
    words.page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    shown = {
        FIRST: "h1",
        "lab": ".sv-figures",
        "start": ".st-key-points_show",
        "statements": ".sv-more",
        "sources": ".sv-table",
        "guide": ".st-key-to_glossary",
    }
    words.page.locator(shown.get(name, "h1")).first.wait_for()
    assert forgotten(words.page) == ""


@pytest.mark.parametrize(
    "state", [pytest.param(s, marks=() if s in ("empty", "not unique") else pytest.mark.sweep) for s in BOARDS]
)
def test_no_word_about_a_board_is_left_out(words, state):
    words.open("/lab?s=" + share.encode(BOARDS[state]))
    assert forgotten(words.page) == ""


def test_no_word_that_opens_is_left_out(words):
    words.open()
    page = words.page
    for opens in (".legend .more", "[data-act=save]", "[data-act=help]"):
        words.root.locator(opens).first.click()
        words.settle()
        assert forgotten(page) == "", opens
        page.keyboard.press("Escape")
    for menu in page.locator(".sv-nav .bar [data-panel]").all():
        menu.click()
        assert forgotten(page) == ""
    page.keyboard.press("Escape")
    words.root.locator("g.pt").first.click()
    words.settle()
    assert forgotten(page) == ""
    page.get_by_role("radio", name="⟦Second board⟧").or_(
        page.get_by_role("button", name="⟦Second board⟧")
    ).first.click()
    page.locator(".st-key-deeds").wait_for()
    words.settle()
    assert forgotten(page) == ""
    for tab, shown in (("Points", "stDataFrame"), ("Certificate", "stMarkdown"), ("Code", "stCode")):
        page.get_by_role("radio", name=f"⟦{tab}⟧").click()
        page.get_by_test_id(shown).last.wait_for()
        words.settle()
        assert forgotten(page) == "", tab
    page.get_by_role("radio", name="⟦My boards⟧").click()
    page.locator(".sv-kept [data-act=keep]").click()
    page.locator(".sv-kept li").wait_for()
    page.locator(".sv-kept li > div").evaluate("card => card.querySelectorAll('a, small').forEach((e) => e.remove())")
    assert forgotten(page) == "", "of the kept boards, except for their names and dates"
    page.get_by_role("button", name="⟦Sample⟧").click()
    page.get_by_role("button", name="⟦New sample⟧").wait_for()
    assert forgotten(page) == ""


def test_no_word_of_a_hint_is_left_out(words):
    words.open()
    hints = words.page.get_by_test_id("stTooltipHoverTarget").filter(visible=True)
    assert hints.count() >= 8
    for hint in hints.all():
        hint.hover()
        said = words.page.get_by_test_id("stTooltipContent").inner_text()
        assert "⟦" in said
        assert outside(said) == ("", 0), said
        words.page.mouse.move(1, 1)
        words.page.get_by_test_id("stTooltipContent").wait_for(state="detached")


def test_what_a_drag_says_is_translated_as_well(words):
    words.open("/lab?s=" + share.encode(BOARDS["one class"]))
    page, (x, y) = words.page, words.at(0.0, 0.0)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 20, steps=4)
    words.until(lambda: "⟦" in words.message.inner_text(), "the message of a picture")
    assert forgotten(page) == ""
    page.mouse.up()


# All steps are walked by touch.
def test_no_word_of_a_first_step_is_left_out(words):
    lesson, step = LESSONS[0], LESSONS[0].steps[0]
    page = words.open(f"/{lesson.page}?step={step.key}").page
    assert forgotten(page) == ""
    page.locator("[data-testid=stRadio] label").last.click()
    page.locator(f".st-key-{step.key}_show button").click()
    page.locator(f".st-key-{step.key}_again").wait_for()
    words.until_work_ends()
    words.settle(frames=12)
    assert forgotten(page) == ""
    page.locator(".st-key-more button").first.click()
    page.get_by_test_id("stPopoverBody").wait_for()
    assert forgotten(page) == ""
