// @ts-check
// The page of a member: what the lecturer shows, and the question that is asked.

import { assistantOf, keyOf } from "./assistant.js";
import { connect } from "./connection.js";
import { write } from "../../lecturer/js/rich_text.js";
import { viewOf } from "./view.js";
import { keptOf } from "../../hand_in/js/kept_by_member.js";
import { handInAgain } from "../../hand_in/js/post.js";

/** @import { Node } from "../../lecturer/js/rich_text.js" */
/**
 * @typedef {object} Asked
 * @property {string} id
 * @property {Node[]} question
 * @property {Node[][]} choices
 * @property {boolean} open
 * @property {number[][] | null} bars how many chose what, the round before first
 * @property {number | null} right
 */
/**
 * @typedef {object} State
 * @property {boolean} led
 * @property {string} title
 * @property {Node[]} question
 * @property {Node[]} verdict
 * @property {string} link
 * @property {Asked | null} asked
 * @property {{id: string, title: string, aim: Node[], link: string, is_open: boolean} | null} task
 */

/** @type {Record<string, string>} */
const words = JSON.parse(document.body.dataset.words ?? "{}");
const code = location.pathname.split("/").filter(Boolean).pop() ?? "";
const votes = keptOf(code), key = keyOf(code);

const PULSE_MS = 120_000; // as long as the lecturer sees what was tapped
/** @param {string} id */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const draw = viewOf($("board"), words.board);
/** @type {State | null} */
let state = null;
/** @type {{round: string, choice: number} | null} a vote that the server has not confirmed yet */
let unsaid = null;
let ended = false, fading = 0, process = "";
const handAddress = new URL(`${location.pathname.replace(/\/$/, "")}/hand`, location.href);

const address = new URL(`${location.pathname.replace(/\/$/, "")}/socket`, location.href.replace(/^http/, "ws"));
const say = connect(address, {
  hello: () => {
    const { me, votes: cast } = votes.kept();
    return { me, votes: cast, ...(key ? { key } : {}) };
  },
  hear,
  changed: (connected) => {
    $("net").textContent = connected || ended ? "" : words.connecting;
    document.body.dataset.connected = connected ? "1" : "0";
    if (connected && unsaid) say({ kind: "vote", ...unsaid });
  },
});

const assist = assistantOf($("assistant"), words, (said) => say(said));
let assists = false; // whether the room has accepted the key

/** @param {any} message */
function hear(message) {
  if (message.here && message.here.process !== process) {
    process = message.here.process;
    handInAgain(code, handAddress); // the process before has taken it along
  }
  if (message.ended) {
    ended = true;
    state = null;
    draw(null);
    paint();
  }
  if (message.voted) {
    const { round, choice, seal } = message.voted;
    votes.add(round, choice, seal);
    if (unsaid?.round === round && unsaid?.choice === choice) unsaid = null;
  }
  if (message.state) state = message.state;
  if (message.state || message.voted) paint();
  assists ||= Boolean(message.wall);
  if (assists) assist(message, state);
  if ("board" in message) draw(message.board);
}

function paint() {
  const title = state?.title || `${words.room} ${code}`;
  $("title").textContent = title;
  document.title = title;
  paintQuestion();
  const asks = state?.asked?.open ? "1" : "0";
  if (document.body.dataset.asks !== asks) {
    document.body.dataset.asks = asks;
    dispatchEvent(new Event("resize")); // the board leaves room for the answers
  }
  $("pulse").hidden = !state?.led;
  const link = /** @type {HTMLAnchorElement} */ ($("try"));
  link.hidden = !state?.link;
  if (state?.link) link.href = `../${state.link}`;
  paintTask(state?.task ?? null);
  paintChoices(state?.asked ?? null);
  $("said").textContent = saidOf(state?.asked ?? null);
}

/** @param {State["task"]} task */
function paintTask(task) {
  const { handed } = votes.kept(), mine = handed && handed.task === task?.id ? handed : null;
  $("task").hidden = !task;
  if (!task) return;
  $("task-title").textContent = task.title;
  const aim = $("aim"), key = JSON.stringify(task.aim);
  if (aim.dataset.key !== key) write(aim, task.aim);
  aim.dataset.key = key;
  const link = /** @type {HTMLAnchorElement} */ ($("open"));
  link.href = `../${task.link}`;
  link.hidden = !task.is_open;
  $("handed").textContent = mine
    ? (mine.passed ? words.passed : words.handed).replace("{n}", String(mine.number)) : task.is_open ? "" : words.over;
}

function paintQuestion() {
  const question = $("question"), verdict = $("verdict"), shown = state?.asked?.question ?? state?.question ?? [];
  const waiting = ended ? words.ended : state?.led ? "" : words.waiting;
  question.classList.toggle("waiting", Boolean(waiting));
  question.hidden = Boolean(state?.task && !state.asked && !waiting); // the task has words of its own
  const key = waiting || JSON.stringify(shown);
  if (question.dataset.key !== key) {
    question.dataset.key = key;
    write(question, waiting ? [waiting] : shown);
  }
  verdict.hidden = !state?.verdict.length;
  const last = JSON.stringify(state?.verdict);
  if (verdict.dataset.key !== last) write(verdict, state?.verdict ?? []);
  verdict.dataset.key = last;
}

/** @param {Asked | null} asked */
function paintChoices(asked) {
  const box = $("choices"), key = asked ? JSON.stringify([asked.id, asked.choices]) : "";
  if (box.dataset.key !== key) {
    box.dataset.key = key;
    box.replaceChildren(...(asked?.choices ?? []).map((choice, i) => choiceButton(choice, i)));
  }
  if (!asked) return;
  const mine = ownChoice(asked);
  for (const [i, button] of [...box.querySelectorAll("button")].entries()) {
    button.setAttribute("aria-pressed", String(i === mine));
    button.disabled = !asked.open;
    button.classList.toggle("right", i === asked.right);
    button.querySelectorAll(".tally").forEach((bar) => bar.remove());
    button.append(...barsOf(asked.bars ?? [], i));
  }
}

/** @type {(choice: Node[], i: number) => HTMLButtonElement} */
function choiceButton(choice, i) {
  const button = document.createElement("button"), name = document.createElement("span");
  Object.assign(button, { type: "button", className: "choice" });
  name.className = "name";
  write(name, choice);
  button.append(name);
  button.addEventListener("click", () => {
    if (!state?.asked?.open) return;
    unsaid = { round: state.asked.id, choice: i };
    say({ kind: "vote", ...unsaid });
    paint();
  });
  return button;
}

/**
 * The bars of a choice, that of the round before above that of the last one.
 * @type {(bars: number[][], i: number) => HTMLElement[]}
 */
function barsOf(bars, i) {
  return bars.map((counts, at) => {
    const all = counts.reduce((sum, n) => sum + n, 0), share = all ? Math.round((100 * counts[i]) / all) : 0;
    const bar = document.createElement("span"), count = document.createElement("span");
    bar.className = at < bars.length - 1 ? "tally earlier" : "tally";
    bar.style.setProperty("--share", `${share}%`);
    count.textContent = `${counts[i]} (${share} %)`;
    bar.append(document.createElement("i"), count);
    return bar;
  });
}

/** @param {Asked} asked */
function ownChoice(asked) {
  return unsaid?.round === asked.id && asked.open ? unsaid.choice : votes.kept().votes[asked.id]?.[0];
}

/** @param {Asked | null} asked */
function saidOf(asked) {
  if (!asked) return "";
  if (!asked.open) return asked.bars ? "" : words.closed;
  return ownChoice(asked) === undefined ? words.choose : unsaid?.round === asked.id ? words.sending : words.counted;
}

$("pulse").addEventListener("click", ({ target }) => {
  const tapped = target instanceof HTMLElement ? target.dataset.is : undefined;
  if (!tapped) return;
  const is = pressed() === tapped ? "" : tapped; // a second tap takes it back
  say({ kind: "pulse", is });
  press(is);
  clearTimeout(fading);
  fading = setTimeout(() => press(""), PULSE_MS);
});

/** What is marked, if anything. */
function pressed() {
  const button = $("pulse").querySelector("button[aria-pressed=true]");
  return button instanceof HTMLElement ? button.dataset.is : undefined;
}

/** Mark what was tapped, as long as it counts. @type {(tapped: string) => void} */
function press(tapped) {
  for (const button of $("pulse").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.dataset.is === tapped));
  }
}

addEventListener("storage", (e) => e.key === votes.key && paint()); // another tab of this browser has voted
paint();
