// @ts-check
// What was handed in as a small drawing, and its order on the wall.

/** @typedef {[number: number, passed: boolean, at: number, seal: string]} Row what was handed in, without its board */
/** @typedef {[seal: string, board: string, sketch: string]} Sketch */
/** @typedef {"passed_first" | "newest_first" | "by_number"} Order */
/** @typedef {"all" | "only_passed" | "only_open"} Filter */

/**
 * The rows in an order, without those that a filter leaves out.
 * @param {Row[]} all
 * @param {Order} by
 * @param {Filter} only
 */
export function ordered(all, by, only) {
  const chosen = all.filter(([, passed]) => only === "all" || passed === (only === "only_passed"));
  const first = (/** @type {Row} */ a, /** @type {Row} */ b) =>
    by === "passed_first" ? Number(b[1]) - Number(a[1]) : by === "newest_first" ? b[2] - a[2] : 0;
  return chosen.sort((a, b) => first(a, b) || a[0] - b[0]);
}

/**
 * A sketch as paths of an SVG: points of both classes, and the boundary.
 * @param {string} text
 */
export function drawingOf(text) {
  const { half, points, lines } = JSON.parse(text);
  let plus = "", minus = "";
  for (let i = 0; i < points.length; i += 3) {
    const at = `M${points[i]} ${-points[i + 1]}h0`;
    if (points[i + 2] > 0) plus += at;
    else minus += at;
  }
  const line = (/** @type {number[]} */ flat) => {
    let d = "";
    for (let i = 0; i < flat.length; i += 2) d += `${i ? "L" : "M"}${flat[i]} ${-flat[i + 1]}`;
    return d;
  };
  return { half, plus, minus, boundary: lines.map(line).join("") };
}

/**
 * Draw a sketch in an SVG with three paths: .plus, .minus and .boundary.
 * @param {Element} svg
 * @param {string} text
 */
export function paintSketch(svg, text) {
  const { half, plus, minus, boundary } = drawingOf(text);
  svg.setAttribute("viewBox", `${-half} ${-half} ${2 * half} ${2 * half}`);
  /** @type {SVGElement} */ (svg).style.setProperty("--unit", String(half / 50));
  for (const [selector, d] of [[".plus", plus], [".minus", minus], [".boundary", boundary]]) {
    svg.querySelector(selector)?.setAttribute("d", d);
  }
}
