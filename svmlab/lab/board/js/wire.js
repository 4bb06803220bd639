// @ts-check
// The messages to Python: one is in flight, and the rest waits. Unacknowledged operations are the only state here.

import { askLane, laneOpen, lookAhead } from "./lane.js";
import { memory } from "./memory.js";
import { notify } from "./overlays.js";
import { fresh, refresh, refreshAll, stale } from "./paint.js";
import { again, due, greeting, patience, pending, queued, unsaid } from "./queue.js";
import { newLane } from "./state.js";

/** @import { Data, Op } from "./payload.js" */
/** @import { Message, Talk } from "./queue.js" */
/** @import { State } from "./state.js" */

const page = /** @type {Window & {svmlabWhole?: () => void}} */ (window); // set by the frame of every page

/**
 * Report an operation to Python. Its effect is drawn at once.
 * @param {State} s
 * @param {Op} op
 */
export function report({ lead: s }, op) {
  s.queue = queued(s.queue, op);
  remember(s);
  refresh(s);
  pump(s);
}

/**
 * Send the operations that may be sent now.
 * @param {State} s
 */
export function pump(s) {
  clearTimeout(s.timers.pump);
  const left = s.inflight || !s.alive ? undefined : s.left.shift();
  if (left) {
    post(s, left);
  } else if (s.queue.length && !s.inflight && s.alive) {
    const wait = due(s.queue, { sentAt: s.sentAt, answeredIn: s.answeredIn, lane: laneOpen(s) }) - performance.now();
    if (wait > 0) s.timers.pump = setTimeout(() => pump(s), wait);
    else post(s, { board: s.data.board, ops: s.queue.splice(0) });
  }
  if (s.lane.drawn && !pending(s).length) {
    lookAhead(s);
    refreshAll(s);
  }
  askLane(s, () => pump(s));
  s.root.dataset.pending = s.inflight || s.left.length || s.queue.length ? "1" : "0";
}

/**
 * @param {State} s
 * @param {Talk} talk
 */
function post(s, { board, ops }) {
  const { gesture: g } = s;
  memory.seq += 1;
  s.inflight = { seq: memory.seq, board, ops };
  s.live = Boolean(ops.at(-1)?.live);
  if (g?.kind === "point" && ops.some((op) => op.op === "move" && op.id === g.id)) g.sent = true;
  remember(s);
  transmit(s, s.inflight);
}

/** @param {State} s */
function remember(s) {
  memory.unsaid = unsaid(s, s.data.rules.ops) ?? memory.unsaid;
}

/**
 * @param {State} s
 * @param {Message} message
 */
function transmit(s, { seq, board, ops }) {
  const { boot, rules } = s.data;
  s.sentAt = performance.now();
  clearTimeout(s.timers.resend);
  s.timers.resend = setTimeout(() => resend(s), patience(s.unanswered));
  if (board === s.data.board && !ops.every(({ op }) => rules.ops.quiet.includes(op))) stale(s);
  s.set("event", { boot, board, seq, ops });
}

/**
 * Repeat the message after no answer has come.
 * @param {State} s
 */
function resend(s) {
  if (!s.inflight || !s.alive) return;
  s.unanswered += 1;
  if (s.unanswered > 1) notify(s, "lost");
  if (s.unanswered % 3 === 2) page.svmlabWhole?.(); // a restarted server runs no fragment before the whole page
  const { board } = s.inflight;
  const more = board === s.data.board && again(s.data, s.inflight.ops, s.queue, s.data.rules.ops);
  if (!more) return transmit(s, s.inflight);
  s.queue = more.queue;
  post(s, { board, ops: more.ops });
}

/**
 * Handle data from Python: an acknowledged message is no longer in flight, and a new session gets the remembered state.
 * @param {State} s
 * @param {Data} data
 */
export function hear(s, data) {
  memory.seq = Math.max(memory.seq, data.ack);
  if (data.boot !== s.boot) greet(s, data);
  else if (data.ack < s.restoring) s.data = { ...s.data, ack: data.ack };
  else {
    if (data.board !== s.data.board) leave(s);
    s.data = data;
  }
  settle(s);
  s.said = s.data;
  if (!s.live && !s.inflight) s.lane.drawn = null;
  lookAhead(s);
}

/**
 * Set aside the waiting operations of the previous board when another board is shown.
 * @param {State} s
 */
function leave(s) {
  if (s.queue.length) s.left.push({ board: s.data.board, ops: s.queue.splice(0) });
  s.lane.drawn = null;
  memory.unsaid = null;
}

/**
 * Handle the first data of a new session. The board shows the remembered state until the session has adopted it.
 * @param {State} s
 * @param {Data} data
 */
function greet(s, data) {
  const ops = greeting(memory, data, Boolean(s.gesture?.dragging)), restores = ops.some(({ op }) => op === "restore");
  const { boot, board, ack } = data, shown = s.boot === null || !ops.length ? data : { ...s.data, boot, board, ack };
  Object.assign(s, { boot, data: shown, inflight: null, queue: [], left: [], restoring: 0, lane: newLane() });
  s.unanswered = 0;
  memory.unsaid = null;
  if (restores) s.restoring = memory.seq + 1;
  if (ops.length) post(s, { board, ops });
}

/** @param {State} s */
function settle(s) {
  const { ack } = s.data;
  if (ack >= s.restoring) s.restoring = 0;
  if (!s.inflight || ack < s.inflight.seq) return;
  s.inflight = null;
  s.answeredIn = performance.now() - s.sentAt;
  s.unanswered = 0;
  if (!s.queue.length) memory.unsaid = null;
  clearTimeout(s.timers.resend);
  fresh(s);
  if (s.note?.key === "lost") s.note = null;
}
