// @ts-check
// What this tab keeps of the room that it leads: the key, and what brings the room back if the server has lost it. It
// outlives a reload, and it belongs to this tab alone.

/**
 * @typedef {object} Kept
 * @property {string} code
 * @property {string} key
 * @property {number} n
 * @property {object | null} stop
 * @property {Round[]} rounds
 * @property {Task | null} [task]
 * @property {string[]} [removed] the seals of the hand-ins that were taken off the wall
 * @typedef {{id: string, title: string, aim: any[], link: string, is_open: boolean}} Task
 * @typedef {{id: string, key: string, question: any[], choices: any[][], is_open: boolean, has_bars: boolean,
 *   right: number | null, counts?: number[] | null}} Round a question that was asked
 */

/** @type {Kept | null} */
let own = null; // where a browser keeps nothing

/** @returns {Kept | null} */
export function kept() {
  try {
    return JSON.parse(sessionStorage.getItem("svmlab.room") ?? "null") ?? own;
  } catch {
    return own;
  }
}

/** @param {Kept} room */
export function keep(room) {
  own = room;
  try {
    sessionStorage.setItem("svmlab.room", JSON.stringify(room));
  } catch {
    // a browser that forbids storage loses the room at a reload
  }
}

export function forget() {
  own = null;
  try {
    sessionStorage.removeItem("svmlab.room");
  } catch {
    // it was not kept
  }
}
