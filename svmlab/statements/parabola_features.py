"""K10: a straight line on a parabola separates what no threshold on the line separates."""

from __future__ import annotations

import math

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.data import Dataset
from svmlab.kernels.standard import Linear, Polynomial
from svmlab.statements.opinion import largest_lp_margin, primal
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

PLACES = 200
KERNEL = Polynomial(degree=2, coef0=0.5)  # (xz + 1/2)^2 = <(x, x^2), (z, z^2)> + 1/4, and the constant 1/4 joins b


def thresholds(x: Array, y: Array) -> tuple[float, float]:
    """Return two thresholds with one class between them and the other outside, each in the middle of its gap.

    Raises DoesNotApply where there are none, or where a single threshold is enough.
    """
    order = np.argsort(x, kind="stable")
    sorted_x, sorted_y = x[order], y[order]
    changes = np.flatnonzero(sorted_y[1:] != sorted_y[:-1])
    if len(changes) != 2 or (sorted_x[changes] == sorted_x[changes + 1]).any():
        raise DoesNotApply(
            "Along x₁, no class lies in an interval with the other class on both sides of it. Try the preset "
            "“An interval and its outside”."
        )
    p, q = (sorted_x[changes] + sorted_x[changes + 1]) / 2
    return float(p), float(q)


@statement(
    "K10",
    N_("Feature map (x, x²)"),
    sentence=N_("The feature map from x to (x, x²) makes an interval of the line and its outside linearly separable."),
    formula=r"(x-s)(t-x) = (s+t)\,x - x^2 - st = \langle w, (x, x^2)\rangle + b",
    source=(
        Source(
            "D",
            N_("section Caso Base: Dati su Retta Reale"),
            quote=r"passando da $R$ a $R^2$. $\phi(x)=(x,x^2)$, ($x^2$ diventa la nuova y)",
        ),
        Source(
            "B",
            N_("Kernel methods motivation"),
            quote="By mapping data to higher dimensions where it exhibits linear patterns",
        ),
    ),
    conditions=N_(
        "Along x₁, one class lies in an interval, and the other class lies on both sides of it. The "
        "coordinate x₂ is not used."
    ),
    tolerance=1e-6,
    page="kernels",
    subject="points",
    witness=Witness(
        tuple((x, 0.0) for x in (-3.2, -2.4, -1.6, -1.0, -0.6, -0.2, 0.2, 0.6, 1.0, 1.6, 2.4, 3.2)),
        (-1, -1, -1, 1, 1, 1, 1, 1, 1, -1, -1, -1),
        N_("The interval contains 0. With (x, x³) instead of (x, x²), no line separates these classes."),
    ),
)
def parabola(s: Situation, tol: float) -> Outcome:
    """Compare the primal program on the points (x, x^2) with the exact solver and a kernel on the line itself."""
    x, y = s.X[:, 0], s.y
    s.need_points()
    s.need_classes()
    low, high = thresholds(x, y)
    unit = float(np.abs(x).max())
    x, low, high = x / unit, low / unit, high / unit  # in units of the largest |x|: a straight line stays straight
    inside = float(y[(x > low) & (x < high)][0])
    by_hand = float((y * inside * (x - low) * (high - x)).min())
    program = primal(Problem(Dataset(np.column_stack([x, x**2]), y), Linear(), math.inf))
    kernel = solve(Problem(Dataset(x[:, None], y), KERNEL, math.inf))
    tol = s.tolerance_for(tol, kernel)
    grid = np.linspace(-1.5, 1.5, PLACES)
    by_program, by_kernel = program.w[0] * grid + program.w[1] * grid**2 + program.b, kernel.decision(grid[:, None])
    difference = float(np.abs(by_program - by_kernel).max() / np.abs(by_kernel).max())
    shortfall = max(0.0, 1.0 - float(kernel.margins.min()))
    cubic_margin = largest_lp_margin(np.column_stack([x, x**3]), y, True)
    return Outcome(
        reading(
            tol,
            max(difference, shortfall, float(by_hand <= 0)),
            Side("largest difference of f at 200 points, relative", difference),
            Side("smallest y (x − s)(t − x) of a training point", by_hand * unit**2),
            Side("threshold s", low * unit),
            Side("threshold t", high * unit),
        ),
        control=reading(
            0.0,
            float(cubic_margin <= 1e-9),
            Side("largest margin in (x, x³), by a linear program", cubic_margin),
            words=N_("The feature map (x, x³) makes the classes linearly separable, too."),
        ),
    )
