"""What the solvers are given: equal points once, coordinates near 0, a Gram matrix of unit scale that is never indefinite."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, frozen
from svmlab.problem import Problem
from svmlab.solvers.clip import Spectrum, spectrum
from svmlab.solvers.exact import Merged, merge
from svmlab.solvers.gram import Gram, gram, whole


@dataclass(frozen=True, eq=False)
class Reduced:
    """points relative to `origin` (None where it stays), Q and kappa over them, and the spectrum of an indefinite kernel."""

    problem: Problem
    points: Merged
    Q: Gram
    kappa: float
    origin: Array | None
    spectrum: Spectrum | None

    @property
    def clipped(self) -> float | None:
        """The negative eigenvalue because of which another problem is solved, None where the kernel itself is used."""
        return None if self.spectrum is None else self.spectrum.smallest

    def weights(self, alpha: Array) -> Array:
        """The sum of y_i alpha_i over the rows of each distinct point: their order depends on the set of points alone."""
        points = self.points
        return np.asarray(np.bincount(points.group, alpha * self.problem.data.y, len(points.y)), dtype=float)

    def expansion(self, alpha: Array) -> tuple[Array, float]:
        """The c (m,) and s with f(x) = sum_i c_i k(x_i, x) - s + b, for the clipped matrix and b its own bias.

        On the points sum_i c_i k(x_i, .) gives the clipped values, with bias up to the constant s.
        """
        assert self.spectrum is not None
        points, weights = self.points, self.weights(alpha)
        c, s = self.spectrum.project(weights), 0.0
        if self.problem.bias:
            s = float((self.problem.kernel(points.Z, points.Z) @ c - self.spectrum.clipped() @ weights).mean())
        out = np.zeros(len(alpha))
        out[points.first] = c
        return frozen(out), s


def reduce(problem: Problem, old: Gram | None = None) -> Reduced:
    """The reduced form of a problem with at least one point; `old` is the Gram matrix of a similar one, to be used up."""
    data, origin = problem.data, None
    if problem.kernel.straight and problem.bias:
        # With a bias a straight line moves along with the points: near 0 no digit is lost.
        origin = frozen(0.5 * data.X.min(0) + 0.5 * data.X.max(0))
    points = merge(data.X, data.y, origin)
    if not problem.kernel.psd:
        found = spectrum(problem.kernel(points.Z, points.Z), problem.bias)
        if found.indefinite:
            Q, kappa = whole(found.clipped(), points.y)
            return Reduced(problem, points, Q, kappa, origin, found)
    Q, kappa = gram(problem.kernel, points.Z, points.y, old)
    return Reduced(problem, points, Q, kappa, origin, None)
