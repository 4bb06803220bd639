// @ts-check
// What the answers that are kept say about the lessons and the tasks of the page Practice. Answers to earlier versions
// of a question do not count.

/** @import { Answer } from "./store.js" */
/** @typedef {{key: string, version: string, title: string, deeper: boolean}} Step */
/** @typedef {{names: string[], version: string}} Part `names`: of its parts in the progress */
/**
 * @typedef {Part & {element: string, group: string, returns?: boolean}} Task `returns`: whether mixed practice asks it
 * again
 */
/** @typedef {{page: string, title: string, steps: Step[], tasks: Part[]}} Lesson */
/** @typedef {"new" | "tried" | "solved"} State of a task: no answer, some, or every part solved */
/**
 * @typedef {{done: number, right: number, total: number, deeper: number}} Tally of the core path: steps that have an
 * answer, those with the right one at the first try, and all. `deeper`: answers to steps that go deeper.
 */

/** @type {(answers: Map<string, Answer>, lesson: Lesson, step: Step) => Answer | null} */
function answerTo(answers, lesson, step) {
  const answer = answers.get(`${lesson.page}.${step.key}`);
  return answer && answer.version === step.version ? answer : null;
}

/** @type {(answers: Map<string, Answer>, lessons: Lesson[]) => Tally} */
export function tally(answers, lessons) {
  const all = lessons.flatMap((lesson) =>
    lesson.steps.map((step) => ({ deeper: step.deeper, answer: answerTo(answers, lesson, step) })));
  const core = all.filter(({ deeper }) => !deeper), done = core.flatMap(({ answer }) => answer ?? []);
  const right = done.filter((answer) => answer.right).length;
  const deeper = all.filter((step) => step.deeper && step.answer).length;
  return { done: done.length, right, total: core.length, deeper };
}

/**
 * Return the step after the one that was answered last: the next one without an answer, from there to the last lesson.
 * Steps that go deeper are passed over.
 * @param {Map<string, Answer>} answers
 * @param {Lesson[]} lessons
 * @returns {{lesson: Lesson, step: Step} | null}
 */
export function onward(answers, lessons) {
  const path = lessons.flatMap((lesson) => lesson.steps.map((step) => ({ lesson, step })));
  const times = path.map(({ lesson, step }) => answerTo(answers, lesson, step)?.at ?? -1), last = Math.max(...times);
  if (last < 0) return null;
  return path.find(({ step }, i) => i > times.lastIndexOf(last) && times[i] < 0 && !step.deeper) ?? null;
}

/** @type {(answers: Map<string, Answer>, task: Part) => number} */
export const solvedParts = (answers, { names, version }) => names.filter((name) => {
  const answer = answers.get(name);
  return answer?.version === version && answer.right;
}).length;

/** @type {(answers: Map<string, Answer>, task: Part) => State} */
export function stateOf(answers, task) {
  if (solvedParts(answers, task) === task.names.length) return "solved";
  return task.names.some((name) => answers.get(name)?.version === task.version) ? "tried" : "new";
}

/** @type {(answers: Map<string, Answer>, tasks: Part[]) => {solved: number, tasks: number}} */
export const tallyTasks = (answers, tasks) => ({
  solved: tasks.reduce((sum, task) => sum + solvedParts(answers, task), 0),
  tasks: tasks.reduce((sum, { names }) => sum + names.length, 0),
});
