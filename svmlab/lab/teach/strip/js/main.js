// @ts-check
// The steps of a lesson. A click, a presenter's clicker (PageDown, PageUp) or an arrow key requests one from Python.

import { keepFocusInSheet } from "./focus.js";
import { CLICKER, directionOf, nextKey, wishOf } from "./keys.js";
import { answered, connected, repeatWhenBack, settled } from "./requests.js";

/** @import { Direction, Wish } from "./keys.js" */
/**
 * @typedef {{key: string, title: string, name: string, done: boolean, deeper: boolean, asks: boolean,
 *   page: boolean}} Mark
 */
/** @typedef {{key: string, label: string, title: string}} Fold unfolds the steps that go deeper, or folds them away */
/**
 * @typedef {object} Data `ack` is the number of the last request that Python has handled
 * @property {string} label
 * @property {string} at
 * @property {boolean} shown
 * @property {Mark[]} marks `asks`: a question that the clicker answers before it goes on. `page`: after the last step
 * @property {boolean} projector
 * @property {Fold | null} fold
 * @property {boolean} back whether there is a lesson before this one
 * @property {boolean} onward whether there is a lesson after this one
 * @property {number} ack
 */
/** @typedef {Wish & {n: number}} Request */
/** @typedef {(name: "go", value: Request) => void} Say */
/**
 * @typedef {object} State
 * @property {HTMLElement} root
 * @property {Data} data the data from Python, but `at` is the step requested last
 * @property {string} open the open step and whether its answer is shown, as Python sent them
 * @property {Say} say
 * @property {AbortController} off
 * @property {Request | null} waiting the last request, until Python has handled it
 * @property {number} n the number of the last request
 * @property {number} timer
 */

/** @type {WeakMap<HTMLElement, State>} */
const strips = new WeakMap();
const DONE = '<i class="done"></i>'; // the answer was shown, whether the choice was right or wrong

/**
 * @param {object} mount
 * @param {Data} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 * @param {Say} mount.setTriggerValue
 */
export default function strip({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-strip"));
  const s = strips.get(root) ?? begun(root, data, setTriggerValue);
  s.say = setTriggerValue;
  s.data = settled(s, data);
  paint(s);
  const open = `${data.at} ${data.shown}`;
  if (open !== s.open) keepFocusInSheet(root, data.shown);
  if (data.at !== s.open.split(" ")[0]) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  s.open = open;
  // A late cleanup may come while the strip is still there.
  return () => void setTimeout(() => root.isConnected || ended(s));
}

/** @type {(root: HTMLElement, data: Data, say: Say) => State} */
function begun(root, data, say) {
  /** @type {State} */
  const s = { root, data, say, open: `${data.at} ${data.shown}`, off: new AbortController(),
    waiting: null, n: data.ack, timer: 0 };
  const ear = { signal: s.off.signal };
  root.innerHTML = '<nav></nav><div class="tip" aria-hidden="true" hidden></div>';
  strips.set(root, s);
  root.addEventListener("click", (e) => {
    const button = buttonOf(e);
    if (button?.classList.contains("fold")) request(s, { key: String(button.dataset.key) });
    else if (button) go(s, button.dataset.key);
  }, ear);
  for (const type of ["pointerover", "focusin"]) root.addEventListener(type, (e) => tell(s, buttonOf(e)), ear);
  root.addEventListener("focusin", (e) => buttonOf(e)?.scrollIntoView({ block: "nearest", inline: "nearest" }), ear);
  for (const type of ["pointerleave", "focusout"]) root.addEventListener(type, () => tell(s, null), ear);
  document.addEventListener("keydown", (e) => {
    const direction = directionOf(e, root);
    if (!direction) return;
    e.preventDefault(); // so that the page does not scroll, and a slider with the focus does not move
    e.stopPropagation();
    if (e.repeat) return;
    const { marks, at } = s.data;
    if (CLICKER[e.key]) turn(s, direction);
    else go(s, nextKey(marks.map(({ key }) => key), at, direction));
  }, { ...ear, capture: true });
  document.addEventListener("svmlab-answer", () => {
    if (s.data.marks.some(({ key, asks }) => key === s.data.at && asks)) turn(s, 1);
  }, ear);
  repeatWhenBack(s);
  return s;
}

/** @param {State} s */
function ended({ root, off, timer }) {
  off.abort();
  clearTimeout(timer);
  strips.delete(root);
}

/**
 * Request a step. It is shown as open at once, so that a second press continues from there.
 * @param {State} s
 * @param {string | undefined} key
 */
function go(s, key) {
  if (key === undefined || key === s.data.at || leaves(s)) return;
  s.data.at = key;
  paint(s);
  request(s, { key });
}

/**
 * Do what a presenter's clicker requests. While the server is away or another lesson opens, all presses count as one.
 * @param {State} s
 * @param {Direction} direction
 */
function turn(s, direction) {
  if (leaves(s) || (s.waiting && !connected())) return;
  const { marks, at } = s.data, wish = wishOf(marks, at, direction, s.data);
  if (!(wish && "show" in wish) && isPlanned(direction)) return;
  if (!wish) return;
  if ("key" in wish) return go(s, wish.key);
  if ("show" in wish) s.data.marks = answered(marks, at);
  request(s, wish);
}

/**
 * Return whether the plan of a lecture is walked, which then turns to its next stop or the one before.
 * @type {(direction: Direction) => boolean}
 */
const isPlanned = (direction) =>
  !document.dispatchEvent(new CustomEvent("svmlab-turn", { detail: direction, cancelable: true }));

/**
 * Return whether another lesson is being opened. A step requested meanwhile would be opened in that lesson.
 * @type {(s: State) => boolean}
 */
const leaves = ({ waiting }) => waiting !== null && "lesson" in waiting;

/** @type {(s: State, wish: Wish) => void} */
function request(s, wish) {
  s.n += 1;
  s.waiting = { ...wish, n: s.n };
  s.say("go", s.waiting);
}

/** @param {State} s */
function paint(s) {
  const { root, data: { label, at, marks, projector, fold } } = s;
  const nav = /** @type {HTMLElement} */ (root.firstElementChild);
  const html = marks.map((mark) => (mark.key === at ? openHtml(mark) : dotHtml(mark))).join("") + foldHtml(fold);
  root.dataset.projector = projector ? "1" : "0";
  nav.setAttribute("aria-label", label);
  nav.style.setProperty("--steps", String(marks.length + (fold ? 1 : 0)));
  if (nav.dataset.html === html) return;
  const within = nav.matches(":focus-within");
  nav.innerHTML = html;
  nav.dataset.html = html;
  tell(s, null);
  const here = /** @type {HTMLElement} */ (nav.querySelector(".here")); // on a phone the row of dots scrolls
  nav.scrollLeft = here.offsetLeft + here.offsetWidth / 2 - nav.clientWidth / 2;
  if (within) /** @type {HTMLElement} */ (nav.querySelector("h1 button")).focus({ preventScroll: true });
}

/** @type {(mark: Mark) => string} */
const openHtml = ({ key, title, name, done }) => `<i class="here"></i><h1><button type="button" data-key="${esc(key)}"
  aria-label="${esc(name)}" aria-current="step">${done ? DONE : ""}<span>${esc(title)}</span></button></h1>`;

/**
 * The open step is the one stop of Tab, because the arrow keys lead from there to the others.
 * @type {(mark: Mark) => string}
 */
const dotHtml = ({ key, title, name, done, deeper, page }) => `<button type="button" tabindex="-1"
  class="dot${deeper ? " deeper" : ""}${page ? " page" : ""}" data-key="${esc(key)}" data-title="${esc(title)}"
  aria-label="${esc(name)}">${done ? DONE : "<i></i>"}</button>`;

/** @type {(fold: Fold | null) => string} */
const foldHtml = (fold) => fold ? `<button type="button" class="dot fold" data-key="${esc(fold.key)}"
  data-title="${esc(fold.title)}" aria-label="${esc(fold.title)}">${esc(fold.label)}</button>` : "";

/**
 * Show the name of a step below its dot and inside the strip.
 * @param {State} s
 * @param {HTMLElement | null} button
 */
function tell({ root }, button) {
  const tip = /** @type {HTMLElement} */ (root.lastElementChild), title = button?.dataset.title;
  tip.hidden = !title;
  if (!button || !title) return;
  tip.textContent = title;
  const dot = button.getBoundingClientRect(), row = root.getBoundingClientRect();
  const left = dot.left + dot.width / 2 - row.left - tip.offsetWidth / 2;
  tip.style.left = `${Math.max(0, Math.min(left, row.width - tip.offsetWidth))}px`;
  tip.style.top = `${dot.bottom - row.top + 2}px`;
}

/** @type {(e: Event) => HTMLElement | null} */
function buttonOf(e) {
  const button = e.target instanceof Element ? e.target.closest("button") : null;
  return button;
}

/** @type {Record<string, string>} */
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @type {(text: string) => string} */
const esc = (text) => text.replace(/[&<>"]/g, (c) => ESCAPED[c]);
