"""Pegasos on one board, in the feature space of its kernel: a short run, the same run by hand, and the optimum."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Index, Mask, frozen
from svmlab.data import Dataset
from svmlab.kernels.standard import Linear
from svmlab.pegasos import PegasosRun, RecordedSteps, draws, objective, pegasos, replay
from svmlab.pegasos.rates import steps_for_bound

STEPS, RUNS, SHORT = 400, 60, 200
RATE_STEPS, RATE_RUNS = 20_000, 12  # so many steps that the rates can be distinguished
LONG_RUNS, WORK = 6, 12 * 10**6  # runs so long that the bound is informative, with at most WORK updated entries of w
TIE = 1e-9  # if a margin is this near to 1, rounding may decide either way


@dataclass(frozen=True, eq=False)
class StepsByHand:
    """T steps written out: w (T+1, D) from w_1 on, the update v (T, D) of each step, and its gradient (T, D)."""

    w: Array
    v: Array
    gradient: Array


@dataclass(frozen=True, eq=False)
class PegasosRuns:
    """Pegasos without bias for (lam/2) |w|^2 + mean hinge on `data`, the points in feature space."""

    data: Dataset
    lam: float

    @cached_property
    def X(self) -> float:
        """Return max_i |x_i|, from the inner products."""
        return float(np.sqrt((self.data.X**2).sum(1).max()))

    @cached_property
    def optimum(self) -> Solution:
        """Return the exact optimum without bias."""
        return solve(Problem.from_lambda(self.data, Linear(), self.lam, bias=False))

    @cached_property
    def w(self) -> Array:
        """Return w*."""
        return frozen(np.asarray((self.optimum.alpha * self.data.y) @ self.data.X))

    @cached_property
    def min_objective(self) -> float:
        """Return F(w*)."""
        return self.lam * self.optimum.objective

    @cached_property
    def run(self) -> PegasosRun:
        """Return one run of STEPS steps."""
        return pegasos(self.data, self.lam, STEPS)

    @cached_property
    def many_runs(self) -> PegasosRun:
        """Return RUNS runs of SHORT steps."""
        return pegasos(self.data, self.lam, SHORT, RUNS, seed=1)

    @cached_property
    def far_runs(self) -> PegasosRun:
        """Return RATE_RUNS runs of RATE_STEPS steps, or 2 runs in more than 100 dimensions."""
        return pegasos(self.data, self.lam, RATE_STEPS, RATE_RUNS if self.data.d <= 100 else 2, seed=4)

    @cached_property
    def promised_steps(self) -> int | None:
        """Return the smallest T for which the bound of P7 is a quarter of F(0) - F(w*), or None if there is none.

        Long before that T the bound is not informative.
        """
        return (
            steps_for_bound(self.X, self.lam, (1.0 - self.min_objective) / 4)
            if self.X > 0 and self.min_objective < 1.0
            else None
        )

    @cached_property
    def long_runs(self) -> PegasosRun | None:
        """Return LONG_RUNS runs of `promised_steps` steps, or None if they would take seconds."""
        T = self.promised_steps
        if T is None or T * LONG_RUNS * self.data.d > WORK:
            return None
        return pegasos(self.data, self.lam, T, LONG_RUNS, seed=3)

    @cached_property
    def steps(self) -> RecordedSteps:
        """Return every step of `run`, as the engine makes them: w_t from the running sum of the updates."""
        return replay(self.run, 0, 1, STEPS + 1)

    @cached_property
    def drawn(self) -> Index:
        """Return the rows that `run` draws."""
        return draws(self.data.m, self.run.seed, 0, 0, STEPS)

    @cached_property
    def ties(self) -> Mask:
        """Return the steps whose margin is 1 up to rounding, so that two ways to compute it may decide differently."""
        return np.abs(self.steps.margin[:, 0] - 1.0) < TIE * max(1.0, self.X * self.X / self.lam)

    @cached_property
    def by_hand(self) -> StepsByHand:
        """Return the same steps by hand: w - (1/(lam t)) (lam w - v). At a tie the decision of the engine is used."""
        lam, z = self.lam, self.data.y[self.drawn, None] * self.data.X[self.drawn]
        w, v, gradient = np.zeros((STEPS + 1, self.data.d)), np.zeros_like(z), np.zeros_like(z)
        for t in range(1, STEPS + 1):
            current = w[t - 1]
            if self.steps.violates[t - 1, 0] if self.ties[t - 1] else current @ z[t - 1] < 1.0:
                v[t - 1] = z[t - 1]
            gradient[t - 1] = lam * current - v[t - 1]
            w[t] = current - gradient[t - 1] / (lam * t)
        return StepsByHand(frozen(w), frozen(v), frozen(gradient))

    @property
    def unit(self) -> float:
        """Return X/lam, the unit of lengths of w, which is the largest length that Pegasos can reach."""
        return (self.X or 1.0) / self.lam

    @property
    def loss_unit(self) -> float:
        """Return the unit of losses: the largest loss that one step can meet, and at least 1."""
        return max(1.0, self.X * self.X / self.lam)

    def F(self, w: Array) -> Array:
        """Return the objective at each w (..., D)."""
        return objective(self.data, self.lam, w)
