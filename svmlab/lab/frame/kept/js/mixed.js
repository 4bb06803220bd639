// @ts-check
// The button of the mixed practice. Which questions come is decided here, because only the browser knows the progress.

import { button, filled, make } from "./dom.js";
import { inOrder, mixed } from "./leitner.js";
import { load } from "./storage.js";
import { PROGRESS } from "./store.js";

/** @import { Mount } from "./main.js" */

/** @param {Mount} s */
export function paintMixed(s) {
  const { words, candidates = [] } = s.data, { due } = inOrder(load(PROGRESS).entries, candidates, Date.now());
  const text = due.length ? filled(words.mixedDue, { n: due.length }) : words.mixedNew;
  const begin = button(words.mixed, "mix");
  s.root.replaceChildren(make("p", { className: "row" }, begin, make("span", { textContent: text })));
}

/** @param {Mount} s */
export function mix(s) {
  const { candidates = [], count = 0 } = s.data;
  s.say("go", { mix: mixed(load(PROGRESS).entries, candidates, count, Date.now()) });
}
