"""Sequential minimal optimisation: two multipliers at a time (one without bias), the quick way to the right partition.

    min 1/2 a'Qa - 1'a   subject to   0 <= a <= u,  y'a = 0 (with bias)

With h = -y o (Qa - 1), i is the worst violator: the largest h_i among those that may rise along y. Its partner j is the
one with which a step lowers the objective most, by (h_i - h_j)^2 / (2 (Q_ii + Q_jj - 2 y_i y_j Q_ij)). Convergence is
linear once the partition is right, and slow before that where Q is near singular and u large: the steps are counted,
and whoever calls has another way then.

Where rows of Q are computed as they are needed, there are many points, and most of them are soon where they belong.
After a few steps that look at all points (which may do) the others stay within a working set, the worst violators and
what is near them, and h follows for all points when its steps are done: a step costs what the set has, not m. Sets that
do not get there grow, in the end to all points. Where most rows are there already, sets would save nothing. Source:
Platt (1998); Fan, Chen and Lin (2005), working set selection 2; Joachims (1999) for the working sets.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers.gram.dense import Gram

SETTLED, TIRED, ONWARD = -1, -2, -3
SET, LARGEST = 160, 0.5  # a working set at first, and its largest part of all points
ROUNDS = 16  # until it doubles
MOST = 0.6  # of the rows: where so many are there (all, of a whole matrix), all are brought, and no set is made
ALONE, FEW = (
    32,
    8,
)  # steps on all points before the first set, and after one of so few: often they are all there is to do
LONG, PART = 4, 0.03  # steps in a round for each of the set, and the part of the violation that it leaves
STAY = 0.75  # of a set are those that moved in the round before: else two sets undo each other's steps
SPREAD = 0.25  # of a set is spread over all violators after a round that left the worst no better: the worst are alike
TINY = 1e-12  # a curvature below this counts as this


class SMO:
    """A descent from a = 0 (m,), whose entries stay exactly 0 or u where they are at a bound. y, u (m,).

    p (m,): where it is given, -p'a stands for -1'a.
    """

    def __init__(self, Q: Gram, y: Array, u: Array, bias: bool, p: Array | None = None) -> None:
        self.Q, self.u, self.a, self.loop = Q, u, np.zeros(len(y)), _pairs if bias else _singles
        # The downward slope along y (along +1 without bias), and 0 or -inf: may a variable rise along it, may it fall?
        self.along = y if bias else np.ones(len(y))
        self.h = self.along.copy() if p is None else self.along * p
        self.rise, self.fall = np.where(self.along > 0, 0.0, -np.inf), np.where(self.along < 0, 0.0, -np.inf)
        self.count = np.zeros(1, dtype=np.intp)
        self.bias, self.rounds, self.moved, self.wrong = bias, 0, np.empty(0, dtype=np.intp), np.inf

    @property
    def steps(self) -> int:
        """How many there were."""
        return int(self.count[0])

    def descend(self, tol: float, more: int) -> bool:
        """Until no margin is violated by more than `tol`; False where it did not come so far in so many more steps."""
        last = self.steps + more
        largest = LARGEST * len(self.a)
        found, worth = ONWARD, False
        while found != SETTLED and self.steps < last:
            size, before = SET << self.rounds // ROUNDS, self.steps
            if np.count_nonzero(self.Q.slot >= 0) > MOST * len(self.a):
                self.Q.load_rows(np.arange(len(self.a)))
                largest = 0.0
            if size > largest:
                found = self._descend_on_all(tol, last)
            elif worth:
                found = self._descend_on_working_set(size, tol, last)
                worth = self.steps > before + FEW
            else:
                found, worth = self._descend_on_all(tol, min(last, before + ALONE)), True
        return found == SETTLED

    def _descend_on_all(self, tol: float, last: int) -> int:
        """Steps that look at all points."""
        Q = self.Q
        while True:
            need = self.loop(
                Q.kept, Q.slot, Q.diag, self.along, self.u, self.a, self.h, self.rise, self.fall, tol, last, self.count
            )
            if need < 0:
                return int(need)
            Q.load_rows(np.array([need]))

    def _descend_on_working_set(self, size: int, tol: float, last: int) -> int:
        """Steps within a working set: what moved last, and what violates most or is nearest to it."""
        up, down = self.h + self.rise, self.fall - self.h
        top, low = up.max(), -down.max()
        middle = 0.5 * (top + low) if self.bias else 0.0
        wrong = top - low if self.bias else max(top, -low)
        if not wrong > tol:
            return SETTLED
        self.rounds += 1
        score = np.maximum(up - middle, down + middle)
        score[_largest(score, self.moved, int(STAY * size))] = np.inf
        if wrong > self.wrong:
            asked = np.flatnonzero((score > 0) & (score < np.inf))
            score[asked[:: 1 + int(len(asked) / (SPREAD * size))]] = np.inf
        self.wrong = wrong
        A = np.sort(_largest(score, np.arange(len(score)), size))
        a, h, rise, fall = self.a[A], self.h[A], self.rise[A], self.fall[A]
        goal, end = max(0.5 * tol, PART * wrong), min(last, self.steps + LONG * size)
        Q, here = self.Q.square(A), np.arange(size)
        self.loop(Q, here, self.Q.diag[A], self.along[A], self.u[A], a, h, rise, fall, goal, end, self.count)
        step = np.zeros(len(self.a))
        step[A] = a - self.a[A]
        self.moved = np.flatnonzero(step)
        self.h -= self.along * self.Q.times(step)
        self.a[A], self.rise[A], self.fall[A] = a, rise, fall
        return ONWARD


@compiled_fastmath
def _pairs(
    kept: Array,
    slot: Index,
    diag: Array,
    y: Array,
    u: Array,
    a: Array,
    h: Array,
    rise: Array,
    fall: Array,
    tol: float,
    steps: int,
    count: Index,
) -> int:
    """Steps on two, in place: SETTLED, TIRED, or the row that is needed next."""
    m = len(y)
    gain, top = np.empty(m), -np.inf
    for t in range(m):
        if h[t] + rise[t] > top:
            top = h[t] + rise[t]
    while count[0] < steps:
        if top == -np.inf:
            return SETTLED
        i = 0
        while h[i] + rise[i] != top:
            i += 1
        if slot[i] < 0:
            return i
        row, own, twice = kept[slot[i]], diag[i], 2.0 * y[i]
        best, widest = 0.0, 0.0
        for t in range(m):
            d = top - h[t] + fall[t]
            bend = own + diag[t] - twice * y[t] * row[t]
            if bend < TINY:
                bend = TINY
            gain[t] = d * d / bend if d > 0 else 0.0
            if gain[t] > best:
                best = gain[t]
            if d > widest:
                widest = d
        if widest <= tol:
            return SETTLED
        j = 0
        while gain[j] != best:
            j += 1
        if slot[j] < 0:
            return j
        other = kept[slot[j]]
        bend = max(own + diag[j] - twice * y[j] * row[j], TINY)
        room_i = u[i] - a[i] if y[i] > 0 else a[i]
        room_j = a[j] if y[j] > 0 else u[j] - a[j]
        t = min((top - h[j]) / bend, room_i, room_j)
        _set(i, a[i] + y[i] * t if t < room_i else (u[i] if y[i] > 0 else 0.0), y, u, a, rise, fall)
        _set(j, a[j] - y[j] * t if t < room_j else (0.0 if y[j] > 0 else u[j]), y, u, a, rise, fall)
        p, q, top = y[i] * t, y[j] * t, -np.inf
        for s in range(m):
            h[s] -= y[s] * (p * row[s] - q * other[s])
            if h[s] + rise[s] > top:
                top = h[s] + rise[s]
        count[0] += 1
    return TIRED


@compiled_fastmath
def _singles(
    kept: Array,
    slot: Index,
    diag: Array,
    y: Array,
    u: Array,
    a: Array,
    h: Array,
    rise: Array,
    fall: Array,
    tol: float,
    steps: int,
    count: Index,
) -> int:
    """Steps on one, where no y'a = 0 ties two together: y is 1 throughout."""
    m = len(y)
    gain = np.empty(m)
    while count[0] < steps:
        best, worst = 0.0, 0.0
        for t in range(m):
            d = max(h[t] + rise[t], fall[t] - h[t])
            gain[t] = d * d / max(diag[t], TINY) if d > 0 else 0.0
            if gain[t] > best:
                best = gain[t]
            if d > worst:
                worst = d
        if worst <= tol:
            return SETTLED
        i = 0
        while gain[i] != best:
            i += 1
        if slot[i] < 0:
            return i
        row, before = kept[slot[i]], a[i]
        _set(i, min(max(a[i] + h[i] / max(diag[i], TINY), 0.0), u[i]), y, u, a, rise, fall)
        p = a[i] - before
        for s in range(m):
            h[s] -= p * row[s]
        count[0] += 1
    return TIRED


def _largest(score: Array, at: Index, most: int) -> Index:
    """Of the variables `at` those with the highest scores, at most so many."""
    return at if len(at) <= most else at[np.argpartition(score[at], -most)[-most:]]


@compiled_fastmath
def _set(i: int, value: float, y: Array, u: Array, a: Array, rise: Array, fall: Array) -> None:
    a[i] = value
    more, less = 0.0 if value < u[i] else -np.inf, 0.0 if value > 0 else -np.inf
    rise[i], fall[i] = (more, less) if y[i] > 0 else (less, more)
