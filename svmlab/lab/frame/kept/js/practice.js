// @ts-check
// The list of tasks on the page Practice: how much of each line is solved, which lines the mixed practice asks again,
// and the total with a reset.

import { button, filled, make } from "./dom.js";
import { comesBack } from "./leitner.js";
import { solvedParts, stateOf } from "./progress.js";
import { change, load } from "./storage.js";
import { PROGRESS } from "./store.js";

/** @import { Mount } from "./main.js" */

/** The rules that write the state of each task beside its line, which is Streamlit's own element. */
const beside = /** @type {CSSStyleSheet} */ (new CSSStyleSheet());

/** @param {Mount} s */
export function beginPractice(s) {
  s.root.append(make("p", { className: "none" }), make("p", { className: "progress" }),
    make("p", { className: "said", role: "status" }));
  if (!document.adoptedStyleSheets.includes(beside)) document.adoptedStyleSheets.push(beside);
}

/** @param {Mount} s */
export function paintPractice(s) {
  const { words, tasks = [], state = null } = s.data, answers = load(PROGRESS).entries;
  const inSight = tasks.filter((task) => state === null || stateOf(answers, task) === state);
  const solved = tasks.map((task) => solvedParts(answers, task));
  const groups = new Set(tasks.map(({ group }) => group)), shownGroups = new Set(inSight.map(({ group }) => group));
  const empty = [...groups].filter((group) => !shownGroups.has(group));
  beside.replaceSync([...empty.map((group) => `.st-key-${group} { display: none }`), ...tasks.map((task, i) => {
    const { element, names } = task;
    if (!inSight.includes(task)) return `.st-key-${element} { display: none }`;
    const whole = solved[i] === names.length, parts = solved[i] ? [whole ? `\u2713 ${words.solved}` :
      filled(words.solvedOf, { done: solved[i], total: names.length })] : [];
    if (comesBack(answers, task, Date.now())) parts.push(`\u21bb ${words.due}`);
    if (!parts.length) return "";
    const shown = parts.join(", ").replace(/["\\]/g, "\\$&");
    return `.st-key-${element} button::after { content: "${shown}" }`;
  })].join("\n"));
  const done = solved.reduce((sum, n) => sum + n, 0), total = tasks.reduce((sum, { names }) => sum + names.length, 0);
  const none = /** @type {HTMLElement} */ (s.root.querySelector(".none"));
  none.textContent = tasks.length && !inSight.length ? words.noneInState : "";
  const progress = /** @type {HTMLElement} */ (s.root.querySelector(".progress"));
  progress.replaceChildren(...(done ? [make("span", { textContent: filled(words.tasks, { done, total }) }),
    button(words.reset, "resetTasks")] : []));
  s.paintSaid();
}

/** @param {Mount} s */
export function resetPractice(s) {
  const before = load(PROGRESS).entries, own = new Set(s.data.tasks?.flatMap(({ names }) => names));
  const rest = [...before].filter(([name]) => !own.has(name)), { problem } = change(PROGRESS, () => new Map(rest));
  s.tell(problem ? s.problem(problem) : s.data.words.resetDone, problem ? null : () =>
    change(PROGRESS, (entries) => new Map([...before, ...entries])).problem);
  s.paint();
  s.focusOn("[data-act=undo]");
}
