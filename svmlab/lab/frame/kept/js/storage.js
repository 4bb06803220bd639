// @ts-check
// The storage of the browser. Every change begins with what is stored now, so that two tabs do not undo each other's.

import { documentText, readDocument } from "./store.js";

/** @typedef {Pick<Storage, "getItem" | "setItem">} Place */
/** @typedef {import("./store.js").Damage | "forbidden" | "full" | "limit"} Problem */
/**
 * @template Entry
 * @typedef {import("./store.js").Kind<Entry>} Kind
 */
/**
 * @template Entry
 * @typedef {{entries: Map<string, Entry>, skipped: number, problem: Problem | null}} Stored
 */

export const CHANGED = "svmlab-kept"; // the event of this window after a change; other windows get "storage"

/**
 * Return what is stored. Where the browser forbids that, this is nothing.
 * @template Entry
 * @param {Kind<Entry>} kind
 * @param {() => Place} [place]
 * @returns {Stored<Entry>}
 */
export function load(kind, place = () => localStorage) {
  try {
    return readDocument(kind, place().getItem(kind.key));
  } catch {
    return { entries: new Map(), skipped: 0, problem: "forbidden" };
  }
}

/**
 * Store what `edit` returns for the entries that are stored now. If that fails, the problem is named, and nothing has
 * changed. A document of a newer version is never replaced.
 * @template Entry
 * @param {Kind<Entry>} kind
 * @param {(entries: Map<string, Entry>) => Map<string, Entry>} edit
 * @param {() => Place} [place]
 * @returns {Stored<Entry>}
 */
export function change(kind, edit, place = () => localStorage) {
  const before = load(kind, place);
  if (before.problem === "forbidden" || before.problem === "newer") return before;
  const entries = edit(new Map(before.entries));
  if (entries.size > kind.limit) return { ...before, problem: "limit" };
  try {
    place().setItem(kind.key, documentText(kind, entries));
  } catch (error) {
    return { ...before, problem: error instanceof DOMException && /quota/i.test(error.name) ? "full" : "forbidden" };
  }
  globalThis.dispatchEvent?.(new Event(CHANGED));
  return { entries, skipped: 0, problem: null };
}
