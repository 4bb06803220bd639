"""A solution of support vector regression, whose numbers are all computed from alpha, alpha*, b and the points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from svmlab.binary.expansion import Evaluation, KernelSolution
from svmlab.binary.kkt import Certificate
from svmlab.core.arrays import EPS, Array, frozen, short_repr
from svmlab.core.errors import BadInput
from svmlab.core.tolerances import INTERIOR_POINT_TOLERANCE, LEAST_FLOOR
from svmlab.core.validate import validated
from svmlab.regression.tube import Tube
from svmlab.regression.tube_categories import Signs, TubeCategory, categorise, sides_of_tube

CONSTANT_TOLERANCE = 16  # times the noise: rounding error that is allowed in differences of f that should be 0


@dataclass(frozen=True, eq=False)
class Fit(KernelSolution):
    """An optimum of `problem` with its dual; f(x) = sum_i beta_i k(x_i, x) + b, beta = alpha - alpha*.

    alpha, alpha_star: (m,) multipliers of the upper and of the lower edge, at most one of them above 0; for method
    "exact" the optimum of least norm. alpha_unique: whether it is the only one of this kind (None if the method does
    not know). b, and b_interval = (lo, hi) of all optimal b. states: (m,) of alpha + alpha*: -1 at 0, 0 free, +1 at
    C_i.
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
    evaluation: Evaluation = Evaluation()  # how f keeps its digits

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
    def coefficients(self) -> Array:
        """The coefficients of f, which are `beta`."""
        return self.beta

    @cached_property
    def residuals(self) -> Array:
        """The residuals y_i - f(x_i), shape (m,)."""
        return frozen(self.problem.data.y - (self._expansion_at_points + self.function.constant))

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
        """The primal objective P = 1/2 |w|^2 + sum C_i (xi_i + xi*_i)."""
        return 0.5 * self.norm_w**2 + float(self.problem.bounds @ (self.xi + self.xi_star))

    @cached_property
    def dual_objective(self) -> float:
        """The dual objective D = y'beta - eps sum (alpha + alpha*) - 1/2 beta'K beta."""
        problem = self.problem  # with bias sum beta = 0, so a constant is taken off all values to keep digits
        gain = float((problem.data.y - problem.middle) @ self.beta) + problem.middle * float(self.beta.sum())
        return gain - problem.eps * self._multiplier_sum - 0.5 * self._squared_norm

    @validated
    def predict(self, Z: Array) -> Array:
        """Return f at each row of Z (n, d), shape (n,), as `decision` does. Raises BadInput for another shape."""
        return self.decision(Z)

    @validated
    def score(self, Z: Array, values: Array) -> float:
        """Return R^2, which is 1 minus the mean squared residual at Z (n, d) over the variance of `values` (n,).

        1 is a perfect fit, and a constant f cannot exceed 0. Raises BadInput for another shape, and for values that are
        all equal, because their variance is 0.
        """
        f = self.decision(Z)
        if values.shape != f.shape or not len(f):
            raise BadInput(
                "Z has {rows} rows, and values has the shape {shape}. Give at least one row, and one value for each.",
                rows=len(f),
                shape=values.shape,
            )
        variance = float(np.square(values - values.mean()).mean())
        if variance == 0:
            raise BadInput(
                "values: all of them are {value:g}, so R² has no meaning. Give values that differ.",
                value=float(values[0]),
            )
        return 1.0 - float(np.square(values - f).mean()) / variance

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
        lower_bound = 64 * EPS * float(np.abs(self.problem.data.y).max())
        return max(lower_bound, 4 * EPS * self.function.size)

    @property
    def floor(self) -> float:
        """The smallest residual that can be required, in units of `problem.unit`: max(1e-9, noise / unit)."""
        return max(LEAST_FLOOR, self.noise / self.problem.unit)

    @property
    def tolerance(self) -> float:
        """The distance from eps within which |y - f| counts as eps: rounding for "exact", 1e-5 units for the others."""
        return self.problem.unit * max(
            LEAST_FLOOR if self.status.startswith("exact") else INTERIOR_POINT_TOLERANCE, self.floor
        )

    @cached_property
    def categories(self) -> tuple[TubeCategory, ...]:
        """The category of each point."""
        return categorise(np.abs(self.residuals) - self.problem.eps, self.free, self.at_bound, self.tolerance)

    @cached_property
    def sides(self) -> Signs:
        """The side of each point: +1 on or above the upper edge, -1 on or below the lower one, 0 inside, shape (m,)."""
        return sides_of_tube(self.residuals, self.beta, self.categories, self.tolerance)

    @cached_property
    def certificate(self) -> Certificate:
        """The optimality conditions, checked from alpha, alpha*, b, w and the points alone, in units of `problem.unit`.

        dual_feasibility includes min(alpha_i, alpha*_i). complementarity compares kappa alpha_i with the distance to
        the edge, eps - (y_i - f(x_i)), as the certificate of a classifier compares it with the margin.
        """
        problem, r, unit = self.problem, self.residuals, self.problem.unit
        a, kappa = np.stack([self.alpha, self.alpha_star]), float(self.function.diagonal().max()) or 1.0
        balance = abs(float(self.beta.sum())) / (self._multiplier_sum or 1.0) if problem.bias else 0.0
        outside = max(0.0, float(np.maximum(-a, a - problem.bounds).max()), float(a.min(0).max()))
        slack, scaled_multipliers = problem.eps - np.stack([r, -r]), kappa * a
        complementarity = np.abs(scaled_multipliers - np.clip(scaled_multipliers - slack, 0.0, kappa * problem.bounds))
        return Certificate(
            max(balance, self.function.error_of_explicit_w / unit),
            float(np.maximum(-slack - np.stack([self.xi, self.xi_star]), 0.0).max()) / unit,
            outside / (float(a.max()) or 1.0),
            float(complementarity.max()) / unit,
            self.gap,
            self.floor,
        )

    @property
    def _rounding_of_zero(self) -> float:
        return CONSTANT_TOLERANCE * self.noise

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
