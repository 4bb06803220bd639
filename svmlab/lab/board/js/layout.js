// @ts-check
// How large the board is: a square that fits the room beside the page's controls and above the window's lower edge.

import { arrange } from "./build.js";
import { clamp, fixed } from "./numbers.js";

/** @import { State } from "./state.js" */

const PATIENCE_MS = 2000;

/**
 * The page's own style sheet comes a moment after the board and moves it, and the board's is a file: nothing is shown
 * before.
 * @param {State} s
 */
export function settled(s) {
  s.waitedFrom ??= performance.now();
  const styled = has(document.documentElement, "--sv-ready") && has(s.root, "--sv-board-ready");
  const ready = styled || performance.now() - s.waitedFrom > PATIENCE_MS;
  s.root.style.visibility = ready ? "" : "hidden";
  return ready;
}

/** @type {(element: Element, name: string) => boolean} */
const has = (element, name) => getComputedStyle(element).getPropertyValue(name).trim() === "1";

/**
 * Take the room that there is; whether the board has to be painted anew.
 * @param {State} s
 */
export function measure(s) {
  const width = Math.floor(s.root.getBoundingClientRect().width), height = window.innerHeight;
  if (!width) return false;
  if ((width < 480) !== s.phone) arrange(s, width < 480);
  const { projector } = s.m, grow = clamp(Math.min(width, height - 220) / 600, 1, 1.4);
  const k = projector ? 1.5 * Math.min(grow, 1.2) : grow;
  s.k = k;
  s.tick = projector ? 24 : 13 * k;
  s.r = projector ? Math.max(9, 7 * grow) : 5.75 * k;
  s.root.dataset.projector = projector ? "1" : "0";
  const type = projector ? Math.max(1.5, grow) : grow;
  for (const [name, value] of Object.entries({ "--k": k, "--type": type, "--grow": Math.min(grow, 1.25) })) {
    s.root.style.setProperty(name, String(fixed(value)));
  }
  const room = height - topOf(s, width, height) - heightAround(s);
  const size = Math.floor(Math.min(width, Math.max(room, 300), 900));
  s.root.style.setProperty("--size", `${size}px`);
  if (size === s.size && k === s.painted.k) return false;
  s.size = size;
  s.painted.k = k;
  s.el.svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  return true;
}

/**
 * Where the board begins on the page; 0 where that is far down, and one scrolls to it. A board that stays in sight
 * while the page scrolls keeps its size.
 * @param {State} s
 * @param {number} width
 * @param {number} height
 */
function topOf(s, width, height) {
  const scrolled = (document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0) + window.scrollY;
  const kept = scrolled && s.topWidth === width;
  const top = kept ? s.top : s.root.getBoundingClientRect().top + scrolled;
  s.top = top;
  s.topWidth = width;
  return top > 0.35 * height ? 0 : top;
}

/**
 * What stands above and below the square.
 * @param {State} s
 */
function heightAround({ el, data }) {
  const parts = [el.top, el.thumb, el.sliders, el.film, el.legend.querySelector("*")];
  const heights = parts.map((part) => (part instanceof HTMLElement ? part.offsetHeight : 0));
  return heights.reduce((sum, h) => sum + h, data.below + 12);
}
