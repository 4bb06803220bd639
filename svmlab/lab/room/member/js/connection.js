// @ts-check
// The socket of a member. Every message is a level and not an edge, so what was missed is in the next one.

const SILENT_MS = 1500; // after which a socket that should answer is replaced
const FIRST_MS = 250, LONGEST_MS = 4000; // between two attempts, each longer than the last
const OVER = 4000; // the code with which the server ends a room

/**
 * @typedef {object} Ear
 * @property {() => object} hello what a new socket says first
 * @property {(message: any) => void} hear
 * @property {(connected: boolean) => void} changed
 */

/**
 * Connect, and stay connected. Returns the function that says something if somebody listens.
 * @param {string | URL} address
 * @param {Ear} ear
 * @returns {(said: object) => void}
 */
export function connect(address, { hello, hear, changed }) {
  /** @type {WebSocket | null} */
  let socket = null;
  let tries = 0, again = 0, silent = 0;
  const say = (/** @type {object} */ said) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(said));
  };

  const open = () => {
    clearTimeout(again);
    if (socket && socket.readyState <= WebSocket.OPEN) return;
    const mine = (socket = new WebSocket(address));
    mine.binaryType = "blob";
    mine.onopen = () => {
      say({ ...hello(), packed: "DecompressionStream" in window });
      if (document.hidden) say({ kind: "look", on: false });
    };
    mine.onmessage = async ({ data }) => {
      clearTimeout(silent);
      const message = JSON.parse(typeof data === "string" ? data : await unpacked(data));
      if (mine !== socket) return;
      if (message.here) {
        tries = 0;
        changed(true);
      }
      hear(message);
    };
    mine.onclose = ({ code }) => {
      if (mine !== socket) return;
      changed(false);
      if (code !== OVER) again = setTimeout(open, delay(tries++));
    };
  };

  // A phone that slept has a socket that looks open and is not. It is asked, and replaced if it says nothing.
  const probe = () => {
    if (socket?.readyState !== WebSocket.OPEN) return open();
    say({ kind: "look", on: true });
    say({ kind: "ping" });
    clearTimeout(silent);
    silent = setTimeout(() => {
      const old = socket;
      socket = null;
      old?.close();
      open();
    }, SILENT_MS);
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) say({ kind: "look", on: false });
    else probe();
  });
  addEventListener("pageshow", (e) => e.persisted && probe());
  addEventListener("online", probe);
  open();
  return say;
}

/** @type {(tries: number) => number} */
const delay = (tries) => Math.min(LONGEST_MS, FIRST_MS * 2 ** tries) * (0.5 + Math.random());

/** @type {(data: Blob) => Promise<string>} */
const unpacked = (data) => new Response(data.stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
