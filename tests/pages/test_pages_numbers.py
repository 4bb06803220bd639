"""Numbers as people read them."""

import math

import pytest

from svmlab.lab.numbers import ends, short


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (math.sqrt(0.5), "0.7071"),
        (-1.5, "−1.5"),
        (0.0, "0"),
        (-1.11e-16, "−1.11·10⁻¹⁶"),
        (1234567.0, "1.235·10⁶"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
    ],
)
def test_a_number_is_shown_with_four_digits_and_a_true_minus(value, shown):
    assert short(value) == shown


@pytest.mark.parametrize(
    ("lo", "hi", "shown"),
    [
        (-1.2, -1.11e-16, ("−1.2", "0")),
        (2e-17, 3.0, ("0", "3")),
        (-1e-16, 1e-16, ("−10⁻¹⁶", "10⁻¹⁶")),
        (-math.inf, 1e-9, ("−∞", "10⁻⁹")),
    ],
)
def test_what_rounding_has_left_of_a_zero_is_zero_beside_the_other_end(lo, hi, shown):
    assert ends(lo, hi) == shown
