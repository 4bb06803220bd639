// @ts-check
// A blank screen: black over everything until the next key or click, which does nothing else.

import { make } from "./dom.js";

/**
 * @param {string} label what a screen reader says
 */
export function blankScreen(label) {
  const over = make("dialog", { className: "sv-blank", tabIndex: -1 }), end = new AbortController();
  over.setAttribute("aria-label", label);
  document.body.append(over);
  over.showModal();
  /** @param {Event} e */
  const leave = (e) => {
    if (e instanceof KeyboardEvent && e.repeat) return; // B is still held down
    e.preventDefault();
    e.stopImmediatePropagation();
    end.abort();
    over.close();
    over.remove();
  };
  const ear = { capture: true, signal: end.signal };
  for (const type of ["keydown", "click"]) addEventListener(type, leave, ear); // before anything on the page
  over.addEventListener("cancel", leave, ear);
}
