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
 * `unsaid`: the changes that are not acknowledged, so that a lost server or page does not lose them.
 * @typedef {{place: string, unsaid: NonNullable<Known["unsaid"]>}} Stored the changes, and the address that lacks them
 */

const here = /** @type {Window & {svmlabMemory?: Partial<Memory>}} */ (window);
/** @type {Memory} */
const begun = { address: null, points: [], boot: null, unsaid: null, seq: 0, maxId: 0, lasting: null, bare: false };
here.svmlabMemory = Object.assign(here.svmlabMemory ?? {}, { ...begun, ...here.svmlabMemory });

export const memory = /** @type {Memory} */ (here.svmlabMemory);

/**
 * Remember the unacknowledged changes, for a new session and for the next load of this page. The session storage
 * outlives a reload, and it belongs to this tab alone.
 * @param {Memory["unsaid"]} unsaid
 */
export function keepUnsaid(unsaid) {
  memory.unsaid = unsaid;
  try {
    if (unsaid) sessionStorage.setItem("svmlab.unsaid", JSON.stringify({ place: placeOf(memory.address), unsaid }));
    else sessionStorage.removeItem("svmlab.unsaid");
  } catch {
    // A browser that forbids storage, or has no room left, loses the changes at a reload.
  }
}

/**
 * Before the first answer after a load, recall the changes that were not acknowledged when this tab left the page. They
 * count only at the same address, because another link describes another board.
 * @param {Pick<Data, "address">} said
 */
export function recallUnsaid({ address }) {
  if (memory.boot !== null) return;
  try {
    /** @type {Stored | null} */
    const stored = JSON.parse(sessionStorage.getItem("svmlab.unsaid") ?? "null");
    if (stored?.place !== placeOf(address)) return;
    Object.assign(memory, { address, boot: stored.unsaid.boot, unsaid: stored.unsaid });
  } catch {
    // nothing is stored, or nothing that this version wrote
  }
}

/** @param {string | null} address */
const placeOf = (address) => `${location.pathname}?${address}`;

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

/** @typedef {{search: string, board: string | null, began: string}} Beginning the board with which a tab began */
/** @type {string | null} */
let bootBefore = null;

/**
 * Return the board with which this tab began, as a link, if a new session takes another one for it. A session that
 * begins with a reload, or after a tab was discarded, knows only the address, which has the board as it is now.
 * @param {Data} said
 * @returns {string | null}
 */
export function rememberedBeginning({ boot, board, began }) {
  if (!began) return null;
  const isNew = boot !== bootBefore, { search } = location;
  bootBefore = boot;
  const kept = isNew ? keptBeginning() : null;
  return kept && kept.search === search && kept.board === board && kept.began !== began ? kept.began : null;
}

/** @returns {Beginning | null} */
function keptBeginning() {
  try {
    return JSON.parse(sessionStorage.getItem("svmlabBeginning") ?? "null");
  } catch {
    return null; // a page in a frame of another site may have no storage
  }
}

/** @type {(beginning: Beginning) => void} */
function keepBeginning(beginning) {
  try {
    sessionStorage.setItem("svmlabBeginning", JSON.stringify(beginning));
  } catch {
    // without a storage, the board of a reload is the one that can be returned to
  }
}

const MAX_HISTORIES = 6; // boards of this tab whose undo is kept
/** @typedef {{share: string, text: string}} History the present board, and the steps of undo and redo as a text */
/** @type {Set<string>} */
const recalled = new Set();

/**
 * Return the steps of undo and redo that this tab kept for the board, once for each session and board. Python adds
 * them if the session began with the same board, as it does after a reload.
 * @param {Pick<Data, "boot" | "board">} said
 * @returns {History | null}
 */
export function recallHistory({ boot, board }) {
  const once = `${boot} ${board}`, kept = recalled.has(once) ? null : histories().find(([name]) => name === board);
  recalled.add(once);
  return kept?.[1] ?? null;
}

/** @param {Pick<Data, "board" | "share" | "history">} said */
export function keepHistory({ board, share, history: text }) {
  const all = text === null ? [] : histories(), others = all.filter(([name]) => name !== board);
  if (text === null || (!text && others.length === all.length)) return;
  try {
    const kept = text ? [[board, { share, text }]] : [];
    sessionStorage.setItem("svmlabHistories", JSON.stringify([...kept, ...others].slice(0, MAX_HISTORIES)));
  } catch {
    // without a storage, or without room in it, undo ends with a reload
  }
}

/** @returns {[string | null, History][]} the board that was changed last first */
function histories() {
  try {
    return JSON.parse(sessionStorage.getItem("svmlabHistories") ?? "[]").filter(isKept);
  } catch {
    return []; // nothing is stored, or nothing that this version wrote
  }
}

/** @type {(entry: any) => boolean} */
const isKept = (entry) => typeof entry?.[1]?.share === "string" && typeof entry[1].text === "string";

window.addEventListener("popstate", () => {
  writeLink();
  setTimeout(writeLink);
});

/**
 * Return whether this tab was in projector mode, also before it was reloaded. The tab remembers it, because the mode
 * belongs to the room and not to the link.
 */
export function wasProjected() {
  try {
    return sessionStorage.svmlabProjector === "1";
  } catch {
    return false; // a browser may forbid it
  }
}

/** @param {boolean} on */
export function rememberProjected(on) {
  try {
    if (on !== wasProjected()) sessionStorage.svmlabProjector = on ? "1" : "0";
  } catch {
    // the mode then ends with the page
  }
}

/**
 * Remember the last data from Python in this window.
 * @param {Data} said
 */
export function keepLink({ hidden, board, address, boot, points, began }) {
  Object.assign(memory, { address, boot, points: hidden || board !== null ? memory.points : points });
  writeLink();
  if (began) keepBeginning({ search: location.search, board, began });
}
