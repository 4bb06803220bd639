// @ts-check
// Objects placed by hand: a line with two handles and the side that counts as +1, or a single position.

import { esc, find, mark } from "./dom.js";
import { fixed } from "./numbers.js";
import { onScreen, toX, toY } from "./plane.js";
import { square } from "./state.js";

/** @import { Hand, Place } from "./payload.js" */
/** @import { State } from "./state.js" */

/** @param {State} s */
export function paintHandLine(s) {
  const place = probePlace(s);
  if (s.m.hand) paintLine(s, s.m.hand);
  else if (place) paintProbe(s, place);
  else s.el.hand.replaceChildren();
}

/** @type {(end: "a" | "b") => string} */
const handleHtml = (end) => `<circle class="hit ${end}" data-end="${end}" r="20"/><circle class="grip ${end}"/>`;
const LINE_HTML = `<path class="line"/><path class="side"/>${handleHtml("a")}${handleHtml("b")}`;

/**
 * The elements are kept while the line moves. A browser scrolls the page if a finger's element has been removed.
 * @type {(s: State, hand: Hand) => void}
 */
function paintLine(s, hand) {
  const { k, size, el } = s, [ax, ay, bx, by] = onScreen(square(s), hand);
  const len = Math.hypot(bx - ax, by - ay) || 1, dx = (bx - ax) / len, dy = (by - ay) / len, reach = 3 * size;
  // A quarter turn to the left of a -> b on the screen gives the side of +1.
  const x = (ax + bx) / 2, y = (ay + by) / 2, tip = at(x + 34 * k * dy, y - 34 * k * dx);
  const back = at(-9 * k * dy - 5 * k * dx, 9 * k * dx - 5 * k * dy);
  const other = at(x + 25 * k * dy + 5 * k * dx, y - 25 * k * dx + 5 * k * dy);
  if (!el.hand.querySelector(".line")) el.hand.innerHTML = LINE_HTML;
  const line = `M${at(ax - reach * dx, ay - reach * dy)}L${at(bx + reach * dx, by + reach * dy)}`;
  mark(find(el.hand, ".line", SVGElement), "d", line);
  mark(find(el.hand, ".side", SVGElement), "d", `M${at(x, y)}L${tip}m${back}L${tip}L${other}`);
  for (const circle of el.hand.querySelectorAll("circle")) {
    const [cx, cy] = circle.matches(".a") ? [ax, ay] : [bx, by];
    mark(circle, "cx", cx);
    mark(circle, "cy", cy);
    if (circle.matches(".grip")) mark(circle, "r", fixed(7.5 * k));
  }
}

/** @type {(x: number, y: number) => string} */
const at = (x, y) => `${fixed(x)} ${fixed(y)}`;

/**
 * The position that is moved by hand, with all operations since the last data.
 * @param {State} s
 * @returns {Place | null}
 */
export function probePlace({ data: { probe }, m: { values } }) {
  return probe ? [values[probe.x] ?? probe.at[0], values[probe.y] ?? probe.at[1]] : null;
}

/**
 * The element is kept while it moves, because a finger would lose a new one.
 * @type {(s: State, place: Place) => void}
 */
function paintProbe(s, place) {
  const { k, tick, el, data: { probe } } = s, q = square(s), key = [k, tick, probe?.text].join();
  const kept = el.hand.querySelector(".probe"), current = kept?.getAttribute("data-key") === key ? kept : null;
  if (!current) {
    el.hand.innerHTML = `<g class="probe" data-key="${esc(key)}"><circle class="hit" r="20"/>
      <circle class="grip" r="${fixed(Math.max(8 * k, 0.75 * tick))}"/><text class="name" y="${fixed(0.33 * tick)}"
      text-anchor="middle" font-size="${fixed(tick)}">${esc(probe?.text ?? "")}</text></g>`;
  }
  const node = current ?? find(el.hand, ".probe", SVGGElement);
  mark(node, "transform", `translate(${toX(q, place[0])} ${toY(q, place[1])})`);
}
