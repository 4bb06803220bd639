"""Format numbers for people (four significant digits, a true minus sign, no false zero) and read numbers they write."""

from __future__ import annotations

import math
import re

from svmlab import Problem
from svmlab.core.errors import BadInput, quoted

ROUNDING = 1e-12  # the rounding error of a 0 computed from numbers of order one: lengths on the board, f, b


def zero_if_rounding(value: float, noise: float = ROUNDING) -> float:
    """Return `value`, or 0 if it is at most `noise`, the rounding error of the numbers from which it was computed."""
    return 0.0 if abs(value) <= noise else value


def short(value: float, digits: int = 4, noise: float = 0.0) -> str:
    """Return `value` with at most `digits` significant digits: 0.7071, 1.23·10⁻¹⁴, −∞; 0 if it is at most `noise`."""
    value = zero_if_rounding(value, noise)
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if -4 <= exponent < 6:
        text = f"{value:.{max(digits - 1 - exponent, 0)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return text.replace("-", "−")
    mantissa, power = f"{value:.{digits - 1}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    times = "" if mantissa == "1" else "−" if mantissa == "-1" else mantissa.replace("-", "−") + "·"
    return f"{times}10{raised}"


def rounded_down(value: float, digits: int = 3) -> str:
    """Return a number above 0, rounded down to `digits` significant digits, for sentences with "at least"."""
    unit = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return short(math.floor(value / unit * (1 + 1e-12)) * unit, digits)


def subscript(n: int) -> str:
    """Return a whole number as a subscript."""
    return str(n).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def setting(value: float | str) -> str:
    """Return the value of a parameter: a number as `short` writes it, a text as it is."""
    return value if isinstance(value, str) else short(value)


def format_interval(lo: float, hi: float, digits: int = 4) -> tuple[str, str]:
    """Return both ends of an interval with at most `digits` significant digits.

    An end that is 0 up to rounding is written as 0.
    """
    noise = ROUNDING * (hi - lo) if math.isfinite(hi - lo) else ROUNDING
    return short(lo, digits, noise), short(hi, digits, noise)


def bound_symbol(problem: Problem) -> str:
    """Return the symbol of the upper bound of alpha: C, or Cᵢ if the classes have different costs."""
    return "C" if problem.has_equal_costs else "Cᵢ"


def bound_with_value(symbol: str, value: float | None) -> str:
    """Return the upper bound of a multiplier with its value, C = 2, or its symbol alone if the value is hidden."""
    return symbol if value is None else f"{symbol} = {short(value)}"


def grouped(n: int) -> str:
    """Return a whole number in groups of three digits, 10 000, which no line break separates."""
    return f"{n:,}".replace(",", "\u00a0")


DECIMAL = r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:e[+-]?[0-9]+)?"
NUMBER = re.compile(f"(?P<top>{DECIMAL})(?:/(?P<under>{DECIMAL}))?")
POWER = re.compile(rf"(?:(?P<front>{DECIMAL})[*])?(?P<sign>[+-]?)10\^(?P<raised>[+-]?[0-9]{{1,4}})")
AMBIGUOUS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")  # ambiguous: 1,500 is one and a half, or fifteen hundred
PLAIN = str.maketrans("−–·×⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "--**-+0123456789")


def parse_number(text: str) -> float:
    """Return the number in a text: 1.5, 1,5, 10 000, 1e6, 10^6, 3·10⁻⁴, 1/60, −2, ∞.

    Raises BadInput that shows how to write it.
    """
    with_carets = re.sub("10(?=[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹])", "10^", text)
    cleaned_text = re.sub(r"\s*([*/^])\s*", r"\1", with_carets.translate(PLAIN).casefold().strip())
    cleaned_text = re.sub(r"(?<=[0-9])\s(?=[0-9]{3}(?![0-9]))", "", cleaned_text)
    if cleaned_text.lstrip("+-") in ("∞", "inf", "infinity"):
        return -math.inf if cleaned_text.startswith("-") else math.inf
    if AMBIGUOUS.fullmatch(cleaned_text):
        decimal, whole = cleaned_text.replace(",", "."), cleaned_text.replace(",", "")
        raise BadInput(
            "{text} could be {decimal} or {whole}. Write one of these.", text=text, decimal=decimal, whole=whole
        )
    try:
        if match := POWER.fullmatch(cleaned_text):
            sign = -1.0 if match["sign"] == "-" else 1.0
            return sign * _decimal(match["front"] or "1") * 10.0 ** int(match["raised"])
        if match := NUMBER.fullmatch(cleaned_text):
            return _decimal(match["top"]) / _decimal(match["under"] or "1")
    except OverflowError:
        return math.inf
    except ZeroDivisionError:
        pass
    raise BadInput("{text} is not a number. Write it like 0.05, 5e-2 or 1/20.", text=quoted(text))


def _decimal(digits: str) -> float:
    return float(digits.replace(",", "."))


def editable_text(value: float) -> str:
    """Return `value` as a person would type it, with six significant digits: 60, 0.0166667, 1e-6."""
    if isinstance(value, int):
        return str(value)
    mantissa, _, power = f"{value:.6g}".partition("e")
    return f"{mantissa}e{int(power)}" if power else mantissa
