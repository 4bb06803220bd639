// @ts-check
// All event listeners of a board, until the board is removed.

import { watchCharts } from "./charts.js";
import { clicked, closeOverlays, previewLegend, readFile } from "./buttons.js";
import { watchConnection } from "./connection.js";
import { activate } from "./edit.js";
import { filmTo, slideEnded, sliderMoved } from "./inputs.js";
import { ARROWS, nudgeEnded, pageKey, sceneKey } from "./keys.js";
import { projectedTypeSize } from "./layout.js";
import { layout, repaint } from "./paint.js";
import { letUserTakeOver } from "./play.js";
import { cancelGesture, hover, pointerDown, pointerMove, pointerUp, touchStart } from "./pointer.js";
import { paintCursor } from "./scene.js";
import { isSmall, showField } from "./phone_board.js";
import { views } from "./state.js";
import { toolbarKey } from "./toolbar.js";
import { boardName } from "./second_board.js";
import { reconnected, report } from "./messages.js";
import { theme } from "./words.js";

/** @import { State } from "./state.js" */

/** @param {State} s */
export function listen(s) {
  const ear = { signal: s.listening.signal };
  scene(s, ear);
  sliders(s, ear);
  page(s, ear);
  watchCharts(s, ear);
  watchConnection(s, () => reconnected(s));
  const { root, el: { legend, file } } = s;
  root.addEventListener("keydown", (e) => toolbarKey(s, e), ear);
  root.addEventListener("click", (e) => clicked(s, e), ear);
  root.addEventListener("keydown", (e) => {
    if (e.key === "Escape" && closeOverlays(s)) e.stopPropagation();
  }, ear);
  legend.addEventListener("pointerover", (e) => previewLegend(s, e), ear);
  legend.addEventListener("pointerout", (e) => previewLegend(s, e), ear);
  file.addEventListener("change", () => {
    readFile(s, file.files?.[0]);
    file.value = "";
  }, ear);
}

/**
 * The listeners of a second board that it does not share with the first. Pressing either board selects the SVM that
 * the controls change.
 * @param {State} secondBoard
 */
export function listenToSecondBoard(secondBoard) {
  const ear = { signal: secondBoard.listening.signal };
  scene(secondBoard, ear);
  sliders(secondBoard, ear);
  secondBoard.el.view.addEventListener("click", (e) => {
    clicked(secondBoard, e);
    e.stopPropagation();
  }, ear);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => slideEnded(secondBoard), ear);
  for (const view of views(secondBoard)) {
    view.el.svg.addEventListener("pointerdown", () => activate(view, boardName(view)), { ...ear, capture: true });
  }
}

/** @type {(s: State, ear: {signal: AbortSignal}) => void} */
function scene(s, ear) {
  const { svg, scene: area } = s.el;
  svg.addEventListener("pointerdown", (e) => pointerDown(s, e), ear);
  svg.addEventListener("pointermove", (e) => pointerMove(s, e), ear);
  svg.addEventListener("pointerup", (e) => pointerUp(s, e), ear);
  svg.addEventListener("pointercancel", (e) => s.gesture?.pointer === e.pointerId && cancelGesture(s), ear);
  svg.addEventListener("pointerleave", () => {
    s.pointer = null;
    hover(s);
  }, ear);
  svg.addEventListener("contextmenu", (e) => e.preventDefault(), ear);
  svg.addEventListener("touchstart", (e) => touchStart(s, e), { ...ear, passive: false });
  svg.addEventListener("keydown", (e) => sceneKey(s, e), ear);
  svg.addEventListener("keyup", (e) => ARROWS[e.key] && nudgeEnded(s), ear);
  svg.addEventListener("blur", () => {
    nudgeEnded(s);
    s.cursor.on = false;
    paintCursor(s);
  }, ear);
  area.addEventListener("dragover", (e) => e.preventDefault(), ear);
  area.addEventListener("drop", (e) => {
    e.preventDefault();
    readFile(s, e.dataTransfer?.files[0]);
  }, ear);
}

/** @type {(s: State, ear: {signal: AbortSignal}) => void} */
function sliders(s, ear) {
  const { sliders: box, film } = s.el;
  const released = () => {
    if (s.slideBy === "keys") slideEnded(s);
  };
  box.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement) sliderMoved(s, target, true);
  }, ear);
  box.addEventListener("change", ({ target }) => {
    if (!s.slideBy && target instanceof HTMLInputElement) sliderMoved(s, target, false);
  }, ear);
  box.addEventListener("keydown", () => void (s.slideBy ??= "keys"), ear);
  box.addEventListener("pointerdown", () => void (s.slideBy = "pointer"), ear);
  box.addEventListener("keyup", released, ear);
  box.addEventListener("focusout", released, ear);
  film.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement) filmTo(s, Number(target.value));
  }, ear);
  film.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    s.filmSpeed = Number(target.value);
    target.blur(); // so that the keys of the page work again
  }, ear);
}

/** @type {(s: State, ear: {signal: AbortSignal}) => void} */
function page(s, ear) {
  /** @param {string} by */
  const sees = (by) => void (s.root.dataset.input = by); // the focus ring is shown only for keys
  document.addEventListener("keydown", () => sees("keys"), { ...ear, capture: true });
  document.addEventListener("pointerdown", () => sees("pointer"), { ...ear, capture: true });
  document.addEventListener("keydown", (e) => letUserTakeOver(s, e), { ...ear, capture: true });
  document.addEventListener("click", (e) => letUserTakeOver(s, e), { ...ear, capture: true });
  s.root.addEventListener("pointerdown", (e) => letUserTakeOver(s, e), { ...ear, capture: true });
  document.addEventListener("keydown", (e) => pageKey(s, e), ear);
  document.addEventListener("svmlab:turned", (e) => {
    if (e instanceof CustomEvent) report(s, { op: "turn", ...e.detail });
  }, ear);
  document.addEventListener("pointerup", () => slideEnded(s), ear);
  document.addEventListener("pointercancel", () => slideEnded(s), ear);
  document.addEventListener("pointerdown", (e) => {
    const { menu } = s.el;
    if (!menu.parentNode || !e.composedPath().includes(menu.parentNode)) menu.hidden = true;
  }, ear);
  window.addEventListener("resize", () => {
    layout(s);
    showField(s);
    clearTimeout(s.timers.resize);
    s.timers.resize = setTimeout(() => fitType(s), 400);
  }, ear);
  window.visualViewport?.addEventListener("resize", () => {
    layout(s);
    showField(s);
  }, ear);
  document.addEventListener("scroll", () => s.phone && s.small !== isSmall(s) && layout(s), { ...ear, capture: true });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", () => requestAnimationFrame(() => repaint(s)), ear);
  watchSize(s);
  s.themes = new MutationObserver(() => requestAnimationFrame(() => theme(s) && repaint(s)));
  for (const el of [document.documentElement, document.body]) {
    s.themes.observe(el, { attributes: true, attributeFilter: ["style", "class", "data-theme"] });
  }
}

/**
 * Draw the board again where its size changes, and in the colours of paper where the page is printed.
 * @param {State} s
 */
export function watchSize(s) {
  s.watch = new ResizeObserver(() => layout(s));
  s.watch.observe(s.root);
  matchMedia("print").addEventListener("change", () => repaint(s), { signal: s.listening.signal });
}

/**
 * In projector mode the font size of the charts, which Python draws, follows the height of the screen too.
 * @param {State} s
 */
function fitType(s) {
  const type = projectedTypeSize();
  if (s.alive && s.m.projector && Math.abs(type - s.data.type) > 1) report(s, { op: "project", on: true, type });
}
