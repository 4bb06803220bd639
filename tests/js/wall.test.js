import assert from "node:assert/strict";
import { test } from "node:test";

import { drawingOf, ordered } from "../../svmlab/lab/room/lecturer/js/sketch.js";
import { csvOf } from "../../svmlab/lab/room/lecturer/js/wall.js";

const rows = () => [[1, false, 30, "a"], [2, true, 10, "b"], [3, true, 40, "c"], [4, false, 20, "d"]];
const numbers = (order, filter) => ordered(rows(), order, filter).map(([number]) => number);

test("boards that passed come first, and others by time or number", () => {
  assert.deepEqual(numbers("passed_first", "all"), [2, 3, 1, 4]);
  assert.deepEqual(numbers("newest_first", "all"), [3, 1, 4, 2]);
  assert.deepEqual(numbers("by_number", "only_open"), [1, 4]);
  assert.deepEqual(numbers("by_number", "only_passed"), [2, 3]);
});

test("a file has a line for each board", () => {
  const text = csvOf("number,passed,time,link", [[7, true, 0, "x"]], (number) => `http://host/lab?s=${number}`);
  assert.equal(text, "number,passed,time,link\r\n7,1,1970-01-01T00:00:00.000Z,http://host/lab?s=7\r\n");
});

test("a sketch has its points by class, and x2 goes up", () => {
  const drawn = drawingOf('{"half":600,"points":[100,200,1,-50,0,-1],"lines":[[0,-600,0,600]]}');
  assert.deepEqual(drawn, { half: 600, plus: "M100 -200h0", minus: "M-50 0h0", boundary: "M0 600L0 -600" });
});
