// @ts-check
// The picture above the board, on a canvas of its own, gets every move at once, and the drag socket's last picture.

import { wholeSet } from "./replay.js";

/** @import { State } from "./state.js" */

/** @param {State} s */
export function tellSpace(s) {
  const { data: { space }, gesture: g, nudged, m } = s;
  if (!space) return;
  const held = g?.kind === "point" && g.dragging ? g.id : nudged, { points } = wholeSet(m);
  const detail = { space, points, selected: m.selected, held, live: held !== null };
  document.dispatchEvent(new CustomEvent("svmlab:space", { detail }));
}
