"""The SVMs that the map of held-out errors compares.

They have every C or lambda of a scale, combined with every kernel width or degree if the kernel has one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from svmlab import Problem
from svmlab.data import Dataset
from svmlab.generalisation import ErrorMap, error_map
from svmlab.kernels.base import Kernel, Parameter
from svmlab.lab.session import held_out
from svmlab.lab.session.state import Lab
from svmlab.lab.session.worker import LongWork

# The ends as decimal logarithms, the same as those of the sliders. C grows from the first to the last value.
REGULARISATION_RANGES = {"C": (-3.0, 3.0), "lambda": (1.0, -5.0)}
STEPS = 13  # values of C or lambda
WIDTHS = 11  # values of a kernel width


@dataclass(frozen=True)
class ComparedMachines:
    """The values of C or lambda (n,) and of one kernel parameter (k,), which is (nan,) if the kernel has none to map.

    `prices` are in the parameter named by `face`. C grows along them, and f becomes smoother along `values`.
    """

    regularisation: str
    regularisation_values: tuple[float, ...]
    parameter: Parameter | None
    values: tuple[float, ...]
    kernels: tuple[Kernel, ...]

    @property
    def logarithmic(self) -> bool:
        """Return whether the values are on a logarithmic scale."""
        return self.parameter is not None and self.parameter.slider is not None

    def C_values(self, m: int) -> list[float]:
        """Return the values of `prices` as C, for m points."""
        return [value if self.regularisation == "C" else 1.0 / (value * m) for value in self.regularisation_values]

    def settings(self, i: int, j: int) -> dict[str, Any]:
        """Return the settings of the SVM in row i and column j. With a finite C there is no hard margin."""
        chosen: dict[str, Any] = {"value": self.regularisation_values[j], "hard": False}
        if self.parameter is not None:
            value = self.values[i]
            chosen[self.parameter.name] = int(value) if self.parameter.whole else value
        return chosen


def compared_machines(lab: Lab) -> ComparedMachines:
    """Return the SVMs to compare with the Lab's own. Bias, kernel and all other parameters are those of the Lab."""
    first, last = REGULARISATION_RANGES[lab.face]
    numbers = [p for p in lab.kernel_function.parameters if isinstance(p, Parameter)]
    parameter = next((p for p in numbers if p.slider or p.whole), None)
    kernels: tuple[Kernel, ...] = (lab.kernel_function,)
    values: tuple[float, ...] = (math.nan,)
    if parameter is not None:
        if parameter.slider is not None:
            values = _powers(parameter.slider.low, parameter.slider.high, WIDTHS)
        else:
            values = tuple(float(v) for v in range(int(parameter.high), int(parameter.low) - 1, -1))
        kernels = tuple(replace(lab.kernel_function, **{parameter.name: value}) for value in values)
    return ComparedMachines(lab.face, _powers(first, last, STEPS), parameter, values, kernels)


def key(lab: Lab, compared: ComparedMachines) -> tuple[Any, ...]:
    """Return a key of everything on which the map depends: points, kernel, C or lambda, bias, costs and test points.

    The position of the board within the map is not part of it.
    """
    fresh = held_out.test_points(lab)
    kernel, soft = compared.kernels[0].key, _soft(lab)
    return ("error map", lab.data.key, kernel, lab.face, lab.bias, soft.costs, fresh.key if fresh else None)


def map_computation(lab: Lab, compared: ComparedMachines) -> Callable[[Callable[[float], None]], ErrorMap]:
    """Return the function that computes the map, for a worker."""
    problem: Problem = _soft(lab).problem
    fresh: Dataset | None = held_out.test_points(lab)
    costs = compared.C_values(lab.data.m)
    return LongWork(lambda report: error_map(problem, compared.kernels, costs, fresh, report))


def _soft(lab: Lab) -> Lab:
    """Return the board without a hard margin, so that the class costs apply."""
    return replace(lab, hard=False)


def _powers(first: float, last: float, n: int) -> tuple[float, ...]:
    """Return n powers of ten, each rounded to three digits, so that it can be read and typed."""
    return tuple(float(f"{10.0**e:.3g}") for e in np.linspace(first, last, n))
