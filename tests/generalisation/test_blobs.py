"""A distribution that is known: the formula of a line's error against fresh points, and the error on the sample
(G0)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import BadInput, Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset, solve
from svmlab.generalisation import Blobs, SampleErrors, sample_errors, training_error

NOISY = Blobs(eta=0.1)


def linear(data):
    return Problem(data, Linear(), 1.0)


@pytest.mark.parametrize("seed", [0, 3, 8])
def test_the_formula_agrees_with_200_000_fresh_points(seed):
    solution = solve(linear(NOISY.draw(60, seed)))
    fresh = NOISY.measured_error(solution.decision, 200_000)
    assert NOISY.true_error(solution).standard_error == 0
    assert abs(fresh.value - NOISY.error(solution.w, solution.b)) < 3 * fresh.standard_error
    assert fresh.standard_error == pytest.approx(7.7e-4, rel=0.05)


@pytest.mark.parametrize(
    ("w", "b"),
    [((1.35, 0.7425), 0.0), ((3.0, -1.0), 0.5), ((-0.2, 0.1), 0.02), ((0.0, 1.0), -3.0), ((1e-6, 0.0), 1e-6)],
)
@pytest.mark.parametrize("eta", [0.0, 0.1, 0.3, 0.5])
def test_the_formula_agrees_with_200_000_fresh_points_within_three_standard_errors(w, b, eta):
    blobs, n = Blobs(eta=eta), 200_000
    right = blobs.error(np.array(w), b)
    assert abs(blobs.measured_error(lambda X: X @ w + b, n).value - right) <= 3 * math.sqrt(right * (1 - right) / n)


@settings(max_examples=25, deadline=None)
@given(
    st.floats(0, 2 * math.pi), st.floats(0.1, 5), st.floats(-4, 4), st.floats(0.2, 3), st.sampled_from([0.0, 0.1, 0.3])
)
def test_the_formula_holds_for_any_line(turn, norm, b, s, eta):
    blobs = Blobs((1.0, -0.5), s, eta)
    w = norm * np.array([math.cos(turn), math.sin(turn)])
    fresh = blobs.measured_error(lambda X: X @ w + b, 20_000)
    assert abs(fresh.value - blobs.error(w, b)) < 5 * fresh.standard_error + 1e-3


def test_without_the_flips_the_formula_would_be_refuted():
    solution = solve(linear(NOISY.draw(60, 0)))
    fresh = NOISY.measured_error(solution.decision, 200_000)
    assert abs(fresh.value - Blobs(eta=0.0).error(solution.w, solution.b)) > 30 * fresh.standard_error


def test_no_line_beats_the_best_and_no_other_machine():
    assert NOISY.bayes_error == pytest.approx(0.135, abs=5e-4)
    angles = np.linspace(0, 2 * np.pi, 73)
    errors = [NOISY.error(np.array([np.cos(a), np.sin(a)]), b) for a in angles for b in np.linspace(-3, 3, 61)]
    assert NOISY.bayes_error <= min(errors) < NOISY.bayes_error + 1e-3
    for kernel in (Gaussian(0.4), Gaussian(1.5), Polynomial(3)):
        fresh = NOISY.true_error(solve(Problem(NOISY.draw(300, 1), kernel, 1.0)))
        assert fresh.standard_error > 0
        assert fresh.value > NOISY.bayes_error - 3 * fresh.standard_error


def test_a_constant_classifier():
    assert NOISY.error(np.zeros(2), 1.0) == 0.5
    assert NOISY.error(np.zeros(2), 0.0) == 1.0
    one_class = solve(linear(Dataset([[0, 0], [1, 1]], [1, 1])))
    assert NOISY.true_error(one_class).value == 0.5
    assert NOISY.measured_error(one_class.decision).value == pytest.approx(0.5, abs=0.02)


def test_a_larger_sample_keeps_the_points_and_more_noise_the_places():
    few, many = NOISY.draw(20, 5), NOISY.draw(60, 5)
    assert np.array_equal(many.X[:20], few.X)
    assert np.array_equal(many.y[:20], few.y)
    clean, noisy = Blobs().draw(400, 5), Blobs(eta=0.3).draw(400, 5)
    assert np.array_equal(clean.X, noisy.X)
    ten, thirty = Blobs(eta=0.1).draw(400, 5).y != clean.y, noisy.y != clean.y
    assert not (ten & ~thirty).any()
    assert ten.mean() == pytest.approx(0.1, abs=0.05)
    assert thirty.mean() == pytest.approx(0.3, abs=0.07)
    assert not np.array_equal(NOISY.draw(20, 6).X, few.X)
    assert not np.array_equal(NOISY.fresh(20, 5).X, few.X)


def test_the_preset_is_drawn_from_it():
    """The mean and the spread of the preset "overlapping", on each side, are those of the blobs but for its cut at
    4."""
    blobs, data = Blobs(), make_dataset("overlapping", 5000, 0.1, seed=2)
    centred = data.X - data.y[:, None] * np.array(blobs.mu)
    assert np.abs(centred.mean(axis=0)).max() < 0.03
    assert centred.std(axis=0) == pytest.approx([blobs.s] * 2, abs=0.03)
    own = blobs.draw(5000)
    assert own.y.mean() == pytest.approx(0, abs=0.06)
    assert np.abs((own.X - own.y[:, None] * np.array(blobs.mu)).std(axis=0) - blobs.s).max() < 0.03


def test_more_coordinates_change_nothing_that_is_along_mu():
    wide = Blobs((1.35, 0.7425, 0, 0, 0), 0.9, 0.1)
    assert wide.error(np.array([1.0, 2, 0, 0, 0]), 0.3) == NOISY.error(np.array([1.0, 2]), 0.3)
    assert wide.draw(7).X.shape == (7, 5)


@pytest.mark.parametrize(
    ("m", "train", "true", "within"), [(20, 0.13, 0.176, 0.02), (60, 0.127, 0.144, 0.015), (300, 0.137, 0.136, 0.006)]
)
def test_training_error_and_true_error(m, train, true, within):
    """40 draws with the linear machine at C = 1. The largest sample has no gap left that 40 draws would show."""
    errors = sample_errors(NOISY, m, linear)
    assert len(errors.train) == len(errors.true) == 40
    assert errors.train.mean() == pytest.approx(train, abs=within)
    assert errors.true.mean() == pytest.approx(true, abs=within)
    assert (errors.true >= NOISY.bayes_error).all()
    assert (errors.standard_error == 0).all()
    if m == 20:
        assert errors.gap > 3 * errors.gap_error
        assert (errors.true < errors.train).any()  # in the mean, not in every draw
    if m == 300:
        assert abs(errors.gap) < 3 * errors.gap_error


def test_shared_test_points_limit_the_precision_of_the_mean_gap():
    """All draws are measured by the same fresh points."""
    train, true, none = np.full(3, 0.1), np.array([0.1, 0.2, 0.3]), np.zeros(3, dtype=int)
    by_formula = SampleErrors(20, train, true, np.zeros(3), none)
    assert by_formula.gap_error == pytest.approx(0.1 / np.sqrt(3))
    same = SampleErrors(20, train, np.full(3, 0.2), np.full(3, 0.04), none)
    assert same.gap_error == pytest.approx(0.04)


def test_a_narrow_gaussian_learns_its_sample_by_heart():
    errors = sample_errors(NOISY, 60, lambda data: Problem(data, Gaussian(0.1), 1.0), draws=10, fresh=2000)
    assert errors.train.mean() < 0.02
    assert errors.true.mean() > 0.35
    assert (errors.standard_error > 0).all()


def test_a_cloud_reports_and_stops():
    seen = []
    sample_errors(NOISY, 10, linear, draws=4, on_progress=seen.append)
    assert seen == [0.25, 0.5, 0.75, 1.0]

    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sample_errors(NOISY, 10, linear, draws=4, on_progress=stop)


def test_the_training_error_counts_a_point_on_the_line():
    data = Dataset([[1, 0], [-1, 0], [0, 0], [0, 0]], [1, -1, 1, -1])
    assert training_error(solve(Problem(data, Linear(), 1.0))) == 0.5


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Blobs(mu=()), "mu"),
        (lambda: Blobs(mu=(math.nan, 1)), "mu"),
        (lambda: Blobs(s=0), "s"),
        (lambda: Blobs(eta=0.6), "eta"),
        (lambda: Blobs().draw(0), "m"),
        (lambda: Blobs().draw(5, -1), "seed"),
    ],
)
def test_what_cannot_be_is_named(make, field):
    with pytest.raises(BadInput, match=rf"^{field}: "):
        make()
