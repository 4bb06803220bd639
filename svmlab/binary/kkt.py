"""The optimality conditions of a solution, each as one number (H4, S6)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.binary.advice import PRECISE
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array, brief
from svmlab.core.rules import NotNegative
from svmlab.core.validate import validated


@dataclass(frozen=True)
class Certificate:
    """Residuals of the KKT conditions; 0 is perfect.

    stationarity: |y'alpha| over sum alpha (with bias) and max_i |<w - sum alpha_j y_j phi_j, phi(x_i)>| where w was
    found by itself. primal_feasibility: max (1 - yf - xi)_+ and, for the hard margin, max (1 - yf)_+. dual_feasibility:
    how far alpha_i leaves [0, C_i], relative to its largest. complementarity: max_i |a_i - clip(a_i - (yf_i - 1), 0,
    kappa C_i)| with a = kappa alpha, kappa = max k(x, x): min(how far from the bound, how far from the margin), in
    margin units. gap: relative duality gap. floor: what round-off alone explains, in margin units. Where f varies by
    less than 1, as for tiny C, that much is the unit of a margin.
    """

    stationarity: float
    primal_feasibility: float
    dual_feasibility: float
    complementarity: float
    gap: float
    floor: float

    def __repr__(self) -> str:
        return brief(self, **{name: float(f"{value:.2g}") for name, value in vars(self).items()})

    @validated
    def is_optimal(self, eps: NotNegative | None = None) -> bool:
        """Every residual and the gap at most eps; where it is left out, at most the floor, and that no more than
        PRECISE.
        """
        if eps is None and not self.floor <= PRECISE:
            return False
        limit = self.floor if eps is None else eps
        residuals = (
            self.stationarity,
            self.primal_feasibility,
            self.dual_feasibility,
            self.complementarity,
            abs(self.gap),
        )
        return all(math.isfinite(r) and r <= limit for r in residuals)


def kkt_certificate(
    problem: Problem,
    alpha: Array,
    beyond: Array,
    xi: Array,
    gap: float,
    floor: float,
    kappa: float,
    unit: float,
    apart: float = 0.0,
) -> Certificate:
    """The certificate of alpha (m,) with its y f - 1 (m,), slacks xi (m,) and relative gap.

    kappa: the largest |k(x, x)|. unit: of a margin. apart: how far the values of a w that was found by itself are from
    those of alpha.
    """
    y = problem.data.y
    stationarity = abs(float(y @ alpha)) / (float(alpha.sum()) or 1.0) if problem.bias else 0.0
    slack = np.zeros(len(y)) if problem.hard else xi
    outside = np.maximum(-alpha, alpha - problem.bounds)
    a = kappa * alpha
    complementarity = np.abs(a - np.clip(a - beyond, 0.0, kappa * problem.bounds))
    return Certificate(
        max(stationarity, apart / unit),
        float(np.max(-beyond - slack, initial=0.0)) / unit,
        float(np.max(outside, initial=0.0)) / (float(alpha.max(initial=0.0)) or 1.0),
        float(complementarity.max(initial=0.0)) / unit,
        gap,
        floor,
    )
