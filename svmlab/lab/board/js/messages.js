// @ts-check
// The messages to Python: one is in flight, and the rest waits. Unacknowledged operations are the only state here.

import { connected } from "./connection.js";
import { askForPicture, showNewestPicture, socketIsOpen } from "./drag_socket.js";
import { projectedTypeSize } from "./layout.js";
import { keepUnsaid, memory, recallUnsaid, wasProjected } from "./memory.js";
import { notify } from "./overlays.js";
import { markFresh, markStale, refresh, refreshAll } from "./paint.js";
import { queued, resendDelay, resent, restoreOps, sendTime, unacknowledged, unsavedChanges } from "./queue.js";
import { newDragSocket } from "./state.js";

/** @import { Data, Op } from "./payload.js" */
/** @import { Message, BoardOps } from "./queue.js" */
/** @import { State } from "./state.js" */

const SOON_MS = 200; // after the connection is there again

const page = /** @type {Window & {svmlabWhole?: () => void}} */ (window); // set by the frame of every page

/**
 * Report an operation to Python. Its effect is drawn at once.
 * @param {State} s
 * @param {Op} op
 */
export function report({ firstBoard: s }, op) {
  s.queue = queued(s.queue, op);
  remember(s);
  refresh(s);
  sendNext(s);
}

/**
 * Send the operations that may be sent now.
 * @param {State} s
 */
export function sendNext(s) {
  clearTimeout(s.timers.pump);
  const left = s.inflight || !s.alive ? undefined : s.unsentOfOtherBoards.shift();
  if (left) {
    post(s, left);
  } else if (s.queue.length && !s.inflight && s.alive) {
    const { sentAt, answeredIn } = s, socketOpen = socketIsOpen(s);
    const wait = sendTime(s.queue, { sentAt, answeredIn, socketOpen }) - performance.now();
    if (wait > 0) s.timers.pump = setTimeout(() => sendNext(s), wait);
    else post(s, { board: s.data.board, ops: s.queue.splice(0) });
  }
  if (s.dragSocket.drawn && !unacknowledged(s).length) {
    showNewestPicture(s);
    refreshAll(s);
  }
  askForPicture(s, () => sendNext(s));
  s.root.dataset.pending = s.inflight || s.unsentOfOtherBoards.length || s.queue.length ? "1" : "0";
}

/**
 * @param {State} s
 * @param {BoardOps} talk
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
  const unsaid = unsavedChanges(s, s.data.rules.ops) ?? memory.unsaid;
  if (unacknowledged(s).at(-1)?.live) memory.unsaid = unsaid; // the end of the gesture is stored, not every frame
  else keepUnsaid(unsaid);
}

/**
 * @param {State} s
 * @param {Message} message
 */
function transmit(s, { seq, board, ops }) {
  const { boot, rules } = s.data;
  s.sentAt = performance.now();
  if (s.reconnected) page.svmlabWhole?.(); // a restarted server runs no fragment before the whole page
  clearTimeout(s.timers.resend);
  s.timers.resend = setTimeout(() => resend(s), resendDelay(s.unanswered));
  if (board === s.data.board && !ops.every(({ op }) => rules.ops.quiet.includes(op))) markStale(s);
  s.set("event", { boot, board, seq, ops });
}

/**
 * Repeat the message after no answer has come.
 * @param {State} s
 */
function resend(s) {
  if (!s.inflight || !s.alive) return;
  s.unanswered += 1;
  if (s.unanswered > 1 && connected()) notify(s, "lost");
  if (s.unanswered % 3 === 2) s.reconnected = true; // nobody may have noticed that the server was restarted
  const { board } = s.inflight;
  const more = board === s.data.board && resent(s.data, s.inflight.ops, s.queue, s.data.rules.ops);
  if (!more) return transmit(s, s.inflight);
  s.queue = more.queue;
  post(s, { board, ops: more.ops });
}

/**
 * Handle that the connection is there again. Behind it there may be a restarted server, so the messages until the next
 * answer request the whole page too. A message that waits for its answer was probably lost, and is sent again soon,
 * when Streamlit has begun its session.
 * @param {State} s
 */
export function reconnected(s) {
  s.reconnected = true;
  s.unanswered = 0;
  clearTimeout(s.timers.resend);
  s.timers.resend = setTimeout(() => resend(s), SOON_MS);
}

/**
 * Handle data from Python: an acknowledged message is no longer in flight, and a new session gets the remembered state.
 * @param {State} s
 * @param {Data} data
 */
export function acceptData(s, data) {
  memory.seq = Math.max(memory.seq, data.ack);
  if (data.boot !== s.boot) startSession(s, data);
  else if (data.ack < s.restoring) s.data = { ...s.data, ack: data.ack };
  else {
    if (data.board !== s.data.board) setQueueAside(s);
    s.data = data;
  }
  acknowledge(s);
  s.lastData = s.data;
  if (!s.live && !s.inflight) s.dragSocket.drawn = null;
  showNewestPicture(s);
}

/**
 * Set aside the waiting operations of the previous board when another board is shown.
 * @param {State} s
 */
function setQueueAside(s) {
  if (s.queue.length) s.unsentOfOtherBoards.push({ board: s.data.board, ops: s.queue.splice(0) });
  s.dragSocket.drawn = null;
  keepUnsaid(null);
}

/**
 * Handle the first data of a new session. The board shows the remembered state until the session has adopted it.
 * @param {State} s
 * @param {Data} data
 */
function startSession(s, data) {
  recallUnsaid(data);
  const ops = restoreOps(memory, data, Boolean(s.gesture?.dragging)), restores = ops.some(({ op }) => op === "restore");
  if (wasProjected() && !data.projector) ops.push({ op: "project", on: true, type: projectedTypeSize() });
  const { boot, board, ack } = data, shown = s.boot === null || !ops.length ? data : { ...s.data, boot, board, ack };
  Object.assign(s, { boot, data: shown, inflight: null, queue: [], restoring: 0 });
  Object.assign(s, { unsentOfOtherBoards: [], dragSocket: newDragSocket() });
  s.unanswered = 0;
  s.reconnected = false;
  memory.unsaid = null; // `post` stores the changes again
  if (restores) s.restoring = memory.seq + 1;
  if (ops.length) post(s, { board, ops });
}

/** @param {State} s */
function acknowledge(s) {
  const { ack } = s.data;
  if (ack >= s.restoring) s.restoring = 0;
  if (!s.inflight || ack < s.inflight.seq) return;
  s.inflight = null;
  s.reconnected = false;
  s.answeredIn = performance.now() - s.sentAt;
  s.unanswered = 0;
  if (!s.queue.length) keepUnsaid(null);
  clearTimeout(s.timers.resend);
  markFresh(s);
  if (s.note?.key === "lost") s.note = null;
}
