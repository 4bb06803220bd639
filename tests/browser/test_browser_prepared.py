"""What a lecturer prepares: links with hidden and locked parts, frames in other pages, the address for phones, paper."""

import re

import pytest

from svmlab.lab.session import compare, share
from svmlab.lab.session.lab import Lab, Point
from tests.browser.linked import GOOD

PAIR = Lab(points=(Point(1, 1000, 1000, 1), Point(2, -1000, -1000, -1)), kernel="gaussian", value=7.5)
LEAST = 420  # px, the side of the board in a frame of FRAME
FRAME = {"width": 900, "height": 560}


@pytest.fixture
def board(new_board):
    """Here every test loads a page of its own."""
    return new_board()


def words_of(board):
    """Everything that can be read on the page and in its titles."""
    page = board.page.locator("body").inner_text() + board.root.inner_text()
    titles = board.page.locator("[title]").evaluate_all("all => all.map(each => each.title)")
    return page + " ".join(titles)


def test_what_is_hidden_is_read_nowhere_and_a_button_brings_it_back(board):
    board.open(f"/lab?hide=kernel,price,code&select=1&s={share.encode(PAIR)}")
    assert board.page.get_by_text("Prepared view").is_visible()
    assert not re.search("Gaussian|σ|7\\.5|λ", words_of(board))
    assert board.page.get_by_role("radio", name="Code").count() == 0
    with board.answered():
        board.page.get_by_role("button", name="Show all", exact=True).click()
    board.widget("kernel").wait_for()
    assert "hide=" not in board.page.url
    assert re.search("λ", words_of(board))


def test_an_exam_offers_nothing(board):
    board.open(f"/lab?hide=kernel&exam&s={GOOD}")
    assert board.page.get_by_text("Prepared view").count() == 0
    assert "exam=1" in board.page.url


def test_a_locked_board_says_so_and_its_class_buttons_are_idle(board):
    board.open(f"/lab?lock=points&s={GOOD}")
    assert board.button("plus").is_disabled()
    assert board.button("minus").is_disabled()
    before = board.places
    board.click(-3, 3)
    assert "locked" in board.message.inner_text()
    assert board.places == before


def test_in_a_lesson_the_slider_of_C_is_hidden_also_after_a_drag(board):
    board.open("/soft?step=price&shown=1&hide=price")
    assert board.root.locator(".slide").count() == 0
    _, x, y = board.places[0]
    board.grab(x, y).pull(x + 0.1, y).drop()
    assert board.root.locator(".slide").count() == 0


@pytest.mark.parametrize("where", ["/lab?only=board", "/soft?step=price&only=board", "/soft?step=price&only=step"])
def test_in_a_frame_the_board_is_large_and_there_is_no_menu(board, where):
    board.page.set_viewport_size(FRAME)
    board.open(where)
    box = board.plane.bounding_box()
    assert min(box["width"], box["height"]) >= LEAST
    assert box["y"] + box["height"] <= FRAME["height"]
    assert board.root.locator(".slide").first.is_visible()
    assert board.root.locator(".legend").is_visible()
    assert not board.page.locator(".st-key-nav").is_visible()
    assert board.page.locator(".st-key-sheet").count() == (1 if "step" in where.split("only=")[1] else 0)
    assert where.split("only=")[1] in board.page.url, "a reload shows the same"


def test_a_step_in_a_frame_can_be_answered(board):
    board.page.set_viewport_size(FRAME)
    board.open("/margin?step=scaling&only=step")
    assert board.page.locator(":is(.st-key-next, .st-key-back)").count() == 0
    board.page.get_by_role("button", name="Show", exact=True).click()
    board.page.locator(".st-key-verdict").wait_for()


def dialog(board):
    board.act("share")
    share_dialog = board.page.get_by_role("dialog", name="Share this screen")
    share_dialog.locator(".address input").first.wait_for()
    return share_dialog


def shared(board, share_dialog):
    board.settle()
    return share_dialog.locator(".address input").first.input_value()


def test_share_offers_the_question_only_the_projector_and_the_line_of_a_frame(board):
    board.open("/margin?step=scaling&choice=2&shown=1")
    share_dialog = dialog(board)
    assert "shown=1" in shared(board, share_dialog)
    for label, says in (("The question only", "step=scaling"), ("Projector mode", "projector=1")):
        share_dialog.get_by_text(label).click()
        board.until(lambda says=says: says in shared(board, share_dialog), f"the address of {label}")
    board.until(lambda: "shown" not in shared(board, share_dialog), "the question alone")
    assert "choice" not in shared(board, share_dialog)
    share_dialog.get_by_text("Step without menus").click()
    frame_field = share_dialog.locator(".address.frame input")
    board.until(lambda: "only=step" in frame_field.input_value(), "the line of the frame")
    assert frame_field.input_value().startswith('<iframe src="http')


def test_the_screen_of_the_code_has_the_whole_short_address_in_large_type_and_what_phones_need(board):
    board.open("/margin?step=scaling")
    board.press("q")
    over = board.page.locator("dialog[open]")
    over.wait_for()
    text = over.locator(".typed")
    assert text.inner_text().endswith("/margin?step=scaling")
    assert float(text.evaluate("p => parseFloat(getComputedStyle(p).fontSize)")) >= 0.0225 * 800
    assert text.evaluate("p => p.scrollWidth <= p.clientWidth")
    assert "127.0.0.1" in over.locator(".note").inner_text()


def test_the_board_that_was_given_comes_back_after_a_reload(board):
    board.open(f"/lab?s={GOOD}")
    before = board.places
    board.click(-3, 3)
    board.page.reload()
    board.loaded()
    assert len(board.places) == len(before) + 1
    board.until(lambda: not board.button("given").is_disabled(), "the way back")
    board.act("given")
    assert board.places == before
    board.open("/lab?s=" + share.encode(PAIR))
    assert board.button("given").is_disabled(), "another link is another beginning"


def test_tab_turn_and_search_come_back_after_a_reload(board):
    board.open("/lab")
    board.page.get_by_text("Certificate", exact=True).click()
    board.until(lambda: "tab=certificate" in board.page.url, "the tab in the address")
    board.page.reload()
    board.loaded()
    board.page.get_by_text("duality gap").first.wait_for()
    assert board.page.get_by_text("Two independent solvers agree").is_visible()
    board.open("/kernels?step=lift&choice=1&shown=1&turn=1.02,0.34")
    board.page.locator(".sv-space[data-az='1.020']").wait_for()
    board.open("/statements?q=Gruber")
    assert board.page.locator(".st-key-statements_search input").input_value() == "Gruber"


def pages(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize("only", ["questions", "answers"])
def test_a_lesson_prints_as_a_handout(board, only):
    board.page.goto(f"{board.base}/start?only={only}")
    board.page.locator("[class*=st-key-handout_]").nth(4).wait_for()
    board.until_work_ends()
    blocks = board.page.locator("[class*=st-key-handout_]")
    stills = board.page.locator(".svmlab-board.still svg.plane")
    board.until(lambda: stills.count() == blocks.count(), "a board for each step")
    assert board.page.locator(".sv-code").is_visible()
    assert (board.page.get_by_text("☐").count() == 0) == (only == "answers")
    board.page.emulate_media(media="print")
    wide = board.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= board.page.viewport_size["width"]
    assert (
        not stills.first.locator("xpath=ancestor::*[contains(@class,'svmlab-board')]").locator(".bar.top").is_visible()
    )
    assert 1 < pages(board.page.pdf(format="A4")) <= blocks.count() + 1


def test_a_board_prints_with_its_figures_and_the_code_of_its_address(board):
    board.open(f"/lab?s={GOOD}")
    board.page.emulate_media(media="print")
    code = board.page.locator(".sv-address img")
    code.wait_for()
    board.until(lambda: code.evaluate("image => image.naturalWidth > 0"), "the picture of the code")
    assert board.page.locator(".sv-figures").is_visible()
    assert pages(board.page.pdf(format="A4")) == 1
    board.page.emulate_media(media="screen")
    board.open("/lab").switch("hard")
    board.message.wait_for()
    board.page.emulate_media(media="print")
    board.settle(frames=12)
    plane = board.plane.bounding_box()
    assert board.message.bounding_box()["y"] >= plane["y"] + plane["height"], "the message stands below the picture"


def test_two_boards_print_both_and_a_projected_formula_is_whole(board):
    board.open(f"/lab?s={share.encode(compare.with_second(PAIR, Lab(value=3.0)))}")
    board.page.emulate_media(media="print")
    assert board.root.locator("svg.plane").count() == 2
    assert all(each.is_visible() for each in board.root.locator("svg.plane").all())
    assert [line[:4] for line in board.root.locator(".caption").inner_text().splitlines()] == ["A · ", "B · "]
    assert board.page.locator(".sv-matrix-button:visible").count() == 0
    board.page.emulate_media(media="screen")
    board.open("/duality?step=primal&choice=1&shown=1")
    board.press("p")
    board.page.set_viewport_size({"width": 703, "height": 1000})
    board.page.emulate_media(media="print")
    fits = "all => all.every(each => each.scrollWidth <= each.clientWidth + 1)"
    assert board.page.locator(".st-key-sheet .katex-display").evaluate_all(fits)
