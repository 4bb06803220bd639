"""One against the rest: a binary machine for each class, the largest f decides, and every machine judges itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from svmlab.binary.kkt import Certificate
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array, Frozen, Index, Mask, brief
from svmlab.core.validate import validated
from svmlab.multiclass.classes import has_tie, predict_largest
from svmlab.multiclass.problem import Several


class Standing(Enum):
    """Where a point stands when the largest f decides."""

    CLEAR = "clear"  # its own machine says yes, and all others no
    LARGEST = "largest"  # some machine is wrong about it, its own f is the largest all the same
    TIE = "tie"  # another f is as large as its own, and none is larger
    WRONG = "wrong"  # another f is larger


@dataclass(frozen=True, eq=False)
class Machines(Frozen):
    """The optima of one against the rest, in the order of the classes of `problem`: f_k > 0 is the yes of class k."""

    problem: Several
    machines: tuple[Solution, ...]

    def __repr__(self) -> str:
        return brief(self, **self.problem.facts, support=[int(one.support.sum()) for one in self.machines])

    @property
    def classes(self) -> tuple[int, ...]:
        """The classes, in order."""
        return self.problem.data.classes

    @validated
    def machine(self, k: int) -> Solution:
        """The machine of class k. Raises BadInput for a class without a point."""
        self.problem.binary_problem(k)
        return self.machines[self.classes.index(k)]

    @cached_property
    def noise(self) -> float:
        """The round-off in a difference of two f."""
        return 2 * max(solution.noise for solution in self.machines)

    @validated
    def decision(self, Z: Array) -> Array:
        """f_k(z) of each machine for each row of Z (n, d), shape (n, k). Raises BadInput for another shape."""
        return np.stack([solution.decision(Z) for solution in self.machines], 1)

    @validated
    def predict(self, Z: Array) -> Array:
        """The class with the largest f for each row of Z (n, d), shape (n,); of those that tie the first."""
        return predict_largest(self.decision(Z), self.classes, self.noise)

    @validated
    def tied(self, Z: Array) -> Mask:
        """Whether a second f is as large, up to the round-off of f, for each row of Z (n, d), shape (n,)."""
        return has_tie(self.decision(Z), self.noise)

    @validated
    def count_positive(self, Z: Array) -> Index:
        """How many machines say yes, f_k > 0 beyond round-off, for each row of Z (n, d), shape (n,)."""
        return np.asarray((self.decision(Z) > self.noise).sum(1))

    @cached_property
    def categories(self) -> tuple[Standing, ...]:
        """Where each point stands."""
        f, noise = self._own, self.noise
        own = np.eye(len(self.classes), dtype=bool)[self.problem.data.class_index]
        right: Mask = np.all(np.where(own, f > noise, f < -noise), axis=1)
        lead = f[own] - np.where(own, -np.inf, f).max(1)
        kind = np.select([lead < -noise, lead <= noise, right], [0, 1, 2], 3)
        return tuple((Standing.WRONG, Standing.TIE, Standing.CLEAR, Standing.LARGEST)[k] for k in kind)

    @cached_property
    def certificate(self) -> Certificate:
        """That of the machine whose largest residual is the most times its floor."""
        return max((solution.certificate for solution in self.machines), key=_badness)

    @property
    def proven(self) -> bool:
        """Whether every machine's certificate holds at its floor."""
        return all(solution.proven for solution in self.machines)

    @cached_property
    def _own(self) -> Array:
        """F at the points themselves, shape (m, k): a machine with w = 0 says the same everywhere."""
        signs = [solution.problem.data.y for solution in self.machines]
        return np.stack([y * solution.margins for y, solution in zip(signs, self.machines, strict=True)], 1)


def _badness(c: Certificate) -> float:
    residuals = (c.stationarity, c.primal_feasibility, c.dual_feasibility, c.complementarity, abs(c.gap))
    return float(np.max(np.nan_to_num(residuals, nan=np.inf))) / c.floor
