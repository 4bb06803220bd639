// @ts-check
// All drawing, in order.

import { TOGGLES } from "./build.js";
import { mark } from "./dom.js";
import { paintFilm } from "./film.js";
import { sendToCanvas, sendToTable } from "./followers.js";
import { layoutIsFinal, measure } from "./layout.js";
import { paintLegend } from "./legend.js";
import { paintHandLine } from "./hand_line.js";
import { memory, rememberProjected } from "./memory.js";
import { paintEmpty, paintMessage, paintTip } from "./overlays.js";
import { paintPoints } from "./points.js";
import { unacknowledged } from "./queue.js";
import { replay } from "./replay.js";
import { paintCursor, paintGrid, paintLines, paintShade, paintSlack, paintWitness } from "./scene.js";
import { paintSliders } from "./sliders.js";
import { views } from "./state.js";
import { paintStops } from "./toolbar.js";
import { paintNames } from "./second_board.js";
import { theme } from "./words.js";

/** @import { State } from "./state.js" */

const DIM_MS = 300;

/**
 * Compute the model again and draw everything that follows from it, except the lines and the shading.
 * @param {State} s
 */
export function refresh({ firstBoard: s }) {
  s.m = replay(s.data, unacknowledged(s));
  for (const id of s.erased) s.m.pts.delete(id);
  for (const id of s.m.pts.keys()) memory.maxId = Math.max(memory.maxId, id);
  document.documentElement.classList.toggle("sv-projected", s.m.projector); // the page changes together with the board
  rememberProjected(s.m.projector);
  if (s.data.hidden) return void paintStops(s);
  if ((s.root.dataset.projector === "1") !== s.m.projector) layout(s);
  if (s.m.view !== s.painted.view) return repaint(s);
  paintEmpty(s); // before the message, which does not cover it
  for (const view of views(s)) paintView(view);
  paintControls(s);
  paintNames(s);
  sendToCanvas(s);
  sendToTable(s);
  paintStops(s);
}

/** @param {State} s */
function paintView(s) {
  paintPoints(s);
  paintHandLine(s);
  paintSlack(s);
  paintSliders(s);
  paintTip(s);
  paintMessage(s);
}

/**
 * Draw everything.
 * @param {State} s
 */
export function repaint({ firstBoard: s }) {
  if (s.data.hidden) return void refresh(s);
  if (!s.size) return;
  theme(s);
  for (const view of views(s)) {
    view.painted.view = s.m.view;
    view.painted.theme = s.painted.theme;
    mark(view.el.svg, "viewBox", `0 0 ${s.size} ${s.size}`);
    paintShade(view);
    paintGrid(view);
    paintLines(view);
    paintWitness(view);
    paintCursor(view);
  }
  refresh(s);
  paintFilm(s);
  paintStops(s);
}

/**
 * Draw everything that follows from the solution, during a drag.
 * @param {State} s
 */
export function paintPicture(s) {
  markFresh(s);
  s.m = replay(s.data, unacknowledged(s));
  for (const view of views(s)) {
    paintShade(view);
    paintLines(view);
    paintWitness(view);
  }
  refresh(s);
  s.root.dataset.frames = String(Number(s.root.dataset.frames ?? 0) + 1);
}

/**
 * Draw after a new picture, which may need another size.
 * @param {State} s
 */
export function refreshAll(s) {
  s.m = replay(s.data, unacknowledged(s));
  if (!s.data.hidden) paintLegend(s);
  layout(s);
  repaint(s);
}

/**
 * Use the available space as soon as the style sheets are loaded.
 * @param {State} s
 */
export function layout(s) {
  if (!s.alive) return;
  if (!layoutIsFinal(s)) return void requestAnimationFrame(() => layout(s));
  if (!s.data.hidden && measure(s)) repaint(s);
}

/** @param {State} s */
export function paintControls(s) {
  const { m, data: { can, rules }, el: { buttons, svg, help } } = s, g = s.gesture;
  const said = !s.inflight && !s.queue.length, last = rules.views.length - 1, locked = s.data.tool === "locked";
  Object.assign(s.root.dataset, { tool: s.data.tool, task: s.data.task, label: m.label, selected: m.selected ?? "" });
  for (const [i, act] of TOGGLES.entries()) {
    mark(buttons[act], "aria-pressed", !locked && m.label === s.data.labels[i]);
    buttons[act].disabled = locked;
  }
  mark(buttons.eraser, "aria-pressed", s.eraser);
  mark(buttons.help, "aria-expanded", !help.hidden);
  svg.classList.toggle("erasing", s.eraser);
  buttons.undo.disabled = said && !can.undo;
  buttons.redo.disabled = !can.redo;
  buttons.given.disabled = !can.reset;
  buttons.bin.disabled = locked || m.selected === null;
  buttons.eraser.disabled = locked || (!m.pts.size && !s.eraser);
  buttons.clear.disabled = locked || !m.pts.size;
  buttons.zoomOut.disabled = m.view >= rules.views[last];
  buttons.zoomIn.disabled = m.view <= rules.views[0];
  buttons.bin.classList.toggle("ready", Boolean(g?.dragging));
  buttons.bin.classList.toggle("drop", Boolean(g?.drop));
  paintLegend(s);
}

/**
 * Dim the last picture while an answer takes long.
 * @param {State} s
 */
export function markStale(s) {
  s.timers.dim ??= setTimeout(() => s.root.classList.add("stale"), DIM_MS);
}

/** @param {State} s */
export function markFresh(s) {
  clearTimeout(s.timers.dim);
  delete s.timers.dim;
  s.root.classList.remove("stale");
}
