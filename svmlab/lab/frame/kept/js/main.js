// @ts-check
// What this browser keeps: boards, the first answers to the steps of the lessons, and the solved tasks. Everything is
// drawn here, and Python learns only which board or step is to be opened.

import { isPlain } from "./dom.js";
import { beginHome, paintHome, paintOnward, reset } from "./home.js";
import { nextBox } from "./leitner.js";
import { mix, paintMixed } from "./mixed.js";
import { beginPractice, paintPractice, resetPractice } from "./practice.js";
import { beginPanel, exportAll, keep, paintPanel, remove } from "./panel.js";
import { CHANGED, change, load } from "./storage.js";
import { BOARDS, PRACTICE, PROGRESS, merged } from "./store.js";

/** @import { Lesson } from "./progress.js" */
/** @import { Problem } from "./storage.js" */
/**
 * @typedef {"name" | "keep" | "kept" | "none" | "where" | "open" | "openIt" | "rename" | "remove" | "removed" | "undo"
 *   | "exports" | "imports" | "imported" | "skipped" | "fileNewer" | "fileUnreadable" | "boards" | "all" | "progress"
 *   | "tally" | "tallyDeeper" | "lesson" | "lessonDone" | "reset" | "resetDone" | "onward" | "solved" | "solvedOf"
 *   | "tasks" | "tallyTasks" | "lessonTasks" | "lessonDoneTasks" | "noneInState" | "mixed" | "mixedDue" | "mixedNew"
 *   | "due"
 *   | Problem} Word
 */
/** @typedef {{step: string, version: string, right: boolean, stamp: string, first: boolean}} Result */
/** @typedef {{part: "record", answers: Result[]}} Answered */
/**
 * @typedef {object} Data
 * @property {"panel" | "home" | "onward" | "practice" | "mixed"} part
 * @property {Record<Word, string>} words
 * @property {{name: string, link: string} | null} [board] the present board, with the name that is offered
 * @property {Lesson[]} [lessons]
 * @property {import("./progress.js").Task[]} [tasks] the lines of the list of tasks
 * @property {import("./leitner.js").Candidate[]} [candidates] the kinds of question for a mixed practice
 * @property {number} [count] how many of them are asked for
 * @property {import("./progress.js").State | null} [state] of the lines that are shown; null for all
 */
/** What Python is asked to open. */
/** @typedef {{open: string, name: string} | {step: string} | {all: true} | {mix: string[]}} Go */
/** @typedef {(name: "go", value: Go) => void} Say */

export class Mount {
  /** @type {string | null} */
  said = null;
  /** Takes back what is said, and returns the problem if that fails. */
  /** @type {(() => Problem | null) | null} */
  takeBack = null;
  /** @type {string | null} */
  renaming = null;
  /** Ends the renaming, and stores the name or not. */
  /** @type {((stores: boolean) => void) | null} */
  endRenaming = null;
  /** @type {string | null} */
  next = null;
  off = new AbortController();

  /**
   * @param {HTMLElement} root
   * @param {Data} data
   * @param {Say} say
   */
  constructor(root, data, say) {
    this.root = root;
    this.data = data;
    this.say = say;
    PARTS[data.part].begin?.(this);
    const ear = { signal: this.off.signal }, paint = () => this.paint();
    root.addEventListener("click", (e) => clicked(this, e), ear);
    for (const type of [CHANGED, "storage"]) addEventListener(type, paint, ear);
  }

  paint() {
    PARTS[this.data.part].paint(this);
  }

  /**
   * Say something, with a button that takes it back if there is a way.
   * @param {string | null} text
   * @param {Mount["takeBack"]} [takeBack]
   */
  tell(text, takeBack = null) {
    this.said = text;
    this.takeBack = takeBack;
    this.paintSaid();
  }

  paintSaid() {
    const line = this.root.querySelector(".said");
    if (!line || line.textContent === (this.said ?? "") + (this.takeBack ? this.data.words.undo : "")) return;
    line.textContent = this.said;
    if (!this.takeBack) return;
    const undo = Object.assign(document.createElement("button"), { type: "button", textContent: this.data.words.undo });
    undo.dataset.act = "undo";
    line.append(undo);
  }

  /** @type {(problem: Problem) => string} */
  problem(problem) {
    return this.data.words[problem];
  }

  /** @type {(act: string) => HTMLButtonElement} */
  act(act) {
    return /** @type {HTMLButtonElement} */ (this.root.querySelector(`[data-act=${act}]`));
  }

  /** @param {string} selector */
  focusOn(selector) {
    const element = this.root.querySelector(selector);
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  }
}

/** @type {Record<Data["part"], {begin?: (s: Mount) => void, paint: (s: Mount) => void}>} */
const PARTS = {
  panel: { begin: beginPanel, paint: paintPanel },
  home: { begin: beginHome, paint: paintHome },
  onward: { paint: paintOnward },
  practice: { begin: beginPractice, paint: paintPractice },
  mixed: { paint: paintMixed },
};

/** @type {WeakMap<HTMLElement, Mount>} */
const known = new WeakMap();

/**
 * @param {object} mount
 * @param {Data | Answered} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 * @param {Say} mount.setTriggerValue
 */
export default function kept({ data, parentElement, setTriggerValue }) {
  if (data.part === "record") return record(data);
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-kept"));
  const s = known.get(root) ?? new Mount(root, data, setTriggerValue);
  known.set(root, s);
  Object.assign(s, { data, say: setTriggerValue });
  s.paint();
  // A late cleanup may come while the element is still there.
  return () => void setTimeout(() => root.isConnected || s.off.abort());
}

/** The stamps of the answers that were recorded: after a reset of the progress, the page may show one of them again. */
const recorded = new Set();

/**
 * Keep answers to steps and tasks. An earlier answer to the same question stays. The first answer to a question of
 * Practice moves its kind to another box.
 * @param {Answered} data
 * @returns {undefined}
 */
function record({ answers }) {
  const fresh = answers.filter(({ stamp }) => !recorded.has(stamp)), at = Date.now();
  if (!fresh.length) return;
  for (const { stamp } of fresh) recorded.add(stamp);
  change(PROGRESS, (kept) => fresh.reduce((entries, { step, version, right, first }) => {
    const before = entries.get(step), known = before?.version === version ? before : undefined;
    const box = first ? nextBox(known, right) : known?.box;
    const answer = { version, right, at, ...(step.startsWith(PRACTICE) && box ? { box, last: at } : {}) };
    return merged(PROGRESS, entries, new Map([[step, answer]])).entries;
  }, kept));
}

/** @type {(s: Mount, e: MouseEvent) => void} */
function clicked(s, e) {
  const target = e.target instanceof Element ? e.target.closest("[data-act]") : null;
  if (!(target instanceof HTMLElement)) return;
  const { act = "" } = target.dataset, item = target.closest("li"), id = item?.dataset.id ?? "";
  if (target instanceof HTMLAnchorElement) {
    if (!isPlain(e)) return;
    e.preventDefault();
  }
  s.endRenaming?.(true);
  ACTIONS[act]?.(s, id);
}

/** @type {Record<string, (s: Mount, id: string) => void>} */
const ACTIONS = {
  keep,
  exports: exportAll,
  imports: (s) => /** @type {HTMLInputElement | null} */ (s.root.querySelector("input[type=file]"))?.click(),
  open: (s, id) => {
    const board = load(BOARDS).entries.get(id);
    if (board) s.say("go", { open: board.link, name: board.name });
    else s.paint();
  },
  rename: (s, id) => {
    s.renaming = id;
    s.paint();
  },
  remove,
  reset,
  resetTasks: resetPractice,
  mix,
  all: (s) => s.say("go", { all: true }),
  go: (s) => s.next && s.say("go", { step: s.next }),
  undo: (s) => {
    const problem = s.takeBack?.() ?? null;
    s.tell(problem && s.problem(problem));
    s.paint();
  },
};
