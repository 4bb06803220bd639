"""The solved joint machine that judges itself: every number here is computed from beta, b and the points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from svmlab.binary.categories import Category, categorise
from svmlab.binary.kkt import Certificate
from svmlab.core.arrays import EPS, Array, Frozen, Mask, brief, frozen
from svmlab.core.validate import validated
from svmlab.kernels.base import as_points
from svmlab.multiclass.classes import has_tie, predict_largest
from svmlab.multiclass.problem import Several


@dataclass(frozen=True, eq=False)
class Joint(Frozen):
    """An optimum of the joint machine of `problem` with its dual; classes in the order of `problem.data.classes`.

    beta: (m, k) coefficients, w_k = sum_i beta_ik phi(x_i), of the point's own class in [0, C], of the others not above
    0, with sum 0: minus the multiplier of f_{y_i} - f_k >= 1 - xi_i; the optimum of least norm. beta_unique: whether it
    is the only one (None where that is not known). b: (k,), with sum 0. b_interval: lo and hi (k,) of each b_k over all
    optimal b with sum 0.
    """

    problem: Several
    beta: Array
    b: Array
    b_interval: tuple[Array, Array]
    beta_unique: bool | None
    origin: Array | None = None  # linear kernel with bias: f(x) = W (x - origin) + offset keeps its digits far from 0
    offset: Array | None = None

    def __repr__(self) -> str:
        return brief(self, **self.problem.facts, support=int(self.support.sum()), at_bound=int(self.at_bound.sum()))

    @property
    def classes(self) -> tuple[int, ...]:
        """The classes, in order."""
        return self.problem.data.classes

    @cached_property
    def own(self) -> Array:
        """1 where k is the class of the point, else 0, shape (m, k)."""
        return frozen(np.eye(len(self.classes))[self.problem.data.class_index])

    @cached_property
    def W(self) -> Array | None:
        """w_k in its rows, shape (k, D), where the feature map can be written down, else None."""
        kernel = self.problem.kernel
        if not kernel.has_short_feature_map(self.problem.data.d):
            return None
        return frozen(self.beta.T @ kernel.feature_map(self._points))

    @cached_property
    def norms(self) -> Array:
        """|w_k| in feature space, shape (k,)."""
        return frozen(np.sqrt(np.maximum(self._squares, 0.0)))

    @validated
    def decision(self, Z: Array) -> Array:
        """f_k(z) = sum_i beta_ik k(x_i, z) + b_k for each row of Z (n, d), shape (n, k). Raises BadInput for another
        shape.
        """
        return self._f(self._centred(as_points(Z, self.problem.data.d)))

    @validated
    def predict(self, Z: Array) -> Array:
        """The class with the largest f for each row of Z (n, d), shape (n,); of those that tie the first."""
        return predict_largest(self.decision(Z), self.classes, self.noise)

    @validated
    def tied(self, Z: Array) -> Mask:
        """Whether a second f is as large, up to the round-off of f, for each row of Z (n, d), shape (n,)."""
        return has_tie(self.decision(Z), self.noise)

    @cached_property
    def margins(self) -> Array:
        """f_{y_i}(x_i) less the largest f_k(x_i) of another class, shape (m,); inf where there is no other class."""
        f = self._own
        rival = np.where(self.own > 0, -np.inf, f).max(1)
        return frozen((f * self.own).sum(1) - rival)

    @cached_property
    def xi(self) -> Array:
        """max(0, 1 - margin), shape (m,); a shortfall that the rounding of f explains is 0."""
        short = 1.0 - self.margins
        return frozen(np.where(short > self.noise, short, 0.0))

    @cached_property
    def multiplier_sum(self) -> Array:
        """The coefficient of each point in its own class, from 0 to C: the sum of its multipliers, shape (m,)."""
        return frozen((self.beta * self.own).sum(1))

    @property
    def support(self) -> Mask:
        """Whose beta is not 0, shape (m,)."""
        return self.multiplier_sum > 0

    @property
    def at_bound(self) -> Mask:
        """Whose multipliers add up to C, shape (m,)."""
        return self.multiplier_sum >= self.problem.C

    @property
    def free(self) -> Mask:
        """Whose multipliers add up to more than 0 and less than C, shape (m,)."""
        return self.support & ~self.at_bound

    @cached_property
    def objective(self) -> float:
        """P = 1/2 sum_k |w_k|^2 + C sum xi."""
        return 0.5 * float(self._squares.sum()) + self.problem.C * float(self.xi.sum())

    @cached_property
    def dual_objective(self) -> float:
        """D = sum_i beta_{i y_i} - 1/2 sum_k beta_k'K beta_k."""
        return float(self.multiplier_sum.sum()) - 0.5 * float(self._squares.sum())

    @property
    def gap(self) -> float:
        """(P - D) / max(P, |D|), 0 where both vanish."""
        scale = max(self.objective, abs(self.dual_objective))
        return (self.objective - self.dual_objective) / scale if scale else 0.0

    @cached_property
    def noise(self) -> float:
        """The round-off in a difference of two f: 8 eps max_i sum_jk |K_ij beta_jk|, at least 16 eps."""
        s = self.support
        size = np.abs(self.problem.kernel(self._points, self._points[s])) @ np.abs(self.beta[s]).sum(1)
        return max(16 * EPS, 8 * EPS * float(size.max(initial=0.0)))

    @property
    def floor(self) -> float:
        """The smallest residual worth asking for: max(1e-9, noise), in margin units."""
        return max(1e-9, self.noise)

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """Where each point stands, its margin to the runner-up in place of yf and its load in place of alpha."""
        return categorise(self.margins, self.margins - 1, self.free, self.at_bound, self.floor, self.floor)

    @cached_property
    def certificate(self) -> Certificate:
        """The conditions of optimality, checked from beta, b and the points alone.

        stationarity: max_k |sum_i beta_ik| over the sum of all loads (with bias). dual_feasibility: how far a
        multiplier leaves its bounds, or the coefficients of a point do not add up to 0, relative to the largest.
        complementarity: of each constraint min(its multiplier p_ik = C [k = y_i] - beta_ik times max k(x, x), how far
        it is from holding), in margin units.
        """
        C, f = self.problem.C, self._own
        loads, largest_load = (
            float(self.multiplier_sum.sum()) or 1.0,
            float(self.multiplier_sum.max(initial=0.0)) or 1.0,
        )
        uneven = float(np.abs(self.beta.sum(0)).max()) / loads if self.problem.bias else 0.0
        p = C * self.own - self.beta
        outside = max(float((-p).max()), float(np.abs(self.beta.sum(1)).max()))
        level = f + 1.0 - self.own
        slack = (self.own * f).sum(1)[:, None] + self.xi[:, None] - level
        kappa = float(np.abs(self.problem.kernel.diag(self._points)).max()) or 1.0
        return Certificate(
            uneven,
            float(np.max(-slack, initial=0.0)),
            max(outside, 0.0) / largest_load,
            float(np.minimum(kappa * np.maximum(p, 0.0), np.abs(slack)).max()),
            self.gap,
            self.floor,
        )

    @property
    def proven(self) -> bool:
        """Whether its certificate holds at its floor."""
        return self.certificate.is_optimal()

    @cached_property
    def _points(self) -> Array:
        return self._centred(self.problem.data.X)

    @cached_property
    def _own(self) -> Array:
        """F at the points themselves, shape (m, k)."""
        return self._f(self._points)

    @cached_property
    def _squares(self) -> Array:
        """|w_k|^2, shape (k,)."""
        if self.W is not None:
            return np.asarray((self.W * self.W).sum(1))
        s = self.support
        return np.asarray(
            (self.beta[s] * (self.problem.kernel(self._points[s], self._points[s]) @ self.beta[s])).sum(0)
        )

    def _f(self, Z: Array) -> Array:
        b = self.b if self.offset is None else self.offset
        if self.W is not None:
            return np.asarray(self.problem.kernel.feature_map(Z) @ self.W.T + b)
        s = self.support
        return np.asarray(self.problem.kernel(Z, self._points[s]) @ self.beta[s] + b)

    def _centred(self, X: Array) -> Array:
        return X if self.origin is None else X - self.origin
