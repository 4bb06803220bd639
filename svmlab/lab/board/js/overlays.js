// @ts-check
// The elements over the scene: hover lines, the hint, the message, the card of an empty board.

import { esc, write } from "./dom.js";
import { ICONS } from "./icons.js";
import { clamp, fixed } from "./numbers.js";
import { toX, toY } from "./plane.js";
import { square, word } from "./state.js";
import { pointText } from "./screen_reader.js";

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

/** @param {State} s */
export function paintMessage(s) {
  const { message } = s.data, { message: box, messageText, messageIcon } = s.el;
  const shown = s.note ?? (message && message.text !== s.dismissed ? message : null);
  if (!message) s.dismissed = null;
  box.hidden = !shown;
  const key = shown ? shown.tone + shown.text : "";
  if (key === s.painted.message) return;
  s.painted.message = key;
  if (!shown) return;
  box.dataset.tone = shown.tone;
  messageIcon.setAttribute("d", ICONS[shown.tone === "info" ? "info" : "warn"]);
  messageText.textContent = shown.text;
  s.el.said.textContent = shown.text;
}

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
  write(tip, text);
  const q = square(s), x = toX(q, p.x), y = toY(q, p.y), gap = s.pointRadius + 12 * s.k;
  const w = tip.offsetWidth, h = tip.offsetHeight, right = x + gap, left = x - gap - w;
  const middle = clamp(x - w / 2, 0, s.size - w), above = y - gap - h;
  put(tip, right + w <= s.size ? right : left >= 0 ? left : middle, above >= 0 ? above : y + gap);
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
