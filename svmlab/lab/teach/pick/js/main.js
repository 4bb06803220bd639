// @ts-check
// A table drawn by Python. A click on an element with a data-id reports that id. A table that follows the board is
// rewritten with every picture of the socket.

import { grid } from "./grid.js";

/** @typedef {{html: string, follows: boolean}} Data */
/** @typedef {Data} Shown the HTML from Python, because HTML that is read back may differ */
/** @type {WeakMap<HTMLElement, Shown>} */
const tables = new WeakMap();

/**
 * @param {object} mount
 * @param {Data} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 * @param {(name: "picked", value: {id: number}) => void} mount.setTriggerValue
 */
export default function pick({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-pick"));
  const known = tables.get(root), shown = known ?? { html: "", follows: false };
  shown.follows = data.follows;
  if (!known) begun(root, shown);
  write(root, shown, data.html);
  /** @param {Event} e */
  const report = (e) => {
    const on = e.target instanceof Element ? e.target.closest("[data-id]") : null;
    if (!(on instanceof HTMLElement || on instanceof SVGElement)) return false;
    setTriggerValue("picked", { id: Number(on.dataset.id) });
    return true;
  };
  root.onclick = report;
  root.onkeydown = (e) => {
    along(root, e);
    if (e.target instanceof HTMLButtonElement) return; // a button sends its own click event
    if ((e.key === "Enter" || e.key === " ") && report(e)) e.preventDefault();
  };
}

/** @type {(root: HTMLElement, shown: Shown) => void} */
function begun(root, shown) {
  tables.set(root, shown);
  const off = new AbortController();
  const watch = new ResizeObserver(() => {
    if (root.isConnected) return fit(root);
    off.abort();
    watch.disconnect();
  });
  watch.observe(root);
  document.addEventListener("svmlab:table", (e) => {
    if (shown.follows && root.isConnected && e instanceof CustomEvent) write(root, shown, e.detail);
  }, { signal: off.signal });
}

/** @type {(root: HTMLElement, shown: Shown, html: string) => void} */
function write(root, shown, html) {
  if (shown.html === html) return;
  const { scrollLeft, scrollTop } = root, focused = focusedRow(root);
  root.innerHTML = html;
  shown.html = html;
  reach(root);
  fit(root);
  Object.assign(root, { scrollLeft, scrollTop });
  const row = focused ? root.querySelector(`:is(tr, button)[data-id="${focused}"]`) : null;
  if (!(row instanceof HTMLElement)) return;
  reach(root, row);
  row.focus({ preventScroll: true });
}

/** @type {(root: HTMLElement) => HTMLElement[]} */
const items = (root) => [...root.querySelectorAll(":is(tr, button)[data-id]")].flatMap((each) =>
  each instanceof HTMLElement ? [each] : []);

/**
 * Make one row or board the stop of Tab: the selected one, unless another is named.
 * @param {HTMLElement} root
 * @param {HTMLElement} [stop]
 */
function reach(root, stop) {
  const all = items(root), chosen = all.find((each) => each.ariaSelected === "true" || each.ariaPressed === "true");
  for (const each of all) each.tabIndex = each === (stop ?? chosen ?? all[0]) ? 0 : -1;
}

/**
 * Arrow keys move along the rows, or along the boards in both directions.
 * @param {HTMLElement} root
 * @param {KeyboardEvent} e
 */
function along(root, e) {
  const all = items(root), at = all.findIndex((each) => each === e.target), boards = root.querySelector(".boards");
  if (at < 0 || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
  const down = boards ? getComputedStyle(boards).gridTemplateColumns.split(" ").length : 1;
  const by = { ArrowDown: down, ArrowUp: -down, ArrowRight: boards ? 1 : 0, ArrowLeft: boards ? -1 : 0 }[e.key];
  const to = by ? all[at + by] : undefined;
  if (!to) return;
  e.preventDefault();
  reach(root, to);
  to.focus();
}

/**
 * Set the size of small boards for their container.
 * @param {HTMLElement} root
 */
function fit(root) {
  const boards = root.querySelector(".boards");
  if (!(boards instanceof HTMLElement)) return;
  const width = root.clientWidth, high = matchMedia("(max-width: 640px)").matches ? Infinity : root.clientHeight;
  if (!width) return;
  const k = Math.max(1, parseFloat(getComputedStyle(root).fontSize) / 16) ** 0.5;
  const { columns, side } = grid(boards.childElementCount, width, high, Number(boards.dataset.together ?? 1), k);
  boards.style.gridTemplateColumns = `repeat(${columns}, ${side}px)`;
}

/** @param {HTMLElement} root */
function focusedRow(root) {
  const place = root.getRootNode();
  const focused = place instanceof Document || place instanceof ShadowRoot ? place.activeElement : null;
  return focused instanceof HTMLElement ? focused.dataset.id : undefined;
}
