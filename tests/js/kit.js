// What the tests share: a board as Python tells it, and operations by chance from a seed.

export const KINDS = {
  points: ["add", "move", "delete", "clear", "points"],
  opaque: ["undo", "redo", "given", "action", "file", "restore"],
  quiet: ["select", "label", "active", "project", "share"],
  drawn: ["view", "set", "dial", "hand", "film"],
};

export const said = () => ({
  points: [[1, 1, 0.5, 1], [2, -1, 0, -1], [3, 0, -2, 1]],
  selected: 2, label: 1, view: 4, active: "A", projector: false,
});

/** Numbers in [0, 1) that are always the same (a linear congruence). */
export function chance(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
}

/** Operations as people do them: each drag ends, and some of it is said while it goes on. */
export function deeds(next, n) {
  const among = (list) => list[Math.floor(next() * list.length)], id = () => 1 + Math.floor(next() * 6);
  const at = () => Math.round(8000 * (next() - 0.5)) / 1000, live = () => next() < 0.7;
  const makers = {
    add: (i) => ({ op: "add", id: 10 + i, x: at(), y: at(), label: among([1, -1]) }),
    move: () => ({ op: "move", id: id(), x: at(), y: at(), live: live() }),
    delete: () => ({ op: "delete", ids: [id(), id()] }),
    clear: () => ({ op: "clear" }),
    select: () => ({ op: "select", id: among([null, id()]) }),
    label: () => ({ op: "label", label: among([1, -1]) }),
    view: () => ({ op: "view", half: among([2, 4, 8]) }),
    active: () => ({ op: "active", on: among(["A", "B"]) }),
    project: () => ({ op: "project", on: next() < 0.5 }),
    set: () => ({ op: "set", values: { [among(["C", "sigma"])]: next() }, live: live() }),
    dial: () => ({ op: "dial", values: { [among(["C", "t"])]: next() }, live: live() }),
    hand: () => ({ op: "hand", a: [at(), at()], b: [at(), at()], live: live() }),
  };
  return Array.from({ length: n }, (_, i) => makers[among(Object.keys(makers))](i));
}
