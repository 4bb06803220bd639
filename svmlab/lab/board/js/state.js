// @ts-check
// One board on a page. It stores the last data from Python, the operations sent since, and the gesture in progress.

import { replay } from "./replay.js";

/** @import { Elements } from "./build.js" */
/** @import { Data, Hand, Label, Op, Place, Scene } from "./payload.js" */
/** @import { At, End, Square } from "./plane.js" */
/** @import { Message, BoardOps } from "./queue.js" */
/** @import { Model } from "./replay.js" */
/** @import { Offset } from "./coincident.js" */

/**
 * @typedef {object} DragSocket the drag socket, which sends pictures during a drag
 * @property {WebSocket | null} socket
 * @property {number} askedAt the time of the open request; 0: there is none
 * @property {number} next the earliest time of the next request
 * @property {Partial<Scene> | null} drawn the last picture
 * @property {Scene["points"]} points the points of the request
 * @property {string | null} board the board of the request
 * @property {number} retryAt the earliest time of a new socket, after one was lost
 * @property {number} losses how many sockets were lost since the last picture
 */

/**
 * @typedef {{kind: "press" | "erase"} | {kind: "hand", end: End, hand: Hand}
 *   | {kind: "probe", place: Place}
 *   | {kind: "point", id: number, from: {x: number, y: number}, grab: {x: number, y: number}}} Hold
 * `from`: the position of the point before; `grab`: the vector from the pointer to its centre, in pixels
 */
/**
 * @typedef {Hold & {pointer: number, at: At, slop: number, other: boolean, moved?: boolean, dragging?: boolean,
 *   drop?: boolean, sent?: boolean}} Gesture
 * other: a press for the other class; drop: a release deletes the point; sent: a move was sent to Python
 */

/** @typedef {SVGGElement & {look?: string, body?: Element}} PointNode */
/** @typedef {[r: number, g: number, b: number]} Rgb */
/** @typedef {{key: string, cats: string[]}} Chosen an entry of the legend */
/** @typedef {{key: string, tone: "info" | "warn" | "error", text: string}} Note a message of the board itself */
/** @typedef {{board: string | null, point: string, figures: Record<string, string>}} Heard in words */

/** @typedef {"pump" | "resend" | "dim" | "silent" | "nextPicture" | "long" | "resize" | "away"} Timer */

/**
 * @typedef {object} State
 * @property {HTMLElement & {board?: State}} root
 * @property {Elements} el
 * @property {State} firstBoard the first board, which is this one unless it is the second board
 * @property {State | null} secondBoard a second board beside it
 * @property {boolean} alive
 * @property {AbortController} listening removes all event listeners
 * @property {ResizeObserver} [watch]
 * @property {MutationObserver} [themes]
 * @property {Partial<Record<Timer, number>>} timers
 * @property {(name: "event", value: Message & {boot: string}) => void} set sends a message to Python
 *
 * @property {Data} lastData the last data from Python
 * @property {Data} data what is drawn: the same with the drag socket's picture on top
 * @property {Model} m the model, with all operations since
 * @property {string | null} boot the session that answers
 * @property {Op[]} queue
 * @property {BoardOps[]} unsentOfOtherBoards unsent operations on boards that are no longer shown
 * @property {Message | null} inflight
 * @property {boolean} live whether the last message was part of a drag that has not ended
 * @property {number} sentAt
 * @property {number} answeredIn
 * @property {number} unanswered how often the message in flight was repeated
 * @property {boolean} reconnected whether messages request the whole page too
 * @property {number} restoring the number of the message that restores this window's state; 0: none
 * @property {DragSocket} dragSocket
 *
 * @property {boolean | null} phone
 * @property {number} size the side of the square in pixels; 0: not yet known
 * @property {number} k strokes are so many times as thick
 * @property {number} pointRadius the radius of a point
 * @property {number} tick the font size of the numbers
 * @property {number} top
 * @property {number} [topWidth]
 * @property {{key: string, height: number}} legendRoom the largest height of the legend in the present layout
 * @property {boolean} small whether the board is scrolled away on a phone and kept in sight
 * @property {number} fullHeight its height if it is not small
 * @property {number} [waitedFrom]
 * @property {Rgb} paper
 * @property {Partial<Record<Label, Rgb>>} ink
 *
 * @property {Map<number, PointNode>} nodes
 * @property {Map<number, number>} index the row of a point's id in the data
 * @property {Map<number, Offset>} offsets of points that coincide with others
 * @property {Set<number>} crowded the points whose rings are thinned out
 * @property {((id: number) => boolean) | null} dimmed
 * @property {Partial<Record<Painted, string | number>>} painted what is drawn already
 *
 * @property {{x: number, y: number, on: boolean}} cursor the cursor of the arrow keys
 * @property {"mouse" | "touch" | "keys"} input
 * @property {At | null} pointer
 * @property {number | null} hover
 * @property {Gesture | null} gesture
 * @property {boolean} eraser
 * @property {Set<number>} erased
 * @property {number | null} nudged the point that an arrow key moves
 * @property {HTMLElement | SVGElement | null} focusBefore the element that had the focus before the help
 * @property {HTMLInputElement | null} sliding the slider that moves
 * @property {"keys" | "pointer" | null} slideBy what moves it
 * @property {boolean} details whether the legend shows the categories
 * @property {Chosen | null} legendHover
 * @property {Chosen | null} legendPinned
 * @property {Note | null} note
 * @property {string | null} dismissed the message that was closed
 * @property {string | null} hintDone the hint that was followed
 * @property {{key: string, at: number, timer: number} | null} film the film that is shown; timer 0: it does not play
 * @property {number | null} filmSpeed the speed chosen for all films
 * @property {{key: string, timer: number, finish: () => void} | null} playing its slider, or "" for a point
 * @property {string | null} played the id of the last animation that was played
 * @property {{cancelled: boolean} | null} recording the film that is being recorded
 * @property {Heard | null} heard the last announcements of this board
 */
/**
 * @typedef {"k" | "view" | "theme" | "shade" | "shadeData" | "slack" | "sliders" | "legend" | "words" | "empty"
 *   | "message" | "messagePlace"} Painted
 */

/** The picture of a page without a board. */
export const EMPTY_SCENE = {
  points: [], marks: null, shade: null, lines: null, pin: null, slack: [], witness: null, message: null, legend: null,
  hint: null, empty: null, sliders: [], view: 1, spaceBelow: 0, selected: null, label: 1,
  task: "binary", labels: [1, -1], tool: "place",
  caption: { name: "svmlab", lines: [] },
  can: { undo: false, redo: false, add: false, reset: false }, projector: false, type: 24,
  second: null, boardNames: [], active: "A",
};

/** @returns {DragSocket} */
export const newDragSocket = () => ({
  socket: null, askedAt: 0, next: 0, drawn: null, points: [], board: null, retryAt: 0, losses: 0,
});

/**
 * @param {HTMLElement} root
 * @param {Elements} el
 * @param {Data} data
 * @returns {State}
 */
export function create(root, el, data) {
  const s = /** @type {State} */ ({ ...begun(root, el, data), secondBoard: null });
  s.firstBoard = s;
  return s;
}

/** @type {(root: HTMLElement, el: Elements, data: Data) => Omit<State, "firstBoard" | "secondBoard">} */
const begun = (root, el, data) => ({
  root, el, alive: true, listening: new AbortController(), timers: {}, set: () => {},
  lastData: data, data, m: replay(data, []), boot: null,
  queue: [], unsentOfOtherBoards: [], inflight: null, live: false,
  sentAt: 0, answeredIn: 0, unanswered: 0, reconnected: false, restoring: 0,
  dragSocket: newDragSocket(),
  phone: null, size: 0, k: 1, pointRadius: 0, tick: 0, top: 0, small: false, fullHeight: 0,
  legendRoom: { key: "", height: 0 },
  paper: [255, 255, 255], ink: {},
  nodes: new Map(), index: new Map(), offsets: new Map(), crowded: new Set(), dimmed: null, painted: {},
  cursor: { x: 0, y: 0, on: false }, input: "mouse", pointer: null, hover: null, gesture: null,
  eraser: false, erased: new Set(), nudged: null, focusBefore: null, sliding: null, slideBy: null,
  details: false, legendHover: null, legendPinned: null, note: null, dismissed: null, hintDone: null,
  film: null, filmSpeed: null, playing: null, played: null, recording: null, heard: null,
});

/**
 * Return the board, and the second board if there is one.
 * @param {State} s
 */
export const views = ({ firstBoard }) => (firstBoard.secondBoard ? [firstBoard, firstBoard.secondBoard] : [firstBoard]);

/**
 * Return the visible part of the plane and its size.
 * @param {State} s
 * @returns {Square}
 */
export const square = (s) => ({ view: s.m.view, size: s.size });

/**
 * Return a text of the interface.
 * @param {State} s
 * @param {string} key
 */
export function word(s, key) {
  const text = s.data.text[key];
  return typeof text === "string" ? text : "";
}
