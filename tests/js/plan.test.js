import assert from "node:assert/strict";
import { test } from "node:test";

import { directionOf, nextStop } from "../../svmlab/lab/plan/js/keys.js";

class HTMLElement {
  constructor(typed, editable = false) {
    Object.assign(this, { matches: () => typed, isContentEditable: editable });
  }
}
Object.assign(globalThis, { HTMLElement });

const press = (key, path = [new HTMLElement(false)], more = {}) => ({ key, composedPath: () => path, ...more });

test("a clicker works everywhere but in a field, a dialog, or with another key held down", () => {
  assert.equal(directionOf(press("PageDown")), 1);
  assert.equal(directionOf(press("PageUp")), -1);
  assert.equal(directionOf(press("a")), undefined);
  for (const field of [new HTMLElement(true), new HTMLElement(false, true)]) {
    assert.equal(directionOf(press("PageDown", [{}, field, new HTMLElement(false)])), undefined);
  }
  for (const held of ["altKey", "ctrlKey", "metaKey", "shiftKey", "defaultPrevented"]) {
    assert.equal(directionOf(press("PageDown", undefined, { [held]: true })), undefined);
  }
});

test("a plan ends at its ends, and none is walked without a place", () => {
  assert.equal(nextStop(0, 1, 3), 1);
  assert.equal(nextStop(2, 1, 3), undefined);
  assert.equal(nextStop(0, -1, 3), undefined);
  assert.equal(nextStop(null, 1, 3), undefined);
});
