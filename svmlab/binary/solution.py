"""A solved problem that checks itself: every number here is computed from alpha, b and the points."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.binary.categories import ERRORS, Category, categorise
from svmlab.binary.expansion import Evaluation, KernelSolution, Rounding, largest_absolute_sum
from svmlab.binary.kkt import Certificate, kkt_certificate
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array, Mask, frozen, short_repr
from svmlab.core.tolerances import CONSTANT_ROUND_OFF, INTERIOR_POINT_TOLERANCE, LEAST_FLOOR, ROUND_OFF
from svmlab.core.validate import validated
from svmlab.data.labels import accuracy, labels_of_signs
from svmlab.kernels.base import as_points
from svmlab.solvers.gram.warm_start import WarmStart


@dataclass(frozen=True, eq=False)
class Solution(KernelSolution):
    """An optimum of `problem` together with its dual solution.

    alpha: (m,) dual variables; for method "exact" the optimum with the least sum_i alpha_i^2 / v_i (for the hard
    margin: the least sum_i alpha_i^2). alpha_unique: whether it is the only optimal alpha (None where the method does
    not know). b: the bias, and b_interval = (lo, hi): all optimal b (equal ends where a free support vector determines
    b). states: (m,) -1 for alpha_i = 0, 0 for a free alpha_i, +1 for alpha_i = C_i. status: what the solver did, in
    words.
    """

    problem: Problem
    alpha: Array
    b: float
    b_interval: tuple[float, float]
    alpha_unique: bool | None
    states: NDArray[np.int8]
    status: str
    steps: int = 0
    evaluation: Evaluation = Evaluation()  # how f keeps its digits
    least_norm_known: bool = True  # whether the method determined which optimum has the smallest norm
    clipped_eigenvalue: float | None = None  # the negative eigenvalue because of which the problem was changed
    warm_start: WarmStart | None = field(default=None, repr=False, compare=False)  # what the next solution reuses

    def __repr__(self) -> str:
        counts = {"support": int(self.support.sum()), "at_bound": int(self.at_bound.sum()), "b": self.b}
        return short_repr(self, **self.problem.facts, **counts, status=str(self.status))

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"warm_start": None}

    @property
    def errors(self) -> Mask:
        """Return which points are training errors, y_i f(x_i) <= 0 up to round-off, shape (m,).

        A point on the boundary is an error. With w = 0 the errors are the points with y_i b <= 0.
        """
        return np.array([category in ERRORS for category in self.categories], dtype=bool)

    @cached_property
    def margins(self) -> Array:
        """Return the functional margins y_i f(x_i), shape (m,)."""
        return frozen(self.problem.data.y * (self._expansion_at_points + self.function.constant))

    @cached_property
    def margin_excess(self) -> Array:
        """Return y_i f(x_i) - 1, shape (m,), with the digits that y_i f(x_i) itself loses where C is tiny."""
        y, (base, rest) = self.problem.data.y, self.function.constant_parts
        return frozen(y * (self._expansion_at_points + rest) + (y * base - 1))

    @cached_property
    def xi(self) -> Array:
        """Return the slacks max(0, 1 - y_i f(x_i)), shape (m,), in functional units; the distance is xi / |w| (S12).

        A shortfall that the rounding of f explains is set to 0, because otherwise C_i times it would count as a loss.
        """
        return frozen(np.where(self.margin_excess < -self._rounding.excess_noise, -self.margin_excess, 0.0))

    @cached_property
    def geometric_margin(self) -> float:
        """Return min_i y_i f(x_i) / |w|, which is negative where a point is on the wrong side.

        It is nan where w = 0 or there is no point.
        """
        if self.norm_w == 0 or not len(self.margins):
            return math.nan
        return float(self.margins.min()) / self.norm_w

    @cached_property
    def objective(self) -> float:
        """Return the primal objective P = 1/2 |w|^2 + C sum_i v_i xi_i (without the second term for C = inf)."""
        slack = 0.0 if self.problem.hard else self.problem.C * float((self.problem.v * self.xi).sum())
        return 0.5 * self.norm_w**2 + slack

    @cached_property
    def dual_objective(self) -> float:
        """Return the dual objective D = sum_i alpha_i - 1/2 alpha'Q alpha."""
        return float(self.alpha.sum()) - 0.5 * self._squared_norm

    @cached_property
    def noise(self) -> float:
        """Return the round-off in f, in margin units: 4 eps max_j sum_i alpha_i |K_ij|, at least 16 eps."""
        return self._rounding.noise

    @property
    def floor(self) -> float:
        """Return the smallest residual that is worth testing: max(1e-9, noise).

        It is in units of a margin, or of the range of f where f varies by less than 1.
        """
        return self._rounding.floor

    @cached_property
    def proven(self) -> bool:
        """Return whether the certificate holds and rounding is small enough to confirm it.

        For a clipped kernel this concerns the clipped problem. It is False where rounding hides which of several
        optimal alpha has the smallest norm, because the states depend on that.
        """
        return self.least_norm_known and self.certificate.is_optimal()

    @cached_property
    def certificate(self) -> Certificate:
        """Return the residuals of the optimality conditions, computed from alpha, b, w and the points alone."""
        problem = self.problem
        kappa = float(np.abs(self.function.diagonal()).max(initial=0.0)) or 1.0
        gap, scale = self.gap, max(self.objective, abs(self.dual_objective))
        if self.evaluation.kernel is not None and scale and not problem.hard:
            # The rounding of alpha also changes the objective in the original kernel, so the gap includes that effect.
            gap = max(
                abs(gap), ROUND_OFF * self._rounding.uncentred_size * float(problem.bounds[self.free].sum()) / scale
            )
        return kkt_certificate(
            problem,
            self.alpha,
            self.margin_excess,
            self.xi,
            gap,
            self.floor,
            kappa,
            self._rounding.margin_unit,
            self.function.error_of_explicit_w,
        )

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """Return the category of each point, a tuple of length m."""
        tolerance_at_one = max(self.tolerance, self._rounding.excess_noise)
        tolerance_at_zero = max(tolerance_at_one, self.noise) if self.problem.bias else tolerance_at_one
        return categorise(
            self.margins, self.margin_excess, self.free, self.at_bound, tolerance_at_one, tolerance_at_zero
        )

    @property
    def tolerance(self) -> float:
        """Return how far a margin may be from 1 and still count as 1.

        This is round-off for "exact", and 1e-5 for an interior point alone.
        """
        return LEAST_FLOOR * self._rounding.margin_unit if self.status.startswith("exact") else INTERIOR_POINT_TOLERANCE

    @validated
    def predict(self, Z: Array) -> NDArray[Any]:
        """Return the predicted label of each row of Z (k, d), shape (k,): that of class +1 where f > 0.

        Z has the columns of X, and the labels have the names that the data set gives them. Raises BadInput.
        """
        return labels_of_signs(self.decision(Z) > 0, self.problem.data.labels)

    @validated
    def score(self, Z: Array, labels: Any) -> float:
        """Return the fraction of rows of Z (k, d) whose label in `labels` (k,) equals the predicted one.

        Raises BadInput.
        """
        return accuracy(self.decision(Z), labels, self.problem.data.labels)

    @cached_property
    def _rounding(self) -> Rounding:
        f, X, size = self.function, self.problem.data.X, self.function.size
        if self.evaluation.coefficients is not None:
            # alpha was rounded before the eigenvalues were clipped, so the sum with alpha itself counts too.
            size = max(size, largest_absolute_sum(f.summed_kernel, X, self.alpha, X))
        sums_own_kernel = self.evaluation.sums_values_of(f.kernel)
        return Rounding(size, size if sums_own_kernel else largest_absolute_sum(f.kernel, X, self.alpha, X))

    @property
    def _rounding_of_zero(self) -> float:
        return CONSTANT_ROUND_OFF * self._rounding.size

    @validated
    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        """Return f, shape (k,), and its gradient, shape (k, d), at each row of Z (k, d).

        Both together cost little more than one of them. Raises BadInput.
        """
        if self.w is not None or self.is_constant:
            return self.decision(Z), self.gradient(Z)
        return self.function.value_and_gradient(as_points(Z, self.problem.data.d))

    @validated
    def gradient(self, Z: Array) -> Array:
        """Return the gradient of f at each row of Z (k, d), shape (k, d). Raises BadInput for another shape."""
        return self.function.gradient(as_points(Z, self.problem.data.d))

    @cached_property
    def coefficients(self) -> Array:
        """Return the c (m,) with f(x) = sum_i c_i k(x_i, x) + b, which is y_i alpha_i except for a clipped kernel."""
        given = self.evaluation.coefficients
        return frozen(self.alpha * self.problem.data.y) if given is None else given


@validated
def certify(solution: Solution) -> Certificate:
    """Return the certificate of `solution`, computed from its alpha, b, w and the points alone."""
    return solution.certificate
