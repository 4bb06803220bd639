"""The optimality system of many free variables, without a matrix beside the rows that are kept and one factor.

    A z + v b = t,  v'z = s,     A = R Q_FF R,  v = R y_F,  R the diagonal matrix of `root`

A narrow Gaussian's matrix is all but diagonal: there conjugate gradients take a few steps, and no factor is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers.cvxopt_backend import cholesky
from svmlab.solvers.gram.dense import Gram

WIDE = 400  # variables from which a look at the matrix is worth while
DOMINANT = 0.2  # of a diagonal entry: what the others of its row must leave of it
STEPS = 100  # of conjugate gradients, far more than such a matrix takes
END = 1e-9  # of a right-hand side: what they leave of it, and refined once END^2, which is less than rounding


@dataclass(frozen=True, eq=False)
class LargeFreeSystem:
    """A (n, n): row i is `rows[at[i]]` at the columns `of`, times root_i and root."""

    rows: Array
    kept_rows: Index
    columns: Index
    root: Array

    def times(self, p: Array) -> Array:
        """A p."""
        out = np.empty(len(p))
        whole = 2 * len(p) > self.rows.shape[1]
        if whole:
            spread = np.zeros(self.rows.shape[1])
            spread[self.columns] = self.root * p
        _onto(self.rows, self.kept_rows, self.columns, spread if whole else self.root * p, whole, out)
        return self.root * out

    @property
    def inverse(self) -> Callable[[Array], Array] | None:
        """B -> A^-1 B for B (n, k), to END or better; None where A is near singular."""
        if len(self.columns) > WIDE and _dominant(self.rows, self.kept_rows, self.columns, self.root):
            return lambda B: np.column_stack([self._conjugate(b) for b in B.T])
        factor = cholesky(len(self.columns), lambda L: _fill(self.rows, self.kept_rows, self.columns, self.root, L))
        return None if factor is None else factor.solve

    def _conjugate(self, b: Array) -> Array:
        """A^-1 b, until END of b is left. Source: Hestenes and Stiefel (1952)."""
        x, r = np.zeros(len(b)), b.copy()
        p, size = r.copy(), float(r @ r)
        end = END**2 * size
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
    """[z, b] for F (n,), y (n,) and t (n + 1,) (n without bias: z alone), once refined; None where A is near singular.

    Its bits depend on the points and F alone.
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
    """out_i = rows[at_i] p, at the columns `of` where p is not for the whole row."""
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
    """Whether every diagonal entry outweighs the others of its row: A, which is symmetric, is positive definite
    then.
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
    """A into the half of L that its factor is made of."""
    for i in range(len(at)):
        row = rows[at[i]]
        for j in range(i, len(of)):
            L[i, j] = root[i] * row[of[j]] * root[j]
