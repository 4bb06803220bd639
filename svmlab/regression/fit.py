"""A solution of support vector regression, whose numbers are all computed from alpha, alpha*, b and the points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from svmlab.binary.expansion import largest_absolute_sum
from svmlab.binary.kkt import Certificate
from svmlab.core.arrays import EPS, Array, Frozen, Mask, frozen, relative_to, short_repr
from svmlab.core.validate import validated
from svmlab.kernels.base import as_points
from svmlab.regression.tube import Tube
from svmlab.regression.tube_categories import Place, Signs, categorise, sides_of_tube

CONSTANT_TOLERANCE = 16  # times the noise: rounding error that is allowed in differences of f that should be 0


@dataclass(frozen=True, eq=False)
class Fit(Frozen):
    """An optimum of `problem` with its dual; f(x) = sum_i beta_i k(x_i, x) + b, beta = alpha - alpha*.

    alpha, alpha_star: (m,) multipliers of the upper and of the lower edge, at most one of them above 0; for method
    "exact" the optimum of least norm. alpha_unique: whether it is the only one of this kind (None if the method does
    not know). b, and b_interval = (lo, hi) of all optimal b. states: (m,) of alpha + alpha*: -1 at 0, 0 free, +1 at C.
    status: a text about the run of the solver. All numbers are in the units of y unless stated otherwise.
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
    explicit_w: Array | None = None  # the w that a primal method returned
    origin: Array | None = None  # linear kernel with bias: f(x) = <w, x - origin> + offset is accurate far from 0
    offset: float | None = None

    def __repr__(self) -> str:
        facts = {"support": int(self.support.sum()), "at_bound": int(self.at_bound.sum()), "b": self.b}
        return short_repr(self, **self.problem.facts, **facts, status=str(self.status))

    @cached_property
    def beta(self) -> Array:
        """The differences alpha - alpha*, shape (m,).

        They are positive on and above the upper edge, and negative on and below the lower one.
        """
        return frozen(self.alpha - self.alpha_star)

    @property
    def support(self) -> Mask:
        """The points with alpha + alpha* > 0."""
        return self.states > -1

    @property
    def free(self) -> Mask:
        """The points with 0 < alpha + alpha* < C."""
        return self.states == 0

    @property
    def at_bound(self) -> Mask:
        """The points with alpha + alpha* = C."""
        return self.states == 1

    @cached_property
    def w(self) -> Array | None:
        """The vector w = sum_i beta_i phi(x_i) if the feature map can be written down, else None."""
        if self.explicit_w is not None:
            return self.explicit_w
        X, kernel = self.problem.data.X, self.problem.kernel
        if not kernel.has_short_feature_map(X.shape[1]):
            return None
        s = self.support
        return frozen(self.beta[s] @ kernel.feature_map(relative_to(self.origin, X[s])))

    @cached_property
    def norm_w(self) -> float:
        """The norm |w| in feature space, from w or as sqrt(beta'K beta); 0 if f is constant up to rounding."""
        if self.is_constant:
            return 0.0
        return float(np.linalg.norm(self.w)) if self.w is not None else math.sqrt(max(self._quadratic, 0.0))

    @cached_property
    def is_constant(self) -> bool:
        """Whether w = 0: f differs between the points by no more than rounding, including that of beta.

        This is enough because w is in the span of the differences of the points' images.
        """
        f = self._f_at_points
        return float(np.ptp(f) if self.problem.bias else np.abs(f).max()) <= CONSTANT_TOLERANCE * self.noise

    @cached_property
    def residuals(self) -> Array:
        """The residuals y_i - f(x_i), shape (m,)."""
        return frozen(self.problem.data.y - (self.b if self.is_constant else self._f_at_points))

    @cached_property
    def xi(self) -> Array:
        """The slacks max(0, y_i - f(x_i) - eps) above the tube, shape (m,); 0 if the rounding of f explains them."""
        return self._slack(self.residuals)

    @cached_property
    def xi_star(self) -> Array:
        """The slacks max(0, f(x_i) - y_i - eps) below the tube, shape (m,); 0 if the rounding of f explains them."""
        return self._slack(-self.residuals)

    @cached_property
    def objective(self) -> float:
        """The primal objective P = 1/2 |w|^2 + C sum (xi + xi*)."""
        return 0.5 * self.norm_w**2 + self.problem.C * float((self.xi + self.xi_star).sum())

    @cached_property
    def dual_objective(self) -> float:
        """The dual objective D = y'beta - eps sum (alpha + alpha*) - 1/2 beta'K beta."""
        problem = self.problem  # with bias sum beta = 0, so a constant is taken off all values to keep digits
        gain = float((problem.data.y - problem.middle) @ self.beta) + problem.middle * float(self.beta.sum())
        return gain - problem.eps * self._multiplier_sum - 0.5 * self._quadratic

    @property
    def gap(self) -> float:
        """The relative gap (P - D) / max(P, |D|).

        It is 0 if the rounding error of f, times the sum of all multipliers, explains the difference.
        """
        difference, scale = self.objective - self.dual_objective, max(self.objective, abs(self.dual_objective))
        return difference / scale if abs(difference) > self.noise * self._multiplier_sum else 0.0

    @cached_property
    def noise(self) -> float:
        """The rounding error of f: 4 eps max_j sum_i |beta_i K_ij|, at least 64 eps max |y|."""
        X, s = relative_to(self.origin, self.problem.data.X), self.support
        least = 64 * EPS * float(np.abs(self.problem.data.y).max())
        return max(least, 4 * EPS * largest_absolute_sum(self.problem.kernel, X[s], self.beta[s], X))

    @property
    def floor(self) -> float:
        """The smallest residual that can be required, in units of `problem.unit`: max(1e-9, noise / unit)."""
        return max(1e-9, self.noise / self.problem.unit)

    @property
    def tolerance(self) -> float:
        """The distance from eps within which |y - f| counts as eps: rounding for "exact", 1e-5 units for the others."""
        return self.problem.unit * max(1e-9 if self.status.startswith("exact") else 1e-5, self.floor)

    @cached_property
    def categories(self) -> tuple[Place, ...]:
        """The category of each point."""
        return categorise(np.abs(self.residuals) - self.problem.eps, self.free, self.at_bound, self.tolerance)

    @cached_property
    def sides(self) -> Signs:
        """The side of each point: +1 on or above the upper edge, -1 on or below the lower one, 0 inside, shape (m,)."""
        return sides_of_tube(self.residuals, self.beta, self.categories, self.tolerance)

    @property
    def proven(self) -> bool:
        """Whether its certificate holds at its floor, whatever the method, and rounding is small enough to decide."""
        return self.certificate.is_optimal()

    @cached_property
    def certificate(self) -> Certificate:
        """The optimality conditions, checked from alpha, alpha*, b, w and the points alone, in units of `problem.unit`.

        dual_feasibility includes min(alpha_i, alpha*_i). complementarity compares kappa alpha_i with the distance to
        the edge, eps - (y_i - f(x_i)), as the certificate of a classifier compares it with the margin.
        """
        problem, r, unit = self.problem, self.residuals, self.problem.unit
        X, a = relative_to(self.origin, problem.data.X), np.stack([self.alpha, self.alpha_star])
        kappa = float(problem.kernel.diag(X).max()) or 1.0
        expansion_error = 0.0
        if self.explicit_w is not None:
            Phi = problem.kernel.feature_map(X)
            expansion_error = float(np.abs(Phi @ (self.explicit_w - self.beta @ Phi)).max()) / unit
        balance = abs(float(self.beta.sum())) / (self._multiplier_sum or 1.0) if problem.bias else 0.0
        outside = max(0.0, float(np.maximum(-a, a - problem.C).max()), float(a.min(0).max()))
        slack, scaled_multipliers = problem.eps - np.stack([r, -r]), kappa * a
        complementarity = np.abs(scaled_multipliers - np.clip(scaled_multipliers - slack, 0.0, kappa * problem.C))
        return Certificate(
            max(balance, expansion_error),
            float(np.maximum(-slack - np.stack([self.xi, self.xi_star]), 0.0).max()) / unit,
            outside / (float(a.max()) or 1.0),
            float(complementarity.max()) / unit,
            self.gap,
            self.floor,
        )

    @validated
    def decision(self, Z: Array) -> Array:
        """Return f(z) for each row of Z (k, d), shape (k,). Raises BadInput for another shape."""
        Z = as_points(Z, self.problem.data.d)
        return np.full(len(Z), self.b) if self.is_constant else self._f(Z)

    @cached_property
    def _f_at_points(self) -> Array:
        return self._f(self.problem.data.X)

    def _f(self, Z: Array) -> Array:
        if self.w is not None:
            phi = self.problem.kernel.feature_map(relative_to(self.origin, Z))
            return phi @ self.w + (self.b if self.offset is None else self.offset)
        s = self.support
        return self.beta[s] @ self.problem.kernel(self.problem.data.X[s], Z) + self.b

    @cached_property
    def _quadratic(self) -> float:
        if self.w is not None and self.explicit_w is None:
            return float(self.w @ self.w)
        X, c = relative_to(self.origin, self.problem.data.X[self.support]), self.beta[self.support]
        return float(c @ self.problem.kernel(X, X) @ c)

    @cached_property
    def _multiplier_sum(self) -> float:
        return float((self.alpha + self.alpha_star).sum())

    def _slack(self, r: Array) -> Array:
        excess = r - self.problem.eps
        return frozen(np.where(excess > self.noise, excess, 0.0))


@validated
def certify(fit: Fit) -> Certificate:
    """Check `fit` against the optimality conditions, from its alpha, alpha*, b, w and the points alone."""
    return fit.certificate
