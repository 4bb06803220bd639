import assert from "node:assert/strict";
import { test } from "node:test";

import { comesBack, inOrder, mixed, nextBox } from "../../svmlab/lab/frame/kept/js/leitner.js";
import { onward, solvedParts, stateOf, tallyTasks, tally } from "../../svmlab/lab/frame/kept/js/progress.js";
import { change, load } from "../../svmlab/lab/frame/kept/js/storage.js";
import {
  BOARDS, KINDS, MAX_NAME, MAX_TEXT, PROGRESS, documentText, fileText, merged, nameOf, newId, readDocument, readFile,
} from "../../svmlab/lab/frame/kept/js/store.js";
import { pointsOf, thumbnail } from "../../svmlab/lab/frame/kept/js/thumbnail.js";

const LINK = "1kbhE4AACe30AA0o48jQAD6APoD6B"; // tests/pages/test_pages_kept.py says its points too
const board = (name, more = {}) => ({ name, link: LINK, at: 1000, ...more });
const answer = (right, more = {}) => ({ right, version: "ab12", at: 1000, ...more });
const text = (entries, version = 1) => JSON.stringify({ version, entries });

/** A storage in memory; `fails` is thrown by every use. */
function place(stored = {}, fails = null) {
  const check = () => {
    if (fails) throw fails;
  };
  return {
    stored,
    getItem: (key) => (check(), stored[key] ?? null),
    setItem: (key, value) => (check(), (stored[key] = value)),
  };
}

test("what an earlier version has stored is read for ever", () => {
  const boards = `{"version":1,"entries":{"0a1b":{"name":"Two moons","link":"${LINK}","at":1764000000000}}}`;
  const progress = '{"version":1,"entries":{"margin.vc-margin":{"right":true,"version":"0f3a9c11","at":1764000000000}}}';
  assert.deepEqual([...readDocument(BOARDS, boards).entries], [["0a1b", board("Two moons", { at: 1764000000000 })]]);
  assert.deepEqual([...readDocument(PROGRESS, progress).entries],
    [["margin.vc-margin", { right: true, version: "0f3a9c11", at: 1764000000000 }]]);
  assert.deepEqual(KINDS.map(({ key }) => key), ["svmlab.boards", "svmlab.progress"]);
  const file = `{"format":"svmlab","version":1,"documents":{"boards":${boards},"progress":${progress}}}`;
  assert.deepEqual([...readFile(file).kept.keys()], ["boards", "progress"]);
});

test("what is written is read again, and nothing stored is nothing found", () => {
  for (const [kind, id, entry] of [[BOARDS, "a", board("One")], [PROGRESS, "margin.turn", answer(false)]]) {
    const entries = new Map([[id, entry]]);
    assert.deepEqual(readDocument(kind, documentText(kind, entries)), { entries, skipped: 0, problem: null });
    assert.deepEqual(readDocument(kind, null), { entries: new Map(), skipped: 0, problem: null });
  }
});

test("an entry that breaks a rule is left out and counted, and the others stay", () => {
  const damaged = [null, 1, [], "x", {}, board(""), board(7), board("x", { link: "../" }), board("x", { link: "1<b>" }),
    board("x", { link: `1${"A".repeat(4000)}` }), board("x", { at: -1 }), board("x", { at: 1.5 }), board("x", { at: "1" })];
  const found = readDocument(BOARDS, text({ ok: board("Good"), UPPER: board("x"), ...damaged }));
  assert.deepEqual([...found.entries.keys()], ["ok"]);
  assert.equal(found.skipped, damaged.length + 1);
  const answers = { "margin.turn": answer(true), "no step": answer(true), "a.b": answer(1), "a.c": answer(true, { version: "?" }) };
  assert.deepEqual(readDocument(PROGRESS, text(answers)).skipped, 3);
});

test("an entry gets no more than its own fields, and a name of one clean line", () => {
  const found = readDocument(BOARDS, text({ a: board(`  two\n\u0007 lines ${"x".repeat(99)}`, { more: "<script>" }) }));
  const [read] = found.entries.values();
  assert.deepEqual(Object.keys(read).sort(), ["at", "link", "name"]);
  assert.ok(read.name.startsWith("two lines x") && [...read.name].length <= MAX_NAME);
  assert.equal(nameOf(null), "");
  const inherited = '{"version":1,"entries":{"__proto__":{"name":"x","link":"1A","at":1}}}';
  assert.deepEqual([...readDocument(BOARDS, inherited).entries], []);
});

test("a damaged document, one that is too long, and one of a newer version are told apart", () => {
  for (const bad of ["", "{", "null", "[]", '"x"', "{}", '{"version":1}', '{"version":"1","entries":{}}', '{"version":1,"entries":[]}']) {
    assert.equal(readDocument(BOARDS, bad).problem, "unreadable", bad);
  }
  assert.equal(readDocument(BOARDS, `${text({})}${" ".repeat(MAX_TEXT)}`).problem, "unreadable");
  assert.deepEqual(readDocument(BOARDS, text({ a: board("x") }, 2)), { entries: new Map(), skipped: 0, problem: "newer" });
});

test("a document has at most its limit of entries", () => {
  const many = Object.fromEntries(Array.from({ length: BOARDS.limit + 3 }, (_, i) => [`n${i}`, board(`B${i}`)]));
  const { entries, skipped } = readDocument(BOARDS, text(many));
  assert.deepEqual([entries.size, skipped], [BOARDS.limit, 3]);
  assert.equal(merged(BOARDS, entries, new Map([["new", board("x")]])).left, 1);
});

test("two sets of boards are merged: the later name counts, and different boards with one id both stay", () => {
  const mine = new Map([["a", board("Old", { at: 1 })], ["b", board("Mine")], ["c", board("Renamed", { at: 9 })]]);
  const others = new Map([["a", board("New", { at: 2 })], ["b", board("Theirs", { link: "1BB" })], ["d", board("D")],
    ["c", board("Before", { at: 3 })]]);
  const { entries, added, left } = merged(BOARDS, mine, others, () => "fresh");
  assert.deepEqual([...entries].map(([id, { name }]) => [id, name]),
    [["a", "New"], ["b", "Mine"], ["c", "Renamed"], ["fresh", "Theirs"], ["d", "D"]]);
  assert.deepEqual([added, left], [2, 0]);
  assert.deepEqual([...mine.keys()], ["a", "b", "c"]);
});

test("the first answer to a question counts, and a question that has changed is answered anew", () => {
  const merge = (mine, other) => merged(PROGRESS, new Map([["a.b", mine]]), new Map([["a.b", other]])).entries.get("a.b");
  const first = answer(false), later = answer(true, { at: 2000 }), changed = answer(true, { at: 3000, version: "cd34" });
  assert.equal(merge(first, later), first);
  assert.equal(merge(later, first), first);
  assert.equal(merge(first, changed), changed);
  assert.equal(merge(changed, first), changed);
});

test("of the answers to a task of the page Practice the first right one counts", () => {
  const merge = (mine, other) =>
    merged(PROGRESS, new Map([["practice.b", mine]]), new Map([["practice.b", other]])).entries.get("practice.b");
  const wrong = answer(false), right = answer(true, { at: 2000 }), wrongAgain = answer(false, { at: 3000 });
  assert.equal(merge(wrong, right), right);
  assert.equal(merge(right, wrong), right);
  assert.equal(merge(right, wrongAgain), right);
  assert.equal(merge(right, answer(true, { at: 4000 })), right);
  assert.deepEqual(merge(right, answer(false, { at: 3000, version: "cd34" })), answer(false, { at: 3000, version: "cd34" }));
});

test("the solved parts of a line of the list are those with a right answer to this version", () => {
  const answers = new Map([["practice.a-1", answer(true)], ["practice.a-2", answer(false)],
    ["practice.a-3", answer(true, { version: "cd34" })]]);
  const line = { element: "task_a", names: ["practice.a-1", "practice.a-2", "practice.a-3"], version: "ab12" };
  assert.equal(solvedParts(answers, line), 1);
  assert.equal(solvedParts(answers, { ...line, version: "cd34" }), 1);
  assert.equal(solvedParts(new Map(), line), 0);
});

test("a task is new, tried or solved, and only answers to this version count", () => {
  const task = { names: ["practice.a-1", "practice.a-2"], version: "ab12" };
  const state = (/** @type {[string, object][]} */ ...answers) => stateOf(new Map(answers), task);
  const right = answer(true), wrong = answer(false), former = answer(true, { version: "cd34" });
  assert.equal(state(), "new");
  assert.equal(state(["practice.a-1", former], ["practice.b-1", right]), "new");
  assert.equal(state(["practice.a-1", wrong]), "tried");
  assert.equal(state(["practice.a-1", right], ["practice.a-2", wrong]), "tried");
  assert.equal(state(["practice.a-1", right], ["practice.a-2", right]), "solved");
  assert.deepEqual(tallyTasks(new Map([["practice.a-1", right], ["practice.a-2", wrong]]), [task]), { solved: 1, tasks: 2 });
});

test("a Leitner box: a wrong answer comes back at once, and each right one moves the question on", () => {
  const day = 86400000, now = 100 * day, boxed = (box, last, right = true) => answer(right, { at: 1, box, last });
  assert.equal(nextBox(undefined, true), 2);
  assert.equal(nextBox(undefined, false), 1);
  assert.equal(nextBox(boxed(4, 1), false), 1);
  assert.equal(nextBox(boxed(5, 1), true), 5);
  const kinds = ["a", "b", "c", "d", "e", "f", "g"];
  const pool = kinds.map((key) => ({ name: `practice.${key}-1`, version: "ab12", lesson: key === "g" ? "soft" : "margin" }));
  const answers = new Map([["margin.turn", answer(true)], ["practice.a-1", boxed(2, now - day)],
    ["practice.b-1", boxed(3, now - 2 * day)], ["practice.c-1", boxed(1, now)], ["practice.d-1", boxed(5, now - 20 * day)],
    ["practice.e-1", answer(true, { version: "cd34" })]]);
  const names = (list) => list.map(({ name }) => name[9]).join("");
  const { due, fresh, rest } = inOrder(answers, pool, now);
  assert.deepEqual([names(due), names(fresh), names(rest)], ["ca", "ef", "db"]);
  assert.deepEqual(mixed(answers, pool, 3, now), ["practice.c-1", "practice.a-1", "practice.e-1"]);
  assert.equal(names(inOrder(new Map(), pool, now).fresh), "abcdefg");
  const line = (key, returns = true) => ({ names: [`practice.${key}-1`], version: "ab12", returns });
  assert.deepEqual(kinds.filter((key) => comesBack(answers, line(key), now)), ["a", "c"]);
  assert.equal(comesBack(answers, line("a", false), now), false, "the mixed practice asks for no board");
});

test("the box of the later answer counts, and a damaged one is left out", () => {
  const merge = (mine, other) =>
    merged(PROGRESS, new Map([["practice.b", mine]]), new Map([["practice.b", other]])).entries.get("practice.b");
  const solved = answer(true, { box: 3, last: 5000 }), later = answer(false, { at: 9000, box: 1, last: 9000 });
  assert.deepEqual(merge(solved, later), { ...solved, box: 1, last: 9000 });
  assert.deepEqual(merge(later, solved), { ...solved, box: 1, last: 9000 });
  for (const bad of [{ box: 0, last: 1 }, { box: 6, last: 1 }, { box: 2 }, { box: "2", last: 1 }]) {
    assert.deepEqual(PROGRESS.read("practice.b", answer(true, bad)), answer(true));
  }
});

test("a file holds everything, and what it has of unknown or newer kinds is left out and counted", () => {
  const kept = new Map([["boards", new Map([["a", board("One")]])], ["progress", new Map([["margin.turn", answer(true)]])]]);
  assert.deepEqual(readFile(fileText(kept)), { kept, skipped: 0, problem: null });
  const file = JSON.parse(fileText(kept));
  Object.assign(file.documents, { practice: { version: 1, entries: {} }, progress: { version: 9, entries: {} } });
  const read = readFile(JSON.stringify(file));
  assert.deepEqual([[...read.kept.keys()], read.skipped], [["boards"], 2]);
  assert.equal(readFile(JSON.stringify({ ...file, version: 2 })).problem, "newer");
  for (const foreign of ["", "x1,x2,label\n1,2,1", "{}", '{"format":"other","documents":{}}', '{"format":"svmlab"}']) {
    assert.equal(readFile(foreign).problem, "unreadable", foreign);
  }
});

test("a change begins with what is stored now, so two tabs keep each other's boards", () => {
  const shared = place(), first = load(BOARDS, () => shared);
  for (const id of ["a", "b"]) change(BOARDS, (entries) => entries.set(id, board(id)), () => shared);
  assert.equal(first.entries.size, 0);
  assert.deepEqual([...load(BOARDS, () => shared).entries.keys()], ["a", "b"]);
});

test("a storage that is forbidden, full or of a newer version is named, and nothing in it changes", () => {
  const forbidden = () => {
    throw new DOMException("denied", "SecurityError");
  };
  assert.equal(load(BOARDS, forbidden).problem, "forbidden");
  assert.equal(change(BOARDS, (entries) => entries, forbidden).problem, "forbidden");
  const full = place();
  full.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  assert.equal(change(BOARDS, (entries) => entries.set("a", board("x")), () => full).problem, "full");
  const newer = place({ [BOARDS.key]: text({ a: board("x") }, 2) }), before = { ...newer.stored };
  assert.equal(change(BOARDS, () => new Map(), () => newer).problem, "newer");
  assert.deepEqual(newer.stored, before);
  const most = new Map(Array.from({ length: BOARDS.limit }, (_, i) => [`n${i}`, board("x")]));
  const crowded = place({ [BOARDS.key]: documentText(BOARDS, most) });
  assert.equal(change(BOARDS, (entries) => entries.set("one", board("x")), () => crowded).problem, "limit");
});

const step = (key, more = {}) => ({ key, version: "ab12", title: key.toUpperCase(), deeper: false, ...more });
const LESSONS = [
  { page: "start", title: "Start", steps: [step("a"), step("b", { deeper: true }), step("c")] },
  { page: "margin", title: "Margin", steps: [step("d")] },
];

test("answers to the present questions of the core path are counted, for one lesson or all", () => {
  const answers = new Map([["start.a", answer(true)], ["start.c", answer(false)], ["margin.d", answer(true, { version: "00" })],
    ["start.gone", answer(true)]]);
  assert.deepEqual(tally(answers, LESSONS), { done: 2, right: 1, total: 3, deeper: 0 });
  assert.deepEqual(tally(answers, LESSONS.slice(1)), { done: 0, right: 0, total: 1, deeper: 0 });
  answers.set("start.b", answer(true));
  assert.deepEqual(tally(answers, LESSONS.slice(0, 1)), { done: 2, right: 1, total: 2, deeper: 1 }, "it is finished");
});

test("one continues after the step answered last, past steps that go deeper, into the next lesson", () => {
  const after = (...done) => onward(new Map(done.map((key, i) => [key, answer(true, { at: i })])), LESSONS)?.step.key;
  assert.equal(after(), undefined);
  assert.equal(after("start.a"), "c");
  assert.equal(after("start.c"), "d");
  assert.equal(after("start.c", "start.a"), "d");
  assert.equal(after("start.a", "start.c", "margin.d"), undefined);
});

test("a thumbnail has the points of its link, and none where the link cannot be read", () => {
  assert.deepEqual(pointsOf(LINK), [{ x: 1500, y: -250, label: 1 }, { x: -8000, y: 8000, label: -1 }, { x: 0, y: 0, label: 1 }]);
  for (const bad of ["", "1", "1AAAA", "2AAAA", "1####", LINK.slice(0, -4)]) assert.deepEqual(pointsOf(bad), [], bad);
  assert.equal(thumbnail(LINK).match(/h0/g).length, 3);
  assert.doesNotMatch(thumbnail("1<script>"), /script|h0/);
});

test("an id is new and has the form that is read", () => {
  const ids = new Set(Array.from({ length: 50 }, newId));
  assert.equal(ids.size, 50);
  for (const id of ids) assert.ok(readDocument(BOARDS, text({ [id]: board("x") })).entries.has(id));
});
