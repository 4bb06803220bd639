// @ts-check
// Ask the class: the buttons of the strip, the counter, and the bars of a closed question over its choices.

import { kept } from "./key.js";
import { write } from "./rich_text.js";

/** @import { Count } from "./socket.js" */
/** @import { Kept, Round } from "./key.js" */
/** @typedef {{stop: {key: string, choices: any[][]} | null}} Stopped */

/**
 * @typedef {"ask" | "again" | "close" | "bars"} Deed
 * @typedef {object} Votes what is to be shown of the votes
 * @property {Deed[]} deeds the buttons
 * @property {Round | null} round the last round of the question that is on the page
 * @property {boolean} tells whether the counter is shown
 */

/** The names of the buttons among the words. @type {Record<Deed, string>} */
const NAMES = { ask: "ask", again: "again", close: "close_question", bars: "bars" };

/**
 * Return what can be done with the question of the page.
 * @param {Kept | null} room
 * @returns {Votes}
 */
export function votesOf(room) {
  const stop = /** @type {Stopped["stop"]} */ (room?.stop ?? null), last = room?.rounds.at(-1) ?? null;
  const round = last && stop && last.key === stop.key ? last : null;
  if (last?.is_open) return { deeds: ["close"], round: last, tells: true };
  if (!stop?.choices?.length) return { deeds: [], round: null, tells: false };
  if (!round) return { deeds: ["ask"], round: null, tells: false };
  return { deeds: round.has_bars ? ["again"] : ["bars", "again"], round, tells: true };
}

/**
 * Draw the buttons and the counter.
 * @param {HTMLElement} box
 * @param {Record<string, string>} words
 * @param {Count | null} count
 */
export function paintVotes(box, words, count) {
  const { deeds, tells } = votesOf(kept()), key = deeds.join();
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
 * Draw the bars of a question whose bars are shown, the round before above the last one.
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
  const question = Object.assign(document.createElement("p"), { className: "question" });
  write(question, round.question);
  const list = document.createElement("ol");
  list.append(...round.choices.map((choice, i) => choiceRow(choice, i, rows, i === round.right)));
  const legend = Object.assign(document.createElement("p"), { className: "rounds" });
  legend.textContent = rows.length > 1 ? words.rounds : "";
  const fold = Object.assign(document.createElement("button"), { type: "button", className: "fold", textContent: "×" });
  fold.setAttribute("aria-label", words.fold);
  fold.addEventListener("click", () => {
    box.dataset.folded = round.id;
    box.hidden = true;
  });
  box.replaceChildren(fold, question, list, legend);
}

/** @type {(choice: any[], i: number, rows: number[][], right: boolean) => HTMLElement} */
function choiceRow(choice, i, rows, right) {
  const row = document.createElement("li"), name = document.createElement("span");
  row.classList.toggle("right", right);
  name.className = "name";
  write(name, choice);
  row.append(name, ...rows.map((counts, at) => {
    const all = counts.reduce((sum, n) => sum + n, 0), share = all ? Math.round((100 * counts[i]) / all) : 0;
    const bar = document.createElement("span");
    bar.className = at < rows.length - 1 ? "bar earlier" : "bar";
    const count = Object.assign(document.createElement("b"), { textContent: `${counts[i]} (${share} %)` });
    bar.style.setProperty("--share", `${share}%`);
    bar.append(document.createElement("i"), count);
    return bar;
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
