// @ts-check
// The size of the board: a square that fits beside the page's controls and above the lower edge of the window.

import { arrange } from "./build.js";
import { clamp, fixed } from "./numbers.js";
import { views } from "./state.js";
import { isCompact, isSideways, isSmall, isStacked, phoneSize, reserveHeight } from "./phone_board.js";

/** @import { State } from "./state.js" */

const PATIENCE_MS = 2000;
// The side of the square in pixels. Beside a lesson and on a projector the page's column limits it.
const LARGEST = 900, BESIDE = 1000;
const LEAST = 150; // also on a phone that is held sideways
const BETWEEN = 16; // pixels between two boards
const PHONE = 480, NARROWEST = 400, NARROW = 600; // pixels: a phone, a phone in a frame, a frame with fewer buttons
const FOOT = 14; // pixels that the board of a lesson keeps free: 6 above its legend, 8 under it

/**
 * Whether the style sheets are loaded. The page's own comes a moment after the board and moves it, and the board's is
 * a file, so nothing is shown before.
 * @param {State} s
 */
export function layoutIsFinal(s) {
  s.waitedFrom ??= performance.now();
  const styled = has(document.documentElement, "--sv-ready") && has(s.root, "--sv-board-ready");
  const ready = styled || performance.now() - s.waitedFrom > PATIENCE_MS;
  s.root.style.visibility = ready ? "" : "hidden";
  return ready;
}

/** @type {(element: Element, name: string) => boolean} */
const has = (element, name) => getComputedStyle(element).getPropertyValue(name).trim() === "1";

// Font size in projector mode in px: 2.25 % of the screen's height, as in the page's style sheet.
export const projectedTypeSize = () => Math.max(16, Math.round(0.0225 * window.innerHeight));

/** The height of the strip of a room, which stands at the foot of the page. */
const stripHeight = () => parseFloat(document.documentElement.style.getPropertyValue("--sv-strip")) || 0;

/**
 * Use the available space, and return whether the board must be painted again.
 * @param {State} s
 */
export function measure(s) {
  const whole = Math.floor(s.root.getBoundingClientRect().width), height = window.innerHeight - stripHeight();
  if (!whole) return false;
  const { alone } = s.data, isPhone = !s.data.still && whole < (alone ? NARROWEST : PHONE);
  s.root.classList.toggle("still", Boolean(s.data.still));
  s.root.dataset.alone = alone ? (whole < NARROW ? "narrow" : "wide") : "";
  if (isPhone !== s.phone && !matchMedia("print").matches) arrange(s, isPhone); // paper is narrow, and no phone
  const width = s.secondBoard && !s.phone ? Math.floor((whole - BETWEEN) / 2) : whole;
  const { projector } = s.m, lesson = Boolean(s.data.lesson), grow = clamp(Math.min(width, height - 220) / 600, 1, 1.4);
  const type = projector ? projectedTypeSize() : 16 * grow;
  const k = projector ? Math.max(1.5 * Math.min(grow, 1.2), type / 13.5) : grow;
  s.k = k;
  s.tick = projector ? type : 13 * k;
  s.pointRadius = projector ? Math.max(9, 7 * grow, 0.4 * type) : (lesson && s.phone ? 7 : 5.75) * k;
  Object.assign(s.root.dataset, { projector: projector ? "1" : "0", lesson: lesson ? "1" : "0" });
  const largest = Math.max(Math.min(grow, 1.25), projector ? type / 19.5 : 0);
  for (const [name, value] of Object.entries({ "--k": k, "--type": type / 16, "--grow": largest })) {
    s.root.style.setProperty(name, String(fixed(value)));
  }
  s.small = isSmall(s);
  s.root.classList.toggle("small", s.small);
  s.root.classList.toggle("compact", isCompact(s));
  const beside = (s.phone && (lesson || s.small) && isStacked()) || isSideways(s);
  const room = s.data.still ? width : beside ? phoneSize(s) : spaceForSquare(s, width, height);
  const size = Math.floor(Math.min(width, room));
  s.root.style.setProperty("--size", `${size}px`);
  reserveHeight(s);
  if (size === s.size && k === s.painted.k) return false;
  s.size = size;
  s.painted.k = k;
  return true;
}

/** @type {(s: State, width: number, height: number) => number} */
function spaceForSquare(s, width, height) {
  const left = height - topOf(s, width, height) - heightAround(s);
  const minimum = s.phone && s.data.lesson ? LEAST : 300;
  return Math.min(Math.max(left, minimum), s.m.projector ? Infinity : s.data.lesson ? BESIDE : LARGEST);
}

/**
 * The distance of the board from the top of the page, or 0 if it is so far down that one scrolls to it. A board that
 * stays in sight while the page scrolls keeps its size.
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

/** The page's font size in units of 16 pixels. It scales the space below two boards, where there is a table. */
const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

/**
 * The height of the first row of the legend, or the largest one that it had at this width. So the board keeps its size
 * when a count or a name grows, and without a classifier. The first height at a new width is not kept, as the row may
 * still be as narrow as the board was.
 * @param {State} s
 */
function legendHeight(s) {
  const { el: { legend }, m, phone, data } = s, row = legend.querySelector(".row");
  const { secondBoard } = s, width = legend.offsetWidth && s.root.offsetWidth;
  const key = [width, window.innerHeight, m.projector, phone, data.task, Boolean(secondBoard)].join();
  const height = row instanceof HTMLElement ? row.offsetHeight : 0;
  if (s.legendRoom.key !== key) {
    s.legendRoom = { key, height: 0 };
    return height;
  }
  s.legendRoom.height = Math.max(s.legendRoom.height, height);
  return row ? s.legendRoom.height : 0;
}

/**
 * The height of everything above and below the square.
 * @param {State} s
 */
function heightAround(s) {
  const { el, data, m } = s, parts = [el.top, el.names, el.thumb, el.film];
  const heights = [legendHeight(s), ...parts.map((part) => (part instanceof HTMLElement ? part.offsetHeight : 0))];
  const sliders = Math.max(...views(s).map((view) => view.el.sliders.offsetHeight));
  const below = s.secondBoard ? data.spaceBelow * rem() : m.projector ? 0 : data.spaceBelow;
  return heights.reduce((sum, h) => sum + h, sliders + (data.alone ? 6 : data.lesson ? FOOT : below + 12));
}

/**
 * Scroll a point that was reached by keys out from under bars that stick to the edges of the screen.
 * @param {State} s
 * @param {number} id
 */
export function uncover(s, id) {
  const node = s.nodes.get(id), place = s.root.getRootNode(), host = place instanceof ShadowRoot ? place.host : s.root;
  if (!node) return;
  const { left, top, width, height } = node.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!over || !(over === host || host.contains(over))) node.scrollIntoView({ block: "center" });
}
