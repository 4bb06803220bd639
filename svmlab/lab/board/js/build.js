// @ts-check
// The elements of a board, made once.

import { find, make } from "./dom.js";
import { icon } from "./icons.js";
import { shape } from "./marks.js";

/** @import { Label } from "./payload.js" */
/** @import { State } from "./state.js" */
/** @typedef {ReturnType<typeof build>} Elements */
/** @typedef {"plus" | "minus"} Toggle */
/**
 * @typedef {Toggle | "eraser" | "bin" | "undo" | "redo" | "clear" | "zoomOut" | "zoomIn" | "fit" | "project" | "save"
 *   | "help"} Act
 */

/** @type {Act[][]} */
const GROUPS = [
  ["plus", "minus"],
  ["eraser", "bin", "undo", "redo", "clear"],
  ["zoomOut", "zoomIn", "fit"],
  ["project", "save", "help"],
];
/** @type {Set<Act>} */
const THUMB = new Set(["plus", "minus", "undo", "eraser"]);
/** @type {Record<Toggle, Label>} */
const LABELS = { plus: 1, minus: -1 };
export const TOGGLES = /** @type {[Toggle, Label][]} */ (Object.entries(LABELS));

/** @type {(act: Act) => act is Toggle} */
const isToggle = (act) => act in LABELS;

const LAYERS = `<g class="grid"></g><g class="pin"></g>
  <g class="lines"><path class="margin plus"/><path class="margin minus"/><path class="zero"/></g>
  <g class="overlay"></g><g class="film-layer overlay"></g><g class="ticks"></g><g class="slack"></g>
  <g class="witness under"></g><g class="points"></g><g class="hand"></g><g class="witness over"></g>
  <g class="cursor"></g><path class="leader"/>`;

const HTML = `<div class="bar top" role="toolbar"></div>
  <div class="scene"><canvas aria-hidden="true"></canvas>
    <svg class="plane" tabindex="0" role="application">${LAYERS}</svg>
    <div class="card empty" hidden></div><div class="hint" hidden></div><div class="tip" hidden></div>
    <div class="message" hidden>${icon("info")}<span></span>
      <button type="button" data-act="dismiss">${icon("close")}</button></div>
    <div class="card help" role="dialog" tabindex="-1" hidden></div></div>
  <div class="film" hidden></div><div class="sliders"></div><div class="bar thumb" role="toolbar"></div>
  <div class="legend"></div><div class="live" aria-live="polite"></div>
  <input type="file" accept=".csv,.json,.txt,text/csv,application/json" hidden>`;

/** @param {HTMLElement} root */
export function build(root) {
  root.innerHTML = HTML;
  /** @param {string} q */
  const html = (q) => find(root, q, HTMLElement);
  /** @param {string} q */
  const layer = (q) => find(root, `.plane ${q}`, SVGGElement);
  /** @param {string} q */
  const path = (q) => find(root, q, SVGPathElement);
  return {
    top: html(".top"), thumb: html(".thumb"), scene: html(".scene"), legend: html(".legend"),
    sliders: html(".sliders"), film: html(".film"), live: html(".live"), file: find(root, "input", HTMLInputElement),
    canvas: find(root, "canvas", HTMLCanvasElement), svg: find(root, ".plane", SVGSVGElement),
    tip: html(".tip"), hint: html(".hint"), empty: html(".empty"), help: html(".help"),
    message: html(".message"), messageText: html(".message span"), messageIcon: path(".message path"),
    messageClose: html(".message button"),
    grid: layer(".grid"), pin: layer(".pin"), overlay: layer(".overlay:not(.film-layer)"),
    filmLayer: layer(".film-layer"), ticks: layer(".ticks"), slack: layer(".slack"), under: layer(".witness.under"),
    points: layer(".points"), hand: layer(".hand"), over: layer(".witness.over"), cursor: layer(".cursor"),
    zero: path(".lines .zero"), plus: path(".lines .plus"), minus: path(".lines .minus"), leader: path(".leader"),
    buttons: makeButtons(), menu: makeMenu(),
  };
}

const makeButtons = () =>
  /** @type {Record<Act, HTMLButtonElement>} */ (
    Object.fromEntries(GROUPS.flat().map((act) => [act, makeButton(act)])));

/** @param {Act} act */
function makeButton(act) {
  const button = make("button", { type: "button", className: isToggle(act) ? "toggle" : "tool" });
  button.dataset.act = act;
  button.innerHTML = isToggle(act)
    ? `<svg class="mark" viewBox="-10 -10 20 20" aria-hidden="true" data-label="${LABELS[act]}">`
      + `${shape(LABELS[act], 7.5, "body")}</svg><span class="long"></span><span class="short"></span>`
    : icon(act);
  return button;
}

const makeMenu = () => make("div", {
  className: "menu",
  hidden: true,
  innerHTML: '<button type="button" data-act="saveSvg"></button><button type="button" data-act="savePng"></button>',
});

/**
 * On a narrow screen what is used all the time sits below the scene, within reach of a thumb.
 * @param {State} s
 * @param {boolean} phone
 */
export function arrange(s, phone) {
  const { top, thumb, buttons, menu } = s.el;
  s.phone = phone;
  s.root.classList.toggle("phone", phone);
  top.replaceChildren();
  thumb.replaceChildren();
  for (const group of GROUPS) {
    for (const bar of [top, thumb]) {
      const acts = group.filter((act) => (phone && THUMB.has(act)) === (bar === thumb));
      if (!acts.length) continue;
      const box = make("div", { className: acts.includes("plus") ? "group classes" : "group" });
      box.append(...acts.map((act) => buttons[act]));
      if (acts.includes("save")) box.append(menu);
      bar.append(box);
    }
  }
}
