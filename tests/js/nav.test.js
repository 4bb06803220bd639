import assert from "node:assert/strict";
import { test } from "node:test";

import { navHtml } from "../../svmlab/lab/frame/nav/js/html.js";
import { hrefOf } from "../../svmlab/lab/frame/nav/js/address.js";

test("the address of another page keeps the board and what its link hides, and nothing of the page that is open", () => {
  const search = "?embed=true&step=turn&choice=1&hide=kernel&lock=points&pin=value:1&b=2xy&s=1Ab_-";
  const kept = "embed=true&hide=kernel&lock=points&s=1Ab_-";
  assert.equal(hrefOf("soft", search, "http://host/base/"), `http://host/base/soft?${kept}`);
  assert.equal(hrefOf("soft", "", "http://host/"), "http://host/soft");
  assert.equal(hrefOf("", search, "http://host/base/"), "http://host/base/", "a board at / is one of the lab");
});

test("names are text, whatever is in them", () => {
  const groups = [{ title: "Lab", pages: [{ path: "lab", title: "a<b>&\"" }] }];
  assert.ok(navHtml({ label: "Pages", at: "lab", groups }).includes("a&lt;b&gt;&amp;&quot;"));
});
