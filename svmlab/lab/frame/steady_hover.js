// @ts-check
// When the page changes under a resting pointer, no card moves away from it and no tooltip opens there.

const CARD = "[class*='st-key-card_']", TIP = "[data-testid='stTooltipHoverTarget']";
const SCROLLS = ".st-key-checked, [data-testid='stMain']"; // the elements that contain cards and scroll
const LIST = "[data-testid='stVerticalBlock']"; // the list that grows with the cards
const here = /** @type {Window & {svmlabStill?: boolean}} */ (window);

/** @type {{x: number, y: number} | null} where the pointer last moved to; null: it has not moved yet */
let at = null;
/** The path of the page on which the pointer last moved: cards of a page that is being replaced are not kept. */
let page = "";
/** @type {Element | null} the element with a tooltip that came under the resting pointer */
let waiting = null;
/**
 * The card to keep; within: its distance from the top of what scrolls.
 * @type {{card: Element, top: number, within: number} | null}
 */
let keptCard = null;

/** @type {Element | null} the list whose size is watched */
let watched = null;

/** @type {(target: EventTarget | null, selector: string) => Element | null} */
const around = (target, selector) => (target instanceof Element ? target.closest(selector) : null);

/** @type {(e: PointerEvent) => boolean} */
const rests = ({ clientX, clientY }) => clientX === at?.x && clientY === at.y;

const sizes = new ResizeObserver(keep);

/** Keep the card where it was. If the page was only scrolled, keep the card that is now under the pointer. */
function keep() {
  if (location.pathname !== page) return;
  const current = keptCard?.card.isConnected ? place(keptCard.card) : null;
  if (!keptCard || !current || Math.abs(current.within - keptCard.within) < 1) {
    return hold(at && around(document.elementFromPoint(at.x, at.y), CARD));
  }
  if (current.scroller) current.scroller.scrollTop += current.top - keptCard.top;
  keptCard.within = place(keptCard.card).within;
}

/** @param {Element} card */
function place(card) {
  const scroller = card.closest(SCROLLS), { top } = card.getBoundingClientRect();
  return { scroller, top, within: top + (scroller?.scrollTop ?? 0) };
}

/** @param {Element | null} card */
function hold(card) {
  const list = card?.parentElement?.closest(LIST);
  if (list && list !== watched) {
    sizes.disconnect();
    sizes.observe(list);
    watched = list;
  }
  keptCard = card && { card, ...place(card) };
}

/** @param {PointerEvent} e */
function moved(e) {
  if (rests(e)) return;
  at = { x: e.clientX, y: e.clientY };
  page = location.pathname;
  const { target } = e;
  if (target instanceof Element && waiting?.contains(target)) target.dispatchEvent(copy("pointerover", e));
  waiting = null;
  hold(around(target, CARD));
}

/**
 * Let the tooltip wait until the pointer moves. The element that the pointer has left still gets its event.
 * @param {PointerEvent} e
 */
function crossed(e) {
  if (!e.isTrusted || e.pointerType !== "mouse" || (at && !rests(e))) return;
  const [to, from] = e.type === "pointerover" ? [e.target, e.relatedTarget] : [e.relatedTarget, e.target];
  const tip = around(to, TIP);
  if (!tip || tip === around(from, TIP)) return;
  e.stopImmediatePropagation();
  waiting = tip;
  if (e.type === "pointerout") e.target?.dispatchEvent(copy("pointerout", e));
}

/** @type {(type: string, e: PointerEvent) => PointerEvent} */
function copy(type, { clientX, clientY, pointerType, pointerId }) {
  return new PointerEvent(type, { bubbles: true, composed: true, clientX, clientY, pointerType, pointerId });
}

export default function still() {
  if (here.svmlabStill) return;
  here.svmlabStill = true;
  addEventListener("pointermove", moved, true);
  addEventListener("pointerover", crossed, true);
  addEventListener("pointerout", crossed, true);
  addEventListener("scroll", keep, true);
}
