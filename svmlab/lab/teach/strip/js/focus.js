// @ts-check
// The focused element disappears with an answer or a step. Reading must continue at the new verdict or question.

/** The elements that are read and cannot be pressed. */
export const READABLE = ".st-key-ask, .st-key-verdict";

/**
 * Keep the focus in the sheet until the person presses something.
 * @param {HTMLElement} root of the strip
 * @param {boolean} shown whether there is a verdict, or will be
 */
export function keepFocusInSheet(root, shown) {
  if (!free(root)) return;
  const off = new AbortController(), ear = { capture: true, signal: off.signal };
  let first = true;
  const look = () => {
    const place = document.querySelector(shown ? ".st-key-verdict" : ".st-key-ask");
    if (!(place instanceof HTMLElement)) return;
    if (first || document.activeElement === document.body) {
      first = false;
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
    }
    uncover(place);
  };
  const watch = new MutationObserver(look);
  watch.observe(document.body, { childList: true, subtree: true });
  off.signal.addEventListener("abort", () => watch.disconnect());
  for (const type of ["keydown", "pointerdown"]) document.addEventListener(type, () => off.abort(), ear);
  look();
}

/**
 * Return whether nothing has the focus, or an element of the sheet outside the strip, which keeps its focus.
 * @param {HTMLElement} root
 */
function free(root) {
  const place = root.getRootNode(), strip = place instanceof ShadowRoot ? place.host : root;
  const active = document.activeElement;
  return !active || active === document.body || (active !== strip && active.closest(".st-key-sheet") !== null);
}

/**
 * Scroll an element out from under the board, which covers part of the page on a phone.
 * @param {HTMLElement} place
 */
function uncover(place) {
  const board = document.querySelector(".st-key-beside")?.getBoundingClientRect();
  const { left, top, bottom } = place.getBoundingClientRect();
  if (!board || left >= board.right || (top >= board.bottom && bottom <= innerHeight)) return;
  place.closest("[data-testid=stMain]")?.scrollBy(0, top - board.bottom - 8);
}
