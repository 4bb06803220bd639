// @ts-check
// The keys that turn the pages of a lesson, and where they work.

import { READABLE } from "./focus.js";

/** @import { Mark } from "./main.js" */
/** @typedef {1 | -1} Direction */
/** @typedef {{key: string} | {show: string} | {lesson: Direction}} Wish a step, the answer to one, or a lesson */

/** @type {Record<string, Direction | undefined>} */
export const CLICKER = { PageDown: 1, PageUp: -1 };
/** @type {Record<string, Direction | undefined>} */
const ARROWS = { ArrowRight: 1, ArrowLeft: -1 };
const TYPED = "textarea, input:not([type=range], [type=radio], [type=checkbox], [type=button])";

/**
 * Return the direction that this key requests, if any. A clicker works everywhere but in a text field. An arrow key
 * works if the focus is on nothing, on the strip, on an element that is only read, or on an element around these,
 * because a page that was clicked has the focus itself.
 * @param {KeyboardEvent} e
 * @param {HTMLElement} root of the strip
 * @returns {Direction | undefined}
 */
export function directionOf(e, root) {
  if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || typed(e.composedPath()[0])) return undefined;
  return CLICKER[e.key] ?? (around(root) ? ARROWS[e.key] : undefined);
}

/** @type {(target: EventTarget | undefined) => boolean} */
const typed = (target) => target instanceof HTMLElement && (target.isContentEditable || target.matches(TYPED));

/** @type {(root: HTMLElement) => boolean} */
function around(root) {
  const place = root.getRootNode(), host = place instanceof ShadowRoot ? place.host : root;
  const active = document.activeElement;
  return Boolean(active?.contains(host) || active?.matches(READABLE)) || root.contains(active);
}

/**
 * Return what a presenter's clicker requests. As a slide builds up, the answer to a question comes before the next
 * step. Beyond the ends of the lesson come the lessons beside it.
 * @param {Mark[]} marks
 * @param {string} at
 * @param {Direction} direction
 * @param {{[side in "back" | "onward"]: boolean}} lessons whether there is a lesson before and after this one
 * @returns {Wish | undefined}
 */
export function wishOf(marks, at, direction, { back, onward }) {
  const open = marks.find(({ key }) => key === at);
  if (direction > 0 && open?.asks) return { show: at };
  const key = nextKey(marks.map((mark) => mark.key), at, direction);
  if (key !== undefined) return { key };
  return (direction > 0 ? onward : back) ? { lesson: direction } : undefined;
}

/**
 * Return the next or previous step, or none beyond the ends.
 * @param {string[]} keys
 * @param {string} at
 * @param {Direction} direction
 * @returns {string | undefined}
 */
export const nextKey = (keys, at, direction) => keys[keys.indexOf(at) + direction];
