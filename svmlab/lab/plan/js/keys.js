// @ts-check
// The keys of a clicker while a plan is walked. Nothing here uses the page.

/** @typedef {1 | -1} Direction */

/** @type {Record<string, Direction | undefined>} */
const CLICKER = { PageDown: 1, PageUp: -1 };
const TYPED = "textarea, select, [role=dialog] *, input:not([type=range], [type=radio], [type=checkbox], "
  + "[type=button])";

/**
 * Return the direction that a key requests, if any: nothing while somebody types in a field, or in a dialog.
 * @param {KeyboardEvent} e
 * @returns {Direction | undefined}
 */
export function directionOf(e) {
  if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || e.defaultPrevented) return undefined;
  const isTyped = e.composedPath().some((each) =>
    each instanceof HTMLElement && (each.isContentEditable || each.matches(TYPED)));
  return isTyped ? undefined : CLICKER[e.key];
}

/**
 * Return the stop in this direction, or none beyond the ends.
 * @param {number | null} at
 * @param {Direction} direction
 * @param {number} count
 * @returns {number | undefined}
 */
export function nextStop(at, direction, count) {
  const next = at === null ? undefined : at + direction;
  return next !== undefined && next >= 0 && next < count ? next : undefined;
}
