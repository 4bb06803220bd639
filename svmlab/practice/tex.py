"""Numbers and terms of a sum as TeX: no brackets that nobody writes, fractions in lowest terms, exact roots."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt


def signed(value: float | Fraction) -> str:
    """Return a number with its sign before it, to be added: "+ 7", "- 3/2"."""
    return f"{'-' if value < 0 else '+'} {abs(value)}"


def term(value: float | Fraction, letter: str, first: bool = False) -> str:
    """Return a multiple of a letter as a term of a sum: "- 4\\,x_2", "+ x_2". first: without the plus sign."""
    sign = ("-" if first else "- ") if value < 0 else "" if first else "+ "
    return f"{sign}{letter}" if abs(value) == 1 else f"{sign}{abs(value)}\\,{letter}"


def root(factor: Fraction | int, square: int) -> str:
    """Return factor · √square in its simplest form: "2\\sqrt{10}", "\\sqrt{2}/10", "-3/2"."""
    whole = next(n for n in range(isqrt(square), 0, -1) if square % (n * n) == 0)
    factor, rest = Fraction(factor) * whole, square // (whole * whole)
    if rest == 1:
        return str(factor)
    sign, top = "-" if factor < 0 else "", abs(factor.numerator)
    over = "" if factor.denominator == 1 else f"/{factor.denominator}"
    return f"{sign}{'' if top == 1 else top}\\sqrt{{{rest}}}{over}"
