// @ts-check
// On a phone the board stays in sight. Where the page scrolls it away it stops under the page's header, smaller, its
// tools at its side. Its column keeps its height, so that nothing else moves; how far that goes up (--sv-away), and
// down to where the board then covers the page (--sv-kept), the page's style sheet takes from here.

/** @import { State } from "./state.js" */

const HEADER = 3.75; // rem, as the page's style sheet has it
const NARROW = "(max-width: 640px)"; // where the page's columns stand one under the other
const SHARE = 0.37, ROW = 40, LEAST = 190; // of a phone's height, for the square with one row of sliders

/** @type {(s: State) => HTMLElement | null} */
function columnOf({ root }) {
  const place = root.getRootNode(), host = place instanceof ShadowRoot ? place.host : root;
  return host.closest("[data-testid=stColumn]");
}

/**
 * The side of a board that leaves most of the screen to what one reads, answers and sets; a soft keyboard takes part.
 * @param {State} s
 */
export function besideSize({ el: { sliders, film } }) {
  const height = Math.min(window.innerHeight, window.visualViewport?.height ?? Infinity);
  return Math.max(LEAST, SHARE * height + ROW - sliders.offsetHeight - film.offsetHeight);
}

/**
 * Whether the board is scrolled away, and so to be small.
 * @param {State} s
 */
export function isSmall(s) {
  if (s.gesture) return s.small; // nothing moves under a finger
  const alone = s.phone && !s.data.lesson && matchMedia(NARROW).matches;
  const column = alone ? columnOf(s) : null, style = column && getComputedStyle(column);
  if (!column || style?.position !== "sticky" || !s.full) return false;
  return column.getBoundingClientRect().top <= parseFloat(style.top) + 1;
}

/**
 * Tell the page how much of it the board keeps.
 * @param {State} s
 */
export function keep(s) {
  const page = document.documentElement, column = s.phone ? columnOf(s) : null, { root, data, el } = s;
  if (!s.small) root.style.minHeight = "";
  if (!column) return void ["--sv-away", "--sv-kept"].forEach((name) => page.style.removeProperty(name));
  const header = HEADER * parseFloat(getComputedStyle(page).fontSize);
  if (!s.small) s.full = root.offsetHeight;
  else root.style.minHeight = `${s.full}px`;
  const high = data.lesson ? s.full : besideSize(s) + el.sliders.offsetHeight + el.film.offsetHeight;
  page.style.setProperty("--sv-away", `${data.lesson ? 0 : Math.max(0, Math.floor(s.full - high))}px`);
  page.style.setProperty("--sv-kept", `${Math.ceil(header + high)}px`);
}

/**
 * A field that one types into comes out from under a soft keyboard that opens.
 * @param {State} s
 */
export function showField(s) {
  const field = s.phone && !s.data.hidden ? document.activeElement : null;
  if (field?.matches("input, textarea")) field.scrollIntoView({ block: "nearest" });
}
