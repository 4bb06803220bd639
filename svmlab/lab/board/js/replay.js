// @ts-check
// The drawn state: the last data from Python with all later operations applied on top.

/** @import { Data, Hand, Label, Op, Row } from "./payload.js" */
/** @typedef {{id: number, x: number, y: number, label: Label}} Point */
/** @typedef {Pick<Data, "points" | "selected" | "label" | "view" | "projector" | "hand" | "active">} Said */

/**
 * @typedef {object} Model
 * @property {Map<number, Point>} pts
 * @property {number | null} selected
 * @property {Label} label
 * @property {number} view
 * @property {string} active
 * @property {boolean} projector
 * @property {Record<string, number>} values the values of the sliders that were moved
 * @property {Hand | null} hand
 */

/**
 * @param {Said} said
 * @param {Op[]} ops
 * @returns {Model}
 */
export function replay({ points, selected, label, view, active, projector, hand }, ops) {
  /** @type {Model} */
  const model = { pts: pointsOf(points), selected, label, view, active, projector, values: {}, hand: hand ?? null };
  for (const op of ops) apply(model, op);
  if (model.selected !== null && !model.pts.has(model.selected)) model.selected = null;
  return model;
}

/** @type {(rows: Row[]) => Map<number, Point>} */
const pointsOf = (rows) => new Map(rows.map(([id, x, y, label]) => [id, { id, x, y, label }]));

/**
 * Apply one operation. Operations that only Python can do change nothing here.
 * @param {Model} m
 * @param {Op} op
 */
function apply(m, op) {
  switch (op.op) {
    case "add":
      m.pts.set(op.id, { id: op.id, x: op.x, y: op.y, label: op.label });
      if (op.select) m.selected = op.id;
      break;
    case "move": {
      const p = m.pts.get(op.id);
      if (p) m.pts.set(op.id, { ...p, x: op.x, y: op.y });
      break;
    }
    case "delete":
      for (const id of op.ids) m.pts.delete(id);
      break;
    case "clear":
      m.pts.clear();
      break;
    case "points":
      m.pts = pointsOf(op.points);
      break;
    case "select":
      m.selected = op.id;
      break;
    case "label":
      m.label = op.label;
      break;
    case "view":
      m.view = op.half;
      break;
    case "active":
      m.active = op.on;
      break;
    case "project":
      m.projector = op.on;
      break;
    case "set":
    case "dial":
      Object.assign(m.values, op.values);
      break;
    case "hand":
      m.hand = { a: op.a, b: op.b };
      break;
  }
}

/**
 * Return all points as one operation.
 * @param {Model} model
 * @returns {{op: "points", points: Row[]}}
 */
export const wholeSet = ({ pts }) => ({
  op: "points",
  points: [...pts.values()].map(({ id, x, y, label }) => [id, x, y, label]),
});
