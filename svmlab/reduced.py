"""What the solvers are given: equal points once, coordinates near 0, a Gram matrix of unit scale that is never indefinite."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Frozen, frozen
from svmlab.given import LARGEST
from svmlab.kernel import Kernel, beyond
from svmlab.problem import Problem
from svmlab.solvers.clip import Spectrum, spectrum
from svmlab.solvers.forms import gram, whole
from svmlab.solvers.gram import Gram
from svmlab.solvers.merged import Merged, merge


@dataclass(frozen=True, eq=False)
class Reduced(Frozen):
    """points relative to `origin` (None where it stays), Q and kappa over them, and the spectrum of an indefinite kernel.

    fine: what stands for the kernel, as `Kernel.fine` gives it. places: the distinct points, over which the spectrum is;
    `points` has them once for each weight.
    """

    problem: Problem
    points: Merged
    places: Merged
    Q: Gram
    kappa: float
    origin: Array | None
    spectrum: Spectrum | None
    fine: tuple[Kernel, Array] | None = None

    @property
    def clipped(self) -> float | None:
        """The negative eigenvalue because of which another problem is solved, None where the kernel itself is used."""
        return None if self.spectrum is None else self.spectrum.smallest

    def weights(self, alpha: Array) -> Array:
        """The sum of y_i alpha_i over the rows of each of `points`: their order depends on the set of points alone."""
        points = self.points
        return np.asarray(np.bincount(points.group, alpha * self.problem.data.y, len(points.y)), dtype=float)

    def expansion(self, alpha: Array) -> tuple[Array, float]:
        """The c (m,) and s with f(x) = sum_i c_i k(x_i, x) - s + b, for the clipped matrix and b its own bias.

        On the points sum_i c_i k(x_i, .) gives the clipped values, with bias up to the constant s.
        """
        assert self.spectrum is not None
        points, weights = self.places, self.weights(alpha)
        if points is not self.points:
            weights = np.asarray(np.bincount(points.group[self.points.first], weights, len(points.y)), dtype=float)
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
    points = places = merge(data.X, data.y, origin)
    if problem.weights is not None and not problem.hard:
        points = merge(data.X, data.y, origin, problem.v)
    clipped, fine = None, problem.kernel.fine(points.Z) if problem.bias else None
    if not problem.kernel.psd:
        found = spectrum(problem.kernel(places.Z, places.Z), problem.bias)
        clipped = found if found.indefinite else None
    if clipped is None:
        Q, kappa = gram(problem.kernel if fine is None else fine[0], points.Z, points.y, old)
    else:
        at = places.group[points.first]
        Q, kappa = whole(clipped.clipped()[np.ix_(at, at)], points.y)
    if not problem.hard and not (
        kappa * problem.bounds.min() > 0 and kappa * float(problem.bounds.sum()) ** 2 < LARGEST**3
    ):
        raise beyond(problem.C, kappa)
    return Reduced(problem, points, places, Q, kappa, origin, clipped, fine)
