"""A solved problem that checks itself: every number here is computed from alpha, b and the points."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.binary.categories import Category, categorise
from svmlab.binary.expansion import KernelExpansion, Rounding, largest_absolute_sum
from svmlab.binary.kkt import Certificate, kkt_certificate
from svmlab.binary.problem import Problem
from svmlab.core.arrays import EPS, Array, Frozen, Mask, frozen, relative_to, short_repr
from svmlab.core.validate import validated
from svmlab.data.labels import accuracy, labels_of_signs
from svmlab.kernels.base import Kernel, as_points
from svmlab.solvers.gram.dense import Gram

LEVEL = 64  # A sum counts as 0 up to LEVEL eps, relative to the sizes of its terms.


@dataclass(frozen=True, eq=False)
class Solution(Frozen):
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
    states: Array
    status: str
    steps: int = 0
    explicit_w: Array | None = None  # w where a primal method computed it directly
    # For the linear kernel with bias, f(x) = <w, x - origin> + base_label + offset keeps its digits for points far
    # from 0. base_label is 0, or the label that f is close to where C is tiny, because then f - base_label keeps its
    # digits. b = base_label + offset where no origin shifts it.
    origin: Array | None = None
    base_label: float = 0.0
    offset: float | None = None
    least_norm_known: bool = True  # whether the method determined which optimum has the least norm
    # The kernel whose values are summed instead of those of `kernel`; base_label and offset then belong to its sum.
    centred_kernel: Kernel | None = None
    # The coefficients of the kernel expansion where they are not y alpha, because an indefinite kernel was clipped.
    clipped_coefficients: Array | None = None
    clipped: float | None = None  # the negative eigenvalue because of which the problem was changed
    # The Gram matrix, until the next solution takes it over.
    reusable_gram: list[Gram] = field(default_factory=list, repr=False, compare=False)

    def __repr__(self) -> str:
        counts = {"support": int(self.support.sum()), "at_bound": int(self.at_bound.sum()), "b": self.b}
        return short_repr(self, **self.problem.facts, **counts, status=str(self.status))

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"reusable_gram": []}

    @property
    def support(self) -> Mask:
        """Return which points are support vectors, alpha_i > 0, shape (m,)."""
        return self.states > -1

    @property
    def free(self) -> Mask:
        """Return which points are free support vectors, 0 < alpha_i < C_i, shape (m,)."""
        return self.states == 0

    @property
    def at_bound(self) -> Mask:
        """Return which points have alpha_i = C_i, shape (m,); C_i is C where both classes cost the same."""
        return self.states == 1

    @cached_property
    def w(self) -> Array | None:
        """Return w = sum_i alpha_i y_i phi(x_i) where the feature map can be written down, else None."""
        if self.explicit_w is not None:
            return self.explicit_w
        kernel, X = self.problem.kernel, self.problem.data.X
        if not kernel.psd or not kernel.has_short_feature_map(X.shape[1]):
            return None
        s = self.support
        return frozen(self.coefficients[s] @ kernel.feature_map(relative_to(self.origin, X[s])))

    @cached_property
    def norm_w(self) -> float:
        """Return |w| in feature space, which is 0 where f is constant up to rounding.

        It is computed from w where w is explicit, else as sqrt(alpha'Q alpha).
        """
        if self.is_constant:
            return 0.0
        if self.w is not None:
            return float(np.linalg.norm(self.w))
        return math.sqrt(max(self._squared_norm, 0.0))

    @cached_property
    def is_constant(self) -> bool:
        """Return whether w = 0, because f - b differs on no point by more than rounding, that of alpha included.

        (w is in the span of the differences.)
        """
        spread = (
            float(np.ptp(self._expansion_at_points))
            if self.problem.bias
            else float(np.abs(self._expansion_at_points).max())
        )
        return spread <= LEVEL * EPS * self._rounding.size

    @cached_property
    def margins(self) -> Array:
        """Return the functional margins y_i f(x_i), shape (m,)."""
        return frozen(
            self.problem.data.y * ((0.0 if self.is_constant else self._expansion_at_points) + sum(self._bias_parts))
        )

    @cached_property
    def margin_excess(self) -> Array:
        """Return y_i f(x_i) - 1, shape (m,), with the digits that y_i f(x_i) itself loses where C is tiny."""
        y, (base, offset) = self.problem.data.y, self._bias_parts
        return frozen(y * ((0.0 if self.is_constant else self._expansion_at_points) + offset) + (y * base - 1))

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

    @property
    def gap(self) -> float:
        """Return the relative duality gap (P - D) / max(P, |D|), which is 0 where both vanish."""
        scale = max(self.objective, abs(self.dual_objective))
        return (self.objective - self.dual_objective) / scale if scale else 0.0

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
        optimal alpha has the least norm, because the states depend on that.
        """
        return self.least_norm_known and self.certificate.is_optimal()

    @cached_property
    def certificate(self) -> Certificate:
        """Return the residuals of the optimality conditions, computed from alpha, b, w and the points alone."""
        problem, X = self.problem, self.problem.data.X
        kappa = float(np.abs(self._kernel_expansion.kernel.diag(relative_to(self.origin, X))).max(initial=0.0)) or 1.0
        w_difference = 0.0
        if self.explicit_w is not None:
            Phi = problem.kernel.feature_map(X)
            w_difference = float(np.abs(Phi @ (self.explicit_w - (self.alpha * problem.data.y) @ Phi)).max())
        gap, scale = self.gap, max(self.objective, abs(self.dual_objective))
        if self.centred_kernel is not None and scale and not problem.hard:
            # The rounding of alpha also changes the objective in the original kernel, so the gap includes that effect.
            gap = max(
                abs(gap), 4 * EPS * self._rounding.uncentred_size * float(problem.bounds[self.free].sum()) / scale
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
            w_difference,
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
        return 1e-9 * self._rounding.margin_unit if self.status.startswith("exact") else 1e-5

    @validated
    def decision(self, Z: Array) -> Array:
        """Return f(z) = sum_i alpha_i y_i k(x_i, z) + b for each row of Z (k, d), shape (k,).

        Raises BadInput for another shape.
        """
        Z = as_points(Z, self.problem.data.d)
        return (
            np.full(len(Z), sum(self._bias_parts))
            if self.is_constant
            else self._kernel_expansion(Z) + sum(self._bias_parts)
        )

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
    def _expansion_at_points(self) -> Array:
        """Return sum_i alpha_i y_i k(x_i, x) at the training points, relative to the origin, constant or not."""
        return self._kernel_expansion(self.problem.data.X)

    @property
    def _bias_parts(self) -> tuple[float, float]:
        """Return the two terms that are added to the kernel expansion: a label (or 0), and the rest."""
        return (0.0, self.b) if self.offset is None else (self.base_label, self.offset)

    @cached_property
    def _rounding(self) -> Rounding:
        X = self.problem.data.X
        size = self._kernel_expansion.largest_absolute_sum(X)
        if self.clipped_coefficients is not None:
            # alpha was rounded before the eigenvalues were clipped, so the sum with alpha itself counts too.
            size = max(size, largest_absolute_sum(self._kernel_expansion.kernel, X, self.alpha, X))
        return Rounding(
            size, size if self.centred_kernel is None else largest_absolute_sum(self.problem.kernel, X, self.alpha, X)
        )

    @validated
    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        """Return f, shape (k,), and its gradient, shape (k, d), at each row of Z (k, d).

        Both together cost little more than one of them. Raises BadInput.
        """
        if self.w is not None or self.is_constant:
            return self.decision(Z), self.gradient(Z)
        f, g = self._kernel_expansion.value_and_gradient(Z)
        return f + sum(self._bias_parts), g

    @validated
    def gradient(self, Z: Array) -> Array:
        """Return the gradient of f at each row of Z (k, d), shape (k, d). Raises BadInput for another shape."""
        return self._kernel_expansion.gradient(Z)

    @cached_property
    def coefficients(self) -> Array:
        """Return the c (m,) with f(x) = sum_i c_i k(x_i, x) + b, which is y_i alpha_i except for a clipped kernel."""
        return (
            frozen(self.alpha * self.problem.data.y) if self.clipped_coefficients is None else self.clipped_coefficients
        )

    @cached_property
    def _kernel_expansion(self) -> KernelExpansion:
        s = self.support if self.clipped_coefficients is None else self.clipped_coefficients != 0
        return KernelExpansion(
            self.centred_kernel or self.problem.kernel,
            self.problem.data.X[s],
            self.coefficients[s],
            self.w,
            self.origin,
        )

    @cached_property
    def _squared_norm(self) -> float:
        if self.w is not None and self.explicit_w is None:
            return float(self.w @ self.w)  # This is the same number with half the cancellation and no m x m matrix.
        return self._kernel_expansion.squared_norm()


@validated
def certify(solution: Solution) -> Certificate:
    """Return the certificate of `solution`, computed from its alpha, b, w and the points alone."""
    return solution.certificate
