// @ts-check
// The button with which a member hands in the board of a task. The session judges and seals the board, and this browser
// carries it to the room.

import { keptOf } from "./kept_by_member.js";
import { handIn, handInAgain } from "./post.js";

/** @import { Ticket } from "./kept_by_member.js" */
/**
 * @typedef {object} Data
 * @property {string} code of the room
 * @property {string} task its id
 * @property {string} boot the session, which another one replaces after a restart of the server
 * @property {Record<string, string>} words
 * @property {boolean} changed whether the board does not have the points of the task
 * @property {Ticket} [ticket] what the session has judged last
 * @property {string} [press] the press of the button that it answers
 */
/**
 * @typedef {object} Desk
 * @property {HTMLElement} root
 * @property {Data} data
 * @property {(name: "said", value: object) => void} set
 */

const SILENT_MS = 5000; // after which a press that no session has answered is repeated
/** @type {Desk | null} */
let desk = null;
let press = "", problem = "", boot = "", timer = 0;

/**
 * @param {object} mount
 * @param {Data} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 * @param {Desk["set"]} mount.setTriggerValue
 */
export default function desk_({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-hand-in"));
  if (desk?.root !== root) {
    root.innerHTML = `<button type="button"></button><p class="said" role="status"></p>`;
    part(root, "button").addEventListener("click", begin);
  }
  if (desk?.data.task !== data.task) press = problem = "";
  desk = { root, data, set: setTriggerValue };
  if (boot !== data.boot) {
    boot = data.boot;
    handInAgain(data.code, addressOf(data.code));
  }
  if (data.ticket && press && data.press === press) void send(data.ticket);
  paint();
}

/** @type {<T extends HTMLElement = HTMLElement>(root: HTMLElement, selector: string) => T} */
const part = (root, selector) => /** @type {any} */ (root.querySelector(selector));

/** @type {(code: string) => URL} */
const addressOf = (code) => new URL(`r/${code}/hand`, document.baseURI);

function begin() {
  if (!desk || press) return;
  press = String(Math.random()).slice(2, 12);
  problem = "";
  ask();
  paint();
}

/** Ask the session for a ticket, until it has heard it. */
function ask() {
  clearTimeout(timer);
  if (!desk || !press) return;
  desk.set("said", { hand: press });
  timer = setTimeout(ask, SILENT_MS);
}

/** @param {Ticket} ticket */
async function send(ticket) {
  const mine = /** @type {Desk} */ (desk);
  clearTimeout(timer);
  press = ".";
  const answer = await handIn(mine.data.code, addressOf(mine.data.code), ticket);
  press = "";
  problem = typeof answer === "string" ? answer : "";
  paint();
}

function paint() {
  if (!desk) return;
  const { root, data } = desk, { words } = data, { handed } = keptOf(data.code).kept();
  const mine = handed?.task === data.task ? handed : null;
  const button = part(root, "button");
  button.textContent = press ? words.sending : mine ? words.again : words.hand;
  button.toggleAttribute("disabled", Boolean(press));
  const time = mine ? new Date(mine.at).toLocaleTimeString() : "";
  const state = problem ? words[problem] : mine ? (mine.passed ? words.passed : words.open)
    .replace("{time}", time).replace("{n}", String(mine.number)) : words.often;
  const said = data.changed ? `${state} ${words.changed}` : state;
  const line = part(root, ".said");
  if (line.textContent !== said) line.textContent = said;
}

addEventListener("storage", paint);
