// @ts-check
// Small helper functions for elements.

/**
 * Return the element that must exist.
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
 * Return a new element with these properties.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Partial<HTMLElementTagNameMap[K]>} properties
 */
export const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

/**
 * Return the nearest matching element around the target of an event.
 * @param {Event} e
 * @param {string} selector
 */
export const closestToEvent = (e, selector) =>
  e.target instanceof Element ? e.target.closest(selector) : null;

/**
 * Write an attribute only if it changes.
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean} value
 */
export function mark(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/**
 * Write a text only if it changes.
 * @param {Node} node
 * @param {string} text
 */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @type {Record<string, string>} */
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Escape a text for HTML.
 * @param {unknown} text
 */
export const esc = (text) => String(text ?? "").replace(/[&<>"]/g, (c) => ESCAPED[c]);

/** Whether the person prefers reduced motion. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
