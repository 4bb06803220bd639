// @ts-check
// What follows every move beside the board of a lesson: the picture on a canvas of its own, and a table. Both also get
// the drag socket's last picture.

import { wholeSet } from "./replay.js";

/** @import { State } from "./state.js" */

/** @param {State} s */
export function sendToCanvas(s) {
  const { data: { space }, gesture: g, nudged, m } = s;
  if (!space) return;
  const movedId = g?.kind === "point" && g.dragging ? g.id : nudged, { points } = wholeSet(m);
  const detail = { space, points, selected: m.selected, held: movedId, live: movedId !== null };
  document.dispatchEvent(new CustomEvent("svmlab:space", { detail }));
}

/**
 * Send the markup of the table, which comes with what the step draws.
 * @param {State} s
 */
export function sendToTable(s) {
  const { data: { table } } = s;
  if (table) document.dispatchEvent(new CustomEvent("svmlab:table", { detail: table }));
}
