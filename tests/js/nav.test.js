import assert from "node:assert/strict";
import { test } from "node:test";

import { navHtml, resultsHtml } from "../../svmlab/lab/frame/nav/js/html.js";
import { hrefOf } from "../../svmlab/lab/frame/nav/js/address.js";
import { plain, positionOf, search } from "../../svmlab/lab/frame/nav/js/search.js";

const notation = {
  title: "Notation", at: { label: "t" }, about: "",
  rows: [{ name: "label", title: "Labels", options: [["y", "y"], ["t", "<t>"]] }],
};
const said = { address: "search", kinds: {}, label: "Search", hint: "", none: "" };

test("the address of another page keeps the board, what its link hides, and the notation, and nothing of the open page", () => {
  const search_ = "?embed=true&step=turn&choice=1&hide=kernel&lock=points&exam=1&only=board&tab=code" +
    "&notation=minus-b&pin=value:1&b=2xy&s=1Ab_-";
  const kept = "embed=true&hide=kernel&lock=points&exam=1&only=board&notation=minus-b&s=1Ab_-";
  assert.equal(hrefOf("soft", search_, "http://host/base/"), `http://host/base/soft?${kept}`);
  assert.equal(hrefOf("soft", "", "http://host/"), "http://host/soft");
  assert.equal(hrefOf("", search_, "http://host/base/"), "http://host/base/", "a board at / is one of the lab");
});

test("names are text, whatever is in them, and the notation in use is checked", () => {
  const groups = [{ title: "Lab", pages: [{ path: "lab", title: "a<b>&\"" }] }];
  const html = navHtml({ label: "Pages", at: "lab", groups, search: said, notation, room: "Room" });
  assert.ok(html.includes("a&lt;b&gt;&amp;&quot;"));
  assert.ok(/data-option="1" checked><span>&lt;t&gt;/.test(html));
});

const ENTRIES = [
  ["page", "Margin", "", "margin", ""],
  ["step", "Functional and geometric margin", "Margin", "margin?step=scaling", ""],
  ["step", "Choosing σ by cross-validation", "Generalisation", "generalisation?step=width", ""],
  ["term", "margin", "γ", "glossary#margin", "margins, street, strip"],
  ["term", "kernel width", "σ", "glossary#sigma", "bandwidth"],
  ["term", "slack variable", "ξ", "glossary#slack", "slacks"],
  ["statement", "Hölder & Mercer's théorème", "K1", "statements#K1", ""],
];
const found = (query) => search(ENTRIES, query).flatMap(([, group]) => group.map(({ entry }) => entry[3]));

test("case, diacritics and the way in which a Greek letter is written do not matter", () => {
  assert.deepEqual(plain("Hölder σ").text, "holder sigma");
  for (const query of ["sigma", "σ", "Σ", "SIGM"]) {
    assert.deepEqual(found(query).sort(), ["generalisation?step=width", "glossary#sigma"]);
  }
  assert.deepEqual(found("holder THEO"), ["statements#K1"]);
  assert.deepEqual(found("xi"), ["glossary#slack"], "and not where these letters are within a word");
});

test("synonyms and what stands beside a title are found, and what has all words comes first", () => {
  assert.deepEqual(found("street"), ["glossary#margin"]);
  assert.deepEqual(found("k1"), ["statements#K1"]);
  assert.deepEqual(found("geometric margin"), ["margin?step=scaling", "margin", "glossary#margin"]);
  assert.deepEqual(found("geometric slack"), ["glossary#slack", "margin?step=scaling"]);
  assert.deepEqual(found("neither nor"), []);
  assert.deepEqual(found("  ,. "), []);
});

test("results are grouped by kind, the best one first, and the match is marked in the title as it is written", () => {
  assert.deepEqual(search(ENTRIES, "margin").map(([kind]) => kind), ["page", "term", "step"]);
  const [[, [first]]] = search(ENTRIES, "holder merc");
  assert.deepEqual(first.marks.map(([start, end]) => first.entry[1].slice(start, end)), ["Hölder", "Merc"]);
  const html = resultsHtml(search(ENTRIES, "holder"), { statement: "Statements" });
  assert.ok(html.includes("<mark>Hölder</mark> &amp; Mercer"));
  const [[, [sigma]]] = search(ENTRIES, "sigma cross");
  assert.deepEqual(sigma.marks.map(([start, end]) => sigma.entry[1].slice(start, end)), ["σ", "cross"]);
});

test("short words count at the beginning of a word only, and a letter alone", () => {
  assert.equal(positionOf("support vector c", "c"), 15);
  assert.equal(positionOf("vector", "c"), -1);
  assert.equal(positionOf("max", "ax"), -1);
  assert.equal(positionOf("subgradient", "gradient"), 3);
});
