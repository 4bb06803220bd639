"""P1 to P13, L6, L7 and X3: each holds wherever it applies, and fails where it should."""

from __future__ import annotations

import importlib.util
import math
from dataclasses import replace
from pathlib import Path

import pytest

from svmlab import DATASETS, Dataset, Gaussian, Linear, Polynomial, Problem, Sigmoid, make_dataset
from svmlab.statements import CATALOGUE, Situation, Verdict
from svmlab.statements.counting import exponent, multiplications
from svmlab.statements.walk import Literal

IDS = [id for id, entry in CATALOGUE.items() if entry.page == "pegasos"]
REPAIRED = [id for id in IDS if CATALOGUE[id].repair]


def _random_board():
    spec = importlib.util.spec_from_file_location("boards", Path(__file__).with_name("test_math_statements.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.random_board


random_board = _random_board()


def check(problem: Problem) -> dict[str, Verdict]:
    situation = Situation(problem)
    return {id: CATALOGUE[id].check(situation) for id in IDS}


def complaints(verdicts: dict[str, Verdict]) -> list[str]:
    out = []
    for id, v in verdicts.items():
        if v.applies and not v.holds:
            out.append(f"{id} does not hold: {v.residual:.2e}")
        if v.applies and any(math.isnan(side.value) and "slope" not in side.name for side in v.sides):
            out.append(f"{id} shows nan")
        if not v.applies and not v.why.endswith("."):
            out.append(f"{id} does not say why")
    return out


def test_the_page_has_its_descents_and_costs_too():
    assert {"L6", "L7", "X3"} < set(IDS)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1.0)], ids=lambda k: k.name)
@pytest.mark.parametrize("name", DATASETS)
def test_on_every_preset_whatever_applies_holds(name, kernel):
    for C in (0.01, 1.0, 1000.0):
        assert complaints(check(Problem(make_dataset(name, 16), kernel, C))) == []


@pytest.mark.parametrize("first", range(0, 200, 40))
def test_on_random_boards_whatever_applies_holds(first):
    for seed in range(first, first + 40):
        assert (seed, complaints(check(random_board(seed)))) == (seed, [])


@pytest.mark.parametrize("id", REPAIRED)
def test_the_printed_reading_fails_on_its_witness_and_the_repaired_one_holds(id):
    verdict = CATALOGUE[id].check(Situation(CATALOGUE[id].witness.problem))
    assert verdict.applies, verdict.why
    assert not verdict.printed.holds
    assert verdict.printed.residual > 1e-2
    assert verdict.repaired.holds


def test_ln_of_T_plus_1_fails_on_one_point_by_the_numbers_of_the_notes():
    verdict = CATALOGUE["P6"].check(Situation(CATALOGUE["P6"].witness.problem))
    left, right = (side.value for side in verdict.printed.sides)
    assert 2 * left == pytest.approx(1.0, abs=1e-12)
    assert 2 * right == pytest.approx(math.log(2), abs=1e-12)


@pytest.mark.parametrize("id", ["P5", "P7", "X3"])
def test_the_control_fails_on_an_ordinary_board(id):
    verdict = CATALOGUE[id].check(Situation(Problem(make_dataset("overlapping", 30))))
    assert verdict.holds
    assert not verdict.control.holds


@pytest.mark.parametrize(
    "problem",
    [
        Problem(Dataset([], [])),
        Problem(Dataset([[0.0, 0.0], [0.0, 0.0]], [1, -1])),
        Problem(Dataset([[1.0, 2.0]], [1])),
        Problem(Dataset([[1.0, 1.0], [2.0, 1.0]], [1, 1]), C=math.inf),
        Problem(make_dataset("xor", 12), Sigmoid()),
        Problem(make_dataset("separable", 12), C=math.inf),
        Problem(make_dataset("overlapping", 300), Gaussian(0.5)),
    ],
    ids=["none", "origin", "one", "one class", "sigmoid", "hard", "large"],
)
def test_boards_with_little_to_say_get_reasons_not_errors(problem):
    assert complaints(check(problem)) == []


def test_a_verdict_says_that_the_board_has_a_bias_and_pegasos_none():
    board = make_dataset("separable", 12)
    assert "no bias" in check(Problem(board))["P1"].note
    assert check(Problem(board, bias=False))["P1"].note == ""
    assert "C = 1" in check(Problem(board, C=math.inf))["P7"].note


def walk(change=None, name: str = "overlapping"):
    """A situation whose walk has something wrong with it."""
    s = Situation(Problem(make_dataset(name, 24, 0.4, seed=1), C=0.2))
    if change is not None:
        vars(s.walk).update(change(s.walk))
    return s


def drifting(k):
    w = k.literal.w.copy()
    w[200:] *= 1.05
    return {"literal": Literal(w, k.literal.v, k.literal.gradient)}


def longer(k):
    return {"literal": Literal(1000 * k.literal.w, k.literal.v, 1000 * k.literal.gradient)}


WRONG = {
    "P1": lambda: walk(drifting),
    "P2": lambda: walk(drifting),
    "P3": lambda: walk(longer),
    "P4": lambda: walk(longer),
    "P6": lambda: walk(lambda k: {"run": replace(k.run, regret=k.run.regret + 0.2 * k.loss_unit)}),
    "P7": lambda: walk(lambda k: {"many": replace(k.many, average=k.many.average + k.many.bound)}),
    "P8": lambda: walk(longer),
    "P9": lambda: walk(lambda k: {"steps": replace(k.steps, before=1.01 * k.steps.before)}),
    "P10": lambda: walk(drifting),
    "P11": lambda: walk(drifting),
    "P12": lambda: walk(lambda k: {"w": k.w + 0.3 * k.unit}),
    "L6": lambda: walk(lambda k: {"w": k.w + 0.3 * k.unit}),
    "L7": lambda: walk(lambda k: {"steps": replace(k.steps, before=1.01 * k.steps.before)}),
}


@pytest.mark.parametrize("id", WRONG)
def test_a_wrong_answer_is_noticed(id):
    assert CATALOGUE[id].check(walk()).holds
    verdict = CATALOGUE[id].check(WRONG[id]())
    assert verdict.applies, verdict.why
    assert not verdict.holds
    assert verdict.residual > 1e3 * verdict.tolerance


def test_a_step_on_w_multiplies_as_often_for_any_number_of_points():
    data = make_dataset("overlapping", 40)
    for m in (4, 20, 40):
        assert multiplications("step", data.X[:m], data.y[:m]) == 3 * 2
        assert multiplications("batch-step", data.X[:m], data.y[:m]) == 4 * m + 2
        assert multiplications("kernel-step", data.X[:m], data.y[:m]) == 3 * m
    assert exponent("dual-qp", data.X, data.y, 80, 160)[0] == pytest.approx(3, abs=0.03)
