// @ts-check
// Input that moves the line placed by hand: the pointer, the arrow keys, and the keys [ and ].

import { clippedToBoard } from "./edit.js";
import { fromX, fromY, rotatedLine, shiftedLine } from "./plane.js";
import { square } from "./state.js";
import { report } from "./messages.js";

/** @import { Hand, Place } from "./payload.js" */
/** @import { At } from "./plane.js" */
/** @import { Gesture, State } from "./state.js" */

const STEPS = 40; // steps of an arrow key across half the board
const TURN = Math.PI / 36;

/**
 * Put the line there, unless its ends are then too close to each other to turn it.
 * @param {State} s
 * @param {Hand} hand
 * @param {boolean} live
 */
export function moveLineTo(s, hand, live) {
  /** @type {(p: Place) => Place} */
  const put = ([x, y]) => [clippedToBoard(s, x), clippedToBoard(s, y)];
  const a = put(hand.a), b = put(hand.b);
  if (Math.hypot(a[0] - b[0], a[1] - b[1]) < 0.02 * s.m.view) return;
  report(s, { op: "hand", a, b, live });
}

/**
 * @param {State} s
 * @param {Gesture & {kind: "hand"}} g
 * @param {At} at
 */
export function dragLine(s, g, at) {
  const q = square(s), dx = fromX(q, at.x) - fromX(q, g.at.x), dy = fromY(q, at.y) - fromY(q, g.at.y);
  g.dragging = true;
  moveLineTo(s, shiftedLine(g.hand, g.end, dx, dy), true);
}

/**
 * An arrow key moves the line, and [ and ] turn it about its midpoint. Returns whether the key moved the line.
 * @param {State} s
 * @param {string} key
 * @param {Place | undefined} arrow
 */
export function lineKey(s, key, arrow) {
  const { hand, selected, view } = s.m, turn = key === "[" ? TURN : key === "]" ? -TURN : 0;
  if (!hand || selected !== null || (!arrow && !turn)) return false;
  const step = view / STEPS;
  moveLineTo(s, arrow ? shiftedLine(hand, "both", arrow[0] * step, arrow[1] * step) : rotatedLine(hand, turn), false);
  return true;
}
