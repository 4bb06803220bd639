// @ts-check
// The picture under the points: shading, grid, lines, slack and witness.

import { esc } from "./dom.js";
import { memory } from "./memory.js";
import { fixed, written } from "./numbers.js";
import { band, drawing, foot, polyline, polylines, ticks, toX, toY } from "./plane.js";
import { square, views } from "./state.js";

/** @import { Item, Label, Shade } from "./payload.js" */
/** @import { State } from "./state.js" */

const STRENGTH = { light: 0.32, dark: 0.36 };

/** @param {State} s */
export function paintShade(s) {
  const { canvas } = s.el, { shade } = s.data, { view } = s.m;
  const side = Math.round(s.size * (window.devicePixelRatio || 1));
  const key = `${side} ${view} ${s.painted.theme} ${s.data.view}`;
  if (key === s.painted.shade && shade?.data === s.painted.shadeData) return;
  s.painted.shade = key;
  s.painted.shadeData = shade?.data;
  if (canvas.width !== side) canvas.width = canvas.height = side;
  const ctx = canvas.getContext("2d");
  ctx?.clearRect(0, 0, side, side);
  if (!shade || !ctx) return;
  // The grid's outer nodes lie on the edges of the view for which it was computed. After a zoom it is scaled until the
  // new grid comes.
  const { n } = shade, half = (side / 2) * (s.data.view / view), corner = side / 2 - half;
  ctx.imageSmoothingQuality = "high";
  ctx.drawImage(shadeImage(s, shade), 0.5, 0.5, n - 1, n - 1, corner, corner, 2 * half, 2 * half);
}

/**
 * @param {State} s
 * @param {Shade} shade
 */
function shadeImage(s, { n, data }) {
  const small = Object.assign(document.createElement("canvas"), { width: n, height: n });
  const ctx = /** @type {CanvasRenderingContext2D} */ (small.getContext("2d")), image = ctx.createImageData(n, n);
  const values = Int8Array.from(atob(data), (c) => c.charCodeAt(0));
  const strength = STRENGTH[s.root.dataset.theme === "dark" ? "dark" : "light"], { task, labels } = s.data;
  /** @type {(value: number) => [label: Label, part: number]} */
  const signed = (value) => [value < 0 ? -1 : 1, Math.min(1, Math.abs(value) / 127)];
  /** @type {(value: number) => [label: Label, part: number]} */
  const several = (value) => [labels[value >> 5] ?? 1, (value & 31) / 31];
  const read = task === "classes" ? several : signed;
  for (let i = 0; i < n * n; i += 1) {
    const [label, part] = read(values[i]), t = strength * part, ink = s.ink[label] ?? s.paper;
    for (let j = 0; j < 3; j += 1) image.data[4 * i + j] = s.paper[j] + t * (ink[j] - s.paper[j]);
    image.data[4 * i + 3] = 255;
  }
  ctx.putImageData(image, 0, 0);
  return small;
}

/** @param {State} s */
export function paintGrid(s) {
  const q = square(s), { view, size } = q, { tick } = s;
  let lines = "", text = "";
  for (const v of ticks(view)) {
    const at = toX(q, v);
    if (v && Math.abs(v) < view) lines += `M${at} 0V${size}M0 ${toY(q, v)}H${size}`;
    if (at < 2 * tick || at > size - 1.2 * tick) continue;
    text += `<text x="${at}" y="${size - 7}" text-anchor="middle">${written(v)}</text>`;
    text += `<text x="7" y="${fixed(toY(q, v) + 0.35 * tick)}">${written(v)}</text>`;
  }
  const x = toX(q, 0), y = toY(q, 0);
  s.el.grid.innerHTML = `<path class="fine" d="${lines}"/><path class="axis" d="M${x} 0V${size}M0 ${y}H${size}"/>
    <circle class="origin" cx="${x}" cy="${y}" r="${fixed(3 * s.k)}"/>`;
  s.el.ticks.innerHTML = text + axisTitles(s);
  s.el.ticks.setAttribute("font-size", String(fixed(tick)));
}

/**
 * The names of the columns at the ends of the axes.
 * @type {(s: State) => string}
 */
function axisTitles({ data: { axes }, size, tick }) {
  if (!axes) return "";
  const [right, up] = axes.map(esc);
  return `<text class="title" x="${size - 7}" y="${fixed(size - 9 - 1.2 * tick)}" text-anchor="end">${right} →</text>`
    + `<text class="title" x="7" y="${fixed(1.1 * tick)}">↑ ${up}</text>`;
}

/** @param {State} s */
export function paintLines(s) {
  const q = square(s), { lines, overlay = [] } = s.data, { el } = s, pin = ghost(s);
  el.zero.setAttribute("d", polylines(q, lines?.zero));
  el.plus.setAttribute("d", polylines(q, lines?.plus));
  el.minus.setAttribute("d", polylines(q, lines?.minus));
  el.tube.setAttribute("d", s.data.task === "values" && lines ? band(q, lines.plus, lines.minus) : "");
  const margins = pin ? polylines(q, [...pin.plus, ...pin.minus]) : "";
  el.pin.innerHTML = pin ? `<path d="${polylines(q, pin.zero)}"/><path class="margin" d="${margins}"/>` : "";
  const paths = (/** @type {Item[]} */ items) => items.map(({ kind, pts, style, width }) =>
    `<path class="${esc(style)}"${thick(s, width)} d="${drawing(q, kind, pts, s.k)}"/>`).join("");
  el.overlay.innerHTML = paths(overlay.filter((item) => !isOfClass(item)));
  el.classLayer.innerHTML = paths(overlay.filter(isOfClass));
}

/** Whether an item is a line of the class, which lies under the boundary. @type {(item: Item) => boolean} */
const isOfClass = ({ style }) => style.startsWith("class-line");

/** @type {(s: State, width: number | undefined) => string} */
const thick = (s, width) => (width === undefined ? "" : ` style="stroke-width:${fixed(width * s.k)}px"`);

/**
 * Draw a fit for comparison: the pinned one, or on a phone the board that is not shown.
 * @param {State} s
 */
const ghost = (s) =>
  (s.firstBoard.secondBoard && s.phone && views(s).find((view) => view !== s)?.data.lines) || s.data.pin;

/** @param {State} s */
export function paintWitness(s) {
  const q = square(s), w = s.data.witness, r = fixed(s.pointRadius + (s.data.marks ? 9.6 : 4.5) * s.k), d = 6 * s.k;
  s.el.under.innerHTML = (w?.segments ?? []).map((flat) => `<path d="${polyline(q, flat)}"/>`).join("");
  const members = (w?.ids ?? []).flatMap((id) => s.m.pts.get(id) ?? []);
  const rings = members.map(({ x, y }) => `<circle cx="${toX(q, x)}" cy="${toY(q, y)}" r="${r}"/>`).join("");
  const diamond = `m0 ${-d}l${d} ${d}l${-d} ${d}l${-d} ${-d}z`;
  const at = w?.at ? `<path class="at" d="M${toX(q, w.at[0])} ${toY(q, w.at[1])}${diamond}"/>` : "";
  s.el.over.innerHTML = rings + at;
}

/** @param {State} s */
export function paintSlack(s) {
  const q = square(s);
  const html = s.data.slack.map(([id, ...flat]) => {
    const p = s.m.pts.get(id);
    if (!p || (memory.bare && id !== s.m.selected && id !== s.hover)) return "";
    const d = polyline(q, [p.x, p.y, ...flat.slice(2)]) + foot(q, flat, 4 * s.k), dim = s.dimmed?.(id);
    return `<path data-id="${id}" data-label="${p.label}" d="${d}"${dim ? ' class="dim"' : ""}/>`;
  }).join("");
  if (html !== s.painted.slack) s.el.slack.innerHTML = s.painted.slack = html;
}

/** @param {State} s */
export function paintCursor(s) {
  const q = square(s), { x, y, on } = s.cursor, a = 5 * s.k, b = 16 * s.k;
  const across = `m${-b} 0h${b - a}m${2 * a} 0h${b - a}`, down = `m${-b} ${-b}v${b - a}m0 ${2 * a}v${b - a}`;
  s.el.cursor.innerHTML = on ? `<path d="M${toX(q, x)} ${toY(q, y)}${across}${down}"/>` : "";
}
