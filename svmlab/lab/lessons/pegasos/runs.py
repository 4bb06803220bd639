"""Runs of Pegasos on the board, and the optimum without bias that they go to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from svmlab import PegasosRun, Solution, pegasos
from svmlab.core.arrays import Array
from svmlab.lab.numbers import grouped, short
from svmlab.lab.teach.overlay import set_dials, stroke
from svmlab.lab.teach.requirements import LINEAR, SOFT, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Need, Pick, Reading, Try
from svmlab.lab.words import N_, _
from svmlab.plane.contours import line_through_origin

AWAY = Need(
    lambda stage: bool(stage.data.X.any()),
    N_("All points lie at the origin, so w stays 0. Move one of them away."),
    {},
)
FEW = at_most(30)
IN_THE_PLANE = (SOFT, LINEAR, AWAY, FEW)  # what a run in w needs
NEAR = Need(
    lambda stage: stage.lab.lam >= 0.04,
    N_("λ is so small here that the first steps throw w far out of sight."),
    {"face": "lambda", "value": 0.5},
)
STEPS = Pick("T", N_("steps T"), (1_000, 10_000, 100_000), 10_000, lambda n: labelled_value("T", n, 1_000))
RUNS = Pick("runs", N_("independent runs"), (1, 20), 20, lambda n: _("1 run") if n == 1 else _("{n} runs").format(n=n))
OTHER_DRAWS = Try(N_("Other draws"), lambda stage: set_dials(draws=seed(stage) + 1))
LIVE = 1000  # steps that a board under a moving hand waits for


@dataclass(frozen=True, eq=False)
class Compared:
    """A run, and the optimum without bias that it is measured against: F = F(w*)."""

    run: PegasosRun
    best: Solution

    @property
    def F(self) -> float:
        """The least value of F."""
        return self.best.objective * self.run.lam

    @property
    def w(self) -> Array:
        """w*."""
        assert self.best.w is not None
        return self.best.w

    def gaps(self, name: str) -> Array:
        """F - F(w*) of "last", "average" or "suffix", in the mean over the runs, (k,)."""
        values: Array = getattr(self.run, name)
        return values.mean(0) - self.F

    @property
    def distance(self) -> Array:
        """Between the average and w*, in the mean over the runs, (k,)."""
        return np.sqrt(((self.run.averages - self.w) ** 2).sum(-1)).mean(0)


def labelled_value(name: str, value: float, first: float) -> str:
    """A value among buttons side by side, the first of which says what they are: T = 1 000."""
    number = grouped(int(value)) if value >= 1 else short(value)
    return f"{name} = {number}" if value == first else number


def seed(stage: Stage) -> int:
    """Which draws: the number of times that others were asked for."""
    return int(stage.dial("draws", 0.0)) % 1000


def optimum_without_bias(stage: Stage) -> Solution:
    """The exact optimum without bias."""
    solution = stage.cache.outcome(replace(stage.lab, bias=False).problem).solution
    assert solution is not None, "with a price on slack there is an optimum"
    return solution


def short_comparison(stage: Stage, steps: int, runs: int = 1) -> Compared:
    """A short comparison, made on the spot and kept."""
    lab, draws, optimum = stage.lab, seed(stage), optimum_without_bias(stage)
    return stage.cached(
        f"pegasos {steps} {runs} {draws}", lambda: Compared(pegasos(lab.data, lab.lam, steps, runs, draws), optimum)
    )


def picked_comparison(stage: Stage) -> Compared:
    """The comparison over the STEPS and RUNS that are picked. Raises Working until it is there."""
    lab, draws, optimum = stage.lab, seed(stage), optimum_without_bias(stage)
    steps, runs = int(stage.pick("T")), int(stage.pick("runs"))
    return stage.background_result(
        ("pegasos", lab.data.key, lab.lam, steps, runs, draws),
        lambda report: Compared(pegasos(lab.data, lab.lam, steps, runs, draws, on_progress=report), optimum),
    )


def when_shown(numbers: Callable[[Stage], Sequence[Reading]]) -> Callable[[Stage], Sequence[Reading]]:
    """Numbers that would give the answer away, or take long: none before it is shown."""
    return lambda stage: numbers(stage) if stage.shown else ()


def average_line(stage: Stage) -> Data:
    """What is added to the board once the answer is shown: the line of the average of a short run."""
    return _average(stage, short_comparison(stage, LIVE)) if stage.shown else {}


def picked_average_line(stage: Stage) -> Data:
    """The same of the first run that is picked; of a short one under a moving hand. Raises Working until it is
    there.
    """
    return (
        _average(stage, short_comparison(stage, LIVE) if stage.moving else picked_comparison(stage))
        if stage.shown
        else {}
    )


def _average(stage: Stage, result: Compared) -> Data:
    return {"overlay": line_of(result.run.averages[0, -1], stage.lab.view, "accent")}


def line_of(w: Array, half: float, style: str) -> list[Data]:
    """The line <w, x> = 0 over the board; none for w = 0."""
    ends = line_through_origin(w, half)
    return [stroke(ends, style)] if len(ends) else []
