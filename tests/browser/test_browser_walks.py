"""Lessons walked as people do: where one was comes back, by keyboard alone, by touch alone."""

from __future__ import annotations

import time
from typing import Any

import pytest

from svmlab.lab.teach.step import Lesson, Step
from tests.browser.measure import MODES, layout_faults, unfold
from tests.browser.translated import forgotten
from tests.conftest import Server
from tests.eyes import WAIT, Board, restarted
from tests.lessons import LESSONS, one_of_each, stage_of

READY = "[data-testid=stApp][data-test-script-state=notRunning]"
every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)

# The screen in words and figures: whatever one sees of a lesson but the ticks of other steps.
SCREEN = """root => {
  const sheet = document.querySelector(".st-key-sheet"), all = (at, what) => [...at.querySelectorAll(what)];
  const within = (at) => all(at, "*").flatMap((e) => (e.shadowRoot ? [e.shadowRoot, ...within(e.shadowRoot)] : []));
  const texts = (at) => [...at.children].map((e) => e.innerText ?? "");
  const paths = (what) => all(root, what).map((p) => p.getAttribute("d"));
  const { board } = root, { film, message } = board.el, at = [...board.m.pts.keys()].indexOf(board.m.selected);
  return {
    address: location.pathname + location.search,
    words: [sheet.innerText, ...within(sheet).flatMap(texts)].join(" ").split(/\\s+/).filter(Boolean),
    marked: all(sheet, "input[type=radio]").map((input) => input.checked),
    picked: all(sheet, ".st-key-picks button").map((button) => button.dataset.testid),
    chart: all(sheet, ".js-plotly-plot :is(.scatterlayer, .barlayer, .shapelayer) path").map((path) => path.getAttribute("d")),
    points: all(root, "g.pt").map(({ dataset: { x, y, label, cat }, classList }) => [x, y, label, cat, classList.contains("dim")]),
    selected: at,
    lines: paths(".lines path"), overlay: paths(".overlay path"), pin: paths(".pin path"),
    handles: board.m.hand && [board.m.hand.a, board.m.hand.b],
    sliders: all(root, ".sliders input").map((input) => [input.dataset.key, input.value, input.disabled]),
    film: film.hidden ? null : [root.dataset.frame, film.innerText],
    message: message.hidden ? null : message.innerText,
  };
}"""


def screen(board: Board) -> dict[str, object]:
    return dict(board.root.evaluate(SCREEN))


def settled_screen(board: Board) -> dict[str, object]:
    """The screen once everything has come: work, film, chart."""
    board.until_work_ends()
    before, end = None, time.monotonic() + WAIT
    while before is None or before != screen(board):
        assert time.monotonic() < end, "the screen changes for ever"
        before = screen(board.settle(frames=12))
    return before


def changes_since(board: Board, before: dict[str, object]) -> dict[str, object]:
    """What is not as it was, as soon as that is nothing, or nothing changes any more."""
    board.page.locator(".sv-strip h1").wait_for()
    after = settled_screen(board)
    end = time.monotonic() + WAIT / 3
    while after != before and time.monotonic() < end:
        after = settled_screen(board)
    return {name: first_difference(before[name], after[name]) for name in before if after[name] != before[name]}


def first_difference(before: Any, after: Any) -> Any:
    """Of two rows what only one of them has, from the first difference on."""
    if not (isinstance(before, list) and isinstance(after, list)):
        return before, after
    at = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    return at, before[at : at + 6], after[at : at + 6]


def go(board: Board, step: Step) -> Board:
    unfold(board).page.locator(f".sv-strip [data-key={step.key}]").click()
    board.page.locator(f".st-key-{step.key}_show, .st-key-{step.key}_again").first.wait_for()
    return board.settle(frames=12)


def show(board: Board, step: Step, choice: int = 0) -> Board:
    board.page.locator(f".st-key-{step.key}_choice").get_by_test_id("stRadioOption").nth(choice).click()
    board.settle()
    board.page.locator(f".st-key-{step.key}_show button").click()
    board.page.locator(f".st-key-{step.key}_again").wait_for()
    board.until_work_ends()
    board.until(lambda: board.root.evaluate("root => root.board.playing === null"), "the end of the play")
    return board.settle(frames=12)


def use_every_control(board: Board, step: Step) -> Board:
    """Whatever a hand can do in this step: choose beside the chart, push a slider, go back in a film, take a point."""
    for pick in (each for each in step.picks if not each.in_more):
        board.page.locator(f".st-key-pick_{pick.name} button:not([data-testid$=Active])").first.click()
        board.settle(frames=12)
        board.until_work_ends()
    for slider in board.root.locator(".sliders input:enabled").all():
        before = slider.input_value()
        slider.press("ArrowLeft")
        if slider.input_value() == before:  # it was at its end
            slider.press("ArrowRight")
        board.settle()
    if board.root.locator(".film").is_visible():
        board.root.locator("[data-film=back]").click()
        board.settle()
    if board.root.evaluate("root => root.board.m.hand"):
        (x, y), _b = board.root.evaluate("root => [root.board.m.hand.a, root.board.m.hand.b]")
        board.grab(x, y).pull(x + 0.4, y - 0.2).drop()
    else:
        dot = list(board.dots.values())[-1]
        board.click(dot.x, dot.y)
    return board.settle(frames=12)


def move_sliders_to_and_fro(board: Board) -> None:
    """Push every slider of the board and push it back, so that a page of which the last run was a whole one speaks."""
    for slider in board.root.locator(".sliders input:enabled").all():
        slider.press("ArrowRight")
        slider.press("ArrowLeft")


# ---------------------------------------------------------------- back to where one was


@pytest.fixture(scope="module")
def killable_server(tmp_path_factory):
    """A server that these tests kill and start again."""
    server = Server(tmp_path_factory.mktemp("mortal") / "log.txt")
    yield server
    server.kill()


STEP_TO_RESTORE = {"margin": "hand", "duality": "gap", "soft": "price", "pegasos": "convergence"}
PINNED = "pin=value:0.1,bias:false"


# Each server takes a while to come back. What a reload alone brings back is tried below with a step of each kind.
@pytest.mark.parametrize(  # the shortest lesson, and every second one where every size is tried
    "lesson",
    [pytest.param(each, marks=() if each.page == "start" else pytest.mark.sweep) for each in LESSONS[::2]],
    ids=lambda lesson: lesson.page,
)
def test_a_killed_server_a_reload_and_another_browser_show_the_very_screen(killable_server, new_board, lesson):
    step = lesson.step(STEP_TO_RESTORE.get(lesson.page)) or lesson.steps[0]
    board = new_board(base=killable_server.url, offline=True, reduced_motion="reduce")
    board.open(f"/{lesson.page}?step={step.key}&{PINNED}")
    use_every_control(show(board.settle(frames=12), step), step)
    if "b=" not in board.page.url and board.root.evaluate("root => root.board.data.tool") == "place":
        dot = next(iter(board.dots.values()))
        board.grab(dot.x, dot.y).pull(dot.x + 0.1, dot.y).drop()
        assert "b=" in board.page.url, "the lent board was edited"
    before = settled_screen(board)
    assert before["pin"]
    assert "choice=1&shown=1" in board.page.url
    restarted(killable_server, board, lambda: move_sliders_to_and_fro(board))
    assert changes_since(board, before) == {}, "after the server was killed"
    board.page.reload()
    assert changes_since(board.loaded(), before) == {}, "after a reload"
    other = new_board(base=killable_server.url, offline=True, reduced_motion="reduce")
    other.page.goto(board.page.url)
    assert changes_since(other.loaded(), before) == {}, "in another browser"


def test_back_of_the_browser_leads_to_the_lesson_as_it_was_left(new_board):
    lesson = LESSONS[0]
    board = new_board(reduced_motion="reduce").open(f"/{lesson.page}")
    before = settled_screen(show(go(board, lesson.steps[1]), lesson.steps[1]))
    board.page.get_by_role("link", name="Lab", exact=True).click()
    board.page.locator(".st-key-kernel").wait_for()
    board.loaded().page.go_back()
    assert changes_since(board.loaded(), before) == {}


def outlasting(pair: tuple[Lesson, Step]) -> tuple[bool, ...]:
    """What of a step outlasts a reload: choices beside the chart, a film, a line, dials."""
    lesson, step = pair
    drawn = step.drawn(stage_of(lesson, step.board()))
    dials = any(slider.get("op") == "dial" for slider in drawn.get("sliders", []))
    return any(not pick.in_more for pick in step.picks), "film" in drawn, "hand" in drawn, dials


# Steps with two such parts have each of them; those with one or none are tried where every size is tried.
@pytest.mark.parametrize("parts", ["two", pytest.param("fewer", marks=pytest.mark.sweep)])
def test_a_reload_brings_a_step_of_each_kind_back(new_board, parts):
    board, wrong = new_board(reduced_motion="reduce"), []
    kinds = one_of_each([(each, step) for each in LESSONS for step in each.steps], outlasting)
    tried = [pair for pair in kinds if (sum(outlasting(pair)) >= 2) is (parts == "two")]
    assert parts == "fewer" or all(any(part) for part in zip(*map(outlasting, tried), strict=True))
    for lesson, step in tried:
        show(board.open(f"/{lesson.page}?step={step.key}"), step)
        before = settled_screen(use_every_control(board, step))
        board.page.reload()
        wrong += [f"{step.key}: {what}" for what in changes_since(board.loaded(), before).items()]
    assert "\n".join(wrong) == ""


# ---------------------------------------------------------------- by keyboard alone

# What has the focus, in words, and whether one sees that.
FOCUS = """() => {
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  if (!e || e === document.body) return ["body", false];
  const around = [e, ...(e.closest("label")?.querySelectorAll("*") ?? [])], styles = around.map((each) => getComputedStyle(each));
  const ring = styles.some((s) => (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== "none");
  const keys = (e.closest("[class*=st-key-]")?.className.match(/st-key-\\S+/g) ?? []).join(" ");
  return [`${e.tagName} ${keys} ${e.ariaLabel ?? e.innerText ?? ""}`.slice(0, 80), e.matches(":focus-visible") && ring && e.checkVisibility({ checkOpacity: true })];
}"""
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
HAS = "(place) => Boolean(document.activeElement?.closest(place))"


def focus_is_visible(board: Board, place: str) -> Board:
    """The focus is there, and one sees it."""
    board.until(
        lambda: board.page.evaluate(HAS, place), f"the focus in {place}, not in {board.page.evaluate(FOCUS)[0]}"
    )
    what, visible = board.page.evaluate(FOCUS)
    assert visible, f"nobody sees that {what} has the focus"
    return board


def tab_to(board: Board, place: str, most: int = 60) -> Board:
    """Tab until the focus is there; it is seen on its way."""
    for _ in range(most):
        board.page.keyboard.press("Tab")
        if board.page.evaluate(HAS, place):
            return focus_is_visible(board, place)
        board.page.evaluate(NEXT_FRAME)  # what the focus reveals is drawn with it
        what, visible = board.page.evaluate(FOCUS)
        assert visible, f"nobody sees that {what} has the focus"
    raise AssertionError(f"{most} times Tab do not lead to {place}")


def try_letter_keys(board: Board) -> None:
    for on in ("1", "0"):
        board.page.keyboard.press("p")
        board.until(lambda on=on: board.data("projector") == on, f"projector mode {on}")
    board.settle(frames=12).press("?")
    assert board.root.locator(".card.help").is_visible()
    board.press("Escape")
    assert not board.root.locator(".card.help").is_visible()


def walk_by_keyboard(new_board, lesson: Lesson, steps: tuple[Step, ...]) -> list[str]:
    """From the first of the steps, where it is open and nothing has the focus, to the last, and one back.

    What does not fit on the screen on the way, before and after a step is shown.
    """
    width, height, _, _ = MODES["desk"]
    board = unfold(new_board(width, height, reduced_motion="reduce").open(f"/{lesson.page}"))
    heading, wrong = board.page.get_by_role("heading", level=1), []
    for i, step in enumerate(steps):
        board.page.keyboard.press("PageDown" if i else "ArrowRight")
        if not i:
            heading.get_by_text(steps[1].title, exact=True).wait_for()
            board.settle(frames=12).page.keyboard.press("PageUp")
        heading.get_by_text(step.title, exact=True).wait_for()
        board.settle(frames=12)
        wrong += [f"{step.key}, asked: {each}" for each in layout_faults(board)]
        board.page.wait_for_selector(READY)
        tab_to(focus_is_visible(board, ".st-key-ask"), f".st-key-{step.key}_choice")
        board.press("ArrowDown", "ArrowDown")
        marked = board.page.locator(f".st-key-{step.key}_choice input:checked")
        assert marked.count() == 1
        if not i:
            try_letter_keys(board)
            assert marked.count() == 1
        assert board.page.locator(".st-key-verdict, .st-key-chart").count() == 0, "marking reveals nothing"
        if not board.page.evaluate(HAS, f".st-key-{step.key}_choice"):
            tab_to(board, f".st-key-{step.key}_choice")
        board.page.wait_for_selector(READY)
        tab_to(board, f".st-key-{step.key}_show").page.keyboard.press("Enter")
        board.page.locator(f".st-key-{step.key}_again").wait_for()
        board.until_work_ends()
        board.settle(frames=12)
        wrong += [f"{step.key}, shown: {each}" for each in layout_faults(board)]
        board.page.wait_for_selector(READY)
        tab_to(focus_is_visible(board, ".st-key-verdict"), f".st-key-{step.key}_again")
    board.page.keyboard.press("PageUp")
    board.until(lambda: heading.inner_text() == steps[-2].title, "the step before")
    focus_is_visible(board.settle(frames=12), ".st-key-verdict")
    board.page.keyboard.press("ArrowRight")
    board.until(lambda: heading.inner_text() == steps[-1].title, "the step after")
    return wrong


@pytest.mark.parametrize(
    "lesson",
    [pytest.param(each, marks=() if each.page == "start" else pytest.mark.sweep) for each in LESSONS],
    ids=lambda lesson: lesson.page,
)
def test_every_step_by_keyboard_alone(new_board, lesson):
    assert "\n".join(walk_by_keyboard(new_board, lesson, lesson.steps)) == ""


# ---------------------------------------------------------------- by touch alone

# What a thumb misses: targets that are small, below or beside the screen, or under something else.
MISSED = """(places) => {
  const missed = [], all = (at, what) => [...at.querySelectorAll(what)], [sheet] = all(document, ".st-key-sheet");
  const board = document.querySelector(".st-key-beside").getBoundingClientRect(), W = innerWidth, H = innerHeight;
  const within = (at) => [at, ...all(at, "*").flatMap((e) => (e.shadowRoot ? within(e.shadowRoot) : []))];
  const shown = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  const name = (e) => `${e.tagName} “${(e.ariaLabel || e.innerText || e.title).slice(0, 30)}”`;
  for (const at of within(document.querySelector("[data-testid=stMain]"))) for (const e of all(at, "button, [data-testid=stRadioOption], a, select, summary")) {
    const r = e.getBoundingClientRect(), least = 40;
    if (!shown(e) || !r.width || e.closest(".modebar, [aria-current]") || (e.matches("a") && getComputedStyle(e).display === "inline")) continue; // a word of a sentence is as large as its line
    if (r.height < least - 0.5 || r.width < least - 0.5) missed.push(`${name(e)} has ${Math.round(r.width)} x ${Math.round(r.height)} px`);
  }
  for (const e of places.flatMap((place) => all(document, place))) {
    const r = e.getBoundingClientRect(), over = document.elementFromPoint(r.left + Math.min(r.width / 2, 60), r.top + r.height / 2);
    if (r.top < board.bottom - 1 || r.bottom > H || r.left < 0 || r.right > W) missed.push(`${name(e)}: from ${Math.round(r.top)} to ${Math.round(r.bottom)}, the board ends at ${Math.round(board.bottom)}`);
    else if (!e.contains(over)) missed.push(`${name(e)} is under ${over?.outerHTML.slice(0, 60)}`);
  }
  const main = document.querySelector("[data-testid=stMain]"), wide = Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - W);
  if (wide > 0) missed.push(`${wide} px too wide`);
  const plane = document.querySelector(".st-key-beside").getBoundingClientRect();
  if (plane.top < 0 || plane.bottom > H) missed.push("the board is out of sight");
  return [...new Set(missed)];
}"""


def missed_at_rest(board: Board, *places: str) -> list[str]:
    """What MISSED says of these places, asked once more if a page on a busy machine has still to scroll."""
    for _again in range(3):
        if not (missed := board.page.evaluate(MISSED, list(places))):
            break
        board.settle(frames=24)
    return missed


def walk_by_touch(board: Board, steps: tuple[Step, ...]) -> list[str]:
    """What a thumb misses on the way from step to step, and which words are left out by the language of brackets."""
    missed, page = list[str](), board.page

    def untranslated(step: Step, when: str) -> list[str]:
        return [f"{step.key}, {when}: {words}" for words in forgotten(page).splitlines()]

    unfold(board)
    page.locator(f".sv-strip [data-key={steps[0].key}]").tap()
    for i, step in enumerate(steps):
        show_, options = f".st-key-{step.key}_show button", f".st-key-{step.key}_choice [data-testid=stRadioOption]"
        page.locator(show_).wait_for()
        board.settle(frames=12)
        missed += [f"{step.key}, asked: {each}" for each in missed_at_rest(board, ".st-key-ask", show_)]
        missed += untranslated(step, "asked")
        for option in page.locator(options).all():  # each can be reached, also where they are many
            option.tap()
        board.settle(frames=12)
        assert page.locator(".st-key-verdict").count() == 0, "marking reveals nothing"
        missed += [f"{step.key}, marked: {each}" for each in missed_at_rest(board, show_)]
        page.locator(show_).tap()
        page.locator(f".st-key-{step.key}_again").wait_for()
        board.until_work_ends()
        board.settle(frames=12)
        missed += [f"{step.key}, shown: {each}" for each in missed_at_rest(board, ".st-key-verdict")]
        missed += untranslated(step, "shown")
        if page.locator(".st-key-more button").count():
            page.locator(".st-key-more button").first.tap()
            page.get_by_test_id("stPopoverBody").wait_for()
            missed += untranslated(step, "more")
            page.keyboard.press("Escape")
            page.get_by_test_id("stPopoverBody").wait_for(state="detached")
        page.locator(f".st-key-{step.key}_try0 button").tap()
        board.settle(frames=12)
        missed += [f"{step.key}, tried: {each}" for each in missed_at_rest(board)]
        if i + 1 < len(steps):
            page.locator(".st-key-next button").tap()
    return missed


@pytest.mark.parametrize(  # the shortest lesson, and the others where every size is tried
    "lesson",
    [pytest.param(each, marks=() if each.page == "start" else pytest.mark.sweep) for each in LESSONS],
    ids=lambda lesson: lesson.page,
)
def test_every_step_by_touch_alone_and_in_brackets(new_board, bracketed, lesson):
    board = new_board(390, 844, base=bracketed.url, has_touch=True, reduced_motion="reduce").open(f"/{lesson.page}")
    assert "\n".join(walk_by_touch(board, lesson.steps)) == ""
