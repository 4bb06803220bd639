// @ts-check
// The sliders under the scene. One is logarithmic and sets a control, unless `linear` or `op` say otherwise.

import { esc, find, write } from "./dom.js";
import { fixed, placeOf, short } from "./numbers.js";

/** @import { Slider } from "./payload.js" */
/** @import { State } from "./state.js" */

const STEP = 0.005;

/** @param {State} s */
export function paintSliders(s) {
  const { sliders } = s.data;
  const key = JSON.stringify(sliders.map((o) => [o.key, o.label, o.lo, o.hi, o.title, o.ticks]));
  if (key !== s.painted.sliders) {
    s.painted.sliders = key;
    s.sliding = null;
    s.el.sliders.innerHTML = sliders.map(sliderHtml).join("");
  }
  for (const slider of sliders) paintSlider(s, slider);
}

/**
 * @param {State} s
 * @param {Slider} slider
 */
function paintSlider(s, slider) {
  const { key, label, lo, hi, step = STEP, unit, disabled = false } = slider;
  const input = find(s.el.sliders, `[data-key="${key}"]`, HTMLInputElement);
  const value = s.m.values[key] ?? slider.value, place = placeOf(slider, value);
  if (Math.abs(Number(input.value) - place) > 0.8 * step) input.value = String(place);
  input.disabled = disabled;
  const text = disabled ? "" : short(value, unit);
  input.setAttribute("aria-valuetext", `${label} = ${text}`);
  input.style.setProperty("--at", `${fixed((100 * (Number(input.value) - lo)) / (hi - lo))}%`);
  const output = input.closest("label")?.querySelector("output");
  if (output) write(output, text);
}

/** @param {Slider} slider */
function sliderHtml(slider) {
  const { key, label, title, lo, hi, step = STEP } = slider;
  return `<label title="${esc(title)}"><span>${esc(label)}</span>
    <span class="track">${ticksHtml(slider)}<input type="range" data-key="${esc(key)}" min="${lo}" max="${hi}"
      step="${step}" aria-label="${esc(title)}"></span><output></output></label>`;
}

/** @param {Slider} slider */
function ticksHtml({ ticks = [], lo, hi }) {
  if (!ticks.length) return "";
  const inside = ticks.filter((t) => t >= lo && t <= hi);
  const d = inside.map((t) => `M${fixed((1000 * (t - lo)) / (hi - lo))} 0V10`).join("");
  return `<svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><path d="${d}"/></svg>`;
}
