// @ts-check
// A film is a list of frames that Python sends once. This file draws the current frame, and inputs.js plays the film.

import { esc, find, mark } from "./dom.js";
import { ICONS, icon } from "./icons.js";
import { clamp, fixed } from "./numbers.js";
import { drawing, toX, toY } from "./plane.js";
import { square } from "./state.js";

/** @import { Film, Polyline } from "./payload.js" */
/** @import { State } from "./state.js" */

const LONGEST = 8; // so many of the longest captions are measured, because formulas make some higher than they are long
const SPEEDS = [0.5, 1, 2, 5, 10, 30];
const BUTTONS = /** @type {const} */ (["reset", "back", "play", "next"]);

/** @param {State} s */
export function paintFilm(s) {
  const film = s.data.film ?? null, { film: box, filmLayer } = s.el;
  box.hidden = !film;
  if (!film) {
    stopFilm(s);
    s.film = null;
    filmLayer.innerHTML = "";
    return;
  }
  if (film.key !== s.film?.key) {
    stopFilm(s);
    s.film = { key: film.key, at: clamp(leftAt(s, film) ?? film.at ?? 0, 0, film.frames.length - 1), timer: 0 };
    s.filmSpeed ??= film.speed ?? 2;
    box.innerHTML = controlsHtml(film, s.filmSpeed);
    delete box.dataset.width;
  }
  reserveCaption(s, film);
  drawFilm(s);
}

/**
 * On a phone keep the height of the tallest caption, so that none is cut and the board keeps its size while it plays.
 * @param {State} s
 * @param {Film} film
 */
function reserveCaption(s, film) {
  const { film: box } = s.el, width = `${s.phone ? box.clientWidth : 0}`;
  if (box.dataset.width === width) return;
  box.dataset.width = width;
  const caption = find(box, ".film-caption", HTMLElement), before = caption.innerHTML;
  caption.style.minHeight = "";
  if (!s.phone) return;
  const longest = [...film.frames].sort((a, b) => b.caption.length - a.caption.length).slice(0, LONGEST);
  const heights = longest.map((frame) => {
    caption.innerHTML = frame.caption;
    return caption.offsetHeight;
  });
  caption.innerHTML = before;
  caption.style.minHeight = `${Math.max(0, ...heights)}px`;
}

/**
 * The frame at which the person left this film. A link does not name its film, so it means the first one shown.
 * @param {State} s
 * @param {Film} film
 */
function leftAt({ film: before, data: { filmPlace } }, { key }) {
  return filmPlace && (filmPlace.key === key || (filmPlace.key === null && !before)) ? filmPlace.at : undefined;
}

/** @type {(film: Film, speed: number) => string} */
function controlsHtml({ frames, course, text = {} }, speed) {
  const buttons = BUTTONS.map((name) => `<button type="button" class="tool" data-film="${name}"
    title="${esc(text[name])}" aria-label="${esc(text[name])}">${icon(name)}</button>`);
  const speeds = SPEEDS.map((v) => `<option value="${v}"${v === speed ? " selected" : ""}>${v}/s</option>`);
  return `<div class="film-bar">${buttons.join("")}
    <input type="range" min="0" max="${frames.length - 1}" step="1" aria-label="${esc(course)}" title="${esc(course)}">
    <select aria-label="${esc(text.speed)}" title="${esc(text.speed)}">${speeds.join("")}</select></div>
    <div class="film-caption"></div>`;
}

/**
 * The current frame, interpolated between two frames.
 * @param {State} s
 */
export function drawFilm(s) {
  const { film } = s.data, { film: box, filmLayer } = s.el;
  if (!film || !s.film) return;
  const i = Math.floor(s.film.at), t = s.film.at - i, frame = film.frames[i], then = film.frames[i + 1], q = square(s);
  const items = frame.items.map(({ kind, pts, style }, j) => {
    const d = drawing(q, kind, t > 0 ? mixed(pts, then?.items[j]?.pts, t) : pts, s.k);
    return `<path class="${esc(style)}" d="${d}"/>`;
  });
  filmLayer.innerHTML = items.join("") + ringAt(s, frame.ring);
  const caption = find(box, ".film-caption", HTMLElement), input = find(box, "input", HTMLInputElement);
  mark(caption, "aria-live", s.film.timer ? "off" : "polite"); // a screen reader must not read a film while it plays
  if (caption.innerHTML !== frame.caption) caption.innerHTML = frame.caption;
  caption.tabIndex = caption.scrollHeight > caption.clientHeight + 1 ? 0 : -1; // a cut-off caption is scrolled by keys
  if (Number(input.value) !== i) input.value = String(i);
  find(box, '[data-film="play"] path', SVGPathElement).setAttribute("d", ICONS[s.film.timer ? "pause" : "play"]);
  s.root.dataset.frame = String(i);
}

/** @type {(a: Polyline, b: Polyline | undefined, t: number) => Polyline} */
const mixed = (a, b, t) => (b?.length === a.length ? a.map((v, j) => v + t * (b[j] - v)) : a);

/** @type {(s: State, id: number | undefined) => string} */
function ringAt(s, id) {
  const p = id === undefined ? undefined : s.m.pts.get(id), q = square(s), r = fixed(s.pointRadius + 7 * s.k);
  return p ? `<circle class="drawn" cx="${toX(q, p.x)}" cy="${toY(q, p.y)}" r="${r}"/>` : "";
}

/** @param {State} s */
export function stopFilm(s) {
  if (!s.film) return;
  cancelAnimationFrame(s.film.timer);
  s.film.timer = 0;
}
