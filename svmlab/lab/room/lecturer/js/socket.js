// @ts-check
// The lecturer's socket to the room. It keeps what the room says, so that this tab can bring the room back.

import { keep, kept } from "./key.js";

/** @import { Row, Sketch } from "./sketch.js" */

/**
 * @typedef {{members: number, votes: number, rounds: number[][], pulse: Record<string, number>}} Count
 * @typedef {object} Ear
 * @property {(count: Count | null) => void} hear what has changed, with the new count if there is one
 * @property {(connected: boolean) => void} changed
 * @property {() => void} ended
 * @property {(message: {wall?: Row[], sketches?: Record<string, Sketch>}) => void} see what was handed in
 */

const FIRST_MS = 250, LONGEST_MS = 3000, OVER = 4000;
/** @type {WebSocket | null} */
let socket = null;
let tries = 0, again = 0;

/** @param {object} said */
export function say(said) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(said));
}

/**
 * Connect to the room that this tab leads, unless it is connected.
 * @param {Ear} ear
 */
export function connectLecturer(ear) {
  const room = kept();
  clearTimeout(again);
  if (!room || (socket && socket.readyState <= WebSocket.OPEN)) return;
  const address = new URL(`r/${room.code}/socket`, document.baseURI.replace(/^http/, "ws"));
  const mine = (socket = new WebSocket(address));
  mine.onopen = () => {
    const { code, ...said } = kept() ?? room;
    mine.send(JSON.stringify({ me: said.key, ...said }));
  };
  mine.onmessage = ({ data }) => {
    const message = JSON.parse(data), present = kept();
    if (mine !== socket || !present) return;
    if (message.here) {
      tries = 0;
      ear.changed(true);
    }
    if (message.kept) keep({ ...present, ...message.kept });
    if (message.count || message.kept) ear.hear(message.count ?? null);
    if (message.wall || message.sketches) ear.see(message);
    if (message.ended) ear.ended();
  };
  mine.onclose = ({ code }) => {
    if (mine !== socket) return;
    ear.changed(false);
    const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** tries++) * (0.5 + Math.random());
    if (code !== OVER) again = setTimeout(() => connectLecturer(ear), wait);
  };
}

export function closeSocket() {
  const old = socket;
  socket = null;
  clearTimeout(again);
  setTimeout(() => old?.close()); // what was said is sent first
}
