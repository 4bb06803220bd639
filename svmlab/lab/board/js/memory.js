// @ts-check
// Data that outlive a mount of the component, and also this script if a server returns with a newer one: the address,
// the points that belong to it, and numbers that must never decrease.

import { EMPTY_SCENE } from "./state.js";

/** @import { Data } from "./payload.js" */
/** @import { Known } from "./queue.js" */
/** @typedef {Pick<Data, "rules" | "text">} Lasting data that Python sends once */
/**
 * @typedef {Known & {seq: number, maxId: number, lasting: Lasting | null, bare: boolean}} Memory
 * `bare`: rings and slack are hidden, except for the selected point and the one under the pointer.
 * `unsaid`: all points while a change of them is not acknowledged, so that a lost server or page does not lose them.
 */

const here = /** @type {Window & {svmlabMemory?: Partial<Memory>}} */ (window);
/** @type {Memory} */
const begun = { address: null, points: [], boot: null, unsaid: null, seq: 0, maxId: 0, lasting: null, bare: false };
here.svmlabMemory = Object.assign(here.svmlabMemory ?? {}, { ...begun, ...here.svmlabMemory });

export const memory = /** @type {Memory} */ (here.svmlabMemory);

/**
 * Return an answer of Python together with the data that it sends only once.
 * @param {Partial<Data>} data
 */
export function withLastingWords(data) {
  const { rules, text } = data;
  if (rules && text) memory.lasting = { rules, text };
  return /** @type {Data} */ ({ ...EMPTY_SCENE, ...memory.lasting, ...data });
}

/** Write the remembered address into the address bar, with the parameters that Streamlit needs. */
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
 * Remember the last data from Python in this window.
 * @param {Data} said
 */
export function keepLink({ hidden, board, address, boot, points }) {
  Object.assign(memory, { address, boot, points: hidden || board !== null ? memory.points : points });
  writeLink();
}
