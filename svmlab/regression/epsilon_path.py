"""The solutions for a list of eps: the larger eps, the fewer support vectors and the smaller |w|, until both are 0."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, frozen, short_repr
from svmlab.core.errors import BadInput
from svmlab.core.rules import finite_array
from svmlab.core.validate import validated
from svmlab.regression.fit import Fit
from svmlab.regression.solve import solve
from svmlab.regression.tube import Tube

GRID_SIZE = 41  # number of eps in the default grid


@dataclass(frozen=True, eq=False)
class EpsilonPath(Frozen):
    """The optima `fits` of `problem` for every eps (k,); the eps of `problem` itself is ignored."""

    problem: Tube
    eps: Array
    fits: tuple[Fit, ...]

    def __repr__(self) -> str:
        facts = self.problem.facts
        facts.pop("eps")
        return short_repr(self, **facts, places=len(self.eps))

    @cached_property
    def count(self) -> Index:
        """The number of support vectors of each, shape (k,)."""
        return frozen([int(fit.support.sum()) for fit in self.fits], np.intp)

    @cached_property
    def norm_w(self) -> Array:
        """The norm |w| of each, shape (k,)."""
        return frozen([fit.norm_w for fit in self.fits])

    @cached_property
    def objective(self) -> Array:
        """The objective value of each, shape (k,): convex in eps, with slope minus sum (alpha + alpha*)."""
        return frozen([fit.objective for fit in self.fits])


@validated
def epsilon_path(problem: Tube, eps: Any = None, start: Fit | None = None) -> EpsilonPath:
    """Solve the problem for every eps (k,), each from the solution before; `start` is the first of these.

    By default 41 evenly spaced eps from 0 to 1.1 times `Tube.constant_fit_eps` (1 if that is 0). Raises BadInput and
    SolverFailed as `solve` does.
    """
    if eps is None:
        eps = np.linspace(0.0, 1.1 * problem.constant_fit_eps or 1.0, GRID_SIZE)
    eps = frozen(finite_array("eps", eps))
    if eps.ndim != 1:
        raise BadInput("eps must be one-dimensional, a list of numbers. Its shape is {shape}.", shape=eps.shape)
    fits: list[Fit] = []
    for value in eps:
        start = solve(replace(problem, eps=float(value)), start=start)
        fits.append(start)
    return EpsilonPath(problem, eps, tuple(fits))
