// @ts-check
// The format of what the browser keeps: for each kind of entry one JSON document with a version, and a file with all.
// Nothing here uses the page. An entry that breaks a rule is left out and counted, whoever has written it.

/** @typedef {{name: string, link: string, at: number}} Board `link`: of share.py; `at`: when it was kept or renamed */
/**
 * @typedef {{right: boolean, version: string, at: number, box?: number, last?: number}} Answer the first one to a step
 * of this version, or the first right one to a task. `box` and `last`: of a task, its Leitner box and when it was
 * answered last (leitner.js).
 */
/** @typedef {"unreadable" | "newer"} Damage */
/**
 * @template Entry
 * @typedef {object} Kind
 * @property {string} name in a file
 * @property {string} key in localStorage
 * @property {number} version of the document that is written, and the newest one that is read
 * @property {number} limit the largest number of entries
 * @property {(id: string, value: Record<string, unknown>) => Entry | null} read returns null for what breaks a rule
 * @property {(mine: Entry, other: Entry, id: string) => Entry | null} merge two entries with this id; null if both must
 *   stay
 */
/**
 * @template Entry
 * @typedef {{entries: Map<string, Entry>, skipped: number, problem: Damage | null}} Opened `skipped`: entries left out
 */

import { LAST_BOX, lastOf } from "./leitner.js";

export const MAX_TEXT = 2 ** 21; // characters of a document or a file
export const MAX_NAME = 60;
const FORMAT = "svmlab", FILE_VERSION = 1;
const ID = /^[0-9a-z]{1,32}$/, STEP = /^[a-z0-9_]{1,40}\.[a-z0-9-]{1,40}$/, DIGEST = /^[0-9a-f]{1,32}$/;
export const PRACTICE = "practice."; // before the names of tasks
const LINK = /^[0-9][A-Za-z0-9_-]{0,3999}$/, LATEST = 8.64e15; // the last moment of a date in ms

/** @type {Kind<Board>} */
export const BOARDS = {
  name: "boards", key: "svmlab.boards", version: 1, limit: 200,
  read: (id, { name, link, at }) => {
    const shown = nameOf(name);
    return ID.test(id) && shown && isText(link, LINK) && isMoment(at) ? { name: shown, link, at } : null;
  },
  merge: (mine, other) => (mine.link !== other.link ? null : other.at > mine.at ? other : mine),
};

/** @type {Kind<Answer>} */
export const PROGRESS = {
  name: "progress", key: "svmlab.progress", version: 1, limit: 2000,
  read: (id, { right, version, at, box, last }) => {
    const boxed = isBox(box) && isMoment(last) ? { box, last } : {};
    return STEP.test(id) && typeof right === "boolean" && isText(version, DIGEST) && isMoment(at)
      ? { right, version, at, ...boxed } : null;
  },
  // Of answers to the same question the first one counts. A question that has changed is answered anew. A task of the
  // page Practice is tried until it is solved, so there the first right answer counts.
  merge: (mine, other, id) => {
    const [first, last] = other.at < mine.at ? [other, mine] : [mine, other];
    if (mine.version !== other.version) return last;
    if (!id.startsWith(PRACTICE)) return first;
    const counts = last.right && !first.right ? last : first, recent = lastOf(mine) > lastOf(other) ? mine : other;
    return recent.box ? { ...counts, box: recent.box, last: lastOf(recent) } : counts;
  },
};

/** @type {Kind<any>[]} */
export const KINDS = [BOARDS, PROGRESS];

/**
 * Return a name without control characters and spaces at its ends, and not too long; "" if nothing is left.
 * @param {unknown} name
 */
export const nameOf = (name) => typeof name === "string"
  ? [...name.replace(/[\p{C}\s]+/gu, " ").trim()].slice(0, MAX_NAME).join("").trim() : "";

/** A new id, which no other entry has. */
export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
  byte.toString(16).padStart(2, "0")).join("");

/**
 * Read a document of one kind.
 * @template Entry
 * @param {Kind<Entry>} kind
 * @param {string | null} text null if there is none
 * @returns {Opened<Entry>}
 */
export function readDocument(kind, text) {
  if (text === null) return { entries: new Map(), skipped: 0, problem: null };
  return entriesOf(kind, parsed(text));
}

/**
 * @template Entry
 * @param {Kind<Entry>} kind
 * @param {Map<string, Entry>} entries
 */
export const documentText = (kind, entries) => JSON.stringify(documentOf(kind, entries));

/**
 * Return the entries of both. Of two with one id, the kind decides which stays; another that must stay gets a new id.
 * `left`: how many found no room.
 * @template Entry
 * @param {Kind<Entry>} kind
 * @param {Map<string, Entry>} mine
 * @param {Map<string, Entry>} others
 * @param {() => string} [makeId]
 */
export function merged(kind, mine, others, makeId = newId) {
  const entries = new Map(mine);
  let added = 0, left = 0;
  for (const [id, other] of others) {
    const own = entries.get(id), one = own && kind.merge(own, other, id);
    if (one) entries.set(id, one);
    else if (entries.size >= kind.limit) left += 1;
    else {
      entries.set(own ? makeId() : id, other);
      added += 1;
    }
  }
  return { entries, added, left };
}

/**
 * Return the text of a file with everything that is kept.
 * @param {Map<string, Map<string, any>>} kept the entries by the name of their kind
 */
export function fileText(kept) {
  const documents = KINDS.map((kind) => [kind.name, documentOf(kind, kept.get(kind.name) ?? new Map())]);
  return JSON.stringify({ format: FORMAT, version: FILE_VERSION, documents: Object.fromEntries(documents) }, null, 1);
}

/**
 * Read a file. Documents of an unknown kind or a newer version are left out and counted, each as one.
 * @param {string} text
 * @returns {{kept: Map<string, Map<string, any>>, skipped: number, problem: Damage | null}}
 */
export function readFile(text) {
  const file = parsed(text), none = { kept: new Map(), skipped: 0 };
  if (!isRecord(file) || file.format !== FORMAT || !isRecord(file.documents)) return { ...none, problem: "unreadable" };
  if (typeof file.version !== "number" || file.version > FILE_VERSION) return { ...none, problem: "newer" };
  const kept = new Map();
  let skipped = 0;
  for (const [name, document] of Object.entries(file.documents)) {
    const kind = KINDS.find((each) => each.name === name), reading = kind && entriesOf(kind, document);
    skipped += reading && !reading.problem ? reading.skipped : 1;
    if (reading && !reading.problem) kept.set(name, reading.entries);
  }
  return { kept, skipped, problem: null };
}

/**
 * @template Entry
 * @param {Kind<Entry>} kind
 * @param {unknown} document
 * @returns {Opened<Entry>}
 */
function entriesOf(kind, document) {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  const damaged = !isRecord(document) || typeof document.version !== "number" || !isRecord(document.entries);
  if (damaged) return { entries, skipped: 0, problem: "unreadable" };
  if (Number(document.version) > kind.version) return { entries, skipped: 0, problem: "newer" };
  let skipped = 0;
  for (const [id, value] of Object.entries(/** @type {object} */ (document.entries))) {
    const entry = isRecord(value) && entries.size < kind.limit ? kind.read(id, value) : null;
    if (entry) entries.set(id, entry);
    else skipped += 1;
  }
  return { entries, skipped, problem: null };
}

/** @type {(kind: Kind<any>, entries: Map<string, any>) => object} */
const documentOf = (kind, entries) => ({ version: kind.version, entries: Object.fromEntries(entries) });

/** @type {(text: string) => unknown} */
function parsed(text) {
  if (text.length > MAX_TEXT) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @type {(value: unknown) => value is Record<string, unknown>} */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @type {(value: unknown, form: RegExp) => value is string} */
const isText = (value, form) => typeof value === "string" && form.test(value);

/** @type {(value: unknown) => value is number} */
const isBox = (value) => typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= LAST_BOX;

/** @type {(value: unknown) => value is number} */
const isMoment = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= LATEST;
