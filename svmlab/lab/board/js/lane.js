// @ts-check
// The drag socket: during a drag, pictures come through a WebSocket and not through a run of the page.
// There is one request at a time, about the newest state, and the page follows a few times a second. The page's data
// count again as soon as every operation is acknowledged. A socket that breaks or stops answering is not used again
// until the next session, and every picture then comes with the page.

import { paintAhead } from "./paint.js";
import { pending } from "./queue.js";
import { wholeSet } from "./replay.js";

/** @import { Op } from "./payload.js" */
/** @import { Lane, State } from "./state.js" */

const EVERY_MS = 30; // between two requests
const BUSY_MS = 100; // if the server takes longer, requests fill only half of the time
const SILENT_MS = 3000;
const SETS = new Set(["set", "dial"]);

/** @param {State} s */
export const laneOpen = (s) => Boolean(s.data.lane) && !s.lane.broken;

/**
 * @param {State} s
 * @param {() => void} alone continues without the socket when it has stopped answering
 */
export function askLane(s, alone) {
  const said = pending(s), { lane, data } = s;
  if (!laneOpen(s) || lane.askedAt || s.restoring || !said.at(-1)?.live) return;
  if (!said.every(({ op }) => data.rules.lane.includes(op))) return;
  const { socket } = lane;
  if (socket?.readyState !== WebSocket.OPEN) {
    if (!socket) openLane(s, alone);
    return;
  }
  const now = performance.now();
  clearTimeout(s.timers.lane);
  if (now < lane.next) {
    s.timers.lane = setTimeout(() => s.alive && askLane(s, alone), lane.next - now);
    return;
  }
  const { points } = wholeSet(s.m);
  lane.points = points;
  lane.board = data.board;
  lane.askedAt = now;
  listenFor(s, lane, alone);
  /** @type {Op[]} */
  const ops = [{ op: "points", points }, { op: "view", half: s.m.view }, ...said.filter(({ op }) => SETS.has(op))];
  socket.send(JSON.stringify({ share: data.share, ops, second: Boolean(s.twin) }));
}

/** @type {(s: State, alone: () => void) => void} */
function openLane(s, alone) {
  const { lane } = s, socket = new WebSocket(new URL(s.data.lane ?? "", location.href.replace(/^http/, "ws")));
  lane.socket = socket;
  listenFor(s, lane, alone);
  socket.onopen = () => {
    clearTimeout(s.timers.silent);
    askLane(s, alone);
  };
  socket.onclose = () => breakOff(lane);
  socket.onmessage = ({ data }) => {
    if (!s.alive || s.lane !== lane) return socket.close();
    clearTimeout(s.timers.silent);
    const took = performance.now() - lane.askedAt;
    lane.next = lane.askedAt + (took > BUSY_MS ? 2 * took : EVERY_MS);
    lane.askedAt = 0;
    if (lane.board === s.data.board) lane.drawn = { ...JSON.parse(data), points: lane.points };
    if (pending(s).length) {
      lookAhead(s);
      paintAhead(s);
    }
    askLane(s, alone);
  };
}

/** @param {Lane} lane */
function breakOff(lane) {
  lane.broken = true;
  lane.askedAt = 0;
}

/**
 * Close a socket that stays open and sends nothing (behind some proxies), and stop using it.
 * @param {State} s
 * @param {Lane} lane
 * @param {() => void} alone
 */
function listenFor(s, lane, alone) {
  clearTimeout(s.timers.silent);
  s.timers.silent = setTimeout(() => {
    lane.socket?.close();
    breakOff(lane);
    alone();
  }, SILENT_MS);
}

/**
 * Draw the page's last data, with the socket's picture on top while an operation is not acknowledged.
 * @param {State} s
 */
export function lookAhead(s) {
  if (!pending(s).length) s.lane.drawn = null;
  s.data = s.lane.drawn ? { ...s.said, ...s.lane.drawn } : s.said;
}
