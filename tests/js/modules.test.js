import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const LAB = new URL("../../svmlab/lab/", import.meta.url), BOARD = new URL("board/js/", LAB);
const scripts = readdirSync(LAB, { recursive: true }).filter((name) => name.endsWith(".js"));
const modules = readdirSync(BOARD).filter((name) => name.endsWith(".js"));
const text = (name, base = LAB) => readFileSync(new URL(name, base), "utf8");
const imports = new Map(modules.map((name) =>
  [name, [...text(name, BOARD).matchAll(/^import .*?"\.\/(.+?)";$/gms)].map((found) => found[1])]));

test("every script is checked by the compiler and no line of it is longer than 120 characters", () => {
  assert.ok(scripts.length > modules.length);
  for (const name of scripts) {
    assert.ok(text(name).startsWith("// @ts-check\n"), name);
    assert.deepEqual(text(name).split("\n").filter((line) => line.length > 120), [], name);
  }
});

test("the board's modules use each other in one direction, and main.js reaches them all", () => {
  const done = new Set(["payload.js"]); // types only
  const visit = (name, path) => {
    assert.ok(!path.includes(name), `a circle: ${[...path, name].join(" -> ")}`);
    if (done.has(name)) return;
    for (const other of imports.get(name)) visit(other, [...path, name]);
    done.add(name);
  };
  visit("main.js", []);
  assert.deepEqual([...done].sort(), modules.sort());
});
