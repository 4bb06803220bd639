"""Numbers as people type them: read exactly, or refused with a reason."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmlab.practice import Unreadable, read_number
from svmlab.practice.typed_numbers import is_close
from tests.offences import each_of

ROOT = math.sqrt(2)
READ = {
    "3.5": 3.5, "3,5": 3.5, "7/2": 3.5, "sqrt(2)/2": ROOT / 2, "1/√2": 1 / ROOT, "1e-3": 1e-3, "1E-3": 1e-3,
    "√2/2": ROOT / 2, "2√3": 2 * math.sqrt(3), "2sqrt(3)": 2 * math.sqrt(3), "\\sqrt{2}/2": ROOT / 2, "−3": -3, "+4": 4,
    "25 %": 0.25, "x = 3": 3, "f(x) = -2": -2, "2pi": 2 * math.pi, "π/2": math.pi / 2, "10^-3": 1e-3, "2·10^-3": 2e-3,
    "3.": 3, ".5": 0.5, ",5": 0.5, "½": 0.5, "-3^2": -9, "2**3": 8, "5²": 25, "(1+2)*3": 9, "1-2-3": -4, "8/2/2": 2,
    " 1,250 ": 1.25, "2^3^2": 512, "√(1+1)": ROOT, "3½": 3.5, "-3½": -3.5, "2 ¾": 2.75, "⅓": 1 / 3, "½√2": ROOT / 2,
    "1 000": 1000, "−12 345 678,5": -12345678.5, "1\u202f000": 1000, "1\u00a0000": 1000, "1'000": 1000, "10⁻³": 1e-3,
    "2·10⁻¹²": 2e-12, "≈0.37": 0.37, "≈ 0,37": 0.37, "~0.37": 0.37, "x ≈ 0.37": 0.37, "= 0.37": 0.37,
    "2 x 10^-3": 2e-3, "2x10⁻³": 2e-3, "3 X 2": 6, "25 percent": 0.25, "25 per cent": 0.25, "4 points": 4, "1 Point": 1,
    "3 support vectors": 3, "2 updates": 2, "1.8 units": 1.8, "3√2 units": 3 * ROOT, "distance = 1.8": 1.8,
    "number of updates: 4": 4, "dual value = −22,5": -22.5, "class −1": -1, "Class +1": 1, "\\frac{9}{5}": 1.8,
    "-\\frac{\\sqrt{2}}{2}": -ROOT / 2,
}  # fmt: skip
REFUSED = {
    "": "empty", "   ": "empty", "abc": "not a number", "3, 4": "more than one number", "3;4": "more than one",
    "1.234,5": "more than one decimal sign", "1,000,000": "more than one decimal sign", "1 1/2": "follow each other",
    "1/2√2": "two ways", "(1+2": "do not match", "1+2)": "do not match", "1/0": "divides by 0", "√(-1)": "negative",
    "9^9^9": "too large", "1e400": "too large", "2 *": "ends too early", "*2": "missing before",
    "0^-1": "not a real number",
    "(-2)^0.5": "not a real number", "2e": "not a number", "1" * 100: "characters", "__import__('os')": "not part",
    "0.37...": "Dots stand for digits", "0.37…": "Dots stand for digits", "1 0000": "follow each other",
    "0 500": "follow each other", "3 125/8": "follow each other", "1.5½": "not a number", "½3": "follow each",
    "10⁻": "not part of a number", "inf": "not a number",
    "nan": "not a number", "3x": "is not a number", "2+x": "not part of a number", "2x": "is not a number",
    "about 2": "not part of a number", "2 thousand": "not part", "2 or 3 points": "not part", "points": "not a number",
    "1 or 2: 3": "not part", "class": "not a number",
}  # fmt: skip


@each_of(READ.items(), name=lambda case: repr(case[0]))
def test_a_number_is_read(text: str, value: float) -> None:
    assert read_number(text) == pytest.approx(value, rel=1e-12)


@each_of(REFUSED.items(), name=lambda case: repr(case[0]))
def test_anything_else_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read_number(text)


@given(st.text("0123456789.,+-*/^()% e√πsqrtpi=x", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        assert math.isfinite(read_number(text))
    except Unreadable as error:
        assert str(error)  # noqa: PT017


@given(st.floats(-1e6, 1e6), st.sampled_from([".3g", ".4g", ".6g", "r"]))
def test_a_number_rounded_to_three_digits_or_more_is_close(value: float, digits: str) -> None:
    typed = value if digits == "r" else float(format(value, digits))
    assert is_close(typed, value)
    assert abs(value) < 1e-3 or not is_close(1.02 * value, value)
