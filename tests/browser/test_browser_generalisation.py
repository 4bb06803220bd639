"""The lesson on generalisation in a browser: a sample put on the board by a click, a width set, a point left out,
a slider that turns the line."""

from svmlab.generalisation import board_rows
from svmlab.lab.teach.tumours import Sample
from tests.browser.test_browser_losses import CHART, TRACE, click

TABLE = ".sv-pick table"
LINE = "root => root.board.data.overlay.find(item => item.style === 'accent').pts"


def show(board, step, part=CHART):
    """Open a step on its own board, with the answer and its chart."""
    board.open(f"/generalisation?step={step}")
    board.page.locator(f".st-key-{step}_show button").click()
    board.page.locator(f".st-key-{step}_again").wait_for()
    board.page.locator(part).wait_for()
    return board.settle(frames=12)


def test_a_click_on_a_sample_puts_it_on_the_board_and_undo_takes_it_back(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "unseen")
    before = {(dot.x, dot.y, dot.label) for dot in board.dots.values()}
    samples = board.page.locator(CHART).evaluate(TRACE, "samples")
    at = max(
        range(len(samples["x"])), key=lambda i: samples["x"][i] - samples["y"][i]
    )  # by itself, on the rim of the cloud
    click(board, samples["x"][at], samples["y"][at])
    seed = int(samples["custom"][at][0] if isinstance(samples["custom"][at], list) else samples["custom"][at])
    expected = {(x / 1000, y / 1000, label) for x, y, label in board_rows(Sample(30, seed).training())}
    board.until(
        lambda: {(dot.x, dot.y, dot.label) for dot in board.dots.values()} == expected, "the sample on the board"
    )
    board.act("undo")
    board.until(lambda: {(dot.x, dot.y, dot.label) for dot in board.dots.values()} == before, "the board as it was")


def test_the_slider_of_the_class_cost_turns_the_line_and_the_matrix_follows(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "rare", f"{TABLE} >> nth=0")
    before, counts = board.root.evaluate(LINE), board.page.locator(TABLE).all_inner_texts()
    assert len(counts) == 2, "of the training points and of the test points"
    slider = board.root.locator("input[data-key=price]")
    start = float(slider.input_value())
    for _ in range(30):
        slider.press("ArrowLeft")
    board.until(lambda: board.root.evaluate(LINE) != before, "another line")
    assert float(slider.input_value()) < start - 0.1
    board.until(lambda: board.page.locator(TABLE).all_inner_texts() != counts, "other counts")


def test_a_click_in_the_validation_curve_sets_the_width(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "width")
    board.until(
        lambda: len((board.page.locator(CHART).evaluate(TRACE, "test") or {"x": []})["x"]) > 10, "the whole curve"
    )
    board.settle(frames=12)
    error_curve = board.page.locator(CHART).evaluate(TRACE, "test")
    at = error_curve["x"].index(0.8)
    click(board, error_curve["x"][at], error_curve["y"][at])
    board.until(
        lambda: board.root.evaluate("root => root.board.data.sliders.find(s => s.key === 'sigma').value") == 0.8,
        "the width that was clicked",
    )


def test_a_click_on_a_point_removes_it(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "leave-one-out")
    before = board.root.evaluate("root => JSON.stringify(root.board.data.overlay)")
    selected = board.data("selected")
    other = next(dot for dot in board.dots.values() if str(dot.id) != str(selected))
    with board.answered():
        board.click(other.x, other.y)
    board.until(
        lambda: board.root.evaluate("root => JSON.stringify(root.board.data.overlay)") != before, "another line"
    )
