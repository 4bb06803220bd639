"""A board is traced to the draw that it is, and no other board is (G0)."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import Gaussian, Linear, Problem, make_dataset, solve
from svmlab.data import DATASETS
from svmlab.generalisation import CLEAN, NOISY, Blobs, sample_errors
from svmlab.generalisation.sources import (
    KNOWN_SEEDS,
    IdentifiedSample,
    PresetSource,
    blobs_with_flipped_labels,
    board_rows,
    identify_sample,
    rounded_to_board,
)

NO_PRESET = ("lattice", 50, 0.0, 0)


@pytest.mark.parametrize("m", [20, 60, 300])
@pytest.mark.parametrize("eta", [0.1, 0.3])
def test_every_sample_of_the_blobs_is_recognised(m, eta):
    for seed in range(KNOWN_SEEDS):
        assert identify_sample(
            board_rows(blobs_with_flipped_labels(eta).draw(m, seed)), *NO_PRESET
        ) == IdentifiedSample(blobs_with_flipped_labels(eta), seed, 0)


def test_without_flips_it_takes_points_that_would_have_been_flipped():
    samples = [
        identify_sample(board_rows(blobs_with_flipped_labels(0.0).draw(300, seed)), *NO_PRESET)
        for seed in range(KNOWN_SEEDS)
    ]
    assert samples == [IdentifiedSample(blobs_with_flipped_labels(0.0), seed, 0) for seed in range(KNOWN_SEEDS)]


def test_points_that_are_moved_relabelled_or_added_are_counted_until_they_are_half():
    points = board_rows(blobs_with_flipped_labels(0.1).draw(20, 3))
    (x, y, label), *rest = points
    assert identify_sample([(x + 1, y, label), *rest], *NO_PRESET).moved_count == 1
    assert identify_sample([(x, y, -label), *rest], *NO_PRESET).moved_count == 1
    assert identify_sample([*points, (0, 0, 1), (5, 5, -1)], *NO_PRESET).moved_count == 2
    assert identify_sample(rest, *NO_PRESET).moved_count == 1, "the first was taken away"
    assert identify_sample(points[:-1], *NO_PRESET) == IdentifiedSample(blobs_with_flipped_labels(0.1), 3, 0), (
        "19 points are a draw too"
    )
    assert identify_sample([*points[1:], points[1]], *NO_PRESET).moved_count == 1, "doubled"
    for n, known in ((10, True), (11, False)):
        some = [(x + 1, y + 1, label) for x, y, label in points[:n]] + points[n:]
        assert (identify_sample(some, *NO_PRESET) is not None) == known


@pytest.mark.parametrize("source", [CLEAN, NOISY])
@pytest.mark.parametrize("seed", [0, 7, KNOWN_SEEDS - 1])
@pytest.mark.parametrize("m", [2, 20, 120, 300])
def test_samples_of_other_blobs_are_recognised_by_their_points(source, seed, m):
    assert identify_sample(board_rows(source.draw(m, seed)), *NO_PRESET) == IdentifiedSample(source, seed, 0)


def test_up_to_half_of_the_points_may_be_others():
    own, other = board_rows(NOISY.draw(20, 3)), [(9000 + i, 0, 1) for i in range(20)]
    assert identify_sample(own + other, *NO_PRESET) == IdentifiedSample(NOISY, 3, 20)
    assert identify_sample(own[:10] + other[:11], *NO_PRESET) is None


def test_whichever_points_of_a_draw_are_left_they_are_from_there():
    flipped_ones = [(x, y, label) for x, y, label in board_rows(NOISY.draw(300, 0)) if x * label < 0]
    assert 60 < len(flipped_ones) < 120
    sample = identify_sample(flipped_ones, *NO_PRESET)
    assert (sample.source, sample.seed) == (NOISY, 0)
    assert sample.moved_count > 0


@pytest.mark.parametrize("blobs", [Blobs((2.0, 0.0), 0.9, 0.3), Blobs(mu=(1.0, 0.0), eta=0.1)])
def test_other_points_are_no_sample_of_a_known_source(blobs):
    assert identify_sample(board_rows(blobs.draw(120, 0)), *NO_PRESET) is None
    assert identify_sample(board_rows(NOISY.draw(120, KNOWN_SEEDS)), *NO_PRESET) is None
    assert identify_sample([(x, y, -label) for x, y, label in board_rows(NOISY.draw(120, 0))], *NO_PRESET) is None


def test_one_point_in_common_with_a_sample_is_no_evidence():
    first, second, *_ = board_rows(blobs_with_flipped_labels(0.1).draw(20, 3))
    assert identify_sample([first], *NO_PRESET) is None
    assert identify_sample([first, (1, 1, 1)], *NO_PRESET) is None
    assert identify_sample([first, first], *NO_PRESET) is None, "one place, twice"
    assert identify_sample([first, second], *NO_PRESET) == IdentifiedSample(blobs_with_flipped_labels(0.1), 3, 0)


def test_points_of_ones_own_come_from_nowhere():
    rng = np.random.default_rng(0)
    own = [(int(x), int(y), 1 if x > 0 else -1) for x, y in rng.integers(-3000, 3000, (40, 2))]
    assert identify_sample(own, *NO_PRESET) is None
    assert identify_sample(own, "overlapping", 40, 0.1, 0) is None
    assert identify_sample([], *NO_PRESET) is None


@pytest.mark.parametrize("name", DATASETS)
def test_a_preset_is_a_source_where_its_points_are_independent(name):
    data = make_dataset(name, 40, 0.1, 5)
    sample = identify_sample(board_rows(data), name, 40, 0.1, 5)
    assert (sample is not None) == DATASETS[name].population
    if sample is not None:
        assert sample == IdentifiedSample(PresetSource(name, 0.1), 5, 0)
        assert np.array_equal(sample.source.draw(40, 5).X, data.X)
        assert identify_sample(board_rows(data)[:-3], name, 40, 0.1, 5).moved_count == 3
    assert identify_sample(board_rows(data), name, 40, 0.1, 6) is None or not DATASETS[name].uses_randomness


@pytest.mark.parametrize("name", [name for name, recipe in DATASETS.items() if recipe.population])
def test_what_is_said_to_be_independent_looks_alike_in_few_and_in_many_points(name):
    few = [make_dataset(name, 20, 0.1, seed) for seed in range(60)]
    X, y = np.vstack([each.X for each in few]), np.concatenate([each.y for each in few])
    many = PresetSource(name, 0.1).fresh(10_000)
    for label in (1, -1):
        small, large = X[y == label], many.X[many.y == label]
        assert np.abs(small.mean(axis=0) - large.mean(axis=0)).max() < 0.25
        assert np.abs(small.std(axis=0) - large.std(axis=0)).max() < 0.2
        assert (y == label).mean() == (many.y == label).mean() == 0.5


def test_test_points_of_a_preset_are_on_no_board():
    source = PresetSource("moons", 0.1)
    fresh = source.fresh(12_000)
    assert fresh.m == 12_000
    places = set(map(tuple, fresh.X.tolist()))
    assert len(places) > 11_900
    on_boards = {place for seed in range(KNOWN_SEEDS) for place in map(tuple, source.draw(60, seed).X.tolist())}
    assert len(places & on_boards) < 20  # thousandths meet by chance


def test_the_true_error_on_a_preset_is_that_of_its_distribution():
    machine = solve(Problem(make_dataset("overlapping", 60, 0.1, 3), Linear(), 1.0))
    error_estimate = PresetSource("overlapping", 0.1).true_error(machine)
    assert error_estimate.standard_error > 0
    assert abs(error_estimate.value - Blobs().error(machine.w, machine.b)) < 4 * error_estimate.standard_error


def test_rounding_to_thousandths_changes_no_error():
    for seed in range(5):
        exact, coarse = Blobs(eta=0.1).draw(60, seed), blobs_with_flipped_labels(0.1).draw(60, seed)
        assert np.array_equal(coarse.X, rounded_to_board(exact).X)
        assert np.abs(coarse.X - exact.X).max() <= 5.01e-4
        one, other = (Blobs(eta=0.1).true_error(solve(Problem(data, Linear(), 1.0))).value for data in (exact, coarse))
        assert one == pytest.approx(other, abs=2e-3)


@pytest.mark.parametrize(
    ("m", "train", "true", "within"), [(20, 0.136, 0.183, 5e-3), (60, 0.132, 0.145, 5e-3), (300, 0.137, 0.136, 3e-3)]
)
def test_training_error_and_true_error_on_boards(m, train, true, within):
    errors = sample_errors(blobs_with_flipped_labels(0.1), m, lambda data: Problem(data, Linear(), 1.0))
    assert errors.train.mean() == pytest.approx(train, abs=within)
    assert errors.true.mean() == pytest.approx(true, abs=within)
    assert (errors.true >= blobs_with_flipped_labels(0.1).bayes_error).all()
    assert m == 60 or (errors.gap > 2 * errors.gap_error) == (m == 20)


def test_more_flips_and_a_narrow_gaussian_on_boards():
    errors = sample_errors(blobs_with_flipped_labels(0.3), 20, lambda data: Problem(data, Linear(), 1.0))
    assert errors.train.mean() == pytest.approx(0.30, abs=0.01)
    assert errors.true.mean() == pytest.approx(0.40, abs=0.01)
    narrow = sample_errors(blobs_with_flipped_labels(0.1), 20, lambda data: Problem(data, Gaussian(0.1), 1.0))
    assert narrow.train.max() == 0
    assert narrow.true.mean() == pytest.approx(0.47, abs=0.02)
