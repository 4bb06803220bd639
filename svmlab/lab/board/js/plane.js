// @ts-check
// The plane on the screen: a square of `size` pixels shows [-view, view] in both directions.

import { fixed } from "./numbers.js";

/** @import { Polyline, Hand, Item, Place } from "./payload.js" */
/** @typedef {{view: number, size: number}} Square */
/** @typedef {{id: number, x: number, y: number}} Spot */
/** @typedef {{x: number, y: number, touch: boolean}} At on the screen, from the upper left corner of the square */
/** @typedef {"a" | "b" | "both"} End */

/** @type {(q: Square, x: number) => number} */
export const toX = (q, x) => fixed(((x + q.view) / (2 * q.view)) * q.size);
/** @type {(q: Square, y: number) => number} */
export const toY = (q, y) => fixed(((q.view - y) / (2 * q.view)) * q.size);
/** @type {(q: Square, x: number) => number} */
export const fromX = (q, x) => (x / q.size) * 2 * q.view - q.view;
/** @type {(q: Square, y: number) => number} */
export const fromY = (q, y) => q.view - (y / q.size) * 2 * q.view;

/** @type {(q: Square, flat: Polyline) => string} */
export function polyline(q, flat) {
  let d = "";
  for (let i = 0; i < flat.length; i += 2) d += `${i ? "L" : "M"}${toX(q, flat[i])} ${toY(q, flat[i + 1])}`;
  return d;
}

/** @type {(q: Square, list: Polyline[] | undefined) => string} */
export const polylines = (q, list = []) => list.map((flat) => polyline(q, flat)).join("");

/**
 * Return the region between two curves that both go from left to right.
 * @param {Square} q
 * @param {Polyline[]} above
 * @param {Polyline[]} below
 */
export function band(q, [above = []], [below = []]) {
  const back = below.flatMap((_, i) => (i % 2 ? [] : [below.slice(i, i + 2)])).reverse().flat();
  return above.length ? `${polyline(q, [...above, ...back])}Z` : "";
}

/**
 * Draw one item of an overlay or a film.
 * @param {Square} q
 * @param {Item["kind"]} kind
 * @param {Polyline} pts
 * @param {number} k strokes are so many times as thick
 */
export function drawing(q, kind, pts, k) {
  if (kind === "dots" || kind === "boxes") return specks(q, kind === "dots", pts, 2.6 * k);
  if (kind !== "disc") return polyline(q, pts) + (kind === "arrow" ? arrowHead(q, pts, k) : "");
  const r = fixed((pts[2] / (2 * q.view)) * q.size);
  return `M${fixed(toX(q, pts[0]) - r)} ${toY(q, pts[1])}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

/**
 * Return points (x, y) in one path: discs for the class +1, squares of the same area for -1.
 * @param {Square} q
 * @param {boolean} round
 * @param {Polyline} flat
 * @param {number} radius in pixels
 */
function specks(q, round, flat, radius) {
  const r = fixed(radius), h = fixed((radius * Math.sqrt(Math.PI)) / 2), left = round ? r : h;
  const disc = `a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`, box = `v${-h}h${2 * h}v${2 * h}h${-2 * h}z`;
  let d = "";
  for (let i = 0; i < flat.length; i += 2) {
    d += `M${fixed(toX(q, flat[i]) - left)} ${toY(q, flat[i + 1])}${round ? disc : box}`;
  }
  return d;
}

/**
 * Return the end of a polyline, and the direction in pixels of its last segment of positive length.
 * @param {Square} q
 * @param {Polyline} flat
 */
export function ending(q, flat) {
  const n = flat.length, x = toX(q, flat[n - 2]), y = toY(q, flat[n - 1]);
  for (let i = n - 4; i >= 0; i -= 2) {
    const dx = x - toX(q, flat[i]), dy = y - toY(q, flat[i + 1]), len = Math.hypot(dx, dy);
    if (len > 0.5) return { x, y, dx: dx / len, dy: dy / len };
  }
  return null;
}

/** @type {(q: Square, flat: Polyline, k: number) => string} */
function arrowHead(q, flat, k) {
  const e = ending(q, flat), a = 9 * k, b = 4.5 * k;
  if (!e) return "";
  const left = `${fixed(e.x - a * e.dx - b * e.dy)} ${fixed(e.y - a * e.dy + b * e.dx)}`;
  const right = `${fixed(e.x - a * e.dx + b * e.dy)} ${fixed(e.y - a * e.dy - b * e.dx)}`;
  return `M${left}L${e.x} ${e.y}L${right}`;
}

/**
 * Return the small bar across the end of a slack segment.
 * @param {Square} q
 * @param {Polyline} flat
 * @param {number} half its half length in pixels
 */
export function foot(q, flat, half) {
  const e = ending(q, flat);
  if (!e) return "";
  const { x, y, dx, dy } = e;
  return `M${fixed(x - half * dy)} ${fixed(y + half * dx)}L${fixed(x + half * dy)} ${fixed(y - half * dx)}`;
}

/**
 * Return the numbers on the axes.
 * @param {number} view
 */
export function ticks(view) {
  const step = view <= 2 ? 0.5 : view <= 4 ? 1 : 2, all = [];
  for (let i = Math.ceil(-view / step); i * step <= view; i += 1) all.push(i * step);
  return all;
}

/**
 * Return the id of the visible point nearest to a position on the screen, if it is within `reach` pixels.
 * @param {Square} q
 * @param {Iterable<Spot>} spots
 * @param {{x: number, y: number}} at
 * @param {number} reach
 */
export function nearest(q, spots, at, reach) {
  let best = null, smallest = reach;
  for (const { id, x, y } of spots) {
    const d = Math.hypot(toX(q, x) - at.x, toY(q, y) - at.y);
    if (Math.abs(x) <= q.view && Math.abs(y) <= q.view && d <= smallest) {
      best = id;
      smallest = d;
    }
  }
  return best;
}

/** @type {(at: At) => number} the radius of a handle in px */
const reach = (at) => (at.touch ? 24 : 14);

/**
 * Return which part of a line placed by hand is under the pointer: a handle, or the line between and beyond them.
 * @param {Square} q
 * @param {Hand} hand
 * @param {At} at
 * @returns {End | null}
 */
export function partUnderPointer(q, hand, at) {
  const [ax, ay, bx, by] = onScreen(q, hand);
  const toA = Math.hypot(at.x - ax, at.y - ay), toB = Math.hypot(at.x - bx, at.y - by);
  if (Math.min(toA, toB) <= reach(at)) return toB < toA ? "b" : "a";
  const len = Math.hypot(bx - ax, by - ay) || 1;
  return Math.abs((bx - ax) * (at.y - ay) - (by - ay) * (at.x - ax)) / len <= reach(at) / 2 ? "both" : null;
}

/**
 * Return whether the pointer is on a handle at this position.
 * @param {Square} q
 * @param {Place} place
 * @param {At} at
 */
export const isOnHandle = (q, [x, y], at) => Math.hypot(at.x - toX(q, x), at.y - toY(q, y)) <= reach(at);

/** @type {(q: Square, hand: Hand) => [ax: number, ay: number, bx: number, by: number]} */
export const onScreen = (q, { a, b }) => [toX(q, a[0]), toY(q, a[1]), toX(q, b[0]), toY(q, b[1])];

/**
 * Return the line moved by (dx, dy), or with only one of its ends moved.
 * @param {Hand} hand
 * @param {End} end
 * @param {number} dx
 * @param {number} dy
 * @returns {Hand}
 */
export function shiftedLine(hand, end, dx, dy) {
  /** @type {(p: Place) => Place} */
  const move = ([x, y]) => [x + dx, y + dy];
  return { a: end === "b" ? hand.a : move(hand.a), b: end === "a" ? hand.b : move(hand.b) };
}

/**
 * Return the line turned about its midpoint.
 * @param {Hand} hand
 * @param {number} angle
 * @returns {Hand}
 */
export function rotatedLine({ a, b }, angle) {
  const mx = (a[0] + b[0]) / 2, my = (a[1] + b[1]) / 2, c = Math.cos(angle), n = Math.sin(angle);
  /** @type {(p: Place) => Place} */
  const turn = ([x, y]) => [mx + c * (x - mx) - n * (y - my), my + n * (x - mx) + c * (y - my)];
  return { a: turn(a), b: turn(b) };
}

/**
 * Return the smallest view that contains all points with some space around them, or the largest view if none does.
 * @param {{views: number[], room: number}} rules
 * @param {Iterable<Spot>} spots
 */
export function viewThatFits({ views, room }, spots) {
  const extent = Math.max(0, ...[...spots].map((p) => Math.max(Math.abs(p.x), Math.abs(p.y))));
  return views.find((v) => extent <= room * v) ?? views[views.length - 1];
}
