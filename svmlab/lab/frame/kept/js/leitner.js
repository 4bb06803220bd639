// @ts-check
// The boxes of a Leitner file: when a question that was answered comes back, and which ones come next. A question that
// was answered wrongly goes to box 1, which always comes back. With each right answer it moves on by one box.

/** @import { Answer } from "./store.js" */
/** @typedef {{name: string, version: string, lesson: string}} Candidate a kind of question; `name`: in the progress */

export const LAST_BOX = 5;
const DAY = 86400000, DAYS = [0, 0, 1, 3, 7, 21]; // until a question of each box comes back

/** The box of an answer: that of before there were boxes follows from whether it was right. */
export const boxOf = (/** @type {Answer} */ answer) => answer.box ?? (answer.right ? 2 : 1);

/** When the question was answered last. */
export const lastOf = (/** @type {Answer} */ answer) => answer.last ?? answer.at;

/** Whether a question with this answer comes back now. */
export const isDue = (/** @type {Answer} */ answer, /** @type {number} */ now) =>
  now >= lastOf(answer) + DAYS[boxOf(answer)] * DAY;

/**
 * Return whether a line of the list has a question that comes back now.
 * @param {Map<string, Answer>} answers
 * @param {{names: string[], version: string, returns?: boolean}} line
 * @param {number} now
 */
export const comesBack = (answers, { names, version, returns = false }, now) => returns && names.some((name) => {
  const answer = answers.get(name);
  return answer?.version === version && isDue(answer, now);
});

/**
 * Return the box after another answer.
 * @param {Answer | undefined} before
 * @param {boolean} right
 */
export const nextBox = (before, right) => (right ? Math.min((before ? boxOf(before) : 1) + 1, LAST_BOX) : 1);

/**
 * Return the candidates in the order in which they should be asked: those that come back today (`due`), the lowest box
 * first; then new ones of lessons that were begun (`fresh`), in their order; then those that come back later (`rest`),
 * the oldest answer first. Before any lesson was begun, every lesson counts.
 * @param {Map<string, Answer>} answers
 * @param {Candidate[]} candidates
 * @param {number} now
 */
export function inOrder(answers, candidates, now) {
  const begun = new Set([...answers.keys()].map((name) => name.split(".")[0]));
  const answerOf = (/** @type {Candidate} */ { name, version }) => {
    const answer = answers.get(name);
    return answer?.version === version ? answer : undefined;
  };
  const known = candidates.flatMap((each) => {
    const answer = answerOf(each);
    return answer ? [{ each, answer, box: boxOf(answer), last: lastOf(answer) }] : [];
  });
  const isBegun = candidates.filter(({ lesson }) => begun.has(lesson)), open = isBegun.length ? isBegun : candidates;
  const due = known.filter(({ answer }) => isDue(answer, now));
  const rest = known.filter((one) => !due.includes(one));
  due.sort((a, b) => a.box - b.box || a.last - b.last);
  rest.sort((a, b) => a.last - b.last);
  const fresh = open.filter((each) => !answerOf(each));
  return { due: due.map(({ each }) => each), fresh, rest: rest.map(({ each }) => each) };
}

/**
 * Return the names of the kinds of question for a mixed practice, those that come back first.
 * @param {Map<string, Answer>} answers
 * @param {Candidate[]} candidates
 * @param {number} count
 * @param {number} now
 */
export function mixed(answers, candidates, count, now) {
  const { due, fresh, rest } = inOrder(answers, candidates, now);
  return [...due, ...fresh, ...rest].slice(0, count).map(({ name }) => name);
}
