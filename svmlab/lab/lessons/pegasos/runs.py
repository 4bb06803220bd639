"""Runs of Pegasos on the board, the minimiser without bias that they are compared with, and what they draw."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from svmlab import PegasosRun, Solution, pegasos
from svmlab.core.arrays import Array
from svmlab.lab.numbers import grouped, short
from svmlab.lab.teach.overlay import set_dials, stroke
from svmlab.lab.teach.requirements import LINEAR, SOFT, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Dial, Need, Pick, Try
from svmlab.lab.words import N_, _
from svmlab.plane.contours import line_through_origin

AWAY = Need(
    lambda stage: bool(stage.data.X.any()),
    N_("All points lie at the origin, so w stays 0. Move one of them."),
    {},
)
FEW = at_most(30)
IN_THE_PLANE = (SOFT, LINEAR, AWAY, FEW)  # what a run in w needs
ITERATES_FIT = Need(
    lambda stage: stage.lab.lam >= 0.04,
    N_("λ is so small that the first iterates do not fit on the board."),
    {"face": "lambda", "value": 0.5},
)
STEPS = Pick("T", N_("steps T"), (1_000, 10_000, 100_000), 10_000, lambda n: labelled_value("T", n, 1_000))
RUNS = Pick(
    "runs",
    N_("independent runs"),
    (1, 20),
    20,
    lambda n: _("1 run") if n == 1 else _("{n} runs").format(n=n),
    in_more=True,
)
OTHER_DRAWS = Try(N_("New draws"), lambda stage: set_dials(draws=seed(stage) + 1))
LONG = 10_000  # steps of the runs on the board, and after which the gaps are compared with those after a tenth of them
REPEATED = 20  # runs over which these gaps are averaged
MADE = Dial(
    "made", N_("Number of steps t of each run, as a power of 10"), "log₁₀ t", 0.0, 4.0, 0.05, start=4.0, after_show=True
)


@dataclass(frozen=True, eq=False)
class Compared:
    """Runs, and the minimiser without bias that they are compared with: F = F(w*)."""

    run: PegasosRun
    best: Solution

    @property
    def F(self) -> float:
        """Return the minimum of F."""
        return self.best.objective * self.run.lam

    @property
    def w(self) -> Array:
        """Return the minimiser w* (d,)."""
        assert self.best.w is not None
        return self.best.w

    def gaps(self, name: str) -> Array:
        """Return F - F(w*) of "last", "average" or "suffix", as a mean over the runs, (k,)."""
        values: Array = getattr(self.run, name)
        return values.mean(0) - self.F

    @property
    def distance(self) -> Array:
        """Return the distance between the average iterate and w*, as a mean over the runs, (k,)."""
        return np.sqrt(((self.run.averages - self.w) ** 2).sum(-1)).mean(0)


def labelled_value(name: str, value: float, first: float) -> str:
    """Return a value among buttons side by side, the first of which says what they are: T = 1 000."""
    number = grouped(int(value)) if value >= 1 else short(value)
    return f"{name} = {number}" if value == first else number


def seed(stage: Stage) -> int:
    """Return the seed of the random draws: the number of times that new ones were asked for."""
    return int(stage.dial("draws", 0.0)) % 1000


def optimum_without_bias(stage: Stage) -> Solution:
    """Return the exact solution without bias."""
    solution = stage.cache.outcome(replace(stage.lab, bias=False).problem).solution
    assert solution is not None, "with a soft margin there is a minimiser"
    return solution


def short_comparison(stage: Stage, steps: int, runs: int = 1) -> Compared:
    """Return short runs with the present draws, made at once and cached."""
    return _comparison(stage, steps, runs, seed(stage))


def fixed_comparison(stage: Stage, steps: int = LONG, runs: int = REPEATED) -> Compared:
    """Return runs whose draws do not depend on what was done in other steps."""
    return _comparison(stage, steps, runs, 0)


def _comparison(stage: Stage, steps: int, runs: int, draws: int) -> Compared:
    lab, optimum = stage.lab, optimum_without_bias(stage)
    return stage.cached(
        f"pegasos {steps} {runs} {draws}", lambda: Compared(pegasos(lab.data, lab.lam, steps, runs, draws), optimum)
    )


def picked_comparison(stage: Stage) -> Compared:
    """Return the runs of the STEPS and RUNS that are picked, with fixed draws. Raises Working until they are there."""
    lab, optimum = stage.lab, optimum_without_bias(stage)
    steps, runs = int(stage.pick("T")), int(stage.pick("runs"))
    return stage.background_result(
        ("pegasos", lab.data.key, lab.lam, steps, runs),
        lambda report: Compared(pegasos(lab.data, lab.lam, steps, runs, on_progress=report), optimum),
    )


def column(stage: Stage, run: PegasosRun) -> int:
    """Return the first checkpoint of a run with at least the number of steps of the slider."""
    return min(int(np.searchsorted(run.t, 10.0 ** MADE(stage) - 1e-6)), len(run.t) - 1)


def lines_of_runs(stage: Stage) -> Data:
    """Return, with the answer, the boundaries of the average iterates of several runs after the steps of the slider."""
    if not stage.shown:
        return {}
    run = fixed_comparison(stage).run
    k, half = column(stage, run), stage.lab.view
    lines = [line_of(w, half, "accent" if i == 0 else "faint") for i, w in enumerate(run.averages[:, k])]
    return {"overlay": [item for items in reversed(lines) for item in items]}


def line_of(w: Array, half: float, style: str) -> list[Data]:
    """Return the line <w, x> = 0 across the board, or nothing for w = 0."""
    ends = line_through_origin(w, half)
    return [stroke(ends, style)] if len(ends) else []
