// @ts-check
// The projection of points of the space onto the canvas, without perspective, and their order from front to back.

import { interpolated } from "./shape.js";

/** @import { Box, Place } from "./shape.js" */
/** @typedef {{az: number, el: number}} Turn azimuth and elevation of the viewer, in radians */
/** @typedef {[a: number, b: number, c: number, d: number]} Normal f = a x1 + b x2 + c z + d */
/** @typedef {[right: number, down: number, nearness: number]} Projected pixels, and the nearness to the viewer */
/** @typedef {{to: (place: Place) => Projected, toward: Place, scale: number}} Camera `toward`: where the viewer is */

export const LOWEST = 0.02, STEEPEST = 1.5;
const TALLEST = 1.7; // the largest height of the box, in units of half the board
const FLATTEST = { line: 0.6, plane: 1.25 };
const USUAL = 0.16; // the elevation at which the box fills the canvas; at others its size follows the projection

/**
 * Clip the elevation between the floor and straight above. The azimuth is periodic.
 * @type {(turn: Turn) => Turn}
 */
export const clampedView = ({ az, el }) => ({
  az: az - 2 * Math.PI * Math.round(az / (2 * Math.PI)),
  el: Math.min(STEEPEST, Math.max(LOWEST, el)),
});

/**
 * Return a camera for which the box fills the canvas at every azimuth, so that its size is constant while it is turned.
 * @param {Turn} turn
 * @param {Box} box
 * @param {{width: number, height: number, edge: number, side: number}} room `edge`: pixels kept free above and below;
 * `side`: pixels kept free on the left and right
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
 * Return a function that is positive at points in front of the plane, as the viewer sees it.
 * @param {Normal} plane
 * @param {Place} toward
 * @returns {(place: Place) => number}
 */
export function sideOfViewer([a, b, c, d], [tx, ty, tz]) {
  const facing = a * tx + b * ty + c * tz < 0 ? -1 : 1;
  return ([x, y, z]) => facing * (a * x + b * y + c * z + d);
}

/**
 * Return the corners of the part of a plane within the box: on the four vertical edges, or on the other edges if the
 * plane itself is vertical.
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
 * Return where a plane intersects the vertical plane above the x1 axis: both ends within the box, or nothing.
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
 * Clip a polygon to the part where a function is at least 0.
 * @param {Place[]} ring
 * @param {(place: Place) => number} of
 * @returns {Place[]}
 */
export function clipped(ring, of) {
  return ring.flatMap((p, i) => {
    const q = ring[(i + 1) % ring.length], f = of(p), g = of(q);
    const kept = f >= 0 ? [p] : [];
    return f >= 0 === g >= 0 ? kept : [...kept, interpolated(p, q, f / (f - g))];
  });
}

/**
 * Return at most about `n` round numbers between two numbers, for an axis.
 * @type {(low: number, high: number, n: number) => number[]}
 */
export function ticks(low, high, n) {
  const rough = (high - low) / n, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((each) => each >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)) + 0);
}

/**
 * Return the object nearest to a position on the canvas, if it is within `most` pixels.
 * @template T
 * @param {{seen: Projected, of: T}[]} marks
 * @param {number} right
 * @param {number} down
 * @param {number} most
 * @returns {T | null}
 */
export function nearest(marks, right, down, most) {
  let best = null, smallest = most;
  for (const { seen: [x, y], of } of marks) {
    const away = Math.hypot(x - right, y - down);
    if (away <= smallest) [best, smallest] = [of, away];
  }
  return best;
}
