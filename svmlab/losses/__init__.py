"""Losses and regularisers, one descent for all of their pairs, and the counting that losses stand in for."""

from svmlab.losses.counting import Fewest, fewest_errors, terraces
from svmlab.losses.descent import Fit, descend
from svmlab.losses.loss import LOSSES, Loss, wrong
from svmlab.losses.objective import Objective
from svmlab.losses.regulariser import REGULARISERS, Regulariser, length

__all__ = [
    "LOSSES",
    "REGULARISERS",
    "Fewest",
    "Fit",
    "Loss",
    "Objective",
    "Regulariser",
    "descend",
    "fewest_errors",
    "length",
    "terraces",
    "wrong",
]
