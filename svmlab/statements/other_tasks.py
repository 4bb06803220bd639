"""Several classes and regression on one board, solved exactly and as the printed programs by cvxopt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from svmlab import multiclass, regression
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array, frozen
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import titles_where
from svmlab.multiclass import Classes, MulticlassProblem, OneVsRestSolution
from svmlab.regression import Fit, Tube, Values, programs
from svmlab.solvers import cvxopt_backend
from svmlab.solvers.program import QP
from svmlab.statements import opinion
from svmlab.statements.centred import coordinates
from svmlab.statements.does_not_apply import DoesNotApply

PART = 0.5  # where eps is not chosen: in units of the least eps for which a constant function is optimal
LARGE = 2_000  # entries of Phi above which the primal is not solved


def features(kernel: Kernel, X: Array, gram: Array) -> Array:
    """Return coordinates (m, D) with K = Phi Phi'.

    They are the feature map where it is finite, and otherwise coordinates in the span of the points. Raises
    DoesNotApply for a kernel that is not positive semidefinite.
    """
    if not kernel.psd:
        raise DoesNotApply(
            "The {kernel} kernel with these parameters has no feature space, so there is no w. Choose the "
            "{choice} kernel.",
            kernel=kernel.title,
            choice=titles_where(lambda k: k.psd),
        )
    if kernel.feature_dim(X.shape[1]) is not None:
        return frozen(kernel.feature_map(X))
    _, first, place = np.unique(X, axis=0, return_index=True, return_inverse=True)
    return frozen(coordinates(kernel, X, gram)[first][place.ravel()])  # of equal points exactly equal


@dataclass(frozen=True, eq=False)
class TubeSolution:
    """A solution of one program of a tube.

    w (D,) in the coordinates of Phi, b, and the multipliers alpha, alpha_star (m,) of the upper and the lower edge.
    """

    w: Array
    b: float
    alpha: Array
    alpha_star: Array
    value: float


@dataclass(frozen=True, eq=False)
class OtherTasks:
    """Several classes and regression at the points of a problem.

    given, given_tube: the classes and the tube where the caller has them. Otherwise the two labels are the classes 1
    and 2, and x2 is the value at x1. second: solves a dual with cvxopt.
    """

    problem: Problem
    given: MulticlassProblem | None = None
    given_tube: Tube | None = None
    second: Callable[[Problem], opinion.Dual] = opinion.dual

    @cached_property
    def several(self) -> MulticlassProblem:
        """The one-vs-rest problem, not yet solved.

        Raises DoesNotApply for fewer than two classes.
        """
        p = self.problem
        several = self.given or MulticlassProblem(
            Classes(p.data.X, np.where(p.data.y > 0, 1, 2), p.data.ids), p.kernel, p.C, p.bias
        )
        if len(several.data.classes) < 2:
            raise DoesNotApply(
                "There is only one class, so there is nothing to separate it from. Add a point of another class."
            )
        return several

    @cached_property
    def machines(self) -> OneVsRestSolution:
        """The exact solution of each class against the rest."""
        return multiclass.solve(self.several)

    @cached_property
    def opinions(self) -> tuple[opinion.Dual, ...]:
        """The solution of the printed dual of each class by cvxopt."""
        return tuple(map(self.second, self.pairings))

    @cached_property
    def pairings(self) -> tuple[Problem, ...]:
        """The problem of each class against all others, with its labels written out here."""
        p, classes = self.several, sorted(set(self.several.data.y.tolist()))
        return tuple(
            Problem(Dataset(p.data.X, [1 if label == k else -1 for label in p.data.y]), p.kernel, p.C, p.bias)
            for k in classes
        )

    @cached_property
    def tube(self) -> Tube:
        """The tube, not yet solved.

        It is at C = 1 where the board has the hard margin. Its eps is half of the least eps for which a constant
        function is optimal.
        """
        p = self.problem
        if self.given_tube is not None:
            return self.given_tube
        if p.data.d != 2:
            raise DoesNotApply(
                "Regression predicts x₂ from x₁ here, but these points have {d} coordinates. Use points with two "
                "coordinates.",
                d=p.data.d,
            )
        values = Values(p.data.X[:, :1], p.data.X[:, 1], p.data.ids)
        tube = Tube(values, p.kernel, 1.0 if p.hard else p.C, 0.0, p.bias)
        return replace(tube, eps=PART * tube.constant_fit_eps)

    @cached_property
    def Phi(self) -> Array:
        """The points of the regression in feature space (m, D)."""
        tube = self.tube
        return features(tube.kernel, tube.data.X, tube.gram)

    @cached_property
    def fit(self) -> Fit:
        """The exact solution of the tube."""
        return regression.solve(self.tube)

    @cached_property
    def primal(self) -> TubeSolution | None:
        """The solution of the primal by cvxopt, in the coordinates of Phi; None where they are too many."""
        if self.Phi.size > LARGE:
            return None
        tube = self.tube
        lifted = Tube(Values(self.Phi, tube.data.y), C=tube.C, eps=tube.eps, bias=tube.bias)
        program, m, k = cvxopt_backend.solve_qp(lifted.qp("primal")), tube.data.m, int(tube.bias)
        w = program.u[k : k + self.Phi.shape[1]]
        return TubeSolution(
            w, _first(program.u, k), program.inequality[:m], program.inequality[m : 2 * m], program.value
        )

    @cached_property
    def dual(self) -> TubeSolution:
        """The solution of the dual by cvxopt."""
        tube, qp = self.tube, programs.dual(self.tube)
        unit = min(1.0 / (float(np.diag(tube.gram).max()) or 1.0), tube.C)  # multipliers in this unit are of order one
        program = cvxopt_backend.solve_qp(QP(unit * qp.P, qp.q, qp.A, qp.c / unit, qp.E, qp.e / unit, qp.variables))
        alpha, star = programs.multipliers(tube, unit * program.u)
        return TubeSolution(
            (alpha - star) @ self.Phi, _first(program.equality, tube.bias), alpha, star, -unit * program.value
        )

    @cached_property
    def labelled(self) -> Array:
        """Return w (D,) = sum a_i y_i phi(x_i) of the dual of classification with the values y as labels, by cvxopt.

        max sum a - 1/2 a'(yy' o K)a  subject to  y'a = 0 (with bias),  0 <= a <= C
        """
        tube, y, m = self.tube, self.tube.data.y, self.tube.data.m
        A, c = np.vstack([np.eye(m), -np.eye(m)]), np.r_[np.zeros(m), np.full(m, -tube.C)]
        E = y[None, :] if tube.bias else np.zeros((0, m))
        names = tuple(f"alpha{i + 1}" for i in range(m))
        program = cvxopt_backend.solve_qp(QP(np.outer(y, y) * tube.gram, -np.ones(m), A, c, E, np.zeros(len(E)), names))
        return np.asarray((program.u * y) @ self.Phi)


def _first(entries: Array, exists: bool | int) -> float:
    return float(entries[0]) if exists else 0.0
