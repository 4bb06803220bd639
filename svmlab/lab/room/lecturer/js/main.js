// @ts-check
// The lecturer's strip: code, address and QR code of the room. This tab keeps the key, so it leads the room again after
// a reload or a restart of the server.

import { closeSocket, connectLecturer, say } from "./socket.js";
import { forget, keep, kept } from "./key.js";
import { buildWall, forgetWall, seeWall } from "./wall.js";
import { buildStrip, paintStrip, showCode, toggleCode } from "./strip.js";

/** @import { Count } from "./socket.js" */
/**
 * @typedef {object} Data
 * @property {string} process the process that serves this page
 * @property {Record<string, string>} words
 * @property {boolean} open whether a room is to be opened
 * @property {string} [led] the room that the session leads
 * @property {string} [address]
 * @property {string} [code] the QR code of the address, as SVG
 * @property {string} [note] what must be known about the address, or ""
 * @property {boolean} [loopback] whether only this computer can open the address
 * @property {string} [assistant] the address for the assistant, which contains a key
 * @property {boolean} follows whether the page draws lines of the class, so that it follows the wall
 * @property {[code: string, key: string][]} [offered]
 * @property {[why: string, n: number]} [denied] why no code is offered
 * @property {string} [refused] the room whose key is no longer valid
 */
/**
 * @typedef {object} Lead
 * @property {HTMLElement} root
 * @property {Data} data
 * @property {(name: "said", value: object) => void} set
 * @property {Count | null} count
 * @property {boolean} connected
 * @property {string} message
 * @property {number} timer repeats that this tab leads the room until the session has heard it
 * @property {boolean} isNew whether the room was opened a moment ago
 * @property {string} opening the first offered code, while the codes are tried
 */

// Not together with the first messages of a board, because Streamlit would run for one of the two alone.
const FIRST_MS = 400;
const FOLLOW_MS = 1500; // between two drawings of the lines of the class
const AGAIN_MS = 2000, LONGEST_MS = 30_000; // until the session is told again that this tab leads the room
/** @type {Lead | null} */
let lead = null;
let said = { code: "", at: performance.now(), wait: FIRST_MS }; // the room that the session was told of, and when
let following = 0; // the timer of the next drawing of the lines of the class
let wasLed = false; // whether a session has led the room for this window

/**
 * @param {object} mount
 * @param {Data} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 * @param {Lead["set"]} mount.setTriggerValue
 */
export default function room({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-room"));
  if (lead?.root !== root) {
    lead = { root, data, set: setTriggerValue, count: lead?.count ?? null, connected: lead?.connected ?? false,
      message: "", timer: 0, opening: "", isNew: false };
    const mine = lead;
    buildStrip(root, {
      open: () => mine.set("said", { open: true }), close: () => close(mine), say, repaint: () => paintStrip(mine),
    });
    buildWall(root, { say, show: (what) => lead?.set("said", what), words: () => mine.data.words });
  }
  const mine = lead;
  Object.assign(mine, { data, set: setTriggerValue });
  if (data.refused && data.refused === kept()?.code) {
    stop(mine);
    mine.message = data.words.refused;
  }
  if (data.denied) mine.message = data.words[data.denied[0]].replace("{n}", String(data.denied[1]));
  if (data.open) setTimeout(() => mine.set("said", { open: true }));
  if (data.offered?.length && data.offered[0][0] !== mine.opening && !kept()) choose(mine, data.offered);
  continueLeading(mine);
  paintStrip(mine);
  if (mine.isNew && data.led && data.led === kept()?.code) {
    mine.isNew = false;
    showCode(root); // the class joins first
  }
  return () => void setTimeout(() => mine.root.isConnected || clearTimeout(mine.timer));
}

/**
 * Lead the first room whose code leads to the process that serves this page.
 * @param {Lead} mine
 * @param {[code: string, key: string][]} offered
 */
async function choose(mine, offered) {
  mine.opening = offered[0][0];
  mine.message = "";
  for (const [code, key] of offered) {
    if ((await processOf(code)) !== mine.data.process) continue;
    keep({ code, key, n: 0, stop: null, rounds: [] });
    mine.isNew = true;
    continueLeading(mine);
    return;
  }
  mine.message = mine.data.words.elsewhere;
  paintStrip(mine);
}

/** @type {(code: string) => Promise<string>} */
async function processOf(code) {
  try {
    const answer = await fetch(new URL(`r/${code}/process`, document.baseURI), { cache: "no-store" });
    return answer.ok ? await answer.text() : "";
  } catch {
    return "";
  }
}

/** @param {Lead} mine */
function continueLeading(mine) {
  const room = kept();
  clearTimeout(mine.timer);
  if (!room) return;
  connectLecturer({
    hear: (count) => {
      if (lead && count) lead.count = count;
      if (lead) paintStrip(lead);
    },
    changed: (connected) => {
      if (lead) lead.connected = connected;
      if (lead) paintStrip(lead);
    },
    ended: () => lead && stop(lead),
    see: (message) => {
      if (lead) seeWall(lead.root, message);
      if (message.wall) follow();
    },
  });
  if (mine.data.led === room.code) {
    wasLed = true;
    said = { code: "", at: performance.now(), wait: FIRST_MS };
    return;
  }
  // A busy server needs time to answer, and each message begins a run of the page anew.
  const rest = said.at + said.wait - performance.now();
  if (rest > 0) {
    mine.timer = setTimeout(() => mine.root.isConnected && continueLeading(mine), rest);
    return;
  }
  said = { code: room.code, at: performance.now(), wait: Math.min(LONGEST_MS, Math.max(AGAIN_MS, 2 * said.wait)) };
  // Another session in the same window replaces a lost one, and has to get this window's board back first.
  mine.set("said", { lead: room.code, key: room.key, address: wasLed ? location.search : null });
  mine.timer = setTimeout(() => mine.root.isConnected && continueLeading(mine), said.wait);
}

/** Draw the lines of the class on the page again, once for all that comes to the wall within a moment. */
function follow() {
  if (following || !lead?.data.follows) return;
  following = setTimeout(() => {
    following = 0;
    if (lead?.root.isConnected && lead.data.follows) lead.set("said", { follow: true });
  }, FOLLOW_MS);
}

/** @param {Lead} mine */
function close(mine) {
  const room = kept();
  if (!room) return;
  say({ kind: "end" });
  mine.set("said", { close: room.code });
  stop(mine);
}

/** @param {Lead} mine */
function stop(mine) {
  wasLed = false;
  clearTimeout(mine.timer);
  forget();
  forgetWall(mine.root);
  closeSocket();
  Object.assign(mine, { count: null, connected: false });
  paintStrip(mine);
}

document.addEventListener("svmlab-room", () => {
  if (lead?.root.isConnected && !kept()) lead.set("said", { open: true });
});
document.addEventListener("keydown", (e) => {
  if (lead?.root.isConnected && kept()) toggleCode(lead, e);
}, { capture: true });
