// @ts-check
// The elements of a board, which are created once.

import { find, make } from "./dom.js";
import { icon } from "./icons.js";

/** @import { State } from "./state.js" */
/** @typedef {ReturnType<typeof build>} Elements */
/** @typedef {"plus" | "minus" | "third" | "fourth"} Toggle the class of new points, by its index in `labels` */
/**
 * @typedef {Toggle | "eraser" | "bin" | "undo" | "redo" | "given" | "clear" | "zoomOut" | "zoomIn" | "fit" | "project"
 *   | "save" | "share" | "help"} Act
 */

/** @type {Act[][]} */
const GROUPS = [
  ["plus", "minus", "third", "fourth"],
  ["eraser", "bin", "undo", "redo", "given", "clear"],
  ["zoomOut", "zoomIn", "fit"],
  ["project", "save", "share", "help"],
];
/** @type {Set<Act>} */
const THUMB = new Set(["plus", "minus", "third", "fourth", "undo", "eraser"]);
/** @type {Toggle[]} */
export const TOGGLES = ["plus", "minus", "third", "fourth"];

/** @type {(act: Act) => act is Toggle} */
const isToggle = (act) => TOGGLES.some((toggle) => toggle === act);

const LAYERS = `<g class="scenery" aria-hidden="true"><g class="grid"></g><g class="pin"></g>
  <g class="class-layer overlay"></g>
  <g class="lines"><path class="tube"/><path class="margin plus"/><path class="margin minus"/><path class="zero"/></g>
  <g class="overlay"></g><g class="film-layer overlay"></g><g class="ticks"></g><g class="slack"></g>
  <g class="witness under"></g><g class="points"></g><g class="hand"></g><g class="witness over"></g>
  <g class="cursor"></g><path class="leader"/></g>`;

/**
 * A scene with the elements over it.
 * @param {string} cards
 */
export const plane = (cards) => `<div class="scene"><canvas aria-hidden="true"></canvas>
    <svg class="plane" tabindex="0" role="application" aria-describedby="keys">${LAYERS}</svg>
    ${cards}<div class="hint" aria-hidden="true" hidden></div><div class="tip" aria-hidden="true" hidden></div>
    <div class="message" hidden>${icon("info")}<span></span>
      <button type="button" data-act="dismiss">${icon("close")}</button></div></div>`;

const CARDS = `<div class="card empty" hidden></div><div class="card help" role="dialog" tabindex="-1" hidden></div>`;
const HTML = `<div class="bar top" role="toolbar"></div><div class="names" hidden></div>
  <div class="views"><div class="view">${plane(CARDS)}
    <div class="film" hidden></div><div class="sliders"></div></div></div>
  <div class="bar thumb" role="toolbar"></div>
  <div class="legend"></div><div class="caption" aria-hidden="true"></div><p id="keys" hidden></p>
  <div class="live" aria-live="polite"><p class="said"></p><p class="heard"></p></div>
  <input type="file" accept=".csv,.tsv,.txt,.json,text/csv,application/json" hidden>`;

/** @param {HTMLElement} root */
export function build(root) {
  root.innerHTML = HTML;
  /** @param {string} q */
  const html = (q) => find(root, q, HTMLElement);
  return {
    ...partsOf(html(".view")),
    top: html(".top"), names: html(".names"), views: html(".views"), thumb: html(".thumb"), legend: html(".legend"),
    caption: html(".caption"), film: html(".film"), keys: html("#keys"), said: html(".said"), heard: html(".heard"),
    file: find(root, "input", HTMLInputElement), empty: html(".empty"), help: html(".help"),
    buttons: makeButtons(), menu: makeMenu(),
  };
}

/**
 * The elements of one view: its scene with the elements over it, and its sliders.
 * @param {HTMLElement} view
 */
export function partsOf(view) {
  /** @param {string} q */
  const html = (q) => find(view, q, HTMLElement);
  /** @param {string} q */
  const layer = (q) => find(view, `.plane ${q}`, SVGGElement);
  /** @param {string} q */
  const path = (q) => find(view, q, SVGPathElement);
  return {
    view, scene: html(".scene"), sliders: html(".sliders"), canvas: find(view, "canvas", HTMLCanvasElement),
    svg: find(view, ".plane", SVGSVGElement), tip: html(".tip"), hint: html(".hint"),
    message: html(".message"), messageText: html(".message span"), messageIcon: path(".message path"),
    messageClose: html(".message button"),
    grid: layer(".grid"), pin: layer(".pin"), overlay: layer(".overlay:not(.film-layer, .class-layer)"),
    classLayer: layer(".class-layer"),
    filmLayer: layer(".film-layer"), ticks: layer(".ticks"), slack: layer(".slack"), under: layer(".witness.under"),
    points: layer(".points"), hand: layer(".hand"), over: layer(".witness.over"), cursor: layer(".cursor"),
    tube: path(".lines .tube"), zero: path(".lines .zero"), plus: path(".lines .plus"),
    minus: path(".lines .minus"), leader: path(".leader"),
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
    ? '<svg class="mark" viewBox="-10 -10 20 20" aria-hidden="true"></svg>'
      + '<span class="long"></span><span class="short"></span>'
    : icon(act);
  return button;
}

/** @type {import("./buttons.js").ActionName[]} */
const MENU = ["saveSvg", "savePng", "copyPng", "filmWebm", "print", "handoutQuestions", "handoutAnswers"];

const makeMenu = () => make("div", {
  className: "menu",
  hidden: true,
  innerHTML: MENU.map((act) => `<button type="button" data-act="${act}"></button>`).join(""),
});

/**
 * On a narrow screen the buttons that are used all the time are below the scene, within reach of a thumb, unless a
 * lesson needs that space.
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
      const acts = group.filter((act) => (phone && !s.data.lesson && THUMB.has(act)) === (bar === thumb));
      if (!acts.length) continue;
      const box = make("div", { className: acts.includes("plus") ? "group classes" : "group" });
      box.append(...acts.map((act) => buttons[act]));
      if (acts.includes("save")) box.append(menu);
      bar.append(box);
    }
  }
}
