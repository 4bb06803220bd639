// @ts-check
// What this browser keeps of a room: its random number, and its votes with the seals of the server. A scanned code
// opens a new tab, so all tabs of a browser share them, and a browser has one vote.

/** @typedef {Record<string, [choice: number, seal: string]>} Votes by round */
/** @typedef {{me: string, votes: Votes}} Kept */

/** @param {string} code */
export function votesOf(code) {
  const key = `svmlab.room.${code}`;
  /** @type {Kept | null} */
  let own = null; // where a browser keeps nothing

  /** @returns {Kept} */
  const kept = () => {
    try {
      const read = JSON.parse(localStorage.getItem(key) ?? "null");
      if (typeof read?.me === "string") return { me: read.me, votes: read.votes ?? {} };
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
      const { me, votes } = kept();
      keep({ me, votes: { ...votes, [round]: [choice, seal] } });
    },
  };
}

const newNumber = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
