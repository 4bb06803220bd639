// @ts-check
// The sliders under the scene. A slider is logarithmic and sets a control, unless `linear` or `op` says otherwise.

import { esc, find, mark, write } from "./dom.js";
import { ICONS, icon } from "./icons.js";
import { STEP, fixed, placeOf, short, valueAt } from "./numbers.js";
import { word } from "./state.js";

/** @import { Slider } from "./payload.js" */
/** @import { State } from "./state.js" */

/** @param {State} s */
export function paintSliders(s) {
  const { sliders, lesson } = s.data;
  const key = JSON.stringify([lesson, ...sliders.map((o) => [o.key, o.label, o.lo, o.hi, o.title, o.inverse?.label])]);
  if (key !== s.painted.sliders) {
    s.painted.sliders = key;
    s.sliding = null;
    const sweep = lesson ? word(s, "sweep") : "";
    s.el.sliders.innerHTML = sliders.map((o) => sliderHtml(o, sweep.replace("{course}", courseOf(s, o)))).join("");
  }
  for (const slider of sliders) paintSlider(s, slider);
}

/**
 * @param {State} s
 * @param {Slider} slider
 */
function paintSlider(s, slider) {
  const { key, label, lo, hi, step = STEP, unit, disabled = false, inverse } = slider;
  const input = find(s.el.sliders, `[data-key="${key}"]`, HTMLInputElement);
  const value = s.m.values[key] ?? slider.value, place = placeOf(slider, value);
  if (Math.abs(Number(input.value) - place) > 0.8 * step) input.value = String(place);
  input.disabled = disabled;
  const text = disabled ? "" : short(value, unit);
  const other = inverse && text ? `${inverse.label} = ${short(1 / (value * Math.max(inverse.of, 1)))}` : "";
  input.setAttribute("aria-valuetext", [`${label} = ${text}`, other].filter(Boolean).join(", "));
  input.style.setProperty("--at", `${fixed((100 * (Number(input.value) - lo)) / (hi - lo))}%`);
  const row = find(s.el.sliders, `.slide:has([data-key="${key}"])`, HTMLElement), button = row.querySelector("button");
  write(find(row, "output", HTMLElement), text);
  if (inverse) write(find(row, "output.inverse", HTMLElement), other);
  mark(find(row, ".ticks", SVGPathElement), "d", ticksAt(slider)); // they may appear and disappear during a drag
  if (!button) return;
  button.disabled = disabled;
  mark(find(button, "path", SVGPathElement), "d", ICONS[s.playing?.key === key ? "pause" : "play"]);
}

/**
 * Return what a slider varies when it is played, from where to where.
 * @type {(s: State, slider: Slider) => string}
 */
export function courseOf(s, slider) {
  const { label, lo, hi, unit } = slider, [low, high] = [lo, hi].map((place) => short(valueAt(slider, place), unit));
  return word(s, "sweepCourse").replace("{name}", label).replace("{low}", low).replace("{high}", high);
}

/** @type {(slider: Slider, sweep: string) => string} */
function sliderHtml(slider, sweep) {
  const { key, label, title, lo, hi, step = STEP, inverse } = slider;
  const other = inverse ? '<output class="inverse" aria-hidden="true"></output>' : "";
  const name = esc(`${sweep}: ${title}`), button = sweep && `<button type="button" class="tool" data-play="${esc(key)}"
    title="${esc(sweep)}" aria-label="${name}">${icon("play")}</button>`;
  return `<div class="slide"><label title="${esc(title)}"><span aria-hidden="true">${esc(label)}</span>
    <span class="track">${TICKS}<input type="range" data-key="${esc(key)}" min="${lo}" max="${hi}"
      step="${step}" aria-label="${esc(title)}"></span><output aria-hidden="true"></output>${other}</label>
    ${button}</div>`;
}

const TICKS = '<svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><path class="ticks"/></svg>';

/** @param {Slider} slider */
function ticksAt({ ticks = [], lo, hi }) {
  const inside = ticks.filter((t) => t >= lo && t <= hi);
  return inside.map((t) => `M${fixed((1000 * (t - lo)) / (hi - lo))} 0V10`).join("");
}
