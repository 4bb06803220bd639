// @ts-check
// A board in small: its points, as its link stores them (share.py, version 1).

/** @typedef {{x: number, y: number, label: 1 | -1}} Point in thousandths */

const EDGE = 8000, HALF = 50, LEAST = 500; // the largest coordinate; half of a side; the smallest half view

/**
 * Return the points of a link, and none if it is damaged or has another version.
 * @param {string} link
 * @returns {Point[]}
 */
export function pointsOf(link) {
  if (!link.startsWith("1")) return [];
  try {
    const packedText = atob(link.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(packedText, (c) => c.charCodeAt(0));
    const view = new DataView(bytes.buffer), settings = view.getUint16(4), count = view.getUint16(6 + settings);
    const packed = bytes.subarray(8 + settings), bits = 29 * count;
    if (packed.length !== Math.ceil(bits / 8)) return [];
    let at = 8 * packed.length - bits; // the bits stand at the right
    const take = (/** @type {number} */ n) => {
      let value = 0;
      for (const end = at + n; at < end; at += 1) value = 2 * value + ((packed[at >> 3] >> (7 - (at & 7))) & 1);
      return value;
    };
    return Array.from({ length: count }, () => ({ x: take(14) - EDGE, y: take(14) - EDGE, label: take(1) ? 1 : -1 }));
  } catch {
    return [];
  }
}

/**
 * Return the picture of a link: discs and squares, as large as they fit.
 * @param {string} link
 */
export function thumbnail(link) {
  const points = pointsOf(link), most = Math.max(LEAST, ...points.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]));
  const scale = (HALF - 8) / most, at = (/** @type {number} */ v) => (v * scale).toFixed(1);
  const marks = (/** @type {1 | -1} */ label) =>
    points.filter((point) => point.label === label).map(({ x, y }) => `M${at(x)} ${at(-y)}h0`).join("");
  return `<svg class="small" viewBox="${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}" aria-hidden="true"><path class="minus"
    d="${marks(-1)}"/><path class="plus" d="${marks(1)}"/></svg>`;
}
