"""One board with everything that its checks share, where each problem is solved once and only on demand."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from svmlab.binary.path import Path, regularization_path
from svmlab.binary.problem import EQUAL_COSTS, Problem
from svmlab.binary.separability import Separation, separate
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.errors import SvmError
from svmlab.core.phrase import N_
from svmlab.data import Dataset
from svmlab.multiclass import MulticlassProblem
from svmlab.regression import Tube
from svmlab.statements import opinion
from svmlab.statements.centred import bias_shift, gram
from svmlab.statements.does_not_apply import DoesNotApply as DoesNotApply
from svmlab.statements.other_tasks import OtherTasks, features
from svmlab.statements.walk import PegasosRuns

LARGE = 30_000  # above this number of entries of Phi, a program that no other check shares takes seconds
ROUND = 100.0  # times the round-off in f: the accuracy to which different solvers agree
ROUGH = 1e-3  # of a margin: round-off or a gap beyond it leaves nothing to compare
OPINIONS = ("soft_primal", "soft_dual", "hard_primal", "hard_dual")
GRID = tuple(float(C) for C in np.geomspace(1e-2, 1e3, 11))


@dataclass(frozen=True, eq=False)
class Situation:
    """A problem with what its checks need, computed on demand.

    These are the solutions of three solvers at its C and for the hard margin, the exact solutions along C, and
    Pegasos.

    solution: the exact optimum, if the caller already has it. several, tube: the problem on points that do not have
    two classes; `problem` then separates the first class from all others. Whatever does not exist on this board
    raises DoesNotApply.
    """

    problem: Problem
    solution: Solution | None = None
    several: MulticlassProblem | None = None
    tube: Tube | None = None

    def note_on_subject(self, subject: str) -> str:
        """Return a note that says which SVM was checked, if it is not the one on the board."""
        if subject in ("soft", "tube") and self.tube is None and self.problem.hard:
            return N_("The board has a hard margin. This statement was checked for C = 1.")
        if subject == "hard" and not self.problem.hard:
            return N_("This statement was checked for the hard margin of the same points.")
        return ""

    @property
    def X(self) -> Array:
        """Return the points (m, d)."""
        return self.problem.data.X

    @property
    def y(self) -> Array:
        """Return the labels (m,)."""
        return self.problem.data.y

    @property
    def m(self) -> int:
        """Return the number of points."""
        return self.problem.data.m

    @cached_property
    def Phi(self) -> Array:
        """Return the points in feature space (m, D).

        They are the feature map if that is finite, else coordinates of the points' span, with K = Phi Phi'.
        """
        self.need_points()
        return features(self.problem.kernel, self.X, self.problem.gram)

    @property
    def centred(self) -> Array:
        """Return Phi, minus its mean if there is a bias.

        With y'alpha = 0 the normal w is the same, and the coordinates of points far from the origin do not cancel in
        it.
        """
        return np.asarray(self.Phi - self.Phi.mean(0)) if self.problem.bias else self.Phi

    @cached_property
    def max_norm(self) -> float:
        """Return X = max_i |phi(x_i)|, or 1 if all are 0."""
        return float(np.linalg.norm(self.Phi, axis=1).max()) or 1.0

    @cached_property
    def lifted(self) -> Dataset:
        """Return the same points in feature space, as a dataset for a linear SVM."""
        return Dataset(self.Phi, self.y)

    def expand(self, alpha: Array) -> Array:
        """Return the normal sum_i alpha_i y_i phi(x_i), shape (D,)."""
        return (alpha * self.y) @ self.centred

    def distance_in_margins(self, v: Array, w: Array) -> float:
        """Return the distance of two normals in margin units: X |v - w| / max(1, X |w|)."""
        return self.max_norm * float(np.linalg.norm(v - w)) / max(1.0, self.max_norm * float(np.linalg.norm(w)))

    def length_unit(self, w: Array) -> float:
        """Return the unit of lengths: X, or the distance 1/|w| from the boundary to a margin line if that is more.

        A distance is |f|/|w|, so an error of f, in units of max(1, X |w|), causes an error of a length of as many of
        these units.
        """
        return max(self.max_norm, 1.0 / float(np.linalg.norm(w)))

    def need_points(self) -> None:
        """Raise DoesNotApply if there are no points."""
        if self.m == 0:
            raise DoesNotApply("There are no points yet. Add at least one.")

    def need_classes(self) -> None:
        """Raise DoesNotApply if there is a bias and only one class."""
        if self.m and self.problem.bias and not self.problem.data.both_classes:
            raise DoesNotApply(
                "There is only one class. With a bias this gives w = 0, so there is no decision boundary. Add a "
                "point of the other class."
            )

    def need_bias(self) -> None:
        """Raise DoesNotApply if there is no bias."""
        if not self.problem.bias:
            raise DoesNotApply("This statement is about the bias b, but the classifier has none. Switch the bias on.")

    def require_nonzero_w(self, w: Array | float) -> None:
        """Raise DoesNotApply if the normal is 0 up to rounding."""
        if self.max_norm * float(np.linalg.norm(w)) < 1e-4:
            raise DoesNotApply(
                "Here w = 0, so f is constant and there is no decision boundary. Increase C, or move the classes apart."
            )

    @property
    def large(self) -> bool:
        """Return whether w has so many entries, for so many points, that further programs take seconds."""
        return bool(self.Phi.size > LARGE)

    def need_small(self) -> None:
        """Raise DoesNotApply if there are too many points for a check that solves several programs of its own."""
        if self.large:
            raise DoesNotApply(
                "With this kernel w has {entries} components, and this check solves several programs of that "
                "size. Use at most 150 points, or a kernel with fewer features.",
                entries=self.Phi.shape[1],
            )

    def tolerance_for(self, tol: float, *solutions: Solution) -> float:
        """Return the tolerance, or ROUND times the round-off in f if that is larger.

        Different solvers agree at best to that accuracy. Raises DoesNotApply if it is above a thousandth of a margin.
        """
        return self.tolerance_above_noise(tol, ROUND * max((e.noise for e in solutions), default=0.0))

    def tolerance_above_noise(self, tol: float, noise: float) -> float:
        """Return the tolerance, or the round-off of the compared numbers if that is larger.

        Raises DoesNotApply if the round-off is above a thousandth of a margin.
        """
        if noise > ROUGH:
            raise DoesNotApply(
                "The multipliers are so large here that rounding errors change the numbers. Decrease C, move the "
                "classes apart, or choose a kernel of lower degree."
            )
        return max(tol, noise)

    @property
    def fresh(self) -> Situation:
        """Return the same board with nothing solved yet."""
        return Situation(self.problem, self.solution, self.several, self.tube)

    def need_resolved(self, names: set[str], off: float, tol: float) -> None:
        """Raise DoesNotApply if a residual `off` above tol is no more than the inaccuracy of one of these answers.

        names: the attributes that the check read. Their own certificates give their accuracy.
        """
        for name in sorted(
            names & {"soft_solution", "hard_solution", "grid_solutions", *OPINIONS, "with_bias_switched"}
        ):
            answer = getattr(self, name)
            if isinstance(answer, Situation):
                answer.need_resolved(set(vars(answer)), off, tol)
            elif isinstance(answer, opinion.Primal | opinion.Dual):
                self.need_close(answer, off, tol)
            else:
                for e in answer if isinstance(answer, tuple) else (answer,):
                    need_certified(e)

    def need_close(self, answer: opinion.Primal | opinion.Dual, off: float, tol: float) -> None:
        """Raise DoesNotApply if the gap of a second opinion leaves room for the residual `off`, in margin units.

        The difference of two squares counts twice.
        """
        w = answer.w if isinstance(answer, opinion.Primal) else self.expand(answer.alpha)
        uncertainty = self.max_norm * answer.uncertainty_of_w / max(1.0, self.max_norm * float(np.linalg.norm(w)))
        if not off > tol + 2.0 * uncertainty or uncertainty > ROUGH:
            raise DoesNotApply(
                "The primal and the dual value of the second solver, cvxopt, differ. So its w is accurate only to "
                "{left:.1g} of a margin here, and a comparison with it proves nothing. Decrease C, standardise "
                "the points, or choose a kernel of lower degree.",
                left=uncertainty,
            )

    def tolerance(self, subject: str, tol: float) -> float:
        """Return `level` for the SVM that a statement is about, or `tol` itself if it is about none."""
        name = {"hard": "hard_solution", "soft": "soft_solution", "board": "board_solution"}.get(subject)
        try:
            solutions = [getattr(self, name)] if name else []
        except SvmError:
            return tol
        return self.tolerance_for(tol, *solutions)

    @cached_property
    def soft_problem(self) -> Problem:
        """Return the problem at its own C, or at C = 1 if the board has a hard margin."""
        return replace(self.problem, C=1.0, costs=EQUAL_COSTS, weights=None) if self.problem.hard else self.problem

    @cached_property
    def hard_problem(self) -> Problem:
        """Return the problem at C = inf, without class costs and weights.

        These have no meaning at C = inf, and would take effect again with a finite C.
        """
        return replace(self.problem, C=math.inf, costs=EQUAL_COSTS, weights=None)

    @cached_property
    def soft_solution(self) -> Solution:
        """Return the exact optimum of `soft_problem`. With a bias it needs both classes."""
        self.need_classes()
        _ = self.Phi
        known = None if self.problem.hard else self.solution
        return known or solve(self.soft_problem)

    @cached_property
    def inner(self) -> Array:
        """Return K, with a bias that of the features minus their mean.

        With y'alpha = 0 the sums over it are the same, and less cancels in them.
        """
        return gram(self.problem.kernel, self.X, self.problem.gram) if self.problem.bias else self.problem.gram

    def summed(self, alpha: Array, b: float) -> Array:
        """Return sum_i alpha_i y_i k(x_i, x_j) + b at each point, shape (m,), where y'alpha = 0 if there is a bias.

        With a bias, a term of k that is the same for all points is added to b.
        """
        c, K = alpha * self.y, self.problem.gram
        return c @ self.inner + (
            b + bias_shift(self.problem.kernel, self.X, K, self.inner, c) if self.problem.bias else b
        )

    @cached_property
    def separation(self) -> Separation:
        """Return whether the classes are separable, with a proof."""
        _ = self.Phi
        return separate(self.problem.data, self.problem.kernel, self.problem.bias)

    def need_separable(self) -> None:
        """Raise DoesNotApply if there is no hard margin."""
        self.need_classes()
        if not self.separation.separable:
            raise DoesNotApply(
                "No boundary of this kernel{through} separates the classes, so the hard margin has no solution. "
                "Move the points that lie in the other class, or choose another kernel.",
                through="" if self.problem.bias else N_(" through the origin"),
            )

    @cached_property
    def hard_solution(self) -> Solution:
        """Return the exact hard margin. It needs separable classes."""
        self.need_separable()
        known = self.solution if self.problem.hard else None
        return known or solve(self.hard_problem)

    @property
    def board_solution(self) -> Solution:
        """Return the solution on the board: `hard_solution` if C = inf, else `soft_solution`."""
        return self.hard_solution if self.problem.hard else self.soft_solution

    @cached_property
    def soft_primal(self) -> opinion.Primal:
        """Return cvxopt's solution of the printed primal of `soft_problem`."""
        self.need_classes()
        return opinion.primal(Problem(self.lifted, C=self.soft_problem.C, bias=self.soft_problem.bias))

    @cached_property
    def hard_primal(self) -> opinion.Primal:
        """Return cvxopt's solution of the printed primal at C = inf."""
        self.need_separable()
        return opinion.primal(Problem(self.lifted, C=math.inf, bias=self.hard_problem.bias))

    @cached_property
    def soft_dual(self) -> opinion.Dual:
        """Return cvxopt's solution of the printed dual of `soft_problem`."""
        self.need_classes()
        _ = self.Phi
        return opinion.dual(self.soft_problem)

    @cached_property
    def hard_dual(self) -> opinion.Dual:
        """Return cvxopt's solution of the printed dual at C = inf."""
        self.need_separable()
        return opinion.dual(self.hard_problem)

    @cached_property
    def largest_lp_margin(self) -> float:
        """Return the largest margin that a linear program finds.

        It is positive if and only if the classes are separable.
        """
        return opinion.largest_lp_margin(self.Phi / self.max_norm, self.y, self.problem.bias)

    @cached_property
    def with_bias_switched(self) -> Situation:
        """Return the same board with a bias if it has none, and without one if it has a bias."""
        return Situation(replace(self.problem, bias=not self.problem.bias))

    @cached_property
    def pegasos_runs(self) -> PegasosRuns:
        """Return Pegasos without bias at the lambda of `soft_problem`, with the runs that its checks share."""
        self.need_small()
        return PegasosRuns(self.lifted, self.soft_problem.lam)

    @cached_property
    def other_tasks(self) -> OtherTasks:
        """Return the problems of several classes and of values."""
        _ = self.Phi
        return OtherTasks(self.problem, self.several, self.tube, self._second)

    def _second(self, problem: Problem) -> opinion.Dual:
        known = {self.soft_problem.key: "soft_dual", self.hard_problem.key: "hard_dual"}
        return getattr(self, known[problem.key]) if problem.key in known else opinion.dual(problem)

    @cached_property
    def grid_solutions(self) -> tuple[Solution, ...]:
        """Return the exact optima at the values of GRID, with C increasing."""
        return self.path_solutions(GRID)

    @cached_property
    def soft_path(self) -> Path:
        """Return the regularisation path of `soft_problem` from C = 0."""
        self.need_classes()
        _ = self.Phi
        return regularization_path(self.soft_problem)

    def path_solutions(self, Cs: tuple[float, ...]) -> tuple[Solution, ...]:
        """Return the exact optima at the given C, on the path that starts at C = 0."""
        return tuple(self.soft_path.at(C) for C in Cs)


def need_certified(e: Solution) -> None:
    """Raise DoesNotApply if an optimum is not proven, because rounding limits its accuracy.

    An optimum also passes if it misses more than rounding explains although the exact method reports success. Then
    the optimum is wrong, and the check must show that.
    """
    c, exact = e.certificate, e.status.startswith("exact")
    if e.proven or (exact and not c.largest_residual <= c.floor):
        return
    if not e.least_norm_known:
        raise DoesNotApply(
            "Several α are optimal here, and double precision cannot decide which of them has the smallest "
            "norm. The rounding error of f is {noise:.1g}, and kernel values are as large as {largest:.1g}. "
            "Standardise the points, or choose a kernel of lower degree.",
            noise=e.noise,
            largest=float(np.abs(e.problem.gram).max()),
        )
    raise DoesNotApply(
        "Double precision cannot determine the optimum for C = {C:.3g}. Its certificate has a residual "
        "of {worst:.1g}, and rounding errors alone can cause {floor:.1g}. Decrease C, standardise the "
        "points, or choose a kernel of lower degree.",
        C=e.problem.C,
        worst=c.largest_residual,
        floor=c.floor,
    )
