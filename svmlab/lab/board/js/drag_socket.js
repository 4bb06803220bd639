// @ts-check
// The drag socket: during a drag, pictures come through a WebSocket and not through a run of the page.
// There is one request at a time, about the newest state, and the page follows a few times a second. The page's data
// count again as soon as every operation is acknowledged. After a socket has broken or stopped answering, every picture
// comes with the page, until a new socket is tried some seconds later.

import { paintPicture } from "./paint.js";
import { unacknowledged } from "./queue.js";
import { wholeSet } from "./replay.js";

/** @import { Op } from "./payload.js" */
/** @import { DragSocket, State } from "./state.js" */

const EVERY_MS = 30; // between two requests
const BUSY_MS = 100; // if the server takes longer, requests fill only half of the time
const SILENT_MS = 3000;
const RETRY_MS = 5000; // after a first loss; the time doubles with each loss until a picture comes
const MOST_DOUBLINGS = 6;
const SETS = new Set(["set", "dial"]);

/** @param {State} s */
export const socketIsOpen = (s) => Boolean(s.data.socket) && performance.now() >= s.dragSocket.retryAt;

/**
 * @param {State} s
 * @param {() => void} alone continues without the socket when it has stopped answering
 */
export function askForPicture(s, alone) {
  const said = unacknowledged(s), { dragSocket, data } = s;
  if (!socketIsOpen(s) || dragSocket.askedAt || s.restoring || !said.at(-1)?.live) return;
  if (!said.every(({ op }) => data.rules.dragOps.includes(op))) return;
  const { socket } = dragSocket;
  if (socket?.readyState !== WebSocket.OPEN) {
    if (!socket) openSocket(s, alone);
    return;
  }
  const now = performance.now();
  clearTimeout(s.timers.nextPicture);
  if (now < dragSocket.next) {
    s.timers.nextPicture = setTimeout(() => s.alive && askForPicture(s, alone), dragSocket.next - now);
    return;
  }
  const { points } = wholeSet(s.m);
  dragSocket.points = points;
  dragSocket.board = data.board;
  dragSocket.askedAt = now;
  listenFor(s, dragSocket, alone);
  /** @type {Op[]} */
  const ops = [{ op: "points", points }, { op: "view", half: s.m.view }, ...said.filter(({ op }) => SETS.has(op))];
  socket.send(JSON.stringify({ share: data.share, ops, second: Boolean(s.secondBoard) }));
}

/** @type {(s: State, alone: () => void) => void} */
function openSocket(s, alone) {
  const { dragSocket } = s, socket = new WebSocket(new URL(s.data.socket ?? "", location.href.replace(/^http/, "ws")));
  dragSocket.socket = socket;
  listenFor(s, dragSocket, alone);
  socket.onopen = () => {
    clearTimeout(s.timers.silent);
    askForPicture(s, alone);
  };
  socket.onclose = () => dragSocket.socket === socket && breakOff(s, dragSocket);
  socket.onmessage = ({ data }) => {
    if (!s.alive || s.dragSocket !== dragSocket) return socket.close();
    clearTimeout(s.timers.silent);
    const took = performance.now() - dragSocket.askedAt;
    dragSocket.next = dragSocket.askedAt + (took > BUSY_MS ? 2 * took : EVERY_MS);
    dragSocket.askedAt = dragSocket.losses = 0;
    if (dragSocket.board === s.data.board) dragSocket.drawn = { ...JSON.parse(data), points: dragSocket.points };
    if (unacknowledged(s).length) {
      showNewestPicture(s);
      paintPicture(s);
    }
    askForPicture(s, alone);
  };
}

/** @type {(s: State, dragSocket: DragSocket) => void} */
function breakOff(s, dragSocket) {
  clearTimeout(s.timers.silent);
  dragSocket.socket?.close();
  dragSocket.socket = null;
  dragSocket.askedAt = 0;
  dragSocket.retryAt = performance.now() + RETRY_MS * 2 ** Math.min(dragSocket.losses, MOST_DOUBLINGS);
  dragSocket.losses += 1;
}

/**
 * Close a socket that stays open and sends nothing, as behind some proxies.
 * @param {State} s
 * @param {DragSocket} dragSocket
 * @param {() => void} alone
 */
function listenFor(s, dragSocket, alone) {
  clearTimeout(s.timers.silent);
  s.timers.silent = setTimeout(() => {
    breakOff(s, dragSocket);
    alone();
  }, SILENT_MS);
}

/**
 * Draw the page's last data, with the socket's picture on top while an operation is not acknowledged.
 * @param {State} s
 */
export function showNewestPicture(s) {
  if (!unacknowledged(s).length) s.dragSocket.drawn = null;
  s.data = s.dragSocket.drawn ? { ...s.lastData, ...s.dragSocket.drawn } : s.lastData;
}
