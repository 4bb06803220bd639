// @ts-check
// A table of a lesson that follows the board: its markup comes with what the step draws, over the socket too.

/** @import { State } from "./state.js" */

/** @param {State} s */
export function tellTable(s) {
  const { data: { table } } = s;
  if (table) document.dispatchEvent(new CustomEvent("svmlab:table", { detail: table }));
}
