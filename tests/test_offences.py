"""A test of many cases fails with each case that fails, and passes otherwise."""

import pytest

from tests.offences import each_of


def test_every_offence_is_listed_with_its_case_and_its_reason():
    @each_of([("a", 1), ("b", 2), ("c", 3)], lambda case: f"case {case[0]}")
    def test_odd(letter: str, number: int) -> None:
        if number == 3:
            pytest.fail("three is refused")
        assert number % 2

    with pytest.raises(AssertionError, match=r"2 of 3 cases fail") as failed:
        test_odd()
    words = str(failed.value)
    assert "case a" not in words
    assert "case b" in words
    assert "case c" in words
    assert "three is refused" in words


def test_where_no_case_fails_the_test_passes_under_its_own_name():
    @each_of([1, 2])
    def test_positive(number: int) -> None:
        assert number > 0

    test_positive()
    assert test_positive.__name__ == "test_positive"
