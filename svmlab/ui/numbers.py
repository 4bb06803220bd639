"""Numbers for people: four significant digits, a true minus sign, no false zero."""

from __future__ import annotations

import math


def short(value: float, digits: int = 4) -> str:
    """`value` with at most `digits` significant digits: 0.7071, 1.23·10⁻¹⁴, −∞."""
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


def ends(lo: float, hi: float, digits: int = 4) -> tuple[str, str]:
    """Both ends of an interval with at most `digits` significant digits; what rounding has left of a 0 is 0."""
    small = 1e-12 * (hi - lo) if math.isfinite(hi - lo) else 0.0
    first, last = (short(value if abs(value) > small else 0.0, digits) for value in (lo, hi))
    return first, last
