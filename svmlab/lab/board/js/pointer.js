// @ts-check
// Input by the pointer. A press places a point, or the position that is moved by hand. On a point it selects or drags
// the point, and with the eraser it deletes it.

import { addPoint, clippedToBoard, editable, nextLabel, remove, sayLocked, select } from "./edit.js";
import { dragLine, moveLineTo } from "./move_line.js";
import { probePlace } from "./hand_line.js";
import { refresh } from "./paint.js";
import { fromX, fromY, nearest, partUnderPointer, toX, toY } from "./plane.js";
import { markedPositions } from "./points.js";
import { dragProbe, isOnProbe, moveProbeTo } from "./probe.js";
import { withoutDrag } from "./queue.js";
import { paintCursor } from "./scene.js";
import { square } from "./state.js";
import { report, sendNext } from "./messages.js";

/** @import { Label } from "./payload.js" */
/** @import { At } from "./plane.js" */
/** @import { Gesture, Hold, State } from "./state.js" */
/** @typedef {Gesture & {kind: "point"}} Drag */

const LONG_PRESS_MS = 500;
const OUTSIDE = 20; // a point dropped this many pixels beyond the edge is deleted

/** @type {(s: State, e: {clientX: number, clientY: number}, touch: boolean) => At} */
function place(s, { clientX, clientY }, touch) {
  const box = s.el.svg.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top, touch };
}

/** @type {(s: State, e: PointerEvent) => At} */
const placeOf = (s, e) => place(s, e, e.pointerType === "touch");

/** @type {(s: State, at: At) => number | null} */
const pick = (s, at) => nearest(square(s), markedPositions(s), at, at.touch ? 22 : Math.max(s.pointRadius + 5, 11));

/** @type {(s: State, at: At) => import("./plane.js").End | null} */
const pickHand = (s, at) => s.m.hand && partUnderPointer(square(s), s.m.hand, at);

/**
 * A finger on a point, or with the eraser, must not scroll the page. Anywhere else it may.
 * @param {State} s
 * @param {TouchEvent} e
 */
export function touchStart(s, e) {
  const at = place(s, e.changedTouches[0], true);
  if (s.eraser || pick(s, at) !== null || pickHand(s, at) || isOnProbe(s, at)) e.preventDefault();
}

/**
 * @param {State} s
 * @param {PointerEvent} e
 */
export function pointerDown(s, e) {
  if (s.gesture || (e.button !== 0 && e.button !== 2)) return;
  const at = placeOf(s, e), other = e.button === 2 || e.shiftKey || e.ctrlKey;
  s.input = at.touch ? "touch" : "mouse";
  s.hintDone = s.data.hint?.text ?? null;
  if (s.note?.key !== "lost") s.note = null;
  s.cursor.on = false;
  paintCursor(s);
  s.el.svg.focus({ preventScroll: true });
  s.el.svg.setPointerCapture(e.pointerId);
  s.gesture = { ...holdOf(s, at), pointer: e.pointerId, at, other, slop: at.touch ? 8 : 4 };
  if (s.gesture.kind === "press" && at.touch && editable(s)) {
    s.timers.long = setTimeout(() => finishPress(s, at, nextLabel(s)), LONG_PRESS_MS);
  }
  if (s.gesture.kind === "erase") erase(s, at);
  refresh(s);
}

/**
 * Return what is under the pointer. A handle comes before a point that it covers, and the rest of the line after it.
 * @param {State} s
 * @param {At} at
 * @returns {Hold}
 */
function holdOf(s, at) {
  const id = pick(s, at), p = id === null ? undefined : s.m.pts.get(id), end = pickHand(s, at), q = square(s);
  const place = isOnProbe(s, at) ? probePlace(s) : null;
  if (s.eraser) return { kind: "erase" };
  if (s.m.hand && end && (!p || end !== "both")) return { kind: "hand", end, hand: s.m.hand };
  if (place) return { kind: "probe", place };
  if (!p) return { kind: "press" };
  const grab = { x: toX(q, p.x) - at.x, y: toY(q, p.y) - at.y };
  return { kind: "point", id: p.id, from: { x: p.x, y: p.y }, grab };
}

/**
 * @param {State} s
 * @param {PointerEvent} e
 */
export function pointerMove(s, e) {
  const at = placeOf(s, e), g = s.gesture;
  if (g && g.pointer !== e.pointerId) return; // this is another finger
  s.pointer = at;
  if (!g) {
    if (!at.touch) hover(s);
    return;
  }
  if (Math.hypot(at.x - g.at.x, at.y - g.at.y) > g.slop) g.moved = true;
  if (g.kind === "erase") {
    const between = e.getCoalescedEvents?.() ?? [];
    for (const each of between.length ? between : [e]) erase(s, placeOf(s, each));
    return;
  }
  if (!g.moved) return;
  clearTimeout(s.timers.long);
  if (g.kind === "hand") dragLine(s, g, at);
  if (g.kind === "probe") dragProbe(s, g, at);
  if (g.kind === "point" && editable(s)) drag(s, g, at, e);
  else if (g.kind === "point") sayLocked(s);
}

/** @type {(s: State, g: Drag, at: At, e: PointerEvent) => void} */
function drag(s, g, at, e) {
  const p = s.m.pts.get(g.id), q = square(s), bin = s.el.buttons.bin.getBoundingClientRect();
  if (!p) return;
  const overBin = e.clientX >= bin.left && e.clientX <= bin.right && e.clientY >= bin.top && e.clientY <= bin.bottom;
  const low = Math.min(at.x, at.y), high = Math.max(at.x, at.y);
  g.dragging = true;
  g.drop = overBin || low < -OUTSIDE || high > s.size + OUTSIDE;
  s.hover = null;
  const x = clippedToBoard(s, fromX(q, at.x + g.grab.x)), y = clippedToBoard(s, fromY(q, at.y + g.grab.y));
  if (x !== p.x || y !== p.y) report(s, { op: "move", id: g.id, x, y, live: true });
  else refresh(s);
}

/**
 * @param {State} s
 * @param {PointerEvent} e
 */
export function pointerUp(s, e) {
  const g = s.gesture;
  if (g?.pointer !== e.pointerId) return;
  if (g.kind === "press" && !g.moved) return finishPress(s, g.at, g.other ? nextLabel(s) : s.m.label);
  release(s, e.button);
}

/**
 * Release the dragged object at its present position.
 * @param {State} s
 * @param {number} [button] the button that was released
 */
export function release(s, button = -1) {
  const g = s.gesture;
  if (!g) return;
  endGesture(s);
  if (g.kind === "hand" && g.dragging && s.m.hand) moveLineTo(s, s.m.hand, false);
  if (g.kind === "probe" && g.dragging) moveProbeTo(s, probePlace(s) ?? g.place, false);
  if (g.kind === "erase") {
    const ids = [...s.erased];
    s.erased.clear();
    remove(s, ids);
  }
  if (g.kind === "point") letGo(s, g, button);
}

/** @type {(s: State, g: Drag, button: number) => void} */
function letGo(s, g, button) {
  if (g.drop) {
    s.queue = withoutDrag(s.queue, g.id);
    remove(s, [g.id]);
  } else if (g.dragging) {
    const p = s.m.pts.get(g.id), moved = p && (p.x !== g.from.x || p.y !== g.from.y);
    if (p && (g.sent || moved)) report(s, { op: "move", id: g.id, x: p.x, y: p.y, live: false });
  } else if (!g.moved && button === 0) {
    select(s, g.id === s.m.selected ? null : g.id);
  }
}

/** @type {(s: State, at: At, label: Label) => void} */
function finishPress(s, at, label) {
  const q = square(s);
  endGesture(s);
  if (s.data.probe) return moveProbeTo(s, [fromX(q, at.x), fromY(q, at.y)], false);
  addPoint(s, fromX(q, at.x), fromY(q, at.y), label, !s.data.lesson); // in a lesson the selected point stays selected
}

/** @param {State} s */
function endGesture(s) {
  clearTimeout(s.timers.long);
  s.gesture = null;
  refresh(s);
}

/**
 * Cancel the gesture, and return whether there was one.
 * @param {State} s
 */
export function cancelGesture(s) {
  const g = s.gesture;
  if (!g) return false;
  s.erased.clear();
  endGesture(s);
  if (g.kind === "hand" && g.dragging) moveLineTo(s, g.hand, false);
  if (g.kind === "probe" && g.dragging) moveProbeTo(s, g.place, false);
  if (g.kind === "point" && g.dragging) {
    s.queue = withoutDrag(s.queue, g.id);
    if (g.sent) {
      report(s, { op: "move", id: g.id, ...g.from, live: false });
    } else {
      refresh(s);
      sendNext(s);
    }
  }
  return true;
}

/** @type {(s: State, at: At) => void} */
function erase(s, at) {
  const id = pick(s, at);
  if (id === null) return;
  s.erased.add(id);
  refresh(s);
}

/** @param {State} s */
export function hover(s) {
  const id = s.pointer && !s.gesture ? pick(s, s.pointer) : null;
  s.el.svg.classList.toggle("over", id !== null);
  if (id === s.hover) return;
  s.hover = id;
  refresh(s);
}
