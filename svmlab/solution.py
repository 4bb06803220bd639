"""A solved machine that judges itself: every number here is computed from alpha, b and the points."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from svmlab.arrays import Array, Mask, frozen
from svmlab.categories import Category, categorise
from svmlab.certificate import Certificate, judge
from svmlab.kernel import places
from svmlab.problem import Problem
from svmlab.solvers.gram import Gram

EPS = float(np.finfo(float).eps)
BLOCK = 1 << 19  # entries of a temporary


@dataclass(frozen=True, eq=False)
class Solution:
    """An optimum of `problem` with its dual.

    alpha: (m,) multipliers, for method "exact" the optimum of least norm. alpha_unique: whether it is the only one (None
    where the method does not know). b, and b_interval = (lo, hi) of all optimal b (equal ends where a free vector pins it).
    states: (m,) -1 for alpha = 0, 0 for free, +1 for alpha = C_i. status: what the solver did, in words.
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
    origin: Array | None = None  # linear kernel with bias: f(x) = <w, x - origin> + offset keeps its digits far from 0
    offset: float | None = None
    coef: Array | None = None  # of the kernel expansion where it is not y alpha: an indefinite kernel, clipped
    clipped: float | None = None  # the negative eigenvalue because of which the problem was changed
    rows: list[Gram] = field(default_factory=list, repr=False)  # the Gram matrix, until the next solution takes it over

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
        """sum_i alpha_i y_i phi(x_i) where the feature space is finite, else None."""
        if self.explicit_w is not None:
            return self.explicit_w
        kernel, X = self.problem.kernel, self.problem.data.X
        if not kernel.psd or kernel.feature_dim(X.shape[1]) is None:
            return None
        if self.origin is not None:
            X = X - self.origin
        s = self.support
        return frozen(self.expansion[s] @ kernel.feature_map(X[s]))

    @cached_property
    def norm_w(self) -> float:
        """|w| in feature space: from w where it is explicit, else sqrt(alpha'Q alpha); 0 where f is flat to rounding."""
        if self.flat:
            return 0.0
        if self.w is not None:
            return float(np.linalg.norm(self.w))
        return math.sqrt(max(self._quadratic, 0.0))

    @cached_property
    def flat(self) -> bool:
        """Whether w = 0: f - b differs on no point by more than its rounding (w lies in the span of those differences)."""
        f = self._own - self.b
        spread = float(np.ptp(f)) if self.problem.bias else float(np.abs(f).max())
        return spread <= self.noise

    @cached_property
    def margins(self) -> Array:
        """y_i f(x_i), shape (m,)."""
        return frozen(self.problem.data.y * (self.b if self.flat else self._own))

    @cached_property
    def xi(self) -> Array:
        """max(0, 1 - y_i f(x_i)), shape (m,): the slack in functional units; the distance is xi / |w| (S12).

        A shortfall that the rounding of f explains is 0: C_i times it would count as a loss.
        """
        short = 1.0 - self.margins
        return frozen(np.where(short > self.noise, short, 0.0))

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
        return float(self.alpha.sum()) - 0.5 * self._quadratic

    @property
    def gap(self) -> float:
        """(P - D) / max(P, |D|), 0 where both vanish."""
        scale = max(self.objective, abs(self.dual_objective))
        return (self.objective - self.dual_objective) / scale if scale else 0.0

    @cached_property
    def noise(self) -> float:
        """The round-off in f, in margin units: 4 eps max_j sum_i alpha_i |K_ij|, at least 16 eps."""
        s = self._terms
        if not s.any():
            return 16 * EPS
        V, Z, c = self._centred(self.problem.data.X[s]), self._centred(self.problem.data.X), np.abs(self.expansion[s])
        width = max(1, BLOCK // len(V))
        blocks = (c @ np.abs(self.problem.kernel(V, Z[j : j + width])) for j in range(0, len(Z), width))
        return max(16 * EPS, 4 * EPS * max(float(b.max()) for b in blocks))

    @property
    def floor(self) -> float:
        """The smallest residual worth asking for: max(1e-9, noise), in margin units."""
        return max(1e-9, self.noise)

    @cached_property
    def proven(self) -> bool:
        """Whether its certificate holds at its floor, whatever the method; for a clipped kernel, of the clipped problem."""
        return self.certificate.is_optimal()

    @cached_property
    def certificate(self) -> Certificate:
        """The conditions of optimality, checked from alpha, b, w and the points alone."""
        problem, X = self.problem, self.problem.data.X
        kappa = float(np.abs(problem.kernel.diag(self._centred(X))).max(initial=0.0)) or 1.0
        apart = 0.0
        if self.explicit_w is not None:
            Phi = problem.kernel.feature_map(X)
            apart = float(np.abs(Phi @ (self.explicit_w - (self.alpha * problem.data.y) @ Phi)).max())
        return judge(problem, self.alpha, self.margins, self.xi, self.gap, self.floor, kappa, apart)

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """Where each point stands."""
        return categorise(self.margins, self.free, self.at_bound, max(self.tolerance, self.floor))

    @property
    def tolerance(self) -> float:
        """How far a margin may be from 1 and count as 1: round-off for "exact", 1e-5 for an interior point alone."""
        return 1e-9 if self.status.startswith("exact") else 1e-5

    def decision(self, Z: Array) -> Array:
        """f(z) = sum_i alpha_i y_i k(x_i, z) + b for each row of Z (k, d), shape (k,). Raises BadInput for another shape."""
        Z = places(Z, self.problem.data.d)
        return np.full(len(Z), self.b) if self.flat else self._f(Z)

    @cached_property
    def _own(self) -> Array:
        """sum_i alpha_i y_i k(x_i, x) + b at the points themselves, flat or not."""
        return self._f(self.problem.data.X)

    def _f(self, Z: Array) -> Array:
        if self.w is not None:  # alpha of opposite twins cancels in w, before it meets a large k
            phi = self.problem.kernel.feature_map(self._centred(Z))
            return phi @ self.w + (self.b if self.offset is None else self.offset)
        X, c = self._carriers
        return c @ self.problem.kernel(X, Z) + self.b

    def field(self, Z: Array) -> tuple[Array, Array]:
        """F (k,) and its gradient (k, d) at each row of Z (k, d), for little more than one of them. Raises BadInput."""
        if self.w is not None or self.flat:
            return self.decision(Z), self.gradient(Z)
        f, g = self.problem.kernel.field(*self._carriers, Z)
        return f + self.b, g

    def gradient(self, Z: Array) -> Array:
        """The gradient of f at each row of Z (k, d), shape (k, d). Raises BadInput for another shape."""
        return self.problem.kernel.gradient(*self._carriers, Z)

    @cached_property
    def expansion(self) -> Array:
        """The c (m,) with f(x) = sum_i c_i k(x_i, x) + b: y_i alpha_i, but for a clipped kernel."""
        return self.alpha * self.problem.data.y if self.coef is None else self.coef

    @property
    def _terms(self) -> Mask:
        return self.support if self.coef is None else self.coef != 0

    @cached_property
    def _carriers(self) -> tuple[Array, Array]:
        return self.problem.data.X[self._terms], self.expansion[self._terms]

    @cached_property
    def _quadratic(self) -> float:
        if self.w is not None and self.explicit_w is None:
            return float(self.w @ self.w)  # the same number with half the cancellation, and no m x m matrix
        s = self._terms
        X = self._centred(self.problem.data.X[s])
        c = self.expansion[s]
        return float(c @ self.problem.kernel(X, X) @ c)

    def _centred(self, X: Array) -> Array:
        return X if self.origin is None else X - self.origin


def certify(solution: Solution) -> Certificate:
    """Check `solution` against the conditions of optimality, from its alpha, b, w and the points alone."""
    return solution.certificate
