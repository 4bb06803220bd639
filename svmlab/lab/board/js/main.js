// @ts-check
// The board: points, shading, lines, toolbar and legend. It draws the data from Python and reports what people do. It
// computes nothing about support vector machines.

import { arrange, build } from "./build.js";
import { find } from "./dom.js";
import { stopFilm } from "./film.js";
import { slideEnded } from "./inputs.js";
import { nudgeEnded } from "./keys.js";
import { listen, listenToSecondBoard, watchSize } from "./listen.js";
import { keepHistory, keepLink, recallHistory, rememberedBeginning, withLastingWords } from "./memory.js";
import { refreshAll } from "./paint.js";
import { release } from "./pointer.js";
import { endPlay, startPlay } from "./play.js";
import { create } from "./state.js";
import { updateSecondBoard } from "./second_board.js";
import { announce } from "./screen_reader.js";
import { acceptData, report, sendNext } from "./messages.js";
import { words } from "./words.js";

/** @import { Data } from "./payload.js" */
/** @import { State } from "./state.js" */
/** @typedef {(Element | ShadowRoot) & {board?: State}} Place the element in which Streamlit puts a board */

const page = /** @type {Window & {svmlabKeys?: KeyboardEvent[] | null}} */ (window); // set by the frame of every page

/**
 * Handle one answer of Python.
 * @param {{data: Uint8Array, parentElement: Place, setTriggerValue: State["set"]}} mount
 * @returns {() => void} called when the component is removed
 */
export default function board({ data, parentElement, setTriggerValue }) {
  const answer = withLastingWords(JSON.parse(new TextDecoder().decode(data))), s = boardOf(parentElement, answer);
  s.set = setTriggerValue;
  if (answer.still) showStill(s, answer);
  else receive(s, answer);
  // A late cleanup may come while the board is still there, so only a board that has left the page is removed.
  return () => void setTimeout(() => s.root.isConnected || destroy(s));
}

/**
 * Return the board at this place. A new element, which the newer script of an upgraded server brings, replaces it.
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
  if (data.still) watchSize(s);
  else listen(s);
  place.board = root.board = s;
  return s;
}

/**
 * Show a picture for paper. It has no part in the address or in messages.
 * @param {State} s
 * @param {Data} data
 */
function showStill(s, data) {
  s.data = s.lastData = data;
  s.boot = data.boot;
  words(s);
  refreshAll(s);
  s.root.dataset.rev = String(data.rev);
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
  acceptData(s, data);
  s.root.classList.toggle("bare", data.hidden);
  const secondBoard = updateSecondBoard(s);
  words(s);
  if (secondBoard) listenToSecondBoard(secondBoard);
  refreshAll(s);
  const began = s.restoring || s.live ? null : rememberedBeginning(s.lastData);
  const history = s.restoring || s.live ? null : recallHistory(s.lastData);
  if (!s.restoring && !s.live) keepLink(s.lastData);
  if (!s.restoring && !s.live && !history) keepHistory(s.lastData);
  if (began) report(s, { op: "began", share: began });
  if (history) report(s, { op: "history", ...history });
  sendNext(s);
  startPlay(s);
  announce(s);
  s.root.dataset.rev = String(data.rev);
  answerEarly();
}

/** Handle the keys pressed before the first board of this window existed. */
function answerEarly() {
  const keys = page.svmlabKeys ?? [];
  page.svmlabKeys = null;
  for (const early of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", early));
}

/** @param {State} s */
function destroy(s) {
  s.alive = false;
  s.dragSocket.socket?.close();
  s.listening.abort();
  s.secondBoard?.listening.abort();
  s.watch?.disconnect();
  s.themes?.disconnect();
  for (const timer of Object.values(s.timers)) clearTimeout(timer);
  stopFilm(s);
}
