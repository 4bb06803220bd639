import assert from "node:assert/strict";
import { test } from "node:test";

import { onPaper, table } from "../../svmlab/lab/board/js/charts.js";
import { wrappedRows } from "../../svmlab/lab/board/js/saving.js";

test("a caption breaks between its parts, and only where it must", () => {
  const fits = (row) => row.length <= 11;
  assert.deepEqual(wrappedRows(["one", "two", "three", "a very long part", "x"], fits), ["one · two", "three", "a very long part", "x"]);
  assert.deepEqual(wrappedRows([], fits), []);
});

test("colours of a dark page become those of paper, and no others", () => {
  const svg = 'fill: rgb(1, 2, 3); stroke:rgba(1,2,3,0.5); fill: rgb(1, 2, 30)';
  assert.equal(onPaper(svg, { "1,2,3": "9,8,7" }), "fill: rgb(9,8,7); stroke:rgba(9,8,7,0.5); fill: rgb(1, 2, 30)");
});

test("the numbers of a chart, a value a row", () => {
  const lines = [{ name: 'a,"b"', x: new Float64Array([1, 2]), y: [3, 4] }, { x: ["p"], y: [5] }];
  assert.equal(table(lines), 'line,x,y\n"a,""b""",1,3\n"a,""b""",2,4\n,p,5\n');
  assert.equal(table([{ name: "z", z: [[1, 2], [3, 4]] }]), "line,x,y,value\nz,0,0,1\nz,1,0,2\nz,0,1,3\nz,1,1,4\n");
});
