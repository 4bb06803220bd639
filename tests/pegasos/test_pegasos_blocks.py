"""The fast engine does what the loop on the blackboard does, to the last bit; and any stretch of it comes back."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from svmlab import BadInput, Dataset, make_dataset
from svmlab.pegasos import (
    PegasosRun,
    Rule,
    checkpoint_values,
    comparator_loss,
    draws,
    mean_objective,
    objective,
    replay,
    run_linear,
    textbook,
)

EXACT = settings(max_examples=300, deadline=None, derandomize=True, database=None)
COARSE = st.integers(-3, 3).map(float)  # few values: many margins of exactly 1, duplicates, points at the origin
FINE = st.floats(-8, 8).map(lambda v: round(v, 3))


@st.composite
def boards(draw) -> Dataset:
    m, d = draw(st.integers(1, 7)), draw(st.integers(1, 4))
    number = draw(st.sampled_from([COARSE, FINE]))
    X = draw(st.lists(st.lists(number, min_size=d, max_size=d), min_size=m, max_size=m))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=m, max_size=m))
    return Dataset(X, y)


LAMS = st.one_of(st.sampled_from([1.0, 0.5, 0.25, 2.0, 0.1]), st.floats(1e-6, 1e6))
RULES = st.builds(
    Rule,
    LAMS,
    form=st.sampled_from(["w", "theta"]),
    step=st.sampled_from([1, 2]),
    penalty_factor=st.sampled_from([None, 1, 2]),
    replace=st.booleans(),
    batch=st.sampled_from([1, 1, 1, 2, 5]),
    project=st.sampled_from([False, False, True]),
)


def assert_same(run: PegasosRun, data: Dataset, rule: Rule, seed: int, r: int) -> None:
    steps = [s for s in textbook(data, rule, int(run.t[-1]), seed, r) if s.t in set(run.t.tolist())]
    t = run.t
    np.testing.assert_array_equal(run.iterates[r], [s.w for s in steps])
    np.testing.assert_array_equal(run.averages[r], np.array([s.total for s in steps]) / t[:, None])
    np.testing.assert_array_equal(run.regret[r], np.array([s.loss for s in steps]) / t)
    np.testing.assert_array_equal(run.G[r], [s.G for s in steps])


@EXACT
@given(boards(), RULES, st.integers(1, 90), st.integers(0, 5))
@example(Dataset([[1.0]], [1]), Rule(1.0), 64, 0)
@example(Dataset([[1.0, 0.0], [-1.0, 0.0]], [1, -1]), Rule(0.25), 64, 1)  # margins of exactly 1, again and again
@example(Dataset([[2.0, 0.0], [2.0, 0.0], [2.0, 0.0]], [1, 1, -1]), Rule(0.5), 64, 1)
def test_the_engine_is_the_textbook_loop_bit_for_bit(data: Dataset, rule: Rule, T: int, seed: int) -> None:
    run = run_linear(data, rule, T, runs=2, seed=seed)
    for r in range(2):
        assert_same(run, data, rule, seed, r)


@settings(EXACT, max_examples=60)
@given(boards(), LAMS, st.integers(1, 60), st.integers(0, 5))
def test_so_is_each_of_many_repetitions(data: Dataset, lam: float, T: int, seed: int) -> None:
    runs = 17
    run = run_linear(data, Rule(lam), T, runs, seed)
    for r in (0, 7, runs - 1):
        assert_same(run, data, Rule(lam), seed, r)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("runs", [1, 3, 20])
@pytest.mark.parametrize("name", ["overlapping", "lattice", "four_corners", "idle_margin"])
def test_it_stays_exact_over_thousands_of_steps_and_block_borders(name: str, runs: int, monkeypatch) -> None:
    monkeypatch.setattr(checkpoint_values, "BLOCK", 1000)
    data, rule = make_dataset(name), Rule(0.05)
    run = run_linear(data, rule, 7000, runs, seed=4)
    assert_same(run, data, rule, 4, runs - 1)


@pytest.mark.parametrize("block", [1, 7, 700])
def test_borders_of_blocks_leave_no_trace(block: int, monkeypatch) -> None:
    data, rule = make_dataset("moons", 30), Rule(0.02)
    whole = run_linear(data, rule, 5000, 2)
    monkeypatch.setattr(checkpoint_values, "BLOCK", block)
    pieces = run_linear(data, rule, 5000, 2)
    for name in ("iterates", "averages", "suffixes", "regret", "G", "gradient", "sums"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(pieces, name))


def test_a_margin_of_exactly_one_is_no_violation() -> None:
    # lam = 1/4: w_2 = 4, w_3 = 2, w_4 = 4/3, w_5 = 1 and so the margin at t = 5 is exactly 1; not so at t = 6.
    stretch = replay(run_linear(Dataset([[1.0]], [1]), Rule(0.25), 6), 0, 1, 7)
    np.testing.assert_array_equal(stretch.margin[:, 0], [0, 4, 2, 4 / 3, 1, 0.8])
    np.testing.assert_array_equal(stretch.violates[:, 0], [True, False, False, False, False, True])


@settings(EXACT, max_examples=150)
@given(boards(), RULES, st.integers(1, 400), st.data())
def test_a_replayed_stretch_is_the_run(data: Dataset, rule: Rule, T: int, pick) -> None:
    run = run_linear(data, rule, T, runs=2, seed=3)
    start = pick.draw(st.integers(1, T))
    stop = pick.draw(st.integers(start + 1, T + 1))
    stretch = replay(run, 1, start, stop)
    steps = textbook(data, rule, T, 3, 1)
    here = steps[start - 1 : stop - 1]
    np.testing.assert_array_equal(stretch.t, np.arange(start, stop))
    np.testing.assert_array_equal(stretch.drawn, [s.drawn for s in here])
    np.testing.assert_array_equal(stretch.margin, [s.margins for s in here])
    np.testing.assert_array_equal(stretch.before, [s.w for s in here])
    np.testing.assert_array_equal(stretch.after[:-1], stretch.before[1:])
    if stop <= T:
        np.testing.assert_array_equal(stretch.after[-1], steps[stop - 1].w)
    if not rule.project:
        size = np.abs(stretch.after).max() + np.abs(stretch.before).max()
        np.testing.assert_allclose(stretch.shrink + stretch.push, stretch.after, rtol=0, atol=1e-12 * size)


def test_a_late_stretch_is_the_run_at_its_checkpoint() -> None:
    data = make_dataset("overlapping", 40)
    run = run_linear(data, Rule(0.05), 200_000, seed=9)
    for k in (-2, -1):
        t = int(run.t[k])
        stretch = replay(run, 0, t, t + 1)
        np.testing.assert_array_equal(stretch.before[0], run.iterates[0, k])
        v = np.where(stretch.violates, data.y[stretch.drawn] * data.X[stretch.drawn[:, 0]].T, 0).ravel()
        assert np.linalg.norm(0.05 * stretch.before[0] - v) == pytest.approx(run.gradient[0, k], abs=1e-14)


def test_the_step_is_shrink_then_push_as_the_notes_write_it() -> None:
    data, lam = make_dataset("moons", 20), 0.1
    stretch = replay(run_linear(data, Rule(lam), 500), 0, 1, 501)
    t = stretch.t[:, None]
    np.testing.assert_array_equal(stretch.shrink, (1 - 1 / t) * stretch.before)
    v = np.where(stretch.violates, data.y[stretch.drawn] * data.X[stretch.drawn[:, 0]], 0)
    np.testing.assert_allclose(stretch.push, v / (lam * t), rtol=1e-15)
    np.testing.assert_allclose(
        stretch.margin[:, 0],
        data.y[stretch.drawn[:, 0]] * (data.X[stretch.drawn[:, 0]] * stretch.before).sum(1),
        atol=1e-12,
    )


@pytest.mark.parametrize(
    ("where", "field"),
    [
        ((2, 1, 5), "run_index"),
        ((0, 0, 5), "start"),
        ((0, 5, 5), "stop"),
        ((0, 5, 102), "stop"),
        ((0, 101, 102), "start"),
    ],
)
def test_a_stretch_outside_the_run_is_refused(where: tuple[int, int, int], field: str) -> None:
    run = run_linear(make_dataset("moons", 10), Rule(0.1), 100, 2)
    with pytest.raises(BadInput, match=f"^{field}"):
        replay(run, *where)


def test_hindsight_is_the_loss_of_a_fixed_w_over_the_drawn_points() -> None:
    data = make_dataset("overlapping", 20)
    run = run_linear(data, Rule(0.1, batch=2), 200, 2, 1)
    w = np.array([0.3, -0.2])
    one = np.maximum(0, 1 - data.y * (data.X @ w)) + 0.05 * w @ w
    for r in range(2):
        rows = draws(data.m, 1, r, 0, 400)
        for k, t in enumerate(run.t):
            assert comparator_loss(run, w)[r, k] == pytest.approx(one[rows[: 2 * t]].mean(), rel=1e-12)
    with pytest.raises(BadInput, match=r"^w:"):
        comparator_loss(run, np.zeros(3))


def test_suffix_averages_are_those_of_the_whole_path() -> None:
    data, rule = make_dataset("overlapping", 20), Rule(0.1)
    run = run_linear(data, rule, 700, seed=2)
    path = replay(run, 0, 1, 701).before
    for k, t in enumerate(run.t):
        np.testing.assert_allclose(run.suffixes[0, k], path[t // 2 : t].mean(0), atol=1e-13)
        assert run.suffix[0, k] == pytest.approx(float(objective(data, 0.1, path[t // 2 : t].mean(0))), rel=1e-12)


def test_P8_F_of_the_average_is_at_most_the_mean_of_F() -> None:
    run = run_linear(make_dataset("overlapping", 20), Rule(0.1), 12_000, seed=2)
    path = replay(run, 0, 1, 12_001).before
    means = mean_objective(run)
    np.testing.assert_allclose(means[-1], objective(run.data, 0.1, path).mean(), rtol=1e-12)
    assert (run.average[0] <= means + 1e-12).all()


def test_margins_beyond_floats_are_refused() -> None:
    with pytest.raises(BadInput, match=r"^lam: 1e-200"):
        run_linear(Dataset([[1.0, 2.0]], [1]), Rule(1e-200), 10)
