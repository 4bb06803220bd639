"""The variables strictly inside their bounds, and the inverse of their optimality system, kept up to date.

    M = [[0, A_F], [A_F', Q_FF]],   N = M^-1

Adding j with c = [A_j; Q_Fj] borders N by the curvature s = Q_jj - c'Nc; dropping one is the reverse. An update would lose
digits where s is small against Q_jj, so N is then computed afresh. Source: Golub and Van Loan, section 2.1.4.
"""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.solvers.gram import Gram

FLAT = 1e-11  # a curvature below FLAT times Q_jj is zero
THIN = 1e-5  # below THIN the inverse is computed afresh
REFRESH = 60  # updates after which it is computed afresh anyway


class FreeSet:
    """F in the order of arrival, N (k + n, k + n) and rows = Q[F] (n, m), for A (k, m)."""

    def __init__(self, Q: Gram, A: Array) -> None:
        self.Q, self.A, self.k, self.n, self.updates = Q, A, len(A), 0, 0
        self._room(16)

    @property
    def F(self) -> Index:
        """The free variables, in the order of arrival."""
        return self._F[: self.n]

    @property
    def N(self) -> Array:
        """The inverse of M."""
        return self._N[: self.k + self.n, : self.k + self.n]

    @property
    def rows(self) -> Array:
        """Q[F]."""
        return self._rows[: self.n]

    def _room(self, n: int) -> None:
        F, N, rows = np.empty(n, np.intp), np.empty((self.k + n, self.k + n)), np.empty((n, self.A.shape[1]))
        if self.n:
            F[: self.n], rows[: self.n] = self.F, self.rows
            N[: self.k + self.n, : self.k + self.n] = self.N
        self._F, self._N, self._rows = F, N, rows

    def invert(self, F: Index) -> bool:
        """F, rows and N from scratch; whether M is regular."""
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
        return size * FLAT < 1

    def refresh(self) -> bool:
        """N from scratch for the same F."""
        return self.invert(self.F.copy())

    def answer(self, j: int) -> tuple[Array, float]:
        """Returns z = Nc and the curvature: moving a_j by t moves a_F by -t z[k:] and the multipliers by -t z[:k]."""
        c = np.concatenate((self.A[:, j], self.rows[:, j]))
        z = self.N @ c
        return z, float(self.Q.diag[j] - c @ z)

    def add(self, j: int, row: Array, z: Array, bend: float) -> None:
        """F + [j], N = [[N + zz'/s, -z/s], [-z'/s, 1/s]] with s = `bend`."""
        if self.n == len(self._F):
            self._room(2 * self.n)
        n, N, t = self.k + self.n, self._N, z / bend
        N[:n, :n] += z[:, None] * t
        np.negative(t, out=N[n, :n])
        N[:n, n] = N[n, :n]
        N[n, n] = 1.0 / bend
        self._F[self.n], self._rows[self.n] = j, row
        self.n += 1
        self._count(bend < THIN)

    def drop(self, i: int) -> None:
        """F without its i-th, N - N_.i N_i. / N_ii; the last takes its place."""
        at, last, N = self.k + i, self.k + self.n - 1, self.N
        column = N[:, at].copy()
        N -= column[:, None] * (column / column[at])
        N[at], N[:, at] = N[last], N[:, last]
        N[at, at] = N[last, last]
        self._F[i], self._rows[i] = self._F[self.n - 1], self._rows[self.n - 1]
        self.n -= 1
        self._count(column[at] * THIN > 1)

    def alone(self, j: int) -> bool:
        """Whether j is the only free variable of its row of A, which then fixes its value."""
        if not self.k or self.n == 1:
            return bool(self.k)
        row = self.A[0] if self.k == 1 or self.A[0, j] else self.A[1]
        return int(np.count_nonzero(row[self.F])) == 1

    def _count(self, thin: bool) -> None:
        self.updates += 1
        if thin or self.updates > REFRESH:
            self.refresh()
