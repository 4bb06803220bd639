import assert from "node:assert/strict";
import { test } from "node:test";

import { boxOf, splitAtSignChange, heightOf, surface, within } from "../../svmlab/lab/teach/space/js/shape.js";
import { across, sideOfViewer, camera, clipped, clampedView, nearest, sheet, ticks } from "../../svmlab/lab/teach/space/js/view.js";

const BOX = { half: 4, low: 0, high: 16, deep: 4 }, ROOM = { width: 600, height: 400, edge: 20, side: 30 };
const near = (a, b, off = 1e-9) => a.forEach((v, i) => assert.ok(Math.abs(v - b[i]) <= off, `${a} is not ${b}`));
const corners = [-4, 4].flatMap((x) => [-4, 4].flatMap((y) => [[x, y, 0], [x, y, 16]]));

test("a place is raised to its height, on a line by x1 alone", () => {
  const at = (height) => [false, true].map((flat) => heightOf({ height, flat }, -3, 4));
  const heights = ["square", "norm", "cube"].map(at);
  assert.deepEqual(heights, [[25, 9], [5, 3], [37, -27]]);
});

test("the box holds every raised point, and a line's is as deep as its points are off it", () => {
  const points = [{ x: 1, y: 0 }, { x: -3, y: 2 }];
  const [bowl, line] = [false, true].map((flat) => boxOf({ height: "square", flat }, 4, points));
  assert.ok(bowl.high > 13 && bowl.low === 0 && bowl.deep === 4);
  assert.ok(line.high > 9 && line.high < 13 && line.deep === 2);
  const cube = boxOf({ height: "cube", flat: true }, 4, points);
  assert.ok(cube.low < -27 && cube.high >= 1);
  assert.ok(boxOf({ height: "norm", flat: false }, 4, []).high > 0, "an empty board has a height");
});

test("seen from the front x1 goes right and height up; what comes nearer is nearer", () => {
  const { to } = camera({ az: 0, el: 0 }, BOX, ROOM), [x, y] = to([0, 0, 8]);
  near([x, y], [300, 200]);
  assert.ok(to([1, 0, 8])[0] > x && to([0, 0, 9])[1] < y);
  near(to([0, 3, 8]).slice(0, 2), [x, y]);
  assert.ok(to([0, -3, 8])[2] > to([0, 3, 8])[2]);
});

test("a quarter of a turn brings x2 to where x1 was; from straight above height is not seen", () => {
  const { to } = camera({ az: Math.PI / 2, el: 0.3 }, BOX, ROOM), front = camera({ az: 0, el: 0.3 }, BOX, ROOM).to;
  near(to([0, 2, 5]).slice(0, 2), front([2, 0, 5]).slice(0, 2));
  const top = camera({ az: 0, el: Math.PI / 2 }, BOX, ROOM).to;
  near(top([1, 1, 0]).slice(0, 2), top([1, 1, 16]).slice(0, 2));
  assert.ok(top([0, 1, 0])[1] < top([0, 0, 0])[1], "x2 goes up");
});

test("everything stays on the canvas however it is turned, and does not breathe while it goes round", () => {
  const phone = { width: 360, height: 260, edge: 17, side: 30 }, low = { width: 620, height: 182, edge: 20, side: 40 };
  for (const room of [ROOM, phone, low]) {
    for (const el of [0.02, 0.4, 1, 1.5]) {
      const scales = [];
      for (let az = -3; az <= 3; az += 0.3) {
        const { to, scale } = camera({ az, el }, BOX, room);
        scales.push(scale);
        for (const [x, y] of corners.map(to)) {
          assert.ok(x >= 0 && x <= room.width && y >= 0 && y <= room.height, `${x} ${y} at ${az} ${el}`);
        }
      }
      assert.equal(new Set(scales).size, 1);
    }
  }
});

test("a step to who looks moves nothing on the canvas and comes nearer", () => {
  for (const turn of [{ az: 0.4, el: 0.3 }, { az: -2, el: 1.2 }]) {
    const { to, toward } = camera(turn, BOX, ROOM), [x, y, z] = to([1, 2, 3]);
    const [u, v, w] = to([1 + toward[0], 2 + toward[1], 3 + toward[2]]);
    near([u, v], [x, y], 1e-6);
    assert.ok(w > z);
  }
});

test("before a level plane is what lies above it, whichever class f calls +1", () => {
  const { toward } = camera({ az: 0.7, el: 0.5 }, BOX, ROOM);
  for (const plane of [[0, 0, 1, -5], [0, 0, -2, 10]]) {
    const side = sideOfViewer(plane, toward);
    assert.ok(side([0, 0, 6]) > 0 && side([3, -3, 4]) < 0);
  }
});

test("of an upright plane it is the side of who looks", () => {
  const side = sideOfViewer([0, 1, 0, 0], camera({ az: 0, el: 0.2 }, BOX, ROOM).toward);
  assert.ok(side([0, -1, 0]) > 0 && side([0, 1, 0]) < 0);
});

test("a plane is cut to the box", () => {
  assert.equal(sheet([0, 0, 1, -5], BOX).length, 4);
  assert.deepEqual(sheet([0, 0, 1, 5], BOX), []);
  for (const plane of [[1, 0, 0.5, -2], [0.3, -0.4, 0.1, -0.2], [1, 0, 0, -1], [1, 1, 0, -3]]) {
    const ring = sheet(plane, BOX);
    assert.ok(ring.length >= 3, plane);
    for (const [x, y, z] of ring) {
      near([plane[0] * x + plane[1] * y + plane[2] * z + plane[3]], [0]);
      assert.ok(Math.abs(x) <= 4 + 1e-9 && Math.abs(y) <= 4 + 1e-9 && z >= -1e-9 && z <= 16 + 1e-9);
    }
  }
  assert.deepEqual(clipped([], () => 1), []);
});

test("a line above a line has two ends, level, steep or upright", () => {
  assert.deepEqual(across([0, 0, 1, -5], BOX).map(([x, , z]) => [x, z]).sort(), [[-4, 5], [4, 5]]);
  assert.deepEqual(across([0, 0, 1, 5], BOX), []);
  near(across([1, 0, 0, -1], BOX).flatMap(([x, y, z]) => [x, y, z]), [1, 0, 0, 1, 0, 16]);
  for (const [x, y, z] of across([8, 0, -1, 0], BOX)) {
    near([8 * x - z, y], [0, 0]);
    assert.ok(z > -1e-9 && z < 16 + 1e-9);
  }
});

test("a line is taken apart where the sign changes, with the border in both parts", () => {
  const line = [[0, 0, -1], [0, 0, 1], [0, 0, 3], [0, 0, -3]];
  const { inside, outside } = splitAtSignChange(line, ([, , z]) => z);
  assert.deepEqual(inside, [[[0, 0, 0], [0, 0, 1], [0, 0, 3], [0, 0, 0]]]);
  assert.deepEqual(outside, [[[0, 0, -1], [0, 0, 0]], [[0, 0, 0], [0, 0, -3]]]);
});

test("a surface lies on its heights and within the box", () => {
  for (const height of ["square", "norm", "cube"]) {
    for (const flat of [false, true]) {
      const box = boxOf({ height, flat }, 4, [{ x: 3, y: 0 }, { x: -2, y: 1 }]);
      const { curve, net } = surface({ height, flat }, box);
      assert.equal(curve.length > 0, flat);
      assert.ok(net.length > 1);
      for (const [x, y, z] of [...curve, ...net].flat()) {
        assert.ok(z >= box.low - 1e-9 && z <= box.high + 1e-9);
        assert.ok(Math.abs(z - heightOf({ height, flat }, x, y)) < 0.05 * (box.high - box.low), `${height} ${flat}`);
      }
    }
  }
  assert.deepEqual(within([[0, 0, 20], [1, 0, 30]], BOX), []);
});

test("the azimuth goes round, the elevation does not", () => {
  near([clampedView({ az: 7, el: 0.3 }).az], [7 - 2 * Math.PI]);
  assert.equal(clampedView({ az: 0, el: 9 }).el, 1.5);
  assert.equal(clampedView({ az: 0, el: -1 }).el, 0.02);
});

test("an axis has a few round numbers", () => {
  assert.deepEqual(ticks(0, 17, 4), [0, 5, 10, 15]);
  assert.deepEqual(ticks(-3, 3, 4), [-2, 0, 2]);
  assert.deepEqual(ticks(0, 0.31, 3), [0, 0.2]);
});

test("the point that is nearest is meant, if any is near", () => {
  const marks = [{ seen: [10, 10, 0], of: "a" }, { seen: [20, 10, 0], of: "b" }];
  assert.equal(nearest(marks, 16, 10, 14), "b");
  assert.equal(nearest(marks, 60, 60, 14), null);
});
