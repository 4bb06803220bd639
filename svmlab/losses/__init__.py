"""Losses and regularisers, one descent method for all of their pairs, and the least number of errors of a line."""

from svmlab.losses.classical_methods import (
    Place,
    lasso,
    least_squares,
    linear_program,
    missing,
    newton,
    proximal,
    shrinking_bound,
)
from svmlab.losses.descent import Fit, descend
from svmlab.losses.fewest_errors import Fewest, fewest_errors, terraces
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
    "Place",
    "Regulariser",
    "shrinking_bound",
    "descend",
    "fewest_errors",
    "lasso",
    "least_squares",
    "length",
    "linear_program",
    "missing",
    "newton",
    "proximal",
    "terraces",
    "wrong",
]
