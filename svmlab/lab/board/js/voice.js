// @ts-check
// A point in words: what stands beside it, and what those hear who do not see the board.

import { write } from "./dom.js";
import { thousandths, written } from "./numbers.js";
import { word } from "./state.js";

/** @import { Place } from "./payload.js" */
/** @import { Point } from "./replay.js" */
/** @import { State } from "./state.js" */

/** @type {(place: {x: number, y: number}) => string} */
const at = ({ x, y }) => `(${written(x)}, ${written(y)})`;

/**
 * What Python says of a point, unless it is new or held.
 * @param {State} s
 * @param {number} id
 */
function known(s, id) {
  const { marks } = s.data, i = s.index.get(id) ?? -1, values = marks?.values?.[i];
  /** @param {string} kind */
  const said = (kind) => word(s, `${kind}_${marks?.cat?.[i] ?? ""}`).replace("{C}", marks?.bound ?? "C");
  return values && { f: values[0], xi: values[1], alpha: values[2], several: values[3], said };
}

/** @type {(s: State, of: string) => string} */
const name = (s, of) => word(s, `${of}_${s.data.task}`);

/**
 * The lines shown beside a point.
 * @param {State} s
 * @param {Point} p
 */
export function beside(s, p) {
  const told = known(s, p.id);
  if (!told) return "";
  const more = told.several && `\n${told.several}`;
  return `${at(p)}\n${name(s, "f")} = ${told.f}, ξ = ${told.xi}\n${name(s, "alpha")} = ${told.alpha}, `
    + `${told.said("is")}${more}`;
}

/** @type {(s: State, p: Point) => string} */
function pointHeard(s, p) {
  const told = known(s, p.id), mark = word(s, `heard_${s.data.task}_${p.label}`);
  if (!told) return `${mark}, ${at(p)}`;
  const slack = told.xi === "0" ? "" : `, ξ = ${told.xi}`;
  const more = told.several && `, ${told.several}`;
  return `${mark}, ${at(p)}, ${told.said("role")}, ${name(s, "alpha")} = ${told.alpha}${slack}${more}`;
}

/**
 * One sentence about what the last answer has changed: the selected point, and beside no lesson, where it might be the
 * answer, the figures. While something goes on nothing is said.
 * @param {State} s
 */
export function speak(s) {
  const { data, heard: before } = s, p = s.m.selected === null ? undefined : s.m.pts.get(s.m.selected);
  if (data.hidden || s.inflight || s.queue.length || s.gesture || s.sliding || s.playing || s.nudged !== null) return;
  const point = p ? pointHeard(s, p) : "", figures = (!data.lesson && data.heard) || {};
  s.heard = { board: data.board, point, figures };
  if (before?.board !== data.board) return; // a board that comes is not a change
  const changed = Object.entries(figures).filter(([name, told]) => before.figures[name] !== told);
  const said = [point === before.point ? "" : point, changed.map(([, told]) => told).join(", ")];
  if (said.some(Boolean)) write(s.el.heard, said.filter(Boolean).join(". "));
}

/**
 * A place that is moved by keys.
 * @type {(s: State, place: Place) => void}
 */
export const placeHeard = (s, [x, y]) => write(s.el.heard, at({ x: thousandths(x), y: thousandths(y) }));

/**
 * Where the cursor of the keys is.
 * @param {State} s
 */
export const cursorHeard = (s) => placeHeard(s, [s.cursor.x, s.cursor.y]);
