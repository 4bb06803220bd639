"""Numbers as people read them."""

import math

import pytest

from svmlab import BadInput
from svmlab.lab.numbers import editable_text, format_interval, parse_number, rounded_down, short


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
    assert format_interval(lo, hi) == shown


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5", 1.5),
        (" 1,5 ", 1.5),
        ("0,125", 0.125),
        (",5", 0.5),
        ("1e6", 1e6),
        ("1E-6", 1e-6),
        ("2,5e3", 2500.0),
        ("10^6", 1e6),
        ("10⁻⁶", 1e-6),
        ("3 · 10⁻⁴", 3e-4),
        ("-10^2", -100.0),
        ("1/60", 1 / 60),
        ("−2", -2.0),
        ("10 000", 10_000.0),
        ("∞", math.inf),
        ("-inf", -math.inf),
        ("1e999", math.inf),
    ],
)
def test_a_number_is_read_as_people_write_it(text, value):
    assert parse_number(text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    "text", ["abc", "1.2.3", "1 5", "1,2,3", "--1", "1/0", "1/2/3", "", "nan", "0x10", "1_0", "2^3"]
)
def test_what_is_no_number_is_refused_with_ways_to_write_one(text):
    with pytest.raises(BadInput, match="is not a number"):
        parse_number(text)


def test_a_comma_that_could_be_either_is_asked_about():
    with pytest.raises(BadInput, match=r"1,500 could be 1\.500 or 1500"):
        parse_number("1,500")


@pytest.mark.parametrize(
    ("value", "text"), [(60, "60"), (1 / 60, "0.0166667"), (1e6, "1e6"), (1e-6, "1e-6"), (1.0, "1"), (12345.0, "12345")]
)
def test_what_a_field_shows_can_be_typed(value, text):
    assert editable_text(value) == text
    assert parse_number(text) == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("value", [0.29121760, 0.2909999999, 2.0, 0.9996, 123456.0, 1e-5])
def test_a_number_that_is_rounded_down_is_nowhere_above_the_value(value):
    text = rounded_down(value)
    assert 0.99 * value < float(text.replace("·10⁻⁵", "e-5").replace("10⁻⁵", "1e-5")) <= value * (1 + 1e-12)
