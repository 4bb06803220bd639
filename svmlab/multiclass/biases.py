"""The biases b once all w are known: their differences have bounds, so they are the shortest ways of a graph on the classes."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Mask


def bias_intervals(g: Array, on: Mask) -> tuple[Array, Array]:
    """The ends lo, hi (K,) of each b_k over all optimal b with sum_k b_k = 0; their middles are such a b themselves.

    g (m, K): <w_k, phi(x_i)>, and 1 more where k is not the class of the point. on (m, K): where the multiplier p_ik is above
    0, at least once for each class. An optimal b leaves g_ik + b_k the largest of its row there, so for all k and l

        b_l - b_k <= min {g_ik - g_il : p_ik > 0}.

    The tightest such bounds U_kl are the lengths of the shortest ways from k to l. Seen from k, all others can be as high,
    or as low, as these let them be, at the same time: lo_k = -sum_l U_kl / K and hi_k = sum_l U_lk / K.
    """
    K = g.shape[1]
    U = np.stack([(g[on[:, k], k, None] - g[on[:, k]]).min(0) for k in range(K)])
    for via in range(K):
        U = np.minimum(U, U[:, via, None] + U[None, via])
    np.fill_diagonal(U, 0.0)
    return -U.sum(1) / K, U.sum(0) / K
