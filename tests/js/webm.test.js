import assert from "node:assert/strict";
import { test } from "node:test";

import { withDuration } from "../../svmlab/lab/board/js/webm.js";

const INFO = [0x15, 0x49, 0xa9, 0x66], BEFORE = [1, 2, 3], INSIDE = [9, 8, 7], AFTER = [5, 5];

/** The length that the header says, and the size of its Info. */
function read(bytes) {
  const at = BEFORE.length + INFO.length, view = new DataView(bytes.buffer);
  return { size: Number(view.getBigUint64(at) - (1n << 56n)), ms: view.getFloat64(at + 8 + INSIDE.length + 3) };
}

for (const [name, size] of [["of one byte", [0x83]], ["of two bytes", [0x40, 3]], ["of eight bytes", [1, 0, 0, 0, 0, 0, 0, 3]]]) {
  test(`the length stands at the end of a header with a size ${name}`, () => {
    const made = withDuration(new Uint8Array([...BEFORE, ...INFO, ...size, ...INSIDE, ...AFTER]), 4321.5);
    assert.deepEqual(read(made), { size: INSIDE.length + 11, ms: 4321.5 });
    assert.deepEqual([...made.slice(0, 7)], [...BEFORE, ...INFO]);
    assert.deepEqual([...made.slice(-2)], AFTER);
  });
}

test("other files stay as they are", () => {
  const bytes = new Uint8Array([1, 2, 3]);
  assert.equal(withDuration(bytes, 1), bytes);
  const whole = new Uint8Array([0x11, 0x4d, 0x9b, 0x74, 0x84, ...INFO, ...INFO, 0x83, ...INSIDE]);
  assert.equal(withDuration(whole, 1), whole, "positions in a list would be wrong after an element is added");
});
