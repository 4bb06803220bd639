// @ts-check
// The first screen: the step to continue with, the progress beside each lesson, and the newest boards.

import { boardAddress, button, filled, link, make } from "./dom.js";
import { newestFirst } from "./panel.js";
import { onward, tally, tallyTasks } from "./progress.js";
import { change, load } from "./storage.js";
import { BOARDS, PROGRESS } from "./store.js";
import { thumbnail } from "./thumbnail.js";

/** @import { Mount } from "./main.js" */

const SHOWN = 5; // boards
const LINKS = '.st-key-rest [data-testid="stPageLink"] a';

/** The rules that write the progress of each lesson beside its link, which is Streamlit's own element. */
const beside = /** @type {CSSStyleSheet} */ (new CSSStyleSheet());

/** @param {Mount} s */
export function paintOnward(s) {
  const { words, lessons = [] } = s.data, next = onward(load(PROGRESS).entries, lessons);
  const text = next && filled(words.onward, { lesson: next.lesson.title, step: next.step.title });
  s.root.replaceChildren(...(next && text
    ? [Object.assign(link(`${next.lesson.page}?step=${next.step.key}`, "go", text), { className: "onward" })] : []));
  s.next = next && `${next.lesson.page}.${next.step.key}`;
}

/** @param {Mount} s */
export function beginHome(s) {
  s.root.append(make("p", { className: "progress" }), make("div", { className: "row mine" }),
    make("p", { className: "said", role: "status" }));
  if (!document.adoptedStyleSheets.includes(beside)) document.adoptedStyleSheets.push(beside);
}

/** @param {Mount} s */
export function paintHome(s) {
  const { words, lessons = [] } = s.data, answers = load(PROGRESS).entries, boards = newestFirst(load(BOARDS).entries);
  const all = tally(answers, lessons);
  const ofTasks = tallyTasks(answers, lessons.flatMap(({ tasks }) => tasks));
  beside.replaceSync(lessons.map((lesson) => {
    const one = tally(answers, [lesson]), { solved } = tallyTasks(answers, lesson.tasks);
    const [going, done] = solved ? [words.lessonTasks, words.lessonDoneTasks] : [words.lesson, words.lessonDone];
    const text = filled(one.done < one.total ? going : done, { ...one, solved }).replace(/["\\]/g, "\\$&");
    return one.done || one.deeper || solved ? `${LINKS}[href$="${lesson.page}"]::after { content: "${text}" }` : "";
  }).join("\n"));
  const progress = /** @type {HTMLElement} */ (s.root.querySelector(".progress"));
  const text = filled(words.tally, all), withDeeper = all.deeper ? filled(words.tallyDeeper, { ...all, text }) : text;
  const whole = ofTasks.solved ? filled(words.tallyTasks, { ...ofTasks, text: withDeeper }) : withDeeper;
  progress.replaceChildren(...(all.done || all.deeper || ofTasks.solved ? [make("b", { textContent: words.progress }),
    make("span", { textContent: whole }), button(words.exports, "exports"), button(words.reset, "reset")] : []));
  const mine = /** @type {HTMLElement} */ (s.root.querySelector(".mine"));
  mine.replaceChildren(...(boards.length ? [make("b", { textContent: words.boards }), make("ul", {},
    ...boards.slice(0, SHOWN).map(([id, board]) => {
      const opens = link(boardAddress(board.link), "open");
      opens.innerHTML = thumbnail(board.link);
      opens.append(make("span", { textContent: board.name }));
      opens.title = filled(words.openIt, { name: board.name });
      return make("li", { data: { id } }, opens);
    })), button(words.all, "all")] : []));
  s.paintSaid();
}

/** @param {Mount} s */
export function reset(s) {
  const before = load(PROGRESS).entries, { problem } = change(PROGRESS, () => new Map());
  s.tell(problem ? s.problem(problem) : s.data.words.resetDone, problem ? null : () =>
    change(PROGRESS, (entries) => new Map([...before, ...entries])).problem);
  s.paint();
  s.focusOn("[data-act=undo]");
}
