"""One-vs-rest: a binary SVM for each class, of which the largest f predicts, and the certificate of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from svmlab.binary.kkt import Certificate
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array, Frozen, Index, Mask, frozen, short_repr
from svmlab.core.validate import validated
from svmlab.multiclass.classes import ArgmaxPrediction
from svmlab.multiclass.problem import MulticlassProblem


class MulticlassCategory(Enum):
    """The category of a point when the largest f decides."""

    CLEAR = "clear"  # its own SVM classifies it as +1, and all others as -1
    LARGEST = "largest"  # some SVM misclassifies it, but its own f is still the largest
    TIE = "tie"  # another f is as large as its own, and none is larger
    WRONG = "wrong"  # another f is larger


@dataclass(frozen=True, eq=False)
class OneVsRestSolution(Frozen, ArgmaxPrediction):
    """The binary optima of one-vs-rest, in the order of the classes of `problem`; f_k > 0 predicts class k."""

    problem: MulticlassProblem
    machines: tuple[Solution, ...]

    def __repr__(self) -> str:
        return short_repr(
            self, **self.problem.facts, support=[int(solution.support.sum()) for solution in self.machines]
        )

    @property
    def classes(self) -> tuple[int, ...]:
        """The classes in ascending order."""
        return self.problem.data.classes

    @validated
    def machine(self, k: int) -> Solution:
        """Return the binary solution of class k. Raises BadInput for a class without a point."""
        self.problem.binary_problem(k)
        return self.machines[self.classes.index(k)]

    @cached_property
    def noise(self) -> float:
        """The rounding error of a difference of two f."""
        return 2 * max(solution.noise for solution in self.machines)

    @validated
    def decision(self, Z: Array) -> Array:
        """Return f_k(z) of each class for each row of Z (n, d), shape (n, k). Raises BadInput for another shape."""
        return np.stack([solution.decision(Z) for solution in self.machines], 1)

    @validated
    def decision_function(self, Z: Array) -> Array:
        """Return `decision(Z)`, under the name that scikit-learn gives it. Raises BadInput for another shape."""
        return self.decision(Z)

    @validated
    def count_positive(self, Z: Array) -> Index:
        """Return the number of classes with f_k > 0 beyond rounding, for each row of Z (n, d), shape (n,)."""
        return np.asarray((self.decision(Z) > self.noise).sum(1))

    @cached_property
    def categories(self) -> tuple[MulticlassCategory, ...]:
        """The category of each point."""
        f, noise = self._f_at_points, self.noise
        own = np.eye(len(self.classes), dtype=bool)[self.problem.data.class_index]
        all_correct: Mask = np.all(np.where(own, f > noise, f < -noise), axis=1)
        advantage = f[own] - np.where(own, -np.inf, f).max(1)
        kind = np.select([advantage < -noise, advantage <= noise, all_correct], [0, 1, 2], 3)
        return tuple(
            (MulticlassCategory.WRONG, MulticlassCategory.TIE, MulticlassCategory.CLEAR, MulticlassCategory.LARGEST)[k]
            for k in kind
        )

    @cached_property
    def certificate(self) -> Certificate:
        """The certificate whose largest residual is the largest multiple of its floor."""
        return max((solution.certificate for solution in self.machines), key=lambda c: c.largest_residual / c.floor)

    @property
    def proven(self) -> bool:
        """Whether every certificate holds at its floor."""
        return all(solution.proven for solution in self.machines)

    @cached_property
    def _f_at_points(self) -> Array:
        """Return f at the points themselves, shape (m, k); an SVM with w = 0 has the same f everywhere."""
        signs = [solution.problem.data.y for solution in self.machines]
        return frozen(np.stack([y * solution.margins for y, solution in zip(signs, self.machines, strict=True)], 1))
