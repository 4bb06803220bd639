// @ts-check
// Scroll the part that was just opened into sight, and keep as much of the board above it in sight as possible.

const KEPT = 0.35; // the opened part begins no higher than this share of the window's height
const PHONE = 640, HEADER = 68; // pixels; on a phone the board is far above, and the whole screen is free
const LATE_MS = 6000; // on a slow line a table gets its height seconds after it appears; a hand ends the wait
const HANDS = ["wheel", "pointerdown", "touchstart", "keydown"];

/** The number, counted by Python, of the part opened last. It is kept in the page, which outlives this script. */
const page = /** @type {Window & {svmlabOpened?: number}} */ (window);

/**
 * @param {object} mount
 * @param {{turn: number, bar: string, opened: string}} mount.data the CSS classes of the bar and of the opened part
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
  watch.observe(below); // this calls `show` for the first time
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
