// @ts-check
// The points of the board: an element for each, changed only where it looks different.

import { mark } from "./dom.js";
import { markHtml } from "./marks.js";
import { clamp, fixed } from "./numbers.js";
import { toX, toY } from "./plane.js";
import { square } from "./state.js";

/** @import { Point } from "./replay.js" */
/** @import { PointNode, State } from "./state.js" */

/** @param {State} s */
export function paintPoints(s) {
  const { marks, points, focus } = s.data, chosen = s.legendHover ?? s.legendPinned ?? focus;
  s.index = new Map(points.map(([id], i) => [id, i]));
  s.dimmed = chosen ? (id) => !chosen.cats.includes(marks?.cat?.[s.index.get(id) ?? -1] ?? "") : null;
  for (const [id, node] of s.nodes) {
    if (s.m.pts.has(id)) continue;
    node.remove();
    s.nodes.delete(id);
  }
  for (const p of s.m.pts.values()) paintPoint(s, p);
}

/**
 * @param {State} s
 * @param {Point} p
 */
function paintPoint(s, p) {
  const node = s.nodes.get(p.id) ?? newNode(s, p.id), q = square(s), g = s.gesture;
  const known = lookOf(s, p.id), fill = fixed(0.2 + 0.8 * clamp(known.fill, 0, 1)), pale = known.wrong && fill < 0.6;
  const look = { ...known, hit: true, fill, selected: p.id === s.m.selected, hover: p.id === s.hover };
  const key = [p.label, s.r, s.k, look.state, look.wrong, pale, look.selected, look.hover].join();
  if (node.look !== key) {
    node.look = key;
    node.innerHTML = markHtml(p.label, s.r, s.k, look);
    node.body = node.querySelector(".body") ?? node;
  }
  const leaving = g?.kind === "point" && g.drop && g.id === p.id;
  mark(node.body ?? node, "fill-opacity", fill);
  mark(node, "class", `pt${s.dimmed?.(p.id) ? " dim" : ""}${leaving ? " leaving" : ""}`);
  mark(node, "transform", `translate(${toX(q, p.x)} ${toY(q, p.y)})`);
  mark(node, "data-label", p.label);
  mark(node, "data-cat", known.cat);
  mark(node, "data-x", p.x);
  mark(node, "data-y", p.y);
}

/**
 * What the machine says of a point; of a new one nothing, and without a machine every point is full.
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
