"""The readings of the step (P10), what the notes leave out, and the bounds (P3, P4, P6, P7, P12) on every board."""

import math

import numpy as np
import pytest

from svmlab import DATASETS, BadInput, Dataset, Linear, Problem, make_dataset, pegasos, solve
from svmlab.pegasos import (
    PegasosRun,
    comparator_loss,
    corrected_factor,
    draws,
    gap_bound,
    harmonic,
    objective,
    printed_factor,
    printed_gap_bound,
    regret_bound,
    replay,
    sharp_gap_bound,
)


def optimum(data: Dataset, lam: float) -> np.ndarray:
    return solve(Problem.from_lambda(data, Linear(), lam, bias=False)).w


def value(data: Dataset, lam: float) -> float:
    return lam * solve(Problem.from_lambda(data, Linear(), lam, bias=False)).objective


# P10: what the indices do


def path_of(data: Dataset, lam: float, T: int, **rule) -> tuple[np.ndarray, np.ndarray]:
    """w_1 .. w_T and the rows drawn."""
    stretch = replay(pegasos(data, lam, T, seed=1, **rule), 0, 1, T + 1)
    return stretch.before, stretch.drawn[:, 0]


@pytest.mark.parametrize(("form", "later"), [("w", 0), ("theta", 1)])
@pytest.mark.parametrize("step", [1, 2])
def test_the_form_is_a_subgradient_step_of_its_own_length(form: str, later: int, step: int) -> None:
    data, lam = make_dataset("moons", 20), 0.1
    path, drawn = path_of(data, lam, 300, form=form, step=step)
    w = np.zeros(2)
    for t in range(1, 301):
        np.testing.assert_allclose(path[t - 1], w, rtol=1e-9, atol=1e-11)
        z = data.y[drawn[t - 1]] * data.X[drawn[t - 1]]
        eta = 1 / (step * lam * (t + later))
        w = w - eta * (step * lam * w - (z if path[t - 1] @ z < 1 else 0 * z))


def test_the_theta_form_lags_behind_the_w_form_on_the_same_pushes() -> None:
    data, lam = make_dataset("moons", 20), 0.1
    theta = replay(pegasos(data, lam, 100, form="theta"), 0, 1, 101)
    sums = np.cumsum(theta.push * (lam * (theta.t[:, None] + 1)), axis=0)
    np.testing.assert_allclose(theta.before[1:], sums[:-1] / (lam * theta.t[1:, None]), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("rule", [{}, {"form": "theta"}, {"step": 2}, {"form": "theta", "step": 2}])
def test_each_consistent_reading_goes_to_the_optimum_of_its_own_F(rule: dict) -> None:
    data, lam = make_dataset("overlapping", 30), 0.1
    run = pegasos(data, lam, 20_000, runs=20, **rule)
    assert np.abs(run.average[:, -1] - value(data, run.rule.mu)).max() < 2e-3


def test_the_mixed_step_has_a_gap_that_does_not_vanish() -> None:
    data, lam = make_dataset("overlapping", 30), 0.1
    mixed = pegasos(data, lam, 20_000, runs=20, step=1, penalty_factor=2)
    best = value(data, 2 * lam)
    away = float(objective(data, 2 * lam, optimum(data, lam))) - best
    assert away > 5e-3
    np.testing.assert_allclose(mixed.average[:, -1] - best, away, rtol=0.3)
    assert not mixed.rule.guaranteed
    control = pegasos(data, lam, 20_000, runs=20, step=2)
    assert control.average[:, -1].mean() - best < 0.2 * away


def test_step_2_is_step_1_with_twice_the_lambda() -> None:
    data = make_dataset("moons", 20)
    one, two = pegasos(data, 0.2, 500, 2), pegasos(data, 0.1, 500, 2, step=2)
    for name in ("iterates", "average", "regret", "G", "bound"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


# What the notes leave out


def test_without_replacement_every_epoch_draws_each_point_once() -> None:
    whole = draws(7, 3, 1, 0, 70, replace=False)
    for epoch in whole.reshape(10, 7):
        assert sorted(epoch) == list(range(7))
    assert len({tuple(epoch) for epoch in whole.reshape(10, 7)}) == 10
    for start, stop in ((0, 1), (3, 9), (6, 7), (13, 70), (69, 70)):
        np.testing.assert_array_equal(draws(7, 3, 1, start, stop, replace=False), whole[start:stop])


def test_every_place_of_an_epoch_draws_every_point_about_equally_often() -> None:
    first = draws(5, 0, 0, 0, 20_000, replace=False).reshape(-1, 5)[:, 0]
    assert np.abs(np.bincount(first) - 800).max() < 6 * math.sqrt(4000 * 0.2 * 0.8)


def test_one_epoch_in_one_batch_is_the_full_subgradient_step() -> None:
    data, lam = make_dataset("overlapping", 12), 0.1
    stretch = replay(pegasos(data, lam, 40, replace=False, batch=12), 0, 1, 41)
    w = np.zeros(2)
    for t in range(1, 41):
        inside = data.y * (data.X @ w) < 1
        w = w - (lam * w - (data.y * inside) @ data.X / 12) / (lam * t)
        np.testing.assert_allclose(stretch.after[t - 1], w, rtol=1e-9, atol=1e-11)


def test_a_batch_step_is_the_mean_over_its_margin_violations() -> None:
    data, lam = make_dataset("moons", 20), 0.1
    stretch = replay(pegasos(data, lam, 200, batch=4), 0, 1, 201)
    assert stretch.drawn.shape == (200, 4)
    z = data.y[stretch.drawn][..., None] * data.X[stretch.drawn]
    v = (z * stretch.violates[..., None]).mean(1)
    np.testing.assert_allclose(stretch.push, v / (lam * stretch.t[:, None]), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(stretch.margin, (z * stretch.before[:, None]).sum(2), atol=1e-11)


def test_larger_batches_scatter_less() -> None:
    data = make_dataset("overlapping", 30)
    spread = [pegasos(data, 0.1, 300, 60, batch=batch).iterates[:, -1].std(0).max() for batch in (1, 16)]
    assert spread[1] < 0.5 * spread[0]


def test_projection_keeps_w_in_the_ball_and_does_nothing_inside_it() -> None:
    data, lam = make_dataset("overlapping", 30), 0.01
    free, projected = (replay(pegasos(data, lam, 400, project=project), 0, 1, 401) for project in (False, True))
    norms = np.linalg.norm(projected.after, axis=1)
    assert norms.max() <= 1 / math.sqrt(lam) * (1 + 1e-12)
    assert np.linalg.norm(free.after, axis=1).max() > 2 / math.sqrt(lam)
    outside = np.linalg.norm(projected.shrink + projected.push, axis=1) > 1 / math.sqrt(lam)
    assert outside.any()
    np.testing.assert_allclose(norms[outside], 1 / math.sqrt(lam))
    np.testing.assert_allclose(projected.after[~outside], (projected.shrink + projected.push)[~outside], atol=1e-12)


@pytest.mark.parametrize("rule", [{"replace": False}, {"batch": 5}, {"project": True}])
def test_every_variant_goes_to_the_same_optimum(rule: dict) -> None:
    data, lam = make_dataset("overlapping", 30), 0.1
    run = pegasos(data, lam, 3000, runs=10, **rule)
    assert 0 <= run.average[:, -1].mean() - value(data, lam) < 0.01


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"form": "v"}, "form"),
        ({"step": 3}, "step"),
        ({"penalty_factor": 0}, "penalty_factor"),
        ({"batch": 0}, "batch"),
        ({"batch": 2.5}, "batch"),
    ],
)
def test_bad_options_are_named(change: dict, field: str) -> None:
    with pytest.raises(BadInput, match=f"^{field}"):
        pegasos(make_dataset("moons", 10), 0.1, 10, **change)


# The bounds


def test_harmonic_numbers() -> None:
    n = np.array([0, 1, 2, 255, 256, 257, 5000])
    np.testing.assert_allclose(harmonic(n), [sum(1 / s for s in range(1, k + 1)) for k in n], rtol=4e-15)
    assert harmonic(4).shape == ()
    t = np.arange(1, 3000)
    assert (printed_factor(t) < harmonic(t)).all()
    assert (harmonic(t) <= corrected_factor(t)).all()


def test_the_last_line_of_A_follows_from_the_sharp_form() -> None:
    t = np.arange(1, 100_000)
    assert (sharp_gap_bound(3.0, 0.1, t) <= printed_gap_bound(3.0, 0.1, t)).all()
    assert (printed_gap_bound(3.0, 0.1, t) < gap_bound(3.0, 0.1, t)).all()


def test_P6_the_printed_factor_is_false_for_one_point_and_one_step() -> None:
    run = pegasos(Dataset([[1.0]], [1]), 1.0, 1)
    regret = float(run.regret[0, 0] - comparator_loss(run, np.array([1.0]))[0, 0])
    assert regret == 0.5 == float(regret_bound(run.G[0, 0], 1.0, 1, harmonic(1)))
    assert 2 * regret == 1.0 > 2 * float(regret_bound(run.G[0, 0], 1.0, 1, printed_factor(1))) > 0.69


@pytest.mark.parametrize("T", [1, 2, 3, 10, 50])
def test_P6_the_harmonic_factor_is_attained(T: int) -> None:
    """Points so near that every draw violates, each as far from the mean of those before it as the first from 0."""
    lam, distance = 1.0, 0.05
    x: list[float] = []
    for t in range(T):
        x.append((np.mean(x) if x else 0.0) + distance * (-1) ** t)
    order = draws(T, 2, 0, 0, T, replace=False)
    X = np.empty((T, 1))
    X[order, 0] = x
    run = pegasos(Dataset(X, np.ones(T)), lam, T, seed=2, replace=False)
    np.testing.assert_allclose(run.gradient, distance, rtol=1e-12)
    regret = float(run.regret[0, -1] - comparator_loss(run, X.mean(0) / lam)[0, -1])
    assert regret == pytest.approx(float(regret_bound(distance, lam, T, harmonic(T))), rel=1e-10)
    assert regret > float(regret_bound(distance, lam, T, printed_factor(T)))
    assert regret <= float(regret_bound(distance, lam, T, corrected_factor(T))) * (1 + 1e-10)


def boards() -> list[tuple[str, Dataset, float]]:
    rng = np.random.default_rng(7)
    out = [(name, make_dataset(name), lam) for name in DATASETS for lam in (0.02, 0.5)]
    for i in range(100):
        m = int(rng.integers(1, 25))
        X = rng.normal(size=(m, 2)) * 10 ** rng.uniform(-1, 1) + rng.normal(size=2)
        out.append((f"random {i}", Dataset(X, rng.choice([-1.0, 1.0], m)), float(10 ** rng.uniform(-2, 0.5))))
    return out


def assert_bounds(run: PegasosRun, best: float, w: np.ndarray) -> None:
    gap = run.average - best
    error = gap.std(0) / math.sqrt(run.runs)
    size = max(1.0, best)
    assert (gap >= -1e-9 * size).all()
    assert (gap.mean(0) + 3 * error <= run.bound + 1e-9 * size).all()
    # With the realised G the bound is tight at T = 1 up to Jensen, so the standard error is on the other side.
    assert (gap.mean(0) - 3 * error <= run.realised_bound + 1e-9 * size).all()
    assert (gap.mean(0) - 3 * error <= sharp_gap_bound(run.X, run.lam, run.t) + 1e-9 * size).all()
    norms = np.linalg.norm(run.iterates, axis=-1)
    assert (norms * run.rule.sigma <= run.X * (1 + 1e-12)).all()  # P3
    assert (run.gradient <= 2 * run.X * (1 + 1e-12)).all()  # P4
    regret = run.regret - comparator_loss(run, w)
    assert (regret <= regret_bound(run.G, run.lam, run.t, harmonic(run.t)) + 1e-9 * size).all()


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("name", "data", "lam"), [pytest.param(*b, id=f"{b[0]}, {b[2]:.2g}") for b in boards()])
def test_the_bounds_hold_on_every_board(name: str, data: Dataset, lam: float) -> None:
    solution = solve(Problem.from_lambda(data, Linear(), lam, bias=False))
    run = pegasos(data, lam, 120, runs=200, seed=11)
    assert run.rule.guaranteed
    assert_bounds(run, lam * solution.objective, solution.w)


def test_P12_the_distance_goes_like_the_root_of_the_gap() -> None:
    data, lam = make_dataset("overlapping", 30), 0.1
    w, best = optimum(data, lam), value(data, lam)
    run = pegasos(data, lam, 20_000, runs=30)
    distance = np.linalg.norm(run.averages - w, axis=2)
    assert (lam / 2 * distance**2 <= run.average - best + 1e-12).all()
    late = run.t >= 100
    slope = np.polyfit(np.log(run.t[late]), np.log((run.average - best).mean(0)[late]), 1)[0]
    assert slope < -0.7


def test_P11_the_second_half_forgets_the_first_steps() -> None:
    data, lam = make_dataset("overlapping", 30), 0.1
    run = pegasos(data, lam, 20_000, runs=50)
    gaps = {name: getattr(run, name)[:, -1].mean() - value(data, lam) for name in ("last", "average", "suffix")}
    assert min(gaps.values()) > 0
    assert gaps["suffix"] < gaps["average"]
