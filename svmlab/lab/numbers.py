"""Numbers for people: four significant digits, a true minus sign, no false zero."""

from __future__ import annotations

import math

DUST = 1e-12  # what rounding may leave of a 0 made from numbers of order one: lengths on the board, f, b


def settled(value: float, noise: float = DUST) -> float:
    """`value`, or 0 where it is no more than the rounding of what it was made from."""
    return 0.0 if abs(value) <= noise else value


def short(value: float, digits: int = 4, noise: float = 0.0) -> str:
    """`value` with at most `digits` significant digits: 0.7071, 1.23·10⁻¹⁴, −∞; 0 where it is no more than `noise`."""
    value = settled(value, noise)
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
    """Both ends of an interval with at most `digits` significant digits, an end that is 0 but for rounding as 0."""
    noise = DUST * (hi - lo) if math.isfinite(hi - lo) else DUST
    return short(lo, digits, noise), short(hi, digits, noise)
