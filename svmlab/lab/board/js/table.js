// @ts-check
// A table of a lesson that follows the board: what the step draws, the socket's pictures among it, brings its markup along.

/** @import { State } from "./state.js" */

/** @param {State} s */
export function tellTable(s) {
  const { data: { table } } = s;
  if (table) document.dispatchEvent(new CustomEvent("svmlab:table", { detail: table }));
}
