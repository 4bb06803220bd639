// @ts-check
// What waits to be said to Python, and what is said again where no answer came. One message is in flight, the rest
// waits.

import { replay, wholeSet } from "./replay.js";

/** @import { Data, Op, Row, Rules } from "./payload.js" */
/** @import { Said } from "./replay.js" */
/** @typedef {{board: string | null, ops: Op[]}} Talk about one board, "page.step" of a lent one */
/** @typedef {Talk & {seq: number}} Message */

const LIVE_MS = 40; // between two messages of a drag
const PAGE_MS = 250, PAGE_SHARE = 5; // while the lane brings the pictures, the page takes a fifth of the time
const AGAIN_MS = 2000, DOUBLED = 2; // until something is said again, and how often that is doubled

/**
 * Everything said of the board that stands since Python's last word.
 * @param {{inflight: Message | null, queue: Op[], data: Pick<Data, "board">}} unanswered
 */
export const pending = ({ inflight, queue, data: { board } }) => [
  ...(inflight?.board === board ? inflight.ops : []), ...queue,
];

/**
 * The whole set of points while a change of them is unanswered, on its way or waiting: a session that is new
 * knows nothing of it.
 * @param {{inflight: Message | null, queue: Op[], data: Said & Pick<Data, "boot" | "board">}} unanswered
 * @param {Rules["ops"]} kinds
 * @returns {Known["unsaid"]} null where no change is unanswered
 */
export function unsaid({ inflight, queue, data }, kinds) {
  const ops = pending({ inflight, queue, data }), { boot, board } = data;
  return ops.some(({ op }) => kinds.points.includes(op)) ? { boot, board, op: wholeSet(replay(data, ops)) } : null;
}

/**
 * The queue with one more operation; the last one goes where nobody needs it any more.
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
 * The queue without what was said of a drag of this point.
 * @param {Op[]} queue
 * @param {number} id
 */
export const withoutDrag = (queue, id) => queue.filter((op) => !(op.op === "move" && op.id === id && op.live));

/**
 * The time at which the queue may be said: at once, unless all of it is a drag that goes on.
 * @param {Op[]} queue
 * @param {{sentAt: number, answeredIn: number, lane: boolean}} wire
 */
export function due(queue, { sentAt, answeredIn, lane }) {
  if (!queue.every((op) => op.live)) return 0;
  return sentAt + (lane ? Math.max(PAGE_MS, PAGE_SHARE * answeredIn) : LIVE_MS);
}

/**
 * Milliseconds until a message is said again that was said again so often in vain. A late server has to do all of it
 * once more each time: a class that went on every two seconds would keep it from ever catching up.
 * @param {number} unanswered
 */
export const patience = (unanswered) => AGAIN_MS * 2 ** Math.min(unanswered, DOUBLED);

/**
 * What is said where no answer came: everything again, changed points as one whole set. What only Python can do is
 * repeated under its old number, and Python ignores numbers it has handled: then null.
 * @param {Said} said
 * @param {Op[]} sent
 * @param {Op[]} queue
 * @param {Rules["ops"]} kinds
 * @returns {{ops: Op[], queue: Op[]} | null}
 */
export function again(said, sent, queue, kinds) {
  /** @type {(op: Op) => boolean} */
  const opaque = (op) => kinds.opaque.includes(op.op);
  if (sent.some(opaque)) return null;
  const cut = queue.findIndex(opaque), end = cut < 0 ? queue.length : cut;
  const folded = [...sent, ...queue.slice(0, end)], rest = folded.filter((op) => !kinds.points.includes(op.op));
  const points = { ...wholeSet(replay(said, folded)), live: folded.every((op) => op.live) };
  return { ops: rest.length < folded.length ? [points, ...rest] : rest, queue: queue.slice(end) };
}

/**
 * @typedef {object} Known what the window remembers
 * @property {string | null} address
 * @property {Row[]} points that go with the address
 * @property {string | null} boot the session that was last met
 * @property {{boot: string, board: string | null, op: Op} | null} unsaid
 */

/**
 * What a new session is told: the state that this window remembers, where it has another, and changes that were on
 * their way. A server that cannot read the address takes the points instead, and leaves the address alone.
 * @param {Known} known
 * @param {Pick<Data, "boot" | "board" | "address" | "unread">} data
 * @param {boolean} dragging
 * @returns {Op[]}
 */
export function greeting({ address, points, boot, unsaid }, data, dragging) {
  if (boot === null || boot === data.boot) return [];
  /** @type {Op[]} */
  const ops = [];
  if (address !== null && (address !== data.address || data.unread)) {
    ops.push({ op: "restore", share: address, points });
  }
  if (unsaid?.boot === boot && unsaid.board === data.board) ops.push({ ...unsaid.op, live: dragging });
  return ops;
}
