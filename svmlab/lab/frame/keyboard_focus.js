// @ts-check
// A group of buttons or links is one stop of the Tab key, and the arrow keys left and right, Home and End move in it.
// In a list of cards, up and down lead to the next card. After a choice in a select box the focus leaves the box, so
// that the keys of the page work again.

/** @typedef {{within: string, items: string, rows?: string}} Group `rows`: up and down move between them */

const MAIN = "[data-testid='stMain']", LINK = "a[href]", HELP = "[data-testid='stTooltipIcon'] button";
const CARD = "[class*='st-key-card_'], [class*='st-key-term_'], [class*='st-key-erratum_'], .sv-table tr";
const PRESSED = ":is(a[href], button, summary, input)", SCROLLS = ":is(.katex-display, blockquote[lang])[tabindex]";
const TEXT = ":is([data-testid='stMarkdown'], [data-testid='stHtml'], [data-testid='stHeading'])";
const TABS = ":is(.st-key-tab, .st-key-compare) button";
const CHANGES = { attributeFilter: ["disabled", "open", "tabindex"] };
/** @type {Group[]} an element belongs to the first group that has it */
const GROUPS = [
  { within: MAIN, items: HELP },
  { within: MAIN, items: `:is(${CARD}) :is(${PRESSED}, ${SCROLLS})`, rows: CARD },
  { within: ".st-key-tasks", items: "button", rows: "[class*='st-key-task_']" },
  { within: MAIN, items: `[data-testid='stPageLink'] ${LINK}` },
  { within: MAIN, items: `${TEXT} :is(a[href], button)` },
  { within: "[data-testid='stHorizontalBlock']:has(> * .st-key-tab)", items: TABS },
  { within: ".st-key-switches", items: PRESSED },
  { within: ".st-key-tries, .st-key-deeds, .st-key-deeper", items: "button" },
  { within: "[data-testid='stButtonGroup']", items: "button" },
];
const CHOSEN = "[aria-checked='true'], [aria-pressed='true'], [data-selected]";
const BOX = "input[role='combobox']", CLOSES_MS = 300; // React gives the focus back to the box a moment after a choice
const here = /** @type {Window & {svmlabFocus?: boolean}} */ (window);

/** @type {WeakMap<Element, {group: Group, box: Element}>} */
const groupOf = new WeakMap();
/** @type {WeakMap<Element, Element>} the stop of each group in its container */
const stops = new WeakMap();
let asked = 0;

/** @type {(e: Element) => e is HTMLElement} */
const usable = (e) => e instanceof HTMLElement && e.isConnected && !e.matches(":disabled") && e.checkVisibility();

function look() {
  asked = 0;
  const claimed = new Set();
  for (const group of GROUPS) {
    for (const box of document.querySelectorAll(group.within)) {
      const items = [...box.querySelectorAll(group.items)].filter((e) => !claimed.has(e));
      for (const e of items) {
        claimed.add(e);
        groupOf.set(e, { group, box });
      }
      arrange(items);
    }
  }
}

/** @param {Element[]} items of one group */
function arrange(items) {
  const before = items.find((e) => stops.get(e) === e && usable(e));
  const stop = before ?? items.find((e) => e.matches(CHOSEN) && usable(e)) ?? items.find(usable);
  for (const e of items) {
    if (e !== stop) stops.delete(e);
    const wanted = e === stop ? "0" : "-1";
    if (e.getAttribute("tabindex") !== wanted) e.setAttribute("tabindex", wanted);
  }
}

/** @type {(e: Element) => Element[]} */
function companions(e) {
  const entry = groupOf.get(e);
  if (!entry) return [];
  const { group, box } = entry;
  return [...box.querySelectorAll(group.items)].filter((each) => groupOf.get(each)?.group === group);
}

/** @param {FocusEvent} e */
function focused({ target }) {
  if (!(target instanceof Element) || !groupOf.has(target)) return;
  stops.set(target, target);
  const all = companions(target);
  for (const other of all) if (other !== target) stops.delete(other);
  arrange(all);
}

/** @param {KeyboardEvent} e */
function keyed(e) {
  const { target, key } = e, entry = target instanceof Element ? groupOf.get(target) : undefined;
  if (!entry || !(target instanceof Element) || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
  const { rows } = entry.group, all = companions(target).filter(usable), at = all.indexOf(/** @type {any} */ (target));
  const to = (rows && { ArrowDown: nextRow(all, at, rows, 1), ArrowUp: nextRow(all, at, rows, -1) }[key])
    ?? { ArrowRight: all[(at + 1) % all.length], ArrowLeft: all.at(at - 1), Home: all[0], End: all.at(-1) }[key];
  if (!to) return;
  e.preventDefault();
  e.stopPropagation();
  to.focus();
}

/**
 * Return the first item of the next or previous row.
 * @type {(all: HTMLElement[], at: number, rows: string, direction: 1 | -1) => HTMLElement | undefined}
 */
function nextRow(all, at, rows, direction) {
  const row = all[at].closest(rows), others = direction > 0 ? all.slice(at) : all.slice(0, at).reverse();
  const next = others.find((e) => e.closest(rows) !== row)?.closest(rows);
  return all.find((e) => next && e.closest(rows) === next);
}

/** Take the focus from a select box whose list has closed after a choice. */
function leaveBox() {
  const end = performance.now() + CLOSES_MS, leave = () => {
    const { activeElement: box } = document;
    if (box instanceof HTMLElement && box.matches(BOX) && box.ariaExpanded !== "true") box.blur();
    if (performance.now() < end) requestAnimationFrame(leave);
  };
  leave();
}

export default function focus() {
  if (here.svmlabFocus) return;
  here.svmlabFocus = true;
  const soon = () => void (asked ||= requestAnimationFrame(look));
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true, ...CHANGES });
  document.addEventListener("focusin", focused);
  document.addEventListener("keydown", keyed, true);
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[role='option']")) leaveBox();
  }, true);
  document.addEventListener("keydown", ({ key, target }) => {
    const chooses = key === "Enter" && target instanceof Element && target.matches(BOX);
    if (chooses && target.getAttribute("aria-activedescendant")) leaveBox();
  }, true);
  soon();
}
