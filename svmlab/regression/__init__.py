"""Support vector regression with an ε-insensitive tube of half height eps, solved exactly."""

from svmlab.regression.epsilon_path import Along, along
from svmlab.regression.fit import Fit, certify
from svmlab.regression.least_squares import Squares, least_squares
from svmlab.regression.solve import solve
from svmlab.regression.tube import Tube
from svmlab.regression.tube_categories import GROUPS, Place
from svmlab.regression.values import Values

__all__ = [
    "GROUPS",
    "Along",
    "Fit",
    "Place",
    "Squares",
    "Tube",
    "Values",
    "along",
    "certify",
    "least_squares",
    "solve",
]
