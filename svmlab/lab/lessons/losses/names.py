"""The names and formulas of the losses and regularisers, and the line of each loss in every chart."""

from __future__ import annotations

from typing import Any

from svmlab.lab.words import N_
from svmlab.plot.palette import Palette

COUNT = "count"  # the 0-1 loss, which is not in svmlab.losses.LOSSES, because its slope gives no descent direction
LOSS = {
    COUNT: N_("0–1"),
    "squared": N_("squared"),
    "logistic": N_("logistic"),
    "exponential": N_("exponential"),
    "hinge": N_("hinge"),
    "perceptron": N_("perceptron"),
    "sigmoid": N_("sigmoid"),
}
REGULARISER = {"none": N_("none"), "R1": "R₁", "R2": "R₂"}
OF_T = {  # the loss of t = y f(x)
    COUNT: r"\mathbb 1[t\le 0]",
    "squared": r"(1-t)^2",
    "logistic": r"\log(1+e^{-t})",
    "exponential": r"e^{-t}",
    "hinge": r"\max(0,\,1-t)",
    "perceptron": r"\max(0,\,-t)",
    "sigmoid": r"\frac{1}{1+e^{t}}",
}
OF_W = {"none": "0", "R1": r"\sum_j|w_j|", "R2": r"\tfrac12\sum_j w_j^2"}
_DASHED = {"logistic": "dash", "exponential": "dot", "perceptron": "dashdot", "sigmoid": "longdash"}


def colour(loss: str, palette: Palette) -> str:
    """Return the colour of a loss."""
    blue, _red, green, ochre = palette.series
    return {
        COUNT: palette.text,
        "squared": blue,
        "logistic": green,
        "exponential": ochre,
        "hinge": palette.accent,
        "perceptron": palette.quiet,
        "sigmoid": palette.other,
    }[loss]


def pen(loss: str, palette: Palette, width: float = 2.5) -> dict[str, Any]:
    """Return the line of a loss: its colour, and its dashes, because six colours alone are hard to distinguish."""
    return palette.pen(colour(loss, palette), width, _DASHED.get(loss, "solid"))
