"""On a phone and a tablet: what is reached is in sight, large enough for a finger, and the board stays beside it."""

import pytest

from svmlab.lab.frame import PAGES, url_path
from tests.lessons import LESSONS

SMALL, PHONE, TABLET = (360, 640), (390, 844), (820, 1180)
LONG = {"glossary", *(lesson.page for lesson in LESSONS[1:])}  # of the kind of others, tried on a phone alone
TOUCH = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}

# Whatever can be pressed is brought into sight, by focus and by scrolling; then its middle must not lie under something
# else, it must be 40 px large with what belongs to it, a field must not be so small of type that a phone zooms in. Of
# many alike the
# first 25 are tried.
REACHED = """async () => {
  const missed = new Set(), all = [], main = document.querySelector("[data-testid=stMain]");
  const walk = (at) => { for (const e of at.querySelectorAll("*")) { all.push(e); if (e.shadowRoot) walk(e.shadowRoot); } };
  const shown = (e) => e.isConnected && e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && e.getBoundingClientRect().width > 2;
  const name = (e) => `${e.tagName} “${(e.ariaLabel || e.closest("label, button, a, summary")?.innerText || e.title || "").trim().slice(0, 40)}”`;
  const around = (e) => (e.matches("input, button") && e.closest("label, [data-testid=stTextInputRootElement], [data-testid=stSelectbox] [role=group]")) || e;
  const over = (x, y) => { let e = document.elementFromPoint(x, y);
    for (let inner = e; inner; ) { e = inner; inner = e.shadowRoot?.elementFromPoint(x, y); if (inner === e) break; } return e; };
  const frame = () => new Promise(requestAnimationFrame), met = {};
  walk(main);
  const pressed = "a[href], button, select, summary, textarea, input:not([type=file], [type=hidden]), svg[tabindex]";
  for (const e of all.filter((each) => each.matches(pressed) && !each.disabled && !each.closest(".modebar") && shown(each))) {
    const alike = `${e.tagName} ${e.className}`;
    if ((met[alike] = (met[alike] ?? 0) + 1) > 25) continue;
    const target = around(e), box = target.getBoundingClientRect(), more = parseFloat(getComputedStyle(e, "::after").inset) || 0;
    const least = 39.5 + 2 * (e.closest("[data-testid=stTooltipIcon]") ? more : 0), { fontSize } = getComputedStyle(e);
    const within = e.matches("a") && getComputedStyle(e).display === "inline"; // a word of a sentence is as large as its line
    if (!within && (box.height < least || box.width < least)) missed.add(`${name(e)} has ${Math.round(box.width)} x ${Math.round(box.height)} px`);
    if (e.matches("input:not([type=range], [type=radio], [type=checkbox]), select, textarea") && parseFloat(fontSize) < 16) missed.add(`${name(e)} has type of ${fontSize}`);
    const reaches = [() => e.focus(), () => e.scrollIntoView({ block: "nearest" })];
    for (const reach of within ? reaches.slice(0, 1) : reaches) {
      reach();
      await frame();
      await frame();
      if (!shown(e)) continue;
      const { left, top, width, height } = within ? e.getClientRects()[0] : target.getBoundingClientRect(), there = over(left + width / 2, top + height / 2);
      if (!there || !(target.contains(there) || e.contains(there) || there.closest("label")?.contains(e))) missed.add(`${name(e)} is under ${there ? name(there) : "nothing"}`);
    }
    if (main.scrollLeft || main.scrollWidth > main.clientWidth) missed.add(`${main.scrollWidth - main.clientWidth} px too wide at ${name(e)}`);
  }
  return [...missed];
}"""


def opened(new_board, page, width, height):
    """A page that has come to rest, with a board in sight or not."""
    board = new_board(width, height, **TOUCH)
    board.page.goto(f"{board.base}/{url_path(page)}")
    return board.loaded()


@pytest.mark.parametrize(
    ("page", "size"),
    [
        pytest.param(page, size, marks=[] if (page, size) == ("lab", SMALL) else pytest.mark.sweep)
        for page in PAGES
        for size in {"lab": (SMALL, PHONE, TABLET)}.get(page, (SMALL,) if page in LONG else (SMALL, TABLET))
    ],
    ids=str,
)
def test_what_is_reached_on_a_small_screen_is_seen_and_large_enough(new_board, page, size):
    board = opened(new_board, page, *size)
    assert not (size[0] > 640 and board.root.evaluate("root => root.board.small"))
    assert "\n".join(board.page.evaluate(REACHED)) == ""
    if page in (lesson.page for lesson in LESSONS):
        board.page.locator("[class*=_show] button").tap()
        board.page.locator("[class*=_again]:not(.st-key-record_again)").first.wait_for()
        board.until_work_ends()
        board.settle(frames=24)
        assert "\n".join(board.page.evaluate(REACHED)) == ""


IN_SIGHT = """(root, key) => {
  const plane = root.querySelector("svg.plane").getBoundingClientRect(), main = document.querySelector("[data-testid=stMain]");
  const field = document.querySelector(`.st-key-${key} input`).getBoundingClientRect();
  return { board: plane.top >= document.querySelector("[data-testid=stHeader]").getBoundingClientRect().bottom - 1 && plane.bottom <= field.top,
           field: field.bottom <= innerHeight, side: plane.width, height: main.scrollHeight };
}"""


def test_the_board_of_the_lab_stays_in_sight_while_one_sets_its_svm(new_board):
    board = opened(new_board, "lab", 390, 844)
    main, first = board.page.locator("[data-testid=stMain]"), board.root.evaluate(IN_SIGHT, "exact")
    field = board.widget("exact").locator("input")
    field.scroll_into_view_if_needed()
    field.tap()
    board.until(lambda: board.root.evaluate("root => root.board.small"), "the small board")
    seen = board.settle().root.evaluate(IN_SIGHT, "exact")
    assert (seen["board"], seen["field"]) == (True, True)
    assert 190 <= seen["side"] < first["side"]
    assert seen["height"] == pytest.approx(first["height"], abs=1), "nothing else has moved"
    assert {a for a in ("plus", "minus", "eraser", "undo") if board.button(a).is_visible()} == {
        "plus",
        "minus",
        "eraser",
        "undo",
    }
    board.page.set_viewport_size({"width": 390, "height": 500})  # a soft keyboard has come
    board.until(lambda: board.settle().root.evaluate(IN_SIGHT, "exact")["field"], "the field above the keyboard")
    assert board.root.evaluate(IN_SIGHT, "exact")["board"]
    board.page.set_viewport_size({"width": 390, "height": 844})
    main.evaluate("main => { main.scrollTop = 0; }")
    styles = board.plane.evaluate(
        "plane => { const s = getComputedStyle(plane); return [s.touchAction, s.userSelect]; }"
    )
    assert styles == ["pan-y", "none"], "a second tap does not zoom, a long press does not select words"
    board.until(lambda: not board.root.evaluate("root => root.board.small"), "the board as it was")
    assert board.settle().root.evaluate(IN_SIGHT, "exact")["side"] == first["side"]


# ---------------------------------------------------------------- held sideways, and low

sideways = pytest.mark.parametrize("size", [(844, 390), pytest.param((915, 412), marks=pytest.mark.sweep)], ids=str)
# Where the board, what is beside it, the question and its choices are.
PLACES = """root => {
  const box = (e) => { const r = e.getBoundingClientRect(); return { top: r.top, bottom: r.bottom, left: r.left, right: r.right }; };
  const all = (what) => [...document.querySelectorAll(what)].filter((e) => e.checkVisibility()).map(box);
  const tools = [...root.querySelectorAll(".bar.top button")].filter((e) => e.checkVisibility()).map(box);
  return { plane: box(root.querySelector(".plane")), root: box(root), tools, sheet: all(".st-key-sheet")[0],
    question: all(".st-key-ask > *").at(-1), options: all(".st-key-choices [data-testid=stRadioOption]"),
    show: all(".st-key-choices > :last-child")[0], wide: document.documentElement.scrollWidth - innerWidth };
}"""


@sideways
def test_held_sideways_the_toolbar_is_beside_the_title_and_the_board_in_sight(new_board, size):
    for page in ("margin", "home"):
        board = opened(new_board, page, *size)
        there = board.root.evaluate(PLACES)
        assert max(tool["right"] for tool in there["tools"]) <= there["sheet"]["left"], page
        assert there["plane"]["bottom"] <= size[1], page
        assert there["plane"]["bottom"] - there["plane"]["top"] >= 150, page
        assert there["wide"] == 0, page
        board.page.close()


# The board of the lab, its tools and its slider, and what is at the middle of each tool.
BESIDE = """root => {
  const box = (e) => { const r = e.getBoundingClientRect(); return { top: r.top, bottom: r.bottom, left: r.left, right: r.right }; };
  const tools = [...root.querySelectorAll(":is(.thumb, .bar.top) button")].filter((e) => e.checkVisibility());
  const under = tools.filter((e) => { const b = box(e), seen = root.getRootNode().elementFromPoint((b.left + b.right) / 2, (b.top + b.bottom) / 2); return !e.contains(seen); });
  return { plane: box(root.querySelector(".plane")), tools: tools.map(box), covered: under.map((e) => e.dataset.act),
    slider: box(root.querySelector(".slide")), root: box(root) };
}"""


@sideways
def test_held_sideways_the_board_of_the_lab_fills_the_height_with_its_tools_beside_it(new_board, size):
    board = opened(new_board, "lab", *size)
    for scrolled in (0, 250):
        board.page.evaluate("top => document.querySelector('[data-testid=stMain]').scrollTo(0, top)", scrolled)
        there = board.settle(frames=12).root.evaluate(BESIDE)
        plane, tools = there["plane"], there["tools"]
        assert plane["top"] >= 59
        assert plane["bottom"] - plane["top"] >= 0.68 * size[1]
        assert max(box["bottom"] for box in (plane, there["slider"], *tools)) <= size[1]
        assert min(tool["left"] for tool in tools) >= plane["right"]
        assert max(tool["right"] for tool in tools) <= there["root"]["right"] + 1
        assert (len(tools), there["covered"]) == (12, [])


@pytest.mark.parametrize(
    "lesson",
    [pytest.param(each, marks=() if each.page == "margin" else pytest.mark.sweep) for each in LESSONS],
    ids=lambda lesson: lesson.page,
)
def test_on_a_low_phone_the_question_and_all_choices_are_in_sight_below_the_board(new_board, lesson):
    board, wrong = opened(new_board, lesson.page, *SMALL), []
    for step in lesson.steps:
        board.page.goto(f"{board.base}/{lesson.page}?step={step.key}")
        board.loaded().page.locator(".st-key-choices").wait_for()
        there = board.settle(frames=12).root.evaluate(PLACES)
        high, top = there["plane"]["bottom"] - there["plane"]["top"], there["question"]["top"]
        if high < 150 or top < there["root"]["bottom"]:
            wrong.append(f"{step.key}: the board is {high:.0f} px high, and the question begins at {top:.0f}")
        if there["options"][-1]["bottom"] > there["show"]["top"] + 1:
            wrong.append(f"{step.key}: the choices end at {there['options'][-1]['bottom']:.0f}")
    assert "\n".join(wrong) == ""


@pytest.mark.parametrize("size", [SMALL, pytest.param(PHONE, marks=pytest.mark.sweep)], ids=str)
def test_the_card_about_a_point_leaves_the_board_and_no_caption_of_a_film_is_cut(new_board, size):
    board = opened(new_board, "margin?step=perceptron&shown=1", *size)
    board.until_work_ends()
    caption = board.root.locator(".film-caption")
    last = int(board.root.locator(".film input").get_attribute("max"))
    side = board.plane.bounding_box()["width"]
    for at in range(0, last + 1, max(1, last // 12)):
        board.root.locator(".film input").evaluate(
            "(e, at) => { e.value = at; e.dispatchEvent(new Event('input', { bubbles: true })); }", at
        )
        cut = caption.evaluate("e => e.scrollHeight - e.clientHeight > 1 || getComputedStyle(e).maxHeight !== 'none'")
        assert not cut, caption.inner_text()
    assert board.settle().plane.bounding_box()["width"] == side
    board.page.goto(f"{board.base}/lab")
    board.loaded().page.touchscreen.tap(*board.at(0.0, -board.root.evaluate("root => root.board.m.view") * 0.8))
    board.root.locator(".tip").wait_for()
    plane, tip = board.plane.bounding_box(), board.root.locator(".tip").bounding_box()
    across = min(plane["x"] + plane["width"], tip["x"] + tip["width"]) - max(plane["x"], tip["x"])
    down = min(plane["y"] + plane["height"], tip["y"] + tip["height"]) - max(plane["y"], tip["y"])
    assert max(0, across) * max(0, down) < 0.3 * plane["width"] * plane["height"]
    assert tip["x"] >= 0
    assert tip["x"] + tip["width"] <= size[0]


@pytest.mark.parametrize("size", [PHONE, pytest.param(SMALL, marks=pytest.mark.sweep)], ids=str)
def test_the_message_about_a_damaged_link_leaves_the_card_of_an_empty_board_in_sight(new_board, size):
    board = opened(new_board, "lab?s=nothing", *size)
    assert "This link is damaged" in board.message.inner_text()
    message, card = (board.root.locator(which).bounding_box() for which in (".message", ".card.empty"))
    assert message["y"] >= card["y"] + card["height"] or message["y"] + message["height"] <= card["y"]
    board.empty.get_by_role("button", name="Try a preset").tap()
    board.until(lambda: len(board.dots) > 1, "the points of the button")
