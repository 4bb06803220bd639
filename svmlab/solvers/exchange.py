"""The inner loops of the active set, compiled: Newton steps on the free set, and exchanges one after the other.

They change a, g = Qa + q, mu, side, F and N in place (`active_set` says what these are) and come back when there is
something to do that numpy does better; `at` (the number free, the variable on its way or -1, exchanges, updates of N)
is where they stopped.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.jit.compiler import compiled_fastmath

FLAT = 1e-11  # a curvature below FLAT times Q_jj is zero
BLUR = 1e-14  # and so is one below the round-off of Q_jj - c'Nc, BLUR (|phi_j| + sum |z_s| |phi_s|)^2
THIN, REFRESH = (
    1e-9,
    60,
)  # a pivot below which an update of N loses digits; updates after which it is computed afresh anyway
LOOSE = 0.1  # of the worst multiplier: where free variables are off by more, they settle before anything moves
DONE, ROW, REINVERT, EMPTY, PIN, LIMIT_REACHED = range(6)
N_FREE, MOVING, STEPS, UPDATES = range(4)


@compiled_fastmath
def newton_free_set(
    kept: Array, slot: Index, A: Array, u: Array, a: Array, g: Array, mu: Array, side: Array, place: Index, F: Index,
    N: Array, at: Index,
) -> int:  # fmt: skip
    """Newton steps on the free set: the first bound met leaves F and the rest goes on. DONE or AFRESH.

    Until they are done g follows at the free variables alone.
    """
    k, p, moved, done = len(A), np.empty(len(F)), F[: at[N_FREE]].copy(), DONE
    a_before, g_before = a[moved], g[moved]
    while at[N_FREE] > 0:
        n = at[N_FREE]
        multipliers(A, g, mu, F, N, n, p)
        _balance(A, F, n, p, -1, 0.0)
        t, i = _ratio_test(a, u, F, n, p, 1.0)
        for s in range(n):
            a[F[s]] += t * p[s]
        if i < 0:
            break
        j = F[i]
        a[j], side[j] = (u[j], 1.0) if p[i] > 0 else (0.0, -1.0)
        at[STEPS] += 1
        for s in range(n):
            row, step = kept[slot[F[s]]], t * p[s]
            for r in range(n):
                g[F[r]] += step * row[F[r]]
        if _drop_from_free_set(k, F, N, i, place, at):
            done = REINVERT
            break
    g[moved] = g_before
    for s in range(len(moved)):
        _add_row(g, kept[slot[moved[s]]], a[moved[s]] - a_before[s])
    return done


@compiled_fastmath
def pivot(
    kept: Array, slot: Index, diag: Array, A: Array, u: Array, a: Array, g: Array, mu: Array, side: Array,
    place: Index, F: Index, N: Array, at: Index, blur: float, limit: int,
) -> int:  # fmt: skip
    """Exchanges until the optimum (DONE) or until something is needed.

    ROW: the row of at[MOVING]; AFRESH: N anew; EMPTY: no free variable, though mu needs one; PIN: N anew, and mu;
    TIRED: `limit` exchanges are done.
    """
    k, m = len(A), len(a)
    z, p, free_set_solved = np.empty(len(N)), np.empty(len(F)), False
    while True:
        n, j = at[N_FREE], at[MOVING]
        if j < 0:
            if at[STEPS] >= limit:
                return LIMIT_REACHED
            if k > 0 and n == 0:
                return EMPTY
            bland, worst = at[STEPS] > limit // 2, blur
            for t in range(m):
                if side[t] == 0.0:
                    if place[t] < 0:  # inside its bounds, and waiting to become free
                        j = t
                        break
                    continue
                wrong = g[t]
                for s in range(k):
                    wrong += mu[s] * A[s, t]
                if wrong * side[t] > worst:
                    j, worst = t, wrong * side[t]
                    if bland:
                        break
            if not free_set_solved and _free_set_residual(A, g, mu, F, n) > LOOSE * worst:
                free_set_solved = True  # what is left after this is round-off
                spoilt = newton_free_set(kept, slot, A, u, a, g, mu, side, place, F, N, at) == REINVERT
                if spoilt or (at[UPDATES] > 0 and _free_set_residual(A, g, mu, F, at[N_FREE]) > LOOSE * worst):
                    return REINVERT
                continue
            free_set_solved = False
            if j < 0:
                return DONE
            at[MOVING] = j
        if slot[j] < 0:
            return ROW
        if n == len(F):
            return REINVERT
        row = kept[slot[j]]
        bend, r, size = diag[j], g[j], np.sqrt(abs(diag[j]))
        z[: k + n] = 0.0
        for s in range(k + n):
            c = A[s, j] if s < k else row[F[s - k]]
            for t in range(k + n):
                z[t] += c * N[s, t]
        for s in range(k + n):
            bend -= z[s] * (A[s, j] if s < k else row[F[s - k]])
        for s in range(k):
            r += mu[s] * A[s, j]
        sign, own = (1.0, u[j] - a[j]) if r < 0 else (-1.0, a[j])
        for s in range(n):
            p[s] = -sign * z[k + s]
            size += abs(p[s]) * np.sqrt(abs(diag[F[s]]))
        unblocked = abs(r) / bend if bend > max(FLAT * diag[j], BLUR * size * size) else np.inf
        _balance(A, F, n, p, j, sign)
        step, i = _ratio_test(a, u, F, n, p, min(unblocked, own))
        if step > 0:
            a[j] += sign * step
            _add_row(g, row, sign * step)
            for s in range(n):
                a[F[s]] += step * p[s]
                _add_row(g, kept[slot[F[s]]], step * p[s])
            mu -= sign * step * z[:k]
        if i < 0:
            at[MOVING] = -1
            at[STEPS] += 1
            if own <= unblocked:
                a[j], side[j] = (u[j], 1.0) if r < 0 else (0.0, -1.0)
            elif _add_to_free_set(k, F, N, z, bend, j, side, place, at):
                return REINVERT
            continue
        e = F[i]
        a[e], side[e] = (u[e], 1.0) if p[i] > 0 else (0.0, -1.0)
        if k > 0 and np.count_nonzero(A[0 if A[0, e] != 0.0 else 1, F[:n]]) == 1:  # alone in its row, which fixes it
            F[i], place[e], place[j], side[j] = j, -1, i, 0.0
            at[MOVING] = -1
            at[STEPS] += 1
            return PIN
        if _drop_from_free_set(k, F, N, i, place, at):
            return REINVERT


@compiled_fastmath
def _free_set_residual(A: Array, g: Array, mu: Array, F: Index, n: int) -> float:
    """How far the free variables are off their optimum: updates of N lose digits, and every exchange moves them by
    it.
    """
    largest = 0.0
    for t in range(n):
        rest = g[F[t]]
        for s in range(len(A)):
            rest += mu[s] * A[s, F[t]]
        largest = max(largest, abs(rest))
    return largest


@compiled_fastmath
def multipliers(A: Array, g: Array, mu: Array, F: Index, N: Array, n: int, p: Array) -> None:
    """The multipliers for F, and p, the way of a_F to its optimum.

    N times a constant loses digits where N is large, so what the rows of A explain by themselves is taken out first.
    """
    k = len(A)
    for s in range(k):
        total, size = 0.0, 0.0
        for t in range(n):
            total += A[s, F[t]] * g[F[t]]
            size += abs(A[s, F[t]])
        mu[s] = -total / size
    p[:n] = 0.0
    shift = np.zeros(k)
    for t in range(n):
        rest = g[F[t]]
        for s in range(k):
            rest += mu[s] * A[s, F[t]]
        for s in range(k):
            shift[s] += N[s, k + t] * rest
        for s in range(n):
            p[s] -= N[k + t, k + s] * rest
    mu -= shift


@compiled_fastmath
def _balance(A: Array, F: Index, n: int, p: Array, j: int, sign: float) -> None:
    """Mend p where F is near singular: A_F p + sign A_j = 0 (A_F p = 0 for j = -1), so that A a does not drift.

    A variable alone in its row then stands still unless j takes over from it.
    """
    for s in range(len(A)):
        excess, count = sign * A[s, j] if j >= 0 else 0.0, 0
        for t in range(n):
            excess += A[s, F[t]] * p[t]
            count += int(A[s, F[t]] != 0.0)
        for t in range(n):
            p[t] -= A[s, F[t]] * excess / max(count, 1)


@compiled_fastmath
def _add_row(g: Array, row: Array, step: float) -> None:
    if step != 0.0:
        for i in range(len(g)):
            g[i] += step * row[i]


@compiled_fastmath
def _ratio_test(a: Array, u: Array, F: Index, n: int, p: Array, longest: float) -> tuple[float, int]:
    """The longest step t <= `longest` with 0 <= a_F + tp <= u_F, and the place in F of what stops it (-1: nothing)."""
    largest, i = 0.0, -1
    for s in range(n):
        largest = max(largest, abs(p[s]))
    small = max(1e-14 * largest, 1e-200)
    for s in range(n):
        if abs(p[s]) > small:
            room = (u[F[s]] - a[F[s]] if p[s] > 0 else a[F[s]]) / abs(p[s])
            if room < longest:
                i, longest = s, room
    return max(longest, 0.0), i


@compiled_fastmath
def _add_to_free_set(
    k: int, F: Index, N: Array, z: Array, bend: float, j: int, side: Array, place: Index, at: Index
) -> bool:
    """F + [j], N = [[N + zz'/s, -z/s], [-z'/s, 1/s]] with s = `bend`; whether N had better be computed afresh."""
    n = k + at[N_FREE]
    for s in range(n):
        for t in range(n):
            N[s, t] += z[s] * (z[t] / bend)
    N[n, :n] = N[:n, n] = -z[:n] / bend
    N[n, n] = 1.0 / bend
    F[at[N_FREE]], place[j], side[j] = j, at[N_FREE], 0.0
    at[N_FREE] += 1
    at[UPDATES] += 1
    return bend < THIN or at[UPDATES] > REFRESH


@compiled_fastmath
def _drop_from_free_set(k: int, F: Index, N: Array, i: int, place: Index, at: Index) -> bool:
    """F without its i-th, N - N_.i N_i. / N_ii; the last takes its place. Whether N had better be computed afresh."""
    e, last = k + i, k + at[N_FREE] - 1
    pivot, column = N[e, e], N[e, : last + 1].copy()
    if pivot > 0.0:  # as it is, unless F is singular and N worth nothing
        for s in range(last + 1):
            for t in range(last + 1):
                N[s, t] -= column[s] * (column[t] / pivot)
    N[e, : last + 1] = N[last, : last + 1]
    N[: last + 1, e] = N[: last + 1, last]
    N[e, e] = N[last, last]
    at[N_FREE] -= 1
    place[F[at[N_FREE]]], place[F[i]] = i, -1
    F[i] = F[at[N_FREE]]
    at[UPDATES] += 1
    return not 0.0 < pivot * THIN <= 1.0 or at[UPDATES] > REFRESH
