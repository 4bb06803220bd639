"""A solved tube that judges itself: every number here is computed from alpha, alpha*, b and the points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from svmlab.binary.expansion import largest_absolute_sum
from svmlab.binary.kkt import Certificate
from svmlab.core.arrays import EPS, Array, Frozen, Mask, brief, frozen
from svmlab.core.validate import validated
from svmlab.kernels.base import as_points
from svmlab.regression.tube import Tube
from svmlab.regression.tube_categories import Place, Signs, categorise, sided

LEVEL = 16  # times the noise: how far a sum that is 0 may be off


@dataclass(frozen=True, eq=False)
class Fit(Frozen):
    """An optimum of `problem` with its dual; f(x) = sum_i beta_i k(x_i, x) + b, beta = alpha - alpha*.

    alpha, alpha_star: (m,) multipliers of the upper and of the lower edge, never both above 0; for method "exact" the
    optimum of least norm. alpha_unique: whether it is the only one of this kind (None where the method does not know).
    b, and b_interval = (lo, hi) of all optimal b. states: (m,) of alpha + alpha*: -1 at 0, 0 free, +1 at C. status:
    what the solver did, in words. Numbers in the units of y, unless they say otherwise.
    """

    problem: Tube
    alpha: Array
    alpha_star: Array
    b: float
    b_interval: tuple[float, float]
    alpha_unique: bool | None
    states: Signs
    status: str
    steps: int = 0
    explicit_w: Array | None = None  # where a primal method found w by itself
    origin: Array | None = None  # linear kernel with bias: f(x) = <w, x - origin> + offset keeps its digits far from 0
    offset: float | None = None

    def __repr__(self) -> str:
        carried = {"support": int(self.support.sum()), "at_bound": int(self.at_bound.sum()), "b": self.b}
        return brief(self, **self.problem.facts, **carried, status=str(self.status))

    @cached_property
    def beta(self) -> Array:
        """Of each point alpha - alpha*, shape (m,): positive on the upper edge and above, negative on the lower one and
        below.
        """
        return frozen(self.alpha - self.alpha_star)

    @property
    def support(self) -> Mask:
        """Whose alpha + alpha* > 0."""
        return self.states > -1

    @property
    def free(self) -> Mask:
        """Whose 0 < alpha + alpha* < C."""
        return self.states == 0

    @property
    def at_bound(self) -> Mask:
        """Whose alpha + alpha* = C."""
        return self.states == 1

    @cached_property
    def w(self) -> Array | None:
        """sum_i beta_i phi(x_i) where the feature map can be written down, else None."""
        if self.explicit_w is not None:
            return self.explicit_w
        X, kernel = self.problem.data.X, self.problem.kernel
        if not kernel.has_short_feature_map(X.shape[1]):
            return None
        s = self.support
        return frozen(self.beta[s] @ kernel.feature_map(self._centred(X[s])))

    @cached_property
    def norm_w(self) -> float:
        """|w| in feature space: from w where it is explicit, else sqrt(beta'K beta); 0 where f is level to rounding."""
        if self.is_constant:
            return 0.0
        return float(np.linalg.norm(self.w)) if self.w is not None else math.sqrt(max(self._quadratic, 0.0))

    @cached_property
    def is_constant(self) -> bool:
        """Whether w = 0: f differs on no point by more than rounding, of beta too (w is in the span of the
        differences).
        """
        f = self._own
        return float(np.ptp(f) if self.problem.bias else np.abs(f).max()) <= LEVEL * self.noise

    @cached_property
    def residuals(self) -> Array:
        """y_i - f(x_i), shape (m,)."""
        return frozen(self.problem.data.y - (self.b if self.is_constant else self._own))

    @cached_property
    def xi(self) -> Array:
        """max(0, y_i - f(x_i) - eps), shape (m,): how far above the tube; 0 where the rounding of f explains it."""
        return self._slack(self.residuals)

    @cached_property
    def xi_star(self) -> Array:
        """max(0, f(x_i) - y_i - eps), shape (m,): how far below the tube; 0 where the rounding of f explains it."""
        return self._slack(-self.residuals)

    @cached_property
    def objective(self) -> float:
        """P = 1/2 |w|^2 + C sum (xi + xi*)."""
        return 0.5 * self.norm_w**2 + self.problem.C * float((self.xi + self.xi_star).sum())

    @cached_property
    def dual_objective(self) -> float:
        """D = y'beta - eps sum (alpha + alpha*) - 1/2 beta'K beta."""
        problem = self.problem  # with bias sum beta = 0, and what all values have in common costs no digits
        gain = float((problem.data.y - problem.middle) @ self.beta) + problem.middle * float(self.beta.sum())
        return gain - problem.eps * self._spent - 0.5 * self._quadratic

    @property
    def gap(self) -> float:
        """(P - D) / max(P, |D|); 0 where the rounding of f, at the price of every multiplier, explains the
        difference.
        """
        apart, scale = self.objective - self.dual_objective, max(self.objective, abs(self.dual_objective))
        return apart / scale if abs(apart) > self.noise * self._spent else 0.0

    @cached_property
    def noise(self) -> float:
        """The round-off in f: 4 eps max_j sum_i |beta_i K_ij|, at least 64 eps max |y|."""
        X, s = self._centred(self.problem.data.X), self.support
        least = 64 * EPS * float(np.abs(self.problem.data.y).max())
        return max(least, 4 * EPS * largest_absolute_sum(self.problem.kernel, X[s], self.beta[s], X))

    @property
    def floor(self) -> float:
        """The smallest residual worth asking for, in units of `problem.unit`: max(1e-9, noise / unit)."""
        return max(1e-9, self.noise / self.problem.unit)

    @property
    def tolerance(self) -> float:
        """How far |y - f| may be from eps and count as eps: round-off for "exact", 1e-5 units for an interior point."""
        return self.problem.unit * max(1e-9 if self.status.startswith("exact") else 1e-5, self.floor)

    @cached_property
    def categories(self) -> tuple[Place, ...]:
        """Where each point stands."""
        return categorise(np.abs(self.residuals) - self.problem.eps, self.free, self.at_bound, self.tolerance)

    @cached_property
    def sides(self) -> Signs:
        """+1 on the upper edge or above, -1 on the lower one or below, 0 inside the tube, shape (m,)."""
        return sided(self.residuals, self.beta, self.categories, self.tolerance)

    @property
    def proven(self) -> bool:
        """Whether its certificate holds at its floor, whatever the method, and rounding is small enough to say so."""
        return self.certificate.is_optimal()

    @cached_property
    def certificate(self) -> Certificate:
        """The conditions of optimality, checked from alpha, alpha*, b, w and the points alone, in units of
        `problem.unit`.

        dual_feasibility counts min(alpha_i, alpha*_i) too; complementarity measures kappa alpha_i against what is left
        to the edge, eps - (y_i - f(x_i)), as that of a classifier does with the margin.
        """
        problem, r, unit = self.problem, self.residuals, self.problem.unit
        X, a = self._centred(problem.data.X), np.stack([self.alpha, self.alpha_star])
        kappa = float(problem.kernel.diag(X).max()) or 1.0
        apart = 0.0
        if self.explicit_w is not None:
            Phi = problem.kernel.feature_map(X)
            apart = float(np.abs(Phi @ (self.explicit_w - self.beta @ Phi)).max()) / unit
        balance = abs(float(self.beta.sum())) / (self._spent or 1.0) if problem.bias else 0.0
        outside = max(0.0, float(np.maximum(-a, a - problem.C).max()), float(a.min(0).max()))
        left, load = problem.eps - np.stack([r, -r]), kappa * a
        complementarity = np.abs(load - np.clip(load - left, 0.0, kappa * problem.C))
        return Certificate(
            max(balance, apart),
            float(np.maximum(-left - np.stack([self.xi, self.xi_star]), 0.0).max()) / unit,
            outside / (float(a.max()) or 1.0),
            float(complementarity.max()) / unit,
            self.gap,
            self.floor,
        )

    @validated
    def decision(self, Z: Array) -> Array:
        """f(z) for each row of Z (k, d), shape (k,). Raises BadInput for another shape."""
        Z = as_points(Z, self.problem.data.d)
        return np.full(len(Z), self.b) if self.is_constant else self._f(Z)

    @cached_property
    def _own(self) -> Array:
        return self._f(self.problem.data.X)

    def _f(self, Z: Array) -> Array:
        if self.w is not None:
            phi = self.problem.kernel.feature_map(self._centred(Z))
            return phi @ self.w + (self.b if self.offset is None else self.offset)
        s = self.support
        return self.beta[s] @ self.problem.kernel(self.problem.data.X[s], Z) + self.b

    @cached_property
    def _quadratic(self) -> float:
        if self.w is not None and self.explicit_w is None:
            return float(self.w @ self.w)
        X, c = self._centred(self.problem.data.X[self.support]), self.beta[self.support]
        return float(c @ self.problem.kernel(X, X) @ c)

    @cached_property
    def _spent(self) -> float:
        return float((self.alpha + self.alpha_star).sum())

    def _slack(self, r: Array) -> Array:
        short = r - self.problem.eps
        return frozen(np.where(short > self.noise, short, 0.0))

    def _centred(self, X: Array) -> Array:
        return X if self.origin is None else X - self.origin


@validated
def certify(fit: Fit) -> Certificate:
    """Check `fit` against the conditions of optimality, from its alpha, alpha*, b, w and the points alone."""
    return fit.certificate
