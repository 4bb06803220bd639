// @ts-check
// Rings of support vectors that crowd are thinned out: of two rings the outer one is left out, and the other is fine.

/** @typedef {{id: number, x: number, y: number}} Ringed the centre of a mark with rings, in pixels */

const CROWD = 3; // from this number of other rings on that a ring overlaps, it is thinned out

/**
 * Return the ids of the marks whose rings overlap those of at least CROWD others. Marks are sorted into squares of the
 * diameter of a ring, so that each is compared with its neighbours only.
 * @param {Ringed[]} ringed
 * @param {number} reach the outer radius of the rings
 * @returns {Set<number>}
 */
export function crowded(ringed, reach) {
  const side = 2 * reach, square = (/** @type {number} */ v) => Math.floor(v / side);
  /** @type {Map<string, Ringed[]>} */
  const squares = new Map();
  for (const mark of ringed) {
    const key = `${square(mark.x)} ${square(mark.y)}`, here = squares.get(key);
    if (here) here.push(mark);
    else squares.set(key, [mark]);
  }
  const crowdedIds = new Set();
  for (const { id, x, y } of ringed) {
    let overlaps = 0;
    for (const i of [-1, 0, 1]) {
      for (const j of [-1, 0, 1]) {
        for (const other of squares.get(`${square(x) + i} ${square(y) + j}`) ?? []) {
          if (other.id !== id && Math.hypot(other.x - x, other.y - y) < side) overlaps += 1;
        }
      }
    }
    if (overlaps >= CROWD) crowdedIds.add(id);
  }
  return crowdedIds;
}
