// @ts-check
// Saving the picture: the scene as an SVG that needs no style sheet, or as a PNG of it.

import { make } from "./dom.js";

/** @import { State } from "./state.js" */

/** What an attribute need not say. @type {Record<string, string>} */
const PLAIN = {
  fill: "rgb(0, 0, 0)", "fill-opacity": "1", stroke: "none", "stroke-width": "1px", "stroke-dasharray": "none",
  "stroke-linecap": "butt", "stroke-linejoin": "miter", opacity: "1", "paint-order": "normal",
};
/** The same of text alone. @type {Record<string, string>} */
const PLAIN_TEXT = { ...PLAIN, "font-family": "", "font-size": "", "text-anchor": "start" };
const LEFT_OUT = ".hit, .halo, .cursor, .leader";

/**
 * @param {State} s
 * @param {"svg" | "png"} kind
 */
export async function savePicture(s, kind) {
  s.el.menu.hidden = true;
  const svg = new Blob([pictureOf(s, await fontOf(s))], { type: "image/svg+xml" });
  download(`svmlab.${kind}`, kind === "svg" ? svg : await rasterise(svg, s.size));
}

/** @type {(s: State, font: string) => string} */
function pictureOf(s, font) {
  const { root, el: { svg, canvas }, size, data: { shade } } = s;
  root.classList.remove("stale");
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true)), from = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => freeze(node, from[i]));
  copy.querySelectorAll('[display="none"]').forEach((node) => node.remove());
  for (const name of copy.getAttributeNames()) if (name !== "viewBox") copy.removeAttribute(name);
  const outer = { xmlns: "http://www.w3.org/2000/svg", width: size, height: size };
  for (const [name, value] of Object.entries(outer)) copy.setAttribute(name, String(value));
  const paper = `<rect width="${size}" height="${size}" fill="rgb(${s.paper})"/>`;
  const image = shade ? `<image width="${size}" height="${size}" href="${canvas.toDataURL("image/png")}"/>` : "";
  copy.innerHTML = font + paper + image + copy.innerHTML;
  return new XMLSerializer().serializeToString(copy);
}

/**
 * The look that style sheets give an element becomes its own.
 * @type {(node: Element, from: Element) => void}
 */
function freeze(node, from) {
  const style = getComputedStyle(from);
  for (const [name, plain] of Object.entries(node.tagName === "text" ? PLAIN_TEXT : PLAIN)) {
    const value = style.getPropertyValue(name);
    if (value !== plain) node.setAttribute(name, value);
  }
  for (const name of node.getAttributeNames()) {
    if (name === "class" || name.startsWith("data-")) node.removeAttribute(name);
  }
  if (from.matches(LEFT_OUT)) node.setAttribute("display", "none");
}

/**
 * The font of the numbers travels with the picture, if the page declares it.
 * @type {(s: State) => Promise<string>}
 */
async function fontOf(s) {
  const wanted = family(getComputedStyle(s.root).fontFamily);
  for (const sheet of document.styleSheets) {
    for (const { style } of fontFaces(sheet)) {
      const other = family(style.getPropertyValue("font-family")) !== wanted;
      if (other || style.getPropertyValue("font-style") === "italic") continue;
      const url = style.getPropertyValue("src").match(/url\(["']?([^"')]+)/)?.[1];
      const answer = url && (await fetch(new URL(url, sheet.href ?? location.href)).catch(() => null));
      if (!answer || !answer.ok) continue;
      return `<style>@font-face{font-family:"${wanted}";src:url(${await inWords(await answer.blob())})}</style>`;
    }
  }
  return "";
}

/** @type {(face: string) => string} */
const family = (face) => face.split(",")[0].replace(/["']/g, "").trim();

/** @type {(sheet: CSSStyleSheet) => CSSFontFaceRule[]} */
function fontFaces(sheet) {
  try {
    return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
  } catch {
    return []; // a sheet from elsewhere may not be read
  }
}

/** @type {(blob: Blob) => Promise<string>} */
const inWords = (blob) => new Promise((done) => {
  const reader = new FileReader();
  reader.onload = () => done(String(reader.result));
  reader.readAsDataURL(blob);
});

/** @type {(svg: Blob, size: number) => Promise<Blob>} */
async function rasterise(svg, size) {
  const url = URL.createObjectURL(svg), image = new Image(size, size);
  image.src = url;
  await image.decode();
  const canvas = make("canvas", { width: 2 * size, height: 2 * size });
  canvas.getContext("2d")?.drawImage(image, 0, 0, 2 * size, 2 * size);
  URL.revokeObjectURL(url);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png");
  });
}

/** @type {(name: string, blob: Blob) => void} */
function download(name, blob) {
  const a = make("a", { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}
