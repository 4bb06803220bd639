"""Kernels made of kernels: what stands beside each other, within each other, and in the text of a recipe."""

from svmlab.composed.kernel import Composed
from svmlab.composed.node import Node, walk
from svmlab.composed.recipe import parsed
from svmlab.composed.tokens import LONGEST

__all__ = ["LONGEST", "Composed", "Node", "parsed", "walk"]
