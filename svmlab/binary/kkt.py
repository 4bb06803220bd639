"""The optimality conditions of a solution, each as one number (H4, S6)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array, short_repr
from svmlab.core.rules import NotNegative
from svmlab.core.tolerances import MAX_PROVABLE_FLOOR
from svmlab.core.validate import validated


@dataclass(frozen=True)
class Certificate:
    """The residuals of the KKT conditions; each is 0 at an exact optimum.

    stationarity: |y'alpha| over sum alpha (with bias), and max_i |<w - sum alpha_j y_j phi_j, phi(x_i)>| where w was
    computed directly. primal_feasibility: max (1 - yf - xi)_+ and, for the hard margin, max (1 - yf)_+.
    dual_feasibility: the largest distance of an alpha_i from [0, C_i], relative to the largest alpha_i.
    complementarity: max_i |a_i - clip(a_i - (yf_i - 1), 0, kappa C_i)| with a = kappa alpha, kappa = max k(x, x); this
    is min(distance from the bound, distance from the margin), in margin units. gap: the relative duality gap. floor:
    what round-off alone explains, in margin units. Where f varies by less than 1, as for tiny C, the range of f is the
    unit of a margin.
    """

    stationarity: float
    primal_feasibility: float
    dual_feasibility: float
    complementarity: float
    gap: float
    floor: float

    def __repr__(self) -> str:
        return short_repr(self, **{name: float(f"{value:.2g}") for name, value in vars(self).items()})

    @validated
    def is_optimal(self, eps: NotNegative | None = None) -> bool:
        """Return whether every residual and the absolute gap are at most eps.

        Without eps they must be at most the floor, and the floor at most MAX_PROVABLE_FLOOR.
        """
        if eps is None and not self.floor <= MAX_PROVABLE_FLOOR:
            return False
        largest = self.largest_residual
        return math.isfinite(largest) and largest <= (self.floor if eps is None else eps)

    @property
    def largest_residual(self) -> float:
        """Return the largest residual or absolute gap, or inf where one of them is no number."""
        residuals = self.stationarity, self.primal_feasibility, self.dual_feasibility, self.complementarity, self.gap
        return max(math.inf if math.isnan(r) else abs(r) for r in residuals)


def kkt_certificate(
    problem: Problem,
    alpha: Array,
    margin_excess: Array,
    xi: Array,
    gap: float,
    floor: float,
    kappa: float,
    unit: float,
    error_of_explicit_w: float = 0.0,
) -> Certificate:
    """Return the certificate of alpha (m,) with its slacks xi (m,) and its relative gap.

    margin_excess: y f - 1 (m,). kappa: the largest |k(x, x)|. unit: the unit of a margin. error_of_explicit_w: the
    largest difference between the values of a w that was computed directly and the values that alpha gives.
    """
    y = problem.data.y
    stationarity = abs(float(y @ alpha)) / (float(alpha.sum()) or 1.0) if problem.bias else 0.0
    slack = np.zeros(len(y)) if problem.hard else xi
    outside = np.maximum(-alpha, alpha - problem.bounds)
    a = kappa * alpha
    complementarity = np.abs(a - np.clip(a - margin_excess, 0.0, kappa * problem.bounds))
    return Certificate(
        max(stationarity, error_of_explicit_w / unit),
        float(np.max(-margin_excess - slack, initial=0.0)) / unit,
        float(np.max(outside, initial=0.0)) / (float(alpha.max(initial=0.0)) or 1.0),
        float(complementarity.max(initial=0.0)) / unit,
        gap,
        floor,
    )
