import assert from "node:assert/strict";
import { test } from "node:test";

import { resent, sendTime, restoreOps, resendDelay, unacknowledged, queued, unsavedChanges, withoutDrag } from "../../svmlab/lab/board/js/queue.js";
import { replay, wholeSet } from "../../svmlab/lab/board/js/replay.js";
import { KINDS, chance, deeds, said } from "./kit.js";

const all = (...ops) => ops.reduce(queued, []);
const move = (id, x, live = true) => ({ op: "move", id, x, y: 0, live });
const slide = (op, name, value, live = true) => ({ op, values: { [name]: value }, live });
const sent = (board) => ({ seq: 1, board, ops: [ADD] });
const ADD = { op: "add", id: 4, x: 1, y: 1, label: 1 };

test("moves of one point coalesce, and the last word of a drag takes their place", () => {
  assert.deepEqual(all(move(1, 1), move(1, 2), move(1, 3)), [move(1, 3)]);
  assert.deepEqual(all(move(1, 1), move(1, 2, false)), [move(1, 2, false)]);
});

test("who gets no answer asks less and less often, and never gives up", () => {
  assert.deepEqual([0, 1, 2, 3, 100].map(resendDelay), [2000, 4000, 8000, 8000, 8000]);
});

test("a drag that has ended stays, and so does one of another point", () => {
  for (const both of [[move(1, 1, false), move(1, 2)], [move(1, 1), move(2, 2)]]) assert.deepEqual(all(...both), both);
});

test("adds and deletes queue", () => {
  const ops = [ADD, { ...ADD, id: 5 }, { op: "delete", ids: [4] }, { op: "delete", ids: [5] }, { op: "clear" }];
  assert.deepEqual(all(...ops), ops);
});

test("of selections, classes and views the last counts, of a slider what it says last", () => {
  for (const [first, last] of [
    [{ op: "select", id: 1 }, { op: "select", id: null }],
    [{ op: "label", label: 1 }, { op: "label", label: -1 }],
    [{ op: "view", half: 4 }, { op: "view", half: 8 }],
    [{ op: "hand", a: [0, 0], b: [1, 1], live: true }, { op: "hand", a: [0, 0], b: [2, 1], live: false }],
    [slide("set", "C", 1), slide("set", "C", 2)],
    [slide("dial", "t", 1), slide("dial", "t", 2, false)],
  ]) assert.deepEqual(all(first, last), [last]);
  for (const both of [
    [slide("set", "C", 1), slide("set", "sigma", 2)],
    [slide("set", "t", 1), slide("dial", "t", 2)],
    [slide("set", "C", 1, false), slide("set", "C", 2)],
  ]) assert.deepEqual(all(...both), both);
});

test("what is left out of the queue is missed by nobody", () => {
  const next = chance(1);
  for (let i = 0; i < 300; i += 1) {
    const ops = deeds(next, 12);
    assert.deepEqual(replay(said(), all(...ops)), replay(said(), ops));
  }
});

test("pending is what is in flight about the board that stands, then what waits", () => {
  assert.deepEqual(unacknowledged({ inflight: sent(null), queue: [move(4, 2)], data: { board: null } }), [ADD, move(4, 2)]);
  assert.deepEqual(unacknowledged({ inflight: null, queue: [], data: { board: null } }), []);
  for (const [about, board] of [[null, "margin.scaling"], ["margin.scaling", null]]) {
    assert.deepEqual(unacknowledged({ inflight: sent(about), queue: [move(4, 2)], data: { board } }), [move(4, 2)]);
  }
});

test("what waits behind a message is told to a new session too", () => {
  const data = { ...said(), boot: "a", board: null }, late = { op: "delete", ids: [1] };
  const whole = (ops) => wholeSet(replay(said(), ops)), both = whole([ADD, late]);
  const inflight = sent(null);
  assert.deepEqual(unsavedChanges({ inflight, queue: [late], data }, KINDS), { boot: "a", board: null, ops: [both] });
  assert.deepEqual(unsavedChanges({ inflight: null, queue: [late], data }, KINDS)?.ops, [whole([late])]);
  const quiet = [{ op: "label", label: 1 }];
  assert.equal(unsavedChanges({ inflight: sent("margin.scaling"), queue: quiet, data }, KINDS), null);
});

test("a slider is told to a new session too, after the points and without those that did not change", () => {
  const data = { ...said(), boot: "a", board: null }, slid = slide("set", "value", 3, false);
  assert.deepEqual(unsavedChanges({ inflight: null, queue: [slid], data }, KINDS)?.ops, [slid]);
  const { ops } = unsavedChanges({ inflight: null, queue: [slid, ADD, { op: "undo" }], data }, KINDS);
  assert.deepEqual(ops, [wholeSet(replay(said(), [ADD])), slid]);
});

test("a drag that is taken back leaves the queue, its point's other changes stay", () => {
  const rest = [move(2, 1), { ...move(1, 2), live: false }, ADD];
  assert.deepEqual(withoutDrag([move(1, 1), ...rest], 1), rest);
});

test("a drag is said now and then, less often while the drag socket draws it; anything else at once", () => {
  const wire = { sentAt: 1000, answeredIn: 20 };
  assert.equal(sendTime([move(1, 1), ADD], { ...wire, socketOpen: true }), 0);
  const direct = sendTime([move(1, 1)], { ...wire, socketOpen: false });
  const past = sendTime([move(1, 1)], { ...wire, socketOpen: true });
  assert.ok(1000 < direct && direct < past);
  assert.ok(past < sendTime([move(1, 1)], { ...wire, answeredIn: 500, socketOpen: true }), "a slow page is asked less often");
});

test("what is said again gives the same board", () => {
  const next = chance(2);
  for (let i = 0; i < 300; i += 1) {
    const sent = deeds(next, 4), queue = all(...deeds(next, 6)), more = resent(said(), sent, queue, KINDS);
    const told = [...sent, ...queue], of = (ops) => ops.filter(({ op }) => KINDS.points.includes(op));
    assert.deepEqual(more.queue, []);
    assert.deepEqual(of(more.ops).map(({ op }) => op), of(told).length ? ["points"] : []);
    if (of(told).length) assert.equal(Boolean(more.ops[0].live), told.every((op) => op.live));
    assert.deepEqual(replay(said(), more.ops), replay(said(), told));
  }
});

test("where no points were changed none are said again: a page without a board knows of none", () => {
  const project = { op: "project", on: true, type: 24 };
  assert.deepEqual(resent({ ...said(), points: [] }, [project], [], KINDS), { ops: [project], queue: [] });
});

test("what only Python can do is repeated as it was, and ends what can be told otherwise", () => {
  const undo = { op: "undo" };
  assert.equal(resent(said(), [ADD, undo], [move(1, 2)], KINDS), null);
  const { ops, queue } = resent(said(), [ADD], [move(4, 2), undo, move(1, 3)], KINDS);
  assert.deepEqual(queue, [undo, move(1, 3)]);
  assert.deepEqual(ops, [{ op: "points", points: [...said().points, [4, 2, 0, 1]], live: false }]);
});

const UNSAID = { op: "points", points: [[9, 0, 0, 1]] };
const KNOWN = { address: "1abc", points: said().points, boot: "old", unsaid: { boot: "old", board: null, ops: [UNSAID] } };
const RESTORE = { op: "restore", share: "1abc", points: said().points };
const met = (address, unread = false, boot = "new", board = null) => ({ boot, unread, address, board });

test("a new session is told the state of this window and what was on its way", () => {
  assert.deepEqual(restoreOps(KNOWN, met("1xyz"), false), [RESTORE, { ...UNSAID, live: false }]);
  assert.deepEqual(restoreOps({ ...KNOWN, unsaid: null }, met("1xyz"), false), [RESTORE]);
  assert.deepEqual(restoreOps(KNOWN, met("1abc"), true), [{ ...UNSAID, live: true }], "it has the state already");
  assert.deepEqual(restoreOps(KNOWN, met("1abc", false, "new", "margin.scaling"), true), [], "another board stands");
});

test("a session that could not read the address takes the points", () => {
  assert.deepEqual(restoreOps({ ...KNOWN, unsaid: null }, met("1abc", true), false), [RESTORE]);
});

test("the same session, the first one, and one that knows all of it are told nothing", () => {
  assert.deepEqual(restoreOps(KNOWN, met("1xyz", false, "old"), false), []);
  assert.deepEqual(restoreOps({ ...KNOWN, boot: null }, met("1xyz"), false), []);
  assert.deepEqual(restoreOps({ ...KNOWN, unsaid: { boot: "older", board: null, ops: [UNSAID] } }, met("1abc"), false), []);
});
