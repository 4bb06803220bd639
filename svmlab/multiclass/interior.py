"""Mehrotra's predictor-corrector interior point for the joint machine: close to the optimum in some fifteen steps.

With c_ik = 1 for k != y_i and 0 for k = y_i, and t_i = max_k (f_k(x_i) + c_ik), the joint machine is

    min 1/2 sum_k |w_k|^2 + u sum_i (t_i - f_{y_i}(x_i))   subject to   s_ik = t_i - f_k(x_i) - c_ik >= 0.

Its multipliers p_ik >= 0 spread the bound u of each point over the classes, sum_k p_ik = u, and w_k = sum_i (u [k =
y_i] - p_ik) phi_i. As sum_k w_k = sum_k b_k = 0, w_k and b_k are V h_k for the rows h_k of an orthonormal H (K, K - 1):
K - 1 columns in place of K, and no direction that nobody feels. A Newton step towards p s = mu is, with L_i the
Laplacian of the weights p_ik p_il / (s_ik s_il) / sum_j p_ij / s_ij between the classes k and l,

    (J + Phi'(H'L H)Phi) dV = ...,   (r + 1)(K - 1) unknowns, J = 1 on features and 0 on the bias,

r being the length of phi. Source: Mehrotra (1992), On the implementation of a primal-dual interior point method.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index

STEPS, SHORT = 60, 0.995
END = 1e-15  # of the objective: products p s in sum that are round-off
WORSE = 1e3  # a growth of the products after which nothing better comes


def mehrotra(Phi: Array, place: Index, K: int, u: float, bias: bool) -> tuple[Array, Array]:
    """Multipliers p (m, K) and slacks s (m, K), all above 0: the constraints that hold the optimum have p/u > s.

    Phi (m, r) features with rows no longer than 1, place (m,) the class of each point from 0 to K - 1, K at least 2,
    u the finite bound.
    """
    walk = _InteriorPoint(Phi, np.eye(K)[place], u, bias)
    best, least = (walk.p, walk.s), np.inf
    for _ in range(STEPS):
        gap = float((walk.p * walk.s).sum())
        if gap < least:
            best, least = (walk.p, walk.s), gap
        if gap <= END * walk.value or gap > WORSE * least or not walk.advance(gap):
            break
    return best


class _InteriorPoint:
    """The point on its way: V (r + 1, K - 1), t (m,), s and p (m, K), and f = Phi V H' (m, K)."""

    def __init__(self, Phi: Array, own: Array, u: float, bias: bool) -> None:
        m, K = own.shape
        self.u, self.own, self.c, self.H = u, own, 1.0 - own, _basis(K)
        self.J = np.ones(Phi.shape[1] + bias)
        if bias:
            Phi, self.J[-1] = np.hstack([Phi, np.ones((m, 1))]), 0.0
        self.Phi = Phi
        self.one, self.other = np.triu_indices(K, 1)
        self.between = np.eye(K)[self.one] - np.eye(K)[self.other]
        z = self.between @ self.H
        self.bend = (z[:, :, None] * z[:, None, :]).reshape(len(z), -1)
        # Ridge regression of the classes: who falls short, violates. Within a row all products p s are equal.
        self.V = np.linalg.solve(Phi.T @ Phi + np.diag(self.J) + 1e-3 * np.eye(len(self.J)), Phi.T @ own @ self.H)
        self.f = Phi @ self.V @ self.H.T
        self.t = (self.f + self.c).max(1) + 0.5
        self.s = self.t[:, None] - self.f - self.c
        self.p = 1.0 / self.s
        self.p *= u / self.p.sum(1, keepdims=True)

    @property
    def value(self) -> float:
        """The objective where t stands."""
        return 0.5 * float(self.J @ (self.V * self.V).sum(1)) + self.u * float(
            (self.t - (self.f * self.own).sum(1)).sum()
        )

    def advance(self, gap: float) -> bool:
        """One step, predicted and corrected, from where the products add up to `gap`; False where there is no way
        on.
        """
        p, s = self.p, self.s
        self.slack_residual = s - (self.t[:, None] - self.f - self.c)
        self.multiplier_residual = self.u - p.sum(1)
        self.stationarity_residual = self.J[:, None] * self.V - self.Phi.T @ (self.u * self.own - p) @ self.H
        self.D = p / s
        self.total = self.D.sum(1)
        self.weight = self.D[:, self.one] * self.D[:, self.other] / self.total[:, None]
        self.N = self._normal()
        try:
            _, _, dp, ds = self._step(-p * s)
            step = _room(p, dp, s, ds, 1.0)
            left = float(((p + step * dp) * (s + step * ds)).sum())
            mu = (left / gap) ** 3 * gap / p.size
            dV, dt, dp, ds = self._step(mu - p * s - dp * ds)
        except np.linalg.LinAlgError:  # nothing pins b any more
            return False
        step = _room(p, dp, s, ds, SHORT)
        if not step > 0:
            return False
        self.V, self.t, self.p, self.s = self.V + step * dV, self.t + step * dt, p + step * dp, s + step * ds
        self.f = self.Phi @ self.V @ self.H.T
        return True

    def _step(self, product: Array) -> tuple[Array, Array, Array, Array]:
        """The dV, dt, dp, ds that keep all equations, with p ds + s dp = product."""
        e = product / self.p + self.slack_residual
        dp = self._laplacian(e) + self.D * (self.multiplier_residual / self.total)[:, None]
        aim = -self.stationarity_residual - self.Phi.T @ dp @ self.H
        dV = np.linalg.solve(self.N, aim.ravel()).reshape(aim.shape)
        df = self.Phi @ dV @ self.H.T
        dp = dp + self._laplacian(df)
        dt = ((self.D * (e + df)).sum(1) - self.multiplier_residual) / self.total
        return dV, dt, dp, (product - self.s * dp) / self.p

    def _laplacian(self, x: Array) -> Array:
        """L_i x_i for each row of x: differences first, so that large weights cancel nothing."""
        return ((x @ self.between.T) * self.weight) @ self.between

    def _normal(self) -> Array:
        """J + Phi'(H'L H)Phi, unknowns in the order of V."""
        m, r = self.Phi.shape
        q = self.H.shape[1]
        A = (self.weight @ self.bend).reshape(m, 1, q * q) * self.Phi[:, :, None]
        N = (A.reshape(m, -1).T @ self.Phi).reshape(r, q, q, r).transpose(0, 1, 3, 2).reshape(r * q, r * q)
        N[range(r * q), range(r * q)] += np.repeat(self.J, q)
        return N


def _room(p: Array, dp: Array, s: Array, ds: Array, part: float) -> float:
    """`part` of the way until an entry of p or s is 0, no more than all of it."""
    return part / max(float((-dp / p).max()), float((-ds / s).max()), part)


def _basis(K: int) -> Array:
    """H (K, K - 1) with H'H = 1 and columns that add up to 0."""
    n = np.arange(1, K)
    H = np.triu(np.ones((K, K - 1)))
    H[n, n - 1] = -n
    return np.asarray(H / np.sqrt(n * (n + 1)))
