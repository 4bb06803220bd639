"""The measurement of X3: what it calls, what it divides by, and its slopes. The clock is a made-up one."""

import math

import numpy as np
import pytest

from svmlab import BadInput, Linear, Problem, make_dataset, pegasos, solve
from svmlab.lab.lessons.pegasos.measured import MAX_REPEATS, METHODS, measure, slope, steps_to


def ticking(seconds: float):
    """A clock that moves on by `seconds` at every second look."""
    looks = [0]

    def clock() -> float:
        looks[0] += 1
        return seconds * (looks[0] // 2)

    return clock


def test_every_method_is_timed_at_every_m() -> None:
    costs = measure((8, 16), METHODS, clock=ticking(2.0))
    assert costs.seconds.shape == (6, 2)
    np.testing.assert_array_equal(costs.seconds[:3], 2.0)
    np.testing.assert_array_equal(costs.seconds[3], 2.0 / 200_000)
    np.testing.assert_array_equal(costs.seconds[4:], 2.0 / 2000)
    np.testing.assert_allclose(costs.slopes, 0, atol=1e-12)
    assert (costs.steps > 0).all()


def test_the_least_of_several_times_counts_and_what_is_quick_is_timed_more_often() -> None:
    ticks = [0.0]

    def clock() -> float:
        """Each time by a hundredth of a second more than the last."""
        ticks.append(ticks[-1] + 0.01 * len(ticks))
        return ticks[-1]

    assert measure((8,), ("exact",), clock=clock, repeats=3).seconds[0, 0] == pytest.approx(0.02)
    assert len(ticks) == 1 + 2 * 3
    ticks[1:] = []
    quick = ticking(1e-4)
    measure((8,), ("exact",), clock=lambda: ticks.append(0.0) or quick())
    assert len(ticks) == 1 + 2 * MAX_REPEATS


def test_slopes_are_exponents() -> None:
    m = [10, 20, 40, 80]
    assert slope(m, np.array(m) ** 3.0) == pytest.approx(3)
    assert slope(m, np.array([1.0, math.nan, 16.0, math.nan])) == pytest.approx(2)
    assert math.isnan(slope(m, np.full(4, math.nan)))
    assert math.isnan(slope([5], np.ones(1)))


def test_pegasos_is_given_the_steps_it_needs() -> None:
    data, lam, eps = make_dataset("overlapping", 30), 0.1, 0.02
    steps = steps_to(data, lam, eps)
    best = lam * solve(Problem.from_lambda(data, Linear(), lam, bias=False)).objective
    gap = pegasos(data, lam, steps).average[0] - best
    assert gap[-1] <= eps
    assert steps_to(data, lam, 1e-12) == 0
    assert math.isnan(measure((30,), ("pegasos",), eps=1e-12).seconds[0, 0])


def test_progress_may_stop_it() -> None:
    fractions: list[float] = []

    def on_progress(fraction: float) -> None:
        fractions.append(fraction)
        if fraction >= 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure((8, 16), ("exact", "step"), on_progress=on_progress, clock=ticking(2.0))
    assert fractions == [0.0, 0.25, 0.5]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"m": ()}, "m"),
        ({"m": (3,)}, "m"),
        ({"methods": ("magic",)}, "methods"),
        ({"eps": 0.0}, "eps"),
        ({"repeats": 0}, "repeats"),
    ],
)
def test_bad_arguments_are_named(change: dict, field: str) -> None:
    with pytest.raises(BadInput, match=f"^{field}"):
        measure(**({"m": (10,)} | change))
