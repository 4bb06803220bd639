"""Kernels that are composed of kernels by sums, products and functions, and written as a recipe."""

from svmlab.kernels.composed.kernel import Composed
from svmlab.kernels.composed.node import Node, walk
from svmlab.kernels.composed.recipe import parsed
from svmlab.kernels.composed.tokens import LONGEST

__all__ = ["LONGEST", "Composed", "Node", "parsed", "walk"]
