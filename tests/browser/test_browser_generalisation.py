"""The lesson on generalisation in a browser: a draw put on the board by a click, a width set, a point left out, a
slider that turns the line."""

from svmlab.generalisation import flipped, rows
from tests.browser.test_browser_losses import CHART, PIXEL, TRACE

LINE = "root => root.board.data.overlay.find(item => item.style === 'accent').pts"


def show(board, step):
    """Open a step on its own board, with the answer and its chart."""
    board.open(f"/generalisation?step={step}")
    board.page.locator(f".st-key-{step}_show button").click()
    board.page.locator(f".st-key-{step}_again").wait_for()
    board.page.locator(CHART).wait_for()
    return board.settle(frames=12)


def click(board, x, y):
    """A click on a mark of the chart at these values, once its hover has come."""
    board.page.locator(CHART).scroll_into_view_if_needed()
    at = board.page.locator(CHART).evaluate(PIXEL, [x, y])
    board.page.mouse.move(*at)
    board.page.locator(".st-key-chart .hoverlayer .hovertext").first.wait_for()
    with board.answered():
        board.page.mouse.click(*at)


def test_a_click_on_a_draw_puts_it_on_the_board_and_undo_takes_it_back(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "unseen")
    before = {(dot.x, dot.y, dot.label) for dot in board.dots.values()}
    found = board.page.locator(CHART).evaluate(TRACE, "draws")
    at = max(range(len(found["x"])), key=lambda i: found["x"][i] - found["y"][i])  # by itself, on the rim of the cloud
    click(board, found["x"][at], found["y"][at])
    seed = int(found["custom"][at][0] if isinstance(found["custom"][at], list) else found["custom"][at])
    expected = {(x / 1000, y / 1000, label) for x, y, label in rows(flipped(0.1).draw(20, seed))}
    board.until(lambda: {(dot.x, dot.y, dot.label) for dot in board.dots.values()} == expected, "the draw on the board")
    board.act("undo")
    board.until(lambda: {(dot.x, dot.y, dot.label) for dot in board.dots.values()} == before, "the board as it was")


def test_the_slider_of_the_units_turns_the_line(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "units")
    before = board.root.evaluate(LINE)
    slider = board.root.locator("input[data-key=units]")
    slider.press("Home")
    board.until(lambda: board.root.evaluate(LINE) != before, "another line")
    assert float(slider.input_value()) == -1


def test_a_click_in_the_validation_curve_sets_the_width(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "width")
    board.until(
        lambda: len((board.page.locator(CHART).evaluate(TRACE, "true") or {"x": []})["x"]) > 10, "the whole curve"
    )
    found = board.page.locator(CHART).evaluate(TRACE, "true")
    at = found["x"].index(0.8)
    click(board, found["x"][at], found["y"][at])
    board.until(
        lambda: board.root.evaluate("root => root.board.data.sliders.find(s => s.key === 'sigma').value") == 0.8,
        "the width that was clicked",
    )


def test_a_click_on_a_point_leaves_it_out(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "leave")
    before = board.root.evaluate("root => JSON.stringify(root.board.data.overlay)")
    selected = board.data("selected")
    other = next(dot for dot in board.dots.values() if str(dot.id) != str(selected))
    with board.answered():
        board.click(other.x, other.y)
    board.until(
        lambda: board.root.evaluate("root => JSON.stringify(root.board.data.overlay)") != before, "another line"
    )
