"""Sequential minimal optimisation: two multipliers at a time (one without bias), the quick way to the right partition.

    min 1/2 a'Qa - 1'a   subject to   0 <= a <= u,  y'a = 0 (with bias)

With g = Qa - 1, i is the worst violator: the largest -y_i g_i among those that may rise along y. Its partner j is the one
whose step along y lowers the objective most, (y_j g_j - y_i g_i)^2 / (2 (Q_ii + Q_jj - 2 y_i y_j Q_ij)). Convergence is
linear once the partition is right, and slow before that where Q is near singular and u large: the steps are counted, and
whoever calls has another way then. Source: Platt (1998); Fan, Chen and Lin (2005), working set selection 2.
"""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.compiled import reordered
from svmlab.solvers.gram import Gram

SETTLED, TIRED = -1, -2


def descend(Q: Gram, y: Array, u: Array, bias: bool, a: Array, tol: float, steps: int) -> tuple[Array, bool]:
    """From the feasible `a` until no margin is violated by more than `tol`, and whether it came so far in `steps` steps.

    y, u, a (m,); entries of the answer are exactly 0 or u where they are at a bound.
    """
    a = a.copy()
    g = (Q.times(a) if a.any() else np.zeros(len(a))) - 1.0
    count = np.zeros(1, dtype=np.intp)
    while True:
        need = (_pairs if bias else _singles)(Q.kept, Q.slot, Q.diag, y, u, a, g, tol, steps, count)
        if need < 0:
            return a, need == SETTLED
        Q.bring(np.array([need]))


@reordered
def _pairs(
    kept: Array, slot: Index, diag: Array, y: Array, u: Array, a: Array, g: Array, tol: float, steps: int, count: Index
) -> int:
    """Steps on two, in place: SETTLED, TIRED, or the row that is needed next."""
    m = len(y)
    while count[0] < steps:
        i, top = -1, -np.inf
        for t in range(m):
            v = -y[t] * g[t]
            if v > top and (a[t] < u[t] if y[t] > 0 else a[t] > 0):
                i, top = t, v
        if i < 0:
            return SETTLED
        if slot[i] < 0:
            return i
        row = kept[slot[i]]
        j, bottom, best = -1, np.inf, 0.0
        for t in range(m):
            if a[t] > 0 if y[t] > 0 else a[t] < u[t]:
                v = -y[t] * g[t]
                bottom = min(bottom, v)
                if v < top:
                    bend = max(diag[i] + diag[t] - 2.0 * y[i] * y[t] * row[t], 1e-12)
                    gain = (top - v) * (top - v) / bend
                    if gain > best:
                        j, best = t, gain
        if top - bottom <= tol or j < 0:
            return SETTLED
        if slot[j] < 0:
            return j
        other = kept[slot[j]]
        bend = max(diag[i] + diag[j] - 2.0 * y[i] * y[j] * row[j], 1e-12)
        room_i = u[i] - a[i] if y[i] > 0 else a[i]
        room_j = a[j] if y[j] > 0 else u[j] - a[j]
        t = min((top + y[j] * g[j]) / bend, room_i, room_j)
        a[i] += y[i] * t
        a[j] -= y[j] * t
        if t == room_i:
            a[i] = u[i] if y[i] > 0 else 0.0
        if t == room_j:
            a[j] = 0.0 if y[j] > 0 else u[j]
        p, q = y[i] * t, -y[j] * t
        for s in range(m):
            g[s] += p * row[s] + q * other[s]
        count[0] += 1
    return TIRED


@reordered
def _singles(
    kept: Array, slot: Index, diag: Array, y: Array, u: Array, a: Array, g: Array, tol: float, steps: int, count: Index
) -> int:
    """Steps on one, where no y'a = 0 ties two together."""
    m = len(y)
    while count[0] < steps:
        i, best, worst = -1, 0.0, 0.0
        for t in range(m):
            if (g[t] < 0 and a[t] < u[t]) or (g[t] > 0 and a[t] > 0):
                worst = max(worst, abs(g[t]))
                gain = g[t] * g[t] / max(diag[t], 1e-12)
                if gain > best:
                    i, best = t, gain
        if i < 0 or worst <= tol:
            return SETTLED
        if slot[i] < 0:
            return i
        row = kept[slot[i]]
        before, t = a[i], a[i] - g[i] / max(diag[i], 1e-12)
        a[i] = min(max(t, 0.0), u[i])
        p = a[i] - before
        for s in range(m):
            g[s] += p * row[s]
        count[0] += 1
    return TIRED
