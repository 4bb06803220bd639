"""A bound for the work of a solve: counted in operations, the same on every computer."""

import numpy as np
import pytest

from svmlab import Dataset, Polynomial, Problem, solve
from svmlab.core import effort
from svmlab.core.errors import TooMuchWork

pytestmark = pytest.mark.filterwarnings("ignore::svmlab.NotExact")  # the problem is so hard that rounding hides alpha


def hard_problem(m=60):
    rng = np.random.default_rng(0)
    X, y = rng.integers(-4000, 4000, (m, 2)) / 1000, rng.choice([1.0, -1.0], m)
    return Problem(Dataset(X, y), Polynomial(5), C=1e6)


def test_what_was_counted_is_just_enough():
    spent = []
    with effort.metered(spent.append):
        counted = solve(hard_problem())
    with effort.limited(sum(spent)):
        assert (solve(hard_problem()).alpha == counted.alpha).all()
    with pytest.raises(TooMuchWork), effort.limited(0.9 * sum(spent)):
        solve(hard_problem())
    assert (solve(hard_problem()).alpha == counted.alpha).all(), "no limit remains"


def test_no_other_method_is_tried_when_the_work_is_used_up():
    with pytest.raises(TooMuchWork, match="1000"), effort.limited(1000):
        solve(hard_problem())
    with pytest.raises(TooMuchWork), effort.limited(1000):
        solve(hard_problem(), "dual-qp")


def test_a_meter_may_stop_the_work():
    def stop(operations):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), effort.metered(stop):
        solve(hard_problem())
