// @ts-check
// The course of a slider in an animation.

import { STEP, clamp, placeOf, valueAt } from "./numbers.js";

/** @import { SliderMotion, Slider } from "./payload.js" */

/**
 * Return the positions where the thumb turns, from first to last. With `back` it ends where it began.
 * @param {Slider} slider
 * @param {Pick<SliderMotion, "from" | "to" | "back">} play
 * @param {number} home the value that the slider has
 */
export function stopsOf(slider, { from, to, back }, home) {
  const values = back ? [home, from ?? home, to, home] : [from ?? home, to];
  return values.map((value) => placeOf(slider, value));
}

/**
 * Return the position at a fraction of the time, and the segment it is on. The time of a segment is proportional to
 * its length, with a gentle start and end.
 * @param {number[]} stops
 * @param {number} t
 */
export function placeAtTime(stops, t) {
  const lengths = stops.slice(1).map((stop, i) => Math.abs(stop - stops[i]));
  let left = t * lengths.reduce((sum, length) => sum + length, 0);
  for (const [i, length] of lengths.entries()) {
    if (left <= length && length) return { i, place: stops[i] + gentle(left / length) * (stops[i + 1] - stops[i]) };
    left -= length;
  }
  return { i: stops.length - 1, place: stops[stops.length - 1] };
}

/** @type {(t: number) => number} */
const gentle = (t) => t * t * (3 - 2 * t);

/**
 * Return the value that a person could set there, because the thumb has steps and ends.
 * @param {Slider} slider
 * @param {number} place
 */
export function snappedValue(slider, place) {
  const { lo, hi, step = STEP } = slider, steps = Math.round((clamp(place, lo, hi) - lo) / step);
  return valueAt(slider, Math.min(lo + steps * step, hi));
}
