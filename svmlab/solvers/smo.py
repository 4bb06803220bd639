"""Sequential minimal optimisation: two multipliers at a time (one without bias), a fast way to the right partition.

    min 1/2 a'Qa - 1'a   subject to   0 <= a <= u,  y'a = 0 (with bias)

With h = -y o (Qa - 1), i is the worst violator: the largest h_i among those that may rise along y. Its partner j is the
one with which a step lowers the objective most, by (h_i - h_j)^2 / (2 (Q_ii + Q_jj - 2 y_i y_j Q_ij)). Convergence is
linear once the partition is right, and slow before that where Q is near singular and u large. So the steps are limited,
and the caller continues with another method.

Where rows of Q are computed when they are needed, there are many points, and most of them reach their final state soon.
After a few steps over all points (which may suffice) the following steps stay within a working set, the worst violators
and the points closest to violation. h is updated for all points when the steps of the set are done, so a step costs as
much as the size of the set, not m. If the sets do not converge they grow, finally to all points. Where most rows are
already computed, working sets would save nothing. Source: Platt (1998); Fan, Chen and Lin (2005), working set selection
2; Joachims (1999) for the working sets.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.tolerances import (
    FEW_STEPS,
    LEAST_CURVATURE,
    MAX_COMPUTED_ROW_FRACTION,
    MAX_WORKING_SET_FRACTION,
    MOVED_FRACTION,
    REMAINING_VIOLATION,
    SPREAD_FRACTION,
    STEPS_ON_ALL_POINTS,
    STEPS_PER_VARIABLE,
    WORKING_SET,
)
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers.gram.dense import Gram

CONVERGED, LIMIT_REACHED, CONTINUE = -1, -2, -3
ROUNDS = 16  # rounds until the working set doubles


class SMO:
    """A descent from a = 0 (m,), whose entries stay exactly 0 or u where they are at a bound.

    y, u (m,). p (m,): where it is given, -p'a replaces -1'a.
    """

    def __init__(self, Q: Gram, y: Array, u: Array, bias: bool, p: Array | None = None) -> None:
        self.Q, self.u, self.a, self.loop = Q, u, np.zeros(len(y)), _pair_steps if bias else _single_steps
        # h is the negative slope along y (along +1 without bias). rise and fall are 0 where a variable may rise or fall
        # along y, else -inf.
        self.along = y if bias else np.ones(len(y))
        self.h = self.along.copy() if p is None else self.along * p
        self.rise, self.fall = np.where(self.along > 0, 0.0, -np.inf), np.where(self.along < 0, 0.0, -np.inf)
        self.count = np.zeros(1, dtype=np.intp)
        self.bias, self.rounds, self.moved, self.violation = bias, 0, np.empty(0, dtype=np.intp), np.inf

    @property
    def steps(self) -> int:
        """Return the number of steps done so far."""
        return int(self.count[0])

    def descend(self, tol: float, more: int) -> bool:
        """Descend until no margin violation exceeds `tol`; return False if `more` further steps are not enough."""
        last = self.steps + more
        largest = MAX_WORKING_SET_FRACTION * len(self.a)
        outcome, use_set = CONTINUE, False
        while outcome != CONVERGED and self.steps < last:
            size, before = WORKING_SET << self.rounds // ROUNDS, self.steps
            if np.count_nonzero(self.Q.slot >= 0) > MAX_COMPUTED_ROW_FRACTION * len(self.a):
                self.Q.load_rows(np.arange(len(self.a)))
                largest = 0.0
            if size > largest:
                outcome = self._descend_on_all(tol, last)
            elif use_set:
                outcome = self._descend_on_working_set(size, tol, last)
                use_set = self.steps > before + FEW_STEPS
            else:
                outcome, use_set = self._descend_on_all(tol, min(last, before + STEPS_ON_ALL_POINTS)), True
        return outcome == CONVERGED

    def _descend_on_all(self, tol: float, last: int) -> int:
        """Take steps over all points, and return CONVERGED or LIMIT_REACHED."""
        Q = self.Q
        while True:
            missing_row = self.loop(
                Q.kept, Q.slot, Q.diag, self.along, self.u, self.a, self.h, self.rise, self.fall, tol, last, self.count
            )
            if missing_row < 0:
                return int(missing_row)
            Q.load_rows(np.array([missing_row]))

    def _descend_on_working_set(self, size: int, tol: float, last: int) -> int:
        """Take steps within a working set: the variables that moved last, and the worst or nearly worst violators."""
        up, down = self.h + self.rise, self.fall - self.h
        top, low = up.max(), -down.max()
        middle = 0.5 * (top + low) if self.bias else 0.0
        violation = top - low if self.bias else max(top, -low)
        if not violation > tol:
            return CONVERGED
        self.rounds += 1
        score = np.maximum(up - middle, down + middle)
        score[_largest(score, self.moved, int(MOVED_FRACTION * size))] = np.inf
        if violation > self.violation:
            violators = np.flatnonzero((score > 0) & (score < np.inf))
            score[violators[:: 1 + int(len(violators) / (SPREAD_FRACTION * size))]] = np.inf
        self.violation = violation
        A = np.sort(_largest(score, np.arange(len(score)), size))
        a, h, rise, fall = self.a[A], self.h[A], self.rise[A], self.fall[A]
        set_tol, set_last = (
            max(0.5 * tol, REMAINING_VIOLATION * violation),
            min(last, self.steps + STEPS_PER_VARIABLE * size),
        )
        Q, positions = self.Q.square_block(A), np.arange(size)
        self.loop(
            Q, positions, self.Q.diag[A], self.along[A], self.u[A], a, h, rise, fall, set_tol, set_last, self.count
        )
        step = np.zeros(len(self.a))
        step[A] = a - self.a[A]
        self.moved = np.flatnonzero(step)
        self.h -= self.along * self.Q.times(step)
        self.a[A], self.rise[A], self.fall[A] = a, rise, fall
        return CONTINUE


@compiled_fastmath
def _pair_steps(
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
    """Take steps on two variables, in place; return CONVERGED, LIMIT_REACHED, or the row that is needed next."""
    m = len(y)
    gain, top = np.empty(m), -np.inf
    for t in range(m):
        if h[t] + rise[t] > top:
            top = h[t] + rise[t]
    while count[0] < steps:
        if top == -np.inf:
            return CONVERGED
        i = 0
        while h[i] + rise[i] != top:
            i += 1
        if slot[i] < 0:
            return i
        row_i, diag_i, twice = kept[slot[i]], diag[i], 2.0 * y[i]
        best, widest = 0.0, 0.0
        for t in range(m):
            d = top - h[t] + fall[t]
            curvature = diag_i + diag[t] - twice * y[t] * row_i[t]
            if curvature < LEAST_CURVATURE:
                curvature = LEAST_CURVATURE
            gain[t] = d * d / curvature if d > 0 else 0.0
            if gain[t] > best:
                best = gain[t]
            if d > widest:
                widest = d
        if widest <= tol:
            return CONVERGED
        j = 0
        while gain[j] != best:
            j += 1
        if slot[j] < 0:
            return j
        row_j = kept[slot[j]]
        curvature = max(diag_i + diag[j] - twice * y[j] * row_i[j], LEAST_CURVATURE)
        room_i = u[i] - a[i] if y[i] > 0 else a[i]
        room_j = a[j] if y[j] > 0 else u[j] - a[j]
        t = min((top - h[j]) / curvature, room_i, room_j)
        _assign(i, a[i] + y[i] * t if t < room_i else (u[i] if y[i] > 0 else 0.0), y, u, a, rise, fall)
        _assign(j, a[j] - y[j] * t if t < room_j else (0.0 if y[j] > 0 else u[j]), y, u, a, rise, fall)
        p, q, top = y[i] * t, y[j] * t, -np.inf
        for s in range(m):
            h[s] -= y[s] * (p * row_i[s] - q * row_j[s])
            if h[s] + rise[s] > top:
                top = h[s] + rise[s]
        count[0] += 1
    return LIMIT_REACHED


@compiled_fastmath
def _single_steps(
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
    """Take steps on one variable, where no y'a = 0 couples two of them: y is 1 throughout."""
    m = len(y)
    gain = np.empty(m)
    while count[0] < steps:
        best, worst = 0.0, 0.0
        for t in range(m):
            d = max(h[t] + rise[t], fall[t] - h[t])
            gain[t] = d * d / max(diag[t], LEAST_CURVATURE) if d > 0 else 0.0
            if gain[t] > best:
                best = gain[t]
            if d > worst:
                worst = d
        if worst <= tol:
            return CONVERGED
        i = 0
        while gain[i] != best:
            i += 1
        if slot[i] < 0:
            return i
        row, before = kept[slot[i]], a[i]
        _assign(i, min(max(a[i] + h[i] / max(diag[i], LEAST_CURVATURE), 0.0), u[i]), y, u, a, rise, fall)
        p = a[i] - before
        for s in range(m):
            h[s] -= p * row[s]
        count[0] += 1
    return LIMIT_REACHED


def _largest(score: Array, at: Index, most: int) -> Index:
    """Return those of the variables `at` with the highest scores, at most `most` of them."""
    return at if len(at) <= most else at[np.argpartition(score[at], -most)[-most:]]


@compiled_fastmath
def _assign(i: int, value: float, y: Array, u: Array, a: Array, rise: Array, fall: Array) -> None:
    a[i] = value
    up, down = 0.0 if value < u[i] else -np.inf, 0.0 if value > 0 else -np.inf
    rise[i], fall[i] = (up, down) if y[i] > 0 else (down, up)
