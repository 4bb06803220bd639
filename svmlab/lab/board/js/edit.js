// @ts-check
// The changes of the board that the pointer, keys and buttons share.

import { clamp, thousandths } from "./numbers.js";
import { memory } from "./memory.js";
import { notify } from "./overlays.js";
import { viewThatFits } from "./plane.js";
import { unacknowledged } from "./queue.js";
import { report } from "./messages.js";

/** @import { Label } from "./payload.js" */
/** @import { State } from "./state.js" */

/** @param {State} s */
export const editable = (s) => s.data.tool === "place";

/** @param {State} s */
export const locked = (s) => s.data.tool === "locked";

/**
 * Say that the points are locked, where somebody tries to change them.
 * @param {State} s
 */
export const sayLocked = (s) => void (locked(s) && notify(s, "locked"));

/**
 * A coordinate rounded as the board stores it, and clipped to the visible part.
 * @param {State} s
 * @param {number} v
 */
export function clippedToBoard(s, v) {
  const edge = Math.min(s.m.view, s.data.rules.edge);
  return clamp(thousandths(v), -edge, edge);
}

/**
 * @param {State} s
 * @param {number} x
 * @param {number} y
 * @param {Label} label
 * @param {boolean} select whether the new point becomes the selected one
 */
export function addPoint(s, x, y, label, select) {
  const { points, can, rules } = s.data;
  if (!editable(s)) return sayLocked(s);
  const added = unacknowledged(s).filter(({ op }) => op === "add").length;
  if (!can.add || points.length + added >= rules.limit) return notify(s, "full");
  memory.maxId += 1;
  report(s, { op: "add", id: memory.maxId, x: clippedToBoard(s, x), y: clippedToBoard(s, y), label, select });
}

/**
 * @param {State} s
 * @param {number[]} ids
 */
export function remove(s, ids) {
  if (ids.length && editable(s)) report(s, { op: "delete", ids });
  else if (ids.length) sayLocked(s);
}

/**
 * @param {State} s
 * @param {number | null} id
 */
export function select(s, id) {
  if (id !== s.m.selected) report(s, { op: "select", id });
}

/**
 * Give new points the class at an index of `labels`, if there is one.
 * @param {State} s
 * @param {number} i
 */
export function setLabel(s, i) {
  const label = s.data.labels[i];
  if (locked(s)) return sayLocked(s);
  if (label !== undefined && label !== s.m.label) report(s, { op: "label", label });
}

/**
 * The class after the one of new points; with two classes, the other one.
 * @param {State} s
 */
export function nextLabel({ data: { labels }, m }) {
  return labels[(labels.indexOf(m.label) + 1) % labels.length];
}

/**
 * Make the controls change the SVM of this board.
 * @param {State} s
 * @param {string | null} board
 */
export function activate(s, board) {
  if (board && board !== s.m.active) report(s, { op: "active", on: board });
}

/**
 * @param {State} s
 * @param {number} half
 */
function setView(s, half) {
  if (half !== s.m.view) report(s, { op: "view", half });
}

/**
 * Zoom out (1) or in (-1).
 * @param {State} s
 * @param {1 | -1} step
 */
export function zoom(s, step) {
  const { views } = s.data.rules, i = views.findIndex((v) => v >= s.m.view);
  setView(s, views[clamp(i + step, 0, views.length - 1)]);
}

/** @param {State} s */
export const fitView = (s) => setView(s, viewThatFits(s.data.rules, s.m.pts.values()));
