// @ts-check
// Colours and words: the theme of the page, and the names of the buttons.

import { TOGGLES } from "./build.js";
import { esc, find } from "./dom.js";
import { icon } from "./icons.js";
import { shape } from "./marks.js";
import { word } from "./state.js";

/** @import { Rgb, State } from "./state.js" */

const INKS = ["plus", "minus", "third", "fourth"];

/** @type {(text: string) => Rgb} */
function rgb(text) {
  const [r = 255, g = 255, b = 255] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [r, g, b];
}

/** @type {(colour: Rgb) => number} */
function luminance(colour) {
  const [r, g, b] = colour.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * Copy the colours of the page, and return whether they have changed.
 * @param {State} s
 */
export function theme(s) {
  const style = getComputedStyle(s.root);
  s.paper = rgb(style.backgroundColor);
  const name = luminance(s.paper) < 0.2 ? "dark" : "light", key = name + s.paper, changed = key !== s.painted.theme;
  s.root.dataset.theme = name; // before the colours of the classes are read, which depend on the theme
  const [first, second, third, fourth] = INKS.map((ink) => rgb(style.getPropertyValue(`--${ink}-rgb`)));
  s.ink = { 1: first, [-1]: second, 2: second, 3: third, 4: fourth };
  s.painted.theme = key;
  return changed;
}

/** @param {State} s */
export function words(s) {
  const { task, labels, text } = s.data, key = JSON.stringify([task, text]);
  if (key === s.painted.words) return;
  s.painted.words = key;
  const { buttons, menu, top, thumb, svg, keys, messageClose, help } = s.el;
  for (const [act, button] of Object.entries(buttons)) name(button, word(s, act), word(s, act));
  for (const [i, act] of TOGGLES.entries()) {
    const label = labels[i], button = buttons[act], mark = find(button, ".mark", SVGElement);
    button.hidden = label === undefined || labels.length === 1;
    if (label === undefined) continue;
    const long = word(s, `class_${task}_${label}`);
    name(button, long, word(s, `new_${task}_${label}`));
    find(button, ".long", HTMLElement).textContent = long;
    find(button, ".short", HTMLElement).textContent = word(s, `short_${task}_${label}`);
    mark.dataset.label = String(label);
    mark.innerHTML = shape(label, 7.5, "body");
  }
  for (const b of menu.querySelectorAll("button")) {
    b.textContent = word(s, b.dataset.act ?? "");
    b.hidden = !s.data.handout && (b.dataset.act ?? "").startsWith("handout");
  }
  for (const bar of [top, thumb]) bar.setAttribute("aria-label", word(s, "toolbar"));
  svg.setAttribute("aria-label", word(s, `scene_${task}`));
  keys.textContent = word(s, "sceneKeys");
  messageClose.setAttribute("aria-label", word(s, "close"));
  help.setAttribute("aria-label", word(s, "help"));
  help.innerHTML = helpHtml(s);
}

/** @type {(button: HTMLElement, label: string, title: string) => void} */
function name(button, label, title) {
  button.title = title;
  button.setAttribute("aria-label", label);
}

/** @param {State} s */
function helpHtml(s) {
  const rows = (s.data.text.helpCard ?? []).map(([key, what]) => `<dt>${esc(key)}</dt><dd>${esc(what)}</dd>`).join("");
  const close = `<button type="button" class="tool" data-act="closeHelp" aria-label="${esc(word(s, "close"))}">`;
  return `<header><strong>${esc(word(s, "help"))}</strong>${close}${icon("close")}</button></header><dl>${rows}</dl>`;
}
