"""K10: what no threshold does on the line, a straight line does on a parabola."""

from __future__ import annotations

import math

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.data import Dataset
from svmlab.kernels.standard import Linear, Polynomial
from svmlab.statements.opinion import feasibility, primal
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

PLACES = 200
KERNEL = Polynomial(degree=2, coef0=0.5)  # (xz + 1/2)^2 = <(x, x^2), (z, z^2)> + 1/4, and a constant is b's


def ends(x: Array, y: Array) -> tuple[float, float]:
    """Two thresholds with one class between them and the other outside, each in the middle of its gap.

    Raises DoesNotApply where there are none, or where one threshold will do.
    """
    order = np.argsort(x, kind="stable")
    at, side = x[order], y[order]
    turns = np.flatnonzero(side[1:] != side[:-1])
    if len(turns) != 2 or (at[turns] == at[turns + 1]).any():
        raise DoesNotApply(
            "Seen along x1 alone, no class lies in an interval with the other on both sides of it. Try the "
            "preset “An interval "
            "and its outside”."
        )
    p, q = (at[turns] + at[turns + 1]) / 2
    return float(p), float(q)


@statement(
    "K10",
    N_("An interval on a parabola"),
    sentence=N_("Raised from x to (x, x²), an interval of the line is separated from its outside by a straight line."),
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
    conditions=N_("Along x1, one class lies in an interval and the other on both sides of it; x2 is not looked at."),
    tolerance=1e-6,
    page="kernels",
    machine="points",
    witness=Witness(
        tuple((x, 0.0) for x in (-3.2, -2.4, -1.6, -1.0, -0.6, -0.2, 0.2, 0.6, 1.0, 1.6, 2.4, 3.2)),
        (-1, -1, -1, 1, 1, 1, 1, 1, 1, -1, -1, -1),
        N_(
            "An interval about 0. On (x, x³) instead, which falls on one side and rises on the other, no line parts it."
        ),
    ),
)
def parabola(s: Situation, tol: float) -> Outcome:
    """The primal program on the points written out as (x, x^2), against the exact solver with a kernel on the line
    itself.
    """
    x, y = s.X[:, 0], s.y
    s.need_points()
    s.need_classes()
    one, other = ends(x, y)
    unit = float(np.abs(x).max())
    x, one, other = x / unit, one / unit, other / unit  # in units of its reach: straight stays straight
    inside = float(y[(x > one) & (x < other)][0])
    by_hand = float((y * inside * (x - one) * (other - x)).min())
    program = primal(Problem(Dataset(np.column_stack([x, x**2]), y), Linear(), math.inf))
    kernel = solve(Problem(Dataset(x[:, None], y), KERNEL, math.inf))
    tol = s.level(tol, kernel)
    at = np.linspace(-1.5, 1.5, PLACES)
    above, below = program.w[0] * at + program.w[1] * at**2 + program.b, kernel.decision(at[:, None])
    apart = float(np.abs(above - below).max() / np.abs(below).max())
    short = max(0.0, 1.0 - float(kernel.margins.min()))
    cubes = feasibility(np.column_stack([x, x**3]), y, True)
    return Outcome(
        reading(
            tol,
            max(apart, short, float(by_hand <= 0)),
            Side("largest difference of f at 200 places, of the largest f", apart),
            Side("least y (x − s)(t − x) on the points, written by hand", by_hand * unit**2),
            Side("one threshold s", one * unit),
            Side("the other threshold t", other * unit),
        ),
        control=reading(
            0.0,
            float(cubes <= 1e-9),
            Side("largest margin a linear program finds on (x, x³)", cubes),
            words=N_("Any curve will do, (x, x³) too."),
        ),
    )
