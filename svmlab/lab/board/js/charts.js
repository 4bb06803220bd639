// @ts-check
// The charts beside the board: saved or copied as a picture with a caption, saved as a table, and copied for print.
// plotly draws them. Its own button would save a picture without a caption in the page's colours, and opens a menu here
// instead.

import { make } from "./dom.js";
import { sayCopied } from "./overlays.js";
import { copyToClipboard, download, fontOf, save, withCaption } from "./saving.js";
import { word } from "./state.js";

/** @import { Picture } from "./saving.js" */
/** @import { State } from "./state.js" */
/** @typedef {ArrayLike<unknown>} Values */
/** @typedef {{name?: string, x?: Values, y?: Values, z?: ArrayLike<Values>}} Trace */
/**
 * @typedef {HTMLElement & {layout?: {meta?: {name: string, title: string}},
 *   _fullData?: Trace[]}} Plot the element that plotly draws into; `meta` comes from Python
 */
/** @typedef {"svg" | "png" | "copy" | "csv"} Kind */

const PLOT = ".js-plotly-plot", BUTTON = ".modebar-btn", MENU = "sv-chart-menu", COPY = "sv-chart-copy";
const UNSEEN = ".draglayer, .hoverlayer, .zoomlayer, .selectionlayer, .toppaper";
/** @type {Record<Kind, string>} */
const KINDS = { svg: "saveSvg", png: "savePng", copy: "copyPng", csv: "saveCsv" };
const PAPER_INK = "rgb(0, 0, 0)", SMALL = 14, EDGE = 8; // of the window

/** @type {(s: State, ear: {signal: AbortSignal}) => void} */
export function watchCharts(s, ear) {
  document.addEventListener("click", (e) => pressed(s, e), { ...ear, capture: true });
  document.addEventListener("keydown", (e) => e.key === "Escape" && closeMenu(true), { ...ear, capture: true });
  for (const seen of ["pointerover", "focusin"]) document.addEventListener(seen, (e) => named(s, e.target), ear);
  const print = matchMedia("print");
  window.addEventListener("beforeprint", () => copyAll(s.data.rules.paper), ear);
  window.addEventListener("afterprint", forget, ear);
  print.addEventListener("change", () => (print.matches ? copyAll(s.data.rules.paper) : forget()), ear);
}

/** @type {(target: EventTarget | null) => HTMLElement | null} */
function buttonOf(target) {
  const button = target instanceof Element ? target.closest(`${PLOT} ${BUTTON}`) : null;
  return button instanceof HTMLElement ? button : null;
}

/** @type {(s: State, target: EventTarget | null) => void} */
function named(s, target) {
  const button = buttonOf(target), name = word(s, "saveChart");
  if (!button || !name || button.dataset.title === name) return;
  button.dataset.title = name;
  button.setAttribute("aria-label", name);
}

/** @type {(s: State, e: MouseEvent) => void} */
function pressed(s, e) {
  const button = buttonOf(e.target), within = e.target instanceof Element && e.target.closest(`.${MENU}`);
  if (!within) closeMenu(false);
  const plot = /** @type {Plot | null} */ (button?.closest(PLOT));
  if (!button || !plot) return;
  e.preventDefault();
  e.stopImmediatePropagation(); // no picture by plotly itself, and no menu of another board
  openMenu(s, button, plot);
}

/** @type {(s: State, button: HTMLElement, plot: Plot) => void} */
function openMenu(s, button, plot) {
  const menu = make("div", { className: MENU }), { bottom, left } = button.getBoundingClientRect();
  for (const [kind, key] of /** @type {[Kind, string][]} */ (Object.entries(KINDS))) {
    const each = make("button", { type: "button", textContent: word(s, key) });
    each.dataset.kind = kind;
    each.addEventListener("click", () => {
      closeMenu(true);
      saveChart(s, plot, kind);
    });
    menu.append(each);
  }
  opener = button;
  button.closest("[data-testid=stApp]")?.append(menu); // inside the page's theme
  menu.style.top = `${Math.min(bottom + 4, innerHeight - menu.offsetHeight - EDGE)}px`;
  menu.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - menu.offsetWidth - EDGE))}px`;
  menu.querySelector("button")?.focus({ preventScroll: true });
}

/** @type {HTMLElement | null} */
let opener = null;

/** @param {boolean} back whether the focus returns to the button that opened it */
function closeMenu(back) {
  const menu = document.querySelector(`.${MENU}`);
  if (!menu) return;
  menu.remove();
  if (back) opener?.focus({ preventScroll: true });
  opener = null;
}

/** @type {(s: State, plot: Plot, kind: Kind) => Promise<void>} */
async function saveChart(s, plot, kind) {
  const { rules: { paper }, caption } = s.data, { meta = { name: "chart", title: "" } } = plot.layout ?? {};
  const name = caption.name.replace(/^svmlab/, `svmlab-${meta.name}`);
  const lines = [...(meta.title ? [[meta.title]] : []), ...caption.lines];
  if (kind === "csv") return download(`${name}.csv`, new Blob([table(plot._fullData ?? [])], { type: "text/csv" }));
  const picture = async () => {
    const font = await fontOf(plot), { fontFamily: family } = getComputedStyle(plot);
    return withCaption(drawn(plot, paper), lines, { family, color: PAPER_INK, size: SMALL, font });
  };
  if (kind === "copy") sayCopied(s, await copyToClipboard(picture));
  else await save(await picture(), name, kind);
}

/**
 * The layers of a chart in one SVG, in the colours for print.
 * @type {(plot: Element, paper: Record<string, string>) => Picture}
 */
function drawn(plot, paper) {
  const layers = [...plot.querySelectorAll(".svg-container > svg.main-svg")];
  const [width = 0, height = 0] = ["width", "height"].map((side) => Number(layers[0]?.getAttribute(side)));
  const copies = layers.map((layer) => {
    const copy = /** @type {Element} */ (layer.cloneNode(true));
    copy.querySelectorAll(UNSEEN).forEach((unseen) => unseen.remove());
    return new XMLSerializer().serializeToString(copy);
  });
  return { width, height, text: onPaper(copies.join(""), paper) };
}

/**
 * Replace the colours of a dark page by those of a light one.
 * @type {(svg: string, paper: Record<string, string>) => string}
 */
export const onPaper = (svg, paper) => svg.replace(/(rgba?\()(\d+, ?\d+, ?\d+)/g, (all, head, rgb) => {
  const light = paper[rgb.replaceAll(" ", "")];
  return light ? head + light : all;
});

/**
 * The data of the lines and marks of a chart, one value in each row.
 * @param {Trace[]} traces
 */
export function table(traces) {
  const rows = traces.flatMap(({ name = "", x, y, z }) => (z
    ? Array.from(z, (row, i) => Array.from(row, (value, j) => [name, x?.[j] ?? j, y?.[i] ?? i, value])).flat()
    : Array.from(x ?? [], (value, i) => [name, value, y?.[i] ?? ""])));
  /** @param {unknown} value */
  const cell = (value) => {
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const head = ["line", "x", "y", ...(traces.some(({ z }) => z) ? ["value"] : [])];
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/**
 * In print a copy replaces each chart, because plotly would redraw it for the other width, and too late.
 * @param {Record<string, string>} paper
 */
function copyAll(paper) {
  if (document.querySelector(`.${COPY}`)) return;
  document.querySelectorAll(`[data-testid=stMain] ${PLOT}, [data-testid=stPopoverBody] ${PLOT}`).forEach((plot, n) => {
    const { text, width, height } = drawn(plot, paper);
    const own = text.replace(/(\bid="|url\((?:&quot;|'|")?#)/g, `$1p${n}-`); // an id must not occur twice on a page
    const copy = make("div", { className: COPY });
    copy.innerHTML = `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${own}</svg>`;
    plot.closest("[data-testid=stPlotlyChart]")?.before(copy);
  });
}

function forget() {
  document.querySelectorAll(`.${COPY}`).forEach((copy) => copy.remove());
}
