"""The optimality conditions of a solution, each as one number (H4, S6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from svmlab.arrays import Array

if TYPE_CHECKING:
    from svmlab.solution import Solution


@dataclass(frozen=True)
class Certificate:
    """Residuals of the KKT conditions; 0 is perfect.

    stationarity: |y'alpha| over sum alpha (with bias) and max_i |<w - sum alpha_j y_j phi_j, phi(x_i)>| where w was found
    by itself. primal_feasibility: max (1 - yf - xi)_+ and, for the hard margin, max (1 - yf)_+. dual_feasibility: how far
    alpha leaves [0, C], relative to its largest. complementarity: max_i |a_i - clip(a_i - (yf_i - 1), 0, C')| with
    a = kappa alpha, kappa = max k(x, x): min(how far from the bound, how far from the margin), in margin units.
    gap: relative duality gap. floor: what round-off alone explains, in margin units.
    """

    stationarity: float
    primal_feasibility: float
    dual_feasibility: float
    complementarity: float
    gap: float
    floor: float

    def is_optimal(self, eps: float | None = None) -> bool:
        """Every residual and the gap at most eps (the floor where left out)."""
        limit = self.floor if eps is None else eps
        residuals = (
            self.stationarity,
            self.primal_feasibility,
            self.dual_feasibility,
            self.complementarity,
            abs(self.gap),
        )
        return all(math.isfinite(r) and r <= limit for r in residuals)


def residuals(solution: Solution) -> Array:
    """The complementarity residual of each point, shape (m,), in margin units."""
    problem = solution.problem
    kappa = float(np.abs(problem.kernel.diag(solution._centred(problem.data.X))).max(initial=0.0)) or 1.0
    a = kappa * solution.alpha
    return np.abs(a - np.clip(a - (solution.margins - 1.0), 0.0, kappa * problem.C))


def certify(solution: Solution) -> Certificate:
    """Check `solution` against the conditions of optimality, from its alpha, b, w and the points alone."""
    problem, alpha, y = solution.problem, solution.alpha, solution.problem.data.y
    total = float(alpha.sum()) or 1.0
    stationarity = abs(float(y @ alpha)) / total if problem.bias else 0.0
    if solution.explicit_w is not None:
        Phi = problem.kernel.feature_map(problem.data.X)
        difference = solution.explicit_w - (alpha * y) @ Phi
        stationarity = max(stationarity, float(np.abs(Phi @ difference).max()))
    slack = np.zeros(len(y)) if problem.hard else solution.xi
    primal = float(np.max(1.0 - solution.margins - slack, initial=0.0))
    top = float(alpha.max(initial=0.0)) or 1.0
    outside = np.maximum(-alpha, alpha - problem.C)
    dual = float(np.max(outside, initial=0.0)) / top
    return Certificate(
        stationarity, max(primal, 0.0), dual, float(residuals(solution).max(initial=0.0)), solution.gap, solution.floor
    )
