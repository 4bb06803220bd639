// @ts-check
// A slider or a point that moves by itself, once: it says what a hand on it would say, live words and one last one, so
// that the lane, the page and undo know nothing of it. A hand takes over.

import { still } from "./dom.js";
import { filmFromStart, filmTo } from "./inputs.js";
import { clamp, valueAt } from "./numbers.js";
import { paintSliders } from "./sliders.js";
import { along, course, placed } from "./way.js";
import { report } from "./wire.js";

/** @import { Moves, Walk } from "./payload.js" */
/** @import { State } from "./state.js" */

const SHOW_MS = 1400, SWEEP_MS = 5000;
const JUMPS = 12; // of a sweep where nothing shall glide
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta"]);

/**
 * Play what Python sends, once, as soon as no hand is busy.
 * @param {State} s
 */
export function startPlay(s) {
  const { play, hidden, film, boot } = s.data, id = play && `${boot} ${play.id}`;
  if (!id || hidden || s.played === id || s.restoring || s.gesture || s.sliding || s.nudged !== null) return;
  if ("film" in play && !film) return;
  s.played = id;
  endPlay(s);
  if ("point" in play) walk(s, play);
  else if (!("film" in play)) move(s, play, !still());
  else if (film && still()) filmTo(s, film.frames.length - 1);
  else filmFromStart(s);
}

/**
 * The button beside a slider of a lesson: from end to end and back to where it was, or no further.
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

/** @type {(s: State, play: Moves, moves: boolean) => void} */
function move(s, play, moves) {
  const { key, to, back, ms = SHOW_MS } = play, slider = s.data.sliders.find((each) => each.key === key);
  const home = s.m.values[key] ?? slider?.value ?? to, last = back ? home : to, begun = performance.now();
  /** @type {(value: number, live: boolean) => void} */
  const say = (value, live) => report(s, { op: play.op ?? slider?.op ?? "set", values: { [key]: value }, live });
  if (!slider || !moves) return say(last, false);
  const stops = course(slider, play, home);
  let before = home, stretch = 0;
  /** @param {number} now */
  const tick = (now) => {
    if (!s.alive || !s.playing) return;
    const t = clamp((now - begun) / ms, 0, 1), { i, place } = along(stops, still() ? stepwise(t) : t);
    if (t === 1) return endPlay(s);
    s.playing.timer = requestAnimationFrame(tick);
    const value = placed(slider, i > stretch ? stops[i] : place); // no turn falls between two frames
    if (value !== before) say(value, true);
    [before, stretch] = [value, i];
  };
  s.playing = { key, timer: requestAnimationFrame(tick), finish: () => say(last, false) };
  paintSliders(s);
}

/**
 * A point comes from elsewhere to where it is, so that in the end nothing was changed.
 * @type {(s: State, play: Walk) => void}
 */
function walk(s, { point, from, ms = SHOW_MS }) {
  const home = s.m.pts.get(point), begun = performance.now();
  if (!home) return;
  const { x, y } = home;
  /** @type {(share: number, live: boolean) => void} */
  const say = (share, live) => report(s, {
    op: "move", id: point, x: x + share * (from[0] - x), y: y + share * (from[1] - y), live,
  });
  if (still()) return say(0, false);
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
 * What plays is at its end at once.
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
 * Somebody does something: if it is with the slider that plays, that hand has it now, and the last word when it lets
 * go; before anything else it is at its end.
 * @param {State} s
 * @param {Event} e
 */
export function handOver(s, e) {
  const { playing } = s;
  if (!playing || (e instanceof KeyboardEvent && MODIFIERS.has(e.key))) return;
  const within = e.composedPath().flatMap((el) => (el instanceof HTMLElement && s.root.contains(el) ? el : []));
  const on = within.find(({ dataset: { key, play } }) => (key ?? play) === playing.key);
  if (!on) return endPlay(s);
  if (!(on instanceof HTMLInputElement)) return; // its button stops it itself
  cancelAnimationFrame(playing.timer);
  s.playing = null;
  s.sliding = on;
  paintSliders(s);
}

/** @type {(t: number) => number} */
const stepwise = (t) => Math.floor(JUMPS * t) / JUMPS;
