// @ts-check
// Heights, and the surface of all raised points as a few curves. Python names the height, and a test compares both.

/** @typedef {"square" | "norm" | "cube"} Height */
/** @typedef {[x: number, y: number, z: number]} Place */
/** @typedef {{height: Height, flat: boolean}} Lift `flat`: only x1 is used, as on a line */
/**
 * What is visible; `deep` is its extent along x2.
 * @typedef {{half: number, low: number, high: number, deep: number}} Box
 */

const FINE = 32, RINGS = 5, SPOKES = 12; // segments of a curve, and the numbers of curves
const RIBBON = 0.3; // the half width of a line's surface, in units of half the board
const AIR = 1.08; // the height of the box in units of the highest point

/** @type {Record<Height, (x: number, y: number) => number>} */
const HEIGHTS = {
  square: (x, y) => x * x + y * y,
  norm: (x, y) => Math.hypot(x, y),
  cube: (x, y) => x ** 3 + y ** 3,
};

/**
 * Return the height of a point.
 * @type {(lift: Lift, x: number, y: number) => number}
 */
export const heightOf = ({ height, flat }, x, y) => HEIGHTS[height](x, flat ? 0 : y);

/**
 * Return the visible box: the board, from the lowest point (or the board) to the highest point.
 * @param {Lift} lift
 * @param {number} half
 * @param {{x: number, y: number}[]} points
 * @returns {Box}
 */
export function boxOf(lift, half, points) {
  const heights = points.map(({ x, y }) => heightOf(lift, x, y)), distances = points.map(({ y }) => Math.abs(y));
  const minHeight = heightOf(lift, half / 4, 0), deep = lift.flat ? Math.max(RIBBON * half, ...distances) : half;
  const high = AIR * Math.max(minHeight, ...heights), low = AIR * Math.min(0, ...heights);
  return { half, low: lift.height === "cube" ? Math.min(low, -minHeight) : low, high, deep };
}

/**
 * Return the surface inside the box: a ribbon around the curve of a line, or a net for the plane.
 * @param {Lift} lift
 * @param {Box} box
 * @returns {{curve: Place[][], net: Place[][]}} `curve`: the curves that are drawn strongly
 */
export function surface(lift, box) {
  const sides = [-box.deep, box.deep];
  if (lift.flat) return { curve: along(lift, box, 0), net: sides.flatMap((y) => along(lift, box, y)) };
  if (lift.height === "cube") return { curve: [], net: grid(lift, box) };
  const radius = lift.height === "square" ? Math.sqrt(box.high) : box.high, net = [];
  for (let i = 1; i <= RINGS; i += 1) net.push(round(lift, (radius * i) / RINGS));
  for (let i = 0; i < SPOKES; i += 1) net.push(spoke(lift, radius, (2 * Math.PI * i) / SPOKES));
  return { curve: [], net };
}

/** @type {(lift: Lift, r: number) => Place[]} */
const round = (lift, r) => steps(2 * FINE, (t) => polar(lift, r, 2 * Math.PI * t));

/** @type {(lift: Lift, radius: number, angle: number) => Place[]} */
const spoke = (lift, radius, angle) => steps(FINE / 2, (t) => polar(lift, t * radius, angle));

/** @type {(lift: Lift, r: number, angle: number) => Place} */
const polar = (lift, r, angle) => at(lift, r * Math.cos(angle), r * Math.sin(angle));

/** @type {(lift: Lift, box: Box) => Place[][]} */
function grid(lift, box) {
  const lines = steps(8, (t) => box.half * (2 * t - 1));
  return [
    ...lines.map((x) => steps(FINE, (t) => at(lift, x, box.half * (2 * t - 1)))),
    ...lines.map((y) => steps(FINE, (t) => at(lift, box.half * (2 * t - 1), y))),
  ].flatMap((line) => within(line, box));
}

/**
 * Return the curve of a line at a given x2.
 * @type {(lift: Lift, box: Box, y: number) => Place[][]}
 */
function along(lift, box, y) {
  const line = steps(4 * FINE, (t) => at(lift, box.half * (2 * t - 1), y));
  return within(line, box);
}

/** @type {(lift: Lift, x: number, y: number) => Place} */
const at = (lift, x, y) => [x, y, heightOf(lift, x, y)];

/** @type {<T>(n: number, made: (t: number) => T) => T[]} */
const steps = (n, made) => Array.from({ length: n + 1 }, (_, i) => made(i / n));

/**
 * Return the parts of a line between the floor and the ceiling of the box.
 * @param {Place[]} line
 * @param {Pick<Box, "low" | "high">} box
 * @returns {Place[][]}
 */
export function within(line, { low, high }) {
  return splitAtSignChange(line, ([, , z]) => Math.min(z - low, high - z)).inside;
}

/**
 * Split a line where a function changes its sign.
 * @param {Place[]} line
 * @param {(place: Place) => number} of
 * @returns {{inside: Place[][], outside: Place[][]}} the parts where it is at least 0, and those where it is below 0
 */
export function splitAtSignChange(line, of) {
  /** @type {{inside: Place[][], outside: Place[][]}} */
  const out = { inside: [], outside: [] };
  /** @type {Place[]} */
  let part = [];
  let before = 0;
  const end = () => {
    if (part.length > 1) out[before >= 0 ? "inside" : "outside"].push(part);
  };
  line.forEach((place, i) => {
    const value = of(place);
    if (i && value >= 0 !== before >= 0) {
      const border = interpolated(line[i - 1], place, before / (before - value));
      part.push(border);
      end();
      part = [border];
    }
    part.push(place);
    before = value;
  });
  end();
  return out;
}

/** @type {(a: Place, b: Place, t: number) => Place} */
export const interpolated = (a, b, t) => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
