"""Mehrotra's predictor-corrector interior-point method for the joint SVM, which takes about fifteen steps.

With c_ik = 1 for k != y_i and 0 for k = y_i, and t_i = max_k (f_k(x_i) + c_ik), the joint SVM is

    min 1/2 sum_k |w_k|^2 + sum_i u_i (t_i - f_{y_i}(x_i))   subject to   s_ik = t_i - f_k(x_i) - c_ik >= 0.

Its multipliers p_ik >= 0 distribute the bound u_i of each point over the classes, sum_k p_ik = u_i, and
w_k = sum_i (u_i [k = y_i] - p_ik) phi_i. Because sum_k w_k = sum_k b_k = 0, w_k and b_k are V h_k for the rows h_k of
an orthonormal H (K, K - 1). This needs K - 1 columns instead of K, and removes the direction on which no f_k - f_l
depends. With L_i the Laplacian of the weights p_ik p_il / (s_ik s_il) / sum_j p_ij / s_ij between the classes k and l,
a Newton step towards p s = mu is

    (J + Phi'(H'L H)Phi) dV = ...,   (r + 1)(K - 1) unknowns, J = 1 on features and 0 on the bias,

where r is the length of phi. Source: Mehrotra (1992), On the implementation of a primal-dual interior point method.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index

STEPS, STEP_FRACTION = 60, 0.995
END_TOLERANCE = 1e-15  # relative to the objective: a sum of the products p s that is rounding
LARGEST_GROWTH = 1e3  # growth of the products beyond which no later iterate is better


def mehrotra(Phi: Array, class_index: Index, K: int, u: Array, bias: bool) -> tuple[Array, Array]:
    """Return multipliers p (m, K) and slacks s (m, K), all above 0; p_i/u_i > s_i marks the active constraints.

    Phi (m, r) features with rows of length at most 1, class_index (m,) the class of each point from 0 to K - 1, K at
    least 2, u (m,) the finite bounds.
    """
    iterate = _InteriorPoint(Phi, np.eye(K)[class_index], u, bias)
    best, smallest_gap = (iterate.p, iterate.s), np.inf
    for _ in range(STEPS):
        gap = float((iterate.p * iterate.s).sum())
        if gap < smallest_gap:
            best, smallest_gap = (iterate.p, iterate.s), gap
        if gap <= END_TOLERANCE * iterate.value or gap > LARGEST_GROWTH * smallest_gap or not iterate.advance(gap):
            break
    return best


class _InteriorPoint:
    """The current iterate: V (r + 1, K - 1), t (m,), s and p (m, K), and f = Phi V H' (m, K)."""

    def __init__(self, Phi: Array, own: Array, u: Array, bias: bool) -> None:
        m, K = own.shape
        self.u, self.own, self.c, self.H = u, own, 1.0 - own, _basis(K)
        self.J = np.ones(Phi.shape[1] + bias)
        if bias:
            Phi, self.J[-1] = np.hstack([Phi, np.ones((m, 1))]), 0.0
        self.Phi = Phi
        self.first, self.second = np.triu_indices(K, 1)
        self.differences = np.eye(K)[self.first] - np.eye(K)[self.second]
        z = self.differences @ self.H
        self.outer_products = (z[:, :, None] * z[:, None, :]).reshape(len(z), -1)
        # The start is ridge regression onto the classes. Within a row all products p s are equal.
        self.V = np.linalg.solve(Phi.T @ Phi + np.diag(self.J) + 1e-3 * np.eye(len(self.J)), Phi.T @ own @ self.H)
        self.f = Phi @ self.V @ self.H.T
        self.t = (self.f + self.c).max(1) + 0.5
        self.s = self.t[:, None] - self.f - self.c
        self.p = 1.0 / self.s
        self.p *= u[:, None] / self.p.sum(1, keepdims=True)

    @property
    def value(self) -> float:
        """The objective value at the current t."""
        return 0.5 * float(self.J @ (self.V * self.V).sum(1)) + float(self.u @ (self.t - (self.f * self.own).sum(1)))

    def advance(self, gap: float) -> bool:
        """Make one predictor-corrector step from products that sum to `gap`. Return False if no step is possible."""
        p, s = self.p, self.s
        self.slack_residual = s - (self.t[:, None] - self.f - self.c)
        self.multiplier_residual = self.u - p.sum(1)
        self.stationarity_residual = self.J[:, None] * self.V - self.Phi.T @ (self.u[:, None] * self.own - p) @ self.H
        self.D = p / s
        self.total = self.D.sum(1)
        self.weight = self.D[:, self.first] * self.D[:, self.second] / self.total[:, None]
        self.normal_matrix = self._normal_matrix()
        try:
            _, _, dp, ds = self._step(-p * s)
            step = _step_length(p, dp, s, ds, 1.0)
            predicted_gap = float(((p + step * dp) * (s + step * ds)).sum())
            mu = (predicted_gap / gap) ** 3 * gap / p.size
            dV, dt, dp, ds = self._step(mu - p * s - dp * ds)
        except np.linalg.LinAlgError:  # the equations no longer determine b
            return False
        step = _step_length(p, dp, s, ds, STEP_FRACTION)
        if not step > 0:
            return False
        self.V, self.t, self.p, self.s = self.V + step * dV, self.t + step * dt, p + step * dp, s + step * ds
        self.f = self.Phi @ self.V @ self.H.T
        return True

    def _step(self, product: Array) -> tuple[Array, Array, Array, Array]:
        """Return the dV, dt, dp, ds that satisfy all linearised equations, with p ds + s dp = product."""
        e = product / self.p + self.slack_residual
        dp = self._laplacian(e) + self.D * (self.multiplier_residual / self.total)[:, None]
        right_hand_side = -self.stationarity_residual - self.Phi.T @ dp @ self.H
        dV = np.linalg.solve(self.normal_matrix, right_hand_side.ravel()).reshape(right_hand_side.shape)
        df = self.Phi @ dV @ self.H.T
        dp = dp + self._laplacian(df)
        dt = ((self.D * (e + df)).sum(1) - self.multiplier_residual) / self.total
        return dV, dt, dp, (product - self.s * dp) / self.p

    def _laplacian(self, x: Array) -> Array:
        """Return L_i x_i for each row of x. Differences are taken first, because large weights would cancel digits."""
        return ((x @ self.differences.T) * self.weight) @ self.differences

    def _normal_matrix(self) -> Array:
        """Return J + Phi'(H'L H)Phi, with the unknowns in the order of V."""
        m, r = self.Phi.shape
        q = self.H.shape[1]
        A = (self.weight @ self.outer_products).reshape(m, 1, q * q) * self.Phi[:, :, None]
        normal_matrix = (A.reshape(m, -1).T @ self.Phi).reshape(r, q, q, r).transpose(0, 1, 3, 2).reshape(r * q, r * q)
        normal_matrix[range(r * q), range(r * q)] += np.repeat(self.J, q)
        return normal_matrix


def _step_length(p: Array, dp: Array, s: Array, ds: Array, fraction: float) -> float:
    """Return `fraction` of the step until an entry of p or s is 0, and at most 1."""
    return fraction / max(float((-dp / p).max()), float((-ds / s).max()), fraction)


def _basis(K: int) -> Array:
    """Return H (K, K - 1) with H'H = 1 and columns that sum to 0."""
    n = np.arange(1, K)
    H = np.triu(np.ones((K, K - 1)))
    H[n, n - 1] = -n
    return np.asarray(H / np.sqrt(n * (n + 1)))
