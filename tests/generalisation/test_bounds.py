"""The compression bound (G1), and the bound on the hinge risk that does not know the dimension (G4)."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from svmlab import BadInput, Gaussian, Linear, Problem, make_dataset, solve
from svmlab.generalisation import (
    Blobs,
    Compression,
    Embedding,
    compression,
    compression_bound,
    enough_points,
    excess_risk,
    fewest_points,
    hinge_risk,
    least_risk,
    max_support_vectors,
    moved_into_disc,
    risk_bound,
    risk_lambda,
    risk_problem,
    sample_errors,
    sharper_bound,
    support_vector_difference,
)
from svmlab.generalisation.risk import DISC_BLOBS

CLEAN, NOISY = Blobs((3, 0), 1.0, 0.0), Blobs((2, 0), 1.0, 0.3)


def at(C):
    return lambda data: Problem(data, Linear(), C)


def bounds(errors):
    return np.array([compression_bound(int(N), errors.m) for N in errors.support])


def test_few_carry_all_and_the_bound_speaks():
    errors = sample_errors(CLEAN, 120, at(10.0), draws=30)
    assert errors.support.mean() == pytest.approx(2.7, abs=0.3)
    assert errors.true.mean() == pytest.approx(0.003, abs=0.001)
    assert bounds(errors).mean() == pytest.approx(0.44, abs=0.02)
    assert (errors.true <= bounds(errors)).all()
    assert (errors.true <= compression_bound(0, 120)).all()  # without noise, N := 0 is not refuted: 0 of 30
    assert np.mean([sharper_bound(int(N), 120) for N in errors.support]) == pytest.approx(0.16, abs=0.015)
    larger = sample_errors(CLEAN, 300, at(10.0), draws=30)
    assert bounds(larger).mean() == pytest.approx(0.31, abs=0.015)


def test_where_labels_are_noisy_it_says_nothing_and_n_is_what_pays():
    errors = sample_errors(NOISY, 120, at(1.0), draws=30)
    assert errors.support.mean() == pytest.approx(89, abs=2)
    assert errors.true.mean() == pytest.approx(0.31, abs=0.015)
    assert bounds(errors).min() > 1
    assert bounds(errors).mean() == pytest.approx(2.1, abs=0.05)
    assert (errors.true > compression_bound(0, 120)).sum() == 30


def test_the_bound_fails_on_at_most_a_fraction_delta_of_the_samples():
    """On small samples, where it is least far from the truth; half of it is broken."""
    sharp = 0
    for m in (10, 30):
        errors = sample_errors(CLEAN, m, at(10.0), draws=200)
        assert (errors.true > bounds(errors)).mean() <= 0.05
        sharp += sum(t > sharper_bound(int(N), m) for t, N in zip(errors.true, errors.support, strict=True) if m > N)
    assert sharp <= 0.05 * 400


def test_the_formulas():
    m, N, delta = 120, 3, 0.05
    assert compression_bound(N, m) == pytest.approx(math.sqrt((3 + 4 * math.log(120) + math.log(20)) / 120))
    assert compression_bound(N, m, error_outside_support=0.1) == pytest.approx(compression_bound(N, m) + 0.1)
    choices = sum(1 for _ in combinations(range(20), 4))
    assert sharper_bound(4, 20) == pytest.approx((math.log(choices) + math.log(20 / delta)) / 16)
    assert sharper_bound(20, 20) == math.inf
    assert sharper_bound(2.7, 120) == pytest.approx(0.16, abs=0.005)
    for N in range(1, 20):
        assert sharper_bound(N, 120) < compression_bound(N, 120) < 1


@pytest.mark.parametrize("m", [1, 5, 6, 20, 120, 300])
def test_where_it_begins_to_speak(m):
    most = max_support_vectors(m)
    speaks = [N for N in range(m + 1) if compression_bound(N, m) < 1]
    assert most == (max(speaks) if speaks else -1)
    for N in speaks:
        assert N * (1 + math.log(m)) < m
    for N in (0, 3, 10):
        fewest = fewest_points(N)
        assert compression_bound(N, fewest) < 1
        assert fewest == N or fewest == 1 or compression_bound(N, fewest - 1) >= 1


def test_points_that_are_no_support_vectors_are_classified_correctly():
    for kernel, C in ((Linear(), 0.1), (Linear(), 10), (Gaussian(0.5), 1)):
        solution = solve(Problem(make_dataset("overlapping", 60, 0.2), kernel, C))
        compressed = compression(solution)
        assert compressed.error_outside_support == 0
        assert (compressed.N, compressed.m) == (int(solution.support.sum()), 60)
        assert compressed.is_vacuous == (compressed.bound >= 1)
        assert support_vector_difference(solution) < 1e-7
    assert Compression(2, 50, 0.05, 0.1).sharper == math.inf
    assert support_vector_difference(solve(Problem(make_dataset("overlapping", 2, 0.1).__class__([[0, 0]], [1])))) == 0


def test_with_lambda_fixed_the_machine_does_not_come_back():
    """The control of S9: the same lambda on fewer points is another C."""
    data = make_dataset("overlapping", 60, 0.1)
    whole = solve(Problem.from_lambda(data, Linear(), 0.02))
    s = whole.support
    few = solve(Problem.from_lambda(data.__class__(data.X[s], data.y[s]), Linear(), 0.02))
    assert np.abs(few.decision(data.X) - whole.decision(data.X)).max() > 0.1
    assert support_vector_difference(whole) < 1e-8


def test_how_many_points_are_enough():
    assert [risk_bound(m) for m in (20, 80, 320)] == pytest.approx([1.265, 0.632, 0.316], abs=5e-4)
    assert enough_points(0.1) == 3200
    assert risk_bound(enough_points(0.1)) <= 0.1 * (1 + 1e-12) < risk_bound(3199)
    assert enough_points(0.1, r=2.0) == 4 * 3200
    assert risk_lambda(80) == pytest.approx(math.sqrt(2 / (4 * 80)))


def test_the_excess_of_the_risk_in_the_mean():
    excess = excess_risk()
    assert excess.mean == pytest.approx([0.112, 0.059, 0.028], abs=0.01)
    assert excess.bound == pytest.approx([1.265, 0.632, 0.316], abs=5e-4)
    assert (excess.mean < excess.bound).all()
    assert (excess.mean > excess.bound / 20).all()  # the control
    assert excess.useful_from() > 20
    assert risk_bound(excess.useful_from()) + excess.best_risk <= 1


def test_a_hundred_constant_dimensions_leave_the_bound_and_noise_in_them_raises_it():
    small = {"m": (20, 80), "draws": 10, "fresh": 4000}
    plane, turned = excess_risk(**small), excess_risk(space=Embedding(100), **small)
    assert turned.excess == pytest.approx(plane.excess, abs=1e-8)
    assert np.array_equal(turned.bound, plane.bound)
    noisy = Embedding(100, 0.3)
    assert noisy.r == pytest.approx(math.sqrt(1 + 98 * 0.09))
    longer = excess_risk(space=noisy, **small)
    assert (longer.bound > 3 * plane.bound).all()
    assert (longer.mean > 2 * plane.mean).all()
    assert (longer.mean < longer.bound).all()


def test_lengths_stay_in_the_space_and_noise_adds_to_them():
    data = moved_into_disc(Blobs().draw(50))
    assert np.linalg.norm(data.X, axis=1).max() <= 1 + 1e-12
    lifted = Embedding(30).lift(data, 0)
    assert pytest.approx(data.X @ data.X.T, abs=1e-12) == lifted.X @ lifted.X.T
    noisy = Embedding(30, 0.2)
    squares = (noisy.lift(data, 0).X ** 2).sum(axis=1)
    assert squares == pytest.approx((data.X**2).sum(axis=1) + 28 * 0.04)
    assert squares.max() <= noisy.r**2 + 1e-12


@pytest.mark.parametrize("B", [0.5, 2.0, 50.0])
def test_the_least_risk_in_a_ball_against_a_grid_and_against_the_solver(B):
    data = moved_into_disc(DISC_BLOBS.draw(400, 3))
    best, u = least_risk(data, B)
    assert hinge_risk(u, data) == best
    assert np.linalg.norm(u) <= B + 1e-12
    angles, lengths = np.meshgrid(np.linspace(0, 2 * np.pi, 121), np.linspace(0, min(B, 12), 41))
    W = np.stack([lengths * np.cos(angles), lengths * np.sin(angles)], -1).reshape(-1, 2)
    grid = np.maximum(0, 1 - data.y * (W @ data.X.T)).mean(axis=1)
    assert best <= grid.min() + 1e-9
    assert grid.min() < best + 0.01
    if B == 50.0:
        free = solve(Problem(data, Linear(), 1e5, bias=False))
        assert best == pytest.approx(hinge_risk(free.w, data), abs=1e-5)
    else:  # the multiplier of |u| <= B: the risk falls along u, and the solver with that lambda ends at the rim
        short = data.y * (data.X @ u) < 1
        lam = float((data.y[short] @ data.X[short]) @ u) / data.m / B**2
        assert np.linalg.norm(u) == pytest.approx(B)
        w = solve(Problem.from_lambda(data, Linear(), lam, bias=False)).w
        assert hinge_risk(w, data) + lam / 2 * w @ w == pytest.approx(best + lam / 2 * B**2, abs=2e-4)


def test_the_machine_of_the_bound():
    data = moved_into_disc(DISC_BLOBS.draw(80))
    problem = risk_problem(data)
    assert problem.lam == pytest.approx(2 * risk_lambda(80))
    assert not problem.bias
    w = solve(problem).w

    def printed(u):  # D's form: lambda |w|^2 + mean hinge
        return risk_lambda(80) * u @ u + hinge_risk(u, data)

    rng = np.random.default_rng(0)
    assert all(printed(w) <= printed(w + 0.1 * rng.standard_normal(2)) for _ in range(100))


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: compression_bound(5, 4), "N"),
        (lambda: compression_bound(1, 4, 0.0), "delta"),
        (lambda: enough_points(0), "eps"),
        (lambda: risk_bound(0), "m"),
        (lambda: risk_lambda(5, B=0), "B"),
        (lambda: Embedding(1), "d"),
        (lambda: Embedding(5, -1.0), "noise"),
    ],
)
def test_what_cannot_be_is_named(make, field):
    with pytest.raises(BadInput, match=rf"^{field}: "):
        make()


def test_the_experiment_reports():
    seen = []
    excess_risk(m=(5, 6), draws=2, fresh=100, on_progress=seen.append)
    assert seen == [0.25, 0.5, 0.75, 1.0]
