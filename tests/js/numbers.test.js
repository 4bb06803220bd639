import assert from "node:assert/strict";
import { test } from "node:test";

import * as numbers from "../../svmlab/lab/board/js/numbers.js";

test("thousandths are exact and never -0", () => {
  assert.equal(numbers.thousandths(1.2346), 1.235);
  assert.equal(numbers.thousandths(-8.00049), -8);
  assert.ok(Object.is(numbers.thousandths(-0.0001), 0));
});

test("within limits, on both sides", () => {
  assert.deepEqual([-9, 0, 9].map((v) => numbers.clamp(v, -8, 8)), [-8, 0, 8]);
});

test("numbers are shown with three digits, a real minus sign and their unit", () => {
  assert.equal(numbers.short(1234.5), "1230");
  assert.equal(numbers.short(-0.00012345), "−0.000123");
  assert.equal(numbers.short(45, "°"), "45°");
});

test("a slider's place and value belong to each other, on both scales", () => {
  for (const slider of [{}, { linear: true }]) {
    for (const value of [0.001, 0.5, 1, 7.5, 1000]) {
      assert.equal(numbers.valueAt(slider, numbers.placeOf(slider, value)), value);
    }
  }
});
