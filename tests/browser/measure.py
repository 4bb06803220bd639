"""What is wrong on a screen, measured: type, contrast, what is cut or lies outside. One measure for every page.

In front of a class type has 2.2 % of the screen's height, sub- and superscripts 1.7 % and never under 12 px, a display
formula 36 px on 1080. Contrast is WCAG's AA, of a text's colour against the very pixels that it stands on.
"""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from PIL import Image

MODES = {  # width, height, projected, theme
    "desk": (1280, 800, False, "light"),
    "hall": (1920, 1080, True, "light"),
    "room": (1280, 720, True, "dark"),
}
SHARE = 0.2  # of the pixels under a text may be a line that crosses it

# Helpers of the scripts below, which look into shadow roots too.
COMMON = """
  const inside = (root) => [...root.querySelectorAll("*")].flatMap((e) => e.shadowRoot ? [e, ...inside(e.shadowRoot)] : [e]);
  const shown = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  const up = (e) => e.parentElement ?? (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
  const where = (e) => { let at = e;
    while (at && !(at.closest("[class*=st-key-], [data-testid]"))) at = up(at);
    const near = at?.closest("[class*=st-key-], [data-testid]");
    return (near?.className?.match?.(/st-key-\\S+/g)?.join(" ") ?? near?.dataset.testid ?? "") + " " + (e.className?.baseVal ?? e.className ?? "").toString().slice(0, 30); };
"""

# Every text that can be seen, or with `sight` that is on the screen now: where, what, its size and the least it may
# have, its colour, its
# boxes, and whether it is cut.
TEXTS = (
    "([within, sight]) => {"
    + COMMON
    + """
  const canvas = new OffscreenCanvas(1, 1), pen = canvas.getContext("2d", { willReadFrequently: true }), known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) { pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); known.set(colour, [...pen.getImageData(0, 0, 1, 1).data]); }
    return known.get(colour); };
  const H = innerHeight, small = 0.022 * H - 0.1, script = Math.max(0.017 * H, 12) - 0.1, display = 36 / 1080 * H - 0.1;
  const field = (e) => e.matches("input:not([type=range], [type=radio], [type=checkbox], [type=file]), textarea") && (e.value || e.placeholder);
  const own = (e) => [...e.childNodes].filter((n) => n.nodeType === 3 && /[\\p{L}\\p{N}]/u.test(n.data));
  const boxes = (e, nodes) => { if (field(e)) return [e.getBoundingClientRect()];
    return nodes.flatMap((n) => { const range = document.createRange(); range.selectNodeContents(n); return [...range.getClientRects()]; }); };
  const beyond = new Map();
  const away = (e) => {
    if (!beyond.has(e)) { const { top, bottom } = e.getBoundingClientRect(); beyond.set(e, bottom < 0 || top > H); }
    return beyond.get(e); };
  const found = [];
  for (const e of inside(within ? document.querySelector(within) : document.body)) {
    if (sight && (away(e.closest("tr") ?? e) || away(e))) continue; // first the row, of a long table
    const nodes = own(e);
    if (!(nodes.length || field(e)) || !shown(e)) continue;
    if (e.closest(".katex-mathml, title, desc, style, script, noscript, option, .modebar, [data-testid=stIconMaterial], .live")) continue;
    const unseen = (at) => at && ((at.clientWidth <= 1 && getComputedStyle(at).position === "absolute") || unseen(up(at)));
    if (unseen(e)) continue; // for ears alone
    const rects = boxes(e, nodes).filter((r) => r.width > 1 && r.height > 1);
    if (!rects.length) continue;
    const empty = field(e) && !e.value, style = getComputedStyle(e, empty ? "::placeholder" : null), svg = e instanceof SVGElement;
    let alpha = svg ? Number(style.fillOpacity) : 1, cut = "", off = false, rolls = false, slides = false;
    for (let at = e; at; at = up(at)) {
      const look = getComputedStyle(at);
      alpha *= Number(look.opacity);
      off ||= at.matches(":disabled, [aria-disabled=true], [data-disabled=true], .sv-stale") || (at.matches("label") && !!at.querySelector(":disabled")) || !!(at.matches("[class*=stNumberInput], [data-testid=stTextInput], [data-testid=stNumberInput], [data-testid=stSelectbox]") && at.querySelector("input:disabled"));
      if (at === e && field(e)) { if (!e.readOnly && e.scrollWidth > e.clientWidth + 1) cut ||= `cut sideways by ${e.scrollWidth - e.clientWidth} px`; continue; }
      rolls ||= at !== e && /auto|scroll/.test(look.overflowY); // what lies below is reached
      slides ||= at.matches("[data-testid=stCode] *") && /auto|scroll/.test(look.overflowX); // a long line of a program
      const clips = look.overflowX !== "visible" && look.display !== "inline" && !(at instanceof SVGElement && at.tagName !== "svg") && at !== document.documentElement && at !== document.body;
      if (!clips || at.matches("[data-testid=stMain], [data-testid=stApp], [data-testid=stAppViewContainer], .sv-pick, .plane")) continue;
      const box = at.getBoundingClientRect();
      for (const r of rects) {
        const side = slides ? 0 : Math.max(r.right - box.right, box.left - r.left), down = rolls ? 0 : Math.max(r.bottom - box.bottom, box.top - r.top) - 0.25 * r.height;
        if (side > 1.5) cut ||= `cut sideways by ${Math.round(side)} px`;
        else if (down > 1.5) cut ||= `cut above or below by ${Math.round(down)} px`;
      }
    }
    const [r, g, b, a] = rgba(svg ? style.fill : style.color), size = parseFloat(style.fontSize);
    const katex = e.closest(".katex"), lowered = e.closest("sub, sup, .msupsub, .sizing, .mtight, .op-limits, tspan[style*=font-size]");
    found.push({ where: where(e).trim(), text: (field(e) || e.textContent).trim().slice(0, 24), size, bold: Number(style.fontWeight) >= 600,
      least: lowered ? script : katex ? (e.closest(".katex-display") ? display : small) : small, kind: lowered ? "script" : e.closest(".katex-display") ? "formula" : "text",
      colour: [r, g, b], alpha: alpha * a / 255, off, cut, boxes: rects.map((q) => [q.left, q.top, q.right, q.bottom]) });
  }
  return found;
}"""
)

# Glyphs alone become invisible: what is painted in the colour of text stays.
BLANK = (
    "(blank) => {"
    + COMMON
    + """
  const roots = [document.head, ...inside(document.body).map((e) => e.shadowRoot).filter(Boolean)];
  for (const root of roots) {
    root.querySelector("style.sv-blank")?.remove();
    if (!blank) continue;
    const style = document.createElement("style");
    style.className = "sv-blank";
    style.textContent = "*, ::before, ::after, ::placeholder { -webkit-text-fill-color: transparent !important; transition: none !important; caret-color: transparent !important; } svg text, svg tspan { fill: transparent !important; }";
    root.append(style);
  }
}"""
)

# What is wrong with a lesson on its one screen: outside of it, cut, squeezed.
SHEET = (
    """() => {
  const wrong = [], W = innerWidth, H = innerHeight, name = (e) => e.className?.baseVal ?? (e.closest("[class*=st-key-]")?.className.match(/st-key-\\S+/g)?.join(" ") || e.tagName);
  const sheet = document.querySelector(".st-key-sheet"), main = document.querySelector("[data-testid=stMain]");
  if (sheet.scrollHeight > sheet.clientHeight + 1) wrong.push(`the sheet is ${sheet.scrollHeight - sheet.clientHeight} px too high`);
  if (main.scrollHeight > main.clientHeight + 1) wrong.push(`the page is ${main.scrollHeight - main.clientHeight} px too high`);
  const foot = document.querySelector(".st-key-foot").getBoundingClientRect();
  if (foot.bottom > H + 0.5) wrong.push("the foot is below the screen");
  const chart = document.querySelector(".st-key-chart");
  if (chart && chart.firstElementChild) {
    const { height } = chart.parentElement.getBoundingClientRect(), plot = chart.querySelector(".js-plotly-plot");
    if (height < 140) wrong.push(`the chart has ${Math.round(height)} px`);
    if (plot && plot.getBoundingClientRect().bottom > chart.getBoundingClientRect().bottom + 1) wrong.push("the chart is cut below");
  }
"""
    + COMMON
    + """
  const box = sheet.getBoundingClientRect();
  for (const e of inside(sheet)) {
    if (!shown(e) || e.closest(".katex-mathml, table, .js-plotly-plot, .tip, [data-testid=stWidgetLabel], [data-testid=stRadio]")) continue;
    const r = e.getBoundingClientRect(), style = getComputedStyle(e);
    if (style.overflowX !== "visible" && e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1) wrong.push(`${name(e)}: cut sideways by ${e.scrollWidth - e.clientWidth} px`);
    else if (r.width > 1 && r.right > box.right + 1.5 && e.textContent.trim()) wrong.push(`${name(e)}: ${Math.round(r.right - box.right)} px beside the sheet`);
  }
  return [...new Set(wrong)];
}"""
)

# What lies outside of the screen, or makes it scroll sideways.
OUTSIDE = """() => {
  const main = document.querySelector("[data-testid=stMain]"), { scrollWidth } = document.documentElement;
  return scrollWidth > innerWidth || main.scrollWidth > main.clientWidth + 1 ? ["the page scrolls sideways"] : [];
}"""

TO = "(main, top) => { main.scrollTop = top; }"


def wrong(page: Any, projector: bool, within: str = "") -> list[str]:
    """All of it, in words, but for what a lesson promises besides. within: what lies over the page and dims it."""
    page_texts = texts(page, within)
    seen = [
        *page.evaluate(OUTSIDE),
        *cut(page_texts),
        *low_contrast(page, page_texts),
        *(small(page_texts) if projector else []),
    ]
    return list(dict.fromkeys(seen))


def wrong_on_the_way(page: Any) -> list[str]:
    """All of it in front of a class, a screen at a time from the page's top to its foot.

    Then once more without texts: whoever blanks and writes a long page for each of its screens has all of it styled as
    often."""
    main, seen, there = page.locator("[data-testid=stMain]"), [], []
    high, step = main.evaluate("main => [main.scrollHeight, main.clientHeight]")
    for top in range(0, high, step):
        main.evaluate(TO, top)
        there.append(texts(page, sight=True))
        seen += [*page.evaluate(OUTSIDE), *cut(there[-1]), *small(there[-1])]
    with blank(page) as ground:
        for top, page_texts in zip(range(0, high, step), there, strict=True):
            main.evaluate(TO, top)
            seen += low_contrast_on(ground(), page_texts)
        assert main.evaluate("main => main.scrollHeight") == high, "the page has grown meanwhile"
    return list(dict.fromkeys(seen))


LOSE_FOCUS = """() => {
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  e?.blur();
}"""


def unfold(board: Any) -> Any:
    """Bring the steps that go deeper into the strip, which folds them away at first. Nothing has the focus then."""
    board.page.locator(".sv-strip h1").wait_for()
    fold = board.page.locator(".sv-strip .fold")
    if fold.count() and fold.inner_text().startswith("+"):
        fold.click()
        board.page.locator(".sv-strip .fold", has_text="−").wait_for()
        board.page.evaluate(LOSE_FOCUS)
    return board


def layout_faults(board: Any) -> list[str]:
    """What is wrong with a lesson on its one screen, once a chart that has just come has found its size."""
    end = time.monotonic() + 3
    while (faults := list(board.page.evaluate(SHEET))) and time.monotonic() < end:
        board.settle(frames=12)
    return faults


def texts(page: Any, within: str = "", sight: bool = False) -> list[dict[str, Any]]:
    """Every text on the page, or within what a selector finds, or on the screen."""
    return list(page.evaluate(TEXTS, [within, sight]))


def small(page_texts: list[dict[str, Any]]) -> list[str]:
    """Texts that cannot be read from the back row."""
    return [
        f"{t['where']}: “{t['text']}” has {t['size']:.1f} px of {t['least']:.1f}"
        for t in page_texts
        if t["size"] < t["least"]
    ]


def cut(page_texts: list[dict[str, Any]]) -> list[str]:
    """Texts of which a part cannot be seen."""
    return [f"{t['where']}: “{t['text']}” is {t['cut']}" for t in page_texts if t["cut"]]


@contextmanager
def blank(page: Any) -> Iterator[Callable[[], Any]]:
    """No text can be seen; gives what takes the pixels (height, width, 3) of the screen.

    The browser's own picture: Playwright's reads the whole document first, for seconds where it is long.
    """
    asked = page.context.new_cdp_session(page)

    def ground() -> Any:
        taken = asked.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB"))

    page.evaluate(BLANK, True)
    yield ground
    page.evaluate(BLANK, False)
    asked.detach()


def low_contrast(page: Any, page_texts: list[dict[str, Any]]) -> list[str]:
    """Texts on the screen that do not stand out from what they are written on: 4.5:1, large ones 3:1."""
    with blank(page) as ground:
        return low_contrast_on(ground(), page_texts)


def low_contrast_on(ground: Any, page_texts: list[dict[str, Any]]) -> list[str]:
    """Those of the texts that do not stand out from what lies under them on the screen."""
    wrong = []
    for t in page_texts:
        seen = [_under(ground, box) for box in t["boxes"]]
        pixels = np.concatenate([each for each in seen if len(each)] or [np.zeros((0, 3))])
        if not len(pixels) or t["off"]:
            continue
        ink = t["alpha"] * np.array(t["colour"], dtype=float) + (1 - t["alpha"]) * pixels
        ratio = float(np.quantile(contrast(ink, pixels), SHARE))
        needed = 3.0 if t["size"] >= 24 or (t["bold"] and t["size"] >= 18.66) else 4.5
        if ratio < needed - 0.005:
            wrong.append(f"{t['where']}: “{t['text']}” has contrast {ratio:.2f}:1 of {needed}")
    return wrong


def contrast(ink: Any, paper: Any) -> Any:
    """WCAG's ratio of two colours (..., 3) of 0 to 255, 1 to 21."""
    a, b = _luminance(ink), _luminance(paper)
    return (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)


def _luminance(colour: Any) -> Any:
    share = np.asarray(colour, dtype=float) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def _under(ground: Any, box: list[float]) -> Any:
    """The pixels (k, 3) of a box that lie on the screen, if half of it does: of a sliver nothing is read."""
    left, top, right, bottom = (max(0, round(v)) for v in box)
    seen = ground[top:bottom, left:right]
    return seen.reshape(-1, 3)[: len(seen) * seen.shape[1] if 2 * len(seen) >= box[3] - box[1] else 0]
