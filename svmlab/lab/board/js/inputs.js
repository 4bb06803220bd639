// @ts-check
// Input by sliders, and the playback of a film.

import { drawFilm, stopFilm } from "./film.js";
import { clamp, valueAt } from "./numbers.js";
import { prefersReducedMotion } from "./dom.js";
import { paintSliders } from "./sliders.js";
import { report } from "./messages.js";

/** @import { State } from "./state.js" */

/**
 * Report that a slider was moved.
 * @param {State} s
 * @param {HTMLInputElement} input
 * @param {boolean} live
 */
export function sliderMoved(s, input, live) {
  const slider = s.data.sliders.find(({ key }) => key === input.dataset.key);
  if (!slider) return;
  const values = { [slider.key]: valueAt(slider, Number(input.value)) };
  if (live || s.sliding) report(s, { op: slider.op ?? "set", values, live });
  s.sliding = live ? input : null;
  paintSliders(s);
}

/**
 * Finish the move of a slider when the pointer or the key is released (`slideBy` says which) or the focus is lost.
 * The event "change" does not come if a slider ends at the value with which it began, and it comes with every repeat
 * of a key that is held down.
 * @param {State} s
 */
export function slideEnded(s) {
  s.slideBy = null;
  if (s.sliding?.isConnected) sliderMoved(s, s.sliding, false);
}

/**
 * Stop the film at a frame.
 * @param {State} s
 * @param {number} at
 */
export function filmTo(s, at) {
  const { film } = s.data;
  if (!film || !s.film) return;
  stopFilm(s);
  s.film.at = clamp(Math.round(at), 0, film.frames.length - 1);
  drawFilm(s);
  report(s, { op: "film", key: s.film.key, at: s.film.at });
}

/**
 * Play the film from its start.
 * @param {State} s
 */
export function filmFromStart(s) {
  if (!s.film) return;
  stopFilm(s);
  s.film.at = 0;
  playFilm(s);
}

/** @param {State} s */
function playFilm(s) {
  const { film } = s, last = (s.data.film?.frames.length ?? 0) - 1;
  if (!film) return;
  if (film.at >= last) film.at = 0;
  let before = performance.now();
  /** @param {number} now */
  const tick = (now) => {
    // `now` may be earlier than `before`.
    const exact = clamp(film.at + ((now - before) / 1000) * (s.filmSpeed ?? 1), 0, last);
    before = now;
    film.timer = exact < last ? requestAnimationFrame(tick) : 0;
    film.at = prefersReducedMotion() ? Math.floor(exact) : exact;
    drawFilm(s);
    film.at = exact;
    if (!film.timer) filmTo(s, last);
  };
  film.timer = requestAnimationFrame(tick);
  drawFilm(s);
}

/**
 * @param {State} s
 * @param {string} name
 */
export function filmButton(s, name) {
  if (!s.film) return;
  const { at, timer } = s.film;
  if (name === "reset") filmTo(s, 0);
  if (name === "back") filmTo(s, Math.ceil(at) - 1);
  if (name === "next") filmTo(s, Math.floor(at) + 1);
  if (name === "play" && timer) filmTo(s, at);
  if (name === "play" && !timer) playFilm(s);
}
