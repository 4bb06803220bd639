"""A primal active-set method for convex quadratic programs in a box (`exchange` does the exchanges, one at a time).

    min 1/2 a'Qa + q'a   subject to   A a = c,   0 <= a <= u

Q is positive semidefinite, often singular (a linear kernel in the plane has rank 2), A has k = 0, 1 or 2 rows of +-1
with disjoint supports, and c is given by the feasible start. Every variable is at 0, at u, or free, and the free ones F
are optimal for each other: (Qa + q + A'mu)_F = 0 with multipliers mu (`free_set` computes the inverse N of that
system). The variable j with the worst multiplier r_j = (Qa + q + A'mu)_j moves off its bound, the free ones change by
-N c with c = [A_j; Q_Fj], and r_j shrinks at the rate of the curvature Q_jj - c'Nc. It becomes free (r_j = 0), or
reaches its other bound, or a free variable reaches a bound first, which leaves F, and j moves on. Where the curvature
is 0 only a bound can stop the step, so F never becomes singular. Source: Nocedal and Wright, Numerical Optimization,
section 16.5, with the inertia control of Gill, Murray, Saunders and Wright (1991).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.core.errors import SolverFailed
from svmlab.solvers.exchange import (
    DONE,
    ENTERING,
    EXCHANGES,
    LIMIT_REACHED,
    N_FREE,
    NEEDS_ROW,
    NO_FREE_VARIABLE,
    PIN_MULTIPLIER,
    REINVERT,
    UPDATES,
    ZERO_CURVATURE,
    multipliers,
    newton_free_set,
    pivot,
)
from svmlab.solvers.free_set import system_inverse
from svmlab.solvers.gram.dense import Gram

LOWER, FREE, UPPER = -1, 0, 1
PINNED = 6  # A further code beside those of `exchange`: one variable now counts as free.


def partition(a: Array, u: Array) -> Index:
    """Return LOWER where a is 0, UPPER where it is u, and FREE between."""
    return (a >= u).astype(np.intp) - (a <= 0)


@dataclass(frozen=True)
class Minimum:
    """The optimum a and the number of exchanges."""

    a: Array
    steps: int


def minimise(Q: Gram, q: Array, A: Array, u: Array, a: Array, tol: float = 1e-11, check: bool = True) -> Minimum:
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
                self.blur,
                limit,
            )
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
                    "The active set did not settle in {limit} exchanges.",
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
        self.g, self.blur = Qa + self.q, max(self.tol, 4 * EPS * size)

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
        least = self.side * self.A[0] < 0
        lo, hi = np.where(least, kink, -np.inf), np.where(least, np.inf, kink)
        i, j = int(lo.argmax()), int(hi.argmin())
        ends = [e for e in (lo[i], hi[j]) if np.isfinite(e)]
        self.mu[0] = sum(ends) / max(len(ends), 1)
        if lo[i] <= hi[j] + self.blur:
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
