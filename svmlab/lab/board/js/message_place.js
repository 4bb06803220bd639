// @ts-check
// The position of a message on the board: where it covers the fewest points, and if possible none that it speaks of.

/** @typedef {{name: string, left: number, top: number, width: number, height: number}} Box in pixels */
/** @typedef {{x: number, y: number, spokenOf: boolean}} Mark the centre, and whether the message is about it */

const SPOKEN_OF = 1000; // a point that the message is about counts as many others
const EDGE = 10; // pixels between a message and the edge of the board

/**
 * Return the boxes at the edges and in the corners for a message, given its height at each of two widths, the better
 * ones first.
 * @param {number} size the side of the board
 * @param {{width: number, height: number}[]} sizes
 * @returns {Box[]}
 */
export function boxes(size, sizes) {
  return sizes.flatMap(({ width, height }) => {
    const right = size - EDGE - width, low = size - EDGE - height, sides = right > EDGE + 1 ? [EDGE, right] : [EDGE];
    return [["bottom", low], ["top", EDGE]].flatMap(([name, top]) =>
      sides.map((left) => ({ name: `${name} ${Math.round(left)}`, left, top: Number(top), width, height })));
  });
}

/**
 * How much a box covers: points, with those that the message is about counting much more.
 * @param {Box} box
 * @param {Iterable<Mark>} marks
 * @param {number} reach the radius of a mark
 */
export function covered({ left, top, width, height }, marks, reach) {
  let sum = 0;
  for (const { x, y, spokenOf } of marks) {
    const inside = x > left - reach && x < left + width + reach && y > top - reach && y < top + height + reach;
    if (inside) sum += spokenOf ? SPOKEN_OF : 1;
  }
  return sum;
}

/**
 * Return the box that covers the least, or null if each of them covers a point that the message is about. The present
 * one stays while it covers nothing.
 * @param {Box[]} choices
 * @param {Mark[]} marks
 * @param {number} reach
 * @param {string | undefined} present the name of the present box
 */
export function bestBox(choices, marks, reach, present) {
  const costs = choices.map((box) => covered(box, marks, reach));
  const current = choices.findIndex(({ name }, i) => name === present && costs[i] === 0);
  const best = current >= 0 ? current : costs.indexOf(Math.min(...costs));
  return costs[best] < SPOKEN_OF ? choices[best] : null;
}
