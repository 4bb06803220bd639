// @ts-check
// The legend: counts in three groups, and in the seven categories for the details.

import { esc, find, write } from "./dom.js";
import { icon } from "./icons.js";
import { shape, symbol } from "./marks.js";
import { memory } from "./memory.js";
import { views, word } from "./state.js";

/** @import { Entry, Label } from "./payload.js" */
/** @import { Chosen, State } from "./state.js" */

const FULL = 80; // from this number of points on, rings and slack may hide everything else
const NONE = { groups: [], cats: [], moreText: "" };

/** @type {(s: State) => string[]} */
const linesOf = ({ data: { caption } }) => caption.lines.map((parts) => parts.join(" · "));
/**
 * The caption on paper; of two boards each says which it is.
 * @type {(all: State[]) => string}
 */
const printed = (all) =>
  (all.length > 1 ? all.map((view, i) => ["AB"[i], ...linesOf(view)].join(" · ")) : all.flatMap(linesOf)).join("\n");

/** @param {State} s */
export function paintLegend(s) {
  write(s.el.caption, printed(views(s)));
  const { legend } = s.el, { groups, cats, moreText } = s.data.legend ?? NONE;
  const counts = groups.length ? [] : pointCounts(s);
  const names = [...groups, ...cats].map(({ key, text }) => [key, text]), full = s.m.pts.size >= FULL || memory.bare;
  const key = JSON.stringify([names, counts, moreText, memory.bare, full, word(s, "noPoints")]);
  if (key !== s.painted.legend) {
    s.painted.legend = key;
    const plain = s.data.legend ? countsHtml(s, counts) : "";
    legend.innerHTML = groups.length ? legendHtml(groups, cats, moreText, ringsHtml(s, full)) : plain;
  }
  for (const { key: name, count } of [...groups, ...cats]) {
    const button = find(legend, `[data-group="${name}"],[data-cat="${name}"]`, HTMLElement);
    write(find(button, ".n", HTMLElement), s.data.uncounted ? "" : String(count));
    button.setAttribute("aria-pressed", String(s.legendPinned?.key === name));
  }
  legend.querySelector('[data-act="more"]')?.setAttribute("aria-expanded", String(s.details));
  const rows = legend.querySelector(".cats");
  if (rows instanceof HTMLElement) rows.hidden = !s.details;
}

/**
 * How many points each class has, of the classes that have any.
 * @type {(s: State) => [label: Label, n: number][]}
 */
function pointCounts({ m, data: { labels } }) {
  const all = [...m.pts.values()].map(({ label }) => label);
  /** @type {(label: Label) => [Label, number]} */
  const counted = (label) => [label, all.filter((each) => each === label).length];
  return labels.map(counted).filter(([, n]) => n);
}

/**
 * What the legend shows without a classifier: the points of each class, or that there are none yet.
 * @type {(s: State, counts: [Label, number][]) => string}
 */
function countsHtml(s, counts) {
  const items = counts.map(([label, n]) => `<span class="item plain" data-label="${label}">`
    + '<svg class="symbol" viewBox="-8 -12 16 24" style="--wide: 16" aria-hidden="true">'
    + `${shape(label, 5, "body")}</svg>`
    + `<span>${esc(word(s, `class_${s.data.task}_${label}`))}</span><span class="n">${n}</span></span>`);
  return `<div class="row">${items.join("") || `<span class="item plain">${esc(word(s, "noPoints"))}</span>`}</div>`;
}

/** @type {(groups: Entry[], cats: Entry[], moreText: string, rings: string) => string} */
function legendHtml(groups, cats, moreText, rings) {
  const more = `<button type="button" class="more" data-act="more" aria-label="${esc(moreText)}">`
    + `<span>${esc(moreText)}</span>${icon("more")}</button>`;
  const row = groups.map((g) => item("group", g)).join(""), all = cats.map((c) => item("cat", c)).join("");
  return `<div class="row">${row}\n${rings}${more}</div><div class="row cats">${all}</div>`;
}

/**
 * The button that hides or shows rings and slack. On a full board it has words.
 * @type {(s: State, full: boolean) => string}
 */
function ringsHtml(s, full) {
  const title = esc(word(s, memory.bare ? "ringsShow" : "ringsHide"));
  const said = full ? `<span>${esc(word(s, "rings"))}</span>` : "";
  return `<button type="button" class="more rings" data-act="rings" aria-label="${title}" title="${title}"`
    + ` aria-pressed="${!memory.bare}">${said}${icon("rings")}</button>`;
}

/** @type {(kind: string, entry: Entry) => string} */
const item = (kind, { key, text }) => `<button type="button" class="item" data-${kind}="${esc(key)}">`
  + `${symbol(key, memory.bare)}<span>${esc(text)}</span><span class="n"></span></button>`;

/**
 * The legend entry to which this element belongs.
 * @param {State} s
 * @param {Element | null} target
 * @returns {Chosen | null}
 */
export function legendEntry(s, target) {
  const button = target?.closest("[data-group],[data-cat]");
  if (!(button instanceof HTMLElement)) return null;
  const { group, cat } = button.dataset;
  if (cat) return { key: cat, cats: [cat] };
  const entry = s.data.legend?.groups.find(({ key }) => key === group);
  return entry ? { key: entry.key, cats: entry.cats } : null;
}
