"""The compiled inner loops of the active set: Newton steps on the free set, and exchanges one at a time.

They change a, g = Qa + q, mu, side, F and N in place (`active_set` defines these) and return when there is something to
do that numpy does better. `at` (the number of free variables, the variable that is moving or -1, the number of
exchanges, the number of updates of N) records where they stopped.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.jit.compiler import compiled_fastmath

ZERO_CURVATURE = 1e-11  # A curvature below ZERO_CURVATURE times Q_jj counts as zero.
# A curvature below the round-off of Q_jj - c'Nc, which is CURVATURE_NOISE (|phi_j| + sum |z_s| |phi_s|)^2, counts as
# zero too.
CURVATURE_NOISE = 1e-14
# An update of N with a pivot below MIN_PIVOT loses digits. After MAX_UPDATES updates N is computed from scratch in
# any case.
MIN_PIVOT, MAX_UPDATES = 1e-9, 60
# If the residual of the free variables exceeds this fraction of the worst multiplier, they are solved for first.
FREE_SET_TOLERANCE = 0.1
DONE, NEEDS_ROW, REINVERT, NO_FREE_VARIABLE, PIN_MULTIPLIER, LIMIT_REACHED = range(6)
N_FREE, ENTERING, EXCHANGES, UPDATES = range(4)


@compiled_fastmath
def newton_free_set(
    kept: Array, slot: Index, A: Array, u: Array, a: Array, g: Array, mu: Array, side: Array, place: Index, F: Index,
    N: Array, at: Index,
) -> int:  # fmt: skip
    """Take Newton steps on the free set, and return DONE or REINVERT.

    A variable that meets a bound leaves F, and the steps continue with the others. Until they are done, g is updated at
    the free variables alone.
    """
    k, p, moved, code = len(A), np.empty(len(F)), F[: at[N_FREE]].copy(), DONE
    a_before, g_before = a[moved], g[moved]
    while at[N_FREE] > 0:
        n = at[N_FREE]
        multipliers(A, g, mu, F, N, n, p)
        _restore_equality(A, F, n, p, -1, 0.0)
        t, i = _ratio_test(a, u, F, n, p, 1.0)
        for s in range(n):
            a[F[s]] += t * p[s]
        if i < 0:
            break
        j = F[i]
        a[j], side[j] = (u[j], 1.0) if p[i] > 0 else (0.0, -1.0)
        at[EXCHANGES] += 1
        for s in range(n):
            row, step = kept[slot[F[s]]], t * p[s]
            for r in range(n):
                g[F[r]] += step * row[F[r]]
        if _drop_from_free_set(k, F, N, i, place, at):
            code = REINVERT
            break
    g[moved] = g_before
    for s in range(len(moved)):
        _add_row(g, kept[slot[moved[s]]], a[moved[s]] - a_before[s])
    return code


@compiled_fastmath
def pivot(
    kept: Array, slot: Index, diag: Array, A: Array, u: Array, a: Array, g: Array, mu: Array, side: Array,
    place: Index, F: Index, N: Array, at: Index, blur: float, limit: int,
) -> int:  # fmt: skip
    """Exchange until the optimum (DONE) or until something else is needed.

    NEEDS_ROW: the row of at[ENTERING] is missing. REINVERT: N must be computed from scratch. NO_FREE_VARIABLE:
    there is no free variable,
    though mu needs one. PIN_MULTIPLIER: N must be computed from scratch, and mu. LIMIT_REACHED: `limit` exchanges
    are done.
    """
    k, m = len(A), len(a)
    z, p, free_set_solved = np.empty(len(N)), np.empty(len(F)), False
    while True:
        n, j = at[N_FREE], at[ENTERING]
        if j < 0:
            if at[EXCHANGES] >= limit:
                return LIMIT_REACHED
            if k > 0 and n == 0:
                return NO_FREE_VARIABLE
            bland, worst = at[EXCHANGES] > limit // 2, blur
            for t in range(m):
                if side[t] == 0.0:
                    if place[t] < 0:  # It is inside its bounds and not yet free.
                        j = t
                        break
                    continue
                multiplier = g[t]
                for s in range(k):
                    multiplier += mu[s] * A[s, t]
                if multiplier * side[t] > worst:
                    j, worst = t, multiplier * side[t]
                    if bland:
                        break
            if not free_set_solved and _free_set_residual(A, g, mu, F, n) > FREE_SET_TOLERANCE * worst:
                free_set_solved = True  # The residual that remains after this is round-off.
                needs_inverse = newton_free_set(kept, slot, A, u, a, g, mu, side, place, F, N, at) == REINVERT
                if needs_inverse or (
                    at[UPDATES] > 0 and _free_set_residual(A, g, mu, F, at[N_FREE]) > FREE_SET_TOLERANCE * worst
                ):
                    return REINVERT
                continue
            free_set_solved = False
            if j < 0:
                return DONE
            at[ENTERING] = j
        if slot[j] < 0:
            return NEEDS_ROW
        if n == len(F):
            return REINVERT
        row = kept[slot[j]]
        curvature, r, size = diag[j], g[j], np.sqrt(abs(diag[j]))
        z[: k + n] = 0.0
        for s in range(k + n):
            c = A[s, j] if s < k else row[F[s - k]]
            for t in range(k + n):
                z[t] += c * N[s, t]
        for s in range(k + n):
            curvature -= z[s] * (A[s, j] if s < k else row[F[s - k]])
        for s in range(k):
            r += mu[s] * A[s, j]
        sign, own_room = (1.0, u[j] - a[j]) if r < 0 else (-1.0, a[j])
        for s in range(n):
            p[s] = -sign * z[k + s]
            size += abs(p[s]) * np.sqrt(abs(diag[F[s]]))
        unblocked = (
            abs(r) / curvature if curvature > max(ZERO_CURVATURE * diag[j], CURVATURE_NOISE * size * size) else np.inf
        )
        _restore_equality(A, F, n, p, j, sign)
        step, i = _ratio_test(a, u, F, n, p, min(unblocked, own_room))
        if step > 0:
            a[j] += sign * step
            _add_row(g, row, sign * step)
            for s in range(n):
                a[F[s]] += step * p[s]
                _add_row(g, kept[slot[F[s]]], step * p[s])
            mu -= sign * step * z[:k]
        if i < 0:
            at[ENTERING] = -1
            at[EXCHANGES] += 1
            if own_room <= unblocked:
                a[j], side[j] = (u[j], 1.0) if r < 0 else (0.0, -1.0)
            elif _add_to_free_set(k, F, N, z, curvature, j, side, place, at):
                return REINVERT
            continue
        e = F[i]
        a[e], side[e] = (u[e], 1.0) if p[i] > 0 else (0.0, -1.0)
        if k > 0 and np.count_nonzero(A[0 if A[0, e] != 0.0 else 1, F[:n]]) == 1:
            # The variable is alone in its row of A, and the row determines it.
            F[i], place[e], place[j], side[j] = j, -1, i, 0.0
            at[ENTERING] = -1
            at[EXCHANGES] += 1
            return PIN_MULTIPLIER
        if _drop_from_free_set(k, F, N, i, place, at):
            return REINVERT


@compiled_fastmath
def _free_set_residual(A: Array, g: Array, mu: Array, F: Index, n: int) -> float:
    """Return the largest residual of the free variables' optimality.

    Updates of N lose digits, and every exchange adds to this residual.
    """
    largest = 0.0
    for t in range(n):
        residual = g[F[t]]
        for s in range(len(A)):
            residual += mu[s] * A[s, F[t]]
        largest = max(largest, abs(residual))
    return largest


@compiled_fastmath
def multipliers(A: Array, g: Array, mu: Array, F: Index, N: Array, n: int, p: Array) -> None:
    """Compute in place the multipliers mu for F, and p, the step of a_F to its optimum.

    N times a constant loses digits where N is large, so the part that the rows of A explain by themselves is subtracted
    first.
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
        residual = g[F[t]]
        for s in range(k):
            residual += mu[s] * A[s, F[t]]
        for s in range(k):
            shift[s] += N[s, k + t] * residual
        for s in range(n):
            p[s] -= N[k + t, k + s] * residual
    mu -= shift


@compiled_fastmath
def _restore_equality(A: Array, F: Index, n: int, p: Array, j: int, sign: float) -> None:
    """Correct p where F is near singular: A_F p + sign A_j = 0 (A_F p = 0 for j = -1), so that A a does not drift.

    A variable that is alone in its row then does not move, unless j is in the same row.
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
    """Return the longest step t <= `longest` with 0 <= a_F + tp <= u_F, and the position in F that limits it, or -1."""
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
    k: int, F: Index, N: Array, z: Array, curvature: float, j: int, side: Array, place: Index, at: Index
) -> bool:
    """Append j to F, and return whether N should be computed from scratch.

    N becomes [[N + zz'/s, -z/s], [-z'/s, 1/s]] with s = `curvature`.
    """
    n = k + at[N_FREE]
    for s in range(n):
        for t in range(n):
            N[s, t] += z[s] * (z[t] / curvature)
    N[n, :n] = N[:n, n] = -z[:n] / curvature
    N[n, n] = 1.0 / curvature
    F[at[N_FREE]], place[j], side[j] = j, at[N_FREE], 0.0
    at[N_FREE] += 1
    at[UPDATES] += 1
    return curvature < MIN_PIVOT or at[UPDATES] > MAX_UPDATES


@compiled_fastmath
def _drop_from_free_set(k: int, F: Index, N: Array, i: int, place: Index, at: Index) -> bool:
    """Remove the i-th variable of F, and return whether N should be computed from scratch.

    N becomes N - N_.i N_i. / N_ii, and the last variable of F takes the i-th position.
    """
    e, last = k + i, k + at[N_FREE] - 1
    pivot, column = N[e, e], N[e, : last + 1].copy()
    if pivot > 0.0:  # This holds unless F is singular and N is useless.
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
    return not 0.0 < pivot * MIN_PIVOT <= 1.0 or at[UPDATES] > MAX_UPDATES
