// @ts-check
// The sign of a plan that is walked, and its keys. The session has the plan; the browser keeps its text and the stop.

import { directionOf, nextStop } from "./keys.js";
import { keepPlace, keepText, load } from "./storage.js";

/** @import { Direction } from "./keys.js" */
/**
 * @typedef {object} Data
 * @property {boolean} [mute] whether it is in a dialog, where the text is kept and nothing is shown
 * @property {number} rev differs each time, because the same data would not be heard again
 * @property {string} boot the session
 * @property {boolean} known whether the session knows what the browser keeps
 * @property {string} text the plan as its file, or "" if it is empty
 * @property {number | null} at the open stop while the plan is walked
 * @property {number} ack the number of the last request that the session has handled
 * @property {number} count
 * @property {string[]} titles
 * @property {Record<"place" | "back" | "onward" | "edit" | "end", string>} words
 */
/** @typedef {(name: "said", value: object) => void} Say */
/**
 * @typedef {object} State
 * @property {HTMLElement} root
 * @property {Data} data
 * @property {Say} say
 * @property {number | null} at the stop that was requested last
 * @property {number} n the number of the last request
 * @property {number} timer
 */

// Not together with the first messages of a board, because Streamlit would run for one of the two alone.
const FIRST_MS = 600, AGAIN_MS = 4000;
/** @type {State | null} */
let own = null;
/** @type {string | null} */
let kept = null; // the text that this tab has kept or read last
let asked = ""; // the session that was asked for a stop last
let settled = ""; // the session that knows all that the browser keeps

/**
 * @param {object} mount
 * @param {Data} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 * @param {Say} mount.setTriggerValue
 * @returns {(() => void) | undefined}
 */
export default function plan({ data, parentElement, setTriggerValue }) {
  if (data.known || !load().keeps) settled = data.boot;
  if (settled === data.boot && kept !== data.text) keepText((kept = data.text));
  if (data.mute) return corrected(data);
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-plan"));
  if (own?.root !== root) own = begun(root, data, setTriggerValue);
  const s = own;
  Object.assign(s, { data, say: setTriggerValue, n: Math.max(s.n, data.ack) });
  clearTimeout(s.timer);
  if (settled !== data.boot) restore(s);
  else {
    if (data.ack >= s.n) s.at = data.at;
    else s.timer = setTimeout(() => request(s), data.boot !== asked ? FIRST_MS : AGAIN_MS);
    keepPlace(data.at);
  }
  paint(s);
  return () => void setTimeout(() => root.isConnected || clearTimeout(s.timer));
}

/**
 * Show on the sign what was changed in a dialog.
 * @param {Data} data
 * @returns {undefined}
 */
function corrected(data) {
  if (!own || settled !== data.boot || data.ack < own.n) return;
  Object.assign(own, { data, at: data.at });
  keepPlace(data.at);
  paint(own);
}

/** @type {(root: HTMLElement, data: Data, say: Say) => State} */
function begun(root, data, say) {
  const waiting = own && own.n > own.data.ack ? { at: own.at, n: own.n } : { at: data.at, n: data.ack };
  /** @type {State} */
  const s = { root, data, say, ...waiting, timer: 0 };
  root.innerHTML = `<div class="sign" role="group" hidden><button type="button" class="back">‹</button><button
    type="button" class="place"></button><button type="button" class="onward">›</button><button type="button"
    class="end">×</button></div>`;
  // One stop of the Tab key: PageUp and PageDown do what the arrows do, and the dialog closes the plan as well.
  for (const button of root.querySelectorAll("button:not(.place)")) button.setAttribute("tabindex", "-1");
  root.addEventListener("click", (e) => {
    const button = e.target instanceof Element ? e.target.closest("button") : null;
    if (!button) return;
    if (button.className === "place") s.say("said", { edit: true });
    else if (button.className === "end") {
      keepPlace(null);
      s.say("said", { end: true });
    } else go(s, button.className === "back" ? -1 : 1);
  });
  return s;
}

/**
 * Tell the session what the browser keeps. A browser that keeps nothing stays silent, so the page runs once.
 * @param {State} s
 */
function restore(s) {
  s.timer = setTimeout(() => {
    if (!s.root.isConnected) return;
    if (document.querySelector("[role=dialog]")) return restore(s); // the run of the page would close it
    const { keeps, at } = load();
    kept = keeps;
    s.say("said", { keeps, at });
    s.timer = setTimeout(() => s.root.isConnected && restore(s), AGAIN_MS);
  }, FIRST_MS);
}

/** @type {(s: State, direction: Direction) => boolean} whether there is a stop in this direction */
function go(s, direction) {
  const next = nextStop(s.at, direction, s.data.count);
  if (next === undefined) return false;
  s.at = next;
  s.n += 1;
  paint(s);
  request(s);
  return true;
}

/**
 * Request the stop, again and again until the session has heard it, because the server may be away.
 * @param {State} s
 */
function request(s) {
  clearTimeout(s.timer);
  if (!s.root.isConnected || s.at === null || settled !== s.data.boot) return; // a new session learns the plan first
  asked = s.data.boot;
  s.say("said", { go: s.at, n: s.n });
  s.timer = setTimeout(() => request(s), AGAIN_MS);
}

/** @param {State} s */
function paint({ root, data: { count, titles, words }, at }) {
  const part = (/** @type {string} */ name) => /** @type {HTMLButtonElement} */ (root.querySelector(`.${name}`));
  root.dataset.count = String(count);
  part("sign").hidden = at === null;
  if (at === null) return;
  const place = words.place.replace("{n}", String(at + 1)).replace("{all}", String(count));
  part("place").textContent = place;
  part("place").title = titles[at] ?? "";
  part("place").setAttribute("aria-label", `${place}: ${titles[at] ?? ""}. ${words.edit}`);
  for (const name of /** @type {const} */ (["back", "onward", "end"])) {
    part(name).title = words[name];
    part(name).setAttribute("aria-label", words[name]);
  }
  part("back").disabled = at === 0;
  part("onward").disabled = at === count - 1;
}

/** @type {(direction: Direction) => boolean} whether a plan is walked, so that a lesson leaves the key to it */
const turned = (direction) => {
  if (!own?.root.isConnected || own.at === null) return false;
  go(own, direction);
  return true;
};

// The strip of a lesson asks here first, after it has shown the answer. On other pages the key comes here by itself.
document.addEventListener("svmlab-turn", (e) => {
  if (e instanceof CustomEvent && turned(e.detail)) e.preventDefault();
});
document.addEventListener("keydown", (e) => {
  const direction = directionOf(e);
  if (!direction || own?.at === null || !own?.root.isConnected) return;
  e.preventDefault();
  if (!e.repeat) turned(direction);
});
