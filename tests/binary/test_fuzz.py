"""A part of the fuzz in every run: a few hundred problems of every family, and whether its referees see what is
wrong."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from svmlab import Gaussian, Linear, Polynomial, solve
from tests.oracle import optima, random_boards

BENCHMARKS = str(Path(__file__).parents[2] / "benchmarks")
sys.path.append(BENCHMARKS)
from fuzz import KINDS, tried  # noqa: E402
from trials import optimum, proof, referee  # noqa: E402
from trials.families import FAMILIES, Case  # noqa: E402
from trials.numbers import meant  # noqa: E402

sys.path.remove(BENCHMARKS)
SEED = 1
EACH = {family: 10 if family in ("dimensions", "raw") else 25 for family in FAMILIES if family != "large"}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("family", EACH)
def test_nothing_is_wrong_with_a_few_problems_of_every_family(family):
    trials = [tried(family, number, SEED) for number in range(EACH[family])]
    bad = [(f.name, kind, f.faults[kind], f.case) for f in trials for kind in KINDS if kind in f.faults]
    assert not bad, "\n".join(map(str, bad))
    assert sum(f.end == "solved" for f in trials) >= EACH[family] // 2
    assert sum(f.judged == referee.RIGHT for f in trials) >= EACH[family] // 4


def boards(count, costs=(1.0, 1.0)):
    """Small boards of whole numbers with a solution that the referee finds right."""
    for k, (X, y) in enumerate(random_boards(7, count)):
        case = Case(
            f"board/{k}",
            X.astype(float),
            y,
            [Linear(), Polynomial(2)][k % 2],
            0.25,
            bool(k % 3),
            costs,
            unit=Fraction(1),
        )
        yield case, solve(case.problem)


@pytest.mark.parametrize("costs", [(1, 1), (3, 1), (1, 4)])
def test_the_referee_gives_the_optima_of_trying_every_partition(costs):
    several = 0
    for case, claim in boards(20, (float(costs[0]), float(costs[1]))):
        degree = 1 if isinstance(case.kernel, Linear) else 2
        counted = [Fraction(costs[int(label < 0)]) for label in case.y]
        g, b, vertices = optima(case.X.astype(int), case.y, Fraction(1, 4), case.bias, degree, weights=counted)
        several += len(vertices) > 1
        problem = meant(case)
        for exact in (
            optimum.confirmed(problem, claim.states, referee.sides(claim)),
            optimum.optimum(problem, claim.margins, claim.free),
        ):
            middle = (b[0] + b[1]) / 2
            assert exact.margins.tolist() == [int(s) * (v + middle) for v, s in zip(g, case.y, strict=True)], case
            assert exact.interval == b, case
            V = np.array([[v - a for v, a in zip(vertex, exact.alpha, strict=True)] for vertex in vertices])
            assert min(V @ (exact.alpha / counted)) >= 0, case  # of all optima the nearest to 0
    assert several >= 2


def test_the_referee_sees_every_state_and_number_that_is_not_right():
    turned = 0
    for case, claim in boards(8):
        assert referee.judged(case, claim)[0] == referee.RIGHT
        for i in np.flatnonzero(claim.support):
            alpha = claim.alpha.copy()
            alpha[i] = alpha[i] / 2
            assert referee.judged(case, replace(claim, alpha=alpha))[0] == referee.WRONG, (case, i)
            assert proof.lacking(replace(claim, alpha=alpha)), (case, i)
        for i in np.flatnonzero(np.abs(claim.margins - 1) < 1e-9):
            for state in {-1, 0, 1} - {int(claim.states[i])}:
                states = claim.states.copy()
                states[i] = state
                turned += 1
                assert referee.judged(case, replace(claim, states=states))[0] == referee.WRONG, (case, i, state)
        lo, hi = claim.b_interval
        assert referee.judged(case, replace(claim, b_interval=(lo - 1e-6, hi)))[0] == referee.WRONG, case
    assert turned > 8


def test_a_referee_in_decimals_sees_the_same():
    X = [[0.0], [0.9], [1.0], [2.2], [1.0]]
    case = Case("line/0", np.array(X), np.array([-1, 1, 1, -1, -1]), Gaussian(1.5), 8.0, True, unit=Fraction(1, 10))
    claim = solve(case.problem)
    assert referee.judged(case, claim)[0] == referee.RIGHT
    assert referee.judged(case, replace(claim, states=-claim.states))[0] == referee.WRONG
