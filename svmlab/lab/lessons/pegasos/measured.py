"""The measured cost of training as the number of points grows (X3 of the catalogue, sources A and B).

The dense quadratic program costs O(m^3). A stochastic step on an explicit w does not depend on m. A batch step costs
O(m), and so does a step in the kernel form that adds a point.
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
# CLOCK measures the processor time of this thread, so that other sessions running at the same time do not count.
# Some systems count it only in steps of 16 ms.
HAS_FINE_THREAD_CLOCK = time.get_clock_info("thread_time").resolution <= 1e-6
CLOCK: Clock = time.thread_time if HAS_FINE_THREAD_CLOCK else time.perf_counter
LARGEST, LONGEST = 5000, 10**6  # points, and the largest number of steps of Pegasos
MIN_SECONDS, MAX_REPEATS = 0.03, 20  # a measurement shorter than so many seconds is repeated, up to so many times
STEPS = 2000  # timed for one step; Pegasos takes 100 times as many, so that calls and checkpoints do not count


@dataclass(frozen=True, eq=False)
class Costs:
    """The measured times of each method at each number of points m (k,).

    seconds (methods, k): the least time, NaN where the method did not converge. "dual-qp", "exact" and "pegasos"
    (average within eps of F(w*)) solve the problem. "step", "batch-step" and "kernel-step" are one step, the last
    without its Gram matrix. steps (k,): the steps of Pegasos, 0 where it was not measured or did not converge. slopes
    (methods,): of log seconds against log m over the larger half of the sizes; the smaller sizes mostly measure the
    cost of a call.
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
    """Time each method on `dataset` with m points, for every m, without a bias, so that all solve one problem.

    m: whole numbers from 4 to 5000 (the dense program needs m x m matrices, and minutes from 1000 on). eps > 0, in
    units of F. on_progress receives the fraction done before each repeat of a measurement. It may take its time, and
    may raise to stop. Raises BadInput naming the argument.
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
            while len(times) < repeats or (sum(times) < MIN_SECONDS and len(times) < MAX_REPEATS):
                report(done + min(len(times) / repeats, 1.0) / seconds.size)
                times.append(_time(work, clock))
            seconds[i, k] = min(times) / share  # other processes can only add time
    report(1.0)
    large = np.argsort(m)[-max(2, (len(m) + 1) // 2) :]
    slopes = [slope(np.asarray(m)[large], row[large]) for row in seconds]
    return Costs(frozen(m, np.intp), tuple(methods), frozen(seconds), frozen(steps, np.intp), frozen(slopes), lam, eps)


def slope(m: Sequence[int] | Index, seconds: Array) -> float:
    """Return the least-squares slope of log seconds against log m over the finite entries; NaN with fewer than two."""
    is_valid = np.isfinite(seconds) & (seconds > 0)
    if len(set(np.asarray(m)[is_valid].tolist())) < 2:
        return math.nan
    return float(np.polyfit(np.log(np.asarray(m, dtype=float)[is_valid]), np.log(seconds[is_valid]), 1)[0])


def steps_to(data: Dataset, lam: float, eps: float, seed: int = 0) -> int:
    """Return the first checkpoint of one run with F(average) - F(w*) <= eps; 0 if a million steps do not reach it."""
    optimal_value = lam * solve(Problem.from_lambda(data, Linear(), lam, bias=False)).objective
    T = 1000
    while T <= LONGEST:
        run = pegasos(data, lam, T, seed=seed)
        reached = np.flatnonzero(run.average[0] - optimal_value <= eps)
        if reached.size:
            return int(run.t[reached[0]])
        T *= 10
    return 0


def _work(method: Method, data: Dataset, lam: float, steps: int, seed: int) -> tuple[Callable[[], object], int]:
    """Return what is timed, and the number of steps by which the time is divided."""
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
