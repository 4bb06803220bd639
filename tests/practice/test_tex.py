"""Numbers as TeX are as people write them, and keep their value."""

from __future__ import annotations

from fractions import Fraction
from math import isclose, sqrt

import pytest

from svmlab.practice import read_number
from svmlab.practice.tex import root, signed, term


@pytest.mark.parametrize(
    ("made", "written"),
    [
        (signed(-8), "- 8"),
        (signed(Fraction(3, 2)), "+ 3/2"),
        (term(1, "x"), "+ x"),
        (term(-1, "x", first=True), "-x"),
        (term(-4, "x"), "- 4\\,x"),
        (root(1, 40), "2\\sqrt{10}"),
        (root(Fraction(-1, 20), 8), "-\\sqrt{2}/10"),
        (root(3, 4), "6"),
    ],
)
def test_terms_have_no_needless_signs(made: str, written: str) -> None:
    assert made == written


def test_a_root_has_its_value() -> None:
    for square in range(1, 60):
        for factor in (Fraction(1, 3), Fraction(-5, 2), Fraction(4)):
            assert isclose(read_number(root(factor, square)), float(factor) * sqrt(square), rel_tol=1e-12)
