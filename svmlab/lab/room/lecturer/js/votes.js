// @ts-check
// Ask the class: the buttons of the strip, the counter, and the bars of a closed question over its choices.

import { kept } from "./key.js";
import { write } from "./rich_text.js";

/** @import { Count } from "./socket.js" */
/** @import { Kept, Round } from "./key.js" */
/** @typedef {{stop: {key: string, choices: any[][]} | null}} Stopped */

/**
 * @typedef {"ask" | "again" | "close" | "bars" | "answer"} Deed
 * @typedef {object} Votes what is to be shown of the votes
 * @property {Deed[]} deeds the buttons
 * @property {Round | null} round the last round of the question that is on the page
 * @property {boolean} tells whether the counter is shown
 */

/** The names of the buttons among the words. @type {Record<Deed, string>} */
const NAMES = { ask: "ask", again: "again", close: "close_question", bars: "bars", answer: "answer" };

/**
 * Return what can be done with the question of the page.
 * @param {Kept | null} room
 * @param {string} [folded] the id of the round whose bars the lecturer has hidden
 * @returns {Votes}
 */
export function votesOf(room, folded = "") {
  const stop = /** @type {Stopped["stop"]} */ (room?.stop ?? null), last = room?.rounds.at(-1) ?? null;
  const round = last && stop && last.key === stop.key ? last : null;
  if (last?.is_open) return { deeds: ["close"], round: last, tells: true };
  if (!stop?.choices?.length) return { deeds: [], round: null, tells: false };
  if (!round) return { deeds: ["ask"], round: null, tells: false };
  const { has_bars, right, id } = round, deeds = /** @type {Deed[]} */ ([]);
  if (!has_bars || id === folded) deeds.push("bars");
  if (has_bars && right === null) deeds.push("answer");
  return { deeds: [...deeds, "again"], round, tells: true };
}

/**
 * Show hidden bars again, and return whether there are any.
 * @param {HTMLElement} box of the bars
 */
export function unfoldBars(box) {
  const { round } = votesOf(kept()), folded = round !== null && round.has_bars && box.dataset.folded === round.id;
  if (folded) delete box.dataset.folded;
  return folded;
}

/**
 * Draw the buttons and the counter.
 * @param {HTMLElement} box
 * @param {Record<string, string>} words
 * @param {Count | null} count
 * @param {string | undefined} folded the id of the round whose bars are hidden
 */
export function paintVotes(box, words, count, folded) {
  const { deeds, tells } = votesOf(kept(), folded), key = deeds.join();
  if (box.dataset.deeds !== key) {
    box.dataset.deeds = key;
    const counter = Object.assign(document.createElement("span"), { className: "answered" });
    counter.setAttribute("role", "status");
    box.replaceChildren(counter, ...deeds.map((deed) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: words[NAMES[deed]] });
      button.dataset.deed = deed;
      return button;
    }));
  }
  const counter = /** @type {HTMLElement} */ (box.querySelector(".answered"));
  counter.textContent = tells && count
    ? words.answered.replace("{n}", String(count.votes)).replace("{members}", String(count.members)) : "";
}

/**
 * Draw the bars of a question whose bars are shown. The page shows the question.
 * @param {HTMLElement} box
 * @param {Record<string, string>} words
 * @param {Count | null} count
 */
export function paintBars(box, words, count) {
  const { round } = votesOf(kept()), rows = count?.rounds ?? [];
  const fits = round !== null && round.has_bars && rows.length > 0 && rows[0].length === round.choices.length;
  const shown = fits && box.dataset.folded !== round.id;
  box.hidden = !shown;
  if (!shown) return;
  const key = JSON.stringify([round, rows]);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const list = document.createElement("ol");
  list.append(...round.choices.map((choice, i) => choiceRow(choice, i, rows, i === round.right)));
  const legend = Object.assign(document.createElement("p"), { className: "rounds" });
  legend.textContent = rows.length > 1 ? words.rounds : "";
  const fold = Object.assign(document.createElement("button"), { type: "button", className: "fold", textContent: "×" });
  fold.setAttribute("aria-label", words.fold);
  fold.dataset.round = round.id;
  box.replaceChildren(fold, list, legend);
}

/**
 * Return the row of a choice. The bar of the last round is its ground, and that of the round before a line below.
 * @type {(choice: any[], i: number, rows: number[][], right: boolean) => HTMLElement}
 */
function choiceRow(choice, i, rows, right) {
  const row = document.createElement("li"), name = document.createElement("span");
  row.classList.toggle("right", right);
  name.className = "name";
  write(name, choice);
  row.append(name, ...rows.map((counts, at) => {
    const all = counts.reduce((sum, n) => sum + n, 0), share = all ? Math.round((100 * counts[i]) / all) : 0;
    const isLast = at === rows.length - 1;
    row.style.setProperty(isLast ? "--share" : "--earlier", `${share}%`);
    return Object.assign(document.createElement(isLast ? "b" : "span"), { textContent: `${counts[i]} (${share} %)` });
  }));
  return row;
}

/**
 * Return the message of a button.
 * @param {string | undefined} deed
 * @returns {object | null}
 */
export function messageOf(deed) {
  const room = kept(), stop = /** @type {Stopped["stop"]} */ (room?.stop ?? null), last = room?.rounds.at(-1);
  if (deed === "ask" || deed === "again") return stop && { kind: "ask", key: stop.key, id: newId() };
  return last && (deed === "close" || deed === "bars") ? { kind: deed, id: last.id } : null;
}

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) =>
  byte.toString(16).padStart(2, "0")).join("");
