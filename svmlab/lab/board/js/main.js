// @ts-check
// The board: points, shading, lines, toolbar and legend. It draws what Python sends and reports what people do; it
// computes nothing about support vector machines.

import { arrange, build } from "./build.js";
import { find } from "./dom.js";
import { stopFilm } from "./film.js";
import { slideEnded } from "./inputs.js";
import { nudgeEnded } from "./keys.js";
import { listen, listenTwin } from "./listen.js";
import { completed, keepLink } from "./memory.js";
import { refreshAll } from "./paint.js";
import { release } from "./pointer.js";
import { endPlay, startPlay } from "./play.js";
import { create } from "./state.js";
import { pair } from "./twin.js";
import { speak } from "./voice.js";
import { hear, pump } from "./wire.js";
import { words } from "./words.js";

/** @import { Data } from "./payload.js" */
/** @import { State } from "./state.js" */
/** @typedef {(Element | ShadowRoot) & {board?: State}} Place where Streamlit puts a board */

const page = /** @type {Window & {svmlabKeys?: KeyboardEvent[] | null}} */ (window); // of the frame of every page

/**
 * One answer of Python.
 * @param {{data: Uint8Array, parentElement: Place, setTriggerValue: State["set"]}} mount
 * @returns {() => void} what is called when the component goes
 */
export default function board({ data, parentElement, setTriggerValue }) {
  const answer = completed(JSON.parse(new TextDecoder().decode(data))), s = boardOf(parentElement, answer);
  s.set = setTriggerValue;
  receive(s, answer);
  // A late call may be cleaned up while the board is still there: only a board that has left the page is taken down.
  return () => void setTimeout(() => s.root.isConnected || destroy(s));
}

/**
 * The board at this place. A new element, as a newer script brings one (of a server that was upgraded), takes it over.
 * @param {Place} place
 * @param {Data} data
 */
function boardOf(place, data) {
  /** @type {State["root"]} */
  const root = find(place, ".svmlab-board", HTMLElement);
  if (place.board?.root === root) return place.board;
  if (place.board) destroy(place.board);
  const s = create(root, build(root), data);
  arrange(s, false);
  listen(s);
  place.board = root.board = s;
  return s;
}

/**
 * @param {State} s
 * @param {Data} data
 */
function receive(s, data) {
  if (data.boot === s.boot && data.board !== s.data.board) {
    endPlay(s);
    release(s);
    slideEnded(s);
    nudgeEnded(s);
  }
  hear(s, data);
  s.root.classList.toggle("bare", data.hidden);
  const twin = pair(s);
  words(s);
  if (twin) listenTwin(twin);
  refreshAll(s);
  if (!s.restoring && !s.live) keepLink(s.said);
  pump(s);
  startPlay(s);
  speak(s);
  s.root.dataset.rev = String(data.rev);
  answerEarly();
}

/** Keys from before the first board of this window. */
function answerEarly() {
  const keys = page.svmlabKeys ?? [];
  page.svmlabKeys = null;
  for (const early of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", early));
}

/** @param {State} s */
function destroy(s) {
  s.alive = false;
  s.lane.socket?.close();
  s.off.abort();
  s.twin?.off.abort();
  s.watch?.disconnect();
  s.themes?.disconnect();
  for (const timer of Object.values(s.timers)) clearTimeout(timer);
  stopFilm(s);
}
