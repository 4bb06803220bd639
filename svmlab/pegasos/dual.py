"""A bound on the distance of a run from the least F without w*, by a dual point; and dual coordinate ascent.

    lam D(alpha) <= F(w*) <= F(w)
    D(alpha) = sum alpha - 1/2 |sum_i alpha_i y_i phi(x_i)|^2,   0 <= alpha_i <= C = 1/(lam m)

Without bias the box is the only constraint on alpha, so F(w) - lam D(alpha) is never below F(w) - F(w*). Pegasos has
w_t = (1/c_t) sum_i n_i y_i phi(x_i) if x_i was added n_i times, which gives alpha_i = min(C, n_i/c_t). Dual coordinate
ascent (SDCA) sets the alpha_i of a drawn point to its optimum in the box: alpha_i + (1 - y_i f_i)/k(x_i, x_i), clipped.
Source: Shalev-Shwartz and Zhang, Stochastic dual coordinate ascent methods for regularized loss minimization (JMLR 14,
2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, frozen, short_repr
from svmlab.core.rules import Seed, Shape
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Linear
from svmlab.pegasos.kernel_run import KernelRun
from svmlab.pegasos.sampling import draws
from svmlab.pegasos.step_rule import Progress, Rule, Steps, check_points, checkpoints

REPORT_STEPS = 2000  # number of steps between two reports of progress


@dataclass(frozen=True, eq=False)
class DualAscentRun(Frozen):
    """Dual coordinate ascent after t (k,) steps: alpha (k, m), F (k,) at the w of alpha, dual (k,) = lam D(alpha)."""

    t: Index
    alpha: Array
    F: Array
    dual: Array

    def __repr__(self) -> str:
        return short_repr(self, **vars(self))

    @property
    def certificate(self) -> Array:
        """An upper bound of F minus its least value, (k,)."""
        return self.F - self.dual


@validated
def dual_value(lam: float, K: Array, y: Annotated[Array, Shape("m")], alpha: Array) -> Array:
    """Return lam D at each alpha (..., m) for kernel values K (m, m) and labels y (m,), shape (...)."""
    m = len(y)
    K, signed = Shape(m, m)("K", K), Shape(..., m)("alpha", alpha) * y
    return lam * (alpha.sum(-1) - 0.5 * ((signed @ K) * signed).sum(-1))


@validated
def dual_coefficients(run: KernelRun) -> Array:
    """Return how often each point was added over c_t, (runs, k, m): the alpha of w_t, which may leave the box."""
    return np.abs(run.beta) / run.rule.divisor(run.t)[:, None]


@validated
def certificate(run: KernelRun) -> Array:
    """Return F(average) - lam D(the counts clipped to the box), (runs, k), for mu = sigma (`Rule`).

    It is never below the gap of the average.
    """
    alpha = np.minimum(dual_coefficients(run), 1.0 / (run.lam * run.data.m))
    return run.average - dual_value(run.lam, run.kernel(run.data.X, run.data.X), run.data.y, alpha)


@validated
def dual_coordinate_ascent(
    data: Dataset,
    lam: float,
    T: Steps,
    kernel: Kernel = Linear(),
    seed: Seed = 0,
    on_progress: Progress | None = None,
) -> DualAscentRun:
    """Make T steps from alpha = 0 with the draws of `pegasos`, each O(m). Raises BadInput, which names the argument."""
    lam = Rule(lam).lam
    check_points(data)
    K, y, C = kernel(data.X, data.X), data.y, 1.0 / (lam * data.m)
    t_at, signs, diagonal = checkpoints(T), data.y.tolist(), np.diag(K).tolist()
    alpha, f = np.zeros(data.m), np.zeros(data.m)
    kept = np.zeros((len(t_at), data.m))
    k = 0
    for t, i in enumerate(draws(data.m, seed, 0, 0, T).tolist(), 1):
        rise, old = 1.0 - signs[i] * float(f[i]), float(alpha[i])
        best = old + rise / diagonal[i] if diagonal[i] > 0 else C
        new = min(max(best, 0.0), C)
        if new != old:
            alpha[i] = new
            f += (new - old) * signs[i] * K[i]
        if t == t_at[k]:
            kept[k] = alpha
            k += 1
        if on_progress is not None and (t % REPORT_STEPS == 0 or t == T):
            on_progress(t / T)
    signed = kept * y
    values = signed @ K
    F = np.maximum(0.0, 1.0 - y * values).mean(-1) + 0.5 * lam * (values * signed).sum(-1)
    return DualAscentRun(frozen(t_at, np.intp), frozen(kept), frozen(F), frozen(dual_value(lam, K, y, kept)))
