import assert from "node:assert/strict";
import { test } from "node:test";

import { markHtml } from "../../svmlab/lab/board/js/marks.js";
import { crowded } from "../../svmlab/lab/board/js/rings.js";
import { chance } from "./kit.js";

const marks = (places) => places.map(([x, y], id) => ({ id, x, y }));

test("rings that stand apart, or overlap two others, stay", () => {
  assert.deepEqual([...crowded(marks([[0, 0], [40, 0], [80, 0]]), 12)], []);
  assert.deepEqual([...crowded(marks([[0, 0], [10, 0], [20, 0]]), 12)], []);
});

test("rings that overlap three others are thinned out, and their neighbours only if they do too", () => {
  assert.deepEqual([...crowded(marks([[0, 0], [20, 0], [-20, 0], [0, 20]]), 12)], [0]);
});

test("it counts what a comparison of all pairs counts", () => {
  const next = chance(3), many = marks(Array.from({ length: 300 }, () => [600 * next() - 100, 600 * next() - 100]));
  const slowly = many.filter((a) =>
    many.filter((b) => b.id !== a.id && Math.hypot(a.x - b.x, a.y - b.y) < 24).length >= 3);
  assert.deepEqual([...crowded(many, 12)], slowly.map(({ id }) => id));
  assert.ok(slowly.length > 20 && slowly.length < 280);
});

test("a crowded mark has one fine ring at C, and a free one keeps its ring", () => {
  const rings = (state, thin) => markHtml(1, 6, 1, { state, fill: 1, wrong: false, thin }).match(/class="ring[^"]*"/g);
  assert.deepEqual(rings("full", false), ['class="ring"', 'class="ring outer"']);
  assert.deepEqual(rings("full", true), ['class="ring outer"']);
  assert.deepEqual(rings("free", true), ['class="ring"']);
});
