// @ts-check
// The picture from back to front: the board, everything behind the plane, the plane, and everything in front of it.

import { heightOf, splitAtSignChange, surface, within } from "./shape.js";
import { across, camera, sheet, sideOfViewer, ticks } from "./view.js";

/** @import { Row, State } from "./main.js" */
/** @import { Place } from "./shape.js" */
/** @import { Camera, Projected, Turn } from "./view.js" */
/** @typedef {{ctx: CanvasRenderingContext2D, k: number, cam: Camera}} Pen */
/** @typedef {{row: Row, foot: Projected, seen: Projected, up: Place}} Mark */

// RADIUS in px. SQUARE: half the side of a square with the area of the unit disc. At most CROWD points have stems.
const RADIUS = 5.6, SQUARE = 0.886, CROWD = 30;

/**
 * @param {State} s
 * @param {Turn} turn
 * @param {number} rise the fraction of their height that the points have reached
 */
export function draw(s, turn, rise) {
  const { canvas, root, data: { space, points, look, text, selected }, box } = s, ctx = canvas.getContext("2d");
  const width = root.clientWidth, height = root.clientHeight, dots = window.devicePixelRatio || 1;
  if (!ctx || !width || !height) return;
  const size = [Math.round(width * dots), Math.round(height * dots)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  ctx.setTransform(dots, 0, 0, dots, 0, 0);
  ctx.clearRect(0, 0, width, height);
  ctx.lineJoin = ctx.lineCap = "round";
  const k = look.stroke, room = { width, height, edge: 1.1 * look.small, side: 2.4 * look.small };
  const cam = camera(turn, box, room);
  const pen = { ctx, k, cam }, solid = Math.max(0, 3 * rise - 2); // the plane appears when the points have nearly risen
  const plane = rise > 0.67 ? space.plane : null, side = plane && sideOfViewer(plane, cam.toward);
  const marks = points.map((row) => marked(s, pen, row, rise)).sort((a, b) => a.seen[2] - b.seen[2]);
  s.marks = marks.map(({ seen, row }) => ({ seen, of: row }));

  floor(s, pen);
  for (const { foot, row } of marks) dot(pen, foot, 2.4 * k, row[3] > 0 ? look.plus : look.minus, 0.4);
  if (plane) for (const line of space.shadow) shadow(s, pen, line, solid);

  const { curve, net } = surface(space, box);
  /** @type {Place[][][]} */
  const [front, behind] = [[], []];
  const strong = new Set(curve.flatMap((line) => parted(line, side, front, behind)));
  for (const line of net) parted(line, side, front, behind);
  /** @param {Place[][]} lines */
  const wires = (lines) => {
    for (const line of lines) {
      const main = strong.has(line);
      stroke(pen, line, main ? look.text : look.quiet, main ? 2 : 1, rise * (main ? 0.85 : 0.42));
    }
  };
  const some = marks.length <= CROWD;
  /** @param {Mark[]} few */
  const standing = (few) => {
    for (const mark of few) {
      const shown = mark.row[0] === s.draggedId || mark.row[0] === s.hoveredId || mark.row[0] === selected;
      if (some || shown) stem(pen, mark, mark.row[3] > 0 ? look.plus : look.minus, shown);
    }
    for (const mark of few) body(s, pen, mark, rise);
  };
  wires(behind);
  standing(side ? marks.filter(({ up }) => side(up) < 0) : []);
  if (plane) {
    pane(s, pen, solid);
    for (const line of space.shadow) cut(s, pen, line, solid);
  }
  wires(front);
  standing(side ? marks.filter(({ up }) => side(up) >= 0) : marks);
  axis(s, pen, text.height);
}

/** @type {(s: State, pen: Pen, row: Row, rise: number) => Mark} */
function marked({ data: { space } }, { cam }, row, rise) {
  const [, x, y] = row, up = /** @type {Place} */ ([x, y, rise * heightOf(space, x, y)]);
  return { row, up, foot: cam.to([x, y, 0]), seen: cam.to(up) };
}

/**
 * Split a line into the parts in front of the plane and behind it.
 * @type {(line: Place[], side: ((place: Place) => number) | null, front: Place[][], behind: Place[][]) => Place[][]}
 */
function parted(line, side, front, behind) {
  const { inside, outside } = side ? splitAtSignChange(line, side) : { inside: [line], outside: [] };
  front.push(...inside);
  behind.push(...outside);
  return [...inside, ...outside];
}

/** @type {(pen: Pen, line: Place[], close?: boolean) => void} */
function trace({ ctx, cam }, line, close = false) {
  ctx.beginPath();
  line.forEach((place, i) => {
    const [x, y] = cam.to(place);
    if (i) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
  });
  if (close) ctx.closePath();
}

/**
 * @type {(pen: Pen, line: Place[], colour: string, width: number, alpha: number, dash?: number[], close?: boolean)
 *   => void}
 */
function stroke(pen, line, colour, width, alpha, dash = [], close = false) {
  const { ctx, k } = pen;
  trace(pen, line, close);
  Object.assign(ctx, { strokeStyle: colour, lineWidth: width * k, globalAlpha: alpha });
  ctx.setLineDash(dash.map((each) => each * k));
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}

/** @type {(pen: Pen, seen: Projected, r: number, colour: string, alpha: number) => void} */
function dot({ ctx }, [x, y], r, colour, alpha) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  Object.assign(ctx, { fillStyle: colour, globalAlpha: alpha });
  ctx.fill();
  ctx.globalAlpha = 1;
}

/**
 * Draw the board, or for a line the strip around it.
 * @type {(s: State, pen: Pen) => void}
 */
function floor({ data: { look, space }, box: { half, deep } }, pen) {
  const { ctx, k, cam } = pen, step = half > 4 ? 2 : 1, size = look.small;
  trace(pen, [[-half, -deep, 0], [half, -deep, 0], [half, deep, 0], [-half, deep, 0]], true);
  Object.assign(ctx, { fillStyle: look.text, globalAlpha: 0.045 });
  ctx.fill();
  ctx.globalAlpha = 1;
  for (let i = -Math.floor(half / step) * step; i <= half; i += step) {
    stroke(pen, [[i, -deep, 0], [i, deep, 0]], look.text, 1, 0.1);
    if (Math.abs(i) <= deep && !space.flat) stroke(pen, [[-half, i, 0], [half, i, 0]], look.text, 1, 0.1);
  }
  stroke(pen, [[-half, 0, 0], [half, 0, 0]], look.text, 1.5, space.flat ? 0.6 : 0.3);
  if (!space.flat) stroke(pen, [[0, -half, 0], [0, half, 0]], look.text, 1.5, 0.3);
  write(pen, size, look.quiet, "center");
  const [rx, ry] = cam.to([half, 0, 0]), [ox, oy] = cam.to([-half, 0, 0]), away = Math.hypot(rx - ox, ry - oy) || 1;
  const out = 0.8 * size + 2 * k;
  ctx.fillText(space.flat ? "x" : "x₁", rx + ((rx - ox) / away) * out, ry + ((ry - oy) / away) * out);
  if (space.flat) return;
  const [ux, uy] = cam.to([0, half, 0]), [vx, vy] = cam.to([0, -half, 0]), long = Math.hypot(ux - vx, uy - vy) || 1;
  ctx.fillText("x₂", ux + ((ux - vx) / long) * out, uy + ((uy - vy) / long) * out);
}

/**
 * Draw the axis of the height at the leftmost corner of the board.
 * @type {(s: State, pen: Pen, name: string) => void}
 */
function axis({ data: { look, space }, box: { half, deep, low, high } }, pen, name) {
  const { ctx, k, cam } = pen, size = look.small;
  /** @type {[number, number][]} */
  const corners = space.flat ? [[-half, 0], [half, 0]] : [[-half, -deep], [half, -deep], [half, deep], [-half, deep]];
  const [x, y] = corners.reduce((a, b) => (cam.to([b[0], b[1], 0])[0] < cam.to([a[0], a[1], 0])[0] ? b : a));
  const [right, top] = cam.to([x, y, high]), [, foot] = cam.to([x, y, low]), room = Math.abs(foot - top);
  stroke(pen, [[x, y, low], [x, y, high]], look.quiet, 1, 0.8);
  write(pen, size, look.quiet, "right");
  if (room > 2.5 * size) {
    for (const z of ticks(low, high, Math.min(4, room / (2 * size)))) {
      const [, down] = cam.to([x, y, z]);
      if (down < top + 1.3 * size) continue;
      ctx.fillRect(right - 2 * k, down - k / 2, 4 * k, k);
      ctx.fillText(String(z).replace("-", "−"), right - 5 * k, down);
    }
  }
  Object.assign(ctx, { fillStyle: look.text });
  ctx.fillText(name, right - 5 * k, top + 0.3 * size);
}

/** @type {(pen: Pen, size: number, colour: string, textAlign: CanvasTextAlign) => void} */
function write({ ctx }, size, colour, textAlign) {
  const { fontFamily } = getComputedStyle(ctx.canvas);
  Object.assign(ctx, { font: `${size}px ${fontFamily}`, fillStyle: colour, textAlign, textBaseline: "middle" });
}

/**
 * Draw where f = 0 on the board, or for a line the two points on its axis and their vertical projections.
 * @type {(s: State, pen: Pen, line: number[], alpha: number) => void}
 */
function shadow({ data: { look, space }, box: { deep } }, pen, line, alpha) {
  if (space.flat) {
    const x = line[0];
    stroke(pen, [[x, 0, heightOf(space, x, 0)], [x, 0, 0]], look.text, 1.5, 0.6 * alpha, [4, 4]);
    stroke(pen, [[x, -deep, 0], [x, deep, 0]], look.text, 2.5, 0.9 * alpha);
    return;
  }
  stroke(pen, flatPlaces(line).map(([x, y]) => [x, y, 0]), look.text, 2.5, 0.9 * alpha);
}

/** @type {(s: State, pen: Pen, line: number[], alpha: number) => void} */
function cut({ data: { look, space }, box }, pen, line, alpha) {
  const { deep } = box;
  if (space.flat) {
    const x = line[0], z = heightOf(space, x, 0);
    stroke(pen, [[x, -deep, z], [x, deep, z]], look.accent, 1.5, 0.7 * alpha);
    dot(pen, pen.cam.to([x, 0, z]), 4 * pen.k, look.accent, alpha);
    return;
  }
  /** @type {Place[]} */
  const up = flatPlaces(line).map(([x, y]) => [x, y, heightOf(space, x, y)]);
  for (const piece of within(up, box)) stroke(pen, piece, look.accent, 2.5, alpha);
}

/** @type {(line: number[]) => [number, number][]} */
const flatPlaces = (line) => Array.from({ length: line.length / 2 }, (_, i) => [line[2 * i], line[2 * i + 1]]);

/**
 * Draw the plane within the box, or for a line the straight line itself with dashed margin lines.
 * @type {(s: State, pen: Pen, alpha: number) => void}
 */
function pane({ data: { look, space }, box }, pen, alpha) {
  const { plane } = space, { ctx } = pen;
  if (!plane) return;
  const [a, b, c, d] = plane;
  for (const level of space.flat ? [-1, 1] : []) {
    stroke(pen, across([a, b, c, d - level], box), look.text, 1.5, 0.6 * alpha, [6, 5]);
  }
  const ring = sheet(plane, box);
  if (!ring.length) return;
  trace(pen, ring, true);
  Object.assign(ctx, { fillStyle: look.accent, globalAlpha: 0.16 * alpha });
  ctx.fill();
  ctx.globalAlpha = 1;
  stroke(pen, ring, look.accent, 1.25, 0.7 * alpha, [], true);
  if (space.flat) stroke(pen, across(plane, box), look.accent, 3, alpha);
}

/** @type {(pen: Pen, mark: Mark, colour: string, shown: boolean) => void} */
function stem({ ctx, k }, { foot, seen }, colour, shown) {
  ctx.beginPath();
  ctx.moveTo(foot[0], foot[1]);
  ctx.lineTo(seen[0], seen[1]);
  Object.assign(ctx, { strokeStyle: colour, lineWidth: (shown ? 2 : 1) * k, globalAlpha: shown ? 0.9 : 0.35 });
  ctx.stroke();
  ctx.globalAlpha = 1;
}

/** @type {(s: State, pen: Pen, mark: Mark, rise: number) => void} */
function body({ data: { look, space, selected }, draggedId, hoveredId }, { ctx, k }, { row, seen: [x, y] }, rise) {
  const [id, , , label] = row, r = RADIUS * k;
  const ring = (/** @type {number} */ wide, /** @type {string} */ colour, /** @type {number} */ width) => {
    ctx.beginPath();
    ctx.arc(x, y, wide, 0, 2 * Math.PI);
    Object.assign(ctx, { strokeStyle: colour, lineWidth: width });
    ctx.stroke();
  };
  if (id === selected || id === draggedId || id === hoveredId) ring(r + 5.5 * k, look.accent, 3 * k);
  ctx.beginPath();
  if (label > 0) ctx.arc(x, y, r, 0, 2 * Math.PI);
  else ctx.rect(x - SQUARE * r, y - SQUARE * r, 2 * SQUARE * r, 2 * SQUARE * r);
  Object.assign(ctx, { fillStyle: label > 0 ? look.plus : look.minus, strokeStyle: look.paper, lineWidth: 1.25 * k });
  ctx.fill();
  ctx.stroke();
  if (space.ringed.includes(id) && rise === 1) ring(r + 3 * k, look.text, 1.75 * k);
}
