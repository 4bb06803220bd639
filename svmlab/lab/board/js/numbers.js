// @ts-check
// Numbers: clipped, rounded and formatted.

/** @import { Slider } from "./payload.js" */

/** The step of a slider that does not define one. */
export const STEP = 0.005;

/**
 * @param {number} v
 * @param {number} low
 * @param {number} high
 */
export const clamp = (v, low, high) => Math.min(high, Math.max(low, v));

/**
 * Round a number as coordinates are stored. The result is never -0.
 * @param {number} v
 */
export const thousandths = (v) => Math.round(v * 1000) / 1000 + 0;

/**
 * Round a number of pixels as it is drawn.
 * @param {number} v
 */
export const fixed = (v) => Math.round(v * 100) / 100;

/**
 * Format a number with a true minus sign.
 * @param {number} v
 */
export const written = (v) => String(v).replace("-", "−");

/**
 * Format the value of a slider with three digits.
 * @param {number} v
 * @param {string} unit
 */
export const short = (v, unit = "") => written(Number(v.toPrecision(3))) + unit;

/**
 * Return the value for a position of a slider's thumb.
 * @param {Pick<Slider, "linear">} slider
 * @param {number} at
 */
export const valueAt = ({ linear }, at) => (linear ? thousandths(at) : Number((10 ** at).toPrecision(4)));

/**
 * Return the position of the thumb for a value.
 * @param {Pick<Slider, "linear">} slider
 * @param {number} value
 */
export const placeOf = ({ linear }, value) => (linear ? value : Math.log10(value));
