"""A problem's numbers as they are meant: fractions, or decimals of many places where the kernel leaves the
rationals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

from svmlab.kernels.base import Kernel
from trials.families import Case

PLACES = 120  # decimal places of what is not rational
Number = Fraction | Decimal


@dataclass(frozen=True)
class Meant:
    """K (m, m), y (m,) of -1 and 1, u (m,) or None for the hard margin, all exact; `zero` tells what is none."""

    K: Any
    y: Any
    u: Any
    bias: bool
    one: Number
    zero: Callable[[Number], bool]


def meant(case: Case, plain: bool = False) -> Meant | None:
    """The problem in exact numbers as its author wrote it, or (plain) that of the floats as they stand. None for a
    kernel that is indefinite.
    """
    value = _value(case.kernel)
    if value is None:
        return None
    formula, rational = value
    X = [[coordinate(v, None if plain else case.unit) for v in row] for row in case.X.tolist()]
    m = len(X)
    K = np.empty((m, m), dtype=object)
    for i in range(m):
        for j in range(i + 1):
            dot = sum((a * b for a, b in zip(X[i], X[j], strict=True)), Fraction(0))
            apart = sum(((a - b) ** 2 for a, b in zip(X[i], X[j], strict=True)), Fraction(0))
            K[i, j] = K[j, i] = formula(dot, apart)
    number: Callable[[Fraction], Number] = (lambda v: v) if rational else decimal
    one = number(Fraction(1))
    y = np.array([one * int(v) for v in case.y], dtype=object)
    u = None
    if not math.isinf(case.C):
        C, costs = Fraction(repr(case.C)), [Fraction(repr(v)) if plain else _share(v) for v in case.costs]
        u = np.array([number(C * costs[int(v < 0)]) for v in case.y], dtype=object)
    none = (lambda v: v == 0) if rational else (lambda v: abs(v) < Decimal(f"1e-{PLACES // 2}"))
    return Meant(K, y, u, case.bias, one, none)


def decimal(v: Fraction) -> Decimal:
    """V in the places of the context."""
    return Decimal(v.numerator) / Decimal(v.denominator)


def coordinate(v: float, unit: Fraction | None) -> Fraction:
    """What is meant by a coordinate: the nearest multiple of its unit, or the float itself."""
    if unit is None:
        return Fraction(v)
    return round(Fraction(v) / unit) * unit


def _share(v: float) -> Fraction:
    """What is meant by a cost: the fraction of small whole numbers that is this float, such as 1/3, else its
    decimals.
    """
    near = Fraction(v).limit_denominator(1000)
    return near if float(near) == v else Fraction(repr(v))


def _value(kernel: Kernel) -> tuple[Callable[[Fraction, Fraction], Number], bool] | None:
    """k(x, z) from <x, z> and |x - z|^2, and whether it is rational."""
    numbers = {name: Fraction(repr(float(v))) for name, v in vars(kernel).items() if not isinstance(v, str)}
    half, tenth = Fraction(1, 2), Fraction(1, 10)
    known: dict[str, tuple[Callable[[Fraction, Fraction], Number], bool]] = {
        "linear": (lambda p, q: p, True),
        "polynomial": (lambda p, q: (numbers["scale"] * p + numbers["coef0"]) ** int(numbers["degree"]), True),
        "gaussian": (lambda p, q: decimal(-q / (2 * numbers["sigma"] ** 2)).exp(), False),
        "linear+2*gaussian(0.5)": (lambda p, q: decimal(p) + 2 * decimal(-2 * q).exp(), False),
        "(linear+1)**2*gaussian(1)": (lambda p, q: decimal((p + 1) ** 2) * decimal(-q * half).exp(), False),
        "exp(0.1*linear)": (lambda p, q: decimal(tenth * p).exp(), False),
        "linear*linear+0.5*linear+3": (lambda p, q: p * p + half * p + 3, True),
    }
    return known.get(getattr(kernel, "recipe", "") if kernel.name == "composed" else kernel.name)


def many_places() -> Any:
    """The context in which decimals are reckoned with PLACES."""
    return localcontext(prec=PLACES)
