// @ts-check
// What people do: keyboard. The whole board can be used without a pointer.

import { act, closeOverlays } from "./buttons.js";
import { addPoint, editable, inside, select } from "./edit.js";
import { handKey } from "./hand.js";
import { cancelGesture } from "./pointer.js";
import { paintCursor } from "./scene.js";
import { report } from "./wire.js";

/** @import { Deed } from "./buttons.js" */
/** @import { Place } from "./payload.js" */
/** @import { State } from "./state.js" */

/** @type {Record<string, Deed | undefined>} */
const KEYS = {
  1: "plus", 2: "minus", e: "eraser", "+": "zoomIn", "=": "zoomIn", "-": "zoomOut", 0: "fit", "?": "help", p: "project",
  Delete: "bin", Backspace: "bin",
};
/** @type {Record<string, Place | undefined>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * A key while the scene has the focus.
 * @param {State} s
 * @param {KeyboardEvent} e
 */
export function sceneKey(s, e) {
  if (e.target !== s.el.svg || e.ctrlKey || e.metaKey || s.gesture || !handled(s, e)) return;
  if (e.key !== "?") s.input = "keys";
  e.preventDefault();
  e.stopPropagation();
}

/** @type {(s: State, e: KeyboardEvent) => boolean} */
function handled(s, e) {
  const direction = ARROWS[e.key], deed = e.altKey ? undefined : KEYS[e.key];
  if (handKey(s, e.key, direction)) return true;
  if (e.key === "Tab") return walk(s, e.shiftKey ? -1 : 1);
  if (e.key === "Escape") escape(s);
  else if (direction) arrow(s, e, direction);
  else if (e.key === "Enter" || e.key === " ") placeAtCursor(s);
  else if (deed) act(s, deed);
  else return false;
  return true;
}

/**
 * Tab goes from point to point and leaves at either end; after Esc the next Tab leaves.
 * @type {(s: State, step: 1 | -1) => boolean}
 */
function walk(s, step) {
  const ids = [...s.m.pts.keys()], i = s.m.selected === null ? -1 : ids.indexOf(s.m.selected);
  const next = s.leaving || (i < 0 && step < 0) ? undefined : ids[i + step];
  s.input = "keys";
  s.cursor.on = false;
  paintCursor(s);
  select(s, next ?? null);
  return next !== undefined;
}

/** @type {(s: State) => void} */
function escape(s) {
  if (closeOverlays(s)) return;
  if (s.m.projector && s.m.selected === null && !s.eraser && !s.cursor.on) return act(s, "project");
  s.leaving = true;
  s.cursor.on = false;
  paintCursor(s);
  if (s.eraser) act(s, "eraser");
  select(s, null);
}

/**
 * Arrows move the selected point, or else the cursor. Shift: fine, Alt: ten times.
 * @type {(s: State, e: KeyboardEvent, direction: Place) => void}
 */
function arrow(s, e, [dx, dy]) {
  const p = s.m.selected === null ? undefined : s.m.pts.get(s.m.selected), from = p ?? s.cursor;
  const step = (e.shiftKey ? 0.001 : s.m.view / (p ? 100 : 40)) * (e.altKey ? 10 : 1);
  const x = inside(s, from.x + dx * step), y = inside(s, from.y + dy * step);
  s.leaving = false;
  s.input = "keys";
  if (!p) {
    s.cursor = { x, y, on: true };
    paintCursor(s);
  } else if (editable(s) && (x !== p.x || y !== p.y)) {
    s.nudged = p.id;
    report(s, { op: "move", id: p.id, x, y, live: true });
  }
}

/**
 * However long an arrow key is held, it is one step of undo.
 * @param {State} s
 */
export function nudgeEnded(s) {
  const p = s.nudged === null ? undefined : s.m.pts.get(s.nudged);
  s.nudged = null;
  if (p) report(s, { op: "move", id: p.id, x: p.x, y: p.y, live: false });
}

/** @type {(s: State) => void} */
function placeAtCursor(s) {
  if (s.m.selected !== null) return;
  if (s.cursor.on) addPoint(s, s.cursor.x, s.cursor.y, s.m.label);
  s.cursor.on = true;
  paintCursor(s);
}

/**
 * A key anywhere on the page. Undo and redo work wherever one is but in a field; single keys where the page itself, a
 * button or the board has the focus.
 * @param {State} s
 * @param {KeyboardEvent} e
 */
export function pageKey(s, e) {
  if (s.data.hidden || (e.key === "Escape" && cancelGesture(s))) return;
  const [el] = e.composedPath();
  if (e.altKey || !(el instanceof HTMLElement || el instanceof SVGElement) || isField(el)) return;
  const deed = e.ctrlKey || e.metaKey ? chord(e) : looseKey(s, e, el);
  if (!deed) return;
  e.preventDefault();
  if (!s.gesture && !s.sliding && s.nudged === null) act(s, deed);
}

/** @type {(el: Element) => boolean} */
const isField = (el) => (el instanceof HTMLElement && el.isContentEditable)
  || el.closest("input:not([type=range]), textarea, select") !== null;

/** @type {(e: KeyboardEvent) => Deed | undefined} */
function chord(e) {
  const key = e.key.toLowerCase();
  if (key === "z") return e.shiftKey ? "redo" : "undo";
  return key === "y" && e.ctrlKey ? "redo" : undefined;
}

/** @type {(s: State, e: KeyboardEvent, el: Element) => Deed | undefined} */
function looseKey(s, e, el) {
  if (e.defaultPrevented || !(el === document.body || s.root.contains(el) || el.closest("button"))) return undefined;
  if (e.key === "Escape") return s.m.projector && !closeOverlays(s) ? "project" : undefined;
  return KEYS[e.key] === "bin" ? undefined : KEYS[e.key];
}
