"""A primal active-set method for convex quadratic programs in a box, one exchange after the other.

    min 1/2 a'Qa + q'a   subject to   A a = c,   0 <= a <= u

Q is positive semidefinite, often singular (a linear kernel in the plane has rank 2), A has k = 0, 1 or 2 rows of +-1
with disjoint supports, and c is whatever the feasible start gives. Every variable is at 0, at u, or free, and the free
ones F are optimal for each other: (Qa + q + A'mu)_F = 0 with multipliers mu (`free_set` keeps the inverse N of that system).
The variable j with the worst multiplier r_j = (Qa + q + A'mu)_j moves off its bound, the free ones answer by -N c with
c = [A_j; Q_Fj], and r_j shrinks at the rate of the curvature Q_jj - c'Nc. It ends free (r_j = 0), at its other bound, or
stopped by a free variable at a bound of its own, which leaves F, and j moves on. Where the curvature is 0 only a bound
can stop it: F never becomes singular. Source: Nocedal and Wright, Numerical Optimization, section 16.5, with the inertia
control of Gill, Murray, Saunders and Wright (1991).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.errors import SolverFailed
from svmlab.solvers.free_set import FLAT, FreeSet
from svmlab.solvers.gram import Gram

LOWER, FREE, UPPER = -1, 0, 1
EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Stop:
    """The optimum a, the state of each variable, the multipliers mu of A a = c, Qa + q, and the number of exchanges."""

    a: Array
    state: Index
    multiplier: Array
    g: Array
    steps: int


def minimise(Q: Gram, q: Array, A: Array, u: Array, a: Array, tol: float = 1e-11) -> Stop:
    """Solve from the feasible point `a`: at a bound exactly where it is meant to be, free elsewhere.

    q (m,), A (k, m), u (m,) in (0, inf]. tol: how negative a multiplier may be (the units of q); raised to the round-off
    of Qa where that is larger. Raises SolverFailed when the exchanges do not end or the objective has no minimum.
    """
    return _Walk(Q, q, A, u, a, tol).run()


class _Walk:
    def __init__(self, Q: Gram, q: Array, A: Array, u: Array, a: Array, tol: float) -> None:
        self.Q, self.q, self.A, self.u, self.tol, self.k = Q, q, A, u, tol, len(A)
        self.a, self.steps, self.mu = a.copy(), 0, np.zeros(self.k)
        self.side = (a >= u).astype(float) - (a <= 0)  # -1 at 0, 1 at u, 0 inside and for F
        self.free = FreeSet(Q, A)
        self._measure()
        self.waiting: list[int] = []  # inside their bounds, not yet free
        self._adopt(np.flatnonzero(self.side == 0))

    def run(self) -> Stop:
        self._settle()
        limit, fresh = 10 * len(self.a) + 200, self.steps == 0
        while self.steps < limit:
            j = self._next(bland=self.steps > limit // 2)
            if j >= 0:
                self._move(j)
                self.steps, fresh = self.steps + 1, False
            elif fresh:
                return Stop(self.a, self.side.astype(np.intp), self.mu, self.g, self.steps)
            else:
                self._measure()
                self.free.refresh()
                self._settle()
                fresh = True
        raise SolverFailed(f"The active set did not settle in {limit} exchanges. Standardise the points or lower C.")

    def _measure(self) -> None:
        """The gradient from the variables themselves, and how far round-off blurs it."""
        self.g = self.Q.times(self.a) + self.q
        self.blur = max(self.tol, 4 * EPS * self.Q.size(self.a))

    def _adopt(self, inside: Index) -> None:
        """F = the variables inside their bounds where they are independent, else one for each row of A; the rest waits."""
        if not len(inside) or ((self.A[:, inside] != 0).any(1).all() and self.free.invert(inside)):
            return
        first = [int(inside[np.argmax(row[inside] != 0)]) for row in self.A if row[inside].any()]
        self.free.n = 0
        if first and len(first) == self.k:
            self.free.invert(np.array(first, dtype=np.intp))
        else:
            first = []
        self.waiting = [int(j) for j in inside if j not in first]

    def _settle(self) -> None:
        """Newton steps on the free set: the first bound met leaves F and the rest goes on."""
        free = self.free
        while free.n:
            F = free.F
            p = -self._solve_mu()
            t, i = _blocked(self.a[F], self.u[F], p, 1.0)
            self.a[F] += t * p
            self.g += (t * p) @ free.rows
            if i < 0 or free.alone(int(F[i])):  # alone it is held by its row, and what moved it is round-off
                return
            self._bound(int(F[i]), p[i] > 0)
            free.drop(i)
            self.steps += 1

    def _solve_mu(self) -> Array:
        """The multipliers for F, and how far a_F is from its optimum.

        N times a constant loses digits where N is large, so what the rows of A explain by themselves is taken out first.
        """
        F, k, N = self.free.F, self.k, self.free.N
        A, g = self.A[:, F], self.g[F]
        if k:
            self.mu = -(A @ g) / np.abs(A).sum(1)
            g = g + self.mu @ A
        d = N[:, k:] @ g
        self.mu = self.mu - d[:k]
        return np.asarray(d[k:])

    def _bound(self, j: int, upper: bool) -> None:
        self.a[j], self.side[j] = (self.u[j], 1.0) if upper else (0.0, -1.0)

    def _next(self, bland: bool) -> int:
        """The variable to move: one that waits, else the worst multiplier; -1 at the optimum."""
        if self.k and not self.free.n and not self._first():
            return -1
        if self.waiting:
            return self.waiting.pop()
        wrong = self.side * (self.g + self.mu @ self.A if self.k else self.g)
        j = int(np.argmax(wrong > self.blur) if bland else wrong.argmax())
        return j if wrong[j] > self.blur else -1

    def _first(self) -> bool:
        """With every variable at a bound the multiplier of the one row has an interval; empty, its ends can move as a pair.

        The variable at one end is counted as free where it stands, and pins the multiplier. False: the optimum.
        """
        kink = -self.A[0] * self.g
        least = self.side * self.A[0] < 0
        lo, hi = np.where(least, kink, -np.inf), np.where(least, np.inf, kink)
        i, j = int(lo.argmax()), int(hi.argmin())
        ends = [e for e in (lo[i], hi[j]) if np.isfinite(e)]
        self.mu = np.array([sum(ends) / max(len(ends), 1)])
        if lo[i] <= hi[j] + self.blur:
            return False
        self._pin(np.array([i]), i)
        return True

    def _pin(self, F: Index, j: int) -> None:
        """F afresh with j in it, where the variables stand."""
        self.side[j] = 0.0
        self.free.invert(F)
        self._solve_mu()

    def _move(self, j: int) -> None:
        a, u, k, free, row, A = self.a, self.u, self.k, self.free, self.Q.row(j), self.A[:, j]
        while True:
            F = free.F
            z, bend = free.answer(j)
            r = float(self.g[j] + self.mu @ A)
            sign = 1.0 if r < 0 else -1.0
            own = float(u[j] - a[j] if r < 0 else a[j])
            settled = abs(r) / bend if bend > FLAT * self.Q.diag[j] else np.inf
            p, aF = -sign * z[k:], a[F]
            t, i = _blocked(aF, u[F], p, min(settled, own))
            if t == np.inf:
                raise SolverFailed("The dual is unbounded: no margin exists. Add slack (a finite C).")
            if t > 0:
                a[j] += sign * t
                a[F] = aF + t * p
                self.g += (sign * t) * row + (t * p) @ free.rows
                self.mu = self.mu - (sign * t) * z[:k]
            if i < 0 and own <= settled:
                self._bound(j, r < 0)
                return
            if i < 0:
                self.side[j] = 0.0
                free.add(j, row, z, bend)
                return
            self._bound(int(F[i]), p[i] > 0)
            if free.alone(int(F[i])):
                rest = F.copy()
                rest[i] = j
                self._pin(rest, j)
                return
            free.drop(i)


def _blocked(a: Array, u: Array, p: Array, longest: float) -> tuple[float, int]:
    """The longest step t <= `longest` with 0 <= a + tp <= u, and the variable that stops it (-1: none)."""
    if not len(p):
        return longest, -1
    size = np.abs(p)
    room = np.where(p > 0, u - a, a)
    small = size <= max(1e-14 * float(size.max()), 1e-200)
    room[small], size[small] = np.inf, 1.0
    room /= size
    i = int(room.argmin())
    return (max(float(room[i]), 0.0), i) if room[i] < longest else (longest, -1)


def restore(a: Array, u: Array, s: Array) -> Array:
    """`a` moved as little as needed so that s'a = 0 and 0 <= a <= u, s in {-1, +1}: free variables first, largest room first."""
    a = np.clip(a, 0.0, u)
    excess = float(s @ a)
    if abs(excess) <= EPS * float(a.sum()):
        return a
    inside = (a > 0) & (a < u)
    for pool in (inside, ~inside):
        room = np.where(s * excess > 0, a, u - a) * pool
        for j in np.argsort(-room, kind="stable"):
            if excess == 0 or room[j] == 0:
                break
            move = min(float(room[j]), abs(excess))
            a[j] -= s[j] * np.sign(excess) * move
            excess = float(s @ a) if move == room[j] else 0.0
    return np.clip(a, 0.0, u)
