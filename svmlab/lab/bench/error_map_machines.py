"""Which machines the map of held-out errors compares: every price, by the kernel's length or degree where it has
one.
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
from svmlab.lab.session.worker import Long

PRICES = {
    "C": (-3.0, 3.0),
    "lambda": (1.0, -5.0),
}  # decimal logarithms, those of the sliders; C rises from first to last
STEPS = 13  # of the price
WIDTHS = 11  # of a length


@dataclass(frozen=True)
class ComparedMachines:
    """Prices (n,) as the face has them and values (k,) of a parameter, (nan,) where the kernel has none that is mapped.

    C rises along the prices, and machines become smoother along the values.
    """

    face: str
    prices: tuple[float, ...]
    parameter: Parameter | None
    values: tuple[float, ...]
    kernels: tuple[Kernel, ...]

    @property
    def logarithmic(self) -> bool:
        """Whether the values stand on a logarithmic scale."""
        return self.parameter is not None and self.parameter.slider is not None

    def costs(self, m: int) -> list[float]:
        """The prices as C, for m points."""
        return [price if self.face == "C" else 1.0 / (price * m) for price in self.prices]

    def settings(self, i: int, j: int) -> dict[str, Any]:
        """What sets the machine of row i and column j: at a finite price there is no hard margin."""
        chosen: dict[str, Any] = {"value": self.prices[j], "hard": False}
        if self.parameter is not None:
            value = self.values[i]
            chosen[self.parameter.name] = int(value) if self.parameter.whole else value
        return chosen


def compared_machines(lab: Lab) -> ComparedMachines:
    """The machines that are compared with the Lab's own: its kernel and bias, its other parameters as they are."""
    first, last = PRICES[lab.face]
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
    """What a map depends on: points, kernel, face, bias and costs, not where in it the board stands."""
    fresh = held_out.fresh_points(lab)
    kernel, soft = compared.kernels[0].key, _soft(lab)
    return ("error map", lab.data.key, kernel, lab.face, lab.bias, soft.costs, fresh.key if fresh else None)


def work(lab: Lab, compared: ComparedMachines) -> Callable[[Callable[[float], None]], ErrorMap]:
    """What draws it up, for a worker."""
    problem: Problem = _soft(lab).problem
    fresh: Dataset | None = held_out.fresh_points(lab)
    costs = compared.costs(lab.data.m)
    return Long(lambda report: error_map(problem, compared.kernels, costs, fresh, report))


def _soft(lab: Lab) -> Lab:
    """The board as a place of its map sets it: no hard margin, so the classes have their costs."""
    return replace(lab, hard=False)


def _powers(first: float, last: float, n: int) -> tuple[float, ...]:
    """N powers of ten, each to three digits, so that it can be read and typed."""
    return tuple(float(f"{10.0**e:.3g}") for e in np.linspace(first, last, n))
