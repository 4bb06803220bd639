"""Points never seen in a browser: they are drawn, their error follows a drag, and a click in the map sets the
machine."""

from dataclasses import replace

import pytest

from svmlab import solve
from svmlab.lab.bench.tabs import errors
from svmlab.lab.session import held_out, share
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.session.point_source import find_source
from tests.browser.test_browser_losses import PIXEL, TRACE

MOONS = with_preset(replace(Lab(), preset="moons", size=60, noise=0.3, kernel="gaussian"))
FEW = with_preset(replace(MOONS, size=12, value=100.0))  # each point counts
DRAWN = (
    "root => [...root.querySelectorAll('.overlay .fresh')].map(p => [p.getAttribute('class'), "
    "(p.getAttribute('d').match(/M/g) ?? []).length])"
)
MISSED = "root => [...root.querySelectorAll('.overlay .fresh.missed')].map(p => p.getAttribute('d')).join()"
RINGS = "root => root.querySelectorAll('.witness.over circle').length"
NOW = "plot => plot._fullData.find(t => t.name.startsWith('board')).x[0]"
CHART = ".st-key-errors .js-plotly-plot:has(.main-svg)"
CUT = """() => [...document.querySelectorAll(".st-key-hard, .st-key-bias, .st-key-unseen, .st-key-costs")]
    .flatMap(e => [...e.querySelectorAll("p, [data-testid=stMarkdownContainer], [data-testid=stWidgetLabel] *")]).filter(p => p.clientWidth && p.scrollWidth > p.clientWidth + 1).map(p => p.innerText)"""
ROWS = """() => new Set(["hard", "bias", "unseen", "costs"].map(name => document.querySelector(`.st-key-${name}`).getBoundingClientRect())
    .map(r => Math.round((r.top + r.bottom) / 20))).size"""


def opened(board, lab):
    return board.open(f"/lab?s={share.encode(lab)}")


def shown(board):
    """The Lab of the address."""
    return share.decode(board.link)


@pytest.mark.parametrize(
    ("size", "rows"),
    [
        ((1280, 800), 1),
        *(
            pytest.param(*each, marks=pytest.mark.sweep)
            for each in (((1920, 1080), 1), ((1024, 768), None), ((390, 844), None))
        ),
    ],
)
def test_no_switch_is_cut_and_all_stand_in_one_row_where_there_is_room(new_board, size, rows):
    board = opened(new_board(*size), FEW)
    for projected in (False, True):
        if projected:
            board.page.keyboard.press("p")
            board.page.locator(".sv-projected").wait_for(state="attached")
        board.settle(frames=12)  # until then the controls that go are there beside those that come
        board.widget("costs").wait_for()
        assert board.page.evaluate(CUT) == []
        if rows and not (projected and size[0] == 1280):
            assert board.page.evaluate(ROWS) == rows


def test_fresh_points_are_drawn_and_their_error_follows_a_drag(board):
    opened(board, FEW)
    assert board.root.evaluate(DRAWN) == []
    assert "unseen" not in board.figures
    board.switch("unseen")
    board.until(lambda: "unseen" in board.figures, "the error among unseen points")
    drawn = board.root.evaluate(DRAWN)
    assert sum(n for _kind, n in drawn) == held_out.N_TEST_POINTS
    other = held_out.test_points(FEW)
    wrong = other.y * solve(FEW.problem).decision(other.X) <= 0
    assert sum(n for kind, n in drawn if "missed" in kind) == wrong.sum()
    before, missed, frames = board.figures["unseen"], board.root.evaluate(MISSED), int(board.data("frames") or 0)
    dot = next(d for d in board.dots.values() if d.cat == "margin_free" and d.label > 0)
    board.grab(dot.x, dot.y)
    for step in range(1, 15):
        board.pull(dot.x + 0.1 * step, dot.y - 0.15 * step, steps=2)
    board.until(lambda: int(board.data("frames") or 0) > frames, "a picture past the page")
    board.until(lambda: board.root.evaluate(MISSED) != missed, "others to go wrong")
    board.until(lambda: board.figures["unseen"] != before, "the error to follow")
    board.settle()
    live = board.root.evaluate(MISSED)
    board.drop()
    assert board.root.evaluate(MISSED) == live, "letting go changes nothing"
    lab = shown(board)
    assert lab.unseen
    assert find_source(lab) is not None, "a sample of which one point was moved"
    board.press("Control+z", "Control+z")
    board.until(lambda: "unseen" not in board.figures, "undo turns the switch too")
    assert board.root.evaluate(DRAWN) == []


def test_a_click_in_the_map_sets_the_svm_and_the_map_stays(board):
    opened(board, replace(MOONS, unseen=True))
    board.page.locator(".st-key-tab button", has_text="Error map").click()
    board.page.locator(CHART).wait_for()
    board.settle(frames=12)
    places = board.page.locator(CHART).evaluate(TRACE, "places")
    compared = errors.compared_classifiers(MOONS)
    assert len(places["custom"]) == len(compared.regularisation_values) * len(compared.values)
    i, j = 3, 9
    place = places["custom"].index(i * len(compared.regularisation_values) + j)
    at = board.page.locator(CHART).evaluate(PIXEL, [places["x"][place] + 0.1, places["y"][place] + 0.03])
    before = board.lines["zero"]
    board.page.mouse.move(*at)
    board.page.locator(".st-key-errors .hoverlayer .hovertext").first.wait_for()
    with board.answered():
        board.page.mouse.click(*at)
    board.until(
        lambda: (shown(board).value, shown(board).sigma) == (compared.regularisation_values[j], compared.values[i]),
        "C and σ",
    )
    assert board.lines["zero"] != before, "the board follows"
    mark = pytest.approx(places["x"][place], abs=1e-3)
    board.until(lambda: board.page.locator(CHART).evaluate(NOW) == mark, "the mark in the map")
    board.press("Control+z")
    board.until(lambda: shown(board).value == MOONS.value, "one step back")


def test_own_points_that_go_wrong_without_their_fold_are_ringed(board):
    own = replace(MOONS, unseen=True, points=tuple(p._replace(x=p.x + 5) for p in MOONS.points))
    opened(board, own)
    board.until(lambda: "unseen" in board.figures, "the error among unseen points")
    rings = board.root.evaluate(RINGS)
    assert 0 < rings < 60
    assert board.figures["unseen"].startswith(f"{100 * rings / 60:.3g}"[:4])
    assert board.root.evaluate(DRAWN) == []
