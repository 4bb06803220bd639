import assert from "node:assert/strict";
import { test } from "node:test";

import { votesOf } from "../../svmlab/lab/room/lecturer/js/votes.js";

const stop = { key: "margin.slide", choices: [["One"], ["Two"]] };
const round = { id: "round1", key: stop.key, question: [], choices: stop.choices, is_open: false, has_bars: false, right: null };
const room = (more) => ({ code: "K7Q4", key: "k", n: 1, stop, rounds: [], ...more });

test("the strip offers what can be done with the question of the page", () => {
  const deeds = (more) => votesOf(room(more)).deeds;
  assert.deepEqual(votesOf(null), { deeds: [], round: null, tells: false });
  assert.deepEqual(deeds({ stop: { ...stop, choices: [] } }), [], "a page without a question");
  assert.deepEqual(deeds({}), ["ask"]);
  assert.deepEqual(deeds({ rounds: [{ ...round, is_open: true }] }), ["close"]);
  assert.deepEqual(deeds({ rounds: [round] }), ["bars", "again"]);
  const shown = { rounds: [{ ...round, has_bars: true }] };
  assert.deepEqual(deeds(shown), ["answer", "again"]);
  assert.deepEqual(votesOf(room(shown), round.id).deeds, ["bars", "answer", "again"], "hidden bars can be shown again");
  assert.deepEqual(votesOf(room(shown), "an earlier round").deeds, ["answer", "again"]);
  assert.deepEqual(deeds({ rounds: [{ ...round, has_bars: true, right: 1 }] }), ["again"], "the answer is shown");
  assert.deepEqual(deeds({ rounds: [{ ...round, key: "margin.other" }] }), ["ask"], "another question was asked before");
  const left = { stop: { ...stop, key: "margin.next" }, rounds: [{ ...round, is_open: true }] };
  assert.deepEqual(deeds(left), ["close"], "an open question can be closed from every page");
});
