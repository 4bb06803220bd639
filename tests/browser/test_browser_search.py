"""The search of the navigation and the choice of the notation, by keys, by mouse and by touch."""

import re

import pytest


@pytest.fixture
def board(new_board):
    """Here every test loads a page of its own."""
    return new_board()


def field(page):
    return page.get_by_role("combobox", name="Search")


def results(page):
    return page.locator(".sv-nav .found a[role=option]")


def chosen(page):
    return page.locator(".sv-nav .found a[aria-selected=true]").inner_text().split("\n")[0]


def test_the_key_opens_the_search_and_arrows_enter_and_escape_work(board):
    board.open()
    page, runs = board.page, board.root.evaluate("root => root.board.data?.rev")
    before = page.locator(".st-key-board").bounding_box()
    page.locator(".sv-nav [data-panel=find]").wait_for(state="attached")
    page.keyboard.press("/")
    assert field(page).evaluate("field => field.getRootNode().activeElement === field")
    page.keyboard.type("KKT con")
    results(page).first.wait_for()
    assert page.locator(".sv-nav .found [role=group] p").all_inner_texts()
    assert results(page).first.locator("mark").all_inner_texts()[0].lower() == "kkt"
    names = [text.split("\n")[0] for text in results(page).all_inner_texts()]
    assert chosen(page) == names[0]
    page.keyboard.press("ArrowDown")
    assert chosen(page) == names[1]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert chosen(page) == names[-1], "around the end"
    assert page.locator(".st-key-board").bounding_box() == before, "the page does not move"
    assert board.root.evaluate("root => root.board.data?.rev") == runs, "no run for a key"
    page.keyboard.press("Escape")
    assert not field(page).is_visible()
    page.keyboard.press("/")
    assert field(page).input_value() == ""
    page.keyboard.type("bandw")
    results(page).first.wait_for()
    page.keyboard.press("Enter")
    page.locator("h1", has_text="Glossary").wait_for()
    page.wait_for_function("() => location.hash.length > 1")


def test_a_click_opens_a_step_and_keeps_the_points(board):
    board.open()
    board.click(-3.5, 3.5)
    board.settle()
    page, places = board.page, board.places
    page.get_by_role("button", name="Search").click()
    field(page).fill("lagrangian")
    results(page).filter(has_text="Duality").first.click()
    page.wait_for_url(re.compile("/duality\\?.*step=saddle"))
    page.locator(".sv-strip").first.wait_for()
    page.go_back()
    page.locator(".sv-figures").first.wait_for()
    board.settle(frames=12)
    assert board.places == places


def test_on_a_phone_the_search_fills_the_top_and_says_if_nothing_is_found(new_board):
    board = new_board(390, 844, has_touch=True).open("/guide")
    page = board.page
    button = page.get_by_role("button", name="Search")
    assert button.bounding_box()["height"] >= 40
    button.tap()
    field(page).fill("lambda")
    results(page).first.wait_for()
    boxes = results(page).evaluate_all("all => all.map(a => a.getBoundingClientRect().toJSON())")
    assert all(box["height"] >= 40 and box["left"] >= 0 and box["right"] <= 390 for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    field(page).fill("qqqq")
    page.get_by_text("Nothing was found").wait_for()
    page.touchscreen.tap(195, 820)
    field(page).wait_for(state="hidden")


def test_the_notation_changes_formulas_and_numbers_and_outlasts_the_address_that_carries_it(board):
    board.open("/duality?step=offset")
    page, bar = board.page, board.page.get_by_role("navigation", name="Pages")
    page.get_by_role("button", name="Show", exact=True).click()
    board.settle()

    def optimal():
        cell = page.locator(".sv-values div", has_text="optimal b")
        return float(cell.locator("b").inner_text().replace("−", "-"))

    usual = optimal()
    bar.get_by_role("button", name="Notation").click()
    page.locator(".sv-nav .menu.notation label", has_text="− b").click()
    page.wait_for_function("() => location.search.includes('notation=minus-b')")
    page.wait_for_function(
        "value => [...document.querySelectorAll('.sv-values div')].some(each => each.textContent"
        ".includes('optimal b') && each.querySelector('b').textContent === value)",
        arg=f"{-usual:g}".replace("-", "−"),
    )
    assert page.locator(".sv-nav .menu.notation").is_visible(), "it stays open for the other choices"
    page.locator(".sv-nav .menu.notation label", has_text=re.compile("^t$")).click()
    page.wait_for_function("() => location.search.includes('notation=minus-b,t')")
    page.keyboard.press("Escape")
    page.goto(board.base + "/duality?step=offset&shown=1")
    page.locator(".sv-strip").first.wait_for()
    board.settle(frames=12)
    assert optimal() == -usual
    assert "notation=minus-b,t" in page.url, "the address says it again"
    assert "notation=minus-b,t" in page.url
    link = bar.get_by_role("link", name="Lab", exact=True)
    link.focus()
    assert "notation=minus-b,t" in link.get_attribute("href")
