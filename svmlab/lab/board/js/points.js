// @ts-check
// The points of the board: one element for each, changed only if its look changes.

import { mark } from "./dom.js";
import { markHtml } from "./marks.js";
import { memory } from "./memory.js";
import { clamp, fixed } from "./numbers.js";
import { toX, toY } from "./plane.js";
import { square } from "./state.js";
import { markOffsets } from "./coincident.js";
import { crowded } from "./rings.js";

/** @import { Point } from "./replay.js" */
/** @import { PointNode, State } from "./state.js" */

const ALONE = { dx: 0, dy: 0, n: 0 };

/** @param {State} s */
export function paintPoints(s) {
  const { marks, points, focus } = s.data, chosen = s.legendHover ?? s.legendPinned ?? focus;
  s.offsets = markOffsets(s.m.pts.values(), 2 * s.pointRadius + 7 * s.k); // so that no ring covers another mark
  s.index = new Map(points.map(([id], i) => [id, i]));
  s.dimmed = chosen ? (id) => !chosen.cats.includes(marks?.cat?.[s.index.get(id) ?? -1] ?? "") : null;
  s.crowded = crowdedRings(s);
  for (const [id, node] of s.nodes) {
    if (s.m.pts.has(id)) continue;
    node.remove();
    s.nodes.delete(id);
  }
  for (const p of s.m.pts.values()) paintPoint(s, p);
}

/**
 * The points whose rings are thinned out. The selected one keeps its rings.
 * @param {State} s
 */
function crowdedRings(s) {
  const q = square(s), ringed = [...s.m.pts.values()].filter(({ id }) => lookOf(s, id).state !== "none");
  const marks = ringed.map((p) => {
    const { dx, dy } = s.offsets.get(p.id) ?? ALONE;
    return { id: p.id, x: toX(q, p.x) + dx, y: toY(q, p.y) + dy };
  });
  const ids = crowded(marks, s.pointRadius + 7 * s.k);
  if (s.m.selected !== null) ids.delete(s.m.selected);
  return ids;
}

/**
 * @param {State} s
 * @param {Point} p
 */
function paintPoint(s, p) {
  const node = s.nodes.get(p.id) ?? newNode(s, p.id), q = square(s), g = s.gesture;
  const bare = memory.bare && p.id !== s.m.selected && p.id !== s.hover;
  const known = lookOf(s, p.id), fill = fixed(0.2 + 0.8 * clamp(known.fill, 0, 1)), pale = known.wrong && fill < 0.6;
  const state = bare ? "none" : known.state, selected = p.id === s.m.selected, hover = p.id === s.hover;
  const look = { ...known, state, hit: true, fill, selected, hover, thin: s.crowded.has(p.id) };
  const { dx, dy, n } = s.offsets.get(p.id) ?? ALONE;
  const shown = [look.state, look.thin, look.wrong, pale, look.selected, look.hover];
  const key = [p.label, s.pointRadius, s.k, ...shown, n, s.tick].join();
  if (node.look !== key) {
    node.look = key;
    node.innerHTML = markHtml(p.label, s.pointRadius, s.k, look) + (n ? many(s, n) : "");
    node.body = node.querySelector(".body") ?? node;
  }
  const leaving = g?.kind === "point" && g.drop && g.id === p.id;
  mark(node.body ?? node, "fill-opacity", fill);
  mark(node, "class", `pt${s.dimmed?.(p.id) ? " dim" : ""}${leaving ? " leaving" : ""}`);
  mark(node, "transform", `translate(${fixed(toX(q, p.x) + dx)} ${fixed(toY(q, p.y) + dy)})`);
  mark(node, "data-label", p.label);
  mark(node, "data-cat", known.cat);
  mark(node, "data-x", p.x);
  mark(node, "data-y", p.y);
}

/**
 * Return the number of coincident points, as text.
 * @type {(s: State, n: number) => string}
 */
const many = ({ pointRadius, k, tick }, n) =>
  `<text class="many" x="${fixed(pointRadius + 3 * k)}" y="${fixed(-pointRadius)}" font-size="${fixed(tick)}">`
  + `${n}</text>`;

/**
 * Return each point with the position of its mark.
 * @param {State} s
 */
export function* markedPositions(s) {
  const unit = (2 * s.m.view) / s.size;
  for (const p of s.m.pts.values()) {
    const { dx, dy } = s.offsets.get(p.id) ?? ALONE;
    yield { id: p.id, x: p.x + unit * dx, y: p.y - unit * dy };
  }
}

/**
 * Return how the solution classifies a point. A new point has no entry, and without a solution every point is full.
 * @param {State} s
 * @param {number} id
 */
function lookOf(s, id) {
  const { marks } = s.data, i = s.index.get(id) ?? -1;
  return {
    fill: marks ? marks.fill[i] ?? 0 : 1,
    state: marks?.state?.[i] ?? "none",
    wrong: marks?.wrong?.[i] ?? false,
    cat: marks?.cat?.[i] ?? "",
  };
}

/**
 * @param {State} s
 * @param {number} id
 * @returns {PointNode}
 */
function newNode(s, id) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "g");
  node.dataset.id = String(id);
  s.nodes.set(id, node);
  s.el.points.append(node);
  return node;
}
