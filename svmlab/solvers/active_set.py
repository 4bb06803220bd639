"""A primal active-set method for convex quadratic programs in a box.

    min 1/2 a'Qa + q'a   subject to   A a = c,   0 <= a <= u

Q is positive semidefinite, often singular (a linear kernel in the plane has rank 2), A has k = 0, 1 or 2 rows of +-1
with disjoint supports, and c is given by the feasible start. Every variable is at 0, at u, or free, and the free ones F
are optimal for each other: (Qa + q + A'mu)_F = 0 with multipliers mu (`free_set` computes the inverse N of that
system). The variable j with the worst multiplier r_j = (Qa + q + A'mu)_j moves off its bound, the free ones change by
-N c with c = [A_j; Q_Fj], and r_j shrinks at the rate of the curvature Q_jj - c'Nc. It becomes free (r_j = 0), or
reaches its other bound, or a free variable reaches a bound first, which leaves F, and j moves on. Where the curvature
is 0 only a bound can stop the step, so F never becomes singular. Source: Nocedal and Wright, Numerical Optimization
(2nd ed. 2006), section 16.5, with the inertia control of Gill, Murray, Saunders and Wright (1991).

The compiled inner loops, `newton_free_set` and `pivot`, change a, g = Qa + q, mu, side, F and N in place, and return
when there is something to do that numpy does better. `at` (the number of free variables, the variable that is moving or
-1, the number of exchanges, the number of updates of N) records where they stopped. `_ActiveSet` calls them in turn,
and does what they ask for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.core.effort import spend
from svmlab.core.errors import SolverFailed
from svmlab.core.tolerances import (
    CURVATURE_NOISE,
    FREE_SET_TOLERANCE,
    MULTIPLIER_TOLERANCE,
    ROUND_OFF,
    SMALL_STEP,
    SMALLEST_STEP,
    UPDATE_PIVOT,
    ZERO_CURVATURE,
)
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers.box_qp import partition
from svmlab.solvers.free_set import system_inverse
from svmlab.solvers.gram.dense import Gram

# After MAX_UPDATES updates N is computed from scratch in any case.
MAX_UPDATES = 60
# The codes with which the loops stop. `_ActiveSet` uses PINNED itself where it frees a variable at its present value.
DONE, NEEDS_ROW, REINVERT, NO_FREE_VARIABLE, PIN_MULTIPLIER, LIMIT_REACHED, PINNED = range(7)
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
    place: Index, F: Index, N: Array, at: Index, multiplier_tolerance: float, limit: int,
) -> int:  # fmt: skip
    """Exchange until the optimum (DONE) or until something else is needed.

    NEEDS_ROW: the row of at[ENTERING] is missing. REINVERT: N must be computed from scratch. NO_FREE_VARIABLE: there is
    no free variable, though mu needs one. PIN_MULTIPLIER: N must be computed from scratch, and mu. LIMIT_REACHED:
    `limit` exchanges are done.
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
            bland, worst = at[EXCHANGES] > limit // 2, multiplier_tolerance
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
    small = max(SMALL_STEP * largest, SMALLEST_STEP)
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
    return curvature < UPDATE_PIVOT or at[UPDATES] > MAX_UPDATES


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
    return not 0.0 < pivot * UPDATE_PIVOT <= 1.0 or at[UPDATES] > MAX_UPDATES


@dataclass(frozen=True)
class Minimum:
    """The optimum a and the number of exchanges."""

    a: Array
    steps: int


def minimise(
    Q: Gram, q: Array, A: Array, u: Array, a: Array, tol: float = MULTIPLIER_TOLERANCE, check: bool = True
) -> Minimum:
    """Return the minimum, found from the feasible point `a`.

    `a` is exactly at a bound where it is meant to be there, and free elsewhere. q (m,), A (k, m), u (m,) in (0, inf],
    inf only where A a = c bounds a by itself. tol: how negative a multiplier may be (in the units of q); it is raised
    to the round-off of Qa where that is larger. check: compute the gradient again at the end, and continue from there
    if needed. Raises SolverFailed when the exchanges do not end.
    """
    return _ActiveSet(Q, q, A, u, a, tol).run(check)


class _ActiveSet:
    """The state between the compiled loops.

    side (m,): -1 at 0, 1 at u, 0 inside. place (m,): the position in F, or -1.
    """

    def __init__(self, Q: Gram, q: Array, A: Array, u: Array, a: Array, tol: float) -> None:
        self.Q, self.q, self.A, self.u, self.tol, self.k = Q, q, A, u, tol, len(A)
        self.a, self.mu = a.copy(), np.zeros(self.k)
        self.side = partition(a, u).astype(float)
        self.place = np.full(len(a), -1)
        self.at = np.array([0, -1, 0, 0])
        self.N = np.zeros((0, 0))
        self._allocate(16)
        self._measure()
        self._choose_free_set(np.flatnonzero(self.side == 0))

    def run(self, check: bool) -> Minimum:
        self._newton_free_set()
        limit, fresh = 2 * len(self.a) + 1500, self.at[EXCHANGES] == 0
        while True:
            before = int(self.at[EXCHANGES])
            code = pivot(
                self.Q.kept,
                self.Q.slot,
                self.Q.diag,
                self.A,
                self.u,
                self.a,
                self.g,
                self.mu,
                self.side,
                self.place,
                self.F,
                self.N,
                self.at,
                self.multiplier_tolerance,
                limit,
            )
            n = self.k + int(self.at[N_FREE])  # an exchange updates g and N
            spend(2.0 * (int(self.at[EXCHANGES]) - before) * n * (len(self.a) + n) + n**3 * (code == REINVERT))
            if code == NO_FREE_VARIABLE:
                code = PINNED if self._free_first_variable() else DONE
            fresh = fresh and code == DONE
            if code == NEEDS_ROW:
                self.Q.load_rows(self.at[ENTERING : ENTERING + 1], self.free)
            elif code == REINVERT:
                self._invert(self.free.copy())
            elif code == PIN_MULTIPLIER:
                self._pin(self.free.copy())
            elif code == LIMIT_REACHED:
                raise SolverFailed(
                    "The active set method did not converge in {limit} exchanges.",
                    limit=limit,
                )
            elif code == PINNED:
                self.at[EXCHANGES] += 1
            elif fresh or not check:
                return Minimum(self.a, int(self.at[EXCHANGES]))
            else:
                self._measure()
                self._invert(self.free.copy())
                self._newton_free_set()
                fresh = True

    @property
    def free(self) -> Index:
        return self.F[: self.at[N_FREE]]

    def _allocate(self, n: int) -> None:
        old, self.F, self.N = self.N, np.empty(n, np.intp), np.zeros((self.k + n, self.k + n))
        self.N[: len(old), : len(old)] = old

    def _measure(self) -> None:
        """Compute the gradient from the variables themselves, and a bound for its round-off."""
        Qa, size = self.Q.product_and_size(self.a)
        self.g, self.multiplier_tolerance = Qa + self.q, max(self.tol, ROUND_OFF * size)

    def _choose_free_set(self, inside: Index) -> None:
        """Choose F: the variables inside their bounds where these are independent, else one of them for each row of A.

        The other variables inside their bounds become free later.
        """
        few = len(inside) <= self.Q.rank + self.k
        if not len(inside) or (few and (self.A[:, inside] != 0).any(1).all() and self._invert(inside)):
            return
        first = [int(inside[np.argmax(row[inside] != 0)]) for row in self.A if row[inside].any()]
        self._invert(np.array(first if len(first) == self.k else [], dtype=np.intp))

    def _invert(self, F: Index) -> bool:
        """Compute F and N from scratch, and return whether the system is regular."""
        n = len(F)
        if n >= len(self.F):
            self._allocate(2 * n + 1)
        self.place[self.side == 0] = -1
        self.F[:n], self.place[F] = F, np.arange(n)
        self.at[N_FREE], self.at[UPDATES] = n, 0
        self.Q.load_rows(F, F)
        N, size = system_inverse(self.Q, self.A, F)
        if size < np.inf:
            self.N[: self.k + n, : self.k + n] = N
        return size * ZERO_CURVATURE < 1

    def _newton_free_set(self) -> None:
        while (
            newton_free_set(
                self.Q.kept,
                self.Q.slot,
                self.A,
                self.u,
                self.a,
                self.g,
                self.mu,
                self.side,
                self.place,
                self.F,
                self.N,
                self.at,
            )
            == REINVERT
        ):
            self._invert(self.free.copy())

    def _free_first_variable(self) -> bool:
        """Determine the multiplier of the one row where every variable is at a bound; return False at the optimum.

        The multiplier then has an interval. If the interval is empty, the variables at its two ends can move as a pair.
        The variable at one end then counts as free with its present value, and determines the multiplier.
        """
        kink = -self.A[0] * self.g
        is_lower = self.side * self.A[0] < 0
        lo, hi = np.where(is_lower, kink, -np.inf), np.where(is_lower, np.inf, kink)
        i, j = int(lo.argmax()), int(hi.argmin())
        ends = [e for e in (lo[i], hi[j]) if np.isfinite(e)]
        self.mu[0] = sum(ends) / max(len(ends), 1)
        if lo[i] <= hi[j] + self.multiplier_tolerance:
            return False
        self.side[i] = 0.0
        self._pin(np.array([i]))
        return True

    def _pin(self, F: Index) -> None:
        """Compute N for F at the present values of the variables, and the multipliers that F determines."""
        self._invert(F)
        multipliers(self.A, self.g, self.mu, self.F, self.N, len(F), np.empty(len(F)))


def make_feasible(a: Array, u: Array, s: Array | None) -> Array:
    """Return `a`, changed as little as needed so that 0 <= a <= u and s'a = 0, with s in {-1, +1}.

    Free variables change first, and those with the largest room first. s is None where no such sum is required.
    """
    a = np.clip(a, 0.0, u)
    if s is None:
        return a
    excess = float(s @ a)
    if abs(excess) <= EPS * float(a.sum()):
        return a
    inside = (a > 0) & (a < u)
    for pool in (inside, ~inside):
        room = np.where(pool, np.where(s * excess > 0, a, u - a), 0.0)  # u - a may be inf
        for j in np.argsort(-room, kind="stable"):
            if excess == 0 or room[j] == 0:
                break
            move = min(float(room[j]), abs(excess))
            a[j] -= s[j] * np.sign(excess) * move
            excess = float(s @ a) if move == room[j] else 0.0
    return np.clip(a, 0.0, u)
