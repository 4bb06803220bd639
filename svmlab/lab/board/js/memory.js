// @ts-check
// What outlives a mount of the component, and this script where a server comes back with a newer one: what the address
// says, the points that go with it, and numbers that must never go down.

import { NOTHING } from "./state.js";

/** @import { Data } from "./payload.js" */
/** @import { Known } from "./queue.js" */
/** @typedef {Pick<Data, "rules" | "text">} Lasting what Python sends once */
/**
 * @typedef {Known & {seq: number, maxId: number, lasting: Lasting | null}} Memory
 * `unsaid` is the whole set of points while a change of them is unanswered: a lost server or page does not lose it.
 */

const here = /** @type {Window & {svmlabMemory?: Partial<Memory>}} */ (window);
/** @type {Memory} */
const begun = { address: null, points: [], boot: null, unsaid: null, seq: 0, maxId: 0, lasting: null };
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

/** The address bar says what was remembered. */
function writeLink() {
  if (memory.address === null) return;
  const url = new URL(location.href);
  if (url.searchParams.get("s") === memory.address) return;
  url.searchParams.set("s", memory.address);
  history.replaceState(history.state, "", url);
}

window.addEventListener("popstate", () => {
  writeLink();
  setTimeout(writeLink);
});

/**
 * Python's last word is what this window remembers.
 * @param {Data} said
 */
export function keepLink({ hidden, address, boot, points }) {
  Object.assign(memory, { address, boot, points: hidden ? memory.points : points });
  writeLink();
}
