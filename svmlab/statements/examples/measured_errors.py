"""Error rates, cross-validation, confusion matrices and true errors, computed again by counting and integration."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from svmlab.binary import solve as binary
from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.generalisation.blobs import Blobs, measured_error, training_error
from svmlab.generalisation.confusion import confusion, confusion_of_errors
from svmlab.generalisation.held_out import balanced_error, error_map, held_out
from svmlab.generalisation.resampling import cross_validate, has_unique_bias, leave_one_out, solve_without
from svmlab.generalisation.sample_errors import SampleErrors, sample_errors
from svmlab.generalisation.sources import BlobSource, PresetSource
from svmlab.generalisation.validation_curve import validation_curve
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Gaussian, Linear, Polynomial
from svmlab.statements.examples.binary_solutions import BALANCED, X, decision, solutions, y
from svmlab.statements.examples.differences import difference, rough

NEW = Dataset([[1.0, 0.0], [0.5, 2.5], [-1.0, -1.0], [3.0, 1.0], [0.0, 0.5]], [1, -1, -1, 1, 1])
BLOBS = Blobs((1.0, 0.4), 0.8, 0.1)


@cache
def error_of_cross_validation() -> float:
    """Compare cross-validation and leave-one-out with SVMs that are solved without the points of one part."""
    off, weights = 0.0, np.array([1.0, 2.0, 1.0, 1.0, 0.5, 1.0, 1.0, 3.0, 1.0])
    for p in (
        Problem(Dataset(X, y), Linear(), 0.7),
        Problem(Dataset(X, y), Gaussian(1.3), 2.0, False, weights=weights),
    ):
        results = leave_one_out(p), cross_validate(p, 4, 1), cross_validate(p, 2, 0)
        for validation, k in zip(results, (9, 4, 2), strict=True):
            sizes = np.bincount(validation.fold_of_point, minlength=k)
            off = max(off, difference((len(sizes), validation.folds), (k, k)), max(0.0, float(np.ptp(sizes)) - 1.0))
            wrong = []
            for part in range(k):
                out = validation.fold_of_point == part
                kept = [i for i in range(9) if not out[i]]
                own = None if p.weights is None else weights[kept]
                e = binary.solve(replace(p, data=Dataset(X[kept], y[kept]), weights=own))
                f = decision(e, X[out])
                pinned = (not p.bias) or bool(((e.alpha > 1e-9) & (e.alpha < e.problem.bounds * (1 - 1e-9))).any())
                off = max(
                    off,
                    difference(validation.f[out], f),
                    difference(validation.has_unique_bias[out], np.full(len(f), pinned)),
                )
                wrong.append([bool(t * v <= 0) for t, v in zip(y[out], f, strict=True)])
            rates, count = [sum(part) / len(part) for part in wrong], sum(sum(part) for part in wrong)
            mean = sum(rates) / k
            error = math.sqrt(sum((r - mean) ** 2 for r in rates) / (k - 1) / k)
            reported = validation.error_count, validation.rate, validation.standard_error
            off = max(off, difference(reported, (count, count / 9.0, error)))
        orders = cross_validate(p, 4, 1).fold_of_point, cross_validate(p, 4, 2).fold_of_point
        off = max(off, 1.0 if np.array_equal(*orders) or np.array_equal(orders[0], np.arange(9) % 4) else 0.0)
    zero = replace(results[0], f=np.r_[0.0, results[0].f[1:]])
    return max(off, difference(zero.errors[0], True), _curve_error(), _pinned_error())


def _pinned_error() -> float:
    """Check when b is unique, and compare cross-validations that start from a solution with those that do not."""
    p = Problem(Dataset(X, y), Linear(), 0.7)
    e = binary.solve(p)
    at_bound = binary.solve(replace(p, C=1e-3, bias=False))  # every multiplier is C, and b = 0
    between = binary.solve(Problem(BALANCED, Linear(), 0.05))  # every multiplier is C, and b is in an interval
    off = difference([has_unique_bias(one) for one in (e, at_bound, between)], (True, True, False))
    off = max(off, difference((at_bound.alpha, at_bound.free), (np.full(9, 1e-3), np.zeros(9))))
    out = np.array([True, False, False, True, False, False, False, False, True])
    without = binary.solve(replace(p, data=Dataset(X[~out], y[~out])))
    other = binary.solve(replace(p, C=3.0))
    for warm, cold in (
        (leave_one_out(p, e), leave_one_out(p)),
        (leave_one_out(p, other), leave_one_out(p)),
        (cross_validate(p, 4, 1, e), cross_validate(p, 4, 1)),
    ):
        off = max(off, difference(warm.f, cold.f), difference(warm.has_unique_bias, cold.has_unique_bias))
    for one in (solve_without(p, out), solve_without(p, out, e)):
        off = max(off, difference(one.alpha, without.alpha), difference(one.decision(X), decision(without, X)))
    return off


def _curve_error() -> float:
    """Compare the validation curve with training, cross-validation and leave-one-out errors of single problems."""
    ps = [Problem(Dataset(X, y), Gaussian(sigma), 1.0) for sigma in (0.5, 1.5)]
    curve = validation_curve(ps, None, 3, True)
    rows = []
    for p in ps:
        e = binary.solve(p)
        training = float((y * decision(e, X) <= 0).mean())
        rows.append((training, cross_validate(p, 3, 0).rate, leave_one_out(p).rate, float((e.alpha > 1e-9).mean())))
    columns = curve.train, curve.cross_validation, curve.leave_one_out, curve.support
    return max(
        *(difference(column, wanted) for column, wanted in zip(columns, zip(*rows, strict=True), strict=True)),
        difference(curve.lowest(np.array([0.4, 0.2, 0.3])), 1),
    )


@cache
def error_of_test_errors() -> float:
    """Compare test errors, their standard errors and the balanced error with counts of new points."""
    off, e = 0.0, solutions()[0]
    wrong = NEW.y * decision(e, NEW.X) <= 0
    p = float(wrong.mean())
    rates = [float(wrong[NEW.y == sign].mean()) for sign in (1.0, -1.0)]
    spread = sum(r * (1 - r) / int((NEW.y == sign).sum()) for r, sign in zip(rates, (1.0, -1.0), strict=True))
    test_errors = held_out(e, NEW)
    off = (
        math.inf
        if test_errors is None
        else max(
            difference(test_errors.errors, wrong),
            difference((test_errors.error.value, test_errors.error.standard_error), (p, math.sqrt(p * (1 - p) / 5))),
            difference(
                (test_errors.balanced_error.value, test_errors.balanced_error.standard_error),
                (sum(rates) / 2, math.sqrt(spread) / 2),
            ),
            difference((test_errors.folds, test_errors.data.m), (0, 5)),
        )
    )
    on_line = Dataset([[0.0, 0.0], [1.0, 1.0]], [1, 1])
    through = binary.solve(Problem(Dataset(X, y), Linear(), 0.7, bias=False))
    both, inside = held_out(through, on_line), held_out(e)
    folds = cross_validate(e.problem, 5)
    measured = measured_error(NEW, e.decision)
    training = training_error(e)
    return max(
        off,
        math.inf if both is None else difference(both.errors[0], True),
        math.inf if inside is None else difference((inside.error.value, inside.folds), (folds.rate, 5)),
        difference((measured.value, measured.standard_error), (p, math.sqrt(p * (1 - p) / 5))),
        difference(measured_error(NEW, lambda Z: np.zeros(len(Z))).value, 1.0),
        difference(measured_error(NEW, lambda Z: np.ones(len(Z))).value, 0.4),
        difference(training, sum(t * f <= 0 for t, f in zip(y.tolist(), decision(e, X).tolist(), strict=True)) / 9.0),
        _map_error(),
    )


def _map_error() -> float:
    """Compare the cells of an error map with single solutions."""
    p = Problem(Dataset(X, y), Gaussian(1.0), 1.0)
    kernels, prices = (Gaussian(0.5), Gaussian(2.0)), (0.1, 5.0)
    whole_map = error_map(p, kernels, prices, NEW)
    cells = [[binary.solve(replace(p, kernel=kernel, C=C)) for C in prices] for kernel in kernels]
    wrong = [[NEW.y * decision(e, NEW.X) <= 0 for e in row] for row in cells]
    test = [[float(w.mean()) for w in row] for row in wrong]
    by_class = [[sum(float(w[NEW.y == c].mean()) for c in (1.0, -1.0)) / 2 for w in row] for row in wrong]
    own = [[y * decision(e, X) <= 0 for e in row] for row in cells]
    own_by_class = [[sum(float(w[y == c].mean()) for c in (1.0, -1.0)) / 2 for w in row] for row in own]
    folds = error_map(p, kernels[:1], prices[:1])
    inside = cross_validate(replace(p, kernel=kernels[0], C=prices[0]), 5)
    balanced = whole_map.balanced
    if balanced is None:
        return math.inf
    unsolved = replace(whole_map, error=np.full((2, 2), np.nan))
    partly = error_map(replace(p, kernel=Linear()), (Linear(),), (0.1, math.inf), NEW)  # no line separates the classes
    straight = binary.solve(replace(p, kernel=Linear(), C=0.1))
    straight_wrong = NEW.y * decision(straight, NEW.X) <= 0
    named = binary.solve(Problem(Dataset(X, np.where(y > 0, "b", "a")), Linear(), 0.7))
    swapped = Dataset(NEW.X, np.where(NEW.y > 0, "b", "a"), labels=("b", "a"))
    both_ways = held_out(named, swapped), held_out(named, Dataset(NEW.X, np.where(NEW.y > 0, "b", "a")))
    named_wrong = NEW.y * decision(named, NEW.X) <= 0
    train = [[float((y * decision(e, X) <= 0).mean()) for e in row] for row in cells]
    best = min((test[i][j], j, -i) for i in (0, 1) for j in (0, 1))
    ties = np.array([[0.3, 0.2, 0.2], [0.4, 0.2, 0.3]])
    tied = replace(whole_map, error=ties, standard_error=ties, train=ties)
    return max(
        difference(whole_map.error, test),
        difference(whole_map.train, train),
        difference((balanced.error, balanced.train), (by_class, own_by_class)),
        difference((whole_map.folds, folds.folds, balanced.constant), (0, 5, 0.5)),
        difference((folds.error[0, 0], folds.standard_error[0, 0]), (inside.rate, inside.standard_error)),
        difference(folds.constant, 4.0 / 9.0),
        difference(partly.error, [[float(straight_wrong.mean()), math.nan]]),
        difference(partly.best_cells, [[True, False]]),
        *(math.inf if one is None else difference(one.errors, named_wrong) for one in both_ways),
        difference(whole_map.standard_error, [[math.sqrt(r * (1 - r) / 5) for r in row] for row in test]),
        0.0 if unsolved.best_cell is None and not unsolved.constant_is_as_good else 1.0,
        difference(whole_map.constant, 2.0 / 5.0),
        difference(whole_map.best_cell, (-best[2], best[1])),
        difference(tied.best_cells, [[False, True, True], [False, True, False]]),
        difference(tied.best_cell, (1, 1)),  # the smallest C first, and then the widest kernel
        difference((whole_map.constant_is_as_good, tied.constant_is_as_good), (min(map(min, test)) >= 0.4, False)),
    )


@cache
def error_of_confusion() -> float:
    """Compare a confusion matrix and its ratios with counts of single points."""
    labels, given = np.array([1, 2, 2, 3, 1, 3, 2]), np.array([1, 2, 3, 3, 2, 1, 2])
    tie, v = np.array([0, 0, 0, 0, 0, 1, 0], bool), np.array([1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 0.5])
    matrix, off = confusion(labels, given, tie, v), 0.0
    n = [
        [
            sum(w for a, b, t, w in zip(labels, given, tie, v, strict=True) if (a, b, t) == (j, k, False))
            for k in (1, 2, 3)
        ]
        for j in (1, 2, 3)
    ]
    sizes = [sum(w for a, w in zip(labels, v, strict=True) if a == j) for j in (1, 2, 3)]
    columns = [sum(row[k] for row in n) for k in range(3)]
    recalls = [n[k][k] / sizes[k] for k in range(3)]
    ratios = (
        (matrix.recalls, recalls),
        (matrix.precisions, [n[k][k] / columns[k] for k in range(3)]),
        (matrix.f1_scores, [2 * n[k][k] / (sizes[k] + columns[k]) for k in range(3)]),
    )
    off = max(difference([ratio.value for ratio in row], wanted) for row, wanted in ratios)
    signs, errors = np.array([1.0, 1.0, -1.0, -1.0, -1.0]), np.array([True, False, False, True, True])
    two = confusion_of_errors(signs, errors)
    listed = confusion(np.array([3, 1, 3]), np.array([3, 3, 1]), classes=(3, 2, 1))  # no point of class 2
    return max(
        off,
        difference(listed.counts, [[1, 0, 1], [0, 0, 0], [1, 0, 0]]),
        difference((listed.classes, listed.sizes, listed.predicted), ((3, 2, 1), (2, 0, 1), (2, 0, 1))),
        0.0 if [each.value for each in listed.recalls] == [0.5, None, 0.0] else 1.0,
        0.0 if [each.value for each in listed.precisions] == [0.5, None, 0.0] else 1.0,
        0.0 if [each.value for each in listed.f1_scores] == [0.5, None, 0.0] else 1.0,
        difference(listed.balanced_accuracy.value, 0.25),
        difference(confusion_of_errors(signs, errors, np.arange(1.0, 6.0)).counts, [[2, 1], [9, 3]]),
        difference(matrix.counts, n),
        difference(matrix.undecided, [0.0, 0.0, 1.0]),
        difference(matrix.balanced_accuracy.value, sum(recalls) / 3),
        difference(two.counts, [[1, 1], [2, 1]]),
        difference(balanced_error(signs, errors).value, (1 / 2 + 2 / 3) / 2),
    )


@cache
def error_of_blobs() -> float:
    """Compare the true error of a line with a sum over a fine grid, and samples with the distribution."""
    off, w, b = 0.0, np.array([0.8, 1.1]), 0.35
    z = (np.arange(4000) + 0.5) / 4000 * 16.0 - 8.0
    density = np.exp(-0.5 * z * z)
    density /= density.sum()
    norm, along = float(np.linalg.norm(w)), float(w @ np.array(BLOBS.mu))
    sides = [float(density[c * (c * along + b + BLOBS.s * norm * z) <= 0].sum()) for c in (1.0, -1.0)]
    plain = sum(sides) / 2
    off = rough(difference(BLOBS.error(w, b), plain * (1 - BLOBS.eta) + (1 - plain) * BLOBS.eta), 2e-3)
    e = binary.solve(Problem(BLOBS.draw(30, 4), Linear(), 1.0))
    curved = binary.solve(Problem(BLOBS.draw(30, 4), Gaussian(1.0), 1.0))
    fresh = BLOBS.fresh(4000, 2)
    counted = float((fresh.y * curved.decision(fresh.X) <= 0).mean())
    sample, many = BLOBS.draw(20, 7), BLOBS.draw(20000, 8)
    deviations = many.X - many.y[:, None] * np.array(BLOBS.mu)
    flipped = float((many.y * (many.X @ np.array(BLOBS.mu)) < 0).mean())
    both = [difference(sample.X, other.X) == 0 for other in (BLOBS.draw(20, 8), BLOBS.fresh(20, 7))]
    clean = Blobs(BLOBS.mu, BLOBS.s, 0.0).draw(20000, 8)
    inside = clean.X - clean.y[:, None] * np.array(BLOBS.mu)
    return max(
        off,
        math.inf if e.w is None else difference(BLOBS.true_error(e).value, BLOBS.error(e.w, e.b)),
        difference(BLOBS.true_error(curved, 4000, 2).value, counted),
        difference(BLOBS.bayes_error, BLOBS.error(np.array([2.0, 0.8]), 0.0)),
        rough(abs(flipped - BLOBS.bayes_error), 0.01),
        rough(abs(float((many.y != clean.y).mean()) - BLOBS.eta), 0.01),
        rough(abs(float(inside.std()) - BLOBS.s), 0.02),
        rough(abs(float(inside.mean())), 0.02),
        1.0 if any(both) or not np.isfinite(deviations).all() else 0.0,
        difference(BLOBS.draw(5, 7).X, sample.X[:5]),
        _sample_errors_error(),
        _true_errors_error(),
    )


def _true_errors_error() -> float:
    """Compare true errors of curved and of constant f with sums over a grid, also in space and on a line."""
    off, at = 0.0, (np.arange(60) + 0.5) / 60 * 12.0 - 6.0
    grid = np.stack(np.meshgrid(at, at), -1).reshape(-1, 2)
    densities = [np.exp(-0.5 * ((grid - c * np.array(BLOBS.mu)) ** 2).sum(1) / BLOBS.s**2) for c in (1.0, -1.0)]
    densities = [density / density.sum() for density in densities]
    sample = BLOBS.draw(30, 4)
    kernels: tuple[tuple[Kernel, Callable[[Array], Array]], ...] = (
        (Polynomial(2, 0.5), lambda A: (sample.X @ A.T + 0.5) ** 2),
        (Gaussian(1.0), lambda A: np.exp(-0.5 * ((sample.X[:, None] - A) ** 2).sum(-1))),
    )
    for kernel, values in kernels:
        e = binary.solve(Problem(sample, kernel, 1.0))
        a, fresh = e.alpha * sample.y, BLOBS.fresh(3000, 2)
        on_grid, at_fresh = (a @ values(A) + e.b for A in (grid, fresh.X))
        plain = sum(float(p[c * on_grid <= 0].sum()) for p, c in zip(densities, (1.0, -1.0), strict=True)) / 2
        wanted = plain * (1 - BLOBS.eta) + (1 - plain) * BLOBS.eta
        counted = float((fresh.y * at_fresh <= 0).mean())
        true_error = BLOBS.true_error(e, 3000, 2)
        spread = math.sqrt(counted * (1 - counted) / 3000)
        off = max(off, difference((true_error.value, true_error.standard_error), (counted, spread)))
        off = max(off, rough(abs(counted - wanted), 0.03))  # four standard errors
        measured = BLOBS.measured_error(e.decision, 3000, 2)
        off = max(off, difference(measured.value, counted))
    overlap = float(np.minimum(*densities).sum()) / 2
    bayes = overlap * (1 - BLOBS.eta) + (1 - overlap) * BLOBS.eta
    one_class = Dataset([[1.0, 0.5], [0.0, 2.0]], [1, 1])
    constant = binary.solve(Problem(one_class, Linear(), 1.0))
    straight = binary.solve(Problem(sample, Linear(), 1.0, bias=False))
    space, on_line = Blobs((0.5, -0.2, 0.3), 1.2, 0.2), Blobs((0.7,), 0.5)
    length = math.sqrt(0.25 + 0.04 + 0.09) / 1.2
    normal = 0.5 * math.erfc(length / math.sqrt(2.0))
    return max(
        off,
        _sources_error(straight),
        rough(abs(BLOBS.bayes_error - bayes), 2e-3),
        difference([BLOBS.error(np.zeros(2), b) for b in (0.3, -2.0, 0.0)], (0.5, 0.5, 1.0)),
        difference(BLOBS.true_error(constant).value, 0.5),
        math.inf if straight.w is None else difference(BLOBS.true_error(straight).value, BLOBS.error(straight.w, 0.0)),
        difference(space.bayes_error, normal * 0.8 + (1 - normal) * 0.2),
        difference(on_line.error(np.array([-2.0]), 0.0), 0.5 * math.erfc(-1.4 / math.sqrt(2.0))),
        difference((space.draw(4, 1).X.shape, space.fresh(3).X.shape), ((4, 3), (3, 3))),
        difference(Blobs(BLOBS.mu, BLOBS.s, 0.0).draw(50, 3).X, BLOBS.draw(50, 3).X),
    )


def _sources_error(straight: Solution) -> float:
    """Compare the distributions of the boards, and true errors by them, with samples and counts."""
    source, moons = BlobSource(BLOBS), PresetSource("moons", 0.3)
    board, sample, fresh = source.draw(30, 4), BLOBS.draw(30, 4), moons.fresh(100)
    curved = binary.solve(Problem(sample, Gaussian(1.0), 1.0))
    counted = float((fresh.y * decision(curved, fresh.X) <= 0).mean())
    true_error = moons.true_error(curved, 100)
    formula = (
        math.inf if straight.w is None else difference(source.true_error(straight).value, BLOBS.error(straight.w, 0.0))
    )
    return max(
        formula,
        rough(float(np.abs(board.X - sample.X).max()), 5.01e-4),
        rough(float(np.abs(1000 * board.X - np.round(1000 * board.X)).max()), 1e-6),
        difference(board.y, sample.y),
        difference(source.fresh(20).X, BLOBS.fresh(20).X),
        difference((true_error.value, true_error.standard_error), (counted, math.sqrt(counted * (1 - counted) / 100))),
        difference(fresh.y.sum(), 0.0),
        1.0 if source.bayes_error != BLOBS.bayes_error or moons.bayes_error is not None else 0.0,
    )


def _sample_errors_error() -> float:
    """Compare the errors of several samples with single solutions."""
    straight = sample_errors(BLOBS, 12, lambda data: Problem(data, Linear(), 1.0), 4, 3)
    rows = []
    for seed in (3, 4, 5, 6):
        sample = BLOBS.draw(12, seed)
        e = binary.solve(Problem(sample, Linear(), 1.0))
        assert e.w is not None
        training = sum(t * f <= 0 for t, f in zip(sample.y.tolist(), decision(e, sample.X).tolist(), strict=True)) / 12
        rows.append((training, BLOBS.error(e.w, e.b), float((e.alpha > 1e-9).sum())))
    train, true, support = np.array(rows).T
    gaps = (true - train).tolist()
    mean = sum(gaps) / 4
    spread = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / 3 / 4)
    return max(
        difference((straight.train, straight.true, straight.support), (train, true, support)),
        difference((straight.gap, straight.gap_error, straight.m), (mean, spread, 12)),
        difference(straight.standard_error, np.zeros(4)),
        _curved_errors_error(straight, gaps),
    )


def _curved_errors_error(straight: SampleErrors, gaps: list[float]) -> float:
    """Compare the errors of samples of a curved classifier, and the standard error of their mean gap, with counts."""
    curved = sample_errors(BLOBS, 12, lambda data: Problem(data, Gaussian(1.0), 1.0), 3, 5, 100)
    fresh, rows = BLOBS.fresh(100, 5), []
    for seed in (5, 6, 7):
        sample = BLOBS.draw(12, seed)
        e = binary.solve(Problem(sample, Gaussian(1.0), 1.0))
        true = float((fresh.y * decision(e, fresh.X) <= 0).mean())
        rows.append((float((sample.y * decision(e, sample.X) <= 0).mean()), true, math.sqrt(true * (1 - true) / 100)))
    train, true_errors, errors = np.array(rows).T
    spread = math.sqrt(float(((true_errors - train - (true_errors - train).mean()) ** 2).sum()) / 2 / 3)
    both = replace(straight, standard_error=np.array([0.03, 0.01, 0.02, 0.04]))
    mean = sum(gaps) / 4
    own = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / 3 / 4)
    return max(
        difference((curved.train, curved.true, curved.standard_error), (train, true_errors, errors)),
        difference(curved.gap_error, math.hypot(spread, float(errors.mean()))),
        difference(both.gap_error, math.hypot(own, 0.025)),
        0.0 if math.isnan(replace(straight, train=train[:1], true=true_errors[:1]).gap_error) else 1.0,
    )
