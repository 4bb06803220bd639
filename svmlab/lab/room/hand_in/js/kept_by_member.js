// @ts-check
// What this browser keeps of a room: its random number, its votes with the seals of the server, and the board that it
// handed in last. A scanned code opens a new tab, so all tabs of a browser share them, and a browser has one vote.

/** @typedef {Record<string, [choice: number, seal: string]>} Votes by round */
/**
 * @typedef {object} Ticket a board that the server has judged
 * @property {string} task
 * @property {boolean} passed
 * @property {number} at in milliseconds
 * @property {string} board
 * @property {string} sketch
 * @property {string} seal
 */
/** @typedef {Ticket & {number: number, receipt: string}} Handed a ticket that hangs on the wall */
/** @typedef {{me: string, votes: Votes, handed?: Handed}} Kept */

/** @param {string} code */
export function keptOf(code) {
  const key = `svmlab.room.${code}`;
  /** @type {Kept | null} */
  let own = null; // where a browser keeps nothing

  /** @returns {Kept} */
  const kept = () => {
    try {
      const { me, votes, handed } = JSON.parse(localStorage.getItem(key) ?? "null") ?? {};
      if (typeof me === "string") return { me, votes: votes ?? {}, ...(handed?.seal ? { handed } : {}) };
    } catch {
      // nothing can be kept, or something else is kept there
    }
    return own ?? keep({ me: newNumber(), votes: {} });
  };

  /** @type {(kept: Kept) => Kept} */
  const keep = (value) => {
    own = value;
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // a private window keeps its number until it is closed
    }
    return value;
  };

  return {
    key,
    kept,
    /** @type {(round: string, choice: number, seal: string) => void} */
    add: (round, choice, seal) => {
      const present = kept();
      keep({ ...present, votes: { ...present.votes, [round]: [choice, seal] } });
    },
    /** @type {(handed: Handed) => void} */
    addHanded: (handed) => void keep({ ...kept(), handed }),
  };
}

const newNumber = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
