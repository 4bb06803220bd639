// @ts-check
// The animation of a slider or a point. It reports the same operations as a person who moves it: live ones and a last
// one. So the drag socket, the page and undo need no special case. A person can take over at any time.

import { prefersReducedMotion } from "./dom.js";
import { filmFromStart, filmTo } from "./inputs.js";
import { clamp, valueAt } from "./numbers.js";
import { paintSliders } from "./sliders.js";
import { placeAtTime, snappedValue, stopsOf } from "./slider_motion.js";
import { report } from "./messages.js";

/** @import { SliderMotion, PointMotion } from "./payload.js" */
/** @import { State } from "./state.js" */

const SHOW_MS = 1400, SWEEP_MS = 5000;
const JUMPS = 12; // steps of a sweep with reduced motion
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta"]);

/**
 * Play the animation that Python sends, once, as soon as nothing is being dragged.
 * @param {State} s
 */
export function startPlay(s) {
  const { play, hidden, film, boot } = s.data, id = play && `${boot} ${play.id}`;
  if (!id || hidden || s.played === id || s.restoring || s.gesture || s.sliding || s.nudged !== null) return;
  if ("film" in play && !film) return;
  s.played = id;
  endPlay(s);
  if ("point" in play) walk(s, play);
  else if (!("film" in play)) move(s, play, !prefersReducedMotion());
  else if (film && prefersReducedMotion()) filmTo(s, film.frames.length - 1);
  else filmFromStart(s);
}

/**
 * Handle the button beside a slider of a lesson: play it from end to end and back, or stop it.
 * @param {State} s
 * @param {string} key
 */
export function sweep(s, key) {
  const slider = s.data.sliders.find((each) => each.key === key);
  if (s.playing?.key === key) return endPlay(s);
  endPlay(s);
  if (!slider || slider.disabled) return;
  const [from, to] = [slider.lo, slider.hi].map((place) => valueAt(slider, place));
  move(s, { key, from, to, back: true, ms: SWEEP_MS }, true);
}

/** @type {(s: State, play: SliderMotion, moves: boolean) => void} */
function move(s, play, moves) {
  const { key, to, back, ms = SHOW_MS } = play, slider = s.data.sliders.find((each) => each.key === key);
  const home = s.m.values[key] ?? slider?.value ?? to, last = back ? home : to, begun = performance.now();
  /** @type {(value: number, live: boolean) => void} */
  const say = (value, live) => report(s, { op: play.op ?? slider?.op ?? "set", values: { [key]: value }, live });
  if (!slider || !moves) return say(last, false);
  const stops = stopsOf(slider, play, home);
  let before = home, stretch = 0;
  /** @param {number} now */
  const tick = (now) => {
    if (!s.alive || !s.playing) return;
    const t = clamp((now - begun) / ms, 0, 1);
    const { i, place } = placeAtTime(stops, prefersReducedMotion() ? stepwise(t) : t);
    if (t === 1) return endPlay(s);
    s.playing.timer = requestAnimationFrame(tick);
    // A turning point must not be skipped between two frames.
    const value = snappedValue(slider, i > stretch ? stops[i] : place);
    if (value !== before) say(value, true);
    [before, stretch] = [value, i];
  };
  s.playing = { key, timer: requestAnimationFrame(tick), finish: () => say(last, false) };
  paintSliders(s);
}

/**
 * Move a point from elsewhere to its present position, so that in the end nothing has changed.
 * @type {(s: State, play: PointMotion) => void}
 */
function walk(s, { point, from, ms = SHOW_MS }) {
  const home = s.m.pts.get(point), begun = performance.now();
  if (!home) return;
  const { x, y } = home;
  /** @type {(share: number, live: boolean) => void} */
  const say = (share, live) => report(s, {
    op: "move", id: point, x: x + share * (from[0] - x), y: y + share * (from[1] - y), live,
  });
  if (prefersReducedMotion()) return say(0, false);
  /** @param {number} now */
  const tick = (now) => {
    if (!s.alive || !s.playing) return;
    const t = clamp((now - begun) / ms, 0, 1);
    if (t === 1) return endPlay(s);
    s.playing.timer = requestAnimationFrame(tick);
    say(1 - t, true);
  };
  s.playing = { key: "", timer: requestAnimationFrame(tick), finish: () => say(0, false) };
}

/**
 * Jump to the end of the animation.
 * @param {State} s
 */
export function endPlay(s) {
  const { playing } = s;
  if (!playing) return;
  cancelAnimationFrame(playing.timer);
  s.playing = null;
  playing.finish();
}

/**
 * Handle input during an animation. If it is on the moving slider, the person takes over and sets the final value.
 * Before any other input the animation jumps to its end.
 * @param {State} s
 * @param {Event} e
 */
export function letUserTakeOver(s, e) {
  const { playing } = s;
  if (!playing || (e instanceof KeyboardEvent && MODIFIERS.has(e.key))) return;
  const within = e.composedPath().flatMap((el) => (el instanceof HTMLElement && s.root.contains(el) ? el : []));
  const on = within.find(({ dataset: { key, play } }) => (key ?? play) === playing.key);
  if (!on) return endPlay(s);
  if (!(on instanceof HTMLInputElement)) return; // its button stops the animation
  cancelAnimationFrame(playing.timer);
  s.playing = null;
  s.sliding = on;
  paintSliders(s);
}

/** @type {(t: number) => number} */
const stepwise = (t) => Math.floor(JUMPS * t) / JUMPS;
