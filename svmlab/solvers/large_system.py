"""The optimality system of many free variables, solved without a matrix in addition to the kept rows and one factor.

    A z + v b = t,  v'z = s,     A = R Q_FF R,  v = R y_F,  R the diagonal matrix of `root`

The matrix of a narrow Gaussian is almost diagonal, so conjugate gradients take a few steps and need no factor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.tolerances import CONJUGATE_TOLERANCE, DOMINANT, WIDE_SYSTEM
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers.cvxopt_backend import cholesky
from svmlab.solvers.gram.dense import Gram

STEPS = 100  # steps of conjugate gradients, far more than such a matrix needs


@dataclass(frozen=True, eq=False)
class LargeFreeSystem:
    """The matrix A (n, n): row i is `rows[kept_rows[i]]` at `columns`, times root_i and root."""

    rows: Array
    kept_rows: Index
    columns: Index
    root: Array

    def times(self, p: Array) -> Array:
        """Return A p."""
        out = np.empty(len(p))
        whole = 2 * len(p) > self.rows.shape[1]
        if whole:
            spread = np.zeros(self.rows.shape[1])
            spread[self.columns] = self.root * p
        _onto(self.rows, self.kept_rows, self.columns, spread if whole else self.root * p, whole, out)
        return self.root * out

    @property
    def inverse(self) -> Callable[[Array], Array] | None:
        """Return the map B -> A^-1 B for B (n, k), refined by the caller; None where A is nearly singular."""
        if len(self.columns) > WIDE_SYSTEM and _dominant(self.rows, self.kept_rows, self.columns, self.root):
            return lambda B: np.column_stack([self._conjugate(b) for b in B.T])
        factor = cholesky(len(self.columns), lambda L: _fill(self.rows, self.kept_rows, self.columns, self.root, L))
        return None if factor is None else factor.solve

    def _conjugate(self, b: Array) -> Array:
        """Return A^-1 b by conjugate gradients, up to a small part of b. Source: Hestenes and Stiefel (1952)."""
        x, r = np.zeros(len(b)), b.copy()
        p, size = r.copy(), float(r @ r)
        end = CONJUGATE_TOLERANCE**2 * size
        for _ in range(STEPS):
            if size <= end:
                break
            Ap = self.times(p)
            step = size / float(p @ Ap)
            x += step * p
            r -= step * Ap
            size, before = float(r @ r), size
            p = r + (size / before) * p
        return x


def solve_large_system(Q: Gram, F: Index, y: Array, root: Array, t: Array) -> Array | None:
    """Return [z, b] for F (n,), y (n,) and t (n + 1,), once refined; None where A is nearly singular.

    Without bias t is (n,), and z is returned alone. The bits depend on the points and F alone.
    """
    n, k = len(F), len(t) - len(F)
    if Q.is_reproducible:
        Q.load_rows(F)
        A = LargeFreeSystem(Q.kept, Q.slot[F], F, root)
    else:
        A = LargeFreeSystem(Q.block(F, F), np.arange(n), np.arange(n), root)
    inverse = A.inverse
    if inverse is None:
        return None
    V, z, b = np.empty((n, k)), np.zeros(n), np.zeros(k)
    V[:] = (root * y)[:, None]
    W = inverse(np.column_stack([V, t[:n]]))
    AV, x = W[:, :k], W[:, k]
    for last in (False, True):
        step = (V.T @ (z + x) - t[n:]) / (V * AV).sum(0)
        z, b = z + x - AV @ step, b + step
        if not last:
            x = inverse((t[:n] - A.times(z) - V @ b)[:, None])[:, 0]
    return np.append(z, b)


@compiled_fastmath
def _onto(rows: Array, at: Index, of: Index, p: Array, whole: bool, out: Array) -> None:
    """Compute out_i = rows[at_i] p, at the columns `of` where p is not for the whole row."""
    for i in range(len(at)):
        row, total = rows[at[i]], 0.0
        if whole:
            for j in range(len(row)):
                total += row[j] * p[j]
        else:
            for j in range(len(of)):
                total += row[of[j]] * p[j]
        out[i] = total


@compiled_fastmath
def _dominant(rows: Array, at: Index, of: Index, root: Array) -> bool:
    """Return whether every diagonal entry exceeds the sum of the others of its row.

    Then A, which is symmetric, is positive definite.
    """
    for i in range(len(at)):
        row, total = rows[at[i]], 0.0
        for j in range(len(of)):
            total += abs(row[of[j]]) * root[j]
        if not 2.0 * row[of[i]] * root[i] > total + DOMINANT * row[of[i]] * root[i]:
            return False
    return True


@compiled_fastmath
def _fill(rows: Array, at: Index, of: Index, root: Array, L: Array) -> None:
    """Write A into the half of L from which its factor is computed."""
    for i in range(len(at)):
        row = rows[at[i]]
        for j in range(i, len(of)):
            L[i, j] = root[i] * row[of[j]] * root[j]
