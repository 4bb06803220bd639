"""The board beside a lesson: what plays by itself, its keys, its room; and the strip of steps."""

import pytest

from tests.conftest import Server
from tests.eyes import Board

# What is said to Python from now on, and where the sliders are in every frame.
LISTEN = """root => { const s = root.board; let tell = s.set; Object.assign(window, { messages: {}, told: [], seen: {} });
  const look = () => { requestAnimationFrame(look);
    for (const { dataset, value } of root.querySelectorAll(".sliders input")) (window.seen[dataset.key] ??= []).push(Number(value)); };
  look();
  Object.defineProperty(s, "set", { configurable: true, set: (to) => { tell = to; },
    get: () => (name, value) => { window.messages[value.seq] = value.ops; // what is late is sent again
      window.told = Object.values(window.messages).flat(); tell(name, value); } }); }"""
OVERLAY = "root => [...root.querySelectorAll('.overlay:not(.film-layer) path')].map(path => path.getAttribute('d'))"
SEEN = """root => { const g = root.querySelector(`g.pt[data-id="${root.dataset.selected}"]`), b = g.getBoundingClientRect();
  const over = document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2);
  return over === root.getRootNode().host || Boolean(over?.contains(root)); }"""


@pytest.fixture(scope="module")
def lessons(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("lessons") / "log.txt", script="tests/browser/lesson_app.py")
    yield server
    server.kill()
    assert "unforeseen" not in server.log.read_text(), server.log.read_text()


@pytest.fixture
def open_at(lessons, new_page):
    """The lesson at one of its steps."""

    def make(step="price", width=1280, height=800, **more):
        board = Board(new_page(width, height, **more), lessons.url).open()
        if step != "price":
            board.page.locator(f".sv-strip [data-key={step}]").click()
            board.page.locator(f".st-key-{step}_show").wait_for()
        board.settle(frames=12)
        board.root.evaluate(LISTEN)
        return board

    return make


def slider_operations(board):
    """The operations of sliders: their values, and which of them were a last word."""
    ops = [op for op in board.page.evaluate("window.told") if op["op"] in ("set", "dial")]
    return [next(iter(op["values"].values())) for op in ops], [i for i, op in enumerate(ops) if not op["live"]]


def slider_positions(board, key):
    """The places that a slider had, one after the other."""
    return board.page.evaluate("key => window.seen[key].filter((at, i, all) => at !== all[i - 1])", key)


def show(board):
    board.page.locator("[class*=st-key-][class*=_show] button").click()


def slider(board, key):
    return board.root.locator(f"input[data-key={key}]")


def playing(board):
    return board.root.evaluate("root => root.board.playing !== null")


def played(board):
    board.until(lambda: board.page.evaluate("window.told.some(op => op.live === false)"), "the last word")
    board.until(lambda: not playing(board), "the end of the play")
    return board.settle()


@pytest.mark.parametrize(
    ("step", "key", "end", "place"),
    [("price", "value", 100, 2), pytest.param("dial", "c", 3, 3, marks=pytest.mark.sweep)],
)
def test_what_is_shown_moves_once_live_and_ends_with_one_last_word(open_at, step, key, end, place):
    board = open_at(step)
    show(board)
    values, last = slider_operations(played(board))
    assert len(values) > 1
    assert (values[-1], last) == (end, [len(values) - 1])
    places = slider_positions(board, key)
    assert len(places) > 5
    assert places == sorted(places), "it goes one way"
    assert places[-1] == place
    board.page.reload()
    board.loaded()
    assert not playing(board)


def test_undo_takes_a_play_back_in_one_step(open_at):
    board = open_at()
    before = board.lines
    show(board)
    played(board).press("Control+z")
    assert board.lines == before
    assert board.button("undo").is_disabled()


def test_what_plays_there_and_back_is_no_step_of_undo(open_at):
    board = open_at("there")
    before = board.lines
    show(board)
    values, last = slider_operations(played(board))
    assert max(slider_positions(board, "value")) == pytest.approx(2, abs=0.01)
    assert (values[-1], last) == (1, [len(values) - 1])
    assert board.lines == before
    assert board.button("undo").is_disabled()


def test_where_motion_is_reduced_it_jumps(open_at):
    board = open_at(reduced_motion="reduce")
    show(board)
    assert slider_operations(played(board)) == ([100], [0])


def test_a_hand_on_the_slider_takes_over_and_has_the_last_word(open_at):
    board = open_at("slow")
    show(board)
    board.until(lambda: playing(board), "the play")
    box = slider(board, "value").bounding_box()
    board.page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + box["height"] / 2)
    board.page.mouse.down()
    assert not playing(board)
    board.drop()
    values, last = slider_operations(board)
    assert values[-1] < 0.1
    assert last == [len(values) - 1]
    board.press("Control+z")
    assert board.button("undo").is_disabled()


def test_before_a_hand_does_anything_else_the_play_is_at_its_end(open_at):
    board = open_at("slow")
    show(board)
    board.until(lambda: playing(board), "the play")
    dot = next(iter(board.dots.values()))
    board.grab(dot.x, dot.y).pull(dot.x + 0.5, dot.y).drop()
    values, last = slider_operations(board)
    assert (values[-1], last) == (100, [len(values) - 1])
    board.press("Control+z")
    assert board.dots[dot.id][2:4] == (dot.x, dot.y)
    assert slider(board, "value").input_value() == "2"
    board.press("Control+z")
    assert slider(board, "value").input_value() == "0"


def test_a_slider_of_a_lesson_sweeps_from_end_to_end_and_stops_where_it_was(open_at):
    board = open_at()
    board.root.locator("[data-play=c]").click()
    values, last = slider_operations(played(board))
    places = slider_positions(board, "c")
    assert (min(places), max(places)) == pytest.approx((0, 4), abs=0.02)
    assert (values[-1], last) == (1, [len(values) - 1])
    board.root.locator("[data-play=value]").click()
    board.until(lambda: playing(board), "the play")
    board.root.locator("[data-play=value]").click()
    board.settle()
    assert not playing(board)
    assert slider(board, "value").input_value() == "0"
    assert board.button("undo").is_disabled()


def test_the_sliders_of_the_lab_have_no_such_button(board):
    assert board.open().root.locator("[data-play]").count() == 0


def test_what_a_step_draws_follows_a_drag_past_the_page(open_at):
    board = open_at()
    dot, rev = board.dots[1], int(board.rev)
    before = board.root.evaluate(OVERLAY)
    board.grab(dot.x, dot.y)
    for i in range(1, 21):
        board.pull(dot.x - 0.03 * i, dot.y, steps=2)
    board.until(lambda: int(board.data("frames") or 0) > int(board.rev) - rev > 0, "pictures past the page")
    board.settle()
    still = board.root.evaluate(OVERLAY)
    assert still[0] == before[0]
    assert still[1] != before[1]
    board.drop()
    assert board.root.evaluate(OVERLAY) == still, "letting go changes nothing"


def test_a_slider_stays_in_the_hand_while_its_ticks_come_and_go(open_at):
    board = open_at()
    box, ticks = slider(board, "value").bounding_box(), board.root.locator(".ticks[d]").first
    assert ticks.get_attribute("d").count("M") == 3
    board.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2)
    board.page.mouse.down()
    for i in range(1, 21):
        board.page.mouse.move(box["x"] + (0.5 + 0.02 * i) * box["width"], box["y"] + box["height"] / 2)
        board.page.evaluate("new Promise(requestAnimationFrame)")
    board.until(lambda: ticks.get_attribute("d") == "", "a picture of the drag socket")
    board.page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
    board.drop()
    assert float(slider(board, "value").input_value()) == pytest.approx(1.9, abs=0.2)
    assert ticks.get_attribute("d").count("M") == 3


def test_letters_work_wherever_one_does_not_type(open_at):
    board = open_at()
    choice = board.page.locator("[data-testid=stRadio] label").last
    for focus in (choice.click, board.page.locator(".st-key-ask").click):
        focus()
        board.settle()
        for key, on in (("p", "1"), ("Escape", "0")):
            with board.answered():
                board.page.keyboard.press(key)
            board.until(lambda on=on: board.data("projector") == on, f"projector mode {on}")
    field = board.page.locator(".st-key-name input")
    field.press_sequentially("pe?1")
    assert field.input_value() == "pe?1"
    assert board.data("projector") == "0"
    assert not board.root.locator(".card.help").is_visible()


def test_a_clicker_turns_the_pages_and_the_open_step_is_the_heading(open_at):
    board = open_at()
    heading = board.page.get_by_role("heading", level=1)
    assert heading.inner_text() == "The price"
    board.page.locator("[data-testid=stRadio] label").last.click()
    for key, title, shown in (
        ("PageDown", "The price", 1),
        ("PageDown", "The dial", 0),
        ("PageUp", "The price", 1),
        ("PageDown", "The dial", 0),
    ):
        board.press(key)
        board.until(lambda title=title: heading.inner_text() == title, title)
        board.until(lambda shown=shown: board.page.locator(".st-key-verdict").count() == shown, f"{title}, {shown}")
    board.page.locator(".st-key-ask").click()
    board.press("ArrowRight")
    assert heading.inner_text() == "The slow"
    board.page.locator(".st-key-name input").fill("1")
    board.press("PageDown", "ArrowLeft")
    board.plane.focus()
    board.press("ArrowLeft")
    assert heading.inner_text() == "The slow"
    dot = board.page.get_by_role("button", name="The price")
    dot.focus()
    assert board.page.locator(".sv-strip .tip").inner_text() == "The price"
    board.press("Enter")
    assert heading.inner_text() == "The price"
    assert heading.locator("button").evaluate("button => button.matches(':focus')")


def test_on_a_phone_the_board_leaves_the_screen_to_what_one_reads(open_at):
    board = open_at(width=390, height=844, has_touch=True)
    assert board.plane.bounding_box()["height"] < 0.38 * 844
    assert not board.root.locator(".legend").is_visible()
    assert not board.root.locator(".bar.thumb").is_visible()
    boxes = [button.bounding_box() for button in board.root.locator(".bar.top button").all() if button.is_visible()]
    assert {"plus", "minus", "undo"} <= {
        b.get_attribute("data-act") for b in board.root.locator(".bar.top button:visible").all()
    }
    assert max(box["x"] + box["width"] for box in boxes) <= 390 - 12
    assert min(min(box["width"], box["height"]) for box in boxes) >= 39
    strip = [dot.bounding_box() for dot in board.page.locator(".sv-strip .dot").all()]
    assert min(min(box["width"], box["height"]) for box in strip) >= 40
    title = board.page.get_by_role("heading", level=1).bounding_box()
    assert title["y"] >= max(box["y"] + box["height"] for box in strip), "a line of its own"


def test_in_front_of_a_class_the_toolbar_is_one_row_and_the_legend_off(open_at):
    board = open_at(width=1280, height=720)
    board.press("p")
    board.page.locator(".sv-projected").wait_for(state="attached")
    board.settle(frames=12)
    assert not board.root.locator(".legend").is_visible()
    tops = {button.bounding_box()["y"] for button in board.root.locator(".bar.top button:visible").all()}
    assert max(tops) - min(tops) < 5
    assert board.plane.bounding_box()["width"] == pytest.approx(620, abs=2)  # half the screen
    assert board.page.locator(".sv-strip").bounding_box()["height"] == pytest.approx(31, abs=1)


def test_a_point_that_keys_reach_is_not_under_a_bar(new_board):
    board = new_board(1280, 500).open()
    board.page.locator("[data-testid=stMain]").evaluate("main => { main.scrollTop = 300; }")
    board.plane.evaluate("plane => plane.focus({ preventScroll: true })")
    for _ in range(8):
        board.press("n")
        assert board.root.evaluate(SEEN), board.data("selected")
