// @ts-check
// The HTML of the navigation: the bar, and the sheet that a button opens.

import { hrefOf } from "./address.js";

/** @import { Data, Group } from "./main.js" */
/** @import { Match } from "./search.js" */

const MENU = '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12"/></svg>';
const LENS = '<svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="7" cy="7" r="4.2"/><path d="M10.2 10.2L14 14"/>'
  + "</svg>";
const DOWN = '<svg class="down" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 6.5l4 4 4-4"/></svg>';

/** @type {(data: Data) => string} */
export const navHtml = (data) => `
  <ul class="bar">${data.groups.map((group, i) => barHtml(data, group, i)).join("")}<li><button type="button"
    data-panel="notation" aria-controls="notation" aria-expanded="false"><span>${esc(data.notation.title)}</span>${DOWN
    }</button><div class="menu notation" id="notation" tabindex="-1" hidden>${notationHtml(data, "m")}</div></li></ul>
  ${buttonHtml(data)}${findHtml(data)}<div class="veil" hidden></div>
  <div class="sheet" id="sheet" tabindex="-1" hidden>${
    data.groups.map((group, i) => `<section><p id="of${i}">${esc(group.title)}</p>${linksHtml(data, group, `of${i}`)
    }</section>`).join("")}<details class="notation"><summary>${esc(data.notation.title)}</summary>${
    notationHtml(data, "s")}</details><button type="button" class="room">${esc(data.room)}</button>
  </div>`;

/**
 * The pages of the first group, and a page that is alone in its group, are in the bar itself. Others are in a menu.
 * @type {(data: Data, group: Group, i: number) => string}
 */
const barHtml = (data, group, i) => (i === 0 || group.pages.length === 1 ? itemsHtml(data, group) : `<li><button
  type="button" data-panel="menu${i}" id="to${i}" aria-controls="menu${i}" ${opened(data, group) ? 'class="here"' : ""}
  >${groupHtml(data, group)}${DOWN}</button>
  <div class="menu" id="menu${i}" hidden>${linksHtml(data, group, `to${i}`)}</div></li>`);

/** @type {(data: Data, group: Group, by: string) => string} */
const linksHtml = (data, group, by) => `<ul aria-labelledby="${by}">${itemsHtml(data, group)}</ul>`;

/** @type {(data: Data, group: Group) => string} */
const itemsHtml = ({ at }, { pages }) => pages.map(({ path, title }) => `<li><a href="${esc(hrefOf(path))}"
  data-path="${esc(path)}" ${path === at ? 'aria-current="page"' : ""}>${esc(title)}</a></li>`).join("");

/** @type {(data: Data, group: Group) => string} */
function groupHtml(data, group) {
  const page = opened(data, group), said = page && page.title !== group.title ? `<b>${esc(page.title)}</b>` : "";
  return `<span>${esc(group.title)}</span>${said}`;
}

/** @type {(data: Data) => string} */
function buttonHtml(data) {
  const page = data.groups.map((group) => opened(data, group)).find(Boolean);
  const said = page ? `<b>${esc(page.title)}</b>` : "";
  return `<button type="button" class="all" data-panel="sheet" aria-controls="sheet" aria-label="${esc(data.label)}${
    page ? `: ${esc(page.title)}` : ""}">${MENU}<span>${esc(data.label)}</span>${said}</button>`;
}

/**
 * The field of the search: a button that opens it, and the field with what it finds. The list of results is filled in
 * while one types.
 * @type {(data: Data) => string}
 */
const findHtml = ({ search: { label, hint } }) => `<button type="button" class="find" data-panel="find"
  aria-controls="find" aria-expanded="false" aria-keyshortcuts="/" title="${esc(label)} (/)" aria-label="${esc(label)}"
  >${LENS}<span>${esc(label)}</span><kbd>/</kbd></button>
  <div class="found" id="find" role="search" tabindex="-1" hidden><div class="ask">${LENS}<input
    type="search" role="combobox"
    aria-label="${esc(label)}" aria-controls="results" aria-expanded="false" aria-autocomplete="list" autocomplete="off"
    autocapitalize="none" spellcheck="false" enterkeyhint="go" placeholder="${esc(hint)}"></div>
    <div id="results" role="listbox" aria-label="${esc(label)}"></div><p class="none" role="status"></p></div>`;

/**
 * The results in groups: of each kind its name and its entries, with the part that matches marked.
 * @type {(groups: [kind: string, matches: Match[]][], kinds: Record<string, string>) => string}
 */
export function resultsHtml(groups, kinds) {
  let n = 0;
  return groups.map(([kind, matches]) => `<div role="group" aria-labelledby="kind-${kind}"><p id="kind-${kind}">${
    esc(kinds[kind])}</p>${matches.map(({ entry, marks }) => `<a role="option" id="result${n++}" aria-selected="false"
    tabindex="-1" href="${esc(hrefOf(entry[3]))}" data-way="${esc(entry[3])}"><span>${
    markedHtml(entry[1], marks)}</span>${
    entry[2] ? `<i>${esc(entry[2])}</i>` : ""}</a>`).join("")}</div>`).join("");
}

/** @type {(text: string, marks: [number, number][]) => string} */
function markedHtml(text, marks) {
  let at = 0, html = "";
  for (const [start, end] of marks) {
    html += `${esc(text.slice(at, start))}<mark>${esc(text.slice(start, end))}</mark>`;
    at = end;
  }
  return html + esc(text.slice(at));
}

/** @type {(data: Data, by: string) => string} */
const notationHtml = ({ notation: { rows, at, about } }, by) => `${rows.map(({ name, title, options }) =>
  `<fieldset><legend>${esc(title)}</legend>${options.map(([value, text], i) => `<label><input type="radio"
  name="${by}-${name}" data-name="${name}" data-option="${i}" ${at[name] === value ? "checked" : ""}><span>${esc(text)
  }</span></label>`).join("")}</fieldset>`).join("")}<small>${esc(about)}</small>`;

/** @type {(data: Data, group: Group) => Group["pages"][number] | undefined} */
const opened = ({ at }, { pages }) => pages.find(({ path }) => path === at);

/** @type {Record<string, string>} */
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @type {(text: string) => string} */
const esc = (text) => text.replace(/[&<>"]/g, (c) => ESCAPED[c]);
