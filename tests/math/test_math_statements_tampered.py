"""A check can fail: given a wrong answer in place of a right one, it says so."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Dataset, Problem, make_dataset
from svmlab.statements import CATALOGUE, Situation


def situation(name: str = "separable") -> Situation:
    return Situation(Problem(make_dataset(name, 16, 0.7, seed=1)))


def put(s: Situation, **answers: object) -> Situation:
    """The situation with some of its answers replaced."""
    vars(s).update(answers)
    return s


def longer(s: Situation, what: str = "hard_solution") -> Situation:
    """All alpha a tenth too large."""
    solution = getattr(s, what)
    return put(s, **{what: replace(solution, alpha=1.1 * solution.alpha)})


def shorter(s: Situation) -> Situation:
    """All alpha a tenth too small, so that the margin seems wider than it is."""
    return put(s, hard_solution=replace(s.hard_solution, alpha=0.9 * s.hard_solution.alpha))


def without_one(s: Situation, what: str) -> Situation:
    """The largest alpha is forgotten."""
    solution = getattr(s, what)
    alpha, states = solution.alpha.copy(), solution.states.copy()
    alpha[alpha.argmax()], states[alpha.argmax()] = 0.0, -1
    return put(s, **{what: replace(solution, alpha=alpha, states=states)})


def shifted(s: Situation, what: str) -> Situation:
    """A wrong b in one half of the answer."""
    solution = getattr(s, what)
    return put(s, **{what: replace(solution, b=solution.b + 0.3, b_interval=(solution.b + 0.3,) * 2)})


def bent(s: Situation, what: str) -> Situation:
    """A primal whose normal is a hundredth too long and whose offset is off."""
    primal = getattr(s, what)
    return put(s, **{what: replace(primal, w=1.01 * primal.w, b=primal.b + 0.05)})


def idle(s: Situation) -> Situation:
    """A multiplier on a point that is far beyond its margin line."""
    solution = s.hard_solution
    alpha = solution.alpha.copy()
    alpha[solution.margins.argmax()] = alpha.max()
    return put(s, hard_solution=replace(solution, alpha=alpha))


def backwards(s: Situation) -> Situation:
    """The path in the wrong order: each machine at another one's C."""
    path = tuple(
        replace(e, problem=replace(e.problem, C=f.problem.C)) for e, f in zip(s.path[::-1], s.path, strict=True)
    )
    return put(s, path=path)


def certificate(s: Situation) -> Situation:
    """Weights that make no common point."""
    v = s.separation.weights
    assert v is not None
    return put(s, separation=replace(s.separation, weights=np.roll(v, 1)))


def swapped(s: Situation) -> Situation:
    """The two machines of the bias exchanged."""
    free, none = s.soft_primal, s.other.soft_primal
    put(s.other, soft_primal=free)
    return put(s, soft_primal=none)


def stretched(s: Situation) -> Situation:
    """Features a tenth too long for the kernel."""
    return put(s, Phi=1.1 * s.Phi)


WRONG = {
    "M1": lambda: shifted(situation(), "soft_solution"),
    "M2": lambda: shifted(situation(), "soft_solution"),
    "M3": lambda: shifted(situation(), "soft_solution"),
    "M4": lambda: shifted(situation(), "soft_solution"),
    "M5": lambda: longer(situation()),
    "M6": lambda: longer(situation()),
    "M7": lambda: bent(situation(), "hard_primal"),
    "M8": lambda: longer(Situation(Problem(Dataset([[1.0, 0.0], [-1.0, 0.0]], [1, -1])))),
    "M9": lambda: shorter(situation()),
    "M10": lambda: certificate(situation(name="moons")),
    "M11": lambda: longer(situation()),
    "H1": lambda: bent(situation(), "hard_primal"),
    "H2": lambda: bent(situation(), "hard_primal"),
    "H3": lambda: longer(situation()),
    "H4": lambda: idle(situation()),
    "H5": lambda: without_one(situation(), "hard_solution"),
    "H6": lambda: put(
        s := situation(), hard_primal=replace(s.hard_primal, alpha=s.hard_primal.alpha + 0.1 * (s.y > 0))
    ),
    "H7": lambda: bent(situation(), "hard_primal"),
    "H8": lambda: bent(situation(), "hard_primal"),
    "H9": lambda: without_one(situation(), "hard_solution"),
    "H10": lambda: idle(situation()),
    "H11": lambda: certificate(situation(name="moons")),
    "H12": lambda: bent(situation(), "hard_primal"),
    "S1": lambda: longer(situation(name="moons"), "soft_solution"),
    "S2": lambda: bent(situation(name="moons"), "soft_primal"),
    "S3": lambda: bent(situation(name="moons"), "soft_primal"),
    "S5": lambda: bent(situation(name="moons"), "soft_primal"),
    "S6": lambda: longer(situation(name="moons"), "soft_solution"),
    "S7": lambda: shifted(situation(name="moons"), "soft_solution"),
    "S8": lambda: without_one(situation(name="moons"), "soft_solution"),
    "S9": lambda: without_one(situation(name="moons"), "soft_solution"),
    "S10": lambda: bent(situation(), "hard_primal"),
    "S11": lambda: backwards(situation(name="moons")),
    "S12": lambda: longer(situation(name="moons"), "soft_solution"),
    "S13": lambda: backwards(situation(name="moons")),
    "S14": lambda: stretched(situation()),
    "S15": lambda: put(s := situation(name="moons"), soft_primal=replace(s.soft_primal, w=-s.soft_primal.w)),
    "S16": lambda: swapped(situation(name="moons")),
}


@pytest.mark.parametrize("id", WRONG)
def test_a_wrong_answer_is_noticed(id):
    verdict = CATALOGUE[id].check(WRONG[id]())
    assert verdict.applies, verdict.why
    assert not verdict.holds
    assert verdict.residual > 1e3 * verdict.tolerance


def test_a_solution_that_the_caller_has_is_used_and_judged():
    problem = Problem(make_dataset("overlapping", 16))
    right = Situation(problem).soft_solution
    assert CATALOGUE["S6"].check(Situation(problem, right)).holds
    assert not CATALOGUE["S6"].check(Situation(problem, replace(right, alpha=0.9 * right.alpha))).holds


def test_residuals_that_are_no_numbers_do_not_hold():
    s = situation()
    wrong = put(s, hard_primal=replace(s.hard_primal, w=s.hard_primal.w * math.nan))
    assert not CATALOGUE["H1"].check(wrong).holds
