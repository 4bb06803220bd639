"""Support vector regression with an ε-insensitive tube of half height eps, solved exactly."""

from typing import TYPE_CHECKING

from svmlab.moved import old_names
from svmlab.regression.epsilon_path import EpsilonPath, epsilon_path
from svmlab.regression.fit import Fit, certify
from svmlab.regression.least_squares import LeastSquaresFit, least_squares
from svmlab.regression.solve import solve
from svmlab.regression.tube import Tube
from svmlab.regression.tube_categories import GROUPS, TubeCategory
from svmlab.regression.values import Values

__all__ = [
    "GROUPS",
    "EpsilonPath",
    "Fit",
    "TubeCategory",
    "LeastSquaresFit",
    "Tube",
    "Values",
    "epsilon_path",
    "certify",
    "least_squares",
    "solve",
]

if not TYPE_CHECKING:  # a type checker would accept any name
    __getattr__ = old_names(__name__)
