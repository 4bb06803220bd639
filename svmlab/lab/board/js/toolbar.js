// @ts-check
// A row of buttons is one stop of Tab. Arrow keys, Home and End move along it.

import { TOGGLES } from "./build.js";

/** @import { State } from "./state.js" */

/**
 * The rows of buttons, and the button that Tab reaches first if it is always enabled.
 * @type {(s: State) => {row: HTMLElement, first?: HTMLElement}[]}
 */
const rows = ({ data: { hidden }, el: { top, thumb, names, legend, film, sliders, buttons } }) => [
  ...[top, thumb].map((row) => {
    const steady = [buttons[TOGGLES[0]], buttons.help, buttons.undo];
    const first = hidden ? buttons.share : steady.find((each) => row.contains(each) && !each.disabled);
    return { row, first };
  }),
  ...[names, legend, film, sliders].map((row) => ({ row })),
];

/** @type {(row: HTMLElement) => HTMLButtonElement[]} */
const tools = (row) => [...row.querySelectorAll("button")].filter((each) => !each.closest(".menu"));

/**
 * Make one button of each row reachable by Tab: the one that had the focus last, or the first one.
 * @param {State} s
 */
export function paintStops(s) {
  for (const { row, first } of rows(s)) {
    const all = tools(row), before = all.find((button) => button.tabIndex === 0 && !button.disabled);
    const stop = all.filter((button) => button.tabIndex === 0).length === 1 && before ? before
      : (first ?? all.find((button) => !button.disabled));
    for (const button of all) button.tabIndex = button === stop ? 0 : -1;
  }
}

/**
 * @param {State} s
 * @param {KeyboardEvent} e
 */
export function toolbarKey(s, e) {
  const { target } = e, toolbarRow = rows(s).find(({ row }) => target instanceof Node && row.contains(target));
  if (!toolbarRow || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
  const all = tools(toolbarRow.row).filter((button) => !button.disabled && button.offsetParent), last = all.length - 1;
  const i = all.findIndex((button) => button === target);
  if (i < 0) return;
  const to = { ArrowRight: i < last ? i + 1 : 0, ArrowLeft: i ? i - 1 : last, Home: 0, End: last }[e.key];
  if (to === undefined) return;
  for (const button of tools(toolbarRow.row)) button.tabIndex = button === all[to] ? 0 : -1;
  all[to].focus();
  e.preventDefault();
  e.stopPropagation();
}
