"""What a link hides is also left out of the data of the board: sliders, and numbers that would reveal C."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from svmlab.lab.session.controls import PARAMETERS
from svmlab.lab.session.svm_settings import PREFIX_OF_B

KERNEL, PRICE, HARD, BIAS = "kernel", "price", "hard", "bias"  # names of HIDEABLE
# The control with which a slider is hidden: C or λ, and what a step multiplies C by. The parameters of kernels, and
# the height of a tube, are hidden with the kernel.
SLIDERS = {**dict.fromkeys(PARAMETERS, KERNEL), "eps": KERNEL, "value": PRICE, "price": PRICE}


def hides_regularisation(hidden: Collection[str]) -> bool:
    """Return whether the value of C or λ must not be shown, which the hard margin would reveal as C = ∞."""
    return PRICE in hidden or HARD in hidden


def hides_classifier(hidden: Collection[str]) -> bool:
    """Return whether a setting of the classifier must not be shown, which multipliers and checks would reveal."""
    return any(name in hidden for name in (KERNEL, PRICE, HARD, BIAS))


def without_hidden(data: dict[str, Any], hidden: Collection[str]) -> dict[str, Any]:
    """Return the data of a board, or a part of them, without what is hidden."""
    if not hidden:
        return data
    kept = dict(data)
    if data.get("sliders"):
        kept["sliders"] = [each for each in data["sliders"] if _control(each["key"]) not in hidden]
    if PRICE in hidden and data.get("marks"):
        kept["marks"] = _without_bounds(data["marks"])
    if data.get("second"):
        kept["second"] = without_hidden(data["second"], hidden)
    return kept


def _control(slider: str) -> str | None:
    return SLIDERS.get(slider.removeprefix(PREFIX_OF_B))


def _without_bounds(marks: dict[str, Any]) -> dict[str, Any]:
    """Return the marks of points with the symbol of the bound in place of each α that is at its bound."""
    values, states, symbol = marks.get("values") or [], marks.get("state") or [], marks.get("bound", "C")
    if len(values) != len(states):
        return marks
    rows = [[*row[:2], symbol, *row[3:]] if state == "full" else row for row, state in zip(values, states, strict=True)]
    return marks | {"values": rows}
