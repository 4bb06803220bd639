// @ts-check
// The boards of this browser in the lab: keep the present one, open, rename, delete, export and import.

import { boardAddress, button, filled, link, make } from "./dom.js";
import { change, load } from "./storage.js";
import { BOARDS, KINDS, MAX_NAME, MAX_TEXT, fileText, merged, nameOf, newId, readFile } from "./store.js";
import { thumbnail } from "./thumbnail.js";

/** @import { Mount } from "./main.js" */
/** @import { Board } from "./store.js" */

const FILE = "svmlab-boards.json";

/** @param {Mount} s */
export function beginPanel(s) {
  const { words } = s.data, name = make("input", { className: "name", maxLength: MAX_NAME, ariaLabel: words.name });
  const file = make("input", { type: "file", accept: ".json,application/json", hidden: true });
  name.addEventListener("input", () => (name.dataset.own = "1"));
  name.addEventListener("keydown", (e) => e.key === "Enter" && keep(s));
  file.addEventListener("change", () => {
    const [chosen] = file.files ?? [];
    if (chosen) importFile(s, chosen);
    file.value = "";
  });
  const row = (/** @type {Node[]} */ ...children) => make("div", { className: "row" }, ...children);
  const all = row(button(words.exports, "exports"), button(words.imports, "imports"), file);
  s.root.append(
    row(name, button(words.keep, "keep")),
    make("p", { className: "said", role: "status" }),
    make("ul", { className: "boards" }),
    make("p", { className: "none", textContent: words.none }),
    all,
    make("p", { className: "where", textContent: words.where }),
  );
}

/** @param {Mount} s */
export function paintPanel(s) {
  const { entries, problem, skipped } = load(BOARDS), { words, board } = s.data;
  const input = /** @type {HTMLInputElement} */ (s.root.querySelector(".name"));
  if (!input.dataset.own) input.value = board?.name ?? "";
  const list = /** @type {HTMLElement} */ (s.root.querySelector(".boards"));
  const sorted = newestFirst(entries), shown = JSON.stringify([sorted, s.renaming]);
  if (list.dataset.shown !== shown) {
    list.dataset.shown = shown;
    list.replaceChildren(...sorted.map(([id, each]) => card(s, id, each)));
    const field = /** @type {HTMLInputElement | null} */ (list.querySelector("input"));
    field?.focus();
    field?.select();
  }
  /** @type {HTMLElement} */ (s.root.querySelector(".none")).hidden = sorted.length > 0;
  s.act("keep").disabled = !board;
  s.act("exports").disabled = !sorted.length && !load(KINDS[1]).entries.size;
  if (!s.said && problem) s.tell(words[problem]);
  else if (!s.said && skipped) s.tell(filled(words.skipped, { n: skipped }));
  s.paintSaid();
}

/**
 * The boards with the one that was kept last at the beginning.
 * @param {Map<string, Board>} entries
 */
export const newestFirst = (entries) => [...entries].sort(([, a], [, b]) => b.at - a.at);

/** @type {(s: Mount, id: string, board: Board) => HTMLElement} */
function card(s, id, { name, link: address, at }) {
  const { words } = s.data, picture = link(boardAddress(address), "open");
  picture.innerHTML = thumbnail(address);
  picture.tabIndex = -1; // the name is the same link
  picture.setAttribute("aria-hidden", "true");
  const date = new Date(at).toLocaleDateString(document.documentElement.lang || undefined, { dateStyle: "medium" });
  const heading = s.renaming === id ? field(s, id, name)
    : Object.assign(link(boardAddress(address), "open", name), { title: filled(words.openIt, { name }) });
  const of = (/** @type {string} */ word) => `${word}: ${name}`;
  return make("li", { data: { id } }, picture, make("div", {}, heading, make("small", { textContent: date }),
    make("div", { className: "acts" }, button(words.open, "open", of(words.open)),
      button(words.rename, "rename", of(words.rename)), button(words.remove, "remove", of(words.remove)))));
}

/** @type {(s: Mount, id: string, name: string) => HTMLElement} */
function field(s, id, name) {
  const input = make("input", { value: name, maxLength: MAX_NAME, ariaLabel: s.data.words.name });
  s.endRenaming = (stores) => {
    const wanted = nameOf(input.value);
    s.renaming = s.endRenaming = null;
    if (stores && wanted && wanted !== name) renameBoard(s, id, wanted);
    s.paint();
  };
  input.addEventListener("keydown", (e) => {
    e.stopPropagation();
    if (e.key !== "Enter" && e.key !== "Escape") return;
    e.preventDefault(); // Enter would also press the button that gets the focus
    s.endRenaming?.(e.key === "Enter");
    s.focusOn(`[data-id="${id}"] [data-act=rename]`);
  });
  // A press on a button of this list must reach it, so its click ends the renaming.
  input.addEventListener("blur", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && s.root.contains(relatedTarget))) s.endRenaming?.(true);
  });
  return input;
}

/** @type {(s: Mount, id: string, name: string) => void} */
function renameBoard(s, id, name) {
  const { problem } = change(BOARDS, (entries) => {
    const board = entries.get(id);
    return board ? entries.set(id, { ...board, name, at: Date.now() }) : entries;
  });
  s.tell(problem ? s.problem(problem) : null);
}

/** @param {Mount} s */
export function keep(s) {
  const { board, words } = s.data, input = /** @type {HTMLInputElement} */ (s.root.querySelector(".name"));
  if (!board) return;
  const name = nameOf(input.value) || nameOf(board.name);
  const { problem } = change(BOARDS, (entries) => entries.set(newId(), { name, link: board.link, at: Date.now() }));
  s.tell(problem ? s.problem(problem) : filled(words.kept, { name }));
  if (!problem) delete input.dataset.own;
  s.paint();
}

/** @type {(s: Mount, id: string) => void} */
export function remove(s, id) {
  const board = load(BOARDS).entries.get(id);
  if (!board) return s.paint();
  const { problem } = change(BOARDS, (entries) => {
    entries.delete(id);
    return entries;
  });
  s.tell(problem ? s.problem(problem) : filled(s.data.words.removed, { name: board.name }), problem ? null : () => {
    const back = change(BOARDS, (entries) => entries.set(id, board));
    return back.problem;
  });
  s.paint();
  s.focusOn("[data-act=undo]");
}

/** Save everything that is kept as one file. */
export function exportAll() {
  const kept = new Map(KINDS.map((kind) => [kind.name, load(kind).entries]));
  const href = URL.createObjectURL(new Blob([fileText(kept)], { type: "application/json" }));
  make("a", { href, download: FILE }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

/** @type {(s: Mount, file: File) => Promise<void>} */
async function importFile(s, file) {
  const { words } = s.data, { kept, skipped, problem } = readFile(file.size > MAX_TEXT ? "" : await file.text());
  if (problem) {
    s.tell(filled(problem === "newer" ? words.fileNewer : words.fileUnreadable, { file: file.name }));
    return;
  }
  let left = skipped;
  const added = new Map();
  for (const kind of KINDS) {
    const others = kept.get(kind.name);
    if (!others?.size) continue;
    const stored = change(kind, (entries) => {
      const result = merged(kind, entries, others);
      added.set(kind.name, result.added);
      left += result.left;
      return result.entries;
    });
    if (stored.problem) {
      s.tell(s.problem(stored.problem));
      return;
    }
  }
  const [boards, answers] = KINDS.map((kind) => added.get(kind.name) ?? 0);
  const said = filled(words.imported, { boards, answers });
  s.tell(left ? `${said} ${filled(words.skipped, { n: left })}` : said);
  s.paint();
}
