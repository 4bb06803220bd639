// @ts-check
// A position that is placed by hand anywhere on the board. It sets two sliders, and the pointer or arrow keys move it.

import { inside } from "./edit.js";
import { probeAt } from "./line.js";
import { fromX, fromY, held } from "./plane.js";
import { square } from "./state.js";
import { placeHeard } from "./voice.js";
import { report } from "./wire.js";

/** @import { Place } from "./payload.js" */
/** @import { At } from "./plane.js" */
/** @import { Gesture, State } from "./state.js" */

const STEPS = 40; // steps of an arrow key across half the board

/**
 * Return whether the pointer is on the position.
 * @param {State} s
 * @param {At} at
 */
export function onProbe(s, at) {
  const place = probeAt(s);
  return place !== null && held(square(s), place, at);
}

/**
 * Set the position.
 * @param {State} s
 * @param {Place} place
 * @param {boolean} live
 */
export function probeTo(s, [x, y], live) {
  const { probe } = s.data;
  if (probe) report(s, { op: "dial", values: { [probe.x]: inside(s, x), [probe.y]: inside(s, y) }, live });
}

/**
 * @param {State} s
 * @param {Gesture & {kind: "probe"}} g
 * @param {At} at
 */
export function dragProbe(s, g, at) {
  const q = square(s), dx = fromX(q, at.x) - fromX(q, g.at.x), dy = fromY(q, at.y) - fromY(q, g.at.y);
  g.dragging = true;
  probeTo(s, [g.place[0] + dx, g.place[1] + dy], true);
}

/**
 * Move the position by an arrow key, unless a point is selected or the cursor is on. Shift: a fifth of a step. Returns
 * whether the key moved it.
 * @param {State} s
 * @param {KeyboardEvent} e
 * @param {Place | undefined} arrow
 */
export function probeKey(s, e, arrow) {
  const place = probeAt(s), step = (s.m.view / STEPS) * (e.shiftKey ? 0.2 : 1);
  if (!place || !arrow || s.m.selected !== null || s.cursor.on) return false;
  probeTo(s, [place[0] + arrow[0] * step, place[1] + arrow[1] * step], false);
  if (!e.repeat) placeHeard(s, probeAt(s) ?? place);
  return true;
}
