"""The numbers of support vectors of a line, a parabola and Gaussians of any width on the same points (G5, G9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from svmlab import Gaussian, Linear, Polynomial, Problem, Solution, SvmError, make_dataset, solve
from svmlab.core.arrays import Index, frozen
from svmlab.kernels.base import Kernel
from svmlab.statements import opinion

WIDTHS = (0.05, 0.07, 0.1, 0.14, 0.2, 0.3, 0.4, 0.55, 0.75, 1.0, 1.4, 2.0, 2.8, 4.0, 5.5, 7.5, 10.0)
SHAPES = ("separable", "overlapping", "moons", "circles")
SIZE, NOISE, SEED = 60, 0.1, 0  # with which the data sets are made
SIGMAS = (1.0, 0.3, 0.1)
COMPARED: tuple[Kernel, ...] = (Linear(), Polynomial(2), *(Gaussian(sigma) for sigma in SIGMAS))
TINY = 1e-6  # in units of C: a larger multiplier of the second solver counts as above 0


@dataclass(frozen=True, eq=False)
class Counts:
    """The support vectors of the Gaussians of WIDTHS (k,), of the linear kernel, and of the polynomial of degree 2."""

    gaussian: Index
    linear: int
    degree_2: int


def count(solution: Solution) -> int:
    """Return the number of alpha above 0."""
    return int(solution.support.sum())


def counted(problem: Problem, report: Callable[[float], None]) -> Counts:
    """Return the counts on the points of a problem, at its C and with its bias.

    `report` receives the fraction done. Raises what `solve` raises.
    """
    numbers: list[int] = []
    solution = None
    for i, sigma in enumerate(WIDTHS):
        solution = solve(replace(problem, kernel=Gaussian(sigma)), start=solution)
        numbers.append(count(solution))
        report((i + 1) / (len(WIDTHS) + 2))
    linear, degree_2 = (count(solve(replace(problem, kernel=kernel))) for kernel in (Linear(), Polynomial(2)))
    return Counts(frozen(numbers, np.intp), linear, degree_2)


def recounted(problem: Problem) -> int | None:
    """Return the count of one problem by the second solver, whose multipliers are never exactly 0.

    None where that solver does not converge.
    """
    try:
        return int((opinion.dual(problem).alpha > TINY * problem.C).sum())
    except SvmError:
        return None


@cache
def compared(C: float) -> dict[str, tuple[int, ...]]:
    """Return the numbers of support vectors of COMPARED on SHAPES."""
    shapes = {name: make_dataset(name, SIZE, NOISE, SEED) for name in SHAPES}
    return {name: tuple(count(solve(Problem(data, k, C))) for k in COMPARED) for name, data in shapes.items()}
