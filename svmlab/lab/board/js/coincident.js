// @ts-check
// Coincident points: their marks are drawn around the position, so that each can be seen and dragged.

/** @import { Point } from "./replay.js" */
/** @typedef {{dx: number, dy: number, n: number}} Offset pixels from point to mark; n: how many, on the last */

const WIDEST = 3; // the largest distance of a mark from its point, in distances between neighbours

/**
 * Return the position of the mark of every point that coincides with another.
 * @param {Iterable<Point>} points
 * @param {number} apart pixels between neighbours
 * @returns {Map<number, Offset>}
 */
export function markOffsets(points, apart) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  for (const { id, x, y } of points) {
    const here = places.get(`${x} ${y}`);
    if (here) here.push(id);
    else places.set(`${x} ${y}`, [id]);
  }
  const offsets = new Map();
  for (const ids of places.values()) {
    const n = ids.length, away = apart * Math.min(0.5 / Math.sin(Math.PI / n), WIDEST);
    if (n === 1) continue;
    for (const [i, id] of ids.entries()) {
      const turn = Math.PI + (2 * Math.PI * i) / n, last = i === n - 1;
      offsets.set(id, { dx: away * Math.cos(turn), dy: away * Math.sin(turn), n: last ? n : 0 });
    }
  }
  return offsets;
}
