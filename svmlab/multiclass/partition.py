"""The joint machine from its partition alone: which multipliers are above 0 decides their values, and all f with them.

With the multipliers p_ik >= 0, sum_k p_ik = u, of `interior`, the coefficients of a point are beta_i = u e_{y_i} - p_i:
that of its own class between 0 and u, the others not above 0, all together 0, and w_k = sum_i beta_ik phi_i.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array, Frozen, Index, Mask
from svmlab.solvers.free_set import inverse
from svmlab.solvers.least_norm import RANK, SINGULAR


def bias_intervals(g: Array, on: Mask) -> tuple[Array, Array]:
    """The ends lo, hi (K,) of each b_k over all optimal b with sum_k b_k = 0; their middles are such a b themselves.

    g (m, K): <w_k, phi(x_i)>, and 1 more where k is not the class of the point. on (m, K): where the multiplier p_ik is
    above 0, at least once for each class. An optimal b leaves g_ik + b_k the largest of its row there, so for all k and
    l

        b_l - b_k <= min {g_ik - g_il : p_ik > 0}.

    The tightest such bounds U_kl are the lengths of the shortest ways from k to l. Seen from k, all others can be as
    high, or as low, as these let them be, at the same time: lo_k = -sum_l U_kl / K and hi_k = sum_l U_lk / K.
    """
    K = g.shape[1]
    U = np.stack([(g[on[:, k], k, None] - g[on[:, k]]).min(0) for k in range(K)])
    for via in range(K):
        U = np.minimum(U, U[:, via, None] + U[None, via])
    np.fill_diagonal(U, 0.0)
    return -U.sum(1) / K, U.sum(0) / K


CLOSE = 1e-9  # of the largest multiplier: how far round-off may take one beyond its bound
LEFT, FAR = 1e-9, 10.0  # what equations of order one leave where they have no solution; how many bounds away is far
SAME = 1e-9  # of a singular value of whole numbers: 0 but for round-off


@dataclass(frozen=True, eq=False)
class JointDual(Frozen):
    """K (m, m) of unit scale, own (m, k) with 1 where k is the class of the point, the bound u, and whether there is a
    bias.
    """

    K: Array
    own: Array
    u: float
    bias: bool

    def decision_values(self, beta: Array, on: Mask) -> tuple[Array, Array, Array]:
        """F (m, k) with the middle b, and the ends of b (k,), where p is above 0 `on` (m, k) alone."""
        g = self.K @ beta
        zero: Array = np.zeros(g.shape[1])
        lo, hi = bias_intervals(g + 1.0 - self.own, on) if self.bias else (zero, zero)
        return g + 0.5 * (lo + hi), lo, hi

    def slack(self, f: Array) -> Array:
        """s_ik = max_l (f_il + c_il) - f_ik - c_ik, c_ik = 1 but for the class of the point: 0 where p_ik may be above
        0.
        """
        level = f + 1.0 - self.own
        return np.asarray(level.max(1, keepdims=True) - level)

    def rounding_scale(self, beta: Array) -> float:
        """Eps times it is the round-off of f: max_i sum_jk |K_ij beta_jk|."""
        return float((np.abs(self.K) @ np.abs(beta).sum(1)).max(initial=0.0))

    def is_optimal(self, beta: Array, on: Mask) -> bool:
        """Whether beta (m, k) is optimal with p above 0 nowhere but `on`, up to the round-off of its own f."""
        largest = float(beta.max(initial=0.0))
        p = self.u * self.own - beta
        apart = float(np.abs(beta.sum(0)).max()) if self.bias else 0.0
        f, _, _ = self.decision_values(beta, on)
        return bool(
            p.min() >= -CLOSE * largest
            and apart <= 1e-11 * max(largest, 1e-300)
            and self.slack(f)[on].max() <= max(1e-10, 4 * EPS * self.rounding_scale(beta))
        )


@dataclass(frozen=True, eq=False)
class PartitionSolution(Frozen):
    """beta (m, k), whether no other has its partition, and b (k,) where that is pinned, else None."""

    beta: Array
    regular: bool
    b: Array | None


def solve_for_partition(dual: JointDual, on: Mask, near: Array | None = None) -> PartitionSolution:
    """The beta (m, k) for which f holds every constraint `on` (m, k) exactly, whatever the signs of its multipliers.

    Where there are several: the one nearest to `near` (m, k) in its free multipliers, without it the one of least norm.
    Where there is none: from `near` far along a line on which the objective falls for ever.

    A point with p above 0 on its own class has f_{y_i} - f_k = 1 for all other k that are on; another has f_k' - f_k =
    0 for one k' of these. Each such equation is a z_j = e_base - e_k at a point i_j with a free multiplier q_j, and

        beta = full + sum_j q_j z_j,   sum_l <z_j, z_l> K_{i_j i_l} q_l + <z_j, b> = rest_j,   sum_j q_j z_j = -sum_i
        full_i.
    """
    K, own, u = dual.K, dual.own, dual.u
    base = np.where((on & (own > 0)).any(1), own.argmax(1), on.argmax(1))
    eye = np.eye(own.shape[1])
    full = u * (own - eye[base])
    at, other = np.nonzero(on & (eye[base] == 0))
    if not len(at):
        return PartitionSolution(full, True, None)
    z = eye[base[at]] - eye[other]
    rest = own[at, base[at]] - (z * (K @ full)[at]).sum(1)
    M, k = (z @ z.T) * K[np.ix_(at, at)], 0
    if dual.bias:  # z = B diag(size) V: rows first for what the differences of b can do
        B, size, V = np.linalg.svd(z, full_matrices=False)
        k = int((size > SAME).sum())
        V = V[:k] / size[:k, None]
        rest = np.r_[-(V @ full.sum(0)), rest]
        M = np.block([[np.zeros((k, k)), B[:, :k].T], [B[:, :k], M]])
    N, largest = inverse(M, k)
    regular = largest < SINGULAR
    if not regular:
        N = np.asarray(np.linalg.pinv(M, rcond=RANK, hermitian=True))
    x: Array = np.zeros(k + len(at))
    if near is not None:
        x[k:] = -near[at, other]
    for _ in range(2):
        x = x + N @ (rest - M @ x)
    q = x[k:]
    if not regular:
        left = (rest - M @ x)[k:]
        if float(np.abs(left).max()) > LEFT * max(1.0, float(np.abs(rest).max())):
            q = q + left * (FAR * u / np.abs(left).max())
        elif near is None:
            q = _least(M, k, q, z, at, full)
    beta = full.copy()
    np.add.at(beta, at, q[:, None] * z)
    return PartitionSolution(beta, regular, x[:k] @ V if k == own.shape[1] - 1 else None)


def _least(M: Array, k: int, q: Array, z: Array, at: Index, full: Array) -> Array:
    """Of all q that solve the system as well, the one whose beta is the least."""
    size, V = np.linalg.eigh(M)
    flat = V[k:, np.abs(size) <= RANK * np.abs(size).max()]
    W = (z @ z.T) * (at[:, None] == at)
    slope = W @ q + (z * full[at]).sum(1)
    return np.asarray(q - flat @ np.linalg.lstsq(flat.T @ W @ flat, flat.T @ slope, rcond=None)[0])
