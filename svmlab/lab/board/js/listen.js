// @ts-check
// Who hears what: every listener of a board, until it is taken down.

import { clicked, closeOverlays, previewLegend, readFile } from "./buttons.js";
import { filmTo, slid, slideEnded } from "./inputs.js";
import { ARROWS, nudgeEnded, pageKey, sceneKey } from "./keys.js";
import { layout, repaint } from "./paint.js";
import { cancelGesture, hover, pointerDown, pointerMove, pointerUp, touchStart } from "./pointer.js";
import { paintCursor } from "./scene.js";
import { theme } from "./words.js";

/** @import { State } from "./state.js" */

/** @param {State} s */
export function listen(s) {
  const ear = { signal: s.off.signal };
  scene(s, ear);
  sliders(s, ear);
  page(s, ear);
  const { root, el: { legend, file } } = s;
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
  svg.addEventListener("focus", () => void (s.leaving = false), ear);
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
  box.addEventListener("input", ({ target }) => target instanceof HTMLInputElement && slid(s, target, true), ear);
  box.addEventListener("change", ({ target }) => {
    if (!s.slideBy && target instanceof HTMLInputElement) slid(s, target, false);
  }, ear);
  box.addEventListener("keydown", () => void (s.slideBy ??= "keys"), ear);
  box.addEventListener("pointerdown", () => void (s.slideBy = "pointer"), ear);
  box.addEventListener("keyup", released, ear);
  box.addEventListener("focusout", released, ear);
  film.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement) filmTo(s, Number(target.value));
  }, ear);
  film.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement) s.filmSpeed = Number(target.value);
  }, ear);
}

/** @type {(s: State, ear: {signal: AbortSignal}) => void} */
function page(s, ear) {
  /** @param {string} by */
  const sees = (by) => void (s.root.dataset.input = by); // who sees the focus ring
  document.addEventListener("keydown", () => sees("keys"), { ...ear, capture: true });
  document.addEventListener("pointerdown", () => sees("pointer"), { ...ear, capture: true });
  document.addEventListener("keydown", (e) => pageKey(s, e), ear);
  document.addEventListener("pointerup", () => slideEnded(s), ear);
  document.addEventListener("pointercancel", () => slideEnded(s), ear);
  document.addEventListener("pointerdown", (e) => {
    const { menu } = s.el;
    if (!menu.parentNode || !e.composedPath().includes(menu.parentNode)) menu.hidden = true;
  }, ear);
  window.addEventListener("resize", () => layout(s), ear);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", () => requestAnimationFrame(() => repaint(s)), ear);
  s.watch = new ResizeObserver(() => layout(s));
  s.watch.observe(s.root);
  s.themes = new MutationObserver(() => requestAnimationFrame(() => theme(s) && repaint(s)));
  for (const el of [document.documentElement, document.body]) {
    s.themes.observe(el, { attributes: true, attributeFilter: ["style", "class", "data-theme"] });
  }
}
