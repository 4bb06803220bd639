// @ts-check
// Input by the keyboard. The whole board can be used without a pointer.

import { act, closeOverlays } from "./buttons.js";
import { addPoint, clippedToBoard, editable, sayLocked, select } from "./edit.js";
import { lineKey } from "./move_line.js";
import { uncover } from "./layout.js";
import { cancelGesture } from "./pointer.js";
import { probeKey } from "./probe.js";
import { paintCursor } from "./scene.js";
import { announceCursor } from "./screen_reader.js";
import { report } from "./messages.js";

/** @import { ActionName } from "./buttons.js" */
/** @import { Place } from "./payload.js" */
/** @import { State } from "./state.js" */

/** @type {Record<string, ActionName | undefined>} */
const KEYS = {
  1: "plus", 2: "minus", 3: "third", 4: "fourth", e: "eraser", "+": "zoomIn", "=": "zoomIn", "-": "zoomOut", 0: "fit",
  "?": "help", p: "project", q: "full", r: "rings", b: "blank", ".": "blank", Delete: "bin", Backspace: "bin",
};
/** @type {(key: string) => ActionName | undefined} */
const deedOf = (key) => KEYS[key.length === 1 ? key.toLowerCase() : key];
/** @type {Record<string, Place | undefined>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * Handle a key while the scene has the focus.
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
  const direction = ARROWS[e.key], deed = e.altKey ? undefined : deedOf(e.key);
  if (e.key === " " && s.film) return false; // it plays the film, and Enter adds a point
  if (lineKey(s, e.key, direction) || probeKey(s, e, direction)) return true;
  if (e.key === "Escape") escape(s);
  else if (e.key.toLowerCase() === "n") walk(s, e.shiftKey ? -1 : 1);
  else if (direction) arrow(s, e, direction);
  else if (e.key === "Enter" || e.key === " ") placeAtCursor(s);
  else if (deed) act(s, deed);
  else return false;
  return true;
}

/**
 * Select the next or previous point cyclically. Tab passes the scene in one stop.
 * @type {(s: State, step: 1 | -1) => void}
 */
function walk(s, step) {
  const ids = [...s.m.pts.keys()], i = s.m.selected === null ? -1 : ids.indexOf(s.m.selected), last = ids.length - 1;
  const next = ids[i < 0 ? (step > 0 ? 0 : last) : (i + step + ids.length) % ids.length];
  s.input = "keys";
  s.cursor.on = false;
  paintCursor(s);
  if (next === undefined) return;
  select(s, next);
  uncover(s, next);
}

/** @type {(s: State) => void} */
function escape(s) {
  if (closeOverlays(s)) return;
  if (s.m.projector && s.m.selected === null && !s.eraser && !s.cursor.on) return act(s, "project");
  s.cursor.on = false;
  paintCursor(s);
  if (s.eraser) act(s, "eraser");
  select(s, null);
}

/**
 * Arrow keys move the selected point, or else the cursor. Shift: small steps. Alt: ten times as far.
 * @type {(s: State, e: KeyboardEvent, direction: Place) => void}
 */
function arrow(s, e, [dx, dy]) {
  const p = s.m.selected === null ? undefined : s.m.pts.get(s.m.selected), from = p ?? s.cursor;
  const step = (e.shiftKey ? 0.001 : s.m.view / (p ? 100 : 40)) * (e.altKey ? 10 : 1);
  const x = clippedToBoard(s, from.x + dx * step), y = clippedToBoard(s, from.y + dy * step);
  s.input = "keys";
  if (!p) {
    s.cursor = { x, y, on: true };
    paintCursor(s);
    if (!e.repeat) announceCursor(s);
  } else if (editable(s) && (x !== p.x || y !== p.y)) {
    s.nudged = p.id;
    report(s, { op: "move", id: p.id, x, y, live: true });
  } else {
    sayLocked(s);
  }
}

/**
 * A move by an arrow key is one step of undo, however long the key is held.
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
  if (s.cursor.on) addPoint(s, s.cursor.x, s.cursor.y, s.m.label, false);
  s.cursor.on = true;
  paintCursor(s);
}

/**
 * Handle a key anywhere on the page, unless the element with the focus takes letters.
 * @param {State} s
 * @param {KeyboardEvent} e
 */
export function pageKey(s, e) {
  if (e.key === "Escape" && cancelGesture(s)) return;
  const path = e.composedPath(), [el] = path;
  if (path.some((part) => part instanceof Element && part.role === "dialog" && !s.root.contains(part))) return;
  if (e.altKey || !(el instanceof HTMLElement || el instanceof SVGElement) || isField(el)) return;
  const deed = e.ctrlKey || e.metaKey ? chord(e) : looseKey(s, e);
  if (!deed || (s.data.hidden && !BARE.has(deed))) return;
  e.preventDefault();
  if (!s.gesture && !s.sliding && s.nudged === null) act(s, deed);
}

/** @type {Set<ActionName>} */
const BARE = new Set(["project", "full", "blank"]); // the actions of a page without a board

/** The elements that take letters: text fields, lists that are searched by letters, tables that can be edited. */
const TYPED = ["textarea", "select", "canvas", "[role=grid]", "[role=listbox]", "[role=menu]",
  "input:not([type=range], [type=radio], [type=checkbox], [type=button])"].join();
/** The elements that the space bar presses. */
const PRESSED = "button, summary, [role=button], input[type=radio], input[type=checkbox], [type=button], [data-id]";

/** @type {(el: Element) => boolean} */
const isField = (el) => (el instanceof HTMLElement && el.isContentEditable) || el.closest(TYPED) !== null;

/** @type {(e: KeyboardEvent) => ActionName | undefined} */
function chord(e) {
  const key = e.key.toLowerCase();
  if (key === "z") return e.shiftKey ? "redo" : "undo";
  return key === "y" && e.ctrlKey ? "redo" : undefined;
}

/** @type {(e: KeyboardEvent) => boolean} */
const pressed = (e) => {
  const [el] = e.composedPath();
  return el instanceof Element && el.closest(PRESSED) !== null;
};

/** @type {(s: State, e: KeyboardEvent) => ActionName | undefined} */
function looseKey(s, e) {
  if (e.defaultPrevented) return undefined;
  if (e.key === "Escape") return s.m.projector && !closeOverlays(s) ? "project" : undefined;
  if (e.key === " ") return s.film && !e.repeat && !pressed(e) ? "film" : undefined;
  const deed = deedOf(e.key);
  return deed === "bin" ? undefined : deed;
}
