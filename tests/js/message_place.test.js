import assert from "node:assert/strict";
import { test } from "node:test";

import { bestBox, boxes, covered } from "../../svmlab/lab/board/js/message_place.js";

const SIZES = [{ width: 380, height: 50 }, { width: 200, height: 90 }], CHOICES = boxes(400, SIZES);
const at = (x, y, spokenOf = false) => ({ x, y, spokenOf });

test("every box is on the board", () => {
  assert.deepEqual(CHOICES.map(({ name }) => name),
    ["bottom 10", "top 10", "bottom 10", "bottom 190", "top 10", "top 190"]);
  for (const { left, top, width, height } of CHOICES) {
    assert.ok(left >= 0 && top >= 0 && left + width <= 400 && top + height <= 400);
  }
});

test("without points in the way a message is at the bottom", () => {
  assert.equal(bestBox(CHOICES, [at(200, 200)], 10, undefined), CHOICES[0]);
});

test("a point at the bottom moves it to the top, and points at both edges to a corner", () => {
  assert.equal(bestBox(CHOICES, [at(200, 370)], 10, undefined).name, "top 10");
  const corner = bestBox(CHOICES, [at(30, 370), at(30, 30)], 10, undefined);
  assert.deepEqual([corner.name, corner.width], ["bottom 190", 200]);
});

test("points that the message is about count more than all others", () => {
  const others = Array.from({ length: 200 }, (_, i) => at(20 + i, 30));
  assert.equal(bestBox(CHOICES.slice(0, 2), [...others, at(200, 370, true)], 10, undefined).name, "top 10");
});

test("if every box covers such a point there is none", () => {
  const all = CHOICES.map(({ left, top, width, height }) => at(left + width / 2, top + height / 2, true));
  assert.equal(bestBox(CHOICES, all, 10, undefined), null);
});

test("the ring of a point counts, and a point beyond it does not", () => {
  const [box] = CHOICES;
  assert.equal(covered(box, [at(200, box.top - 9, true)], 10), 1000);
  assert.equal(covered(box, [at(200, box.top - 11, true)], 10), 0);
});

test("a message stays where it is while it covers nothing", () => {
  assert.equal(bestBox(CHOICES, [at(200, 200)], 10, "top 10").name, "top 10");
  assert.equal(bestBox(CHOICES, [at(200, 30)], 10, "top 10").name, "bottom 10");
});
