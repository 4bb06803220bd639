"""The lesson on losses and descent in a browser: clicks on its charts, a dot that follows its point, a ball, the
film."""

import math

import pytest

from svmlab import Dataset
from svmlab.lab.session import share
from svmlab.lab.teach.boards import preset
from svmlab.losses import LOSSES
from svmlab.plane.geometry import Line
from tests.browser.test_browser_probe import WHERE

CHART = ".st-key-chart .js-plotly-plot:has(.main-svg)"  # one that is replaced has no data for a moment
HANDS = "root => { const h = root.board.m.hand; return [h.a, h.b]; }"
PIXEL = """(plot, [x, y]) => { const {xaxis, yaxis} = plot._fullLayout, box = plot.getBoundingClientRect();
  return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset + yaxis.d2p(y)]; }"""
TRACE = """(plot, name) => { const found = plot.data.find(trace => trace.name === name), list = v => Array.from(v ?? []);
  const full = plot._fullData.find(trace => trace.name === name);
  return found && {x: list(full.x), y: list(full.y), custom: list(full.customdata).map(v => v?.length ? Array.from(v) : v)}; }"""


def show(board, step):
    """Open a step on its own board, with the answer and its chart."""
    board.open(f"/losses?step={step}")
    board.page.locator(f".st-key-{step}_show button").click()
    board.page.locator(f".st-key-{step}_again").wait_for()
    board.page.locator(CHART).wait_for()
    return board.settle(frames=12)


def trace(board, name):
    """What a trace of the chart holds: its x, y and customdata."""
    return board.page.locator(CHART).evaluate(TRACE, name)


def click(board, x, y):
    """A click on a mark of the chart at these values, once its hover has come and no work will draw it again."""
    board.until_work_ends()
    chart, hovered = board.page.locator(CHART), board.page.locator(".st-key-chart .hoverlayer .hovertext")
    chart.scroll_into_view_if_needed()

    def is_hovered():
        left, top = chart.evaluate(PIXEL, [x, y])
        board.page.mouse.move(left + 1, top)
        board.page.mouse.move(left, top)
        return hovered.count()

    board.until(is_hovered, "the chart to know where its marks are")
    with board.answered():
        board.page.mouse.click(*chart.evaluate(PIXEL, [x, y]))


def reading(board, name):
    """The exact value behind a reading, which stands behind its definition."""
    hover = board.page.locator(".sv-values div", has_text=name).first.get_attribute("title")
    return float(hover.rsplit(": ", 1)[-1])


def data(board):
    dots = board.dots.values()
    return Dataset([(d.x, d.y) for d in dots], [d.label for d in dots])


def test_a_click_on_the_map_of_lines_puts_the_line_there(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "errors")
    places = trace(board, "places")
    fewest = min(count for _, count in places["custom"])
    at = next(i for i, (_, count) in enumerate(places["custom"]) if count == fewest)
    angle, offset = places["x"][at], places["y"][at]
    assert reading(board, "your errors") > fewest
    click(board, angle, offset)
    board.until(lambda: reading(board, "your errors") == fewest, "the errors of the line that was put there")
    line = Line.through(*board.root.evaluate(HANDS))
    assert math.degrees(math.atan2(line.w[1], line.w[0])) == pytest.approx(angle, abs=0.1)
    assert -line.b / line.norm == pytest.approx(offset, abs=0.01)
    points = data(board)
    assert int((line.margins(points.X, points.y) <= 0).sum()) == fewest


def test_points_move_beside_the_line_that_is_placed_by_hand(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "errors")
    before, hands = reading(board, "your errors"), board.root.evaluate(HANDS)
    board.grab(-0.4, 0).pull(1, 2).drop()  # a − point on the + side
    board.until(lambda: reading(board, "your errors") == before - 1, "one error less")
    assert board.root.evaluate(HANDS) == hands


def test_the_dot_of_a_point_that_was_dragged_is_elsewhere_on_the_curve(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "curves")
    before = {int(id_): (t, loss) for id_, t, loss in trace(board, "points")["custom"]}
    id_ = max(before, key=lambda each: before[each][0])
    dot = board.dots[id_]
    board.grab(dot.x, dot.y).pull(-dot.x, -dot.y).drop()

    def points_on_curve():
        return {int(i): (t, loss) for i, t, loss in (trace(board, "points") or {"custom": []})["custom"]}

    board.until(lambda: points_on_curve().get(id_, before[id_]) != before[id_], "the dot to move")
    t, loss = points_on_curve()[id_]
    assert before[id_][0] > 1 > 0 > t
    assert loss == pytest.approx(float(LOSSES["hinge"].value(t)), abs=1e-9)
    assert reading(board, "sum of losses") == pytest.approx(
        sum(loss for _, loss in points_on_curve().values()), rel=1e-9
    )


def test_showing_plays_the_film_of_the_perceptron_and_it_goes_on_to_its_end(new_board):
    board = show(new_board(1280, 800), "restless")
    last = board.root.locator(".film input").get_attribute("max")
    board.until(lambda: 0 < int(board.data("frame")) < int(last), "the film to play")
    board.root.locator(".film select").select_option("30")
    board.until(lambda: board.data("frame") == last, "the end of the film")
    assert "After 400 mistakes" in board.root.locator(".film-caption").inner_text()
    board.settle(frames=12)  # the caption of the end may be higher, and then the plane is lower
    dot = next(iter(board.dots.values()))
    board.grab(dot.x, dot.y).pull(dot.x + 0.3, dot.y + 0.2)
    board.until(lambda: board.root.locator(".film input").get_attribute("max") == "0", "a film of its end alone")
    assert "After 400 mistakes" in board.root.locator(".film-caption").inner_text()
    board.drop()
    board.until(lambda: board.root.locator(".film input").get_attribute("max") == last, "the whole film")
    assert board.data("frame") == last


def test_a_click_in_the_plane_of_w_drops_the_ball_there(new_board):
    board = show(new_board(1280, 800, reduced_motion="reduce"), "valleys")
    spots = trace(board, "spots")
    for wanted, rest in (((-2.5, 1.5), (-2.79, 1.29)), ((2.5, 2.0), (1.77, 1.77))):
        x, y = min(zip(spots["x"], spots["y"], strict=True), key=lambda spot: math.dist(spot, wanted))
        click(board, x, y)
        assert board.root.evaluate(WHERE) == pytest.approx([x, y], abs=1e-6)
        board.until(lambda: trace(board, "path") is not None, "the way of the ball")
        path = trace(board, "path")
        assert [path["x"][0], path["y"][0]] == pytest.approx([x, y], abs=1e-6)
        assert [path["x"][-1], path["y"][-1]] == pytest.approx(rest, abs=0.01)


def test_what_is_worked_on_is_told_once_it_is_there(new_board):
    many = share.encode(preset("overlapping", size=200, noise=0.3, seed=1, value=1.0)())
    board = new_board(1280, 800, reduced_motion="reduce").open(f"/losses?step=errors&s={many}")
    board.page.locator(".st-key-errors_show button").click()
    board.page.get_by_text("For none of them. The minimum is 14").wait_for()
    assert reading(board, "minimum") == 14
