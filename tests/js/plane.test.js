import assert from "node:assert/strict";
import { test } from "node:test";

import * as plane from "../../svmlab/lab/board/js/plane.js";
import { markOffsets } from "../../svmlab/lab/board/js/coincident.js";

const q = { view: 4, size: 400 }; // 50 pixels to the unit
const HAND = { a: [-1, 0], b: [1, 0] };

test("the plane on the screen and back", () => {
  assert.deepEqual([plane.toX(q, -4), plane.toX(q, 0), plane.toX(q, 4)], [0, 200, 400]);
  assert.deepEqual([plane.toY(q, -4), plane.toY(q, 0), plane.toY(q, 4)], [400, 200, 0]);
  for (const v of [-3.5, 0, 1.25]) {
    assert.equal(plane.fromX(q, plane.toX(q, v)), v);
    assert.equal(plane.fromY(q, plane.toY(q, v)), v);
  }
});

test("points that the machine has not seen are one path, round or a box of the same area", () => {
  assert.equal(plane.drawing(q, "dots", [1, 0, 0, 0], 1), "M247.4 200a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0M197.4 200a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0");
  assert.equal(plane.drawing(q, "boxes", [1, 0], 1), "M247.7 200v-2.3h4.6v4.6h-4.6z");
  assert.equal(plane.drawing(q, "boxes", [], 1), "");
});

test("polylines, discs and arrows as paths", () => {
  assert.equal(plane.polyline(q, [0, 0, 1, 1, 2, 0]), "M200 200L250 150L300 200");
  assert.equal(plane.polylines(q, undefined), "");
  assert.equal(plane.drawing(q, "disc", [1, 0, 0.5], 1), "M225 200a25 25 0 1 0 50 0a25 25 0 1 0 -50 0");
  assert.equal(plane.drawing(q, "arrow", [0, 0, 1, 0], 1), "M200 200L250 200M241 204.5L250 200L241 195.5");
});

test("the direction at an end is that of the last stretch with a length", () => {
  assert.deepEqual(plane.ending(q, [0, 0, 0, 1, 0, 1]), { x: 200, y: 150, dx: 0, dy: -1 });
  assert.equal(plane.ending(q, [1, 1, 1, 1]), null);
  assert.equal(plane.foot(q, [1, 1, 1, 1], 4), "");
  assert.equal(plane.foot(q, [0, 0, 1, 0], 4), "M250 204L250 196");
});

test("the numbers of the axes reach from edge to edge", () => {
  assert.deepEqual(plane.ticks(1.5), [-1.5, -1, -0.5, 0, 0.5, 1, 1.5].map((v) => v + 0));
  assert.deepEqual(plane.ticks(3).map(Math.abs), [3, 2, 1, 0, 1, 2, 3]);
  assert.deepEqual(plane.ticks(8).length, 9);
});

test("the nearest point within reach, of those that can be seen", () => {
  const spots = [{ id: 1, x: 0, y: 0 }, { id: 2, x: 0.2, y: 0 }, { id: 3, x: 4.1, y: 0 }];
  assert.equal(plane.nearest(q, spots, { x: 202, y: 200 }, 10), 1);
  assert.equal(plane.nearest(q, spots, { x: 209, y: 200 }, 10), 2);
  assert.equal(plane.nearest(q, spots, { x: 200, y: 250 }, 10), null);
  assert.equal(plane.nearest(q, spots, { x: 403, y: 200 }, 10), null, "beyond the edge");
});

test("a line by hand is held by an end, or between and beyond them", () => {
  const grip = (x, y, touch = false) => plane.partUnderPointer(q, HAND, { x, y, touch });
  assert.equal(grip(150, 210), "a");
  assert.equal(grip(255, 200), "b");
  assert.equal(grip(200, 205), "both");
  assert.equal(grip(390, 205), "both");
  assert.equal(grip(200, 210), null);
  assert.equal(grip(200, 210, true), "both", "a finger reaches further");
});

test("a place by hand is held from near it, by a finger from further off", () => {
  assert.deepEqual([plane.isOnHandle(q, [1, 1], { x: 260, y: 150, touch: false }), plane.isOnHandle(q, [1, 1], { x: 266, y: 150 })],
    [true, false]);
  assert.ok(plane.isOnHandle(q, [1, 1], { x: 270, y: 150, touch: true }));
});

test("it is moved, by one end alone too, and turned about its middle", () => {
  assert.deepEqual(plane.shiftedLine(HAND, "both", 1, 2), { a: [0, 2], b: [2, 2] });
  assert.deepEqual(plane.shiftedLine(HAND, "a", 1, 2), { a: [0, 2], b: [1, 0] });
  assert.deepEqual(plane.shiftedLine(HAND, "b", 1, 2), { a: [-1, 0], b: [2, 2] });
  const { a, b } = plane.rotatedLine({ a: [0, 1], b: [2, 1] }, Math.PI / 2);
  assert.ok(Math.hypot(a[0] - 1, a[1]) < 1e-12 && Math.hypot(b[0] - 1, b[1] - 2) < 1e-12);
});

test("the smallest view that holds all points with room", () => {
  const rules = { views: [2, 4, 8], room: 0.5 }, fitting = (...xs) => plane.viewThatFits(rules, xs.map((x) => ({ x, y: 0 })));
  assert.deepEqual([fitting(), fitting(1), fitting(1.1), fitting(-3), fitting(7)], [2, 2, 4, 8, 8]);
});

test("marks at one place stand around it, every one to be seen, and a point by itself stays", () => {
  const at = (id, x, y) => ({ id, x, y, label: 1 }), apart = 20;
  const found = markOffsets([at(1, 0, 0), at(2, 1, 0), at(3, 0, 0), ...[4, 5, 6, 7, 8].map((id) => at(id, 2, 2))], apart);
  assert.deepEqual([...found.keys()].sort(), [1, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual([found.get(1).n, found.get(3).n, found.get(8).n], [0, 2, 5]);
  for (const ids of [[1, 3], [4, 5, 6, 7, 8]]) {
    const places = ids.map((id) => found.get(id));
    const middle = (name) => places.reduce((sum, place) => sum + place[name], 0) / ids.length;
    assert.ok(Math.hypot(middle("dx"), middle("dy")) < 1e-9);
    for (const [i, a] of places.entries()) {
      for (const b of places.slice(0, i)) assert.ok(Math.hypot(a.dx - b.dx, a.dy - b.dy) >= apart - 1e-9);
    }
  }
});

test("between two curves lies one closed path, along the upper and back along the lower", () => {
  assert.equal(plane.band(q, [[0, 1, 1, 1]], [[0, 0, 1, 0]]), "M200 150L250 150L250 200L200 200Z");
  assert.equal(plane.band(q, [], []), "");
});
