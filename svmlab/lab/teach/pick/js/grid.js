// @ts-check
// Small boards in a grid: as large as their container allows, with scrolling if that is too small.

export const GAP = 6; // px between two boards
export const SMALLEST = 68, ROOMY = 80, LARGEST = 190; // the side in px; ROOMY: the smallest if the page scrolls

/**
 * Return how many boards are in a row, and their side.
 * @param {number} count
 * @param {number} width
 * @param {number} height Infinity if the page scrolls
 * @param {number} together how many boards stay in one row
 * @param {number} k the factor of the least side compared with a desk
 * @returns {{columns: number, side: number}}
 */
export function grid(count, width, height, together, k) {
  const minimum = (height < Infinity ? SMALLEST : ROOMY) * k, most = LARGEST * k;
  let best = { columns: together, side: 0 }, small = best;
  for (let columns = together; columns < count + together; columns += together) {
    const across = (width - (columns - 1) * GAP) / columns, rows = Math.ceil(count / columns);
    const down = (height - (rows - 1) * GAP) / rows, side = Math.floor(Math.min(across, down, most));
    if (across >= minimum || columns === together) small = { columns, side: Math.floor(Math.min(across, most)) };
    if (side > best.side && down < Infinity) best = { columns, side };
  }
  return best.side >= minimum ? best : small;
}
