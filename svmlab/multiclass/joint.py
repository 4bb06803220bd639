"""A solution of the joint SVM, whose numbers are all computed from beta, b and the points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from svmlab.binary.categories import Category, categorise
from svmlab.binary.expansion import Evaluation, KernelSolution
from svmlab.binary.kkt import Certificate
from svmlab.core.arrays import EPS, Array, frozen, short_repr
from svmlab.core.tolerances import LEAST_FLOOR
from svmlab.multiclass.classes import ArgmaxPrediction
from svmlab.multiclass.problem import MulticlassProblem


@dataclass(frozen=True, eq=False)
class JointSolution(KernelSolution, ArgmaxPrediction):
    """An optimum of the joint SVM of `problem` with its dual; classes in the order of `problem.data.classes`.

    beta: (m, k) coefficients with w_k = sum_i beta_ik phi(x_i), the optimum of least norm. The coefficient of the
    point's own class is in [0, C_i]. Those of the others are at most 0: minus the multipliers of
    f_{y_i} - f_k >= 1 - xi_i. They sum to 0. beta_unique: whether it is the only optimum (None if unknown). b: (k,),
    with sum 0. b_interval: lo and hi (k,) of each b_k over all optimal b with sum 0.
    states: (m,) of the coefficient of the point's own class: -1 at 0, 0 free, +1 at C_i. status: a text about the run
    of the solver.
    """

    problem: MulticlassProblem
    beta: Array
    b: Array
    b_interval: tuple[Array, Array]
    beta_unique: bool | None
    states: NDArray[np.int8]
    evaluation: Evaluation = Evaluation()  # how f keeps its digits
    status: str = "exact"

    def __repr__(self) -> str:
        return short_repr(
            self, **self.problem.facts, support=int(self.support.sum()), at_bound=int(self.at_bound.sum())
        )

    @property
    def classes(self) -> tuple[int, ...]:
        """The classes in ascending order."""
        return self.problem.data.classes

    @cached_property
    def class_indicator(self) -> Array:
        """A matrix that is 1 where k is the class of the point, else 0, shape (m, k)."""
        return frozen(np.eye(len(self.classes))[self.problem.data.class_index])

    @property
    def coefficients(self) -> Array:
        """The coefficients of f, which are `beta`."""
        return self.beta

    @property
    def W(self) -> Array | None:
        """The w_k in its rows, shape (k, D), if the feature map can be written down, else None."""
        return self.function.w

    @cached_property
    def norms(self) -> Array:
        """The norms |w_k| in feature space, shape (k,)."""
        return frozen(np.sqrt(np.maximum(self.function.squared_norm, 0.0)))

    @cached_property
    def margins(self) -> Array:
        """The margins f_{y_i}(x_i) minus the largest f_k(x_i) of another class, (m,); inf without another class."""
        f = self._f_at_points
        rival = np.where(self.class_indicator > 0, -np.inf, f).max(1)
        return frozen((f * self.class_indicator).sum(1) - rival)

    @cached_property
    def xi(self) -> Array:
        """The slacks max(0, 1 - margin), shape (m,); a shortfall that the rounding of f explains is 0."""
        shortfall = 1.0 - self.margins
        return frozen(np.where(shortfall > self.noise, shortfall, 0.0))

    @cached_property
    def multiplier_sum(self) -> Array:
        """The coefficient of each point in its own class, the sum of its multipliers in [0, C_i], shape (m,)."""
        return frozen((self.beta * self.class_indicator).sum(1))

    @cached_property
    def objective(self) -> float:
        """The primal objective P = 1/2 sum_k |w_k|^2 + sum_i C_i xi_i."""
        return 0.5 * self._squared_norm + float(self.problem.bounds @ self.xi)

    @cached_property
    def dual_objective(self) -> float:
        """The dual objective D = sum_i beta_{i y_i} - 1/2 sum_k beta_k'K beta_k."""
        return float(self.multiplier_sum.sum()) - 0.5 * self._squared_norm

    @cached_property
    def noise(self) -> float:
        """The rounding error of a difference of two f: 8 eps max_i sum_jk |K_ij beta_jk|, at least 16 eps."""
        return max(16 * EPS, 8 * EPS * self.function.size)

    @property
    def floor(self) -> float:
        """The smallest residual that can be required: max(1e-9, noise), in units of the functional margin."""
        return max(LEAST_FLOOR, self.noise)

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """The category of each point, with its margin for y f and the sum of its multipliers for alpha."""
        return categorise(self.margins, self.margins - 1, self.free, self.at_bound, self.floor, self.floor)

    @cached_property
    def certificate(self) -> Certificate:
        """The optimality conditions, checked from beta, b and the points alone.

        stationarity: max_k |sum_i beta_ik| over the sum of all multipliers (with bias). dual_feasibility: by how much a
        multiplier leaves its bounds, or the coefficients of a point fail to sum to 0, relative to the largest.
        complementarity: for each constraint the minimum of its multiplier p_ik = C_i [k = y_i] - beta_ik times
        max k(x, x) and of its slack, in units of the functional margin.
        """
        C, f = self.problem.bounds[:, None], self._f_at_points
        multiplier_total, largest_multiplier_sum = (
            float(self.multiplier_sum.sum()) or 1.0,
            float(self.multiplier_sum.max(initial=0.0)) or 1.0,
        )
        imbalance = float(np.abs(self.beta.sum(0)).max()) / multiplier_total if self.problem.bias else 0.0
        p = C * self.class_indicator - self.beta
        outside = max(float((-p).max()), float(np.abs(self.beta.sum(1)).max()))
        level = f + 1.0 - self.class_indicator
        slack = (self.class_indicator * f).sum(1)[:, None] + self.xi[:, None] - level
        kappa = float(np.abs(self.function.diagonal()).max()) or 1.0
        return Certificate(
            imbalance,
            float(np.max(-slack, initial=0.0)),
            max(outside, 0.0) / largest_multiplier_sum,
            float(np.minimum(kappa * np.maximum(p, 0.0), np.abs(slack)).max()),
            self.gap,
            self.floor,
        )

    @cached_property
    def _f_at_points(self) -> Array:
        """The values of f at the points themselves, shape (m, k)."""
        return frozen(self._expansion_at_points + self.function.constant)
