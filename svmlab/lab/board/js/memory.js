// @ts-check
// What outlives a mount of the component, and this script where a server comes back with a newer one: what the address
// says, the points that go with it, and numbers that must never go down.

import { NOTHING } from "./state.js";

/** @import { Data } from "./payload.js" */
/** @import { Known } from "./queue.js" */
/** @typedef {Pick<Data, "rules" | "text">} Lasting what Python sends once */
/**
 * @typedef {Known & {seq: number, maxId: number, lasting: Lasting | null, bare: boolean}} Memory
 * `bare`: rings and slack are left out, but for the point that is looked at.
 * `unsaid` is the whole set of points while a change of them is unanswered: a lost server or page does not lose it.
 */

const here = /** @type {Window & {svmlabMemory?: Partial<Memory>}} */ (window);
/** @type {Memory} */
const begun = { address: null, points: [], boot: null, unsaid: null, seq: 0, maxId: 0, lasting: null, bare: false };
here.svmlabMemory = Object.assign(here.svmlabMemory ?? {}, { ...begun, ...here.svmlabMemory });

export const memory = /** @type {Memory} */ (here.svmlabMemory);

/**
 * An answer of Python with what it said before and need not say again.
 * @param {Partial<Data>} data
 */
export function completed(data) {
  const { rules, text } = data;
  if (rules && text) memory.lasting = { rules, text };
  return /** @type {Data} */ ({ ...NOTHING, ...memory.lasting, ...data });
}

/** The address bar says what was remembered, and what Streamlit needs besides. */
function writeLink() {
  if (memory.address === null) return;
  const foreign = location.search.slice(1).split("&").filter((part) => part.startsWith("embed"));
  const search = `?${[...foreign, memory.address].join("&")}`;
  if (location.search !== search) history.replaceState(history.state, "", search + location.hash);
}

window.addEventListener("popstate", () => {
  writeLink();
  setTimeout(writeLink);
});

/**
 * Python's last word is what this window remembers.
 * @param {Data} said
 */
export function keepLink({ hidden, board, address, boot, points }) {
  Object.assign(memory, { address, boot, points: hidden || board !== null ? memory.points : points });
  writeLink();
}
