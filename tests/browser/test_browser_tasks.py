"""Boards of several classes and of values in their lesson: undo, link, reload, a new server, and what stands behind
them."""

import json

import pytest

from svmlab.lab.bench.tasks import CODE, ERRORS, FILES, PARTS, POINT, PROOF
from svmlab.multiclass import Classes
from svmlab.regression import Values
from tests.browser.test_browser_saved import kept
from tests.eyes import restarted

STEPS = {"rest": Classes, "tube": Values}
SEEN_IN = {
    POINT: ".sv-inspector[data-category]",
    ERRORS: "table.sv-matrix",
    PROOF: "text=primal",
    CODE: "code",
    FILES: "text=Points as CSV",
}


every_board = pytest.mark.parametrize("step", STEPS)
# The link brings both boards back in the same way: one of them is tried, and the other where every size is tried.
one_board = pytest.mark.parametrize("step", ["rest", pytest.param("tube", marks=pytest.mark.sweep)])


DROP = """(root, files) => { const to = new DataTransfer(); for (const [name, text] of files) to.items.add(new File([text], name));
  const drop = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: to });
  root.querySelector("svg.plane").dispatchEvent(drop); }"""


def opened(new_board, step, more="&shown=1", **how):
    return new_board(reduced_motion="reduce", **how).open(f"/extensions?step={step}{more}")


def state(board):
    """What must survive: the points and what is drawn of their machine."""
    sliders = board.root.locator(".sliders input").evaluate_all("all => all.map(e => [e.dataset.key, e.value])")
    shade = board.root.evaluate("root => root.board.data.shade?.data ?? null")
    cats = [dot.cat for dot in board.dots.values()]
    return board.places, cats, board.lines, board.legend, sliders, shade


def edited(board, step):
    """A point moved, one added of the last class that there is, and a slider turned."""
    dot = next(iter(board.dots.values()))
    board.grab(dot.x, dot.y).pull(dot.x + 0.5, dot.y + 0.25).drop()
    if step == "rest":
        board.press("4")
    board.click(-3, 3)
    slider = board.root.locator("input[data-key=value]")
    slider.focus()
    return board.press("ArrowRight", "ArrowRight")


@every_board
def test_every_edit_is_undone_and_done_again(new_board, step):
    board = opened(new_board, step)
    first = state(board)
    edited(board, step)
    last = state(board)
    assert last[0] != first[0]
    assert len(last[0]) == len(first[0]) + 1
    assert (4 in {label for label, *_ in last[0]}) is (step == "rest")
    done = 0
    while board.button("undo").is_enabled():
        board.act("undo")
        done += 1
    assert done >= 3
    assert state(board) == first
    for _ in range(done):
        board.act("redo")
    assert state(board) == last


@one_board
@pytest.mark.sweep
def test_a_server_that_was_started_again_a_reload_and_another_tab_have_the_same_board(new_server, new_board, step):
    server = new_server()
    board = edited(opened(new_board, step, base=server.url, offline=True), step)
    expected, address = state(board), board.page.url
    restarted(server, board)
    assert state(board) == expected
    board.page.reload()
    assert state(board.loaded()) == expected
    assert board.page.url == address
    other = new_board(base=server.url)
    assert state(other.open(address.removeprefix(board.base))) == expected


@one_board
def test_the_lab_keeps_its_own_board_and_the_step_its_own(new_board, step):
    board = new_board().open("/lab")
    own = board.places
    board.page.goto(f"{board.base}/extensions?step={step}&shown=1&s={board.link}")
    board.loaded()
    expected = state(edited(board, step))
    bar = board.page.get_by_role("navigation", name="Pages")
    bar.get_by_role("link", name="Lab", exact=True).click()
    board.widget("bench").wait_for()
    board.settle(frames=12)
    assert board.places == own
    board.page.go_back()
    board.widget("sheet").wait_for()
    board.settle(frames=12)
    assert state(board) == expected


@every_board
def test_behind_the_board_stand_its_point_certificate_program_and_files(new_board, step, tmp_path):
    board = opened(new_board, step, "&shown=1&select=2")
    page, before = board.page, state(board)
    page.locator(".st-key-more button").first.click()
    behind = page.locator(".st-key-behind")
    said = {}
    assert {*PARTS} == {*SEEN_IN}
    for key, seen in SEEN_IN.items():
        part = PARTS[key]
        if key == ERRORS and step == "tube":  # a value has no class
            continue
        behind.get_by_role("radio", name=part, exact=True).click()
        behind.locator(seen).first.wait_for()
        said[part] = behind.inner_text()
        body = page.locator("[data-testid=stPopoverBody]").evaluate("e => e.scrollWidth - e.clientWidth")
        assert body <= 1, part
        assert (
            page.evaluate(
                "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollHeight - m.clientHeight; }"
            )
            <= 1
        )
    assert "holds" in said["Certificate"]
    assert "does not hold" not in said["Certificate"]
    name, text = kept(page, behind.get_by_role("button", name="Points as CSV").click)
    data = STEPS[step].from_csv(text)
    assert name == "points.csv"
    assert data.m == len(before[0])
    assert json.loads(kept(page, behind.get_by_role("button", name="Points as JSON").click)[1])["X"] == data.X.tolist()
    few = tmp_path / "few.csv"
    few.write_text("".join(text.splitlines(keepends=True)[:6]))
    with board.answered():
        behind.locator("input[type=file]").set_input_files(few)
    board.until(lambda: len(board.places) == 5, "the file")
    assert board.places == before[0][:5]
    page.keyboard.press("Escape")
    board.root.evaluate(DROP, [["points.csv", text]])
    board.until(lambda: len(board.places) == len(before[0]), "the file that was dropped")
    board.settle()
    assert state(board) == before
