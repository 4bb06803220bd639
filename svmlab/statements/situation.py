"""One board with everything that its checks share, each thing solved once and only when asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from svmlab.binary.path import Path, regularization_path
from svmlab.binary.problem import EVEN, Problem
from svmlab.binary.separability import Separation, separate
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.errors import SvmError
from svmlab.core.phrase import N_
from svmlab.data import Dataset
from svmlab.multiclass import Several
from svmlab.regression import Tube
from svmlab.statements import opinion
from svmlab.statements.beyond import OtherTasks, features
from svmlab.statements.centred import gram, shift
from svmlab.statements.unmet import DoesNotApply as DoesNotApply
from svmlab.statements.walk import PegasosRuns

LARGE = 30_000  # entries of Phi beyond which programs that no other check shares would take seconds
ROUND = 100.0
ROUGH = 1e-3  # of a margin: round-off or a gap beyond it leaves nothing to compare
OPINIONS = ("soft_primal", "soft_dual", "hard_primal", "hard_dual")
GRID = tuple(float(C) for C in np.geomspace(1e-2, 1e3, 11))


@dataclass(frozen=True, eq=False)
class Situation:
    """A problem, and lazily what its checks need: three solvers' answers at its C, for the hard margin, along C, and
    Pegasos.

    solution: the exact optimum where the caller has it already. several, tube: where the points are not of two classes;
    `problem` is then the first against the others. What cannot be had on this board raises DoesNotApply.
    """

    problem: Problem
    solution: Solution | None = None
    several: Several | None = None
    tube: Tube | None = None

    def which_machine(self, machine: str) -> str:
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
        """Points in feature space (m, D): the feature map where it is finite, else coordinates of their span (K = Phi
        Phi').
        """
        self.need_points()
        return features(self.problem.kernel, self.X, self.problem.gram)

    @property
    def centred(self) -> Array:
        """Phi, with a bias less its mean: where y'alpha = 0 w is the same, and far points do not cancel in it."""
        return np.asarray(self.Phi - self.Phi.mean(0)) if self.problem.bias else self.Phi

    @cached_property
    def max_norm(self) -> float:
        """X = max_i |phi(x_i)|; 1 if all are 0."""
        return float(np.linalg.norm(self.Phi, axis=1).max()) or 1.0

    @cached_property
    def lifted(self) -> Dataset:
        """The same points in feature space, as a dataset for a linear machine."""
        return Dataset(self.Phi, self.y)

    def expand(self, alpha: Array) -> Array:
        """The normal sum_i alpha_i y_i phi(x_i), shape (D,)."""
        return (alpha * self.y) @ self.centred

    def distance_in_margins(self, v: Array, w: Array) -> float:
        """How far two normals are apart in margin units: X |v - w| / max(1, X |w|)."""
        return self.max_norm * float(np.linalg.norm(v - w)) / max(1.0, self.max_norm * float(np.linalg.norm(w)))

    def length_unit(self, w: Array) -> float:
        """What lengths are measured in: X, or half the width of the strip of w where that is more.

        A distance is |f|/|w|, so what f is off by, in units of max(1, X |w|), makes a length off by so many of these.
        """
        return max(self.max_norm, 1.0 / float(np.linalg.norm(w)))

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
        if self.max_norm * float(np.linalg.norm(w)) < 1e-4:
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
                "With this kernel w has {entries} entries, and this check solves several programs for them. Take "
                "at most "
                "150 points, or a kernel with fewer features.",
                entries=self.Phi.shape[1],
            )

    def level(self, tol: float, *solutions: Solution) -> float:
        """The tolerance, or ROUND times the round-off in f, to which solvers agree at best; DoesNotApply from a
        thousandth of a margin on.
        """
        return self.raised(tol, ROUND * max((e.noise for e in solutions), default=0.0))

    def raised(self, tol: float, noise: float) -> float:
        """The tolerance, or the round-off of what is compared where that is more; DoesNotApply from a thousandth of a
        margin on.
        """
        if noise > ROUGH:
            raise DoesNotApply(
                "The multipliers are so large here that round-off alone moves the numbers. "
                "Lower C, move the classes apart, or take a kernel of lower degree."
            )
        return max(tol, noise)

    @property
    def fresh(self) -> Situation:
        """The same board with nothing solved yet."""
        return Situation(self.problem, self.solution, self.several, self.tube)

    def need_resolved(self, names: set[str], off: float, tol: float) -> None:
        """That the answers of these names are told so well by their own certificates that a residual `off` above tol
        says something.
        """
        for name in sorted(names & {"soft_solution", "hard_solution", "path", *OPINIONS, "other"}):
            found = getattr(self, name)
            if isinstance(found, Situation):
                found.need_resolved(set(vars(found)), off, tol)
            elif isinstance(found, opinion.Primal | opinion.Dual):
                self.need_close(found, off, tol)
            else:
                for e in found if isinstance(found, tuple) else (found,):
                    need_certified(e)

    def need_close(self, p: opinion.Primal | opinion.Dual, off: float, tol: float) -> None:
        """A second opinion whose own gap leaves less open than `off`, in margin units; a difference of two squares is
        twice that.
        """
        w = p.w if isinstance(p, opinion.Primal) else self.expand(p.alpha)
        left = self.max_norm * p.open / max(1.0, self.max_norm * float(np.linalg.norm(w)))
        if not off > tol + 2.0 * left or left > ROUGH:
            raise DoesNotApply(
                "The second solver, cvxopt, leaves w open by {left:.1g} of a margin here, by the gap between its "
                "own two values, so "
                "a difference from it says nothing. Lower C, standardise the points, or take a kernel of lower degree.",
                left=left,
            )

    def tolerance(self, machine: str, tol: float) -> float:
        """`level` for the machine that a statement is about; `tol` itself where there is none."""
        name = {"hard": "hard_solution", "soft": "soft_solution", "board": "own"}.get(machine)
        try:
            solutions = [getattr(self, name)] if name else []
        except SvmError:
            return tol
        return self.level(tol, *solutions)

    @cached_property
    def soft_problem(self) -> Problem:
        """The problem at its own C, or at C = 1 where the board asks for the hard margin."""
        return replace(self.problem, C=1.0, costs=EVEN, weights=None) if self.problem.hard else self.problem

    @cached_property
    def hard_problem(self) -> Problem:
        """The problem at C = inf, without the costs and weights that mean nothing there and would return with a finite
        C.
        """
        return replace(self.problem, C=math.inf, costs=EVEN, weights=None)

    @cached_property
    def soft_solution(self) -> Solution:
        """The exact optimum of `soft`; needs both classes where there is a bias."""
        self.need_classes()
        _ = self.Phi
        kept = None if self.problem.hard else self.solution
        return kept or solve(self.soft_problem)

    @cached_property
    def inner(self) -> Array:
        """K, with a bias that of the features less their mean: with y'alpha = 0 the sums over it are the same, and
        cancel less.
        """
        return gram(self.problem.kernel, self.X, self.problem.gram) if self.problem.bias else self.problem.gram

    def summed(self, alpha: Array, b: float) -> Array:
        """sum_i alpha_i y_i k(x_i, x_j) + b at each point, shape (m,), y'alpha = 0 with a bias: what k adds to all
        points joins b.
        """
        c, K = alpha * self.y, self.problem.gram
        return c @ self.inner + (b + shift(self.problem.kernel, self.X, K, self.inner, c) if self.problem.bias else b)

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
        return kept or solve(self.hard_problem)

    @property
    def board_solution(self) -> Solution:
        """The machine on the board: `hard_solution` where C = inf, else `soft_solution`."""
        return self.hard_solution if self.problem.hard else self.soft_solution

    @cached_property
    def soft_primal(self) -> opinion.Primal:
        """What cvxopt says of the printed primal of `soft`."""
        self.need_classes()
        return opinion.primal(Problem(self.lifted, C=self.soft_problem.C, bias=self.soft_problem.bias))

    @cached_property
    def hard_primal(self) -> opinion.Primal:
        """What cvxopt says of the printed primal at C = inf."""
        self.need_separable()
        return opinion.primal(Problem(self.lifted, C=math.inf, bias=self.hard_problem.bias))

    @cached_property
    def soft_dual(self) -> opinion.Dual:
        """What cvxopt says of the printed dual of `soft`."""
        self.need_classes()
        _ = self.Phi
        return opinion.dual(self.soft_problem)

    @cached_property
    def hard_dual(self) -> opinion.Dual:
        """What cvxopt says of the printed dual at C = inf."""
        self.need_separable()
        return opinion.dual(self.hard_problem)

    @cached_property
    def feasibility(self) -> float:
        """The largest margin that a linear program finds; above 0 exactly where the classes are separable."""
        return opinion.feasibility(self.Phi / self.max_norm, self.y, self.problem.bias)

    @cached_property
    def with_bias_switched(self) -> Situation:
        """The same board with the bias switched the other way."""
        return Situation(replace(self.problem, bias=not self.problem.bias))

    @cached_property
    def pegasos_runs(self) -> PegasosRuns:
        """Pegasos without bias at the lambda of `soft`, with the draws and runs that its checks share."""
        self.need_small()
        return PegasosRuns(self.lifted, self.soft_problem.lam)

    @cached_property
    def other_tasks(self) -> OtherTasks:
        """The machines for several classes and for values."""
        _ = self.Phi
        return OtherTasks(self.problem, self.several, self.tube, self._second)

    def _second(self, problem: Problem) -> opinion.Dual:
        known = {self.soft_problem.key: "soft_dual", self.hard_problem.key: "hard_dual"}
        return getattr(self, known[problem.key]) if problem.key in known else opinion.dual(problem)

    @cached_property
    def path(self) -> tuple[Solution, ...]:
        """Exact optima at the values of GRID, C rising."""
        return self.path_solutions(GRID)

    @cached_property
    def soft_path(self) -> Path:
        """The path of `soft` from C = 0 on."""
        self.need_classes()
        _ = self.Phi
        return regularization_path(self.soft_problem)

    def path_solutions(self, Cs: tuple[float, ...]) -> tuple[Solution, ...]:
        """Exact optima at the given C, on the path that is followed from C = 0."""
        return tuple(self.soft_path.at(C) for C in Cs)


def need_certified(e: Solution) -> None:
    """An optimum that is proven, or one that misses more than rounding explains although the exact method says that it
    is done.

    Then something is wrong with it, and that is to be seen.
    """
    c, exact = e.certificate, e.status.startswith("exact")
    worst = max(c.stationarity, c.primal_feasibility, c.dual_feasibility, c.complementarity, abs(c.gap))
    if e.proven or (exact and not worst <= c.floor):
        return
    if not e.least_norm_known:
        raise DoesNotApply(
            "Double precision does not tell here which of several optimal alpha has the least norm: the "
            "round-off in f is {noise:.1g}, "
            "and kernel values are up to {largest:.1g}. Standardise the points, or take a kernel of lower degree.",
            noise=e.noise,
            largest=float(np.abs(e.problem.gram).max()),
        )
    raise DoesNotApply(
        "Double precision does not resolve the optimum at C = {C:.3g}: its certificate misses "
        "{worst:.1g}, and round-off alone "
        "explains {floor:.1g}. Lower C, standardise the points, or take a kernel of lower degree.",
        C=e.problem.C,
        worst=worst,
        floor=c.floor,
    )
