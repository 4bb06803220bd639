// @ts-check
// A point in words: the text beside it, and the announcements for screen readers.

import { write } from "./dom.js";
import { thousandths, written } from "./numbers.js";
import { word } from "./state.js";

/** @import { Place } from "./payload.js" */
/** @import { Point } from "./replay.js" */
/** @import { State } from "./state.js" */

/** @type {(place: {x: number, y: number}) => string} */
const at = ({ x, y }) => `(${written(x)}, ${written(y)})`;

/**
 * Return Python's description of a point, unless the point is new or being dragged.
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
 * Return the lines shown beside a point.
 * @param {State} s
 * @param {Point} p
 */
export function pointText(s, p) {
  const values = known(s, p.id);
  if (!values) return "";
  const more = values.several && `\n${values.several}`;
  return `${at(p)}\n${name(s, "f")} = ${values.f}, ξ = ${values.xi}\n${name(s, "alpha")} = ${values.alpha}, `
    + `${values.said("is")}${more}`;
}

/** @type {(s: State, p: Point) => string} */
function pointAnnouncement(s, p) {
  const values = known(s, p.id), mark = word(s, `heard_${s.data.task}_${p.label}`);
  if (!values) return `${mark}, ${at(p)}`;
  const slack = values.xi === "0" ? "" : `, ξ = ${values.xi}`;
  const more = values.several && `, ${values.several}`;
  return `${mark}, ${at(p)}, ${values.said("role")}, ${name(s, "alpha")} = ${values.alpha}${slack}${more}`;
}

/**
 * Announce in one sentence what the last answer has changed: the selected point, and the key figures. Beside a lesson
 * the figures are left out, because they might be the answer. Nothing is announced during a drag.
 * @param {State} s
 */
export function announce(s) {
  const { data, heard: before } = s, p = s.m.selected === null ? undefined : s.m.pts.get(s.m.selected);
  if (data.hidden || s.inflight || s.queue.length || s.gesture || s.sliding || s.playing || s.nudged !== null) return;
  const point = p ? pointAnnouncement(s, p) : "", figures = (!data.lesson && data.heard) || {};
  s.heard = { board: data.board, point, figures };
  if (before?.board !== data.board) return; // another board is not a change of this one
  const changed = Object.entries(figures).filter(([name, figure]) => before.figures[name] !== figure);
  const said = [point === before.point ? "" : point, changed.map(([, figure]) => figure).join(", ")];
  if (said.some(Boolean)) write(s.el.heard, said.filter(Boolean).join(". "));
}

/**
 * Announce a position that is moved by keys.
 * @type {(s: State, place: Place) => void}
 */
export const announcePlace = (s, [x, y]) => write(s.el.heard, at({ x: thousandths(x), y: thousandths(y) }));

/**
 * Announce the position of the keyboard cursor.
 * @param {State} s
 */
export const announceCursor = (s) => announcePlace(s, [s.cursor.x, s.cursor.y]);
