"""Several classes and values on one board: each machine solved once exactly, and once as its printed program by
cvxopt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from svmlab import multiclass, regression
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array, frozen
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import titles_where
from svmlab.multiclass import Classes, Machines, Several
from svmlab.regression import Fit, Tube, Values, programs
from svmlab.solvers import cvxopt_programs
from svmlab.solvers.program import QP
from svmlab.statements import opinion
from svmlab.statements.centred import coordinates
from svmlab.statements.unmet import DoesNotApply

PART = 0.5  # of the eps from which on a level line will do, where nobody has chosen another
LARGE = 2_000  # entries of Phi beyond which the primal is not solved as a program


def features(kernel: Kernel, X: Array, gram: Array) -> Array:
    """Coordinates (m, D) with K = Phi Phi': the feature map where it is finite, else of the span of the points."""
    if not kernel.psd:
        raise DoesNotApply(
            (
                "The {kernel} kernel with these parameters has no feature space, so there is no w. Choose the "
                "{choice} kernel."
            ),
            kernel=kernel.title,
            choice=titles_where(lambda k: k.psd),
        )
    if kernel.feature_dim(X.shape[1]) is not None:
        return frozen(kernel.feature_map(X))
    return frozen(coordinates(kernel, X, gram))


@dataclass(frozen=True, eq=False)
class Edges:
    """What is said of one program of a tube: w (D,) in the coordinates of Phi, b, multipliers alpha, alpha_star (m,) of
    its edges.
    """

    w: Array
    b: float
    alpha: Array
    alpha_star: Array
    value: float


@dataclass(frozen=True, eq=False)
class OtherTasks:
    """Several classes and values at the points of a problem; what they are is `several` and `tube`, where the caller
    has that.

    Else the two classes are 1 and 2, and x2 is the value at the place x1. second: asks cvxopt for a dual.
    """

    problem: Problem
    given: Several | None = None
    given_tube: Tube | None = None
    second: Callable[[Problem], opinion.Dual] = opinion.dual

    @cached_property
    def several(self) -> Several:
        """One against the rest, not yet solved; needs two classes."""
        p = self.problem
        several = self.given or Several(
            Classes(p.data.X, np.where(p.data.y > 0, 1, 2), p.data.ids), p.kernel, p.C, p.bias
        )
        if len(several.data.classes) < 2:
            raise DoesNotApply(
                "There is only one class, and no rest that it could stand against. Add a point of another."
            )
        return several

    @cached_property
    def machines(self) -> Machines:
        """The exact machine of each class."""
        return multiclass.solve(self.several)

    @cached_property
    def opinions(self) -> tuple[opinion.Dual, ...]:
        """What cvxopt says of the printed dual of each class."""
        return tuple(self.second(self.several.binary_problem(k)) for k in self.several.data.classes)

    @cached_property
    def tube(self) -> Tube:
        """The tube, not yet solved: at C = 1 where the board asks for the hard margin, half as high as a level line
        needs.
        """
        p = self.problem
        if self.given_tube is not None:
            return self.given_tube
        if p.data.d != 2:
            raise DoesNotApply(
                (
                    "Here x₂ is the value that is told from x₁, and these points have {d} coordinates. Take points "
                    "of the plane."
                ),
                d=p.data.d,
            )
        values = Values(p.data.X[:, :1], p.data.X[:, 1], p.data.ids)
        tube = Tube(values, p.kernel, 1.0 if p.hard else p.C, 0.0, p.bias)
        return replace(tube, eps=PART * tube.constant_fit_eps)

    @cached_property
    def Phi(self) -> Array:
        """The places of the values in feature space (m, D)."""
        tube = self.tube
        return features(tube.kernel, tube.data.X, tube.gram)

    @cached_property
    def fit(self) -> Fit:
        """The exact tube."""
        return regression.solve(self.tube)

    @cached_property
    def primal(self) -> Edges | None:
        """What cvxopt says of the primal, in the coordinates of Phi; None where these are too many."""
        if self.Phi.size > LARGE:
            return None
        tube = self.tube
        lifted = Tube(Values(self.Phi, tube.data.y), C=tube.C, eps=tube.eps, bias=tube.bias)
        found, m, k = cvxopt_programs.solve_qp(lifted.qp("primal")), tube.data.m, int(tube.bias)
        w = found.u[k : k + self.Phi.shape[1]]
        return Edges(w, _first(found.u, k), found.inequality[:m], found.inequality[m : 2 * m], found.value)

    @cached_property
    def dual(self) -> Edges:
        """What cvxopt says of the dual."""
        tube, qp = self.tube, programs.dual(self.tube)
        a = min(1.0 / (float(np.diag(tube.gram).max()) or 1.0), tube.C)  # multipliers in units of a are of order one
        found = cvxopt_programs.solve_qp(QP(a * qp.P, qp.q, qp.A, qp.c / a, qp.E, qp.e / a, qp.variables))
        alpha, star = programs.multipliers(tube, a * found.u)
        return Edges((alpha - star) @ self.Phi, _first(found.equality, tube.bias), alpha, star, -a * found.value)

    @cached_property
    def labelled(self) -> Array:
        """The dual of classification with the values y as labels, solved by cvxopt: w (D,) = sum a_i y_i phi(x_i) in
        the coordinates of Phi.

        max sum a - 1/2 a'(yy' o K)a  subject to  y'a = 0 (with bias),  0 <= a <= C.
        """
        tube, y, m = self.tube, self.tube.data.y, self.tube.data.m
        A, c = np.vstack([np.eye(m), -np.eye(m)]), np.r_[np.zeros(m), np.full(m, -tube.C)]
        E = y[None, :] if tube.bias else np.zeros((0, m))
        names = tuple(f"alpha{i + 1}" for i in range(m))
        found = cvxopt_programs.solve_qp(QP(np.outer(y, y) * tube.gram, -np.ones(m), A, c, E, np.zeros(len(E)), names))
        return np.asarray((found.u * y) @ self.Phi)


def _first(entries: Array, there: bool | int) -> float:
    return float(entries[0]) if there else 0.0
