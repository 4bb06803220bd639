// @ts-check
// Numbers: kept between limits, rounded, written.

/** @import { Slider } from "./payload.js" */

/** The step of a slider that has none of its own. */
export const STEP = 0.005;

/**
 * @param {number} v
 * @param {number} low
 * @param {number} high
 */
export const clamp = (v, low, high) => Math.min(high, Math.max(low, v));

/**
 * As coordinates are kept. Never -0.
 * @param {number} v
 */
export const thousandths = (v) => Math.round(v * 1000) / 1000 + 0;

/**
 * Pixels as they are drawn.
 * @param {number} v
 */
export const fixed = (v) => Math.round(v * 100) / 100;

/**
 * With a real minus sign.
 * @param {number} v
 */
export const written = (v) => String(v).replace("-", "−");

/**
 * The value of a slider as it is shown: three digits.
 * @param {number} v
 * @param {string} unit
 */
export const short = (v, unit = "") => written(Number(v.toPrecision(3))) + unit;

/**
 * The value that belongs to a place of a slider's thumb.
 * @param {Pick<Slider, "linear">} slider
 * @param {number} at
 */
export const valueAt = ({ linear }, at) => (linear ? thousandths(at) : Number((10 ** at).toPrecision(4)));

/**
 * The place of the thumb for a value.
 * @param {Pick<Slider, "linear">} slider
 * @param {number} value
 */
export const placeOf = ({ linear }, value) => (linear ? value : Math.log10(value));
