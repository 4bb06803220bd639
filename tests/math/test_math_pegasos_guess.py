"""Guessing which draws violate makes a block faster, never different."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import Dataset, make_dataset
from svmlab.pegasos import Rule, draws, guess, linear, run_linear
from svmlab.pegasos.guess import Guess
from svmlab.pegasos.linear import drawn_points
from svmlab.pegasos.loops import violations
from svmlab.pegasos.march import march
from svmlab.pegasos.sums import running

COARSE = st.integers(-3, 3).map(float)  # margins of exactly 1, duplicates, points at the origin
FINE = st.floats(-8, 8).map(lambda v: round(v, 3))


@st.composite
def boards(draw) -> Dataset:
    m = draw(st.integers(1, 12))
    number = draw(st.sampled_from([COARSE, FINE]))
    X = draw(st.lists(st.tuples(number, number), min_size=m, max_size=m))
    return Dataset(X, draw(st.lists(st.sampled_from([-1, 1]), min_size=m, max_size=m)))


def block(data: Dataset, rule: Rule, t: int, n: int, runs: int) -> tuple[np.ndarray, np.ndarray]:
    """The draws z of the steps t+1 .. t+n, and S_t."""
    signed = (data.y[:, None] * data.X).T.copy()
    rows = np.stack([draws(data.m, 0, r, 0, t + n) for r in range(runs)], axis=1)
    S = np.zeros((2, runs))
    if t:
        march(rule, drawn_points(signed, rows[:t], 1), S, 1)
    return drawn_points(signed, rows[t:], 1), S


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(
    boards(),
    st.one_of(st.sampled_from([0.5, 0.25, 1.0, 0.1]), st.floats(1e-4, 1e3)),
    st.integers(0, 3000),
    st.integers(64, 200),
    st.integers(1, 3),
)
def test_a_guessed_block_is_the_loop_bit_for_bit(data: Dataset, lam: float, t: int, n: int, runs: int) -> None:
    rule = Rule(lam)
    z, S = block(data, rule, t, n, runs)
    plain, guessed = S.copy(), S.copy()
    W, M = march(rule, z, plain, t + 1)
    V, N = march(rule, z, guessed, t + 1, Guess())
    np.testing.assert_array_equal(W, V)
    np.testing.assert_array_equal(M, N)
    np.testing.assert_array_equal(plain, guessed)


@pytest.mark.parametrize("reach", [0.0, 0.3])
@pytest.mark.parametrize("runs", [1, 8, 40])
def test_wrong_guesses_are_mended(runs: int, reach: float, monkeypatch) -> None:
    """Too few draws are looked at again, so that proving has something to find."""
    data, rule = make_dataset("overlapping", 40), Rule(0.05)
    z, S = block(data, rule, 4000, 400, runs)
    real = guess.inner

    def blinkered(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return reach * real(a, b) if a is b else real(a, b)

    monkeypatch.setattr(guess, "inner", blinkered)
    c = rule.divisor(np.arange(4001, 4401))
    expected = running(S, z[0] * violations(z[0], S, c))
    found = Guess().sums(z[0], S, c)
    np.testing.assert_array_equal(found, expected)


def test_guesses_are_made_late_in_a_run_and_called_off_where_they_fail() -> None:
    late = block(make_dataset("overlapping", 40), Rule(0.5), 20_000, 300, 2)
    c = Rule(0.5).divisor(np.arange(20_001, 20_301))
    once = Guess()
    assert once.sums(late[0][0], late[1], c) is not None
    assert once.wait == 0
    tie = block(Dataset([[1.0, 0.0]], [1]), Rule(0.5), 2000, 300, 2)
    again = Guess()
    again.sums(tie[0][0], tie[1], Rule(0.5).divisor(np.arange(2001, 2301)))
    assert again.wait == 1
    assert again.sums(late[0][0], late[1], c) is None


@pytest.mark.parametrize("name", ["overlapping", "moons", "lattice"])
@pytest.mark.parametrize("runs", [1, 20])
def test_a_whole_run_is_the_same_with_and_without(name: str, runs: int, monkeypatch) -> None:
    data, rule = make_dataset(name, 60), Rule(0.1)
    monkeypatch.setattr(linear, "BLOCK", 300 * runs)
    guessed = run_linear(data, rule, 30_000, runs, 1)
    monkeypatch.setattr(guess, "SHORTEST", 10**9)
    plain = run_linear(data, rule, 30_000, runs, 1)
    for field in ("iterates", "averages", "suffixes", "regret", "G", "gradient", "sums"):
        np.testing.assert_array_equal(getattr(guessed, field), getattr(plain, field))
