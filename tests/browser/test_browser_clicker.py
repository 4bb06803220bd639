"""A lecturer's keys: a clicker builds a step up and turns the lessons, B blanks the screen, Space plays, wherever the
focus is."""

from __future__ import annotations

import pytest

from svmlab.lab.frame import PAGES
from tests.browser.test_browser_statements import CHECKED
from tests.conftest import Server
from tests.eyes import CONNECTED, Board
from tests.lessons import LESSONS

MARGIN, DUALITY = (next(lesson for lesson in LESSONS if lesson.page == page) for page in ("margin", "duality"))
VERDICT, BLANK, PROJECTED = ".st-key-verdict", "dialog.sv-blank", ".sv-projected"

RECORD_SENT = """
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (sent) {
  if (this.url.includes("_stcore/stream")) window.lastSent = [this, sent];
  return send.call(this, sent);
};"""


def heading(board: Board) -> str:
    return str(board.page.get_by_role("heading", level=1).inner_text())


def turned(board: Board, key: str, title: str) -> Board:
    """The step with this title, after a key."""
    board.page.keyboard.press(key)
    board.until(lambda: heading(board) == title, f"the step {title}")
    return board.settle(frames=12)


def test_a_clicker_shows_a_step_goes_on_and_opens_the_next_lesson(new_board):
    board = new_board(reduced_motion="reduce").open("/margin")
    page, (first, second) = board.page, [step for step in MARGIN.steps if not step.deeper][:2]
    page.keyboard.press("PageDown")
    page.locator(VERDICT).wait_for()
    board.settle(frames=12)
    assert heading(board) == first.title, "the answer comes before the next step"
    turned(board, "PageDown", second.title)
    assert page.locator(VERDICT).count() == 0
    page.locator(f".st-key-{second.key}_choice").get_by_test_id("stRadioOption").first.click()  # the focus is there
    board.settle()
    page.keyboard.press("PageDown")
    page.locator(VERDICT).wait_for()
    turned(board.settle(frames=12), "PageUp", first.title)
    assert page.locator(VERDICT).count() == 1

    page.keyboard.press("b")
    page.locator(BLANK).wait_for()
    size = page.locator(BLANK).bounding_box()
    assert (size["width"], size["height"]) == (1280, 800)
    for key in ("PageDown", "."):
        page.keyboard.press(key)
        page.locator(BLANK).wait_for(state="detached" if key == "PageDown" else "attached")
    page.mouse.click(700, 400)
    page.locator(BLANK).wait_for(state="detached")
    assert heading(board) == first.title, "the key that shows the screen again does nothing else"

    board.open("/margin?step=check")
    turned(board, "PageDown", DUALITY.steps[0].title)
    assert "/duality" in page.url
    turned(board, "PageUp", MARGIN.last_pages["check"])
    assert "/margin" in page.url


def test_a_key_pressed_while_the_next_lesson_opens_is_left_out(new_board):
    board, first = new_board(reduced_motion="reduce").open("/margin?step=check"), DUALITY.steps[0].title
    board.until_work_ends()
    board.page.keyboard.press("PageDown")
    turned(board, "PageUp", first)
    assert turned(board, "PageDown", first).page.locator(VERDICT).count() == 1, "the next key shows the answer"


def test_what_the_lesson_before_reports_late_leaves_the_open_lesson_as_it_is(new_board):
    board = new_board(reduced_motion="reduce")
    board.page.add_init_script(RECORD_SENT)
    board.open("/margin?step=check").until_work_ends()
    turned(board, "PageDown", DUALITY.steps[0].title)
    rev = board.rev
    board.page.evaluate("() => { const [socket, sent] = window.lastSent; socket.send(sent); }")
    board.until(lambda: board.rev != rev, "the page that the server draws again")
    assert heading(board.settle(frames=12)) == DUALITY.steps[0].title


def test_space_plays_the_film_unless_a_button_has_the_focus(new_board):
    board = new_board(reduced_motion="reduce").open("/margin?step=perceptron&shown=1")
    board.until_work_ends()
    playing = "root => Boolean(root.board.film.timer)"
    for focus in (lambda: board.page.evaluate("document.activeElement?.blur()"), lambda: board.plane.focus()):
        focus()
        points = len(board.dots)
        board.page.keyboard.press(" ")
        board.until(lambda: board.root.evaluate(playing), "the film that plays")
        board.page.keyboard.press(" ")
        board.until(lambda: not board.root.evaluate(playing), "the film that stands")
        assert len(board.settle().dots) == points
    board.root.locator("[data-film=next]").focus()
    before = int(board.data("frame"))
    board.press(" ")
    assert int(board.data("frame")) == before + 1
    assert not board.root.evaluate(playing)


def test_after_a_choice_the_keys_work_and_the_projector_outlasts_a_reload(new_board):
    board = new_board().open("/lab").choose("kernel", "Gaussian")
    page = board.page
    board.until(lambda: page.evaluate("document.activeElement === document.body"), "the focus outside the box")
    page.keyboard.press("P")
    page.locator(PROJECTED).wait_for(state="attached")
    board.settle(frames=12)
    assert "projector" not in page.url
    page.reload()
    board.loaded()
    page.locator(PROJECTED).wait_for(state="attached")
    board.until(lambda: page.locator(".st-key-machine").count() == 1, "the controls in their tab")
    page.goto(f"{board.base}/guide")
    page.locator(PROJECTED).wait_for(state="attached")
    board.settle(frames=12)
    page.keyboard.press("Escape")
    page.locator(PROJECTED).wait_for(state="detached")
    board.settle(frames=12)
    page.reload()
    board.loaded()
    assert page.locator(PROJECTED).count() == 0, "who has left it is not led back"
    board.open("/lab").act("help")
    assert {"PageDown, PageUp", "Space", "B"} <= set(board.root.locator(".help dt").all_inner_texts())


# Whether Streamlit's dialog has come, and for how many changes of the page it could be seen.
WATCHED = """() => {
  Object.assign(window, { came: false, covered: 0 });
  new MutationObserver(() => {
    const dialog = document.querySelector("[data-testid=stDialog]");
    window.came ||= dialog !== null;
    if (dialog && getComputedStyle(dialog).visibility !== "hidden") window.covered += 1;
  }).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.fixture
def mortal(tmp_path):
    """A server that the test kills and starts again."""
    server = Server(tmp_path / "log.txt")
    yield server
    server.kill()


def test_while_the_server_is_away_the_board_says_so_and_a_press_takes_effect_once(mortal, new_board):
    board = new_board(base=mortal.url, offline=True, reduced_motion="reduce").open("/margin").press("p")
    page, steps = board.page, [step for step in MARGIN.steps if not step.deeper]
    page.keyboard.press("PageDown")
    page.locator(VERDICT).wait_for()
    page.locator(".st-key-chart .js-plotly-plot").wait_for()  # its script is loaded before the server is gone
    board.settle(frames=12)
    page.evaluate(WATCHED)
    mortal.kill()
    board.message.get_by_text("The server is away").wait_for()
    board.until(lambda: page.evaluate("window.came"), "the dialog of Streamlit")
    page.get_by_test_id("stDialog").wait_for(state="detached")
    assert page.evaluate("window.covered") == 0
    for _ in range(3):  # pressed again, because nothing seems to happen
        page.keyboard.press("PageDown")
    mortal.start()
    page.locator(CONNECTED).wait_for()
    board.until(lambda: heading(board) == steps[1].title, "the next step")
    board.until(lambda: page.locator(f".st-key-{steps[1].key}_choice").count() == 1, "its question")
    board.settle(frames=24)
    board.until(lambda: board.message.count() == 0, "the end of the message")
    assert (heading(board), page.locator(VERDICT).count()) == (steps[1].title, 0)
    assert page.locator(PROJECTED).count() == 1


# ---------------------------------------------------------------- the stops of the Tab key

AT = """() => {
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  if (!e || e === document.body || window.stops.includes(e)) return null;
  window.stops.push(e);
  return `${e.tagName} ${e.ariaLabel ?? e.innerText?.slice(0, 30) ?? ""}`;
}"""
# The next Tab leads to the first stop of the page.
BEFORE_ALL = """() => {
  const { body } = document;
  window.stops = [];
  body.tabIndex = -1;
  body.focus();
  body.removeAttribute("tabindex");
  document.querySelector("[data-testid=stMain]").scrollTo(0, 0);
}"""
MOST = 20


def stops(board: Board) -> list[str]:
    """Everything that Tab reaches, once round."""
    board.page.evaluate(BEFORE_ALL)
    tab_stops = list[str]()
    for _ in range(3 * MOST):
        board.page.keyboard.press("Tab")
        at = board.page.evaluate(AT)
        if at is None:
            break
        tab_stops.append(at)
    return tab_stops


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=() if page in ("lab", "margin", "statements") else pytest.mark.sweep) for page in PAGES],
)
def test_a_page_has_few_stops_and_arrow_keys_lead_to_the_rest(new_board, page):
    board = new_board(reduced_motion="reduce").open(f"/{'' if page == 'home' else page}")
    if page == "statements":
        board.page.wait_for_function(CHECKED)
        board.settle(frames=12)
    tab_stops = stops(board)
    assert 3 <= len(tab_stops) <= MOST, tab_stops
    if page == "lab":
        board.choose("kernel", "polynomial")
        assert len(tab_stops := stops(board)) <= MOST, tab_stops
        board.widget("tab").get_by_text("Points", exact=True).first.focus()
        tabs = board.page.locator(":is(.st-key-tab, .st-key-compare) button:not([data-testid=stTooltipIcon] *)")
        tabs.first.focus()
        for n in (1, 2, 3):
            board.page.keyboard.press("ArrowRight")
            assert tabs.nth(n).evaluate("button => button.matches(':focus')")
        board.page.keyboard.press("Home")
        assert tabs.first.evaluate("button => button.matches(':focus')")
        board.root.locator(".legend button").first.focus()
        board.page.keyboard.press("ArrowRight")
        assert board.root.locator(".legend button").nth(1).evaluate("button => button.matches(':focus')")
    if page == "statements":
        board.page.locator(".st-key-card_M1 a").first.focus()
        board.page.keyboard.press("ArrowDown")
        assert board.page.evaluate("document.activeElement.closest('.st-key-card_M2') !== null")


RICH = {("duality", "saddle"), ("kernels", "psd")}  # steps with the most stops


@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(None, id="the richest"),
        *(pytest.param(each, id=each.page, marks=pytest.mark.sweep) for each in LESSONS),
    ],
)
def test_every_step_has_few_stops_before_and_after_its_answer(new_board, lesson):
    board, many = new_board(reduced_motion="reduce"), list[str]()
    for page, step in sorted(RICH) if lesson is None else [(lesson.page, step.key) for step in lesson.steps]:
        board.open(f"/{page}?step={step}")
        counted = [stops(board)]
        board.page.keyboard.press("PageDown")
        board.page.locator(VERDICT).wait_for()
        board.until_work_ends()
        counted.append(stops(board.settle(frames=12)))
        many += [
            f"{page}, {step}: {len(tab_stops)} stops: {tab_stops}"
            for tab_stops in counted
            if not 3 <= len(tab_stops) <= MOST
        ]
    assert "\n".join(many) == ""
