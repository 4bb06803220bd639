import assert from "node:assert/strict";
import { test } from "node:test";

import { directionOf, nextKey, wishOf } from "../../svmlab/lab/teach/strip/js/keys.js";

class HTMLElement {
  constructor(typed, editable = false) {
    Object.assign(this, { matches: () => typed, isContentEditable: editable });
  }
}
class ShadowRoot {
  constructor(host) {
    this.host = host;
  }
}
Object.assign(globalThis, { HTMLElement, ShadowRoot });

/** A page on which `focused` has the focus, and the strip in it. */
function page(focused) {
  const host = {};
  globalThis.document = { activeElement: { contains: (node) => focused === "around" && node === host, matches: () => focused === "read" } };
  return { getRootNode: () => new ShadowRoot(host), contains: () => false };
}
const press = (key, target = new HTMLElement(false), more = {}) => ({ key, composedPath: () => [target], ...more });

test("a clicker turns the pages everywhere but in a text field", () => {
  for (const focused of ["around", "elsewhere"]) {
    assert.equal(directionOf(press("PageDown"), page(focused)), 1);
    assert.equal(directionOf(press("PageUp"), page(focused)), -1);
    for (const field of [new HTMLElement(true), new HTMLElement(false, true)]) {
      assert.equal(directionOf(press("PageDown", field), page(focused)), undefined);
    }
  }
});

test("an arrow turns them where nothing is focused but the strip or what is around it", () => {
  assert.equal(directionOf(press("ArrowRight"), page("read")), 1);
  assert.equal(directionOf(press("ArrowRight"), page("around")), 1);
  assert.equal(directionOf(press("ArrowLeft"), page("around")), -1);
  assert.equal(directionOf(press("ArrowRight"), page("elsewhere")), undefined);
});

test("other keys, and those that mean something to the browser, are left alone", () => {
  for (const more of [{ ctrlKey: true }, { altKey: true }, { shiftKey: true }, { metaKey: true }]) {
    assert.equal(directionOf(press("PageDown", undefined, more), page("around")), undefined);
  }
  assert.equal(directionOf(press("ArrowUp"), page("around")), undefined);
});

test("there is nothing before the first step and after the last", () => {
  const keys = ["line", "street", "check"];
  assert.deepEqual([nextKey(keys, "line", 1), nextKey(keys, "street", 1), nextKey(keys, "check", 1)],
    ["street", "check", undefined]);
  assert.deepEqual([nextKey(keys, "check", -1), nextKey(keys, "line", -1)], ["street", undefined]);
});

test("a clicker shows an answer before it goes on, and beyond the ends come other lessons", () => {
  const marks = [{ key: "line", asks: false }, { key: "street", asks: true }, { key: "check", asks: false }];
  const both = { back: true, onward: true }, none = { back: false, onward: false };
  const wish = (at, way, lessons = both) => wishOf(marks, at, way, lessons);
  assert.deepEqual(wish("line", 1), { key: "street" });
  assert.deepEqual(wish("street", 1), { show: "street" });
  assert.deepEqual(wish("street", -1), { key: "line" });
  assert.deepEqual([wish("check", 1), wish("line", -1)], [{ lesson: 1 }, { lesson: -1 }]);
  assert.deepEqual([wish("check", 1, none), wish("line", -1, none)], [undefined, undefined]);
});
