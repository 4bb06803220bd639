// @ts-check
// A position that is placed by hand anywhere on the board. It sets two sliders, and the pointer or arrow keys move it.

import { clippedToBoard } from "./edit.js";
import { probePlace } from "./hand_line.js";
import { fromX, fromY, isOnHandle } from "./plane.js";
import { square } from "./state.js";
import { announcePlace } from "./screen_reader.js";
import { report } from "./messages.js";

/** @import { Place } from "./payload.js" */
/** @import { At } from "./plane.js" */
/** @import { Gesture, State } from "./state.js" */

const STEPS = 40; // steps of an arrow key across half the board

/**
 * Return whether the pointer is on the position.
 * @param {State} s
 * @param {At} at
 */
export function isOnProbe(s, at) {
  const place = probePlace(s);
  return place !== null && isOnHandle(square(s), place, at);
}

/**
 * Set the position.
 * @param {State} s
 * @param {Place} place
 * @param {boolean} live
 */
export function moveProbeTo(s, [x, y], live) {
  const { probe } = s.data;
  if (!probe) return;
  report(s, { op: "dial", values: { [probe.x]: clippedToBoard(s, x), [probe.y]: clippedToBoard(s, y) }, live });
}

/**
 * @param {State} s
 * @param {Gesture & {kind: "probe"}} g
 * @param {At} at
 */
export function dragProbe(s, g, at) {
  const q = square(s), dx = fromX(q, at.x) - fromX(q, g.at.x), dy = fromY(q, at.y) - fromY(q, g.at.y);
  g.dragging = true;
  moveProbeTo(s, [g.place[0] + dx, g.place[1] + dy], true);
}

/**
 * Move the position by an arrow key, unless a point is selected or the cursor is on. Shift: a fifth of a step. Returns
 * whether the key moved it.
 * @param {State} s
 * @param {KeyboardEvent} e
 * @param {Place | undefined} arrow
 */
export function probeKey(s, e, arrow) {
  const place = probePlace(s), step = (s.m.view / STEPS) * (e.shiftKey ? 0.2 : 1);
  if (!place || !arrow || s.m.selected !== null || s.cursor.on) return false;
  moveProbeTo(s, [place[0] + arrow[0] * step, place[1] + arrow[1] * step], false);
  if (!e.repeat) announcePlace(s, probePlace(s) ?? place);
  return true;
}
