// @ts-check
// On a phone the board stays in sight. When the page scrolls, it stops under the page's header, smaller and with its
// tools at its side. Its column keeps its height, so that nothing else moves. The page's style sheet gets two lengths
// from here: how far the column moves up (--sv-away), and how far down the board then covers the page (--sv-kept).

/** @import { State } from "./state.js" */

const HEADER = 3.75; // rem, as in the page's style sheet
const NARROW = "(max-width: 640px)"; // on such screens the page's columns are stacked
const LOW = "(max-width: 640px) and (max-height: 700px)"; // the board of a lesson has its tools at its side
const SIDEWAYS = "(min-width: 641px) and (max-height: 500px)"; // the board of the lab has its tools at its side
const TOOLS = 104, UNDER = 12; // pixels for the tools beside such a board, and under it
const LOW_SHARE = 0.24, LOW_LEAST = 150;
const SHARE = 0.37, ROW = 40, LEAST = 190; // the share of a phone's height for the square with one row of sliders

const headerHeight = () => HEADER * parseFloat(getComputedStyle(document.documentElement).fontSize);

/** @type {(s: State) => HTMLElement | null} */
function columnOf({ root }) {
  const place = root.getRootNode(), host = place instanceof ShadowRoot ? place.host : root;
  return host.closest("[data-testid=stColumn]");
}

/** Whether the page's columns are stacked, so that the board takes room from what is below it. */
export const isStacked = () => matchMedia(NARROW).matches;

/**
 * Return whether the board of the lab is on a phone that is held sideways.
 * @param {State} s
 */
export const isSideways = ({ phone, data, m, secondBoard }) =>
  Boolean(phone) && !data.lesson && !data.alone && !data.still && !m.projector && !secondBoard
  && matchMedia(SIDEWAYS).matches;

/**
 * Return whether the screen is so low that the board has its tools at its side.
 * @param {State} s
 */
export const isCompact = (s) => Boolean(s.phone && s.data.lesson && matchMedia(LOW).matches) || isSideways(s);

/**
 * The side of a board that leaves most of the screen for reading, answers and controls, also under a soft keyboard.
 * @param {State} s
 */
export function phoneSize(s) {
  const { sliders, film } = s.el, height = Math.min(window.innerHeight, window.visualViewport?.height ?? Infinity);
  if (isSideways(s)) {
    const room = height - headerHeight() - UNDER - sliders.offsetHeight - film.offsetHeight;
    return Math.max(LOW_LEAST, Math.min(room, s.root.clientWidth - TOOLS));
  }
  if (isCompact(s)) return Math.max(LOW_LEAST, LOW_SHARE * height);
  return Math.max(LEAST, SHARE * height + ROW - sliders.offsetHeight - film.offsetHeight);
}

/**
 * Return whether the board is scrolled away and must be small.
 * @param {State} s
 */
export function isSmall(s) {
  if (s.gesture) return s.small; // nothing may move under a finger
  const alone = s.phone && !s.data.lesson && matchMedia(NARROW).matches;
  const column = alone ? columnOf(s) : null, style = column && getComputedStyle(column);
  if (!column || style?.position !== "sticky" || !s.fullHeight) return false;
  return column.getBoundingClientRect().top <= parseFloat(style.top) + 1;
}

/**
 * Give the page's style sheet the height that the board covers.
 * @param {State} s
 */
export function reserveHeight(s) {
  const page = document.documentElement, column = s.phone ? columnOf(s) : null, { root, data, el } = s;
  if (!s.small) root.style.minHeight = "";
  if (!column) return void ["--sv-away", "--sv-kept"].forEach((name) => page.style.removeProperty(name));
  const header = headerHeight();
  if (!s.small) s.fullHeight = root.offsetHeight;
  else root.style.minHeight = `${s.fullHeight}px`;
  const high = data.lesson ? s.fullHeight : phoneSize(s) + el.sliders.offsetHeight + el.film.offsetHeight;
  page.style.setProperty("--sv-away", `${data.lesson ? 0 : Math.max(0, Math.floor(s.fullHeight - high))}px`);
  page.style.setProperty("--sv-kept", `${Math.ceil(header + high)}px`);
}

/**
 * Scroll a text field out from under a soft keyboard that opens.
 * @param {State} s
 */
export function showField(s) {
  const field = s.phone && !s.data.hidden ? document.activeElement : null;
  if (field?.matches("input, textarea")) field.scrollIntoView({ block: "nearest" });
}
