import assert from "node:assert/strict";
import { test } from "node:test";

import { replay, wholeSet } from "../../svmlab/lab/board/js/replay.js";
import { said } from "./kit.js";

const places = (model) => [...model.pts.values()].map(({ id, x, y, label }) => [id, x, y, label]);

test("without operations it is what Python said", () => {
  const { pts, ...rest } = replay(said(), []);
  assert.deepEqual(places({ pts }), said().points);
  assert.deepEqual(rest, { selected: 2, label: 1, view: 4, active: "A", projector: false, values: {}, hand: null });
});

test("points are added, moved, deleted and replaced, and keep their order", () => {
  const after = (...ops) => places(replay(said(), ops));
  const [one, two, three] = said().points;
  assert.deepEqual(after({ op: "add", id: 4, x: 3, y: 2, label: -1 }), [one, two, three, [4, 3, 2, -1]]);
  assert.deepEqual(after({ op: "move", id: 1, x: 3, y: 2 }), [[1, 3, 2, 1], two, three]);
  assert.deepEqual(after({ op: "move", id: 9, x: 3, y: 2 }), [one, two, three]);
  assert.deepEqual(after({ op: "delete", ids: [1, 9, 3] }), [two]);
  assert.deepEqual(after({ op: "clear" }), []);
  assert.deepEqual(after({ op: "points", points: [[7, 0, 0, 1]] }, { op: "move", id: 7, x: 1, y: 1 }), [[7, 1, 1, 1]]);
});

test("how one looks is replayed too; a point that is gone is not selected", () => {
  const ops = [
    { op: "select", id: 3 }, { op: "label", label: -1 }, { op: "view", half: 8 }, { op: "active", on: "B" },
    { op: "project", on: true },
    { op: "set", values: { C: 2 } }, { op: "dial", values: { t: 3 } }, { op: "set", values: { C: 5 } },
    { op: "hand", a: [0, 1], b: [2, 3], live: true },
  ];
  const { pts, ...rest } = replay(said(), ops);
  assert.deepEqual(rest, {
    selected: 3, label: -1, view: 8, active: "B", projector: true, values: { C: 5, t: 3 },
    hand: { a: [0, 1], b: [2, 3] },
  });
  assert.equal(replay(said(), [...ops, { op: "delete", ids: [3] }]).selected, null);
});

test("a point that is placed may be the selected one from then on", () => {
  const op = { op: "add", id: 4, x: 3, y: 2, label: -1 };
  assert.equal(replay(said(), [op]).selected, 2);
  assert.equal(replay(said(), [{ ...op, select: true }]).selected, 4);
});

test("what only Python knows changes nothing, and what Python said is not touched", () => {
  const data = said(), before = structuredClone(data);
  const opaque = [
    { op: "undo" }, { op: "redo" }, { op: "action", id: "preset" }, { op: "file", name: "a.csv", text: "" },
    { op: "restore", share: "1", points: [] }, { op: "film", key: "f", at: 3 },
  ];
  assert.deepEqual(replay(data, opaque), replay(data, []));
  replay(data, [{ op: "move", id: 1, x: 0, y: 0 }, { op: "clear" }]);
  assert.deepEqual(data, before);
});

test("the whole set says every point again", () => {
  assert.deepEqual(wholeSet(replay(said(), [])), { op: "points", points: said().points });
});
