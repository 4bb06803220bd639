// @ts-check
// The part of the page for the assistant of the lecturer, whose key stands behind # in the address.

import { ordered, paintSketch } from "../../lecturer/js/sketch.js";

/** @import { Row, Sketch } from "../../lecturer/js/sketch.js" */
/** @import { State } from "./member.js" */

const BATCH = 40; // drawings in one message

/**
 * Return the key in the address, which this tab keeps so that a reload does not need it.
 * @param {string} code
 * @returns {string | null}
 */
export function keyOf(code) {
  const shown = location.hash.slice(1);
  try {
    if (shown) sessionStorage.setItem("svmlab.assistant", `${code} ${shown}`);
    const [room, key] = (sessionStorage.getItem("svmlab.assistant") ?? "").split(" ");
    return room === code ? key : null;
  } catch {
    return shown || null;
  }
}

/**
 * Return the function that shows what the room tells an assistant.
 * @param {HTMLElement} box
 * @param {Record<string, string>} words
 * @param {(said: object) => void} say
 * @returns {(message: any, state: State | null) => void}
 */
export function assistantOf(box, words, say) {
  /** @type {Row[]} */
  let rows = [];
  /** @type {Map<number, Sketch>} */
  const sketches = new Map();
  const lines = document.createElement("p");
  let drawn = "", asked = "", votes = 0, members = 0;

  const button = (/** @type {string} */ name, /** @type {string} */ text, /** @type {() => void} */ act) => {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", className: name, textContent: text });
    made.addEventListener("click", act);
    return made;
  };

  const rowOf = (/** @type {Row} */ [number, passed, , seal]) => {
    const row = document.createElement("li"), sketch = sketches.get(number);
    row.innerHTML = `<svg class="sketch" aria-hidden="true"><path class="boundary"/><path class="plus"/><path
      class="minus"/></svg><span></span>`;
    const name = /** @type {HTMLElement} */ (row.querySelector("span"));
    name.textContent = passed ? `${number} ✓` : String(number);
    if (sketch?.[0] === seal) paintSketch(/** @type {Element} */ (row.querySelector("svg")), sketch[2]);
    const remove = button("tidy", words.remove, () => say({ kind: "remove", number }));
    remove.setAttribute("aria-label", `${words.remove} ${number}`);
    row.append(remove);
    return row;
  };

  return (message, state) => {
    if (message.wall) rows = message.wall;
    if (message.count) ({ votes, members } = message.count);
    for (const [number, sketch] of Object.entries(message.sketches ?? {})) sketches.set(Number(number), sketch);
    if (!message.wall && !message.count && !message.sketches && !message.state) return;
    box.hidden = false;
    const { asked: question, task } = state ?? {}, list = document.createElement("ol");
    const numbers = [...sketches].map(([number, [seal]]) => [number, seal]);
    const present = JSON.stringify([question?.id, question?.open, task?.id, task?.is_open, rows, numbers]);
    lines.textContent = words.assistant.replace("{n}", String(votes)).replace("{members}", String(members));
    if (present === drawn) return; // a button stays in place while it is pressed
    drawn = present;
    const deeds = [];
    if (question?.open) {
      deeds.push(button("deed", words.close_question, () => say({ kind: "close", id: question.id })));
    }
    if (task) {
      const text = task.is_open ? words.close_task : words.open_task;
      deeds.push(button("deed", text, () => say({ kind: "close_task", id: task.id, is_open: !task.is_open })));
    }
    list.append(...(task ? ordered(rows, "newest_first", "all") : []).map(rowOf));
    box.replaceChildren(lines, ...deeds, list);
    const missing = rows.filter(([number, , , seal]) => sketches.get(number)?.[0] !== seal).slice(0, BATCH);
    const key = JSON.stringify(missing);
    if (missing.length && asked !== key) say({ kind: "sketches", numbers: missing.map(([number]) => number) });
    asked = key;
  };
}
