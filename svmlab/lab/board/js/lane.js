// @ts-check
// The fast lane: while something is dragged, pictures come past the page.
// One question at a time, about the newest state; the page follows a few times a second. The page's word counts again
// as soon as nothing is left unsaid. A lane that breaks or falls silent is left alone until the next session: every
// picture then comes with the page.

import { paintAhead } from "./paint.js";
import { pending } from "./queue.js";
import { wholeSet } from "./replay.js";

/** @import { Op } from "./payload.js" */
/** @import { Lane, State } from "./state.js" */

const EVERY_MS = 30; // between two questions
const BUSY_MS = 100; // a server that takes longer is asked half of the time
const SILENT_MS = 3000;
const SETS = new Set(["set", "dial"]);

/** @param {State} s */
export const laneOpen = (s) => Boolean(s.data.lane) && !s.lane.broken;

/**
 * @param {State} s
 * @param {() => void} alone what the page does when the lane has fallen silent
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
 * A socket may stay open and say nothing (a proxy that swallows it): it is closed, whose end breaks the lane.
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
 * What is drawn: the page's last word, under the lane's picture while something is unsaid.
 * @param {State} s
 */
export function lookAhead(s) {
  if (!pending(s).length) s.lane.drawn = null;
  s.data = s.lane.drawn ? { ...s.said, ...s.lane.drawn } : s.said;
}
