"""The joint SVM computed from its partition: the set of positive multipliers decides their values and all f.

With the multipliers p_ik >= 0, sum_k p_ik = u_i, of `interior`, the coefficients of a point are
beta_i = u_i e_{y_i} - p_i. That of its own class is between 0 and u_i, the others are at most 0, and they sum to 0.
w_k = sum_i beta_ik phi_i.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array, Frozen, Index, Mask
from svmlab.core.tolerances import RANK, SINGULAR_INVERSE
from svmlab.solvers.free_set import inverse


def bias_intervals(g: Array, on: Mask) -> tuple[Array, Array]:
    """Return the ends lo, hi (K,) of each b_k over all optimal b with sum_k b_k = 0. Their midpoints are such a b.

    g (m, K): <w_k, phi(x_i)>, and 1 more where k is not the class of the point. on (m, K): where the multiplier p_ik is
    above 0, at least once for each class. For an optimal b, g_ik + b_k is the largest of its row there, so for all k, l

        b_l - b_k <= min {g_ik - g_il : p_ik > 0}.

    The tightest such bounds U_kl are the lengths of the shortest paths from k to l. For fixed b_k, all other b_l can
    attain their upper bounds at the same time, and also their lower bounds. So lo_k = -sum_l U_kl / K and
    hi_k = sum_l U_lk / K.
    """
    K = g.shape[1]
    U = np.stack([(g[on[:, k], k, None] - g[on[:, k]]).min(0) for k in range(K)])
    for via in range(K):
        U = np.minimum(U, U[:, via, None] + U[None, via])
    np.fill_diagonal(U, 0.0)
    return -U.sum(1) / K, U.sum(0) / K


BOUND_TOLERANCE = 1e-9  # relative to the largest multiplier: how far rounding may take a multiplier beyond its bound
UNSOLVABLE = 1e-9  # residual of equations of order one that shows that they have no solution
DISTANCE = 10.0  # in units of the largest bound u: how far to go along a line on which the objective decreases
ZERO_SINGULAR_VALUE = 1e-9  # of a matrix of whole numbers: anything below is 0 except for rounding


@dataclass(frozen=True, eq=False)
class JointDual(Frozen):
    """The dual problem of the joint SVM at unit scale.

    K: (m, m). class_indicator: (m, k), 1 where k is the class of the point, else 0. u: (m,) the bounds. bias: whether
    there is a bias.
    """

    K: Array
    class_indicator: Array
    u: Array
    bias: bool

    @property
    def own_bounds(self) -> Array:
        """The largest coefficients: u_i in the class of the point and 0 in the others, shape (m, k)."""
        return self.u[:, None] * self.class_indicator

    @property
    def weight(self) -> Array:
        """The weight of each point in the norm sum_ik beta_ik^2 / weight_i, which chooses among optima, shape (m,)."""
        return self.u / self.u.max()

    def decision_values(self, beta: Array, on: Mask) -> tuple[Array, Array, Array]:
        """Return f (m, k) with the middle b, and the ends of b (k,), if p is above 0 `on` (m, k) only."""
        g = self.K @ beta
        zero: Array = np.zeros(g.shape[1])
        lo, hi = bias_intervals(g + 1.0 - self.class_indicator, on) if self.bias else (zero, zero)
        return g + 0.5 * (lo + hi), lo, hi

    def slack(self, f: Array) -> Array:
        """Return s_ik = max_l (f_il + c_il) - f_ik - c_ik, which must be 0 where p_ik is above 0.

        c_ik = 1, except c_ik = 0 for the class of the point.
        """
        level = f + 1.0 - self.class_indicator
        return np.asarray(level.max(1, keepdims=True) - level)

    def rounding_scale(self, beta: Array) -> float:
        """Return max_i sum_jk |K_ij beta_jk|. The rounding error of f is about eps times this."""
        return float((np.abs(self.K) @ np.abs(beta).sum(1)).max(initial=0.0))

    def is_optimal(self, beta: Array, on: Mask) -> bool:
        """Return whether beta (m, k) is optimal with p above 0 only `on`, up to the rounding error of its own f."""
        largest = float(beta.max(initial=0.0))
        p = self.own_bounds - beta
        imbalance = float(np.abs(beta.sum(0)).max()) if self.bias else 0.0
        f, _, _ = self.decision_values(beta, on)
        return bool(
            p.min() >= -BOUND_TOLERANCE * largest
            and imbalance <= 1e-11 * max(largest, 1e-300)
            and self.slack(f)[on].max() <= max(1e-10, 4 * EPS * self.rounding_scale(beta))
        )


@dataclass(frozen=True, eq=False)
class PartitionSolution(Frozen):
    """The solution for a partition: beta (m, k), whether it is the only one, and b (k,) if determined, else None."""

    beta: Array
    regular: bool
    b: Array | None


def solve_for_partition(dual: JointDual, on: Mask, start: Array | None = None) -> PartitionSolution:
    """Return the beta (m, k) for which f satisfies every constraint `on` (m, k) with equality.

    The signs of the multipliers are not restricted. If there are several solutions: the one nearest to `start` (m, k)
    in its free multipliers, or without `start` the one of least norm. If there is none: a point far from `start` along
    a line on which the objective decreases without bound.

    A point with p above 0 on its own class has f_{y_i} - f_k = 1 for all other k that are on. Any other point has
    f_k' - f_k = 0 for one k' of these. Each such equation is a z_j = e_base - e_k at a point i_j with a free multiplier
    q_j, and

        beta = full + sum_j q_j z_j,   sum_l <z_j, z_l> K_{i_j i_l} q_l + <z_j, b> = r_j,
        sum_j q_j z_j = -sum_i full_i.
    """
    K, own, u = dual.K, dual.class_indicator, dual.u
    base = np.where((on & (own > 0)).any(1), own.argmax(1), on.argmax(1))
    eye = np.eye(own.shape[1])
    full = u[:, None] * (own - eye[base])
    rows, other = np.nonzero(on & (eye[base] == 0))
    if not len(rows):
        return PartitionSolution(full, True, None)
    z = eye[base[rows]] - eye[other]
    right_hand_side = own[rows, base[rows]] - (z * (K @ full)[rows]).sum(1)
    matrix, k = (z @ z.T) * K[np.ix_(rows, rows)], 0
    if dual.bias:  # z = B diag(size) V; its left singular vectors represent the differences of b in the matrix
        B, size, V = np.linalg.svd(z, full_matrices=False)
        k = int((size > ZERO_SINGULAR_VALUE).sum())
        V = V[:k] / size[:k, None]
        right_hand_side = np.r_[-(V @ full.sum(0)), right_hand_side]
        matrix = np.block([[np.zeros((k, k)), B[:, :k].T], [B[:, :k], matrix]])
    N, largest = inverse(matrix, k)
    regular = largest < SINGULAR_INVERSE
    if not regular:
        N = np.asarray(np.linalg.pinv(matrix, rcond=RANK, hermitian=True))
    x: Array = np.zeros(k + len(rows))
    if start is not None:
        x[k:] = -start[rows, other]
    for _ in range(2):
        x = x + N @ (right_hand_side - matrix @ x)
    q = x[k:]
    if not regular:
        residual = (right_hand_side - matrix @ x)[k:]
        if float(np.abs(residual).max()) > UNSOLVABLE * max(1.0, float(np.abs(right_hand_side).max())):
            q = q + residual * (DISTANCE * u.max() / np.abs(residual).max())
        elif start is None:
            q = _least_norm_solution(matrix, k, q, z, rows, full, dual.weight)
    beta = full.copy()
    np.add.at(beta, rows, q[:, None] * z)
    return PartitionSolution(beta, regular, x[:k] @ V if k == own.shape[1] - 1 else None)


def _least_norm_solution(M: Array, k: int, q: Array, z: Array, rows: Index, full: Array, weight: Array) -> Array:
    """Return of all q that solve the system as well as `q` the one whose beta has the smallest norm."""
    size, V = np.linalg.eigh(M)
    flat = V[k:, np.abs(size) <= RANK * np.abs(size).max()]
    W = (z @ z.T) * (rows[:, None] == rows) / weight[rows]
    slope = W @ q + (z * full[rows]).sum(1) / weight[rows]
    return np.asarray(q - flat @ np.linalg.lstsq(flat.T @ W @ flat, flat.T @ slope, rcond=None)[0])
