"""Pegasos against the text of the notes: P1-P8 of the catalogue."""

import math

import numpy as np
import pytest

from svmlab import BadInput, Dataset, Linear, Problem, make_dataset, pegasos, solve
from svmlab.pegasos import checkpoints, draws, objective

LAM, T = 0.05, 600


@pytest.fixture(scope="module")
def data() -> Dataset:
    return make_dataset("overlapping", 24, 0.3, seed=3)


@pytest.fixture(scope="module")
def best(data: Dataset) -> float:
    """F(w*), from the exact solver without bias."""
    return LAM * solve(Problem.from_lambda(data, Linear(), LAM, bias=False)).objective


def literal(data: Dataset, lam: float, steps: int, seed: int, run: int) -> tuple[list[np.ndarray], list[int]]:
    """w_1 .. w_{T+1} by w - eta (lambda w - v) with eta = 1/(lambda t), one point at a time, no vectors."""
    w, path, drawn = np.zeros(data.d), [], []
    for t in range(1, steps + 1):
        path.append(w)
        i = int(draws(data.m, seed, run, t - 1, t)[0])
        drawn.append(i)
        slope = lam * w
        if data.y[i] * float(np.dot(w, data.X[i])) < 1:
            slope = slope - data.y[i] * data.X[i]
        w = w - slope / (lam * t)
    return [*path, w], drawn


def test_the_run_is_the_literal_loop(data: Dataset) -> None:
    run = pegasos(data, LAM, T, runs=2, seed=5)
    for r in range(2):
        path, _ = literal(data, LAM, T, 5, r)
        for k, t in enumerate(run.t):
            np.testing.assert_allclose(run.iterates[r, k], path[t - 1], rtol=1e-9, atol=1e-11)
            np.testing.assert_allclose(run.averages[r, k], np.mean(path[:t], axis=0), rtol=1e-9, atol=1e-11)


def test_w_is_the_sum_of_the_pushes_over_lambda_t(data: Dataset) -> None:
    path, drawn = literal(data, LAM, 200, 0, 0)
    pushes = [
        data.y[i] * data.X[i] if data.y[i] * path[t] @ data.X[i] < 1 else np.zeros(2) for t, i in enumerate(drawn)
    ]
    np.testing.assert_allclose(path[200], np.sum(pushes, axis=0) / (LAM * 200), atol=1e-12)


def test_w_stays_in_the_ball_and_the_gradient_under_2X(data: Dataset) -> None:
    run = pegasos(data, LAM, T, runs=8)
    assert np.linalg.norm(run.iterates, axis=2).max() <= run.X / LAM * (1 + 1e-12)
    assert run.G.max() <= 2 * run.X
    assert (np.diff(run.G, axis=1) >= 0).all()


def test_the_bounds_on_w_and_on_the_gradient_are_attained() -> None:
    # Two opposite draws of the same far point: w_2 = x / lambda, then the gradient at the twin is 2X.
    twins = Dataset([[3.0, 4.0], [3.0, 4.0]], [1, -1])
    run = pegasos(twins, 0.1, 50, runs=20, seed=1)
    assert np.linalg.norm(run.iterates, axis=2).max() == pytest.approx(5 / 0.1)
    assert run.G.max() == pytest.approx(2 * 5)


def test_the_mean_gap_of_the_average_is_under_its_bound_at_every_checkpoint(data: Dataset, best: float) -> None:
    run = pegasos(data, LAM, T, runs=100)
    gap = run.average - best
    spread = gap.std(axis=0) / math.sqrt(len(gap))
    assert (gap.mean(axis=0) + 3 * spread <= run.bound).all()
    assert (gap >= -1e-12).all()


def test_the_bound_has_the_factor_one_plus_ln_T(data: Dataset) -> None:
    run = pegasos(data, LAM, 1000)
    radius = max(math.hypot(*x) for x in data.X)
    assert run.bound[-1] == pytest.approx(2 * radius**2 / (LAM * 1000) * (1 + math.log(1000)))


def test_regret_is_under_the_harmonic_bound_in_every_single_run(data: Dataset) -> None:
    w_star = solve(Problem.from_lambda(data, Linear(), LAM, bias=False)).w
    run = pegasos(data, LAM, T, runs=10, seed=2)
    for r in range(10):
        drawn = draws(data.m, 2, r, 0, T)
        one = np.maximum(0, 1 - data.y[drawn] * (data.X[drawn] @ w_star)) + LAM / 2 * w_star @ w_star
        for k, t in enumerate(run.t):
            harmonic = sum(1 / s for s in range(1, t + 1))
            assert run.regret[r, k] - one[:t].mean() <= run.G[r, k] ** 2 / (2 * LAM * t) * harmonic + 1e-9


def test_the_printed_factor_ln_T_plus_1_is_false_for_one_point() -> None:
    run = pegasos(Dataset([[1.0]], [1]), 1.0, 1)
    regret = run.regret[0, 0] - 0.5  # min over w of max(0, 1 - w) + w^2 / 2 is 1/2, at w = 1
    assert regret > run.G[0, 0] ** 2 / 2 * math.log(1 + 1)
    assert regret <= run.G[0, 0] ** 2 / 2 * (1 + math.log(1))


def test_F_of_the_average_is_at_most_the_average_of_F(data: Dataset) -> None:
    path, _ = literal(data, LAM, 300, 1, 0)
    values = objective(data, LAM, np.array(path[:300]))
    assert objective(data, LAM, np.mean(path[:300], axis=0)) <= values.mean() + 1e-12


def test_any_stretch_of_draws_can_be_drawn_again() -> None:
    whole = draws(17, 3, 2, 0, 1000)
    for start, stop in ((0, 1), (1, 7), (4, 9), (333, 1000), (999, 1000)):
        np.testing.assert_array_equal(draws(17, 3, 2, start, stop), whole[start:stop])


def test_draws_reach_every_point_about_equally_often() -> None:
    counts = np.bincount(draws(10, 0, 0, 0, 20_000), minlength=10)
    assert np.abs(counts - 2000).max() < 6 * math.sqrt(20_000 * 0.1 * 0.9)


def test_repetitions_differ_and_seeds_repeat(data: Dataset) -> None:
    one, two = pegasos(data, LAM, 50, runs=2, seed=4), pegasos(data, LAM, 50, runs=2, seed=4)
    np.testing.assert_array_equal(one.iterates, two.iterates)
    assert not np.array_equal(one.iterates[0], one.iterates[1])


def test_the_suffix_average_is_the_mean_of_the_second_half(data: Dataset) -> None:
    run = pegasos(data, LAM, 64)
    path, _ = literal(data, LAM, 64, 0, 0)
    expected = objective(data, LAM, np.mean(path[32:64], axis=0))
    assert run.suffix[0, -1] == pytest.approx(expected)


def test_checkpoints_begin_at_one_end_at_T_and_grow() -> None:
    for steps in (1, 2, 10, 999, 100_000):
        t = checkpoints(steps)
        assert t[0] == 1
        assert t[-1] == steps
        assert (np.diff(t) > 0).all()
    assert len(checkpoints(100_000)) < 70


def test_progress_is_reported_and_can_cancel_the_run(data: Dataset) -> None:
    class EnoughError(Exception):
        pass

    fractions: list[float] = []

    def on_progress(fraction: float) -> None:
        fractions.append(fraction)
        if fraction > 0.5:
            raise EnoughError

    with pytest.raises(EnoughError):
        pegasos(data, LAM, 20_000, on_progress=on_progress)
    assert fractions == sorted(fractions)
    assert fractions[-1] < 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"lam": 0.0}, "lam"),
        ({"lam": math.inf}, "lam"),
        ({"T": 0}, "T"),
        ({"T": 2.5}, "T"),
        ({"runs": 0}, "runs"),
        ({"seed": -1}, "seed"),
        ({"kernel": "rbf"}, "kernel"),
        ({"data": Dataset([], [])}, "data"),
    ],
)
def test_bad_arguments_are_named(data: Dataset, change: dict, field: str) -> None:
    with pytest.raises(BadInput, match=f"^{field}"):
        pegasos(**({"data": data, "lam": LAM, "T": 10} | change))
