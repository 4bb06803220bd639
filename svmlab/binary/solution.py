"""A solved machine that judges itself: every number here is computed from alpha, b and the points."""

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
from svmlab.core.arrays import EPS, Array, Frozen, Mask, brief, frozen
from svmlab.core.validate import validated
from svmlab.data.labels import accuracy, labels_of_signs
from svmlab.kernels.base import Kernel, as_points
from svmlab.solvers.gram.dense import Gram

LEVEL = 64  # of eps: how far a sum that is 0 may be off, relative to the sizes of its terms


@dataclass(frozen=True, eq=False)
class Solution(Frozen):
    """An optimum of `problem` with its dual.

    alpha: (m,) multipliers, for method "exact" the optimum with the least sum_i alpha_i^2 / v_i (the hard margin: sum_i
    alpha_i^2). alpha_unique: whether it is the only one (None where the method does not know). b, and b_interval = (lo,
    hi) of all optimal b (equal ends where a free vector pins it). states: (m,) -1 for alpha = 0, 0 for free, +1 for
    alpha = C_i. status: what the solver did, in words.
    """

    problem: Problem
    alpha: Array
    b: float
    b_interval: tuple[float, float]
    alpha_unique: bool | None
    states: Array
    status: str
    steps: int = 0
    explicit_w: Array | None = None  # where a primal method found w by itself
    # Linear kernel with bias: f(x) = <w, x - origin> + base + offset keeps its digits far from 0. base is 0, or the
    # label
    # that f is near to where C is tiny: then f - base keeps them; b = base + offset where no origin shifts it.
    origin: Array | None = None
    base_label: float = 0.0
    offset: float | None = None
    least_norm_known: bool = True  # whether the method could tell which optimum has the least norm
    centred_kernel: Kernel | None = None  # what is summed up in the kernel's place, then with that base and offset
    clipped_coefficients: Array | None = (
        None  # of the kernel expansion where it is not y alpha: an indefinite kernel, clipped
    )
    clipped: float | None = None  # the negative eigenvalue because of which the problem was changed
    reusable_gram: list[Gram] = field(
        default_factory=list, repr=False, compare=False
    )  # the Gram matrix, until the next solution takes it over

    def __repr__(self) -> str:
        carried = {"support": int(self.support.sum()), "at_bound": int(self.at_bound.sum()), "b": self.b}
        return brief(self, **self.problem.facts, **carried, status=str(self.status))

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"rows": []}

    @property
    def support(self) -> Mask:
        """Alpha > 0."""
        return self.states > -1

    @property
    def free(self) -> Mask:
        """0 < alpha_i < C_i."""
        return self.states == 0

    @property
    def at_bound(self) -> Mask:
        """alpha_i = C_i, which is C where both classes cost the same."""
        return self.states == 1

    @cached_property
    def w(self) -> Array | None:
        """sum_i alpha_i y_i phi(x_i) where the feature map can be written down, else None."""
        if self.explicit_w is not None:
            return self.explicit_w
        kernel, X = self.problem.kernel, self.problem.data.X
        if not kernel.psd or not kernel.has_short_feature_map(X.shape[1]):
            return None
        s = self.support
        return frozen(self.coefficients[s] @ kernel.feature_map(self._centred(X[s])))

    @cached_property
    def norm_w(self) -> float:
        """|w| in feature space: from w where it is explicit, else sqrt(alpha'Q alpha); 0 where f is flat to
        rounding.
        """
        if self.is_constant:
            return 0.0
        if self.w is not None:
            return float(np.linalg.norm(self.w))
        return math.sqrt(max(self._squared_norm, 0.0))

    @cached_property
    def is_constant(self) -> bool:
        """Whether w = 0: f - b differs on no point by more than rounding, of alpha too (w is in the span of the
        differences).
        """
        spread = (
            float(np.ptp(self._expansion_at_points))
            if self.problem.bias
            else float(np.abs(self._expansion_at_points).max())
        )
        return spread <= LEVEL * EPS * self._rounding.size

    @cached_property
    def margins(self) -> Array:
        """y_i f(x_i), shape (m,)."""
        return frozen(
            self.problem.data.y * ((0.0 if self.is_constant else self._expansion_at_points) + sum(self._bias_parts))
        )

    @cached_property
    def margin_excess(self) -> Array:
        """y_i f(x_i) - 1, shape (m,), with the digits that it loses beside 1 where C is tiny."""
        y, (base, offset) = self.problem.data.y, self._bias_parts
        return frozen(y * ((0.0 if self.is_constant else self._expansion_at_points) + offset) + (y * base - 1))

    @cached_property
    def xi(self) -> Array:
        """max(0, 1 - y_i f(x_i)), shape (m,): the slack in functional units; the distance is xi / |w| (S12).

        A shortfall that the rounding of f explains is 0: C_i times it would count as a loss.
        """
        return frozen(np.where(self.margin_excess < -self._rounding.excess_noise, -self.margin_excess, 0.0))

    @cached_property
    def geometric_margin(self) -> float:
        """min_i y_i f(x_i) / |w|, negative where a point is on the wrong side; nan where w = 0 or there is no point."""
        if self.norm_w == 0 or not len(self.margins):
            return math.nan
        return float(self.margins.min()) / self.norm_w

    @cached_property
    def objective(self) -> float:
        """P = 1/2 |w|^2 + C sum v xi (without the second term for C = inf)."""
        slack = 0.0 if self.problem.hard else self.problem.C * float((self.problem.v * self.xi).sum())
        return 0.5 * self.norm_w**2 + slack

    @cached_property
    def dual_objective(self) -> float:
        """D = sum alpha - 1/2 alpha'Q alpha."""
        return float(self.alpha.sum()) - 0.5 * self._squared_norm

    @property
    def gap(self) -> float:
        """(P - D) / max(P, |D|), 0 where both vanish."""
        scale = max(self.objective, abs(self.dual_objective))
        return (self.objective - self.dual_objective) / scale if scale else 0.0

    @cached_property
    def noise(self) -> float:
        """The round-off in f, in margin units: 4 eps max_j sum_i alpha_i |K_ij|, at least 16 eps."""
        return self._rounding.noise

    @property
    def floor(self) -> float:
        """The smallest residual worth asking for: max(1e-9, noise), in units of a margin or of what f varies by."""
        return self._rounding.floor

    @cached_property
    def proven(self) -> bool:
        """Whether its certificate holds, and rounding is small enough to say so (for a clipped kernel, of the clipped
        problem).

        Not where rounding hides which of several optimal alpha has the least norm, and so the states.
        """
        return self.least_norm_known and self.certificate.is_optimal()

    @cached_property
    def certificate(self) -> Certificate:
        """The conditions of optimality, checked from alpha, b, w and the points alone."""
        problem, X = self.problem, self.problem.data.X
        kappa = float(np.abs(self._kernel_expansion.kernel.diag(self._centred(X))).max(initial=0.0)) or 1.0
        apart = 0.0
        if self.explicit_w is not None:
            Phi = problem.kernel.feature_map(X)
            apart = float(np.abs(Phi @ (self.explicit_w - (self.alpha * problem.data.y) @ Phi)).max())
        gap, scale = self.gap, max(self.objective, abs(self.dual_objective))
        if (
            self.centred_kernel is not None and scale and not problem.hard
        ):  # what alpha, rounded, costs in the kernel itself
            gap = max(
                abs(gap), 4 * EPS * self._rounding.uncentred_size * float(problem.bounds[self.free].sum()) / scale
            )
        return kkt_certificate(
            problem, self.alpha, self.margin_excess, self.xi, gap, self.floor, kappa, self._rounding.unit, apart
        )

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """Where each point stands."""
        one = max(self.tolerance, self._rounding.excess_noise)
        zero = max(one, self.noise) if self.problem.bias else one
        return categorise(self.margins, self.margin_excess, self.free, self.at_bound, one, zero)

    @property
    def tolerance(self) -> float:
        """How far a margin may be from 1 and count as 1: round-off for "exact", 1e-5 for an interior point alone."""
        return 1e-9 * self._rounding.unit if self.status.startswith("exact") else 1e-5

    @validated
    def decision(self, Z: Array) -> Array:
        """f(z) = sum_i alpha_i y_i k(x_i, z) + b for each row of Z (k, d), shape (k,). Raises BadInput for another
        shape.
        """
        Z = as_points(Z, self.problem.data.d)
        return (
            np.full(len(Z), sum(self._bias_parts))
            if self.is_constant
            else self._kernel_expansion(Z) + sum(self._bias_parts)
        )

    @validated
    def predict(self, Z: Array) -> NDArray[Any]:
        """The label of each row of Z (k, d), columns as in X, the one of +1 where f > 0, as it is called, shape (k,).
        Raises BadInput.
        """
        return labels_of_signs(self.decision(Z) > 0, self.problem.data.labels)

    @validated
    def score(self, Z: Array, labels: Any) -> float:
        """Which part of the rows of Z (k, d) has the label that `predict` gives it. labels: (k,). Raises BadInput."""
        return accuracy(self.decision(Z), labels, self.problem.data.labels)

    @cached_property
    def _expansion_at_points(self) -> Array:
        """sum_i alpha_i y_i k(x_i, x) at the points themselves, relative to the origin, flat or not."""
        return self._kernel_expansion(self.problem.data.X)

    @property
    def _bias_parts(self) -> tuple[float, float]:
        """What is added to that, in two parts: a label, and what is left."""
        return (0.0, self.b) if self.offset is None else (self.base_label, self.offset)

    @cached_property
    def _rounding(self) -> Rounding:
        X = self.problem.data.X
        whole = self._kernel_expansion.largest_absolute_sum(X)
        if self.clipped_coefficients is not None:  # what is left where the eigenvalues are cut: alpha was rounded first
            whole = max(whole, largest_absolute_sum(self._kernel_expansion.kernel, X, self.alpha, X))
        return Rounding(
            whole, whole if self.centred_kernel is None else largest_absolute_sum(self.problem.kernel, X, self.alpha, X)
        )

    @validated
    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        """F (k,) and its gradient (k, d) at each row of Z (k, d), for little more than one of them. Raises BadInput."""
        if self.w is not None or self.is_constant:
            return self.decision(Z), self.gradient(Z)
        f, g = self._kernel_expansion.value_and_gradient(Z)
        return f + sum(self._bias_parts), g

    @validated
    def gradient(self, Z: Array) -> Array:
        """The gradient of f at each row of Z (k, d), shape (k, d). Raises BadInput for another shape."""
        return self._kernel_expansion.gradient(Z)

    @cached_property
    def coefficients(self) -> Array:
        """The c (m,) with f(x) = sum_i c_i k(x_i, x) + b: y_i alpha_i, but for a clipped kernel."""
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
            return float(self.w @ self.w)  # the same number with half the cancellation, and no m x m matrix
        return self._kernel_expansion.squared_norm()

    def _centred(self, X: Array) -> Array:
        return X if self.origin is None else X - self.origin


@validated
def certify(solution: Solution) -> Certificate:
    """Check `solution` against the conditions of optimality, from its alpha, b, w and the points alone."""
    return solution.certificate
