"""What the solvers are given: equal points once, coordinates near 0, a Gram matrix of unit scale that is never
indefinite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.rules import LARGEST
from svmlab.kernels.base import Kernel, overflow_error
from svmlab.solvers.gram.build import build_gram, whole
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.spectrum import Spectrum, spectrum
from svmlab.solvers.merged import UniquePoints, merge_equal_points


@dataclass(frozen=True, eq=False)
class Preprocessed(Frozen):
    """points relative to `origin` (None where it stays), Q and kappa over them, and the spectrum of an indefinite
    kernel.

    fine: what stands for the kernel, as `Kernel.fine` gives it.
    """

    problem: Problem
    points: UniquePoints
    Q: Gram
    kappa: float
    origin: Array | None
    spectrum: Spectrum | None
    centred_kernel: tuple[Kernel, Array] | None = None

    @property
    def clipped(self) -> float | None:
        """The negative eigenvalue because of which another problem is solved, None where the kernel itself is used."""
        return None if self.spectrum is None else self.spectrum.smallest

    def weights(self, alpha: Array) -> Array:
        """The sum of y_i alpha_i over the rows of each of `points`: their order depends on the set of points alone."""
        points, signed = self.points, alpha * self.problem.data.y
        order = slice(None) if self.problem.weights is None else np.lexsort((signed, points.point_of_row))
        return np.asarray(np.bincount(points.point_of_row[order], signed[order], len(points.y)), dtype=float)

    def expansion(self, alpha: Array) -> tuple[Array, float]:
        """The c (m,) and s with f(x) = sum_i c_i k(x_i, x) - s + b, for the clipped matrix and b its own bias.

        On the points sum_i c_i k(x_i, .) gives the clipped values, with bias up to the constant s.
        """
        assert self.spectrum is not None
        points, weights = self.points, self.weights(alpha)
        c, s = self.spectrum.project(weights), 0.0
        if self.problem.bias:
            s = float((self.problem.kernel(points.Z, points.Z) @ c - self.spectrum.clipped_matrix() @ weights).mean())
        out = np.zeros(len(alpha))
        out[points.first_row] = c
        return frozen(out), s


def preprocess(problem: Problem, old: Gram | None = None) -> Preprocessed:
    """The reduced form of a problem with at least one point; `old` is the Gram matrix of a similar one, to be used
    up.
    """
    data, origin = problem.data, None
    if problem.kernel.is_linear and problem.bias:
        # With a bias a straight line moves along with the points: near 0 no digit is lost.
        origin = frozen(0.5 * data.X.min(0) + 0.5 * data.X.max(0))
    points = merge_equal_points(data.X, data.y, origin)
    clipped, centred = None, problem.kernel.centred_kernel(points.Z) if problem.bias else None
    if not problem.kernel.psd:
        found = spectrum(problem.kernel(points.Z, points.Z), problem.bias)
        clipped = found if found.is_indefinite else None
    if clipped is None:
        Q, kappa = build_gram(problem.kernel if centred is None else centred[0], points.Z, points.y, old)
    else:
        Q, kappa = whole(clipped.clipped_matrix(), points.y)
    total = float(problem.bounds.sum())
    if not problem.hard and not (kappa * problem.bounds.min() > 0 and kappa * total * total < LARGEST**3):
        raise overflow_error(problem.C, kappa)
    return Preprocessed(problem, points, Q, kappa, origin, clipped, centred)
