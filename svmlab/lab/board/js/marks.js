// @ts-check
// The mark of a point, also in the legend: fill by alpha/C, a ring by the state of alpha, a cross if misclassified.

import { fixed } from "./numbers.js";

/** @import { Label, AlphaState } from "./payload.js" */
/**
 * @typedef {{state: AlphaState, fill: number, wrong: boolean, hit?: boolean, selected?: boolean,
 *   hover?: boolean, thin?: boolean}} Look thin: its rings are thinned out, because they would lie on others
 */

const RINGS = { none: 0, free: 1, full: 2 };

/**
 * A disc for +1 and for the first of several classes, a square of the same area for -1 and for the second class, then
 * a triangle and a diamond.
 * @param {number} label
 * @param {number} r
 * @param {string} cls
 * @param {string} more attributes
 */
export function shape(label, r, cls, more = "") {
  const root = Math.sqrt(Math.PI) * r, h = fixed(root / 2), d = fixed(root / Math.SQRT2), a = fixed(root / 3 ** 0.25);
  const low = fixed(a / Math.sqrt(3)); // a triangle with side 2a around its centroid
  if (label === 1) return `<circle class="${cls}" r="${fixed(r)}" ${more}/>`;
  if (label === 3) return `<path class="${cls}" d="M0 ${-2 * low}L${a} ${low}H${-a}z" ${more}/>`;
  if (label === 4) return `<path class="${cls}" d="M0 ${-d}L${d} 0L0 ${d}L${-d} 0z" ${more}/>`;
  return `<rect class="${cls}" x="${-h}" y="${-h}" width="${2 * h}" height="${2 * h}" rx="1" ${more}/>`;
}

/**
 * @param {Label} label
 * @param {number} r
 * @param {number} k strokes are so many times as thick
 * @param {Look} look
 */
export function markHtml(label, r, k, look) {
  const isThin = Boolean(look.thin) && look.state === "full", rings = isThin ? 1 : RINGS[look.state];
  /** @type {(i: number) => number} */
  const at = (i) => r + k * (0.2 + 3.3 * i);
  const reach = at(Math.max(rings, 0.6)) + k, c = fixed(r * 0.42);
  let html = look.hit ? '<circle class="hit" r="20"/>' : "";
  if (look.selected || look.hover) {
    html += `<circle class="halo${look.selected ? "" : " light"}" r="${fixed(reach + 2.6 * k)}"/>`;
  }
  for (let i = 1; i <= rings; i += 1) {
    html += `<circle class="ring${i > 1 || isThin ? " outer" : ""}" r="${fixed(at(i))}"/>`;
  }
  html += shape(label, r, "casing") + shape(label, r - 0.75 * k, "body", `fill-opacity="${look.fill}"`);
  const pale = look.fill < 0.6 ? " pale" : "";
  if (look.wrong) html += `<path class="cross${pale}" d="M${-c} ${-c}L${c} ${c}M${c} ${-c}L${-c} ${c}"/>`;
  return html;
}

/** @typedef {"dash" | "solid" | "slack" | "cross"} Extra */

/** @type {Record<string, [state: AlphaState, extra?: Extra]>} */
const SYMBOLS = {
  safe: ["none"],
  margin: ["free", "dash"],
  violating: ["none", "slack"],
  outside: ["none"],
  margin_idle: ["none", "dash"],
  margin_free: ["free", "dash"],
  margin_full: ["full", "dash"],
  inside: ["none", "slack"],
  on_line: ["none", "solid"],
  wrong: ["none", "cross"],
  decided: ["none", "solid"],
  classes_tie: ["none", "solid"],
  classes_wrong: ["none", "cross"],
  values_margin: ["free", "dash"],
  values_violating: ["none", "slack"],
  values_edge_idle: ["none", "dash"],
  values_edge_free: ["free", "dash"],
  values_edge_full: ["full", "dash"],
  values_outside: ["none", "slack"],
};
/** @type {Record<Extra, {path: string, from: number, to: number}>} */
const BEHIND = {
  dash: { path: '<path class="dashed" d="M-15 0H15"/>', from: -15, to: 15 },
  solid: { path: '<path class="thick" d="M-15 0H15"/>', from: -15, to: 15 },
  slack: { path: '<path class="thin" d="M0 0H14M14 -3.5V3.5"/>', from: -8, to: 16 },
  cross: { path: "", from: -8, to: 8 },
};

/**
 * Return the mark of a group or category in the legend.
 * @param {string} name
 * @param {boolean} bare without ring and slack
 */
export function symbol(name, bare) {
  const [whole, drawn] = SYMBOLS[name] ?? ["none"], state = bare ? "none" : whole;
  const extra = bare && drawn === "slack" ? undefined : drawn;
  const { path, from, to } = BEHIND[extra ?? "cross"], wrong = extra === "cross";
  const mark = markHtml(1, 5, 0.85, { state, fill: wrong ? 1 : 0.35, wrong });
  return `<svg class="symbol" viewBox="${from} -12 ${to - from} 24" style="--wide: ${to - from}" aria-hidden="true">`
    + `<g>${path}${mark}</g></svg>`;
}
