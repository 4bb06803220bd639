"""One board with everything that its checks share, each thing solved once and only when asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from svmlab.arrays import Array
from svmlab.data import Dataset
from svmlab.errors import SvmError
from svmlab.multiclass import Several
from svmlab.path import Path, regularization_path
from svmlab.phrase import N_
from svmlab.problem import EVEN, Problem
from svmlab.regression import Tube
from svmlab.separation import Separation, separate
from svmlab.solution import Solution
from svmlab.solve import solve
from svmlab.statements import opinion
from svmlab.statements.beyond import Beyond, features
from svmlab.statements.unmet import DoesNotApply as DoesNotApply
from svmlab.statements.walk import Walk

LARGE = 30_000  # entries of Phi beyond which programs that no other check shares would take seconds
ROUND = 100.0
GRID = tuple(float(C) for C in np.geomspace(1e-2, 1e3, 11))


@dataclass(frozen=True, eq=False)
class Situation:
    """A problem, and lazily what its checks need: three solvers' answers at its C, for the hard margin, along C, and Pegasos.

    solution: the exact optimum where the caller has it already. several, tube: where the points are not of two classes;
    `problem` is then the first against the others. What cannot be had on this board raises DoesNotApply.
    """

    problem: Problem
    solution: Solution | None = None
    several: Several | None = None
    tube: Tube | None = None

    def note(self, machine: str) -> str:
        """Which machine was checked where it is not the one on the board."""
        if machine in ("soft", "tube") and self.tube is None and self.problem.hard:
            return N_("The board asks for the hard margin; this was checked at C = 1.")
        if machine == "hard" and not self.problem.hard:
            return N_("Checked on the hard margin of the same points.")
        return ""

    @property
    def X(self) -> Array:
        """Points (m, d)."""
        return self.problem.data.X

    @property
    def y(self) -> Array:
        """Labels (m,)."""
        return self.problem.data.y

    @property
    def m(self) -> int:
        """Number of points."""
        return self.problem.data.m

    @cached_property
    def Phi(self) -> Array:
        """Points in feature space (m, D): the feature map where it is finite, else coordinates of their span (K = Phi Phi')."""
        self.need_points()
        return features(self.problem.kernel, self.X, self.problem.gram)

    @cached_property
    def size(self) -> float:
        """X = max_i |phi(x_i)|; 1 if all are 0."""
        return float(np.linalg.norm(self.Phi, axis=1).max()) or 1.0

    @cached_property
    def lifted(self) -> Dataset:
        """The same points in feature space, as a dataset for a linear machine."""
        return Dataset(self.Phi, self.y)

    def expand(self, alpha: Array) -> Array:
        """The normal sum_i alpha_i y_i phi(x_i), shape (D,)."""
        return (alpha * self.y) @ self.Phi

    def apart(self, v: Array, w: Array) -> float:
        """How far two normals are apart in margin units: X |v - w| / max(1, X |w|)."""
        return self.size * float(np.linalg.norm(v - w)) / max(1.0, self.size * float(np.linalg.norm(w)))

    def need_points(self) -> None:
        """At least one point."""
        if self.m == 0:
            raise DoesNotApply("There are no points yet. Add at least one.")

    def need_classes(self) -> None:
        """Both classes where there is a bias."""
        if self.m and self.problem.bias and not self.problem.data.both_classes:
            raise DoesNotApply(
                "There is only one class, so with a bias w = 0 and there is no line. Add a point of the other class."
            )

    def need_bias(self) -> None:
        """A machine with a bias."""
        if not self.problem.bias:
            raise DoesNotApply("This is about the offset b, and the machine has none. Switch the bias on.")

    def need_line(self, w: Array | float) -> None:
        """A normal that is not 0 to rounding."""
        if self.size * float(np.linalg.norm(w)) < 1e-4:
            raise DoesNotApply(
                "Here w = 0: f is the same everywhere and there is no line. Raise C, or move the classes apart."
            )

    @property
    def large(self) -> bool:
        """Whether w has so many entries, for so many points, that further programs take seconds."""
        return bool(self.Phi.size > LARGE)

    def need_small(self) -> None:
        """Few enough points for several programs of their own."""
        if self.large:
            raise DoesNotApply(
                "With this kernel w has {entries} entries, and this check solves several programs for them. Take at most "
                "150 points, or a kernel with fewer features.",
                entries=self.Phi.shape[1],
            )

    def level(self, tol: float, *solutions: Solution) -> float:
        """The tolerance, or ROUND times the round-off in f, to which solvers agree at best; DoesNotApply from a thousandth of a margin on."""
        noise = ROUND * max((e.noise for e in solutions), default=0.0)
        if noise > 1e-3:
            raise DoesNotApply(
                "The multipliers are so large here that round-off alone moves the numbers. "
                "Lower C, move the classes apart, or take a kernel of lower degree."
            )
        return max(tol, noise)

    def tolerance(self, machine: str, tol: float) -> float:
        """`level` for the machine that a statement is about; `tol` itself where there is none."""
        name = {"hard": "hard_solution", "soft": "soft_solution", "board": "own"}.get(machine)
        try:
            solutions = [getattr(self, name)] if name else []
        except SvmError:
            return tol
        return self.level(tol, *solutions)

    @cached_property
    def soft(self) -> Problem:
        """The problem at its own C, or at C = 1 where the board asks for the hard margin."""
        return replace(self.problem, C=1.0, costs=EVEN) if self.problem.hard else self.problem

    @cached_property
    def hard(self) -> Problem:
        """The problem at C = inf."""
        return replace(self.problem, C=math.inf)

    @cached_property
    def soft_solution(self) -> Solution:
        """The exact optimum of `soft`; needs both classes where there is a bias."""
        self.need_classes()
        _ = self.Phi
        kept = None if self.problem.hard else self.solution
        return kept or solve(self.soft)

    @cached_property
    def separation(self) -> Separation:
        """Separable or not, with its proof."""
        _ = self.Phi
        return separate(self.problem.data, self.problem.kernel, self.problem.bias)

    def need_separable(self) -> None:
        """A hard margin to speak of."""
        self.need_classes()
        if not self.separation.separable:
            raise DoesNotApply(
                "No boundary of this kernel{through} separates the classes, so there is no hard margin. "
                "Move the points that stand among the others, or choose another kernel.",
                through="" if self.problem.bias else N_(" through the origin"),
            )

    @cached_property
    def hard_solution(self) -> Solution:
        """The exact hard margin; needs separable classes."""
        self.need_separable()
        kept = self.solution if self.problem.hard else None
        return kept or solve(self.hard)

    @property
    def own(self) -> Solution:
        """The machine on the board: `hard_solution` where C = inf, else `soft_solution`."""
        return self.hard_solution if self.problem.hard else self.soft_solution

    @cached_property
    def soft_primal(self) -> opinion.Primal:
        """What cvxopt says of the printed primal of `soft`."""
        self.need_classes()
        return opinion.primal(Problem(self.lifted, C=self.soft.C, bias=self.soft.bias))

    @cached_property
    def hard_primal(self) -> opinion.Primal:
        """What cvxopt says of the printed primal at C = inf."""
        self.need_separable()
        return opinion.primal(Problem(self.lifted, C=math.inf, bias=self.hard.bias))

    @cached_property
    def soft_dual(self) -> opinion.Dual:
        """What cvxopt says of the printed dual of `soft`."""
        self.need_classes()
        _ = self.Phi
        return opinion.dual(self.soft)

    @cached_property
    def hard_dual(self) -> opinion.Dual:
        """What cvxopt says of the printed dual at C = inf."""
        self.need_separable()
        return opinion.dual(self.hard)

    @cached_property
    def feasibility(self) -> float:
        """The largest margin that a linear program finds; above 0 exactly where the classes are separable."""
        return opinion.feasibility(self.Phi / self.size, self.y, self.problem.bias)

    @cached_property
    def other(self) -> Situation:
        """The same board with the bias switched the other way."""
        return Situation(replace(self.problem, bias=not self.problem.bias))

    @cached_property
    def walk(self) -> Walk:
        """Pegasos without bias at the lambda of `soft`, with the draws and runs that its checks share."""
        self.need_small()
        return Walk(self.lifted, self.soft.lam)

    @cached_property
    def beyond(self) -> Beyond:
        """The machines for several classes and for values."""
        _ = self.Phi
        return Beyond(self.problem, self.several, self.tube, self._second)

    def _second(self, problem: Problem) -> opinion.Dual:
        known = {self.soft.key: "soft_dual", self.hard.key: "hard_dual"}
        return getattr(self, known[problem.key]) if problem.key in known else opinion.dual(problem)

    @cached_property
    def path(self) -> tuple[Solution, ...]:
        """Exact optima at the values of GRID, C rising."""
        return self.path_solutions(GRID)

    @cached_property
    def followed(self) -> Path:
        """The path of `soft` from C = 0 on."""
        self.need_classes()
        _ = self.Phi
        return regularization_path(self.soft)

    def path_solutions(self, Cs: tuple[float, ...]) -> tuple[Solution, ...]:
        """Exact optima at the given C, on the path that is followed from C = 0."""
        return tuple(self.followed.at(C) for C in Cs)
