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
        board.page.locator("[class*=_again]").first.wait_for()
        board.page.locator(".sv-work").wait_for(state="detached")
        board.settle(frames=24)
        assert "\n".join(board.page.evaluate(REACHED)) == ""


IN_SIGHT = """(root, key) => {
  const plane = root.querySelector("svg.plane").getBoundingClientRect(), main = document.querySelector("[data-testid=stMain]");
  const field = document.querySelector(`.st-key-${key} input`).getBoundingClientRect();
  return { board: plane.top >= document.querySelector("[data-testid=stHeader]").getBoundingClientRect().bottom - 1 && plane.bottom <= field.top,
           field: field.bottom <= innerHeight, side: plane.width, height: main.scrollHeight };
}"""


def test_the_board_of_the_lab_stays_in_sight_while_one_sets_its_machine(new_board):
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
    held = board.plane.evaluate("plane => { const s = getComputedStyle(plane); return [s.touchAction, s.userSelect]; }")
    assert held == ["pan-y", "none"], "a second tap does not zoom, a long press does not select words"
    board.until(lambda: not board.root.evaluate("root => root.board.small"), "the board as it was")
    assert board.settle().root.evaluate(IN_SIGHT, "exact")["side"] == first["side"]
