"""Empty boards, presets and files beside the board, and what is said of them."""

import pytest

from svmlab import Linear
from svmlab.data import DATASETS
from svmlab.lab.bench import widgets
from svmlab.lab.board.rules import words_for_script as spoken
from svmlab.lab.session.state import initial_history
from tests.browser.agreed import check_against_mathematics, check_legend

# ---------------------------------------------------------------- empty boards, presets, files


def test_a_cleared_board_offers_its_actions_and_undo_brings_the_points_back(board):
    board.open()
    before = board.dots
    board.act("clear")
    assert board.dots == {}
    assert board.empty.is_visible()
    assert [b.inner_text() for b in board.empty.locator("button").all()] == ["Try a preset", "Open a file"]
    assert board.figures == {}
    assert board.button("clear").is_disabled()
    board.act("undo")
    assert board.dots == before
    assert not board.empty.is_visible()


def test_try_a_preset_fills_an_empty_board(board):
    board.open()
    board.act("clear")
    with board.answered():
        board.empty.get_by_text("Try a preset").click()
    assert [(p.label, p.x / 1000, p.y / 1000) for p in initial_history().present.points] == board.places
    check_legend(board)


def test_undo_brings_back_what_a_preset_has_replaced(board):
    board.open()
    board.click(-3, 3)
    before = board.dots
    board.choose("preset", DATASETS["moons"].title)
    assert board.dots != before
    board.act("undo")
    assert board.dots == before
    board.until(
        lambda: widgets.OWN_POINTS in board.widget("preset").inner_html(), "the name that points of one's own have"
    )
    board.act("undo")
    board.until(lambda: DATASETS["overlapping"].title in board.widget("preset").inner_html(), "the first name")


def test_a_new_sample_is_another_one_and_the_same_seed_the_same(board):
    board.open()
    first = board.places
    board.page.get_by_role("button", name="Sample").click()
    with board.answered():
        board.page.get_by_role("button", name="New sample").click()
    second = board.places
    assert second != first
    board.page.mouse.move(0, 0)  # off the button, whose help would cover the next one
    with board.answered():
        board.page.get_by_role("button", name="Reset", exact=True).click()
    assert board.places == second
    board.type("seed", "0")
    assert board.places == first


CSV = "x1,x2,label\n1.5,2.25,1\n-1.5,0.125,-1\n0.5,-3.001,-1\n"


def choose_file(board, name, content):
    with board.page.expect_file_chooser() as chooser:
        board.empty.get_by_text("Open a file").click()
    with board.answered():
        chooser.value.set_files({"name": name, "mimeType": "text/plain", "buffer": content.encode()})


def test_a_csv_file_opens_through_the_file_chooser_with_its_exact_points(board):
    board.open()
    board.act("clear")
    choose_file(board, "three.csv", CSV)
    assert board.places == [(1, 1.5, 2.25), (-1, -1.5, 0.125), (-1, 0.5, -3.001)]
    assert "Opened three.csv: 3 points." in board.message.inner_text()
    check_against_mathematics(board, Linear())


DROP = """(root, [name, text]) => { const data = new DataTransfer(); data.items.add(new File([text], name));
  root.querySelector(".scene").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true})); }"""


def drop_file(board, name, content):
    board.root.evaluate(DROP, [name, content])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("x1,x2,label\n1,2,1\n1,oops,-1\n", "bad.csv: Row 3, column x2: 'oops' is not a finite number."),
        ("x1,x2,label\n1,2\n", "bad.csv: Row 2: there are 2 cells, but the header has 3."),
        ("1,2\n3,4\n", "bad.csv: Row 1: the header is missing"),
        ("", "The file is empty."),
        ("name,town,x1,label\nAnna,Ulm,1,a\nBen,Bonn,2,b\n", "The board needs two columns of numbers"),
    ],
    ids=["cell", "width", "header", "empty", "columns"],
)
def test_a_bad_file_is_answered_with_its_row_and_rule_and_the_points_stay(board, content, said):
    board.open()
    before = board.dots
    with board.answered():
        drop_file(board, "bad.csv", content)
    assert said in board.message.inner_text()
    assert board.dots == before
    assert board.button("undo").is_disabled()


def test_a_file_dropped_on_the_board_opens_and_undo_closes_it_again(board):
    board.open()
    before = board.dots
    with board.answered():
        drop_file(board, "three.csv", CSV)
    assert len(board.dots) == 3
    board.act("undo")
    assert board.dots == before


def test_a_file_of_more_than_four_megabytes_is_refused_at_once(board):
    board.open()
    board.root.evaluate(DROP.replace("[text]", "['x'.repeat(4200000)]"), ["big.csv", ""])
    board.until(lambda: board.message.count(), "a message")
    assert spoken()["fileTooBig"] in board.message.inner_text()
    assert len(board.dots) == 60


def test_no_tooltip_opens_under_a_resting_pointer_when_a_refusal_moves_the_page(board):
    board.open()
    icon = board.page.locator(".st-key-hard [data-testid=stTooltipHoverTarget]")
    tooltip = board.page.locator("[data-testid=stTooltipContent]")
    refused = board.page.locator(".sv-refused")
    board.type("exact", "1e9")
    assert "1e9 is not a number from 1e-6 to 1e6. The value stays 1." in refused.inner_text()
    box = icon.bounding_box()
    board.type("exact", "2")
    assert refused.count() == 0
    assert icon.bounding_box()["y"] < box["y"] - 20
    board.page.mouse.move(box["x"] + 8, box["y"] + 8)
    board.type("exact", "1e9")
    assert icon.bounding_box() == box
    board.page.wait_for_timeout(500)  # Streamlit opens it after 200 ms
    assert tooltip.count() == 0
    board.page.mouse.move(box["x"] + 9, box["y"] + 9)
    tooltip.wait_for()


def test_a_message_can_be_closed(board):
    board.open()
    board.choose("preset", DATASETS["four_corners"].title)
    assert board.message.count() == 1
    board.root.locator(".message button").click()
    assert board.message.count() == 0


NAMES = ["**a**_b_![c](d) :red[e] $f$ <b>g</b> :smile: www.h.de a--b.csv", "`i` ``j.csv", "`k.csv`.csv"]


def test_the_name_of_a_file_is_shown_as_it_is(board):
    board.open()
    dialog = board.page.get_by_role("dialog")
    for name in NAMES:
        content = {"name": name, "mimeType": "text/csv", "buffer": b"x1,x2,label\n90,1,1\n-90,2,-1\n"}
        board.root.locator("input[type=file]").set_input_files([content])
        dialog.get_by_text(f"{name} has 2 rows and 3 columns.").wait_for()
        assert dialog.locator("p :is(a, b, strong, em, img, .katex, span[style])").count() == 0
        dialog.get_by_role("button", name="Cancel").click()
        dialog.wait_for(state="hidden")


ROWS = "".join(
    f"{i};P{i};{40 + i % 37},5;{1600 + 3 * i % 97},25;{i * i % 101};{'ja' if i % 4 else ''};{i % 3};{'krank' if i % 37 > 18 else 'gesund'}\n"
    for i in range(1000)
)
TABLE = "id;Person;Gewicht;Größe;Alter;raucht;Gruppe;Befund\n" + ROWS


def test_two_columns_of_a_table_are_chosen_standardised_confirmed_and_undone(board):
    board.open()
    before, page = board.dots, board.page
    page.get_by_role("button", name="Your data").click()
    content = {"name": "Praxis.csv", "mimeType": "text/csv", "buffer": TABLE.encode("cp1252")}
    page.get_by_test_id("stPopoverBody").locator("input[type=file]").set_input_files([content])
    dialog = page.get_by_role("dialog").filter(has_text="Use these points")
    dialog.get_by_text("Praxis.csv has 1000 rows and 8 columns. Its cells are separated by semicolons").wait_for()
    page.get_by_test_id("stPopoverBody").wait_for(state="detached")
    dialog.locator(".st-key-table_x2").get_by_role("combobox").click()
    page.get_by_role("option", name="Alter").click()
    dialog.get_by_text("x₂ = (Alter −").wait_for()
    assert dialog.get_by_text(
        "300 of 1000 rows are drawn at random, with seed 0. Each class keeps its share of the rows."
    ).is_visible()
    assert dialog.locator(".sv-preview i").count() == 300
    assert board.dots == before
    with board.answered():
        dialog.get_by_role("button", name="Use these points").click()
    dialog.wait_for(state="hidden")
    board.until(lambda: len(board.places) == 300, "the points")
    for at in (1, 2):
        values = [place[at] for place in board.places]
        assert abs(sum(values) / 300) < 0.3
        assert 0.8 < sum(value * value for value in values) / 300 < 1.2
    assert "Opened Praxis.csv: 300 points." in board.message.inner_text()
    assert board.root.locator(".ticks").first.text_content().count("Gewicht →") == 1
    assert "x₁ = (Gewicht − " in page.locator(".sv-axes").inner_text()
    board.act("undo")
    assert board.dots == before
    assert page.locator(".sv-axes").count() == 0
