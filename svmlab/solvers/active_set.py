"""A primal active-set method for convex quadratic programs in a box, one exchange after the other.

    min 1/2 a'Qa + q'a   subject to   A a = c,   0 <= a <= u

Q is positive semidefinite, often singular (a linear kernel in the plane has rank 2), A has k = 0, 1 or 2 rows of +-1
with disjoint supports, and c is whatever the feasible start gives. Every variable is at 0, at u, or free, and the free
ones F are optimal for each other: with multipliers mu,  Q_FF a_F + ... + A_F'mu = 0,  the matrix

    M = [[0, A_F], [A_F', Q_FF]]    regular, its inverse N kept up to date by bordering.

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
from svmlab.solvers.gram import Gram

LOWER, FREE, UPPER = -1, 0, 1
EPS = float(np.finfo(float).eps)
FLAT = 1e-11  # a curvature below FLAT times Q_jj is zero
THIN = 1e-5  # below THIN the inverse is computed afresh: an update would lose its digits
REFRESH = 60  # updates after which it is computed afresh anyway


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
        self.a, self.steps, self.updates = a.copy(), 0, 0
        self.side = (a >= u).astype(float) - (a <= 0)  # -1 at 0, 1 at u, 0 inside and for F
        self.n, self.mu = 0, np.zeros(self.k)
        self._room(16)
        self._measure()
        self.waiting = [int(j) for j in np.flatnonzero(self.side == 0)]  # inside the bounds, not yet one of F
        self._adopt()

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
                if self.n:
                    self._invert(self.F.copy())
                self._settle()
                fresh = True
        raise SolverFailed(f"The active set did not settle in {limit} exchanges. Standardise the points or lower C.")

    @property
    def F(self) -> Index:
        return self._F[: self.n]

    @property
    def N(self) -> Array:
        return self._N[: self.k + self.n, : self.k + self.n]

    @property
    def rows(self) -> Array:
        """Q[F], in the order of F."""
        return self._rows[: self.n]

    def _room(self, n: int) -> None:
        """Space for n free variables, what is there kept."""
        F, N, rows = np.empty(n, np.intp), np.empty((self.k + n, self.k + n)), np.empty((n, len(self.a)))
        if self.n:
            F[: self.n], rows[: self.n] = self.F, self.rows
            N[: self.k + self.n, : self.k + self.n] = self.N
        self._F, self._N, self._rows = F, N, rows

    def _measure(self) -> None:
        """The gradient from the variables themselves, and how far round-off blurs it."""
        self.g = self.Q.times(self.a) + self.q
        self.blur = max(self.tol, 4 * EPS * self.Q.size(self.a))

    def _settle(self) -> None:
        """Newton steps on the free set: the first bound met leaves F and the rest goes on."""
        while self.n:
            F, k = self.F, self.k
            d = self.N[:, k:] @ self.g[F]
            self.mu, p = -d[:k], -d[k:]
            t, i = _blocked(self.a[F], self.u[F], p, 1.0)
            self.a[F] += t * p
            self.g += (t * p) @ self.rows
            if i < 0 or (k and self._alone(int(F[i]))):  # alone it is held by its row, and what moved it is round-off
                return
            self._bound(int(F[i]), p[i] > 0)
            self._drop(i)
            self.steps += 1

    def _bound(self, j: int, upper: bool) -> None:
        """Variable j at its bound."""
        self.a[j], self.side[j] = (self.u[j], 1.0) if upper else (0.0, -1.0)

    # -- the free set and its inverse ---------------------------------------------------------------------------------

    def _adopt(self) -> None:
        """F = the variables inside their bounds where they are independent, else one for each row of A; the rest waits."""
        inside = np.array(self.waiting, dtype=np.intp)
        if len(inside) and (self.A[:, inside] != 0).any(1).all() and self._invert(inside):
            self.waiting = []
            return
        self.n = 0
        first = [int(inside[np.argmax(row[inside] != 0)]) for row in self.A if row[inside].any()]
        if first and len(first) == self.k:
            self._invert(np.array(first, dtype=np.intp))
            self.waiting = [j for j in self.waiting if j not in first]

    def _invert(self, F: Index) -> bool:
        """F, N and the rows of Q from scratch; whether M was regular."""
        k, n = self.k, len(F)
        if n > len(self._F):
            self._room(2 * n)
        self.n, self.updates = n, 0
        self._F[:n], self._rows[:n] = F, self.Q.rows(F)
        M = np.zeros((k + n, k + n))
        M[k:, k:] = self.rows[:, F]
        if k:
            M[:k, k:] = self.A[:, F]
            M[k:, :k] = M[:k, k:].T
        try:
            N = np.linalg.inv(M)
        except np.linalg.LinAlgError:
            return False
        size = float(np.abs(N).max(initial=0.0))
        if size * THIN > 1:  # one step of Newton's iteration brings back what the inversion lost
            N += N @ (np.eye(k + n) - M @ N)
        self._N[: k + n, : k + n] = N
        self.mu = -N[:k, k:] @ self.g[F]
        return size * FLAT < 1

    def _add(self, j: int, row: Array, z: Array, bend: float) -> None:
        """N for F + [j]:  [[N + zz'/s, -z/s], [-z'/s, 1/s]],  s the curvature `bend`."""
        if self.n == len(self._F):
            self._room(2 * self.n)
        n, N, t = self.k + self.n, self._N, z / bend
        N[:n, :n] += z[:, None] * t
        np.negative(t, out=N[n, :n])
        N[:n, n] = N[n, :n]
        N[n, n] = 1.0 / bend
        self._F[self.n], self._rows[self.n] = j, row
        self.n += 1
        self.side[j] = 0.0
        self.updates += 1
        if bend < THIN or self.updates > REFRESH:
            self._invert(self.F.copy())

    def _drop(self, i: int) -> None:
        """N without the i-th of F:  N - N_.i N_i. / N_ii,  the last put in its place."""
        at, last, N = self.k + i, self.k + self.n - 1, self.N
        column = N[:, at].copy()
        thin = column[at] * THIN > 1
        N -= column[:, None] * (column / column[at])
        N[at], N[:, at] = N[last], N[:, last]
        N[at, at] = N[last, last]
        self._F[i], self._rows[i] = self._F[self.n - 1], self._rows[self.n - 1]
        self.n -= 1
        self.updates += 1
        if thin or self.updates > REFRESH:
            self._invert(self.F.copy())

    # -- one exchange -------------------------------------------------------------------------------------------------

    def _next(self, bland: bool) -> int:
        """The variable to move: one that waits, else the worst multiplier; -1 at the optimum."""
        if self.k and not self.n and not self._first():
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
        self.side[i] = 0.0
        self._invert(np.array([i]))
        return True

    def _move(self, j: int) -> None:
        a, u, k, row, A = self.a, self.u, self.k, self.Q.row(j), self.A[:, j]
        while True:
            F = self.F
            c = np.concatenate((A, self.rows[:, j]))
            z = self.N @ c
            bend = float(self.Q.diag[j] - c @ z)
            r = float(self.g[j] + self.mu @ A)
            sign = 1.0 if r < 0 else -1.0
            own = float(u[j] - a[j] if r < 0 else a[j])
            free = abs(r) / bend if bend > FLAT * self.Q.diag[j] else np.inf
            p, aF = -sign * z[k:], a[F]
            t, i = _blocked(aF, u[F], p, min(free, own))
            if t == np.inf:
                raise SolverFailed("The dual is unbounded: no margin exists. Add slack (a finite C).")
            if t > 0:
                a[j] += sign * t
                a[F] = aF + t * p
                self.g += (sign * t) * row + (t * p) @ self.rows
                self.mu = self.mu - (sign * t) * z[:k]
            if i < 0:
                if own <= free:
                    self._bound(j, r < 0)
                else:
                    self._add(j, row, z, bend)
                return
            out = int(F[i])
            self._bound(out, p[i] > 0)
            if k and self._alone(out):
                self.side[j] = 0.0
                rest = F.copy()
                rest[i] = j
                self._invert(rest)
                return
            self._drop(i)

    def _alone(self, j: int) -> bool:
        """Whether j is the only free variable of its row of A."""
        if self.n == 1:
            return True
        row = self.A[0] if self.k == 1 or self.A[0, j] else self.A[1]
        return int(np.count_nonzero(row[self.F])) == 1


def _blocked(a: Array, u: Array, p: Array, longest: float) -> tuple[float, int]:
    """The longest step t <= `longest` with 0 <= a + tp <= u, and the variable that stops it (-1: none)."""
    if not len(p):
        return longest, -1
    size = np.abs(p)
    room = np.where(p > 0, u - a, a)
    small = size <= 1e-14 * size.max()
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
