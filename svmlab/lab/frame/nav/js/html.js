// @ts-check
// The HTML of the navigation: the bar, and the sheet that a button opens.

import { hrefOf } from "./address.js";

/** @import { Data, Group } from "./main.js" */

const MENU = '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12"/></svg>';
const DOWN = '<svg class="down" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 6.5l4 4 4-4"/></svg>';

/** @type {(data: Data) => string} */
export const navHtml = (data) => `
  <ul class="bar">${data.groups.map((group, i) => barHtml(data, group, i)).join("")}</ul>
  ${buttonHtml(data)}<div class="veil" hidden></div><div class="sheet" id="sheet" hidden>${data.groups.map((group, i) =>
    `<section><p id="of${i}">${esc(group.title)}</p>${linksHtml(data, group, `of${i}`)}</section>`).join("")}</div>`;

/**
 * The pages of the first group are in the bar itself, and those of every other group in its menu.
 * @type {(data: Data, group: Group, i: number) => string}
 */
const barHtml = (data, group, i) => (i === 0 ? itemsHtml(data, group) : `<li><button type="button" data-panel="menu${i}"
  id="to${i}" aria-controls="menu${i}" ${opened(data, group) ? 'class="here"' : ""}
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

/** @type {(data: Data, group: Group) => Group["pages"][number] | undefined} */
const opened = ({ at }, { pages }) => pages.find(({ path }) => path === at);

/** @type {Record<string, string>} */
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @type {(text: string) => string} */
const esc = (text) => text.replace(/[&<>"]/g, (c) => ESCAPED[c]);
