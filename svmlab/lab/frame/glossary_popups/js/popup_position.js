// @ts-check
// The position of a popup: above its element, where no thumb covers it, else below, and always on the screen.

const EDGE = 8, GAP = 6;

/** @type {(tip: HTMLElement, rect: DOMRect) => void} */
export function positionPopup(tip, rect) {
  const { width, height } = tip.getBoundingClientRect();
  const middle = (rect.left + rect.right - width) / 2, above = rect.top - GAP - height, below = rect.bottom + GAP;
  const top = above >= EDGE || below + height > innerHeight - EDGE ? Math.max(above, EDGE) : below;
  tip.style.left = `${Math.round(Math.max(EDGE, Math.min(middle, innerWidth - EDGE - width)))}px`;
  tip.style.top = `${Math.round(top)}px`;
}
