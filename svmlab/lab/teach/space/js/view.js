// @ts-check
// Where a place of the space is on the canvas, seen from afar (no perspective), and what stands before what.

import { mixed } from "./shape.js";

/** @import { Box, Place } from "./shape.js" */
/** @typedef {{az: number, el: number}} Turn azimuth and elevation of who looks, in radians */
/** @typedef {[a: number, b: number, c: number, d: number]} Normal f = a x1 + b x2 + c z + d */
/** @typedef {[right: number, down: number, near: number]} Seen pixels, and how near it is */
/** @typedef {{to: (place: Place) => Seen, toward: Place, scale: number}} Camera `toward`: a step to who looks */

export const LOWEST = 0.02, STEEPEST = 1.5;
const TALLEST = 1.7; // the box, in halves of the board
const FLATTEST = { line: 0.6, plane: 1.25 };
const USUAL = 0.16; // the elevation at which it fills the room; turned, it is as a body is

/**
 * Held between the floor and straight above; the azimuth goes round.
 * @type {(turn: Turn) => Turn}
 */
export const held = ({ az, el }) => ({
  az: az - 2 * Math.PI * Math.round(az / (2 * Math.PI)),
  el: Math.min(STEEPEST, Math.max(LOWEST, el)),
});

/**
 * The box fills the room that there is, whatever the azimuth, so that it does not breathe while it is turned.
 * @param {Turn} turn
 * @param {Box} box
 * @param {{width: number, height: number, edge: number, side: number}} room `edge`: pixels kept free above and below;
 * `side`: and beside
 * @returns {Camera}
 */
export function camera({ az, el }, { half, low, high, deep }, { width, height, edge, side }) {
  const [ca, sa, ce, se] = [Math.cos(az), Math.sin(az), Math.cos(el), Math.sin(el)];
  const reach = Math.hypot(1, deep / half);
  const wide = Math.max(1, width - 2 * side), free = Math.max(1, height - 2 * edge);
  const fits = (2 * reach * (free / wide - Math.sin(USUAL))) / Math.cos(USUAL);
  const tall = Math.min(TALLEST, Math.max(FLATTEST[deep < half ? "line" : "plane"], fits));
  const scale = Math.min(wide / (2 * reach), free / (tall * ce + 2 * reach * se)), up = tall / (high - low);
  const middle = (low + high) / 2;
  return {
    scale,
    to: ([x, y, z]) => {
      const u = x / half, v = y / half, w = (z - middle) * up, right = u * ca + v * sa, away = v * ca - u * sa;
      return [width / 2 + scale * right, height / 2 - scale * (w * ce + away * se), w * se - away * ce];
    },
    toward: [half * sa * ce, -half * ca * ce, se / up],
  };
}

/**
 * On which side of the plane a place is: above 0 where it stands before the plane, for who looks.
 * @param {Normal} plane
 * @param {Place} toward
 * @returns {(place: Place) => number}
 */
export function before([a, b, c, d], [tx, ty, tz]) {
  const facing = a * tx + b * ty + c * tz < 0 ? -1 : 1;
  return ([x, y, z]) => facing * (a * x + b * y + c * z + d);
}

/**
 * The part of a plane within the box, corner by corner: along the four upright edges, or where the plane stands upright
 * itself, along the others.
 * @param {Normal} plane
 * @param {Box} box
 * @returns {Place[]}
 */
export function sheet([a, b, c, d], { half, low, high, deep }) {
  /** @type {[number, number][]} */
  const corners = [[-half, -deep], [half, -deep], [half, deep], [-half, deep]];
  const size = Math.hypot(a * half, b * deep, c * (high - low));
  if (Math.abs(c) * (high - low) < 1e-9 * size) return upright([a, b, d], corners, low, high);
  /** @type {Place[]} */
  let ring = corners.map(([x, y]) => [x, y, -(a * x + b * y + d) / c]);
  for (const above of [/** @param {Place} p */ (p) => p[2] - low, /** @param {Place} p */ (p) => high - p[2]]) {
    ring = clipped(ring, above);
  }
  return ring;
}

/**
 * Where a plane cuts the upright one above the axis of x1: the two ends within the box, or nothing.
 * @param {Normal} plane
 * @param {Box} box
 * @returns {Place[]}
 */
export function across(plane, box) {
  const ring = sheet(plane, { ...box, deep: 0 }), [one] = ring;
  /** @param {Place} p */
  const away = (p) => Math.hypot(p[0] - one[0], p[2] - one[2]);
  return ring.length ? [one, ring.reduce((p, q) => (away(q) > away(p) ? q : p))] : [];
}

/** @type {(line: [number, number, number], corners: [number, number][], low: number, high: number) => Place[]} */
function upright([a, b, d], corners, low, high) {
  const ends = corners.flatMap((p, i) => {
    const q = corners[(i + 1) % corners.length], f = a * p[0] + b * p[1] + d, g = a * q[0] + b * q[1] + d;
    const t = f / (f - g);
    return f < 0 === g < 0 ? [] : [[p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]];
  });
  if (ends.length !== 2) return [];
  const [[x, y], [u, v]] = ends;
  return [[x, y, low], [u, v, low], [u, v, high], [x, y, high]];
}

/**
 * A polygon cut where a function falls below 0.
 * @param {Place[]} ring
 * @param {(place: Place) => number} of
 * @returns {Place[]}
 */
export function clipped(ring, of) {
  return ring.flatMap((p, i) => {
    const q = ring[(i + 1) % ring.length], f = of(p), g = of(q);
    const kept = f >= 0 ? [p] : [];
    return f >= 0 === g >= 0 ? kept : [...kept, mixed(p, q, f / (f - g))];
  });
}

/**
 * A few round numbers between two, for an axis: at most about `n`.
 * @type {(low: number, high: number, n: number) => number[]}
 */
export function ticks(low, high, n) {
  const rough = (high - low) / n, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((each) => each >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)) + 0);
}

/**
 * What is nearest to a place on the canvas, no further than `most` pixels.
 * @template T
 * @param {{seen: Seen, of: T}[]} marks
 * @param {number} right
 * @param {number} down
 * @param {number} most
 * @returns {T | null}
 */
export function nearest(marks, right, down, most) {
  let best = null, least = most;
  for (const { seen: [x, y], of } of marks) {
    const away = Math.hypot(x - right, y - down);
    if (away <= least) [best, least] = [of, away];
  }
  return best;
}
