// @ts-check
// The picture above the board, turned by hand: raised points, a plane, its intersection and its shadow. The page sends
// it. During a drag the board passes on every move, with the last picture of the socket.

import { draw } from "./draw.js";
import { boxOf, heightOf } from "./shape.js";
import { clampedView, nearest } from "./view.js";

/** @import { Box, Lift } from "./shape.js" */
/** @import { Normal, Projected, Turn } from "./view.js" */
/** @typedef {[id: number, x: number, y: number, label: 1 | -1]} Row */
/**
 * @typedef {Lift & {half: number, plane: Normal | null, shadow: number[][], ringed: number[]}} SpaceData from Python's
 *   Space
 */
/** @typedef {"paper" | "text" | "quiet" | "accent" | "plus" | "minus"} Colour */
/** @typedef {Record<Colour, string> & {small: number, stroke: number}} Look */
/** @typedef {Record<"seen" | "point" | "height" | "save" | "file", string>} Words */
/**
 * @typedef {object} Data
 * @property {SpaceData} space
 * @property {Row[]} points
 * @property {number | null} selected
 * @property {string | null} rise the id of an animation of rising points, which is played once
 * @property {[az: number, el: number] | null} turn from where a link shows it
 * @property {Look} look
 * @property {Words} text
 */
/**
 * @typedef {{space: SpaceData, points: Row[], selected: number | null, held: number | null, live: boolean}} Moved
 * the data that a board passes on
 */
/** @typedef {(name: "picked", value: {id: number}) => void} Say */
/**
 * @typedef {object} State
 * @property {HTMLElement & {space?: State}} root
 * @property {HTMLCanvasElement} canvas
 * @property {HTMLElement} tip
 * @property {HTMLButtonElement} button
 * @property {Data} data
 * @property {Box} box kept during a drag, because the picture would change its size otherwise
 * @property {number | null} draggedId
 * @property {number | null} hoveredId the point under the pointer
 * @property {{seen: Projected, of: Row}[]} marks where the points were drawn last
 * @property {{pointer: number, x: number, y: number, from: Turn, moved: boolean} | null} grab
 * @property {number} begun the time when the points began to rise; 0: they have risen
 * @property {number} asked the requested animation frame
 * @property {number} [resting] the timer that reports the direction
 * @property {Say} say
 * @property {AbortController} off
 * @property {ResizeObserver} watch
 */

const PER_PIXEL = 0.009, PER_KEY = 0.1, SLOP = 4, REACH = { mouse: 14, touch: 26 }, RISE_MS = 1600;
/** @type {Record<string, [number, number] | undefined>} */
const KEYS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
/** @type {{line: Turn, plane: Turn}} the last view of a line and of a plane */
const views = { line: { az: 0.12, el: 0.16 }, plane: { az: 0.6, el: 0.36 } };
/** @type {Set<string>} */
const risen = new Set();
/** @type {WeakMap<HTMLElement, State>} */
const spaces = new WeakMap();
/** @type {Set<"line" | "plane">} the kinds that a hand has turned in this window, which no link turns any more */
const turned = new Set();
const REST_MS = 400; // after the last movement, the direction is reported

/** @type {(s: State) => "line" | "plane"} */
const kind = ({ data }) => (data.space.flat ? "line" : "plane");

/** @param {State} s */
export const turnOf = (s) => views[kind(s)];

/**
 * @param {object} mount
 * @param {Data} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 * @param {Say} mount.setTriggerValue
 */
export default function space({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-space"));
  const s = spaces.get(root) ?? begun(root, data);
  const { text, rise } = data;
  s.say = setTriggerValue;
  s.data = data;
  if (data.turn && !turned.has(kind(s))) views[kind(s)] = clampedView({ az: data.turn[0], el: data.turn[1] });
  if (s.draggedId === null) s.box = boxed(data);
  s.canvas.setAttribute("aria-label", text.seen);
  s.button.setAttribute("aria-label", text.save);
  s.button.title = text.save;
  s.button.hidden = false;
  if (rise && !risen.has(rise)) {
    risen.add(rise);
    s.begun = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : performance.now();
  }
  ask(s);
  // A late cleanup may come while the canvas is still there.
  return () => void setTimeout(() => root.isConnected || ended(s));
}

/** @type {(of: Pick<Data, "space" | "points">) => Box} */
const boxed = ({ space: lift, points }) => boxOf(lift, lift.half, points.map(([, x, y]) => ({ x, y })));

/** @type {(root: HTMLElement & {space?: State}, data: Data) => State} */
function begun(root, data) {
  const children = /** @type {unknown} */ ([...root.children]);
  const [canvas, tip, button] = /** @type {[HTMLCanvasElement, HTMLElement, HTMLButtonElement]} */ (children);
  const off = new AbortController(), ear = { signal: off.signal };
  const watch = new ResizeObserver(() => ask(s));
  /** @type {State} */
  const s = {
    root, canvas, tip, button, data, box: boxed(data), draggedId: null, hoveredId: null, marks: [],
    grab: null, begun: 0,
    asked: 0, say: () => {}, off, watch,
  };
  root.space = s;
  spaces.set(root, s);
  watch.observe(root);
  document.addEventListener("svmlab:space", (e) => e instanceof CustomEvent && moved(s, e.detail), ear);
  canvas.addEventListener("pointerdown", (e) => grab(s, e), ear);
  canvas.addEventListener("pointermove", (e) => (s.grab ? drag(s, e) : point(s, e)), ear);
  canvas.addEventListener("pointerup", (e) => letGo(s, e), ear);
  canvas.addEventListener("pointercancel", () => release(s), ear);
  canvas.addEventListener("pointerleave", (e) => e.pointerType === "touch" || setHovered(s, null), ear); // taps keep it
  canvas.addEventListener("keydown", (e) => keyed(s, e), ear);
  button.addEventListener("click", () => save(s), ear);
  return s;
}

/** @param {State} s */
function ended(s) {
  s.off.abort();
  s.watch.disconnect();
  cancelAnimationFrame(s.asked);
  spaces.delete(s.root);
}

/**
 * Handle a move on the board or a picture of the socket.
 * @type {(s: State, said: Moved) => void}
 */
function moved(s, { space: lift, points, selected, held: id, live }) {
  s.data = { ...s.data, space: lift, points, selected };
  s.draggedId = id;
  if (!live) s.box = boxed(s.data);
  ask(s);
}

/**
 * Draw one picture for all changes until the next animation frame.
 * @param {State} s
 */
function ask(s) {
  s.asked ||= requestAnimationFrame((now) => {
    s.asked = 0;
    if (!s.root.isConnected) return;
    const t = s.begun ? Math.min(1, Math.max(0, (now - s.begun) / RISE_MS)) : 1;
    if (t === 1) s.begun = 0;
    draw(s, turnOf(s), t * t * (3 - 2 * t));
    showTip(s);
    const { az, el } = turnOf(s), frames = Number(s.root.dataset.frames ?? 0) + 1;
    Object.assign(s.root.dataset, { frames, az: az.toFixed(3), el: el.toFixed(3), up: t.toFixed(2) });
    if (s.begun) ask(s);
  });
}

/** @type {(s: State, az: number, el: number) => void} */
function turn(s, az, el) {
  views[kind(s)] = clampedView({ az, el });
  turned.add(kind(s));
  clearTimeout(s.resting);
  s.resting = setTimeout(() => s.root.isConnected && document.dispatchEvent(
    new CustomEvent("svmlab:turned", { detail: turnOf(s) })), REST_MS); // the board tells Python, for the address
  ask(s);
}

/** @type {(s: State, e: PointerEvent) => void} */
function grab(s, e) {
  if (s.grab || e.button) return;
  s.canvas.setPointerCapture(e.pointerId);
  s.grab = { pointer: e.pointerId, x: e.clientX, y: e.clientY, from: turnOf(s), moved: false };
}

/** @type {(s: State, e: PointerEvent) => void} */
function drag(s, e) {
  const { grab: g } = s;
  if (!g || g.pointer !== e.pointerId) return;
  const right = e.clientX - g.x, down = e.clientY - g.y;
  if (!g.moved && Math.hypot(right, down) < SLOP) return;
  g.moved = true;
  s.root.dataset.turning = "1";
  setHovered(s, null);
  turn(s, g.from.az - right * PER_PIXEL, g.from.el + down * PER_PIXEL);
}

/** @type {(s: State, e: PointerEvent) => void} */
function letGo(s, e) {
  const { grab: g } = s;
  release(s);
  if (!g || g.moved || g.pointer !== e.pointerId) return;
  point(s, e);
  if (s.hoveredId !== null) s.say("picked", { id: s.hoveredId });
}

/** @param {State} s */
function release(s) {
  s.grab = null;
  s.root.dataset.turning = "0";
}

/** @type {(s: State, e: PointerEvent) => void} */
function point(s, e) {
  const { left, top } = s.canvas.getBoundingClientRect(), reach = REACH[e.pointerType === "touch" ? "touch" : "mouse"];
  const row = nearest(s.marks, e.clientX - left, e.clientY - top, reach * s.data.look.stroke);
  setHovered(s, row && row[0]);
}

/** @type {(s: State, id: number | null) => void} */
function setHovered(s, id) {
  if (id === s.hoveredId) return;
  s.hoveredId = id;
  ask(s);
}

/**
 * Show the name and height of a point beside it, also for the point that is being dragged.
 * @param {State} s
 */
function showTip(s) {
  const { tip, root, hoveredId: id, draggedId: hold, data: { space: lift, text } } = s;
  const mark = s.marks.find(({ of }) => of[0] === (id ?? hold));
  tip.hidden = !mark;
  if (!mark) return;
  const [name, x, y] = mark.of, [right, down] = mark.seen;
  /** @type {Record<string, string>} */
  const values = { id: String(name), x: written(x), y: written(y), z: written(heightOf(lift, x, y)) };
  tip.textContent = text.point.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const { offsetWidth: w, offsetHeight: h } = tip, gap = 12 * s.data.look.stroke;
  const left = right + gap + w <= root.clientWidth ? right + gap : Math.max(0, right - gap - w);
  const top = Math.min(Math.max(0, down - h - gap / 2), root.clientHeight - h);
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

/** @type {(v: number) => string} */
const written = (v) => String(Number(v.toPrecision(4)) + 0).replace("-", "−");

/** @type {(s: State, e: KeyboardEvent) => void} */
function keyed(s, e) {
  const step = KEYS[e.key], { az, el } = turnOf(s);
  if (!step || e.altKey || e.ctrlKey || e.metaKey) return;
  e.preventDefault();
  e.stopPropagation(); // otherwise the board would move a point
  turn(s, az + step[0] * PER_KEY, el + step[1] * PER_KEY);
}

/**
 * Save the present picture on the colour of the page.
 * @param {State} s
 */
function save({ canvas, data: { look, text } }) {
  const copy = document.createElement("canvas"), ctx = copy.getContext("2d");
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  if (!ctx) return;
  ctx.fillStyle = look.paper;
  ctx.fillRect(0, 0, copy.width, copy.height);
  ctx.drawImage(canvas, 0, 0);
  const link = document.createElement("a");
  Object.assign(link, { href: copy.toDataURL("image/png"), download: text.file });
  link.click();
}
