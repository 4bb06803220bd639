"""G2, G3, G6, G7 and G8 on the boards that the lesson shows, and on many others."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem, Sigmoid, make_dataset
from svmlab import kernels as registry
from svmlab.generalisation import circuits, labels
from svmlab.statements import CATALOGUE, Situation, Verdict, labellings, shattering_with_margin
from svmlab.statements.labellings import HEXAGON, count_unrefuted
from tests.boards import random_board

IDS = ("G2", "G3", "G6", "G7", "G8")
HEX = Dataset(HEXAGON, [1, -1, 1, -1, 1, -1])


def check(id: str, problem: Problem) -> Verdict:
    return CATALOGUE[id].check(Situation(problem))


def numbers(reading: object) -> dict[str, float]:
    return {str(side.name): side.value for side in reading.sides}


def board(seed: int) -> Problem:
    """Up to thirty points: thousandths apart, far from the middle, nearly on a line, doubled, one class; each kernel in
    turn."""
    rng = np.random.default_rng(seed)
    m, kind = int(rng.integers(3, 30)), seed % 6
    X = rng.standard_normal((m, 2)) * rng.choice([0.003, 0.3, 3.0, 8.0]) + rng.choice([0, 6])
    t = rng.normal(0, 3, m)
    X = {
        1: np.column_stack([t, 0.7 * t]) + 0.001 * rng.integers(-1, 2, (m, 2)),
        2: X[rng.integers(0, m // 2, m)],
        3: rng.integers(-3, 4, (m, 2)).astype(float),
        4: np.outer(np.round(t), [0.1, 0.3]),
    }.get(kind, X)
    y = np.where(rng.random(m) < rng.choice([0.5, 1.0]), 1, -1)
    names = list(registry.KERNELS)
    return Problem(
        Dataset(np.clip(X, -8, 8).round(3), y), registry.KERNELS[names[seed % len(names)]](), bias=seed % 2 == 0
    )


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.sweep) for n in range(12, 96, 12))])
@pytest.mark.filterwarnings("ignore::svmlab.NotExact")  # a statement allows for the rounding of its solution
def test_they_hold_on_any_board(first):
    for seed in range(first, first + 12):
        for problem in (board(seed), random_board(seed)):
            for id in IDS:
                verdict = check(id, problem)
                assert verdict.holds is not False, (id, seed, verdict.residual)
                assert verdict.applies or verdict.why.endswith(".")


@pytest.mark.parametrize("name", ["overlapping", "moons", "circles"])
def test_they_hold_on_two_hundred_points_and_say_how_many_were_taken(name):
    problem = Problem(make_dataset(name, 200), Polynomial(2))
    for id in IDS:
        verdict = check(id, problem)
        assert verdict.holds, id
        assert "different positions" in verdict.note
        assert id == "G6" or "lines in the plane" in verdict.note


def test_fewer_than_three_distinct_points_and_other_dimensions_get_a_reason():
    twins = Problem(Dataset([[0, 0], [1, 0], [1, 0]], [1, -1, 1]))
    space = Problem(Dataset(np.eye(3), [1, -1, 1]))
    for id in IDS:
        assert "three different positions" in check(id, twins).why
        assert "lines in the plane" in check(id, space).why
        assert "no points" in check(id, Problem(Dataset([], []))).why


# ---------------------------------------------------------------- G7


@pytest.mark.parametrize(
    ("X", "made"),
    [
        ([[0, 0], [3, 0], [1, 2], [2, -1]], 14),
        ([[0, 0], [1, 0], [2, 0], [1, 2]], 12),
        ([[0, 0], [1, 0], [2, 0], [3, 0]], 8),
    ],
)
def test_four_points_by_radon(X, made):
    assert count_unrefuted(circuits(np.array(X, dtype=float)), (0, 1, 2, 3)) == made
    verdict = check("G7", Problem(Dataset(X, [1, -1, 1, -1])))
    assert verdict.holds
    said = numbers(verdict.repaired)
    assert said["most labellings of a quadruple, by Radon partitions"] == made
    assert said["most labellings of a quadruple, by all directions"] == made
    assert said["labellings of the first four with a separating line"] == made


def test_three_on_a_line_refute_the_print_and_six_labellings_are_left():
    verdict = check("G7", Problem(Dataset([[0, 0], [1, 0], [2, 0]], [1, -1, 1])))
    assert not verdict.printed.holds
    assert numbers(verdict.printed)["fewest labellings that lines realise for three points"] == 6
    assert verdict.repaired.holds
    assert check("G7", Problem(Dataset([[0, 0], [1, 0], [2, 1]], [1, -1, 1]))).printed.holds


def test_points_on_a_line_as_decimals_are_on_one():
    verdict = check("G7", Problem(Dataset([[0.1, 0.3], [0.2, 0.6], [0.7, 2.1]], [1, -1, 1])))
    assert numbers(verdict.repaired)["triples on one line"] == 1


def test_a_count_by_directions_that_is_not_radons_is_noticed(monkeypatch):
    monkeypatch.setattr("svmlab.statements.labellings.count_with_margin", lambda labelling_margins, smallest_margin: 13)
    assert not check("G7", Problem(HEX)).holds


# ---------------------------------------------------------------- G2, G3, G8


def test_at_the_best_triangle_the_print_allows_278_hundredths():
    verdict = check("G2", Problem(HEX))
    assert verdict.printed.residual == pytest.approx(3 - (16 / 9 + 1), abs=1e-4)
    said = numbers(verdict.repaired)
    assert said["bound, rounded up"] == 3
    assert said["largest possible ratio for three points in the plane, by the formula"] == 0.75
    assert said["largest possible ratio for four points in space, by the formula"] == pytest.approx(1 / math.sqrt(3))


def test_the_print_stands_where_no_three_points_are_nearly_equilateral():
    """R/rho = 2 for the corner of a square: R^2/rho^2 = 4."""
    square = Dataset([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1])
    assert check("G2", Problem(square)).printed.holds


@pytest.mark.parametrize("shape", [((0, 5), (-4.33, -2.5), (4.33, -2.5)), ((3, 0), (3, 0.4), (3.346, 0.2))])
def test_translation_and_scaling_do_not_matter_to_a_circle(shape):
    verdict = check("G3", Problem(Dataset(shape, [1, -1, 1])))
    assert verdict.holds
    assert numbers(verdict.printed)["largest margin, from distances to sides"] == pytest.approx(0.75, abs=2e-3)
    assert verdict.control.residual == pytest.approx(math.sqrt(3) / 2 - 0.75)


def test_on_a_line_no_circle_is_spoken_of():
    row = Problem(Dataset([[0, 0], [1, 1], [2, 2]], [1, -1, 1]))
    assert "one line" in check("G3", row).why
    assert check("G2", row).holds
    assert check("G8", row).holds


def test_a_triangle_far_apart_is_shattered_with_the_note_s_margin():
    verdict = check("G8", CATALOGUE["G8"].witness.problem)
    said = numbers(verdict.repaired)
    assert said["largest margin that shatters three of the points"] == pytest.approx(3, abs=1e-3)
    assert said["labellings of these points with margin 1.126"] == 8
    assert said["radius below which no triple is shattered"] == pytest.approx(1.5013, abs=1e-4)
    assert not verdict.printed.holds


@pytest.mark.parametrize(("R", "shattered"), [(1.5, 0), (1.503, 1)])
def test_the_ball_decides(R, shattered):
    X = np.round(R * shattering_with_margin.EQUILATERAL[0], 3)
    verdict = check("G8", Problem(Dataset(X, [1, -1, 1])))
    assert numbers(verdict.repaired)["triples shattered with margin 1.126"] == shattered
    assert verdict.printed.holds == (shattered == 0)
    assert verdict.repaired.holds


# ---------------------------------------------------------------- G6


@pytest.mark.parametrize(
    ("kernel", "counts"),
    [(Polynomial(2), [62, 62, 32, 2, 2]), (Polynomial(3), [64, 64, 46, 20, 2]), (Gaussian(1.0), [64, 64, 62, 14, 2])],
)
def test_a_margin_takes_away_what_features_bring(kernel, counts):
    verdict = check("G6", Problem(HEX, kernel))
    assert verdict.holds
    said = list(numbers(verdict.printed).values())
    assert said[:2] == [64, 32]
    assert said[2:7] == counts


def test_a_board_without_features_gets_a_gaussian_and_a_note():
    verdict = check("G6", Problem(HEX, Linear()))
    assert "Gaussian" in verdict.note
    assert numbers(verdict.printed) == numbers(check("G6", Problem(HEX, Gaussian(1.0))).printed)


def test_a_kernel_without_a_feature_space_has_no_margin():
    assert "no feature space" in check("G6", Problem(HEX, Sigmoid())).why


@pytest.mark.parametrize(("k", "most", "sets"), [(6, 2, 22), (6, 3, 42), (6, 6, 64), (3, 5, 8)])
def test_sauer_counts(k, most, sets):
    assert labellings.sauer(k, most) == sets
    assert sum((y > 0).sum() <= most for y in labels(k)) == sets


def test_margins_too_narrow_to_solve_for_are_said():
    close = [[5.9998, 6.0], [5.9999, 6.0], [6.0001, 6.0001], [6.0001, 6.0002], [6.0001, 5.9999], [5.9999, 6.0002]]
    verdict = check("G6", Problem(Dataset(close, [1, -1, 1, -1, 1, -1]), Polynomial(2)))
    assert verdict.holds
    assert "too small" in verdict.note
