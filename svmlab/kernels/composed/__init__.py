"""Kernels that are composed of kernels by sums, products and functions, and written as a recipe."""

from svmlab.kernels.composed.kernel import Composed
from svmlab.kernels.composed.node import Node, all_nodes
from svmlab.kernels.composed.recipe import parse_recipe
from svmlab.kernels.composed.tokens import MAX_LENGTH

__all__ = ["MAX_LENGTH", "Composed", "Node", "parse_recipe", "all_nodes"]
