"""Decision functions as kernel expansions, and what the solutions of all SVMs have in common."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.binary.kkt import Certificate
from svmlab.core.arrays import TEMPORARY_ENTRIES, Array, Frozen, Mask, frozen, make_read_only, relative_to
from svmlab.core.tolerances import CONSTANT_ROUND_OFF, LEAST_FLOOR, LEAST_NOISE, ROUND_OFF
from svmlab.core.validate import validated
from svmlab.data.point_set import centre_of_box
from svmlab.kernels.base import Kernel, as_points


@dataclass(frozen=True, eq=False)
class Evaluation(Frozen):
    """How f is evaluated where the sum of the multipliers' terms and b would lose digits, or is not what was solved.

    origin: the kernel is summed for points relative to it (`centre_of_points`), which keeps the digits of points far
    from 0: f(x) = <w, x - origin> + base + offset for the linear kernel. base: 0, or the label that f is close to where
    C is tiny, because then f - base keeps its digits. offset: what is added to base and the sum, or None where b is
    added to the sum. kernel: the kernel whose values are summed instead of those of the problem's own; base and offset
    then belong to its sum. coefficients: those of the sum where they are not given by the multipliers, because an
    indefinite kernel was clipped. w: where a primal method computed it directly.
    """

    origin: Array | None = None
    base: float = 0.0
    offset: Any = None
    kernel: Kernel | None = None
    coefficients: Array | None = None
    w: Array | None = None

    def with_bias_moved(self, by: Any) -> Evaluation:
        """Return the evaluation of f + by."""
        return self if self.offset is None else replace(self, offset=self.offset + by)

    def sums_values_of(self, kernel: Kernel) -> bool:
        """Return whether the values of `kernel`, the problem's own, are summed as they are.

        Otherwise the same alpha and b in the kernel itself give f with a larger round-off. Moving the points of the
        linear kernel moves b alone.
        """
        return self.kernel is None and (self.origin is None or kernel.is_linear)


@dataclass(frozen=True, eq=False)
class DecisionFunction(Frozen):
    """f(x) = sum_i c_i k(x_i, x) + b over points X (m, d), or k such functions.

    coefficients: (m,) and a number b, or (m, k) and b (k,) for k functions.
    """

    kernel: Kernel
    X: Array
    coefficients: Array
    b: Any
    evaluation: Evaluation = Evaluation()

    def __call__(self, Z: Array) -> Array:
        """Return f at each row of Z (n, d), shape (n,) or (n, k)."""
        return self.expansion(Z) + self.constant

    def expansion(self, Z: Array) -> Array:
        """Return f minus its constant term at each row of Z (n, d), shape (n,) or (n, k)."""
        Z = relative_to(self.origin, Z)
        if self.w is not None:
            # In w the alpha of equal points with opposite labels cancel before they are multiplied by a large k.
            return np.asarray(self.kernel.feature_map(Z) @ self.w.T)
        X, c = self._terms
        return np.asarray((c.T @ self.summed_kernel(X, Z)).T)

    @property
    def origin(self) -> Array | None:
        """Return what the points are relative to, shape (d,), or None."""
        return self.evaluation.origin

    @property
    def summed_kernel(self) -> Kernel:
        """Return the kernel whose values are summed."""
        return self.kernel if self.evaluation.kernel is None else self.evaluation.kernel

    @property
    def constant_parts(self) -> tuple[float, Any]:
        """Return the two terms that are added to the expansion: a label (or 0), and the rest."""
        how = self.evaluation
        return (0.0, self.b) if how.offset is None else (how.base, how.offset)

    @property
    def constant(self) -> Any:
        """Return what is added to the expansion."""
        base, rest = self.constant_parts
        return base + rest

    @cached_property
    def expansion_at_points(self) -> Array:
        """Return the expansion at the points X themselves, shape (m,) or (m, k)."""
        return frozen(self.expansion(self.X))

    def spread(self, bias: bool) -> float:
        """Return the range of the expansion over the points, or its largest absolute value without `bias`."""
        f = self.expansion_at_points
        return float((np.ptp(f, axis=0) if bias else np.abs(f)).max())

    @cached_property
    def w(self) -> Array | None:
        """Return w = sum_i c_i phi(x_i), (D,) or (k, D), where the feature map can be written down, else None."""
        if self.evaluation.w is not None:
            return self.evaluation.w
        if not self.kernel.psd or not self.kernel.has_short_feature_map(self.X.shape[1]):
            return None
        X, c = self._terms
        return frozen(c.T @ self.kernel.feature_map(X))

    @cached_property
    def squared_norm(self) -> Array:
        """Return |w|^2 = sum_ij c_i c_j k(x_i, x_j), from the coefficients, shape () or (k,)."""
        if self.w is not None and self.evaluation.w is None:
            return frozen(np.vecdot(self.w, self.w))  # the same with half the cancellation and without an m x m matrix
        X, c = self._terms
        return frozen((c * (self.summed_kernel(X, X) @ c)).sum(0))

    @cached_property
    def size(self) -> float:
        """Return the largest sum of the absolute terms of the expansion at the points, over all functions together."""
        X, c = self._terms
        return largest_absolute_sum(self.summed_kernel, X, c, relative_to(self.origin, self.X))

    @property
    def error_of_explicit_w(self) -> float:
        """Return how far f at the points is from that of the coefficients, where w was computed directly; else 0."""
        if self.evaluation.w is None:
            return 0.0
        Phi = self.kernel.feature_map(relative_to(self.origin, self.X))
        return float(np.abs(Phi @ (self.evaluation.w - self.coefficients @ Phi)).max())

    def diagonal(self) -> Array:
        """Return the k(x_i, x_i) of the kernel that is summed, shape (m,)."""
        return self.summed_kernel.diag(relative_to(self.origin, self.X))

    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        """Return f (n,) and its gradient (n, d) at each row of Z (n, d). For one function."""
        X, c = self._terms
        f, g = self.summed_kernel.value_and_gradient(X, c, relative_to(self.origin, Z))
        return f + self.constant, g

    def gradient(self, Z: Array) -> Array:
        """Return the gradient at each row of Z (n, d), shape (n, d). For one function."""
        X, c = self._terms
        return self.summed_kernel.gradient(X, c, relative_to(self.origin, Z))

    def grid(self, u: Array, v: Array) -> Array:
        """Return f at (u_j, v_i), shape (len(v), len(u)), for drawing. For one function of two coordinates."""
        X, c = self._terms
        if self.origin is None:
            return self.kernel.grid(X, c, u, v) + self.b  # the kernel itself, which has a fast way
        return self.kernel.grid(X, c, u - self.origin[0], v - self.origin[1]) + self.constant

    @cached_property
    def _terms(self) -> tuple[Array, Array]:
        """Return the points with a coefficient other than 0, relative to the origin, and their coefficients."""
        c = self.coefficients
        used = c != 0 if c.ndim == 1 else (c != 0).any(1)
        terms = relative_to(self.origin, self.X[used]), c[used]
        make_read_only(terms)
        return terms


class KernelSolution(Frozen):
    """What the solutions of all SVMs share: multipliers from 0 to a bound, and an f that is a kernel expansion.

    states: (m,) -1 where the multipliers of a point are 0, 0 where they are free, +1 where they are at the bound.
    """

    problem: Any
    b: Any
    states: NDArray[np.int8]
    status: str
    evaluation: Evaluation
    least_norm_known = True

    @property
    def coefficients(self) -> Array:
        """Return the coefficients of the expansion, shape (m,), or (m, k) for k functions."""
        raise NotImplementedError

    @property
    def objective(self) -> float:
        """Return the primal objective P."""
        raise NotImplementedError

    @property
    def dual_objective(self) -> float:
        """Return the dual objective D."""
        raise NotImplementedError

    @property
    def floor(self) -> float:
        """Return the smallest residual that is worth testing."""
        raise NotImplementedError

    @property
    def certificate(self) -> Certificate:
        """Return the residuals of the optimality conditions."""
        raise NotImplementedError

    @property
    def support(self) -> Mask:
        """Return which points are support vectors, whose multipliers are above 0, shape (m,)."""
        return self.states > -1

    @property
    def free(self) -> Mask:
        """Return which points are free support vectors, with multipliers between 0 and the bound, shape (m,)."""
        return self.states == 0

    @property
    def at_bound(self) -> Mask:
        """Return which points have multipliers at the bound, shape (m,)."""
        return self.states == 1

    @cached_property
    def function(self) -> DecisionFunction:
        """Return f as a function of its own, which depends on the coefficients, b and the points alone."""
        return DecisionFunction(self.problem.kernel, self.problem.data.X, self.coefficients, self.b, self.evaluation)

    @property
    def w(self) -> Array | None:
        """Return w = sum_i c_i phi(x_i) where the feature map can be written down, else None."""
        return self.function.w

    @cached_property
    def norm_w(self) -> float:
        """Return |w| in feature space, which is 0 where f is constant up to rounding.

        It is computed from w where w is explicit, else from the coefficients c as sqrt(c'Kc).
        """
        if self.is_constant:
            return 0.0
        return float(np.linalg.norm(self.w)) if self.w is not None else math.sqrt(max(self._squared_norm, 0.0))

    @cached_property
    def is_constant(self) -> bool:
        """Return whether w = 0, because f differs between the points by no more than rounding, that of alpha included.

        This is enough because w is in the span of the differences of the points' images.
        """
        return self.function.spread(self.problem.bias) <= self._rounding_of_zero

    @property
    def gap(self) -> float:
        """Return the relative duality gap (P - D) / max(P, |D|), which is 0 where both vanish."""
        scale = max(self.objective, abs(self.dual_objective))
        return (self.objective - self.dual_objective) / scale if scale else 0.0

    @property
    def proven(self) -> bool:
        """Return whether the certificate holds, and rounding is small enough to confirm it."""
        return self.certificate.is_optimal()

    @validated
    def decision(self, Z: Array) -> Array:
        """Return f(z) = sum_i c_i k(x_i, z) + b for each row of Z (n, d), shape (n,), or (n, k) for k functions.

        Raises BadInput for another shape.
        """
        Z = as_points(Z, self.problem.data.d)
        f = self.function
        return np.repeat(np.asarray(f.constant)[None, ...], len(Z), axis=0) if self.is_constant else f(Z)

    @validated
    def decision_function(self, Z: Array) -> Array:
        """Return `decision(Z)`, under the name that scikit-learn gives it. Raises BadInput for another shape."""
        return self.decision(Z)

    @property
    def _rounding_of_zero(self) -> float:
        """Return how far f may vary by rounding where w = 0."""
        return CONSTANT_ROUND_OFF * self.function.size

    @cached_property
    def _expansion_at_points(self) -> Array:
        """Return the expansion at the training points, which is 0 where f is constant."""
        f = self.function.expansion_at_points
        return frozen(np.zeros(f.shape)) if self.is_constant else f

    @property
    def _squared_norm(self) -> float:
        """Return |w|^2 from the coefficients, summed over the functions."""
        return float(np.sum(self.function.squared_norm))


def centre_of_points(kernel: Kernel, X: Array, bias: bool) -> Array | None:
    """Return the origin to which the points X (m, d) are moved, the centre of their box, shape (d,), or None.

    Where translations change a kernel but none of its distances, as with the linear kernel, f is moved with the points,
    and only b changes. Near 0 no digit is lost. This needs a bias, and so sum_i c_i = 0.
    """
    if not (bias and kernel.psd and kernel.distances_translation_invariant) or kernel.translation_invariant:
        return None
    return frozen(centre_of_box(X))


def shift_of_bias(kernel: Kernel, Z: Array, c: Array, origin: Array) -> Any:
    """Return sum_i c_i (k(z_i + o, x + o) - k(z_i, x)), the same at each x, for a kernel with a `centre_of_points` o.

    Z (m, d): the points relative to o. c (m,) or (m, k), with sum_i c_i = 0. As 2 k(x, z) = k(x, x) + k(z, z) - D(x, z)
    with a D that no translation changes, it is half the sum of c_i (k(z_i + o, z_i + o) - k(z_i, z_i)). For the linear
    kernel this is <sum_i c_i z_i, o>, which loses no digits.
    """
    if kernel.is_linear:
        return (c.T @ Z) @ origin
    return 0.5 * (c.T @ (kernel.diag(Z + origin) - kernel.diag(Z)))


@dataclass(frozen=True)
class Rounding(Frozen):
    """The effect of rounding on margins y f, where f - b is a sum of terms as large as `size`.

    uncentred_size: the same for the returned alpha and b in the kernel itself, where f is evaluated with a centred
    kernel, or relative to an origin.
    """

    size: float
    uncentred_size: float

    @property
    def margin_unit(self) -> float:
        """Return the unit of a margin: 1, or the range of f where that is less."""
        return min(1.0, self.size) or 1.0

    @property
    def noise(self) -> float:
        """Return the round-off in f."""
        return max(LEAST_NOISE, ROUND_OFF * self.size)

    @property
    def excess_noise(self) -> float:
        """Return the round-off in y f - 1, to which b adds nothing where C is tiny."""
        return max(LEAST_NOISE * self.margin_unit, ROUND_OFF * self.size)

    @property
    def floor(self) -> float:
        """Return the smallest residual that is worth testing, in units of a margin."""
        return max(LEAST_FLOOR, self.excess_noise / self.margin_unit, ROUND_OFF * self.uncentred_size)


def largest_absolute_sum(kernel: Kernel, X: Array, c: Array, Z: Array) -> float:
    """Return max_j sum_i |c_i k(x_i, z_j)|, with |c_i| summed over its row where c is (m, k).

    eps times it is the round-off of a kernel expansion, whatever cancels in the sum.
    """
    c = np.abs(c) if c.ndim == 1 else np.abs(c).sum(1)
    width = max(1, TEMPORARY_ENTRIES // max(len(X), 1))
    blocks = (c @ np.abs(kernel(X, Z[j : j + width])) for j in range(0, len(Z), width))
    return max((float(b.max()) for b in blocks), default=0.0) if len(X) else 0.0
