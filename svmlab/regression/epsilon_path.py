"""What becomes of a tube while eps grows: fewer support vectors, a flatter line, and from some eps on neither."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, brief, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import numbers
from svmlab.core.validate import validated
from svmlab.regression.fit import Fit
from svmlab.regression.solve import solve
from svmlab.regression.tube import Tube

PLACES = 41  # of the grid that is chosen where none is given


@dataclass(frozen=True, eq=False)
class Along(Frozen):
    """The optima `fits` of `problem` at every eps (k,); its own eps plays no part."""

    problem: Tube
    eps: Array
    fits: tuple[Fit, ...]

    def __repr__(self) -> str:
        facts = self.problem.facts
        facts.pop("eps")
        return brief(self, **facts, places=len(self.eps))

    @cached_property
    def count(self) -> Index:
        """How many support vectors each has, shape (k,)."""
        return frozen([int(fit.support.sum()) for fit in self.fits], np.intp)

    @cached_property
    def norm_w(self) -> Array:
        """|w| of each, shape (k,)."""
        return frozen([fit.norm_w for fit in self.fits])

    @cached_property
    def objective(self) -> Array:
        """The value of each, shape (k,): convex in eps, with slope minus sum (alpha + alpha*)."""
        return frozen([fit.objective for fit in self.fits])


@validated
def along(problem: Tube, eps: Any = None, start: Fit | None = None) -> Along:
    """The tube at every eps (k,), each started from the one before; `start` begins.

    Without eps: 41 even places from 0 to 1.1 times where w = 0 for good (`Tube.level`; 1 where that is 0). Raises
    BadInput and SolverFailed as `solve` does.
    """
    if eps is None:
        eps = np.linspace(0.0, 1.1 * problem.constant_fit_eps or 1.0, PLACES)
    eps = frozen(numbers("eps", eps))
    if eps.ndim != 1:
        raise BadInput("eps must be one-dimensional, a list of numbers; got shape {shape}.", shape=eps.shape)
    fits: list[Fit] = []
    for value in eps:
        start = solve(replace(problem, eps=float(value)), start=start)
        fits.append(start)
    return Along(problem, eps, tuple(fits))
