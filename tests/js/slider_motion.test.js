import assert from "node:assert/strict";
import { test } from "node:test";

import { placeAtTime, stopsOf, snappedValue } from "../../svmlab/lab/board/js/slider_motion.js";

const LOG = { lo: -3, hi: 3 }, LINEAR = { lo: 0, hi: 1, linear: true, step: 0.25 };
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test("a slider goes from where it is, or from where it is told to, to the value", () => {
  assert.deepEqual(stopsOf(LOG, { to: 100 }, 1), [0, 2]);
  assert.deepEqual(stopsOf(LOG, { from: 10, to: 100 }, 1), [1, 2]);
  assert.deepEqual(stopsOf(LINEAR, { to: 1 }, 0.5), [0.5, 1]);
});

test("with back it ends where it was", () => {
  assert.deepEqual(stopsOf(LOG, { to: 100, back: true }, 10), [1, 1, 2, 1]);
  assert.deepEqual(stopsOf(LINEAR, { from: 0, to: 1, back: true }, 0.5), [0.5, 0, 1, 0.5]);
});

test("the way begins and ends at its ends, turns at every stop and never jumps", () => {
  for (const stops of [[0, 2], [2, 0], [0.5, 0, 1, 0.5], [1, 1, 2, 1], [3, 3]]) {
    near(placeAtTime(stops, 0).place, stops[0]);
    near(placeAtTime(stops, 1).place, stops.at(-1));
    const way = Array.from({ length: 1001 }, (_, i) => placeAtTime(stops, i / 1000).place);
    const length = stops.slice(1).reduce((sum, stop, i) => sum + Math.abs(stop - stops[i]), 0);
    near(Math.min(...way), Math.min(...stops));
    near(Math.max(...way), Math.max(...stops));
    way.slice(1).forEach((place, i) => assert.ok(Math.abs(place - way[i]) <= 0.0016 * length, `${stops} at ${i}`));
  }
});

test("it tells on which stretch it is, so that no turn is missed between two frames", () => {
  assert.deepEqual([0, 0.1, 0.2, 0.5, 0.7, 1].map((t) => placeAtTime([0.5, 0, 1, 0.5], t).i), [0, 0, 0, 1, 1, 2]);
  assert.deepEqual([0, 0.4, 0.6].map((t) => placeAtTime([1, 1, 2, 1], t).i), [1, 1, 2], "a stretch of no length takes no time");
  assert.equal(placeAtTime([3, 3], 0.5).place, 3);
});

test("what it says is what a hand can say: a step of the slider, between its ends", () => {
  assert.deepEqual([0.3, 0.4, -1, 7].map((place) => snappedValue(LINEAR, place)), [0.25, 0.5, 0, 1]);
  assert.deepEqual([0.0012, 0.3012, 3.2].map((place) => snappedValue(LOG, place)), [1, 1.995, 1000]);
  assert.equal(snappedValue({ ...LINEAR, hi: 0.9 }, 0.9), 0.9, "the last step is shorter");
});
