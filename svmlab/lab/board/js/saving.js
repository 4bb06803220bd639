// @ts-check
// The shared parts of saving: a caption under a picture, its font, and the file, an SVG or a PNG of twice the size.

import { esc, make } from "./dom.js";
import { fixed } from "./numbers.js";

/** @typedef {{text: string, width: number, height: number}} Picture an SVG, or the content of one */
/** @typedef {{family: string, color: string, size: number, font: string}} Type of a caption; `font` is from `fontOf` */

const LINE = 1.35, BETWEEN = " · "; // the line height in units of the font size; the separator
const LEFT = 2, SCALE = 2;

/**
 * Put a picture on white above its caption. A line is broken between its parts, and the first line is the title.
 * @type {(picture: Picture, lines: string[][], type: Type) => Picture}
 */
export function withCaption({ text, width, height }, lines, { family: face, color, size, font }) {
  const ctx = make("canvas", {}).getContext("2d"), high = LINE * size;
  const rows = lines.flatMap((parts, i) => {
    const weight = i ? 400 : 600;
    if (ctx) ctx.font = `${weight} ${size}px ${face}`;
    const fits = (/** @type {string} */ row) => (ctx?.measureText(row).width ?? 0) <= width - 2 * LEFT;
    return wrappedRows(parts, fits).map((row) => ({ row, weight }));
  });
  const [title = "", ...rest] = lines.map((parts) => parts.join(BETWEEN));
  const tall = height + Math.ceil((rows.length + 0.5) * high);
  const said = rows.map(({ row, weight }, i) => `<text x="${LEFT}" y="${fixed(height + (i + 1) * high)}" `
    + `font-weight="${weight}">${esc(row)}</text>`).join("");
  const look = `font-family="${esc(face)}" font-size="${fixed(size)}" fill="${color}"`;
  return { width, height: tall, text: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${tall}" `
    + `width="${width}" height="${tall}"><title>${esc(title)}</title><desc>${esc(rest.join("\n"))}</desc>${font}`
    + `<rect width="${width}" height="${tall}" fill="rgb(255, 255, 255)"/>${text}<g ${look}>${said}</g></svg>` };
}

/**
 * Distribute parts to as few rows as `fits` allows. A part that is too long has a row of its own.
 * @type {(parts: string[], fits: (row: string) => boolean) => string[]}
 */
export function wrappedRows(parts, fits) {
  return parts.reduce((rows, part) => {
    const last = rows.at(-1), longer = `${last}${BETWEEN}${part}`;
    return last !== undefined && fits(longer) ? [...rows.slice(0, -1), longer] : [...rows, part];
  }, /** @type {string[]} */ ([]));
}

/** @type {(picture: Picture, name: string, kind: "svg" | "png") => Promise<void>} */
export async function save(picture, name, kind) {
  const svg = () => new Blob([picture.text], { type: "image/svg+xml" });
  download(`${name}.${kind}`, kind === "svg" ? svg() : await rasterise(picture));
}

/**
 * Return the font of an element for the picture, if the page declares it.
 * @param {Element} element
 */
export async function fontOf(element) {
  const wanted = family(getComputedStyle(element).fontFamily);
  for (const sheet of document.styleSheets) {
    for (const { style } of fontFaces(sheet)) {
      const other = family(style.getPropertyValue("font-family")) !== wanted;
      if (other || style.getPropertyValue("font-style") === "italic") continue;
      const url = style.getPropertyValue("src").match(/url\(["']?([^"')]+)/)?.[1];
      const answer = url && (await fetch(new URL(url, sheet.href ?? location.href)).catch(() => null));
      if (!answer || !answer.ok) continue;
      const weight = style.getPropertyValue("font-weight") || "normal", src = await inWords(await answer.blob());
      return `<style>@font-face{font-family:"${wanted}";font-weight:${weight};src:url(${src})}</style>`;
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
    return []; // a style sheet from another origin may not be read
  }
}

/** @type {(blob: Blob) => Promise<string>} */
const inWords = (blob) => new Promise((done) => {
  const reader = new FileReader();
  reader.onload = () => done(String(reader.result));
  reader.readAsDataURL(blob);
});

/**
 * Return a picture as an image that can be drawn.
 * @type {(picture: Picture) => Promise<HTMLImageElement>}
 */
export async function imageOf({ text, width, height }) {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" })), image = new Image(width, height);
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  return image;
}

/**
 * Return a picture as a PNG of twice its size.
 * @type {(picture: Picture) => Promise<Blob>}
 */
export async function rasterise(picture) {
  const { width, height } = picture, image = await imageOf(picture);
  const canvas = make("canvas", { width: SCALE * width, height: SCALE * height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, SCALE * width, SCALE * height);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png");
  });
}

/**
 * Copy a picture to the clipboard as a PNG, and return whether the browser allows it.
 * @param {() => Promise<Picture>} picture
 */
export async function copyToClipboard(picture) {
  try {
    // The clipboard gets a promise, because it must be asked while the click is handled.
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture().then(rasterise) })]);
    return true;
  } catch {
    return false;
  }
}

/** @type {(name: string, blob: Blob) => void} */
export function download(name, blob) {
  const a = make("a", { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}
