// @ts-check
// The navigation: a bar in which each group opens a menu, and on a small screen a button that opens all groups at once.
// Links are real ones, for use in another tab. A plain click changes the page within the session.

import { navHtml } from "./html.js";
import { hrefOf, visit } from "./address.js";

/** @typedef {{path: string, title: string}} Page */
/** @typedef {{title: string, pages: Page[]}} Group */
/** @typedef {{label: string, at: string, groups: Group[]}} Data */
/**
 * @typedef {object} State
 * @property {HTMLElement} root
 * @property {string} html
 * @property {HTMLElement | null} opener the button whose panel is open
 * @property {AbortController} off
 */

/** @type {WeakMap<HTMLElement, State>} */
const known = new WeakMap();

/**
 * @param {object} mount
 * @param {Data} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 */
export default function nav({ data, parentElement }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-nav"));
  const s = known.get(root) ?? begun(root);
  paint(s, data);
  // A late cleanup may come while the navigation is still there.
  return () => void setTimeout(() => root.isConnected || ended(s));
}

/** @type {(root: HTMLElement) => State} */
function begun(root) {
  /** @type {State} */
  const s = { root, html: "", opener: null, off: new AbortController() };
  const ear = { signal: s.off.signal };
  root.innerHTML = "<nav></nav>";
  known.set(root, s);
  root.addEventListener("click", (e) => clicked(s, e), ear);
  for (const type of ["pointerover", "focusin"]) root.addEventListener(type, (e) => address(linkOf(e)), ear);
  root.addEventListener("keydown", (e) => keyed(s, e), ear);
  root.addEventListener("focusout", ({ relatedTarget }) => {
    const within = panelOf(s)?.contains(relatedTarget instanceof Node ? relatedTarget : null);
    if (relatedTarget instanceof Node && !within && relatedTarget !== s.opener) show(s, null);
  }, ear);
  document.addEventListener("pointerdown", (e) => {
    if (!e.composedPath().includes(root)) show(s, null);
  }, { ...ear, capture: true });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !s.opener) return;
    e.preventDefault();
    e.stopPropagation(); // so that Esc closes nothing else
    close(s);
  }, { ...ear, capture: true });
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
  nav.setAttribute("aria-label", data.label);
  if (html === s.html) return;
  const id = focused(s)?.dataset.panel;
  s.opener = null;
  nav.innerHTML = s.html = html;
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
  /** @type {HTMLElement} */ (s.root.querySelector(".veil")).hidden = opener?.dataset.panel !== "sheet";
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
  const link = linkOf(e), opener = e.target instanceof Element && e.target.closest("[data-panel]");
  if (opener instanceof HTMLElement) return opener === s.opener ? close(s) : show(s, opener);
  if (!link) return close(s); // a click on the veil
  if (e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return undefined;
  e.preventDefault();
  address(link);
  close(s);
  if (!link.matches("[aria-current]")) visit(link.href);
  return undefined;
}

/** @type {(s: State, e: KeyboardEvent) => void} */
function keyed(s, e) {
  const way = { ArrowDown: 1, ArrowUp: -1 }[e.key], at = focused(s);
  if (!way || !at) return;
  if (at.matches("[data-panel]")) show(s, at);
  const links = [...(panelOf(s)?.querySelectorAll("a") ?? [])], i = links.findIndex((link) => link === at);
  if (!links.length) return;
  e.preventDefault();
  e.stopPropagation();
  links[(i + (i < 0 && way < 0 ? 0 : way) + links.length) % links.length].focus();
}

/** Update the address of a link. */
/** @type {(link: HTMLAnchorElement | null) => void} */
function address(link) {
  if (link) link.href = hrefOf(link.dataset.path ?? "", location.search);
}

/** @type {(e: Event) => HTMLAnchorElement | null} */
const linkOf = (e) => (e.target instanceof Element ? e.target.closest("a") : null);

/** @type {(s: State) => HTMLElement | null} */
function focused({ root }) {
  const place = root.getRootNode(), at = place instanceof ShadowRoot ? place.activeElement : document.activeElement;
  return at instanceof HTMLElement && root.contains(at) ? at : null;
}
