// @ts-check
// Elements with their text, and the addresses of links. Text from outside becomes text, never markup.

/** The app's own address: that of this script without the part that belongs to Streamlit. */
const BASE = import.meta.url.split("_stcore/")[0];

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]> & {data?: Record<string, string>}} [properties]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const { data = {}, ...rest } = properties, element = Object.assign(document.createElement(tag), rest);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

/** @type {(words: string, act: string, name?: string) => HTMLButtonElement} */
export const button = (words, act, name) =>
  make("button", { type: "button", textContent: words, ariaLabel: name ?? null, data: { act } });

/**
 * A real link, for another tab. A plain click on it is for the page to handle.
 * @param {string} address below that of the app
 * @param {string} act
 * @param {(Node | string)[]} children
 */
export const link = (address, act, ...children) => make("a", { href: BASE + address, data: { act } }, ...children);

/** @type {(boards: string) => string} */
export const boardAddress = (board) => `lab?s=${board}`;

/** @type {(template: string, values: Record<string, string | number>) => string} */
export const filled = (template, values) =>
  template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

/** @type {(e: MouseEvent) => boolean} */
export const isPlain = (e) => !e.button && !e.ctrlKey && !e.metaKey && !e.shiftKey && !e.altKey;
