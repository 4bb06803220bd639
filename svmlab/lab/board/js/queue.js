// @ts-check
// The queue of operations for Python, and the messages that are repeated if no answer comes. One message is in flight,
// and the rest waits.

import { replay, wholeSet } from "./replay.js";

/** @import { Data, Op, Row, Rules } from "./payload.js" */
/** @import { Said } from "./replay.js" */
/** @typedef {{board: string | null, ops: Op[]}} BoardOps on one board; `board` is "page.step" of a lent one */
/** @typedef {BoardOps & {seq: number}} Message */

const LIVE_MS = 40; // between two messages of a drag
const PAGE_MS = 250, PAGE_SHARE = 5; // while the drag socket sends the pictures, the page takes a fifth of the time
const AGAIN_MS = 2000, DOUBLED = 2; // the wait before a message is repeated, and how often it doubles

/**
 * Return all operations on the shown board since the last data from Python.
 * @param {{inflight: Message | null, queue: Op[], data: Pick<Data, "board">}} unanswered
 */
export const unacknowledged = ({ inflight, queue, data: { board } }) => [
  ...(inflight?.board === board ? inflight.ops : []), ...queue,
];

/**
 * Return what a new session must be told again: all points if a change of them is not acknowledged, in flight or
 * waiting, and then the unacknowledged settings, sliders and views. The other operations mean nothing to a new session.
 * @param {{inflight: Message | null, queue: Op[], data: Said & Pick<Data, "boot" | "board">}} unanswered
 * @param {Rules["ops"]} kinds
 * @returns {Known["unsaid"]} null if every such operation is acknowledged
 */
export function unsavedChanges({ inflight, queue, data }, kinds) {
  const ops = unacknowledged({ inflight, queue, data }), { boot, board } = data;
  const drawn = ops.filter(({ op }) => kinds.drawn.includes(op));
  const moved = ops.some(({ op }) => kinds.points.includes(op));
  const changes = moved ? [wholeSet(replay(data, ops)), ...drawn] : drawn;
  return changes.length ? { boot, board, ops: changes } : null;
}

/**
 * Return the queue with one more operation, which replaces the last one if that is no longer needed.
 * @param {Op[]} queue
 * @param {Op} op
 */
export function queued(queue, op) {
  const last = queue.at(-1);
  return [...(last && replaces(op, last) ? queue.slice(0, -1) : queue), op];
}

/** @type {(op: Op, last: Op) => boolean} */
function replaces(op, last) {
  switch (op.op) {
    case "select":
    case "label":
    case "view":
    case "active":
      return last.op === op.op;
    case "move":
      return last.op === "move" && Boolean(last.live) && last.id === op.id;
    case "hand":
      return last.op === "hand" && Boolean(last.live);
    case "set":
    case "dial":
      return last.op === op.op && Boolean(last.live) && control(last) === control(op);
    default:
      return false;
  }
}

/** @type {(op: {values: Record<string, number>}) => string} */
const control = ({ values }) => Object.keys(values)[0];

/**
 * Return the queue without the live moves of this point.
 * @param {Op[]} queue
 * @param {number} id
 */
export const withoutDrag = (queue, id) => queue.filter((op) => !(op.op === "move" && op.id === id && op.live));

/**
 * Return the time at which the queue may be sent: at once, unless it has only live operations of a drag.
 * @param {Op[]} queue
 * @param {{sentAt: number, answeredIn: number, socketOpen: boolean}} wire
 */
export function sendTime(queue, { sentAt, answeredIn, socketOpen }) {
  if (!queue.every((op) => op.live)) return 0;
  return sentAt + (socketOpen ? Math.max(PAGE_MS, PAGE_SHARE * answeredIn) : LIVE_MS);
}

/**
 * Return the milliseconds until an unanswered message is repeated once more. A late server must process every repeated
 * message, and a class that repeated every two seconds would keep it from ever catching up.
 * @param {number} unanswered
 */
export const resendDelay = (unanswered) => AGAIN_MS * 2 ** Math.min(unanswered, DOUBLED);

/**
 * Return what is sent if no answer came: all operations again, with changed points as one set of all points. If the
 * message has operations that only Python can do, the result is null. Then the message is repeated under its old
 * number, because Python ignores numbers that it has handled.
 * @param {Said} said
 * @param {Op[]} sent
 * @param {Op[]} queue
 * @param {Rules["ops"]} kinds
 * @returns {{ops: Op[], queue: Op[]} | null}
 */
export function resent(said, sent, queue, kinds) {
  /** @type {(op: Op) => boolean} */
  const opaque = (op) => kinds.opaque.includes(op.op);
  if (sent.some(opaque)) return null;
  const cut = queue.findIndex(opaque), end = cut < 0 ? queue.length : cut;
  const folded = [...sent, ...queue.slice(0, end)], rest = folded.filter((op) => !kinds.points.includes(op.op));
  const points = { ...wholeSet(replay(said, folded)), live: folded.every((op) => op.live) };
  return { ops: rest.length < folded.length ? [points, ...rest] : rest, queue: queue.slice(end) };
}

/**
 * @typedef {object} Known the data that the window remembers
 * @property {string | null} address
 * @property {Row[]} points the points that belong to the address
 * @property {string | null} boot the last session
 * @property {{boot: string, board: string | null, ops: Op[]} | null} unsaid
 */

/**
 * Return the operations for a new session: the state that this window remembers, if the session has another, and the
 * changes that were in flight. A server that cannot read the address uses the points and keeps the address.
 * @param {Known} known
 * @param {Pick<Data, "boot" | "board" | "address" | "unread">} data
 * @param {boolean} dragging
 * @returns {Op[]}
 */
export function restoreOps({ address, points, boot, unsaid }, data, dragging) {
  if (boot === null || boot === data.boot) return [];
  /** @type {Op[]} */
  const ops = [];
  if (address !== null && (address !== data.address || data.unread)) {
    ops.push({ op: "restore", share: address, points });
  }
  if (unsaid?.boot === boot && unsaid.board === data.board) {
    ops.push(...unsaid.ops.map((op) => ({ ...op, live: dragging })));
  }
  return ops;
}
