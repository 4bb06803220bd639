"""A check can fail: where anything that it reads is wrong by a thousandth it says so, or it is said here why it need
not. `python -m tests.statements.test_statements_tampered T21` prints what this statement notices and misses."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from svmlab import Dataset, Problem, make_dataset
from svmlab.core.errors import SvmError
from svmlab.statements import CATALOGUE, Situation, pegasos_convergence, subgradient_descent
from svmlab.statements.walk import StepsByHand
from tests.tampering import KINDS, TOOLS, Reading, _modules, place

BOARDS = (  # beside the witness of each statement
    Problem(make_dataset("overlapping", 16, 0.4, seed=1), C=0.2),
    Problem(make_dataset("separable", 16, 0.7, seed=1), C=math.inf),
    Problem(make_dataset("moons", 16, 0.7, seed=1)),
)


@dataclass(frozen=True)
class Excuse:
    """Why some statements need not notice what is wrong with some of the things that they read (* for every
    statement)."""

    why: str
    ids: str
    kinds: tuple[str, ...]

    def covers(self, id: str, kind: str) -> bool:
        return (self.ids == "*" or id in self.ids.split()) and kind.startswith(self.kinds)


EXCUSES = (
    Excuse("It enters as the unit of lengths, or in a bound with room.", "*", ("pegasos_runs.X",)),
    Excuse("It is true of any w and b.", "M1 M2 M3 M12 M13 M14 L1 L12", ("hard_solution.", "soft_solution.")),
    Excuse("It is true of any w and b; where no multiplier is C the strip is the widest.", "M4", ("soft_solution.",)),
    Excuse("Lengths are compared with the measured strip, so one factor in all of them cancels.", "M3", ("distances()",)),
    Excuse("Signs are counted, and a thousandth turns none.", "M12", ("Phi",)),
    Excuse("Mistakes under a bound and margins under the largest, with room but on the tight pair.", "M8", ("Phi", "hard_solution.")),
    Excuse("Any line that separates proves it.", "M10", ("Phi", "separation.w")),
    Excuse("The common point stays one when all points grow.", "H11", ("Phi",)),
    Excuse("The common point stays one when all points grow or, with a bias, move together.", "L13", ("Phi",)),
    Excuse("Where the labels balance w stays when all points move together.", "M6 M14 H1 H6 H9 H12 H14 S9 S10 L11 G10", ("Phi, moved",)),
    Excuse("With a bias w stays when all points move together: b makes up for it.", "L5 L8 L10 L14", ("Phi, moved",)),
    Excuse("Only which multipliers are positive is read.", "H9 H10 S9", ("hard_solution.alpha", "soft_solution.alpha")),
    Excuse("The identity holds for any b; b itself is the program's.", "H4 S6", ("hard_solution.b", "soft_solution.b")),
    Excuse("It is where a solver starts.", "S10", ("hard_solution.b",)),
    Excuse("f is evaluated with the constant that is kept beside b.", "M5 M6 M7 M9 M11 H9 S1", ("hard_solution.b",)),
    Excuse("f is evaluated with the constant that is kept beside b.", "S5 S8 S9 S12 G1 G5 G9", ("soft_solution.b",)),
    Excuse("A length under a bound with room.", "P6", ("pegasos_runs.by_hand.gradient",)),
    Excuse("Others only have to be worse.", "S13", ("best_bias()",)),
    Excuse("Only the machine with a price is longer; w = 0 is compared without one.", "S17", ("soft_",)),
    Excuse("Only the control reads it.", "H1", ("primal()",)),
    Excuse("Only the control reads it.", "M10", ("widest_margins()",)),
    Excuse("Only the control reads it.", "H11", ("separate()",)),
    Excuse("Only the control reads it.", "S1", ("hard_solution.alpha",)),
    Excuse("Only the control reads it.", "L9", ("soft_solution.",)),
    Excuse("Only the control reads it.", "P2", ("pegasos_runs.by_hand.v",)),
    Excuse("Only the printed reading uses it.", "M11", ("distances()",)),
    Excuse("Only the printed reading uses it.", "H5", ("multiplier()",)),
    Excuse("Only the printed reading uses it.", "P10", ("pegasos_runs.w", "solve()", "objective()", "pegasos()")),
    Excuse("A length under a bound with room; the bound is attained in a run of its own.", "P3 P4", ("pegasos_runs.by_hand.",)),
    Excuse("It only looks for a seed that draws both points.", "P4", ("draws()",)),
    Excuse("Judged in standard errors, of which a thousandth is a part.", "P5", ("estimate()",)),
    Excuse("Drawn losses have the mean F at any w.", "P5", ("pegasos_runs.by_hand.w",)),
    Excuse("The regret is bounded for every u.", "P6 P14", ("pegasos_runs.w",)),
    Excuse("It only says how many runs there are.", "P6 P8", ("pegasos_runs.run.last", "pegasos_runs.many_runs.last")),
    Excuse("F at the average is below the average of F, with room but at the first step.", "P8", ("pegasos_runs.by_hand.w",)),
    Excuse("A mean over runs under a bound with room, and shown.", "P11", ("pegasos_runs.many_runs.", "pegasos_runs.min_objective")),
    Excuse("Runs are counted, and a thousandth moves none over the line.", "P15", ("pegasos_runs.many_runs.", "pegasos_runs.long_runs.")),
    Excuse("The run is only replayed, and the replay is compared.", "P13", ("pegasos()",)),
    Excuse("A few runs are judged by it where the bound has room; the many short ones hold it to its "
        "formula.", "P7", ("pegasos_runs.long_runs.G",)),
    Excuse("The distance to w* enters an inequality with room; F(w*) is noticed.", "L6", ("pegasos_runs.w",)),
    Excuse("The bound has room here; P7 holds it to its formula.", "L6 P15", ("gap_bound()",)),
    Excuse("The bound has room here; P6 holds it to its formula.", "P14", ("regret_bound()",)),
    Excuse("Compared with Pegasos step by step; this is only shown, or read as printed.", "L7", ("pegasos_runs.w", "pegasos_runs.min_objective", "objective()")),
    Excuse("Multiplications are counted, whatever is multiplied.", "X3", ("Phi",)),
    Excuse("Only the printed reading uses it.", "K1", ("monomial_features()",)),
    Excuse("The bound has room here; its own test holds it to its formula.", "L5", ("proximal_gap_bound()",)),
    Excuse("It is true of any values at the points.", "L1 L2 L12", ("Phi",)),
    Excuse("Coordinates are counted, whatever they are.", "K2", ("ordered_product_features()",)),
    Excuse("Only the control reads it.", "X2", ("other_tasks.labelled",)),
    Excuse("It is the unit of differences that are 0.", "G3", ("smallest_balls()",)),
    Excuse("Labellings are counted, and a thousandth makes none.", "G7 G10", ("swept_margins()",)),
    Excuse("There are few random points, and the change needs a thousand.", "T3", ("draws()",)),
    Excuse("It only says which points are judged.", "T6", ("soft_solution.b_interval",)),
    Excuse("It only says that there is a feature space; kernel values are compared.", "T7 T20", ("Phi",)),
    Excuse("Only the control and the choice of the board read it.", "T9", ("soft_solution.",)),
    Excuse("With a bias w stays when all points move together: b makes up for it.", "T9 T10 T11 T12 T13", ("Phi, moved",)),
    Excuse("It is the unit of the values.", "T10", ("soft_solution.b",)),
    Excuse("It is true of any values at the points.", "T16", ("Phi",)),
    Excuse("It only says whether the descent is short enough.", "T18", ("hard_solution.",)),
)  # fmt: skip


@dataclass
class Row:
    """What a statement reads on its boards, and what of that it notices."""

    read: set[str]
    noticed: set[str]

    def missed(self, id: str) -> list[str]:
        return [k for k in KINDS if k in self.read - self.noticed and not any(e.covers(id, k) for e in EXCUSES)]


def tampered(ids: Iterable[str]) -> dict[str, Row]:
    """Each statement on its witness and on the boards above, with each kind of tampering."""
    shared = [Situation(board) for board in BOARDS]
    rows = {id: Row(set(), set()) for id in ids}
    for id, row in rows.items():
        for situation in (CATALOGUE[id].witness.situation, *shared):
            try_on(id, situation, row)
    return rows


def reading(id: str, situation: Situation) -> tuple[Reading, list[str]] | None:
    """The check of a statement on one board and what of it can be tampered with there; None where it does not apply."""
    pegasos_convergence.gap_slopes(
        pegasos_convergence.CORNER
    )  # kept for good by whoever asks first, which must not be a check that is tampered with
    try:
        observed = Reading(CATALOGUE[id], situation)
    except SvmError:
        return None
    if (right := observed.standing()) is None:
        return None
    assert right.holds, id
    return observed, [kind for kind in KINDS if place(kind) in observed.seen]


def notices(observed: Reading, kind: str) -> bool:
    """Whether a check fails where it should, and does not say that it does not apply."""
    wrong = observed.standing(kind)
    return wrong is not None and not wrong.holds


def try_on(id: str, situation: Situation, row: Row) -> None:
    """Every kind of tampering with what a statement reads on one board, but those that it has noticed before."""
    if (known := reading(id, situation)) is None:
        return
    observed, kinds = known
    row.read.update(kinds)
    row.noticed.update(kind for kind in kinds if kind not in row.noticed and notices(observed, kind))


def printed(table: dict[str, Row]) -> str:
    lines = ["", "statement | noticed | need not be | MISSED"]
    for id, row in table.items():
        missed = row.missed(id)
        let_go = [k for k in KINDS if k in row.read - row.noticed and k not in missed]
        noticed = [k for k in KINDS if k in row.noticed]
        lines.append(f"{id} | {'; '.join(noticed)} | {'; '.join(let_go)} | {'; '.join(missed) or '-'}")
    return "\n".join(lines)


def unneeded(excuse: Excuse, missed: list[tuple[str, str]]) -> bool:
    """Whether some of its statements or kinds excuse nothing that was missed."""
    covered = [(id, kind) for id, kind in missed if excuse.covers(id, kind)]
    every_id = excuse.ids == "*" or {id for id, _ in covered} == set(excuse.ids.split())
    return not (every_id and all(any(kind.startswith(start) for _, kind in covered) for start in excuse.kinds))


def test_every_tool_is_a_function_of_some_module_of_statements():
    known = {name for module in _modules() for name in TOOLS if callable(vars(module).get(name))}
    assert set(TOOLS) - known == set(), "a tool that nobody knows by this name is never tampered with"


@pytest.mark.slow
def test_every_statement_notices_something():
    """No check is blind: on its witness or a board above it fails where something is wrong by a thousandth."""
    shared = [Situation(board) for board in BOARDS]

    def sees(id: str, situation: Situation) -> bool:
        known = reading(id, situation)
        return known is not None and any(notices(known[0], kind) for kind in known[1])

    blind = [id for id in CATALOGUE if not any(sees(id, each) for each in (CATALOGUE[id].witness.situation, *shared))]
    assert blind == []


@pytest.mark.sweep
def test_what_is_wrong_by_a_thousandth_is_noticed_wherever_it_is_read_and_no_excuse_is_idle():
    """Each statement notices what is wrong with all that it reads, but for the excuses; each excuse is needed."""
    table = tampered(CATALOGUE)
    missed = [(id, kind) for id, row in table.items() for kind in row.read - row.noticed]
    assert [excuse for excuse in EXCUSES if unneeded(excuse, missed)] == [], printed(table)
    assert {id: row.missed(id) for id, row in table.items() if row.missed(id)} == {}, printed(table)


# ---------------------------------------------------------------- more than a thousandth, where a bound has room


def situation(name: str = "separable") -> Situation:
    return Situation(Problem(make_dataset(name, 16, 0.7, seed=1)))


def with_wrong_runs(**changes: Callable[[object], object]) -> Situation:
    """A situation whose runs of Pegasos have something wrong with them."""
    s = Situation(Problem(make_dataset("overlapping", 24, 0.4, seed=1), C=0.2))
    vars(s.pegasos_runs).update({name: change(s.pegasos_runs) for name, change in changes.items()})
    return s


def longer(k):
    return StepsByHand(1000 * k.by_hand.w, k.by_hand.v, 1000 * k.by_hand.gradient)


def far_off(k):
    return k.w + 0.3 * k.unit


def certificate(s: Situation) -> Situation:
    """Weights that make no common point."""
    vars(s)["separation"] = replace(s.separation, weights=np.roll(s.separation.weights, 1))
    return s


def wide(s: Situation) -> Situation:
    """Multipliers so small that the margin seems wider than it is, or so large that it seems narrower than the
    perceptron's."""
    vars(s)["hard_solution"] = replace(s.hard_solution, alpha=1.1 * s.hard_solution.alpha)
    return s


WRONG = {
    "M8": lambda: wide(Situation(Problem(Dataset([[1.0, 0.0], [-1.0, 0.0]], [1, -1])))),
    "M10": lambda: certificate(situation("moons")),
    "P3": lambda: with_wrong_runs(by_hand=longer),
    "P4": lambda: with_wrong_runs(by_hand=longer),
    "P7": lambda: with_wrong_runs(
        many_runs=lambda k: replace(k.many_runs, average=k.many_runs.average + k.many_runs.bound)
    ),
    "P8": lambda: with_wrong_runs(by_hand=longer),
    "P11": lambda: with_wrong_runs(
        many_runs=lambda k: replace(k.many_runs, average=k.many_runs.average + k.many_runs.bound)
    ),
    "P12": lambda: with_wrong_runs(w=far_off),
    "L6": lambda: with_wrong_runs(w=far_off),
}


@pytest.mark.parametrize("id", WRONG)
def test_a_large_change_is_noticed_where_a_thousandth_need_not_be(id):
    verdict = CATALOGUE[id].check(WRONG[id]())
    assert verdict.applies, verdict.why
    assert not verdict.holds
    assert verdict.residual > 1e3 * verdict.tolerance


def test_an_iteration_that_never_moves_does_not_reach_its_goal(monkeypatch):
    real = subgradient_descent.batch_descent

    def idle(*args, **kwargs):
        run = real(*args, **kwargs)
        still = replace(run, iterates=0 * run.iterates, averages=0 * run.averages)
        return replace(still, average=np.ones_like(run.average), last=np.ones_like(run.last))  # F(0) = 1

    monkeypatch.setattr(subgradient_descent, "batch_descent", idle)
    assert not CATALOGUE["L6"].check(with_wrong_runs()).holds


def test_a_solution_that_the_caller_has_is_used_and_judged():
    problem = Problem(make_dataset("overlapping", 16))
    right = Situation(problem).soft_solution
    assert CATALOGUE["S6"].check(Situation(problem, right)).holds
    assert not CATALOGUE["S6"].check(Situation(problem, replace(right, alpha=0.9 * right.alpha))).holds


def test_residuals_that_are_no_numbers_do_not_hold():
    s = situation()
    vars(s)["hard_primal"] = replace(s.hard_primal, w=s.hard_primal.w * math.nan)
    assert not CATALOGUE["H1"].check(s).holds


if __name__ == "__main__":
    print(printed(tampered(sys.argv[1:] or CATALOGUE)))
