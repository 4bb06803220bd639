// @ts-check
// The elements over the scene: hover lines, the hint, the message, the card of an empty board.

import { esc, write } from "./dom.js";
import { ICONS } from "./icons.js";
import { bestBox, boxes } from "./message_place.js";
import { clamp, fixed } from "./numbers.js";
import { toX, toY } from "./plane.js";
import { square, word } from "./state.js";
import { pointText } from "./screen_reader.js";

const EDGE = 4; // pixels between the strip about a point and the edge of the board
const MARK_STEP = 10; // pixels between the marks that stand for a line of text or a button
const MOST_SPOKEN_OF = 12; // of more support vectors a message may cover some, except on a phone, which makes room
const UNDER = 6; // pixels above and below a message under the board

/** @import { Point } from "./replay.js" */
/** @import { Note, State } from "./state.js" */

/**
 * Show a message of the board itself.
 * @param {State} s
 * @param {string} key
 * @param {Note["tone"]} tone
 */
export function notify(s, key, tone = "warn") {
  s.note = { key, tone, text: word(s, key) };
  paintMessage(s);
}

/**
 * Say on the board whether a picture was copied.
 * @param {State} s
 * @param {boolean} copied
 */
export function sayCopied(s, copied) {
  if (copied) notify(s, "copied", "info");
  else notify(s, "copyRefused");
}

/** @param {State} s */
export function paintMessage(s) {
  const { message } = s.data, { message: box, messageText, messageIcon } = s.el;
  const shown = s.note ?? (message && message.text !== s.dismissed ? message : null);
  if (!message) s.dismissed = null;
  box.hidden = !shown;
  if (!shown) s.el.scene.style.marginBottom = "";
  const key = shown ? shown.tone + shown.text : "";
  const changed = key !== s.painted.message;
  s.painted.message = key;
  if (!shown) return;
  if (changed) {
    box.dataset.tone = shown.tone;
    messageIcon.setAttribute("d", ICONS[shown.tone === "info" ? "info" : "warn"]);
    messageText.textContent = shown.text;
    s.el.said.textContent = shown.text;
  }
  placeMessage(s, changed);
}

/**
 * Put the message where the points that it is about can be seen: a new message, and the present one if points moved
 * under it. If there is no such place on the board, it is under the board, and on a phone what follows makes room.
 * @param {State} s
 * @param {boolean} changed
 */
function placeMessage(s, changed) {
  const { el: { message: box, scene }, size } = s, q = square(s), rings = s.pointRadius + 8 * s.k;
  const { witness, marks } = s.data, proof = new Set(witness?.ids ?? []);
  const supports = marks?.state?.filter((state) => state !== "none").length ?? 0;
  const isAboutSupports = !proof.size && (s.phone || supports <= MOST_SPOKEN_OF);
  const points = [...s.m.pts.values()].map((p) => ({
    x: toX(q, p.x), y: toY(q, p.y),
    spokenOf: proof.has(p.id) || p.id === s.m.selected || (isAboutSupports && isSupport(marks, s.index.get(p.id))),
  }));
  points.push(...titleMarks(s), ...cardMarks(s));
  const key = [s.painted.message, size, ...points.map(({ x, y, spokenOf }) => `${x} ${y} ${spokenOf}`)].join();
  if (key === s.painted.messagePlace) return;
  s.painted.messagePlace = key;
  if (s.gesture?.dragging && !changed) return; // it does not jump during a drag
  const widths = [size - 20, Math.max(Math.min(230 * s.k, size - 20), Math.round(0.52 * size))];
  const sizes = widths.map((width) => {
    box.style.width = `${width}px`;
    return { width, height: box.offsetHeight };
  });
  const free = sizes.filter(({ height }) => height < 0.6 * size), choices = boxes(size, free.length ? free : sizes);
  const best = bestBox(choices, points, rings, changed ? undefined : box.dataset.place);
  // On a phone the message is as wide as the page, for beside the board there are only buttons.
  const left = s.phone ? s.root.getBoundingClientRect().left - scene.getBoundingClientRect().left : 0;
  const width = s.phone ? Math.floor(s.root.clientWidth) : size;
  const place = best ?? { name: "under", left, top: size + UNDER, width };
  box.dataset.place = place.name;
  Object.assign(box.style, { left: `${place.left}px`, top: `${place.top}px`, width: `${place.width}px` });
  scene.style.marginBottom = s.phone && !best ? `${box.offsetHeight + 2 * UNDER}px` : "";
}

/**
 * The names of the axes as rows of marks, so that a message covers none of them if another place is free.
 * @param {State} s
 */
const titleMarks = (s) => [...s.el.ticks.querySelectorAll("text.title")].flatMap((title) => {
  const { x, y, width, height } = /** @type {SVGTextElement} */ (title).getBBox();
  return rowOfMarks(x, y + height / 2, width, false);
});

/**
 * The card of an empty board as rows of marks that no message may cover, as it leads to the first points.
 * @param {State} s
 */
const cardMarks = ({ el: { scene } }) => {
  const board = scene.getBoundingClientRect();
  return [...scene.querySelectorAll(".empty:not([hidden]) :is(p, button)")].flatMap((part) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    return rowOfMarks(left - board.left, top - board.top + height / 2, width, true);
  });
};

/** @type {(x: number, y: number, width: number, spokenOf: boolean) => import("./message_place.js").Mark[]} */
const rowOfMarks = (x, y, width, spokenOf) =>
  Array.from({ length: Math.ceil(width / MARK_STEP) }, (_, i) => ({ x: x + i * MARK_STEP, y, spokenOf }));

/** @type {(marks: State["data"]["marks"], i: number | undefined) => boolean} */
const isSupport = (marks, i) => i !== undefined && (marks?.state?.[i] ?? "none") !== "none";

/** @param {State} s */
export function paintEmpty(s) {
  const card = s.m.pts.size ? null : s.data.empty, key = card ? JSON.stringify(card) : "";
  s.el.empty.hidden = !card;
  if (key === s.painted.empty) return;
  s.painted.empty = key;
  if (!card) return;
  const buttons = card.actions.map(({ id, text }) =>
    `<button type="button" class="action" data-action="${esc(id)}">${esc(text)}</button>`);
  s.el.empty.innerHTML = `<p>${esc(card.text)}</p><div>${buttons.join("")}</div>`;
}

/** @param {State} s */
export function paintTip(s) {
  const { tip } = s.el, id = s.hover ?? (s.input === "mouse" ? null : s.m.selected);
  const p = id === null ? undefined : s.m.pts.get(id), text = p && !s.gesture?.dragging ? pointText(s, p) : "";
  paintHint(s);
  tip.hidden = !text;
  if (!text || !p) return;
  if (s.phone) return putOnEdge(s, tip, text, toY(square(s), p.y));
  write(tip, text);
  const q = square(s), x = toX(q, p.x), y = toY(q, p.y), gap = s.pointRadius + 12 * s.k;
  const w = tip.offsetWidth, h = tip.offsetHeight, right = x + gap, left = x - gap - w;
  const middle = clamp(x - w / 2, 0, s.size - w), above = y - gap - h;
  put(tip, right + w <= s.size ? right : left >= 0 ? left : middle, above >= 0 ? above : y + gap);
}

/**
 * On a phone the lines about a point are a strip along the edge of the board that is farther from the point. If the
 * board is so small that a strip would hide much of it, the strip is below the board.
 * @type {(s: State, tip: HTMLElement, text: string, y: number) => void}
 */
function putOnEdge(s, tip, text, y) {
  write(tip, text.replace("\n", " · "));
  const h = tip.offsetHeight, below = s.root.classList.contains("compact");
  put(tip, EDGE, below ? s.size + EDGE : y > s.size / 2 ? EDGE : s.size - h - EDGE);
}

/** @param {State} s */
function paintHint(s) {
  const { hint } = s.data, { hint: box, leader } = s.el, p = hint ? s.m.pts.get(hint.id) : undefined;
  const text = hint && p && s.hintDone !== hint.text ? hint.text : "";
  box.hidden = !text;
  leader.setAttribute("d", "");
  if (!text || !p) return;
  box.textContent = text;
  const q = square(s), x = toX(q, p.x), y = toY(q, p.y), w = box.offsetWidth, h = box.offsetHeight;
  const [left, top] = emptiest(s, p, w, h);
  const toward = [clamp(x, left, left + w), clamp(y, top, top + h)];
  const len = Math.hypot(toward[0] - x, toward[1] - y) || 1, clear = (s.pointRadius + 10 * s.k) / len;
  const end = `${fixed(x + (toward[0] - x) * clear)} ${fixed(y + (toward[1] - y) * clear)}`;
  put(box, left, top);
  leader.setAttribute("d", `M${toward[0]} ${toward[1]}L${end}`);
}

/**
 * Return the position around a point where a box of w x h pixels covers the fewest other points.
 * @param {State} s
 * @param {Point} p
 * @param {number} w
 * @param {number} h
 */
function emptiest(s, p, w, h) {
  const q = square(s), x = toX(q, p.x), y = toY(q, p.y), away = 46 * s.k;
  const places = [
    [x + away, y - away - h], [x - away - w, y - away - h], [x + away, y + away], [x - away - w, y + away],
    [x - w / 2, y - 2 * away - h], [x - w / 2, y + 2 * away],
  ].map(([left, top]) => [clamp(left, 6, s.size - w - 6), clamp(top, 6, s.size - h - 6)]);
  const covered = places.map(([left, top]) => [...s.m.pts.values()].filter((o) => {
    const ox = toX(q, o.x) - left, oy = toY(q, o.y) - top;
    return ox > -8 && ox < w + 8 && oy > -8 && oy < h + 8;
  }).length);
  return places[covered.indexOf(Math.min(...covered))];
}

/** @type {(box: HTMLElement, left: number, top: number) => void} */
function put(box, left, top) {
  box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}
