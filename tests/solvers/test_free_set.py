"""Alpha from a partition: what is clipped to the bounds, and when more than round-off was clipped."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab.solvers.free_set import _set_free

U = np.array([1.0, 1.0, 1.0])


@pytest.mark.parametrize(
    ("z", "alpha", "inside"),
    [
        ([0.25, 0.5], [0.5, 0.0, 0.5], True),
        ([0.0, 1.0], [0.0, 0.0, 1.0], True),
        ([-1e-10, 1.0], [0.0, 0.0, 1.0], True),
        ([0.25, 1.0 + 1e-10], [0.5, 0.0, 1.0], True),
        ([-1e-8, 1.0], [0.0, 0.0, 1.0], False),
        ([0.25, 1.0 + 1e-8], [0.5, 0.0, 1.0], False),
        ([-0.25, 0.5], [0.0, 0.0, 0.5], False),
        ([1.0, 0.5], [1.0, 0.0, 0.5], False),
        ([-1e-6, 1e-6], [0.0, 0.0, 1e-6], False),
    ],
)
def test_a_free_variable_is_clipped_and_only_round_off_of_the_largest_counts_as_inside(z, alpha, inside):
    root, F, out = np.array([2.0, 1.0]), np.array([0, 2]), np.zeros(3)
    assert _set_free(np.array([*z, 7.0]), root, F, U, out) == inside
    np.testing.assert_array_equal(out, alpha)
