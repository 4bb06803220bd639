// @ts-check
// The wall: small drawings of the boards that the class has handed in. Only those that come into sight are fetched.

import { kept } from "./key.js";
import { ordered, paintSketch } from "./sketch.js";

/** @import { Filter, Order, Row, Sketch } from "./sketch.js" */
/**
 * @typedef {object} Acts
 * @property {(said: object) => void} say to the room
 * @property {(what: object) => void} show on the page
 * @property {() => Record<string, string>} words
 */

const BATCH = 40; // sketches in one message
const SILENT_MS = 3000; // after which they are asked for again
const SURE_MS = 4000; // in which a second press ends the task
/** @type {Order[]} */
const ORDERS = ["passed_first", "newest_first", "by_number"];
/** @type {Filter[]} */
const FILTERS = ["all", "only_passed", "only_open"];
const HTML = `<header><h2></h2><label><span></span><select class="order"></select></label>
  <label><span></span><select class="filter"></select></label>
  <button type="button" class="lines"></button><button type="button" class="csv"></button>
  <button type="button" class="close-task"></button><button type="button" class="end-task"></button>
  <button type="button" class="back"></button></header><p class="none"></p><ol class="boards"></ol>`;

/** @type {Row[]} */
let rows = [];
/** @type {Map<number, Sketch>} */
const sketches = new Map();
/** @type {Set<number>} numbers of the drawings that are in sight */
const inSight = new Set();
/** @type {Order} */
let order = "passed_first";
/** @type {Filter} */
let filter = "all";
/** @type {Acts} */
let acts = { say: () => {}, show: () => {}, words: () => ({}) };
/** @type {IntersectionObserver | null} */
let observer = null;
let asking = 0, sure = 0, task = "";
let saving = false; // whether a file is saved once all boards are here

/** @type {<T extends HTMLElement = HTMLElement>(root: HTMLElement, selector: string) => T} */
const part = (root, selector) => /** @type {any} */ (root.querySelector(selector));

/**
 * A table of all rows with the addresses of their boards.
 * @param {string} columns
 * @param {Row[]} all
 * @param {(number: number) => string} addressOf
 */
export const csvOf = (columns, all, addressOf) => [columns, ...all.map(([number, passed, at]) =>
  [number, Number(passed), new Date(at).toISOString(), addressOf(number)].join(","))].join("\r\n") + "\r\n";

/**
 * @param {HTMLElement} root
 * @param {Acts} given
 */
export function buildWall(root, given) {
  acts = given;
  const wall = /** @type {HTMLDialogElement} */ (part(root, ".wall"));
  wall.innerHTML = HTML;
  const on = (/** @type {string} */ name, /** @type {() => void} */ act) =>
    part(wall, name).addEventListener("click", act);
  part(root, ".to-wall").addEventListener("click", () => {
    wall.showModal();
    paintWall(root, acts.words());
  });
  on(".back", () => wall.close());
  on(".lines", () => {
    wall.close();
    acts.show({ lines: true });
  });
  on(".csv", () => {
    saving = true;
    ask(root);
  });
  on(".close-task", () => acts.say({ kind: "close_task", id: kept()?.task?.id, is_open: !kept()?.task?.is_open }));
  on(".end-task", () => {
    const button = part(wall, ".end-task"), second = button.dataset.sure;
    clearTimeout(sure);
    delete button.dataset.sure;
    if (second) {
      wall.close();
      acts.say({ kind: "end_task", id: kept()?.task?.id });
    } else {
      button.dataset.sure = "1";
      sure = setTimeout(() => {
        delete button.dataset.sure;
        paintWall(root, acts.words());
      }, SURE_MS);
    }
    paintWall(root, acts.words());
  });
  part(wall, ".order").addEventListener("change", ({ target }) => {
    order = /** @type {Order} */ (/** @type {HTMLSelectElement} */ (target).value);
    paintWall(root, acts.words());
  });
  part(wall, ".filter").addEventListener("change", ({ target }) => {
    filter = /** @type {Filter} */ (/** @type {HTMLSelectElement} */ (target).value);
    paintWall(root, acts.words());
  });
  part(wall, ".boards").addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const number = Number(target.closest("li")?.dataset.number);
    if (target.closest(".remove")) acts.say({ kind: "remove", number });
    else if (target.closest(".board")) {
      wall.close();
      acts.show({ project: number });
    }
  });
  observer?.disconnect();
  observer = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      const number = Number(/** @type {HTMLElement} */ (target).dataset.number);
      if (isIntersecting) inSight.add(number);
      else inSight.delete(number);
    }
    ask(root);
  }, { root: part(wall, ".boards"), rootMargin: "200px" });
}

/**
 * Take what the room tells of the wall.
 * @param {HTMLElement} root
 * @param {{wall?: Row[], sketches?: Record<string, Sketch>}} message
 */
export function seeWall(root, message) {
  if (message.wall) rows = message.wall;
  if (message.sketches) {
    for (const [number, sketch] of Object.entries(message.sketches)) sketches.set(Number(number), sketch);
    clearTimeout(asking);
    asking = 0;
  }
  paintWall(root, acts.words());
  ask(root);
}

/** @param {HTMLElement} root */
export function forgetWall(root) {
  rows = [];
  sketches.clear();
  /** @type {HTMLDialogElement} */ (part(root, ".wall")).close();
}

/** Ask for drawings that are missing: those in sight, or all for a file. @param {HTMLElement} root */
function ask(root) {
  if (asking) return;
  const missing = rows.filter(([number, , , seal]) =>
    (saving || inSight.has(number)) && sketches.get(number)?.[0] !== seal);
  if (missing.length) {
    acts.say({ kind: "sketches", numbers: missing.slice(0, BATCH).map(([number]) => number) });
    asking = setTimeout(() => {
      asking = 0;
      ask(root);
    }, SILENT_MS);
  } else if (saving) {
    saving = false;
    save();
  }
}

function save() {
  const address = (/** @type {number} */ number) =>
    String(new URL(`lab?s=${sketches.get(number)?.[1]}`, document.baseURI));
  const text = csvOf(acts.words().columns, ordered(rows, "by_number", "all"), address);
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = Object.assign(document.createElement("a"), { href, download: "svmlab-wall.csv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} words
 */
export function paintWall(root, words) {
  const wall = /** @type {HTMLDialogElement} */ (part(root, ".wall")), button = part(root, ".to-wall");
  const set = kept()?.task ?? null;
  if (task !== (set?.id ?? "")) {
    task = set?.id ?? "";
    sketches.clear();
  }
  button.hidden = !set;
  if (!set) wall.close();
  if (!set) return;
  const passed = rows.filter((row) => row[1]).length;
  button.textContent = words.wall.replace("{n}", String(rows.length)).replace("{passed}", String(passed));
  if (!wall.open) return;
  wall.setAttribute("aria-label", words.wall_title);
  const name = (/** @type {string} */ selector, /** @type {string} */ text) => {
    part(wall, selector).textContent = text;
  };
  name("h2", `${set.title} · ${button.textContent}`);
  name(".lines", words.lines);
  name(".csv", words.csv);
  name(".close-task", set.is_open ? words.close_task : words.open_task);
  name(".end-task", part(wall, ".end-task").dataset.sure ? words.sure_task : words.end_task);
  name(".back", words.back);
  name(".none", rows.length ? "" : words.none);
  options(part(wall, ".order"), ORDERS, order, words, words.sort);
  options(part(wall, ".filter"), FILTERS, filter, words, words.select);
  paintBoards(part(wall, ".boards"), ordered(rows, order, filter), words);
}

/**
 * @type {(select: HTMLSelectElement, values: string[], value: string, words: Record<string, string>, label: string)
 *   => void}
 */
function options(select, values, value, words, label) {
  if (select.options.length) return;
  select.append(...values.map((each) => new Option(words[each], each, false, each === value)));
  /** @type {HTMLElement} */ (select.previousElementSibling).textContent = label;
}

/**
 * Put the drawings into their order. An element stays with its number, so nothing is drawn twice.
 * @param {HTMLElement} list
 * @param {Row[]} shown
 * @param {Record<string, string>} words
 */
function paintBoards(list, shown, words) {
  const numberOf = (/** @type {Element} */ each) => Number(/** @type {HTMLElement} */ (each).dataset.number);
  const present = new Map([...list.children].map((each) => [numberOf(each), each]));
  const elements = shown.map((row) => {
    const element = /** @type {HTMLElement} */ (present.get(row[0])) ?? boardElement(row, words);
    present.delete(row[0]);
    paintBoard(element, row, words);
    return element;
  });
  for (const left of present.values()) {
    observer?.unobserve(left);
    inSight.delete(numberOf(left));
    left.remove();
  }
  elements.forEach((element, i) => {
    if (list.children[i] !== element) list.insertBefore(element, list.children[i] ?? null);
  });
}

/** @type {(row: Row, words: Record<string, string>) => HTMLElement} */
function boardElement([number], words) {
  const element = document.createElement("li");
  element.dataset.number = String(number);
  element.innerHTML = `<button type="button" class="board"><svg aria-hidden="true"><path class="boundary"/><path
    class="plus"/><path class="minus"/></svg><span></span></button><button type="button" class="remove">×</button>`;
  part(element, ".remove").setAttribute("aria-label", words.remove.replace("{n}", String(number)));
  observer?.observe(element);
  return element;
}

/** @type {(element: HTMLElement, row: Row, words: Record<string, string>) => void} */
function paintBoard(element, [number, passed, at, seal], words) {
  const sketch = sketches.get(number), key = [seal, passed, sketch?.[0]].join();
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.classList.toggle("passed", passed);
  part(element, "span").textContent = passed ? `${number} ✓` : String(number);
  const time = new Date(at).toLocaleTimeString();
  const name = words.project.replace("{n}", String(number)).replace("{time}", time);
  part(element, ".board").setAttribute("aria-label", passed ? `${name}, ${words.passed}` : name);
  if (sketch) paintSketch(part(element, "svg"), sketch[2]);
}
