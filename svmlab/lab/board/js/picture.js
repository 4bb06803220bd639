// @ts-check
// The picture of the board: the scene as an SVG without a style sheet, in the colours for print.

import { sayCopied } from "./overlays.js";
import { repaint } from "./paint.js";
import { copyToClipboard, fontOf, save, withCaption } from "./saving.js";

/** @import { Picture } from "./saving.js" */
/** @import { State } from "./state.js" */

/** The default values of attributes, which can be left out. @type {Record<string, string>} */
const PLAIN = {
  fill: "rgb(0, 0, 0)", "fill-opacity": "1", stroke: "none", "stroke-width": "1px", "stroke-dasharray": "none",
  "stroke-linecap": "butt", "stroke-linejoin": "miter", opacity: "1", "paint-order": "normal",
};
/** The default values of text elements. @type {Record<string, string>} */
const PLAIN_TEXT = { ...PLAIN, "font-family": "", "font-size": "", "text-anchor": "start" };
const MIXED = /^color\(srgb (\S+) (\S+) (\S+?)(?: \/ (\S+))?\)$/;
const LEFT_OUT = ".hit, .halo, .cursor, .leader";

/**
 * @param {State} s
 * @param {"svg" | "png"} kind
 */
export async function savePicture(s, kind) {
  s.el.menu.hidden = true;
  const font = await fontOf(s.root);
  await save(pictureOnPaper(s, font), s.data.caption.name, kind);
}

/**
 * Copy the picture to the clipboard as a PNG, or say that the browser does not allow it.
 * @param {State} s
 */
export async function copyPicture(s) {
  s.el.menu.hidden = true;
  sayCopied(s, await copyToClipboard(async () => pictureOnPaper(s, await fontOf(s.root))));
}

/**
 * The picture in the colours for print, above a caption: that of the board, unless `lines` are given.
 * @type {(s: State, font: string, lines?: string[][]) => Picture}
 */
export const pictureOnPaper = (s, font, lines = s.data.caption.lines) => onPaper(s, () => pictureOf(s, font, lines));

/**
 * Give the board the colours for print while a function runs, without showing them.
 * @template T
 * @param {State} s
 * @param {() => T} make
 */
function onPaper(s, make) {
  const { root: { classList } } = s;
  classList.remove("stale");
  classList.add("on-paper");
  repaint(s);
  try {
    return make();
  } finally {
    classList.remove("on-paper");
    repaint(s);
  }
}

/** @type {(s: State, font: string, lines: string[][]) => Picture} */
function pictureOf(s, font, lines) {
  const { el: { svg, canvas }, size, data: { shade } } = s;
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true)), from = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => freeze(node, from[i]));
  copy.querySelectorAll('[display="none"]').forEach((node) => node.remove());
  for (const name of copy.getAttributeNames()) copy.removeAttribute(name);
  copy.setAttribute("width", String(size));
  copy.setAttribute("height", String(size));
  const image = shade ? `<image width="${size}" height="${size}" href="${canvas.toDataURL("image/png")}"/>` : "";
  const { fontFamily: family, color } = getComputedStyle(s.root), scene = new XMLSerializer().serializeToString(copy);
  return withCaption({ text: image + scene, width: size, height: size }, lines, { family, color, size: s.tick, font });
}

/**
 * Copy the computed style of an element into its own attributes.
 * @type {(node: Element, from: Element) => void}
 */
function freeze(node, from) {
  const style = getComputedStyle(from);
  for (const [name, plain] of Object.entries(node.tagName === "text" ? PLAIN_TEXT : PLAIN)) {
    const value = style.getPropertyValue(name);
    if (value !== plain) node.setAttribute(name, plainly(value));
  }
  for (const name of node.getAttributeNames()) {
    if (name === "class" || name.startsWith("data-")) node.removeAttribute(name);
  }
  if (from.matches(LEFT_OUT)) node.setAttribute("display", "none");
}

/**
 * Convert a mixed colour, color(srgb 0.3 0.3 0.3), to a form that every program reads.
 * @type {(value: string) => string}
 */
const plainly = (value) => {
  const [, red, green, blue, alpha] = value.match(MIXED) ?? [];
  if (!red) return value;
  const rgb = [red, green, blue].map((v) => Math.round(255 * Number(v)));
  return alpha ? `rgba(${rgb.join(", ")}, ${alpha})` : `rgb(${rgb.join(", ")})`;
};
