// @ts-check
// Points at one place: their marks stand around it, so that each is seen and can be taken.

/** @import { Point } from "./replay.js" */
/** @typedef {{dx: number, dy: number, n: number}} Aside pixels from the place to the mark; n: how many, on the last */

const WIDEST = 3; // times the distance between neighbours: no mark stands further from its place

/**
 * Of every point that is not alone at its place, where its mark stands.
 * @param {Iterable<Point>} points
 * @param {number} apart pixels between neighbours
 * @returns {Map<number, Aside>}
 */
export function asides(points, apart) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  for (const { id, x, y } of points) {
    const here = places.get(`${x} ${y}`);
    if (here) here.push(id);
    else places.set(`${x} ${y}`, [id]);
  }
  const found = new Map();
  for (const ids of places.values()) {
    const n = ids.length, away = apart * Math.min(0.5 / Math.sin(Math.PI / n), WIDEST);
    if (n === 1) continue;
    for (const [i, id] of ids.entries()) {
      const turn = Math.PI + (2 * Math.PI * i) / n, last = i === n - 1;
      found.set(id, { dx: away * Math.cos(turn), dy: away * Math.sin(turn), n: last ? n : 0 });
    }
  }
  return found;
}
