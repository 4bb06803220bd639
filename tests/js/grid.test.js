import assert from "node:assert/strict";
import { test } from "node:test";

import { GAP, grid, LARGEST, SMALLEST } from "../../svmlab/lab/teach/pick/js/grid.js";

test("small boards fill their place, pairs stay side by side, and none is larger than it need be", () => {
  for (const [width, height] of [[588, 400], [620, 182], [916, 527], [360, 260]]) {
    for (const count of [2, 8, 16, 32]) {
      const { columns, side } = grid(count, width, height, 2, 1), rows = Math.ceil(count / columns);
      assert.equal(columns % 2, 0);
      assert.ok(columns * side + (columns - 1) * GAP <= width, `${count} in ${width} x ${height}`);
      assert.ok(side >= SMALLEST && side <= LARGEST);
      const tall = rows * side + (rows - 1) * GAP;
      if (tall > height) assert.ok(grid(count, width, 1e6, 2, 1).columns <= columns, "scrolls with as many in a row as can be");
    }
  }
});

test("no other number of columns makes them larger", () => {
  const { side } = grid(16, 588, 400, 2, 1);
  for (let columns = 2; columns <= 16; columns += 2) {
    const rows = Math.ceil(16 / columns), fits = Math.min((588 - (columns - 1) * GAP) / columns, (400 - (rows - 1) * GAP) / rows);
    assert.ok(side >= Math.floor(Math.min(fits, LARGEST)));
  }
});

test("where the page scrolls the width alone decides; on a projector the least is larger", () => {
  const phone = grid(16, 366, Infinity, 2, 1);
  assert.deepEqual(phone, { columns: 4, side: 87 });
  assert.equal(grid(10, 366, Infinity, 1, 1).columns, 4);
  assert.ok(grid(32, 588, 180, 1, 1.5).side >= 1.5 * SMALLEST);
  assert.ok(grid(1, 588, 400, 1, 1).side === LARGEST);
});
