// @ts-check
// Popups on hover, focus and tap, anywhere on the page, with the meaning of a marked term or of a letter in a formula.

import { here, letterOf, lettersOf } from "./letters.js";
import { positionPopup } from "./popup_position.js";

/** @typedef {[name: string, symbol: string, said: string, formula: string]} Term */
/** @typedef {{page: string, step?: string, mark?: string}} Destination */
/** @typedef {{more: string, letters: string}} Words */
/** @typedef {{terms: Record<string, Term>, letters: Record<string, string>, words: Words}} Data */
/** @typedef {{at: Element, rect: DOMRect, keys: string[]}} Spot an explained element, its position, and its terms */

const TERM = 'a[href^="glossary#"]';
const WAY = /^([a-z]+)(?:\?step=([a-z0-9-]+))?(?:#([\w-]+))?$/;
const CLOSED = "button, label, [role=radio], [role=tab], summary, blockquote, .sv-strip, .js-plotly-plot";
const OPENS = 160, CLOSES = 220; // ms that a mouse rests before a popup opens, and is away before it closes

/** @type {Data} */
let termData = { terms: {}, letters: {}, words: { more: "", letters: "" } };
/** @type {(name: "go", value: Destination) => void} */
let say = () => {};
/** @type {HTMLElement | null} */
let tip = null;
/** @type {Spot | null} */
let open = null;
/** @type {string | null} */
let wanted = null; // the term at which the glossary must open
let timer = 0, heard = "", stood = "";
/** The last position of the pointer, and whether another element has come under it since. */
const hand = { x: NaN, y: NaN, rests: false };

/**
 * @param {object} mount
 * @param {(name: "go", value: Destination) => void} mount.setTriggerValue
 */
export default function tips({ setTriggerValue }) {
  say = setTriggerValue;
  if (!tip) begin();
  if (location.pathname.endsWith("/glossary")) wanted ??= decodeURIComponent(location.hash.slice(1)) || null;
  seek(performance.now() + 5000);
  if (!location.hash || stood) return;
  if (location.pathname.endsWith("/sources")) stay(performance.now() + 8000);
  if (location.pathname.endsWith("/statements")) {
    stood = location.hash.slice(1);
    history.replaceState(history.state, "", location.pathname + location.search);
    go({ page: "statements", mark: stood });
  }
}

/** Read the data of the page when they are first needed. */
function listen() {
  const said = document.querySelector(".sv-terms")?.getAttribute("data-terms");
  if (said && said !== heard) termData = JSON.parse(heard = said);
}

function begin() {
  tip = document.createElement("div");
  Object.assign(tip, { id: "sv-tip", className: "sv-tip", popover: "manual", hidden: !("popover" in tip) });
  tip.setAttribute("role", "tooltip");
  document.body.append(tip);
  document.addEventListener("pointerover", (e) => hovered(e));
  document.addEventListener("pointermove", moved, true);
  document.addEventListener("pointerdown", moved, true);
  document.addEventListener("focusin", ({ target }) => focused(/** @type {Element} */ (target)));
  document.addEventListener("focusout", () => open && !tip?.matches(":hover") && hide());
  document.addEventListener("click", clicked, true);
  // The navigation sends it.
  document.addEventListener("sv-go", (e) => go(/** @type {CustomEvent<Destination>} */ (e).detail));
  document.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !open) return;
    e.preventDefault();
    e.stopPropagation();
    hide();
  }, true);
}

// The element under the pointer.

/**
 * Return the marked term or the letter at an element. With `whole`, return the formula if no letter is hit.
 * @type {(target: EventTarget | null, x: number, y: number, whole?: boolean) => Spot | null}
 */
function spotAt(target, x, y, whole = false) {
  if (!(target instanceof Element)) return null;
  listen();
  const link = target.closest(TERM);
  if (link) return marked(link, x, y);
  const formula = target.closest(".katex");
  if (!formula || formula.closest(CLOSED)) return null;
  const letter = letterOf(target, here(termData.letters));
  if (letter) return { at: letter.at, rect: letter.at.getBoundingClientRect(), keys: [letter.key] };
  const keys = whole ? lettersOf(formula, here(termData.letters)) : [];
  return keys.length ? { at: formula, rect: formula.getBoundingClientRect(), keys } : null;
}

/** @type {(link: Element, x?: number, y?: number) => Spot | null} */
function marked(link, x = NaN, y = NaN) {
  listen();
  const key = link.getAttribute("href")?.split("#")[1] ?? "";
  const rects = [...link.getClientRects()]; // a term of two words may be on two lines
  const rect = rects.find((r) => x >= r.left && x <= r.right && y >= r.top && y <= r.bottom) ?? rects[0];
  return termData.terms[key] && rect ? { at: link, rect, keys: [key] } : null;
}

/**
 * @param {PointerEvent} e
 * @param {boolean} [asked] whether a pointer rested over it before
 */
function hovered(e, asked = false) {
  if (e.pointerType === "touch" || e.buttons) return;
  hand.rests = !asked && e.clientX === hand.x && e.clientY === hand.y;
  const spot = hand.rests ? null : spotAt(e.target, e.clientX, e.clientY);
  clearTimeout(timer);
  if (spot) {
    if (!(spot.at instanceof HTMLAnchorElement)) /** @type {HTMLElement} */ (spot.at).style.cursor = "help";
    if (spot.at !== open?.at) timer = setTimeout(() => show(spot), OPENS);
  } else if (open && !tip?.contains(/** @type {Node} */ (e.target)) && open.at !== document.activeElement) {
    timer = setTimeout(hide, CLOSES);
  }
}

/**
 * Only a movement opens a popup. An element that slid under a resting pointer is explained when the pointer moves.
 * @param {PointerEvent} e
 */
function moved(e) {
  const asked = hand.rests && Math.hypot(e.clientX - hand.x, e.clientY - hand.y) > 0;
  Object.assign(hand, { x: e.clientX, y: e.clientY });
  if (asked) hovered(e, true);
}

/** @param {Element} target */
function focused(target) {
  if (!target.matches?.(TERM) || !target.matches(":focus-visible")) return;
  const spot = marked(target);
  if (spot) show(spot);
}

/** @param {MouseEvent} e */
function clicked(e) {
  const target = /** @type {Element | null} */ (e.target), within = tip?.contains(target) ?? false;
  const link = target?.closest?.("a"), href = link?.getAttribute("href") ?? "";
  const ours = within || link?.matches(TERM) || link?.closest(".st-key-glossary, .st-key-notes, .sv-ways");
  const match = ours && WAY.exec(href);
  if (e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  if (match) {
    e.preventDefault();
    e.stopPropagation();
    if (within && open && open.keys.length > 1) return show({ at: open.at, rect: open.rect, keys: [match[3]] });
    const here = link?.matches(TERM) && !within && !link.closest(".st-key-glossary") && e.detail; // 0: Enter
    const spot = link && here ? marked(link, e.clientX, e.clientY) : null;
    return spot ? show(spot) : go({ page: match[1], step: match[2], mark: match[3] });
  }
  if (within) return e.stopPropagation();
  const spot = spotAt(target, e.clientX, e.clientY, true);
  if (spot) show(spot);
  else if (open) hide();
}

// The popup.

/** @param {Spot} spot */
function show(spot) {
  if (!tip || !spot.at.isConnected) return;
  clearTimeout(timer);
  hide();
  open = spot;
  tip.replaceChildren(...(spot.keys.length > 1 ? listed(spot.keys) : explained(spot.keys[0])));
  if (spot.at.matches(TERM)) spot.at.setAttribute("aria-describedby", tip.id);
  tip.showPopover?.();
  tip.hidden = false;
  positionPopup(tip, spot.rect);
  const { left, top } = spot.at.getBoundingClientRect();
  requestAnimationFrame(function still() {
    if (open !== spot) return;
    const current = spot.at.getBoundingClientRect(); // it may be scrolled away, moved or removed
    if (!spot.at.isConnected || Math.hypot(current.left - left, current.top - top) > 2) hide();
    else requestAnimationFrame(still);
  });
}

function hide() {
  clearTimeout(timer);
  open?.at.removeAttribute("aria-describedby");
  open = null;
  if (tip?.matches(":popover-open")) tip.hidePopover();
  if (tip && !("popover" in tip)) /** @type {HTMLElement} */ (tip).hidden = true;
}

/** @type {(key: string) => HTMLElement[]} */
function explained(key) {
  const { terms, words } = termData, [name, symbol, said, formula] = terms[key];
  const head = part("p", "head", [part("b", "", [name]), part("i", "", [symbol])]);
  const more = part("a", "more", [words.more]);
  more.setAttribute("href", `glossary#${key}`);
  more.tabIndex = -1; // because Enter on the term itself leads there too
  return [head, part("p", "", [said]), ...(formula ? [part("p", "formula", [formula])] : []), more];
}

/** @type {(keys: string[]) => HTMLElement[]} */
function listed(keys) {
  const { terms, words } = termData, rows = keys.map((key) => {
    const link = part("a", "", [part("i", "", [terms[key][1]]), terms[key][0]]);
    link.setAttribute("href", `glossary#${key}`);
    return part("li", "", [link]);
  });
  return [part("p", "head", [part("b", "", [words.letters])]), part("ul", "", rows)];
}

/** @type {(tag: string, kind: string, inside: (Node | string)[]) => HTMLElement} */
function part(tag, kind, inside) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...inside);
  return made;
}

// Other pages.

/** @param {Destination} destination */
function go(destination) {
  hide();
  if (destination.page === "glossary") wanted = destination.mark ?? null;
  if (!wanted || destination.page !== "glossary" || !seek(0)) say("go", destination);
  seek(performance.now() + 8000);
}

/**
 * Scroll the requested term into sight as soon as it exists, and return whether it does.
 * @param {number} until
 */
function seek(until) {
  const entry = wanted && document.querySelector(`.st-key-term_${CSS.escape(wanted)}`);
  if (entry) {
    history.replaceState(history.state, "", `${location.pathname}${location.search}#${wanted}`);
    wanted = null;
    entry.scrollIntoView({ block: "center" });
    const heading = entry.querySelector("h3");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
    return true;
  }
  if (wanted && performance.now() < until) requestAnimationFrame(() => seek(until));
  return false;
}

/**
 * Keep the part that the address names at the top while the parts above it still grow, until the person moves.
 * @param {number} until
 */
function stay(until) {
  const ends = new AbortController(), { signal } = ends;
  stood = decodeURIComponent(location.hash.slice(1));
  for (const deed of ["wheel", "keydown", "pointerdown"]) addEventListener(deed, () => ends.abort(), { signal });
  requestAnimationFrame(function top() {
    if (signal.aborted || performance.now() > until) return ends.abort();
    document.getElementById(stood)?.scrollIntoView({ block: "start" });
    requestAnimationFrame(top);
  });
}
