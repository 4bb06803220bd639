// @ts-check
// Objects placed by hand: a line with two handles and the side that counts as +1, or a single position.

import { esc, find, mark } from "./dom.js";
import { fixed } from "./numbers.js";
import { onScreen, toX, toY } from "./plane.js";
import { square } from "./state.js";

/** @import { Place } from "./payload.js" */
/** @import { State } from "./state.js" */

/** @param {State} s */
export function paintHandLine(s) {
  const { m: { hand }, el } = s, place = probePlace(s);
  if (hand || !place) el.hand.innerHTML = hand ? handHtml(onScreen(square(s), hand), s.size, s.k) : "";
  else paintProbe(s, place);
}

/** @type {(ends: [number, number, number, number], size: number, k: number) => string} */
function handHtml([ax, ay, bx, by], size, k) {
  const len = Math.hypot(bx - ax, by - ay) || 1, dx = (bx - ax) / len, dy = (by - ay) / len;
  // A quarter turn to the left of a -> b on the screen gives the side of +1.
  const x = (ax + bx) / 2, y = (ay + by) / 2, tip = at(x + 34 * k * dy, y - 34 * k * dx);
  const back = at(-9 * k * dy - 5 * k * dx, 9 * k * dx - 5 * k * dy);
  const other = at(x + 25 * k * dy + 5 * k * dx, y - 25 * k * dx + 5 * k * dy);
  const far = 3 * size, line = `M${at(ax - far * dx, ay - far * dy)}L${at(bx + far * dx, by + far * dy)}`;
  return `<path class="line" d="${line}"/><path class="side" d="M${at(x, y)}L${tip}m${back}L${tip}L${other}"/>
    ${handle("a", ax, ay, k)}${handle("b", bx, by, k)}`;
}

/** @type {(x: number, y: number) => string} */
const at = (x, y) => `${fixed(x)} ${fixed(y)}`;

/** @type {(end: "a" | "b", x: number, y: number, k: number) => string} */
const handle = (end, x, y, k) => `<circle class="hit" data-end="${end}" cx="${x}" cy="${y}" r="20"/>`
  + `<circle class="grip" cx="${x}" cy="${y}" r="${fixed(7.5 * k)}"/>`;

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
  const kept = el.hand.querySelector(".probe"), now = kept?.getAttribute("data-key") === key ? kept : null;
  if (!now) {
    el.hand.innerHTML = `<g class="probe" data-key="${esc(key)}"><circle class="hit" r="20"/>
      <circle class="grip" r="${fixed(Math.max(8 * k, 0.75 * tick))}"/><text class="name" y="${fixed(0.33 * tick)}"
      text-anchor="middle" font-size="${fixed(tick)}">${esc(probe?.text ?? "")}</text></g>`;
  }
  const node = now ?? find(el.hand, ".probe", SVGGElement);
  mark(node, "transform", `translate(${toX(q, place[0])} ${toY(q, place[1])})`);
}
