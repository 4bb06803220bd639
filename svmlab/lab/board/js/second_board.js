// @ts-check
// A second board beside the first: the same points, input and messages, with the picture of another SVM.

import { partsOf, plane } from "./build.js";
import { esc, find, make, mark, write } from "./dom.js";
import { views, word } from "./state.js";

/** @import { Data } from "./payload.js" */
/** @import { State } from "./state.js" */

/**
 * Add or remove the second board as the data require, and return it if it is new.
 * @param {State} s
 */
export function updateSecondBoard(s) {
  const { second, boardNames } = s.data, { root, el } = s;
  root.classList.toggle("paired", Boolean(second));
  if (!second) {
    if (s.secondBoard) mark(el.svg, "aria-label", word(s, "scene"));
    s.secondBoard?.listening.abort();
    s.secondBoard?.el.view.remove();
    s.secondBoard = null;
    el.names.hidden = true;
    el.view.hidden = false;
    return null;
  }
  el.names.hidden = false;
  if (el.names.childElementCount !== boardNames.length) el.names.innerHTML = boardNames.map(nameHtml).join("");
  if (s.secondBoard) return null;
  s.secondBoard = secondBoardOf(s);
  s.legendPinned = null; // no legend could release it any more
  el.views.append(s.secondBoard.el.view);
  return s.secondBoard;
}

/** @type {(name: Data["boardNames"][number]) => string} */
const nameHtml = ({ board, title }) => `<button type="button" data-board="${esc(board)}"
  title="${esc(title)}"><b>${esc(board)}</b><span></span></button>`;

/**
 * Return a view of the first board: `own` has what is drawn only for the second one, and all else is shared.
 * @param {State} s
 * @returns {State}
 */
function secondBoardOf(s) {
  const view = make("div", { className: "view", innerHTML: plane("") + '<div class="sliders"></div>' });
  /** @type {{from: Data, said: Data, data: Data} | null} */
  let last = null;
  const own = {
    el: { ...s.el, ...partsOf(view) },
    listening: new AbortController(), painted: {}, nodes: new Map(), index: new Map(), crowded: new Set(), dimmed: null,
    note: null, dismissed: null, hintDone: null, sliding: null, slideBy: null,
    get data() {
      if (last?.from !== s.data || last.said !== s.lastData) {
        const data = { ...s.data, pin: null, hint: null, ...s.lastData.second, ...s.data.second };
        last = { from: s.data, said: s.lastData, data };
      }
      return last.data;
    },
  };
  return new Proxy(s, {
    get: (_, key) => Reflect.get(key in own ? own : s, key),
    set: (_, key, value) => Reflect.set(key in own ? own : s, key, value),
  });
}

/**
 * Show the names of the boards and which SVM the controls change. On a phone only that board is shown.
 * @param {State} s
 */
export function paintNames(s) {
  if (!s.secondBoard) return;
  const { boardNames } = s.data, { el, m: { active } } = s;
  views(s).forEach((view, i) => {
    const { board, text } = boardNames[i], button = find(el.names, `[data-board="${board}"]`, HTMLElement);
    write(find(button, "span", HTMLElement), text);
    mark(button, "aria-pressed", board === active);
    mark(view.el.svg, "aria-label", `${board}: ${text}. ${word(s, "scene")}`);
    mark(view.el.messageClose, "aria-label", word(s, "close"));
    mark(view.el.view, "data-active", board === active);
    view.el.view.hidden = Boolean(s.phone) && board !== active;
    view.el.svg.classList.toggle("erasing", s.eraser);
  });
}

/**
 * Return the board whose SVM the controls change. This board is the one that is saved.
 * @param {State} s
 */
export const activeBoard = (s) => views(s)[s.m.active === "B" ? 1 : 0] ?? s.firstBoard;

/**
 * Return the name of a board, A or B, or null if there is only one.
 * @param {State} s
 */
export const boardName = (s) => (s.firstBoard.secondBoard ? s.data.boardNames[views(s).indexOf(s)].board : null);
