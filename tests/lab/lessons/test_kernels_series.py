"""The coordinates behind a Gaussian: closed forms, the numbers of the lesson, and the machines that have only these."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import BadInput, Dataset, Gaussian, Linear, Problem, make_dataset, pegasos, solve
from svmlab.kernels.features import (
    gaussian_exponents,
    gaussian_factors,
    gaussian_features,
    gaussian_grid,
    gaussian_powers,
    gaussian_remainder,
    gaussian_squares,
    gaussian_terms_needed,
    random_deviation,
    random_features,
)
from svmlab.lab.lessons.kernels import LESSON
from svmlab.lab.lessons.kernels import series as step
from svmlab.statements import CATALOGUE, Situation
from tests.lessons import stage_of

X = np.random.default_rng(1).uniform(-3, 3, (40, 2))
AT = np.linspace(-4.0, 4.0, 41)


def truncation_error(x: float, z: float, N: int, sigma: float = 1.0) -> float:
    """The error of the sum up to N at x and z."""
    Phi = gaussian_powers(np.array([x, z]), N, sigma)
    return abs(math.exp(-((x - z) ** 2) / (2 * sigma**2)) - float(Phi[0] @ Phi[1]))


# ---------------------------------------------------------------- the series


@pytest.mark.parametrize(("N", "error"), [(2, 0.994), (5, 0.884), (10, 0.294), (20, 4e-4), (30, 8e-9)])
def test_the_errors_at_distance_3_are_those_of_the_lesson_and_the_tail_of_a_poisson_distribution(N, error):
    assert truncation_error(3.0, 3.0, N) == pytest.approx(error, rel=0.1 if error < 1e-2 else 6e-4)
    tail = 1.0 - math.exp(-9) * sum(9.0**n / math.factorial(n) for n in range(N + 1))
    assert truncation_error(3.0, 3.0, N) == pytest.approx(tail, abs=1e-14)
    assert gaussian_remainder(3.0, N) == pytest.approx(tail, abs=1e-14)


@pytest.mark.parametrize(("N", "error"), [(2, 0.17), (5, 0.004), (10, 5e-7)])
def test_the_errors_at_1_and_1_and_a_half_are_those_of_the_lesson(N, error):
    assert truncation_error(1.0, 1.5, N) == pytest.approx(error, rel=0.03)


def test_what_is_missing_is_right_however_small_and_however_far():
    exact = sum(math.exp(-9 + n * math.log(9) - math.lgamma(n + 1)) for n in range(61, 160))
    assert gaussian_remainder(3.0, 60) == pytest.approx(exact, rel=1e-12)
    assert gaussian_remainder(0.0, 0) == 0.0
    assert gaussian_remainder(160.0, 25_600) == pytest.approx(0.5, abs=0.01)  # the median of a Poisson distribution
    assert gaussian_remainder(6.0, 36, sigma=2.0) == gaussian_remainder(3.0, 36)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 3.0])
def test_squares_add_up_to_1_and_their_mean_degree_is_the_square_of_the_distance(sigma):
    share = gaussian_squares(3.0, 120, sigma)
    t = (3.0 / sigma) ** 2
    assert share.sum() == pytest.approx(1.0, abs=1e-12)
    assert share @ np.arange(121) == pytest.approx(t, rel=1e-11)
    assert share.max() == pytest.approx(share[math.floor(t)], rel=1e-12)
    if t == round(t):
        assert share[round(t)] == pytest.approx(share[round(t) - 1], rel=1e-12)


def test_terms_that_are_enough_are_the_least_that_are():
    for r in (0.0, 0.3, 1.0, 3.0, 8.0):
        for eps in (0.3, 1e-3, 1e-6, 1e-12):
            N = gaussian_terms_needed(r, eps)
            assert gaussian_remainder(r, N) <= eps
            assert N == 0 or gaussian_remainder(r, N - 1) > eps
    assert gaussian_terms_needed(3.0, 1e-6) == 26  # about 30


def test_powers_are_those_of_the_definition_and_0_is_no_exception():
    n = np.arange(9)
    for x in (-1.3, 0.0, 0.7):
        wanted = [math.exp(-(x**2) / 2) * x**k / math.sqrt(math.factorial(k)) for k in n.tolist()]
        assert gaussian_powers(np.array([x]), 8)[0] == pytest.approx(wanted, rel=1e-13)


def test_in_the_plane_there_is_a_coordinate_for_each_monomial_and_fewer_are_their_beginning():
    for d in (1, 2, 3):
        for N in (0, 1, 4):
            a = gaussian_exponents(d, N)
            assert a.shape == (math.comb(N + d, d), d)
            assert len(np.unique(a, axis=0)) == len(a)
            assert np.array_equal(np.sort(a.sum(1)), a.sum(1))
            assert np.array_equal(gaussian_exponents(d, N + 2)[: len(a)], a)
    assert gaussian_exponents(2, 2).tolist() == [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]
    assert np.array_equal(gaussian_features(X, 12)[:, :21], gaussian_features(X, 5))


@pytest.mark.parametrize("d", [1, 2, 3])
def test_features_come_near_the_kernel_with_the_error_of_the_farthest_point(d):
    Z = np.random.default_rng(d).uniform(-2, 2, (15, d))
    for N in (3, 8, 20):
        Phi = gaussian_features(Z, N, 1.2)
        error = np.abs(Phi @ Phi.T - Gaussian(1.2)(Z, Z))
        r = np.linalg.norm(Z, axis=1)
        missing = [gaussian_remainder(float(each), N, 1.2) for each in r]
        assert np.diag(error) == pytest.approx(missing, abs=1e-13)
        assert error.max() <= max(missing) + 1e-13
    series = np.cumsum([(Z @ Z.T / 1.44) ** n / math.factorial(n) for n in range(9)], axis=0)[8]
    own = np.exp(-(Z**2).sum(1) / 2.88)
    Phi = gaussian_features(Z, 8, 1.2)
    assert Phi @ Phi.T == pytest.approx(own[:, None] * series * own, abs=1e-13)


def test_a_grid_is_the_features_at_its_places():
    w = np.random.default_rng(2).standard_normal(21)
    U, V = np.meshgrid(AT, AT[:-4])
    places = np.stack([U.ravel(), V.ravel()], 1)
    assert gaussian_grid(w, 5, AT, AT[:-4], 0.8).ravel() == pytest.approx(
        gaussian_features(places, 5, 0.8) @ w, abs=1e-13
    )
    assert gaussian_grid(w, 5, AT, AT[:-4]).tolist() == gaussian_grid(w, 5, AT, AT[:-4], 1.0).tolist()


@pytest.mark.parametrize("sigma", [0.3, 1.0, 4.0])
def test_three_factors_are_the_gaussian(sigma):
    own, other, both = gaussian_factors(X, X[:7], sigma)
    assert np.exp(own[:, None] + both + other) == pytest.approx(Gaussian(sigma)(X, X[:7]), abs=1e-12)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: gaussian_powers(X[:, 0], -1),
        lambda: gaussian_powers(X[:, 0], 1.5),
        lambda: gaussian_features(X, 3, sigma=0.0),
        lambda: gaussian_features(X[0], 3),
        lambda: gaussian_terms_needed(1.0, 0.0),
        lambda: gaussian_factors(X, X[:, :1]),
        lambda: random_features(2, 0),
        lambda: random_features(2, 10, sigma=-1.0),
        lambda: random_features(2, 10, seed=-1),
        lambda: random_features(2, 10)(X[:, :1]),
    ],
)
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(BadInput):
        wrong()


# ---------------------------------------------------------------- what the notes print


def test_the_statements_say_the_numbers_that_are_printed():
    verdict = CATALOGUE["K7"].check(Situation(CATALOGUE["K7"].witness.problem))
    printed = [side.value for side in verdict.printed.sides]
    assert printed == pytest.approx([0.8386, 0.0083], abs=5e-5)
    assert verdict.control.residual == pytest.approx(0.4126, abs=1e-4)
    verdict = CATALOGUE["K6"].check(Situation(CATALOGUE["K6"].witness.problem))
    assert [side.value for side in verdict.printed.sides] == pytest.approx([math.exp(-0.5), 1.0])


def test_the_statements_hold_for_narrow_and_wide_gaussians_and_far_points():
    distant = Dataset([[8.0, 8.0], [-8.0, 7.0], [0.0, 0.0], [0.001, -8.0]], [1, -1, 1, -1])
    for data in (distant, make_dataset("moons", 60)):
        for sigma in (0.05, 0.7, 20.0):
            s = Situation(Problem(data, Gaussian(sigma)))
            assert [id for id in ("K6", "K7") if not CATALOGUE[id].check(s).holds] == []


# ---------------------------------------------------------------- random features


def test_more_features_begin_with_the_fewer_ones_and_another_seed_has_others():
    few, many = random_features(2, 10, 1.5, seed=3), random_features(2, 40, 1.5, seed=3)
    assert np.array_equal(many.W[:10], few.W)
    assert np.array_equal(many.c[:10], few.c)
    assert not np.array_equal(random_features(2, 10, 1.5, seed=4).W, few.W)
    assert few.D == 10


def test_their_mean_is_the_kernel_and_their_deviation_has_a_closed_form():
    K = Gaussian(1.3)(X, X)
    D, n = 20, 400
    random_grams = np.array([(lambda Phi: Phi @ Phi.T)(random_features(2, D, 1.3, seed)(X)) for seed in range(n)])
    deviation = random_deviation(K, D)
    assert deviation.max() == pytest.approx(math.sqrt(1.0 / D), abs=1e-6)
    assert np.diag(deviation) == pytest.approx(math.sqrt(0.5 / D))
    errors = (random_grams.mean(0) - K) / (deviation / math.sqrt(n))  # in standard errors
    upper = errors[np.triu_indices(len(X))]
    assert np.abs(upper.mean()) < 3 / 6  # entries hang together, some 36 of them freely
    assert 0.7 < np.sqrt((upper**2).mean()) < 1.3
    assert random_grams.std(0) / deviation == pytest.approx(np.ones_like(K), abs=0.2)


WANTED = {10: 0.93, 40: 0.48, 160: 0.25, 640: 0.11, 2560: 0.054}


def test_the_largest_error_over_40_points_is_that_of_the_lesson_and_four_times_as_many_features_halve_it():
    K = Gaussian()(X, X)
    means = []
    for D, wanted in WANTED.items():
        drawn = []
        for seed in range(30):
            Phi = random_features(2, D, seed=seed)(X)
            drawn.append(float(np.abs(Phi @ Phi.T - K).max()))
        means.append(float(np.mean(drawn)))
        assert abs(wanted - means[-1]) < 3 * np.std(drawn), D  # the lesson's is one draw
    ratios = np.array(means[:-1]) / np.array(means[1:])
    assert ratios == pytest.approx(np.full(4, 2.0), rel=0.1)


def test_a_grid_of_random_features_is_the_features_at_its_places():
    features, w = random_features(2, 30, 0.9, 5), np.random.default_rng(6).standard_normal(30)
    U, V = np.meshgrid(AT, AT[:-4])
    places = np.stack([U.ravel(), V.ravel()], 1)
    assert features.grid(w, AT, AT[:-4]).ravel() == pytest.approx(features(places) @ w, abs=1e-12)


# ---------------------------------------------------------------- machines with these coordinates


@pytest.mark.parametrize("name", ["moons", "spirals"])
def test_an_svm_with_enough_terms_is_that_of_the_kernel(name):
    data = make_dataset(name, 24, 0.1, seed=1)
    exact = solve(Problem(data, Gaussian(), C=2.0, bias=False))
    Phi = gaussian_features(data.X, 50)
    machine = solve(Problem(Dataset(Phi, data.y), Linear(), C=2.0, bias=False))
    assert machine.w is not None
    assert Phi @ machine.w == pytest.approx(exact.decision(data.X), abs=1e-6)
    assert machine.objective == pytest.approx(exact.objective, rel=1e-8)


def test_linear_pegasos_on_enough_terms_makes_the_steps_of_its_kernel_form():
    data = make_dataset("moons", 24, 0.1, seed=1)
    Phi = gaussian_features(data.X, 60)
    linear = pegasos(Dataset(Phi, data.y), 0.05, 2000)
    kernel = pegasos(data, 0.05, 2000, kernel=Gaussian())
    assert linear.averages[0, -1] @ Phi.T == pytest.approx(kernel.decision(data.X), abs=1e-8)


def test_linear_pegasos_on_random_features_comes_near_its_kernel_form():
    data = make_dataset("moons", 24, 0.1, seed=1)
    f = pegasos(data, 0.05, 2000, kernel=Gaussian()).decision(data.X)
    means = []
    for D in (40, 640):
        away = []
        for seed in range(8):
            Phi = random_features(2, D, seed=seed)(data.X)
            away.append(float(np.abs(Phi @ pegasos(Dataset(Phi, data.y), 0.05, 2000).averages[0, -1] - f).max()))
        means.append(np.mean(away))
    assert 2.5 < means[0] / means[1] < 6.0  # sixteen times as many


# ---------------------------------------------------------------- the step


def stage(**picks: str):
    each = stage_of(LESSON, step.FLOWER())
    return replace(each, picks={**each.picks, **picks})


def test_the_board_has_its_farthest_point_at_3_and_more_terms_put_more_points_right():
    assert step.reach(stage()) == pytest.approx(3.0)
    wrong = []
    for N in (0, 2, 5, 10, 30):
        at = replace(stage(), dials={"terms": float(N)})
        wrong.append(int((at.data.y * step.with_terms(at).f <= 0).sum()))
    assert wrong == sorted(wrong, reverse=True)
    assert wrong[0] > 5
    assert wrong[-1] == 0
    assert (
        np.abs(
            step.with_terms(replace(stage(), dials={"terms": 30.0})).f - stage().solution.decision(stage().data.X)
        ).max()
        < 1e-6
    )


def test_the_answer_follows_from_the_tolerance_of_the_question():
    assert step.SERIES.choices[step.SERIES.answer(stage())].text == "About 30"
    assert gaussian_remainder(3.0, step.LAST) < step.MISSING <= gaussian_remainder(3.0, step.LAST - 1)
    assert "exactly 27" in step.SERIES.verdict_text(stage())
    assert gaussian_remainder(3.0, 9) == pytest.approx(0.41, abs=0.005)  # the 40 % of the second choice


def test_the_errors_of_the_chart_are_those_of_each_number_of_features():
    errors = step.all_errors(stage())
    assert errors.shape == (len(step.FEATURES), step.DRAWS)
    for i, D in enumerate(step.FEATURES.astype(int).tolist()):
        assert errors[i, 2] == pytest.approx(step.largest_error(stage(), random_features(2, D, seed=3)), abs=1e-12)


def test_what_is_drawn_follows_the_dials():
    few, many = (replace(stage(), dials={"terms": N}) for N in (4.0, 30.0))
    assert step.draw(few)["overlay"][-1]["pts"] != step.draw(many)["overlay"][-1]["pts"]
    keys = [slider["key"] for slider in step.draw(few)["sliders"]]
    assert keys == ["sigma", "terms"]
    waves = step.draw(stage(features="random"))["sliders"][-1]
    assert (waves["key"], waves["value"], waves["linear"]) == ("waves", 160, False)
    assert [r.text for r in step.numbers(replace(stage(), shown=False))] == []
