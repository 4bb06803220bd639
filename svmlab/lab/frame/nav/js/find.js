// @ts-check
// The field of the search: it fetches the list once, shows the results as one types, and opens the chosen one.

import { BASE } from "./address.js";
import { resultsHtml } from "./html.js";
import { search } from "./search.js";

/** @import { Data } from "./main.js" */
/** @import { Entry } from "./search.js" */

/** @type {Map<string, Promise<Entry[]>>} */
const lists = new Map();

/** @type {(address: string) => Promise<Entry[]>} */
function listAt(address) {
  const known = lists.get(address) ?? fetch(BASE + address).then((answer) => answer.json());
  lists.set(address, known);
  known.catch(() => lists.delete(address)); // the next key tries again
  return known;
}

/** @type {(root: ParentNode) => HTMLInputElement} */
export const fieldOf = (root) => /** @type {HTMLInputElement} */ (root.querySelector("[role=combobox]"));

/** @type {(root: ParentNode) => HTMLAnchorElement[]} */
const resultsIn = (root) => [...root.querySelectorAll("a[role=option]")].flatMap((each) =>
  each instanceof HTMLAnchorElement ? [each] : []);

/** @type {(root: ParentNode) => HTMLAnchorElement | null} */
export const chosenIn = (root) => root.querySelector("a[role=option][aria-selected=true]");

/**
 * Show what the words in the field find. The first result is the chosen one.
 * @type {(root: ParentNode, data: Data) => Promise<void>}
 */
export async function find(root, { search: said }) {
  const field = fieldOf(root), query = field.value, entries = await listAt(said.address).catch(() => []);
  if (field.value !== query || !field.isConnected) return;
  const groups = search(entries, query), list = /** @type {HTMLElement} */ (root.querySelector("#results"));
  list.innerHTML = resultsHtml(groups, said.kinds);
  list.scrollTop = 0;
  const none = /** @type {HTMLElement} */ (root.querySelector(".none"));
  none.textContent = query.trim() && !groups.length ? said.none : "";
  field.setAttribute("aria-expanded", `${groups.length > 0}`);
  choose(root, 0);
}

/**
 * Move the choice by so many results.
 * @type {(root: ParentNode, by: number) => void}
 */
export function choose(root, by) {
  const all = resultsIn(root), at = all.findIndex((each) => each === chosenIn(root));
  const next = all[at < 0 ? 0 : (at + by + all.length) % all.length];
  for (const each of all) each.setAttribute("aria-selected", `${each === next}`);
  if (next) fieldOf(root).setAttribute("aria-activedescendant", next.id);
  else fieldOf(root).removeAttribute("aria-activedescendant");
  next?.scrollIntoView({ block: "nearest" });
}

/**
 * Empty the field.
 * @type {(root: ParentNode) => void}
 */
export function forget(root) {
  fieldOf(root).value = "";
  /** @type {HTMLElement} */ (root.querySelector("#results")).innerHTML = "";
  /** @type {HTMLElement} */ (root.querySelector(".none")).textContent = "";
  fieldOf(root).setAttribute("aria-expanded", "false");
}

/**
 * Open a result. The script of the glossary, which is on every page, knows how a step, a statement and a term open.
 * @type {(address: string) => boolean} whether it is one of these, and not a page
 */
export function opensWithin(address) {
  const [, page, step, mark] = /^([a-z]+)(?:\?step=([a-z0-9-]+))?(?:#([\w-]+))?$/.exec(address) ?? [];
  if (!step && !mark) return false;
  document.dispatchEvent(new CustomEvent("sv-go", { detail: { page, step, mark } }));
  return true;
}
