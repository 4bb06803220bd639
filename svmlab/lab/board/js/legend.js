// @ts-check
// The legend: counts in three groups, and in the seven categories for the details.

import { esc, find, write } from "./dom.js";
import { icon } from "./icons.js";
import { symbol } from "./marks.js";
import { memory } from "./memory.js";
import { views, word } from "./state.js";

/** @import { Entry } from "./payload.js" */
/** @import { Chosen, State } from "./state.js" */

const FULL = 80; // from this number of points on, rings and slack may hide everything else
const NONE = { groups: [], cats: [], moreText: "" };

/** @type {(s: State) => string[]} */
const told = ({ data: { caption } }) => caption.lines.map((parts) => parts.join(" · "));

/** @param {State} s */
export function paintLegend(s) {
  write(s.el.caption, views(s).flatMap(told).join("\n"));
  const { legend } = s.el, { groups, cats, moreText } = s.data.legend ?? NONE;
  const names = [...groups, ...cats].map(({ key, text }) => [key, text]), full = s.m.pts.size >= FULL || memory.bare;
  const key = JSON.stringify([names, moreText, memory.bare, full]);
  if (key !== s.painted.legend) {
    s.painted.legend = key;
    legend.innerHTML = groups.length ? legendHtml(groups, cats, moreText, ringsHtml(s, full)) : "";
  }
  for (const { key: name, count } of [...groups, ...cats]) {
    const button = find(legend, `[data-group="${name}"],[data-cat="${name}"]`, HTMLElement);
    write(find(button, ".n", HTMLElement), String(count));
    button.setAttribute("aria-pressed", String(s.legendPinned?.key === name));
  }
  legend.querySelector('[data-act="more"]')?.setAttribute("aria-expanded", String(s.details));
  const rows = legend.querySelector(".cats");
  if (rows instanceof HTMLElement) rows.hidden = !s.details;
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
