// @ts-check
// A toolbar is one stop of Tab. Arrow keys, Home and End move along its buttons.

import { TOGGLES } from "./build.js";

/** @import { State } from "./state.js" */

/** @type {(bar: HTMLElement) => HTMLButtonElement[]} */
const tools = (bar) => [...bar.querySelectorAll(".group > button")].filter((e) => e instanceof HTMLButtonElement);

/**
 * Make one button of each bar reachable by Tab: the one that had the focus last, or one that is always enabled.
 * @param {State} s
 */
export function paintStops({ data: { hidden }, el: { top, thumb, buttons } }) {
  for (const bar of [top, thumb]) {
    const all = tools(bar), before = all.find((button) => button.tabIndex === 0 && !button.disabled);
    const steady = hidden ? buttons.share : [buttons[TOGGLES[0]], buttons.help].find((each) => bar.contains(each));
    const stop = all.filter((button) => button.tabIndex === 0).length === 1 && before ? before : steady;
    for (const button of all) button.tabIndex = button === stop ? 0 : -1;
  }
}

/**
 * @param {HTMLElement} bar
 * @param {KeyboardEvent} e
 */
export function toolbarKey(bar, e) {
  const all = tools(bar).filter((button) => !button.disabled && button.offsetParent), last = all.length - 1;
  const i = all.findIndex((button) => button === e.target);
  if (i < 0 || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
  const to = { ArrowRight: i < last ? i + 1 : 0, ArrowLeft: i ? i - 1 : last, Home: 0, End: last }[e.key];
  if (to === undefined) return;
  for (const button of tools(bar)) button.tabIndex = button === all[to] ? 0 : -1;
  all[to].focus();
  e.preventDefault();
  e.stopPropagation();
}
