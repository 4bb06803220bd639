// @ts-check
// A line that is placed by hand: two handles, and the side that counts as +1.

import { fixed } from "./numbers.js";
import { onScreen } from "./plane.js";
import { square } from "./state.js";

/** @import { State } from "./state.js" */

/** @param {State} s */
export function paintHand(s) {
  const { hand } = s.m;
  s.el.hand.innerHTML = hand ? handHtml(onScreen(square(s), hand), s.size, s.k) : "";
}

/** @type {(ends: [number, number, number, number], size: number, k: number) => string} */
function handHtml([ax, ay, bx, by], size, k) {
  const len = Math.hypot(bx - ax, by - ay) || 1, dx = (bx - ax) / len, dy = (by - ay) / len;
  // A quarter turn to the left of a -> b on the screen: the side of +1.
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
