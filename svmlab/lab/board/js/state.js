// @ts-check
// One board on a page. It holds no truth: what Python said last, what was said to Python since, what a hand is doing.

import { replay } from "./replay.js";

/** @import { Elements } from "./build.js" */
/** @import { Data, Hand, Label, Op, Place, Scene } from "./payload.js" */
/** @import { At, End, Square } from "./plane.js" */
/** @import { Message, Talk } from "./queue.js" */
/** @import { Model } from "./replay.js" */
/** @import { Aside } from "./twins.js" */

/**
 * @typedef {object} Lane the socket that brings pictures while something is dragged
 * @property {WebSocket | null} socket
 * @property {number} askedAt 0: nothing is asked
 * @property {number} next not before
 * @property {Partial<Scene> | null} drawn the last picture
 * @property {Scene["points"]} points the points of the question
 * @property {string | null} board it was asked about
 * @property {boolean} broken
 */

/**
 * @typedef {{kind: "press" | "erase"} | {kind: "hand", end: End, hand: Hand}
 *   | {kind: "probe", place: Place}
 *   | {kind: "point", id: number, from: {x: number, y: number}, grab: {x: number, y: number}}} Hold
 * `from`: where the point was; `grab`: from the pointer to its middle, in pixels
 */
/**
 * @typedef {Hold & {pointer: number, at: At, slop: number, other: boolean, moved?: boolean, dragging?: boolean,
 *   drop?: boolean, sent?: boolean}} Gesture
 * other: the other class is meant; drop: letting go deletes; sent: Python has heard of it
 */

/** @typedef {SVGGElement & {look?: string, body?: Element}} PointNode */
/** @typedef {[r: number, g: number, b: number]} Rgb */
/** @typedef {{key: string, cats: string[]}} Chosen an entry of the legend */
/** @typedef {{key: string, tone: "warn" | "error", text: string}} Note what the board itself has to say */
/** @typedef {{board: string | null, point: string, figures: Record<string, string>}} Heard in words */

/**
 * @typedef {object} State
 * @property {HTMLElement & {board?: State}} root
 * @property {Elements} el
 * @property {State} lead the first board: itself, unless it is a twin
 * @property {State | null} twin a second board beside it
 * @property {boolean} alive
 * @property {AbortController} off ends all listening
 * @property {ResizeObserver} [watch]
 * @property {MutationObserver} [themes]
 * @property {Partial<Record<"pump" | "resend" | "dim" | "silent" | "lane" | "long" | "resize", number>>} timers
 * @property {(name: "event", value: Message & {boot: string}) => void} set tells Python
 *
 * @property {Data} said Python's last word
 * @property {Data} data what is drawn: the same, under the lane's picture
 * @property {Model} m with everything said since
 * @property {string | null} boot the session that answers
 * @property {Op[]} queue
 * @property {Talk[]} left what is yet to be said of boards that stand no more
 * @property {Message | null} inflight
 * @property {boolean} live whether the last message was of a drag that goes on
 * @property {number} sentAt
 * @property {number} answeredIn
 * @property {number} unanswered how often the message in flight was said again
 * @property {number} restoring the message that restores this window's state, 0: none
 * @property {Lane} lane
 *
 * @property {boolean | null} phone
 * @property {number} size of the square in pixels; 0: not yet known
 * @property {number} k strokes are so many times as thick
 * @property {number} r radius of a point
 * @property {number} tick size of the numbers
 * @property {number} top
 * @property {number} [topWidth]
 * @property {boolean} small on a phone: scrolled away, and kept in sight
 * @property {number} full its height where it is not
 * @property {number} [waitedFrom]
 * @property {Rgb} paper
 * @property {Partial<Record<Label, Rgb>>} ink
 *
 * @property {Map<number, PointNode>} nodes
 * @property {Map<number, number>} index the place of a point's id in the data
 * @property {Map<number, Aside>} asides of points that are not alone at their place
 * @property {((id: number) => boolean) | null} dimmed
 * @property {Partial<Record<Painted, string | number>>} painted what stands there already
 *
 * @property {{x: number, y: number, on: boolean}} cursor of the keys
 * @property {"mouse" | "touch" | "keys"} input
 * @property {At | null} pointer
 * @property {number | null} hover
 * @property {Gesture | null} gesture
 * @property {boolean} eraser
 * @property {Set<number>} erased
 * @property {number | null} nudged the point that an arrow key pushes
 * @property {HTMLElement | SVGElement | null} before what had the focus before the help
 * @property {HTMLInputElement | null} sliding the slider that moves
 * @property {"keys" | "pointer" | null} slideBy who moves it
 * @property {boolean} details whether the legend shows the categories
 * @property {Chosen | null} legendHover
 * @property {Chosen | null} legendPinned
 * @property {Note | null} note
 * @property {string | null} dismissed the message that was closed
 * @property {string | null} hintDone the hint that was followed
 * @property {{key: string, at: number, timer: number} | null} film the film that is shown; timer 0: it rests
 * @property {number | null} filmSpeed chosen for all films
 * @property {{key: string, timer: number, finish: () => void} | null} playing a slider that moves, or a point: ""
 * @property {string | null} played what Python asked for last that was played
 * @property {Heard | null} heard what was last to be heard of this board
 */
/**
 * @typedef {"k" | "view" | "theme" | "shade" | "shadeData" | "slack" | "sliders" | "legend" | "words" | "empty"
 *   | "message"} Painted
 */

/** A page without a board says nothing about a picture. */
export const NOTHING = {
  points: [], marks: null, shade: null, lines: null, pin: null, slack: [], witness: null, message: null, legend: null,
  hint: null, empty: null, sliders: [], view: 1, below: 0, selected: null, label: 1, task: "binary", labels: [1, -1],
  tool: "place",
  caption: { name: "svmlab", lines: [] },
  can: { undo: false, redo: false, add: false, given: false }, projector: false, type: 24,
  second: null, names: [], active: "A",
};

/** @returns {Lane} */
export const newLane = () => ({
  socket: null, askedAt: 0, next: 0, drawn: null, points: [], board: null, broken: false,
});

/**
 * @param {HTMLElement} root
 * @param {Elements} el
 * @param {Data} data
 * @returns {State}
 */
export function create(root, el, data) {
  const s = /** @type {State} */ ({ ...begun(root, el, data), twin: null });
  s.lead = s;
  return s;
}

/** @type {(root: HTMLElement, el: Elements, data: Data) => Omit<State, "lead" | "twin">} */
const begun = (root, el, data) => ({
  root, el, alive: true, off: new AbortController(), timers: {}, set: () => {},
  said: data, data, m: replay(data, []), boot: null,
  queue: [], left: [], inflight: null, live: false, sentAt: 0, answeredIn: 0, unanswered: 0, restoring: 0,
  lane: newLane(),
  phone: null, size: 0, k: 1, r: 0, tick: 0, top: 0, small: false, full: 0,
  paper: [255, 255, 255], ink: {},
  nodes: new Map(), index: new Map(), asides: new Map(), dimmed: null, painted: {},
  cursor: { x: 0, y: 0, on: false }, input: "mouse", pointer: null, hover: null, gesture: null,
  eraser: false, erased: new Set(), nudged: null, before: null, sliding: null, slideBy: null,
  details: false, legendHover: null, legendPinned: null, note: null, dismissed: null, hintDone: null,
  film: null, filmSpeed: null, playing: null, played: null, heard: null,
});

/**
 * The board, and the one beside it.
 * @param {State} s
 */
export const views = ({ lead }) => (lead.twin ? [lead, lead.twin] : [lead]);

/**
 * The part of the plane that is shown, and how large.
 * @param {State} s
 * @returns {Square}
 */
export const square = (s) => ({ view: s.m.view, size: s.size });

/**
 * A word of the interface.
 * @param {State} s
 * @param {string} key
 */
export function word(s, key) {
  const found = s.data.text[key];
  return typeof found === "string" ? found : "";
}
