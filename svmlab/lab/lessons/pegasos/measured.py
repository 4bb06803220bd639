"""What training costs as the number of points grows, measured (X3 of the catalogue, sources A and B).

The dense quadratic program costs O(m^3); a stochastic step on an explicit w does not depend on m; a batch step costs
O(m), and so does a kernelised step that adds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Index, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import WholeNumber
from svmlab.data import Dataset, make_dataset
from svmlab.firstorder.subgradient import batch_descent
from svmlab.kernels.standard import Gaussian, Linear
from svmlab.pegasos import Progress, Rule, pegasos, run_kernel

Method = Literal["dual-qp", "exact", "pegasos", "step", "batch-step", "kernel-step"]
METHODS: tuple[Method, ...] = ("dual-qp", "exact", "pegasos", "step", "batch-step", "kernel-step")
Clock = Callable[[], float]
# What the processor spends on this thread: pages of others, which run meanwhile, do not count. Some systems tell it in
# steps of 16 ms.
FINE = time.get_clock_info("thread_time").resolution <= 1e-6
CLOCK: Clock = time.thread_time if FINE else time.perf_counter
LARGEST, LONGEST = 5000, 10**6  # points; steps that Pegasos is given to arrive
ENOUGH, MOST = 0.03, 20  # what is quicker than so many seconds is repeated more often, up to so many times
STEPS = 2000  # timed for one; 100 times as many of Pegasos, beside which calls and checkpoints are nothing


@dataclass(frozen=True, eq=False)
class Costs:
    """seconds (methods, k): the least time of each method at each number of points m (k,); NaN where it did not arrive.

    "dual-qp", "exact" and "pegasos" (average within eps of F(w*)) solve; "step", "batch-step" and "kernel-step" are one
    step, the last without its Gram matrix. steps (k,): what Pegasos took, 0 where it was not asked or did not arrive.
    slopes (methods,): of log seconds against log m over the larger half of the sizes; the smaller ones mostly measure
    what a call costs.
    """

    m: Index
    methods: tuple[Method, ...]
    seconds: Array
    steps: Index
    slopes: Array
    lam: float
    eps: float


def measure(
    m: Sequence[int],
    methods: Sequence[Method] = ("dual-qp", "exact", "pegasos"),
    lam: float = 0.1,
    eps: float = 0.01,
    dataset: str = "overlapping",
    seed: int = 0,
    repeats: int = 1,
    on_progress: Progress | None = None,
    clock: Clock = CLOCK,
) -> Costs:
    """Time each method on `dataset` with m points, for every m; without bias, so that all solve one problem.

    m: whole numbers from 4 to 5000 (the dense program needs m x m matrices and minutes from 1000 on). eps > 0, in units
    of F. on_progress gets the fraction done before each of the repeats of a measurement, may take its time and may
    raise to stop. Raises BadInput naming the argument.
    """
    for name in methods:
        if name not in METHODS:
            raise BadInput(
                "methods: {name!r} is unknown. Choose from {choices}.", name=name, choices=", ".join(METHODS)
            )
    for value in m:
        WholeNumber(4, LARGEST)("m", value)
    if len(m) == 0 or len(methods) == 0:
        raise BadInput("m and methods: give at least one of each.")
    if not 0 < eps < math.inf:
        raise BadInput("eps: {eps!r} must be a finite number above 0.", eps=eps)
    WholeNumber(1, 100)("repeats", repeats)
    report = on_progress or (lambda done: None)
    seconds, steps = np.full((len(methods), len(m)), math.nan), np.zeros(len(m), np.intp)
    for k, size in enumerate(m):
        data = make_dataset(dataset, size, seed=seed)
        for i, method in enumerate(methods):
            done = (k * len(methods) + i) / seconds.size
            if method == "pegasos":
                report(done)
                steps[k] = steps_to(data, lam, eps, seed)
                if steps[k] == 0:
                    continue
            work, share = _work(method, data, lam, int(steps[k]), seed)
            times: list[float] = []
            while len(times) < repeats or (sum(times) < ENOUGH and len(times) < MOST):
                report(done + min(len(times) / repeats, 1.0) / seconds.size)
                times.append(_time(work, clock))
            seconds[i, k] = min(times) / share  # whatever else goes on can only add
    report(1.0)
    large = np.argsort(m)[-max(2, (len(m) + 1) // 2) :]
    slopes = [slope(np.asarray(m)[large], row[large]) for row in seconds]
    return Costs(frozen(m, np.intp), tuple(methods), frozen(seconds), frozen(steps, np.intp), frozen(slopes), lam, eps)


def slope(m: Sequence[int] | Index, seconds: Array) -> float:
    """The least-squares slope of log seconds against log m over the finite entries; NaN with fewer than two."""
    good = np.isfinite(seconds) & (seconds > 0)
    if len(set(np.asarray(m)[good].tolist())) < 2:
        return math.nan
    return float(np.polyfit(np.log(np.asarray(m, dtype=float)[good]), np.log(seconds[good]), 1)[0])


def steps_to(data: Dataset, lam: float, eps: float, seed: int = 0) -> int:
    """The first checkpoint of one run at which F(average) - F(w*) <= eps; 0 when a million steps are not enough."""
    best = lam * solve(Problem.from_lambda(data, Linear(), lam, bias=False)).objective
    T = 1000
    while T <= LONGEST:
        run = pegasos(data, lam, T, seed=seed)
        arrived = np.flatnonzero(run.average[0] - best <= eps)
        if arrived.size:
            return int(run.t[arrived[0]])
        T *= 10
    return 0


def _work(method: Method, data: Dataset, lam: float, steps: int, seed: int) -> tuple[Callable[[], object], int]:
    """What to time, and the number of steps that the time is to be divided by."""
    if method == "pegasos":
        return lambda: pegasos(data, lam, steps, seed=seed), 1
    if method == "step":
        return lambda: pegasos(data, lam, 100 * STEPS, seed=seed), 100 * STEPS
    if method == "batch-step":
        return lambda: batch_descent(data, lam, STEPS), STEPS
    if method == "kernel-step":
        kernel = Gaussian(1.0)
        gram = kernel(data.X, data.X)
        return lambda: run_kernel(data, Rule(lam), STEPS, kernel, seed=seed, gram=gram), STEPS
    problem = Problem.from_lambda(data, Linear(), lam, bias=False)
    if method == "dual-qp":
        return lambda: solve(problem, "dual-qp"), 1
    return lambda: solve(problem, "exact"), 1


def _time(work: Callable[[], object], clock: Clock) -> float:
    start = clock()
    work()
    return clock() - start
