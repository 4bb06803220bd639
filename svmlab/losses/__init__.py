"""Losses and regularisers, one descent method for all of their pairs, and the least number of errors of a line."""

from typing import TYPE_CHECKING

from svmlab.losses.classical_methods import (
    Minimum,
    lasso,
    least_squares,
    linear_program,
    newton,
    proximal,
    proximal_gap_bound,
    subgradient_distance,
)
from svmlab.losses.descent import Fit, descend
from svmlab.losses.fewest_errors import FewestErrors, error_counts, fewest_errors
from svmlab.losses.loss import LOSSES, Loss, zero_one_loss
from svmlab.losses.objective import Objective
from svmlab.losses.regulariser import REGULARISERS, Regulariser, p_norm
from svmlab.moved import old_names

__all__ = [
    "LOSSES",
    "REGULARISERS",
    "FewestErrors",
    "Fit",
    "Loss",
    "Objective",
    "Minimum",
    "Regulariser",
    "proximal_gap_bound",
    "descend",
    "fewest_errors",
    "lasso",
    "least_squares",
    "p_norm",
    "linear_program",
    "subgradient_distance",
    "newton",
    "proximal",
    "error_counts",
    "zero_one_loss",
]

if not TYPE_CHECKING:  # a type checker would accept any name
    __getattr__ = old_names(__name__)
