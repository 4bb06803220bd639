// @ts-check
// Input by buttons, the legend and files.

import { blankScreen } from "./blank.js";
import { closestToEvent } from "./dom.js";
import { activate, editable, fitView, remove, setLabel, zoom } from "./edit.js";
import { animationOf, saveFilm } from "./film_file.js";
import { filmButton } from "./inputs.js";
import { legendEntry, paintLegend } from "./legend.js";
import { projectedTypeSize } from "./layout.js";
import { memory } from "./memory.js";
import { notify, paintMessage } from "./overlays.js";
import { paintControls, refresh } from "./paint.js";
import { sweep } from "./play.js";
import { copyPicture, savePicture } from "./picture.js";
import { activeBoard } from "./second_board.js";
import { report } from "./messages.js";
import { word } from "./state.js";

/** @import { Act } from "./build.js" */
/** @import { State } from "./state.js" */
/**
 * @typedef {Act | "saveSvg" | "savePng" | "copyPng" | "filmWebm" | "print" | "handoutQuestions" | "handoutAnswers"
 *   | "full" | "closeHelp" | "dismiss" | "more" | "rings" | "blank" | "film"} ActionName
 *   the action of a button or a key
 */

const OPENS_MS = 800; // the longest wait until the folded parts are shown
const MORE = ".st-key-more button", BODY = "[data-testid=stPopoverBody]";

/**
 * @param {State} s
 * @param {Event} e
 */
export function clicked(s, e) {
  const button = closestToEvent(e, "button");
  if (!(button instanceof HTMLElement)) return;
  const entry = legendEntry(s, button), { film, play, action, board, act: deed = "" } = button.dataset;
  if (entry) {
    s.legendPinned = s.legendPinned?.key === entry.key ? null : entry;
    refresh(s);
  } else if (board) {
    activate(s, board);
  } else if (film) {
    filmButton(s, film);
  } else if (play) {
    sweep(s, play);
  } else if (action === "open") {
    s.el.file.click();
  } else if (action) {
    report(s, { op: "action", id: action });
  } else if (Object.hasOwn(ACTIONS, deed)) {
    act(s, /** @type {ActionName} */ (deed));
  }
}

/** @type {Record<ActionName, (s: State) => void>} */
const ACTIONS = {
  plus: (s) => setLabel(s, 0),
  minus: (s) => setLabel(s, 1),
  third: (s) => setLabel(s, 2),
  fourth: (s) => setLabel(s, 3),
  eraser: (s) => {
    s.eraser = !s.eraser && editable(s);
    refresh(s);
  },
  bin: (s) => remove(s, s.m.selected === null ? [] : [s.m.selected]),
  undo: (s) => travel(s, "undo"),
  redo: (s) => travel(s, "redo"),
  given: (s) => s.data.can.reset && report(s, { op: "given" }),
  clear: (s) => {
    if (s.m.pts.size && editable(s)) report(s, { op: "clear" });
  },
  zoomOut: (s) => zoom(s, 1),
  zoomIn: (s) => zoom(s, -1),
  fit: fitView,
  save: (s) => {
    const { menu } = s.el, film = menu.querySelector('[data-act="filmWebm"]');
    menu.hidden = !menu.hidden;
    const animation = animationOf(activeBoard(s));
    if (film instanceof HTMLElement) {
      film.hidden = !animation;
      film.textContent = word(s, "filmWebm").replace("{course}", animation?.course ?? "");
    }
    if (!menu.hidden) menu.querySelector("button")?.focus();
  },
  saveSvg: (s) => savePicture(activeBoard(s), "svg"),
  savePng: (s) => savePicture(activeBoard(s), "png"),
  copyPng: (s) => copyPicture(activeBoard(s)),
  filmWebm: (s) => {
    s.el.menu.hidden = true;
    saveFilm(activeBoard(s));
  },
  print: ({ el: { menu } }) => {
    menu.hidden = true;
    printPage();
  },
  handoutQuestions: (s) => openHandout(s, "questions"),
  handoutAnswers: (s) => openHandout(s, "answers"),
  share: (s) => report(s, { op: "share", full: false }),
  full: (s) => report(s, { op: "share", full: true }),
  help: (s) => toggleHelp(s, s.el.help.hidden),
  closeHelp: (s) => toggleHelp(s, false),
  dismiss: (s) => {
    if (s.recording) s.recording.cancelled = true;
    if (s.note) s.note = null;
    else s.dismissed = s.data.message?.text ?? null;
    paintMessage(s);
  },
  more: (s) => {
    s.details = !s.details;
    paintLegend(s);
  },
  rings: (s) => {
    memory.bare = !memory.bare;
    refresh(s);
  },
  blank: (s) => blankScreen(word(s, "blank")),
  film: (s) => filmButton(s, "play"),
  project: (s) => {
    report(s, { op: "project", on: !s.m.projector, type: projectedTypeSize() });
  },
};

/**
 * @param {State} s
 * @param {ActionName} name
 */
export const act = (s, name) => ACTIONS[name](s);

/**
 * Operations that are not acknowledged yet can be undone too.
 * @param {State} s
 * @param {"undo" | "redo"} op
 */
function travel(s, op) {
  if (s.data.can[op] || s.inflight || s.queue.length) report(s, { op });
}

/**
 * @param {State} s
 * @param {boolean} show
 */
function toggleHelp(s, show) {
  const { help, svg } = s.el;
  help.hidden = !show;
  if (show) s.focusBefore = focused(s);
  const back = s.focusBefore?.isConnected ? s.focusBefore : svg;
  (show ? help : back).focus({ preventScroll: true });
  paintControls(s);
}

/**
 * The element that has the focus, on the board or around it.
 * @type {(s: State) => HTMLElement | SVGElement | null}
 */
function focused({ root }) {
  const place = root.getRootNode();
  const active = (place instanceof ShadowRoot && place.activeElement) || document.activeElement;
  return active !== document.body && (active instanceof HTMLElement || active instanceof SVGElement) ? active : null;
}

/**
 * Close everything that lies over the board, and return whether there was anything.
 * @param {State} s
 */
export function closeOverlays(s) {
  const { help, menu, buttons } = s.el;
  if (!help.hidden) {
    toggleHelp(s, false);
    return true;
  }
  if (menu.hidden) return false;
  menu.hidden = true;
  buttons.save.focus();
  return true;
}

/**
 * @param {State} s
 * @param {File | undefined} file
 */
export async function readFile(s, file) {
  if (!file) return;
  s.note = null;
  if (file.size > s.data.rules.file) return notify(s, "fileTooBig", "error");
  const text = decoded(await file.arrayBuffer());
  if (text.includes("\0")) return notify(s, "fileNotText", "error");
  report(s, { op: "file", name: file.name, text });
}

/**
 * The text of a file in UTF-8, in UTF-16 with its mark, or else in Windows-1252, as spreadsheets write it.
 * @type {(bytes: ArrayBuffer) => string}
 */
function decoded(bytes) {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * Highlight the points of the entry under the mouse.
 * @param {State} s
 * @param {PointerEvent} e
 */
export function previewLegend(s, e) {
  if (e.pointerType !== "mouse") return;
  s.legendHover = e.type === "pointerover" ? legendEntry(s, closestToEvent(e, "button")) : null;
  refresh(s);
}

/**
 * Open the whole lesson for paper in another tab.
 * @type {(s: State, only: "questions" | "answers") => void}
 */
function openHandout({ el: { menu } }, only) {
  menu.hidden = true;
  window.open(`${location.pathname}?only=${only}`, "_blank");
}

/** Print the page, including what a step of a lesson folds away under "More". */
async function printPage() {
  const more = document.querySelector(MORE), opens = more instanceof HTMLElement && !document.querySelector(BODY);
  if (opens) {
    await new Promise((done) => setTimeout(done)); // this click must end first: a click beside "More" closes it
    more.click();
    await there(BODY);
  }
  window.print();
  if (opens && document.querySelector(BODY)) more.click();
}

/** @type {(selector: string) => Promise<void>} */
const there = (selector) => new Promise((done) => {
  const began = performance.now(), look = () => {
    if (document.querySelector(selector) || performance.now() - began > OPENS_MS) setTimeout(done, 100);
    else requestAnimationFrame(look);
  };
  look();
});
