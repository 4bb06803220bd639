// @ts-check
// What a person has just opened comes into sight, and of the board above it as much stays there as can.

const KEPT = 0.35; // of the window's height: what is opened begins no higher
const PHONE = 640, HEADER = 68; // there the board is far above, and all of the screen is free; pixels
const LATE_MS = 1500; // tables and code take their height after they have come
const HANDS = ["wheel", "pointerdown", "touchstart", "keydown"];

/** What was opened last, counted by Python: kept with the page, which outlives this script. */
const page = /** @type {Window & {svmlabOpened?: number}} */ (window);

/**
 * @param {object} mount
 * @param {{turn: number, bar: string, opened: string}} mount.data classes of the bar and of what it opens
 */
export default function reveal({ data: { turn, bar, opened } }) {
  const above = document.querySelector(`.${bar}`), below = document.querySelector(`.${opened}`);
  if (!turn || turn === page.svmlabOpened || !above || !below) return;
  page.svmlabOpened = turn;
  const show = () => scroll(above, below), watch = new ResizeObserver(show), off = new AbortController();
  const end = () => {
    watch.disconnect();
    off.abort();
  };
  watch.observe(below); // which calls it a first time
  for (const hand of HANDS) addEventListener(hand, end, { capture: true, passive: true, signal: off.signal });
  setTimeout(end, LATE_MS);
}

/** @type {(above: Element, below: Element) => void} */
function scroll(above, below) {
  const start = innerWidth > PHONE ? KEPT * innerHeight : HEADER;
  const hidden = Math.ceil(below.getBoundingClientRect().bottom) - innerHeight;
  const move = Math.min(hidden, above.getBoundingClientRect().top - start);
  if (move <= 0) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  scrolling(above)?.scrollBy({ top: move, behavior });
}

/** @type {(element: Element | null) => Element | null} */
function scrolling(element) {
  if (!element) return null;
  const own = /auto|scroll/.test(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight;
  return own ? element : scrolling(element.parentElement);
}
