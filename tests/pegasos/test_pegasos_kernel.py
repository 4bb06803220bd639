"""Pegasos in kernel values: the classifier of the linear form (P9), and the exact optimum for the Gaussian."""

import numpy as np
import pytest

from svmlab import (
    BadInput,
    Dataset,
    Gaussian,
    KernelRun,
    Linear,
    Polynomial,
    Problem,
    Sigmoid,
    make_dataset,
    pegasos,
    solve,
)
from svmlab.kernels.base import Kernel
from svmlab.pegasos import Rule, checkpoint_values, draws, replay_kernel, run_kernel

LAM = 0.05


def literal(data: Dataset, kernel: Kernel, lam: float, T: int, seed: int, run: int) -> list[np.ndarray]:
    """The signed counts before every step, by D's listing with the index of P1: one sum over all points a step."""
    counts, beta = [], np.zeros(data.m)
    for t in range(1, T + 1):
        counts.append(beta.copy())
        i = int(draws(data.m, seed, run, t - 1, t)[0])
        alpha = beta / (lam * max(t - 1, 1))
        total = sum(alpha[j] * float(kernel(data.X[[j]], data.X[[i]])[0, 0]) for j in range(data.m))
        if data.y[i] * total < 1:
            beta[i] += data.y[i]
    return counts


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Polynomial(2), Linear()])
def test_the_counts_are_those_of_the_listing(kernel: Kernel) -> None:
    data = make_dataset("moons", 12)
    run = run_kernel(data, Rule(LAM), 150, kernel, runs=2, seed=3)
    for r in range(2):
        counts = literal(data, kernel, LAM, 150, 3, r)
        for k, t in enumerate(run.t):
            np.testing.assert_array_equal(run.beta[r, k], counts[t - 1])
            np.testing.assert_allclose(run.iterates[r, k], counts[t - 1] / (LAM * max(t - 1, 1)), rtol=1e-14)
        path = np.array(counts) / (LAM * np.maximum(np.arange(150), 1))[:, None]
        for k, t in enumerate(run.t):
            np.testing.assert_allclose(run.averages[r, k], path[:t].mean(0), rtol=1e-9, atol=1e-11)
            np.testing.assert_allclose(run.suffixes[r, k], path[t // 2 : t].mean(0), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("options", [{}, {"form": "theta"}, {"step": 2}, {"penalty_factor": 2}, {"replace": False}])
def test_P9_the_linear_kernel_gives_the_classifier_of_the_linear_form(options: dict) -> None:
    data = make_dataset("overlapping", 30)
    w = pegasos(data, LAM, 40_000, 3, 2, **options)
    counts = run_kernel(data, Rule(LAM, **options), 40_000, Linear(), 3, 2)
    np.testing.assert_array_equal(w.t, counts.t)
    for name in ("iterates", "averages", "suffixes"):
        np.testing.assert_allclose(getattr(counts, name) @ data.X, getattr(w, name), rtol=1e-9, atol=1e-10)
    for name in ("last", "average", "suffix", "regret", "G", "bound", "X", "realised_bound"):
        np.testing.assert_allclose(getattr(counts, name), getattr(w, name), rtol=1e-9, atol=1e-10)
    Z = np.random.default_rng(0).normal(size=(20, 2))
    np.testing.assert_allclose(counts.decision(Z, run=1), Z @ w.averages[1, -1], atol=1e-10)
    np.testing.assert_allclose(counts.decision(Z, "last", 2, 5), Z @ w.iterates[2, 5], atol=1e-9)


def test_a_polynomial_run_is_the_linear_run_in_feature_space() -> None:
    data, kernel = make_dataset("circles", 20), Polynomial(2)
    lifted = pegasos(Dataset(kernel.feature_map(data.X), data.y), LAM, 2000, 2)
    run = pegasos(data, LAM, 2000, 2, kernel=kernel)
    assert isinstance(run, KernelRun)
    np.testing.assert_allclose(run.average, lifted.average, rtol=1e-8)
    np.testing.assert_allclose(run.X, lifted.X)


@pytest.mark.parametrize("name", ["moons", "xor", "circles"])
def test_the_gaussian_run_goes_to_the_exact_optimum_under_its_bound(name: str) -> None:
    data, kernel = make_dataset(name, 40), Gaussian(0.8)
    best = solve(Problem.from_lambda(data, kernel, LAM, bias=False))
    run = pegasos(data, LAM, 20_000, 5, kernel=kernel)
    gap = run.average - LAM * best.objective
    assert (gap >= -1e-12).all()
    assert (gap.mean(0) <= run.bound).all()
    assert gap[:, -1].max() < 1e-3
    np.testing.assert_allclose(run.X, 1.0)
    Z = np.random.default_rng(0).uniform(-2, 2, (50, 2))
    np.testing.assert_allclose(run.decision(Z), best.decision(Z), atol=0.15)


def test_a_replayed_stretch_is_the_run() -> None:
    data, kernel = make_dataset("moons", 20), Gaussian(0.7)
    run = run_kernel(data, Rule(LAM), 500, kernel, 2, 3)
    stretch = replay_kernel(run, 1, 1, 501)
    counts = literal(data, kernel, LAM, 500, 3, 1)
    np.testing.assert_array_equal(stretch.beta, counts)
    np.testing.assert_array_equal(stretch.beta[run.t - 1], run.beta[1])
    f = (stretch.beta / stretch.c[:, None]) @ kernel(data.X, data.X)
    np.testing.assert_allclose(stretch.margin, (data.y * f)[np.arange(500), stretch.drawn], atol=1e-9)
    np.testing.assert_array_equal(np.abs(np.diff(stretch.beta, axis=0)).sum(1), stretch.violates[:-1])
    late = replay_kernel(run, 1, 400, 450)
    np.testing.assert_array_equal(late.beta, stretch.beta[399:449])
    np.testing.assert_array_equal(late.margin, stretch.margin[399:449])
    with pytest.raises(BadInput, match=r"^stop"):
        replay_kernel(run, 1, 400, 502)


def test_borders_of_blocks_leave_no_trace(monkeypatch) -> None:
    data, kernel = make_dataset("moons", 20), Gaussian(0.7)
    whole = run_kernel(data, Rule(LAM), 2000, kernel, 2, 3)
    monkeypatch.setattr(checkpoint_values, "BLOCK", 70)
    pieces = run_kernel(data, Rule(LAM), 2000, kernel, 2, 3)
    for name in ("beta", "averages", "suffixes", "regret", "G"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(pieces, name))


def test_progress_is_reported_and_can_cancel_the_run() -> None:
    fractions: list[float] = []

    def on_progress(fraction: float) -> None:
        fractions.append(fraction)
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pegasos(make_dataset("moons", 20), LAM, 3000, 3, kernel=Gaussian(1.0), on_progress=on_progress)
    assert fractions == sorted(fractions)
    assert fractions[-1] < 1


def test_what_has_no_meaning_in_kernel_values_is_refused() -> None:
    data = make_dataset("moons", 20)
    for options, field in (({"batch": 2}, "batch: 2"), ({"project": True}, "project: True")):
        with pytest.raises(BadInput, match=f"^{field}"):
            pegasos(data, LAM, 10, kernel=Gaussian(1.0), **options)
    with pytest.raises(BadInput, match="indefinite"):
        pegasos(data, LAM, 10, kernel=Sigmoid(1.0, -1.0))
    with pytest.raises(BadInput, match=r"^data"):
        run_kernel(Dataset([], []), Rule(LAM), 10, Gaussian(1.0))
    with pytest.raises(BadInput, match=r"^gram: shape \(3, 3\)"):
        run_kernel(data, Rule(LAM), 10, Gaussian(1.0), gram=np.eye(3))
