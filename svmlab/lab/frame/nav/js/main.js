// @ts-check
// The navigation: a bar in which each group opens a menu, and on a small screen a button that opens all groups at once.
// Links are real ones, for use in another tab. A plain click changes the page within the session.
// It also has the search, which the key "/" opens, and the choice of the notation.

import { choose, chosenIn, fieldOf, find, forget, opensWithin } from "./find.js";
import { navHtml } from "./html.js";
import { BASE, hrefOf, visit } from "./address.js";

/** @typedef {{path: string, title: string}} Page */
/** @typedef {{title: string, pages: Page[]}} Group */
/** @typedef {{address: string, kinds: Record<string, string>, label: string, hint: string, none: string}} Search */
/** @typedef {Record<string, string | boolean>} Notation the fields of a Notation */
/** @typedef {[value: string | boolean, text: string, word: string]} Option `word`: the notation with this option */
/** @typedef {{name: string, title: string, options: Option[]}} Row */
/** @typedef {{title: string, at: Notation, cookie: string, rows: Row[], about: string}} Choices */
/**
 * @typedef {{label: string, at: string, groups: Group[], search: Search, notation: Choices, room: string}} Data `room`:
 *   the name of the button that opens a room for the class
 */
/** @typedef {(name: "notation", value: Notation) => void} Say */
/**
 * @typedef {object} State
 * @property {HTMLElement} root
 * @property {string} html
 * @property {Data} data
 * @property {Say} say
 * @property {HTMLElement | null} opener the button whose panel is open
 * @property {AbortController} off
 */

const KEPT_S = 365 * 86400; // how long the browser keeps the notation

/** @type {WeakMap<HTMLElement, State>} */
const known = new WeakMap();

/**
 * @param {object} mount
 * @param {Data} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 * @param {Say} mount.setTriggerValue
 */
export default function nav({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-nav"));
  const s = known.get(root) ?? begun(root, data);
  s.say = setTriggerValue;
  paint(s, data);
  // A late cleanup may come while the navigation is still there.
  return () => void setTimeout(() => root.isConnected || ended(s));
}

/** @type {(root: HTMLElement, data: Data) => State} */
function begun(root, data) {
  /** @type {State} */
  const s = { root, html: "", data, say: () => {}, opener: null, off: new AbortController() };
  const ear = { signal: s.off.signal };
  root.innerHTML = "<nav></nav>";
  known.set(root, s);
  root.addEventListener("click", (e) => clicked(s, e), ear);
  for (const type of ["pointerover", "focusin"]) root.addEventListener(type, (e) => address(linkOf(e)), ear);
  root.addEventListener("keydown", (e) => keyed(s, e), ear);
  root.addEventListener("input", (e) => void (e.target === fieldOf(root) && find(root, s.data)), ear);
  root.addEventListener("change", (e) => noted(s, e), ear);
  root.addEventListener("focusout", ({ relatedTarget }) => {
    const within = panelOf(s)?.contains(relatedTarget instanceof Node ? relatedTarget : null);
    if (relatedTarget instanceof Node && !within && relatedTarget !== s.opener) show(s, null);
  }, ear);
  document.addEventListener("pointerdown", (e) => {
    if (!e.composedPath().includes(root)) show(s, null);
  }, { ...ear, capture: true });
  document.addEventListener("keydown", (e) => void (e.key === "Tab" && keepReachable(s)), { ...ear, capture: true });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !s.opener) return;
    e.preventDefault();
    e.stopPropagation(); // so that Esc closes nothing else
    close(s);
  }, { ...ear, capture: true });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || takesLetters(e)) return;
    const opener = root.querySelector("[data-panel=find]");
    if (!(opener instanceof HTMLElement) || document.querySelector("[role=dialog]")) return;
    e.preventDefault();
    show(s, opener);
  }, ear);
  return s;
}

/** @param {State} s */
function ended({ root, off }) {
  off.abort();
  known.delete(root);
}

/**
 * @param {State} s
 * @param {Data} data
 */
function paint(s, data) {
  const nav = /** @type {HTMLElement} */ (s.root.firstElementChild), html = navHtml(data);
  const stays = data.at === s.data.at ? s.opener?.dataset.panel : undefined, option = focused(s)?.dataset.option;
  const { name } = focused(s)?.dataset ?? {}, unfolded = nav.querySelector("details")?.open ?? false;
  nav.setAttribute("aria-label", data.label);
  // A new page begins at its top, even while the old one is still long enough to stay where it was.
  if (data.at !== s.data.at) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  s.data = data;
  if (html === s.html) return;
  const id = focused(s)?.dataset.panel;
  s.opener = null;
  nav.innerHTML = s.html = html;
  /** @type {HTMLDetailsElement} */ (nav.querySelector("details")).open = unfolded;
  if (stays && stays !== "find") show(s, nav.querySelector(`[data-panel=${stays}]`));
  const radio = option && panelOf(s)?.querySelector(`[data-name=${name}][data-option="${option}"]`);
  if (radio instanceof HTMLElement) radio.focus({ preventScroll: true });
  const items = itemsOf(s);
  reach(s, items.find((each) => each.matches("[aria-current], .here")) ?? items[0]);
  if (id) /** @type {HTMLElement | null} */ (nav.querySelector(`[data-panel=${id}]`))?.focus({ preventScroll: true });
}

/**
 * Open the panel of a button and close all others; with null, close all.
 * @param {State} s
 * @param {HTMLElement | null} opener
 */
function show(s, opener) {
  if (opener === s.opener) return;
  for (const button of s.root.querySelectorAll("[data-panel]")) {
    button.setAttribute("aria-expanded", `${button === opener}`);
  }
  const was = panelOf(s);
  if (was) was.hidden = true;
  s.opener = opener;
  const is = panelOf(s);
  if (is) is.hidden = false;
  if (was?.id === "find") forget(s.root);
  if (is?.id === "find") fieldOf(s.root).focus({ preventScroll: true });
  const veil = /** @type {HTMLElement} */ (s.root.querySelector(".veil"));
  veil.hidden = !opener || !["sheet", "find"].includes(opener.dataset.panel ?? "");
}

/** @param {State} s */
function close(s) {
  const { opener } = s;
  show(s, null);
  opener?.focus({ preventScroll: true });
}

/** @type {(s: State) => HTMLElement | null} */
const panelOf = ({ root, opener }) => opener && root.querySelector(`#${opener.dataset.panel}`);

/** @type {(s: State, e: MouseEvent) => void} */
function clicked(s, e) {
  if (e.target instanceof Element && e.target.closest(".room")) {
    close(s);
    document.dispatchEvent(new CustomEvent("svmlab-room")); // the script of the room is on every page
    return undefined;
  }
  const link = linkOf(e), opener = e.target instanceof Element && e.target.closest("[data-panel]");
  if (opener instanceof HTMLElement) return opener === s.opener ? close(s) : show(s, opener);
  if (!link) { // otherwise it is the veil
    return e.target instanceof Element && e.target.closest(".menu, .sheet, .found") ? undefined : close(s);
  }
  if (e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return undefined;
  e.preventDefault();
  address(link);
  close(s);
  opens(s, link);
  return undefined;
}

/** @type {(s: State, link: HTMLAnchorElement) => void} */
function opens(s, link) {
  const { way, path } = link.dataset;
  if (way !== undefined && opensWithin(way)) return;
  if ((way ?? path) !== s.data.at) visit(link.href);
}

/** Report the notation that was chosen, and keep it in this browser for addresses that name none. */
/** @type {(s: State, e: Event) => void} */
function noted(s, { target }) {
  const { name, option } = target instanceof HTMLInputElement ? target.dataset : {};
  const { rows, at, cookie } = s.data.notation, row = rows.find((each) => each.name === name);
  if (!row || !option) return;
  const [value, , word] = row.options[+option], path = new URL(BASE).pathname;
  document.cookie = `${cookie}=${encodeURIComponent(word)}; path=${path}; max-age=${KEPT_S}; samesite=lax`;
  s.say("notation", { ...at, [row.name]: value });
}

/** Return whether the element with the focus takes letters, as a field does. */
/** @type {(e: KeyboardEvent) => boolean} */
function takesLetters(e) {
  const [at] = e.composedPath();
  return at instanceof HTMLElement && (at.isContentEditable || at.closest("textarea, select, canvas, [role=grid], "
    + "[role=combobox], input:not([type=range], [type=radio], [type=checkbox], [type=button])") !== null);
}

/**
 * The links and buttons of the bar, which is one stop of Tab: the arrow keys left and right move along it.
 * @type {(s: State) => HTMLElement[]}
 */
const itemsOf = ({ root }) => [...root.querySelectorAll(".bar > li > :is(a, button), .find")].flatMap((each) =>
  each instanceof HTMLElement ? [each] : []);

/** @type {(s: State, stop: HTMLElement | undefined) => void} */
function reach(s, stop) {
  for (const each of itemsOf(s)) each.tabIndex = each === stop ? 0 : -1;
}

/**
 * Where there is no room for the bar, the button of the search alone is left of its items.
 * @param {State} s
 */
function keepReachable(s) {
  const all = itemsOf(s), stop = all.find((each) => each.tabIndex === 0);
  if (!stop?.checkVisibility()) reach(s, all.find((each) => each.checkVisibility()));
}

/** @type {(s: State, e: KeyboardEvent) => void} */
function along(s, e) {
  const has = focused(s), item = has?.closest(".bar > li")?.firstElementChild ?? has;
  const all = itemsOf(s).filter((each) => each.checkVisibility());
  const at = all.findIndex((each) => each === item), last = all.length - 1;
  if (at < 0 || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
  const to = { ArrowRight: at < last ? at + 1 : 0, ArrowLeft: at ? at - 1 : last, Home: 0, End: last }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  e.stopPropagation();
  reach(s, all[to]);
  all[to].focus();
}

/** @type {(s: State, e: KeyboardEvent) => void} */
function keyed(s, e) {
  along(s, e);
  const direction = { ArrowDown: 1, ArrowUp: -1 }[e.key], at = focused(s);
  if (at && at === fieldOf(s.root)) return asked(s, e, direction);
  if (!direction || !at || at.matches("[type=radio]")) return;
  if (at.matches("[data-panel]")) show(s, at);
  const links = [...(panelOf(s)?.querySelectorAll("a") ?? [])], i = links.findIndex((link) => link === at);
  if (!links.length) return;
  e.preventDefault();
  e.stopPropagation();
  links[(i + (i < 0 && direction < 0 ? 0 : direction) + links.length) % links.length].focus();
}

/** In the field of the search, arrow keys move the choice and Enter opens it. */
/** @type {(s: State, e: KeyboardEvent, direction: number | undefined) => void} */
function asked(s, e, direction) {
  const link = chosenIn(s.root);
  if (direction) choose(s.root, direction);
  else if (e.key === "Enter" && !e.isComposing && link) link.click();
  else return;
  e.preventDefault();
  e.stopPropagation();
}

/** Update the address of a link. */
/** @type {(link: HTMLAnchorElement | null) => void} */
function address(link) {
  if (!link || /[?#]/.test(link.dataset.way ?? "")) return;
  link.href = hrefOf(link.dataset.path ?? link.dataset.way ?? "", location.search);
}

/** @type {(e: Event) => HTMLAnchorElement | null} */
const linkOf = (e) => (e.target instanceof Element ? e.target.closest("a") : null);

/** @type {(s: State) => HTMLElement | null} */
function focused({ root }) {
  const place = root.getRootNode(), at = place instanceof ShadowRoot ? place.activeElement : document.activeElement;
  return at instanceof HTMLElement && root.contains(at) ? at : null;
}
