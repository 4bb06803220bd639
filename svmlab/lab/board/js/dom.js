// @ts-check
// Small helpers for elements.

/**
 * The element that must be there.
 * @template {Element} T
 * @param {ParentNode} where
 * @param {string} selector
 * @param {new () => T} kind
 */
export function find(where, selector, kind) {
  const element = where.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`${selector} is missing`);
  return element;
}

/**
 * A new element with some of its properties.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Partial<HTMLElementTagNameMap[K]>} properties
 */
export const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

/**
 * The nearest element around the place of an event that matches.
 * @param {Event} e
 * @param {string} selector
 */
export const around = (e, selector) =>
  e.target instanceof Element ? e.target.closest(selector) : null;

/**
 * An attribute, written only where it changes.
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean} value
 */
export function mark(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/**
 * Words, written only where they change.
 * @param {Node} node
 * @param {string} text
 */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @type {Record<string, string>} */
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Text that stands in HTML as it is.
 * @param {unknown} text
 */
export const esc = (text) => String(text ?? "").replace(/[&<>"]/g, (c) => ESCAPED[c]);

/** Whether nothing shall move that need not. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
