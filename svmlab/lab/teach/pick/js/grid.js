// @ts-check
// Small boards in a grid: as large as their place lets them be, and where that is too small they scroll.

export const GAP = 6; // px between two
export const LEAST = 68, ROOMY = 80, MOST = 190; // px of one: at least, at least where the page scrolls, at most

/**
 * How many stand beside each other, and how large.
 * @param {number} count
 * @param {number} width
 * @param {number} height Infinity where the page scrolls
 * @param {number} together so many stay in one row
 * @param {number} k how much larger than on a desk the least may be
 * @returns {{columns: number, side: number}}
 */
export function grid(count, width, height, together, k) {
  const least = (height < Infinity ? LEAST : ROOMY) * k, most = MOST * k;
  let best = { columns: together, side: 0 }, small = best;
  for (let columns = together; columns < count + together; columns += together) {
    const across = (width - (columns - 1) * GAP) / columns, rows = Math.ceil(count / columns);
    const down = (height - (rows - 1) * GAP) / rows, side = Math.floor(Math.min(across, down, most));
    if (across >= least || columns === together) small = { columns, side: Math.floor(Math.min(across, most)) };
    if (side > best.side && down < Infinity) best = { columns, side };
  }
  return best.side >= least ? best : small;
}
