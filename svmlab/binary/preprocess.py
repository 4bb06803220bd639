"""Reduce a problem to what the solvers need.

Equal points are merged, coordinates are moved near 0, and the Gram matrix has unit scale and is never indefinite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.binary.expansion import centre_of_points
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.rules import LARGEST_MAGNITUDE
from svmlab.kernels.base import Kernel, overflow_error
from svmlab.solvers.gram.build import build_gram, gram_from_matrix
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.spectrum import Spectrum, kernel_spectrum
from svmlab.solvers.gram.warm_start import WarmStart, keep_gram
from svmlab.solvers.unique_points import UniquePoints, merge_equal_points


@dataclass(frozen=True, eq=False)
class Preprocessed(Frozen):
    """The merged points with their scaled Gram matrix Q and its scale kappa.

    origin: the coordinates are relative to it (None where they are not moved). spectrum: of an indefinite kernel, else
    None. centred_kernel: the kernel that is used in place of the problem's own, as `Kernel.centred_kernel` returns it.
    """

    problem: Problem
    points: UniquePoints
    Q: Gram
    kappa: float
    origin: Array | None
    spectrum: Spectrum | None
    centred_kernel: tuple[Kernel, Array] | None = None

    @property
    def clipped_eigenvalue(self) -> float | None:
        """Return the negative eigenvalue that changed the problem, or None where the kernel itself is used."""
        return None if self.spectrum is None else self.spectrum.smallest

    def warm_start(self) -> WarmStart | None:
        """Return what the next problem can reuse, or None."""
        if self.clipped_eigenvalue is not None:
            return None
        kernel = self.problem.kernel if self.centred_kernel is None else self.centred_kernel[0]
        return keep_gram(kernel, self.points.Z, self.points.y, self.kappa, self.Q)

    def signed_alpha(self, alpha: Array) -> Array:
        """Return the sum of y_i alpha_i over the rows of each merged point.

        The order of summation depends on the set of points alone.
        """
        points, signed = self.points, alpha * self.problem.data.y
        order = slice(None) if self.problem.weights is None else np.lexsort((signed, points.point_of_row))
        return np.asarray(np.bincount(points.point_of_row[order], signed[order], len(points.y)), dtype=float)

    def clipped_expansion(self, alpha: Array) -> tuple[Array, float]:
        """Return c (m,) and s with f(x) = sum_i c_i k(x_i, x) - s + b, where b is the bias of the clipped problem.

        On the points, sum_i c_i k(x_i, .) equals the values of the clipped matrix, with bias up to the constant s.
        """
        assert self.spectrum is not None
        points, weights = self.points, self.signed_alpha(alpha)
        c, s = self.spectrum.project(weights), 0.0
        if self.problem.bias:
            s = float((self.problem.kernel(points.Z, points.Z) @ c - self.spectrum.clipped_matrix() @ weights).mean())
        out = np.zeros(len(alpha))
        out[points.first_row] = c
        return frozen(out), s


def preprocess(problem: Problem, start: WarmStart | None = None) -> Preprocessed:
    """Return the reduced form of a problem with at least one point.

    start: the Gram matrix of a similar problem, whose entries are reused where they fit. Raises BadInput where the
    numbers are too large.
    """
    data, origin = problem.data, centre_of_points(problem.kernel, problem.data.X, problem.bias)
    points = merge_equal_points(data.X, data.y, origin)
    spectrum, centred = None, problem.kernel.centred_kernel(points.Z) if problem.bias else None
    if not problem.kernel.psd:
        eigen = kernel_spectrum(problem.kernel(points.Z, points.Z), problem.bias)
        spectrum = eigen if eigen.is_indefinite else None
    if spectrum is None:
        Q, kappa = build_gram(problem.kernel if centred is None else centred[0], points.Z, points.y, start)
    else:
        Q, kappa = gram_from_matrix(spectrum.clipped_matrix(), points.y)
    smallest_bound, total = problem.C, problem.C * data.m
    if not problem.has_equal_costs:
        smallest_bound, total = float(problem.bounds.min()), float(problem.bounds.sum())
    if not problem.hard and not (kappa * smallest_bound > 0 and kappa * total * total < LARGEST_MAGNITUDE**3):
        raise overflow_error(problem.C, kappa)
    return Preprocessed(problem, points, Q, kappa, origin, spectrum, centred)
