"""Kernels: the four of the notes, those that are composed of them, and the registry of them all."""

from svmlab.kernels.base import Kernel
from svmlab.kernels.composed import Composed
from svmlab.kernels.standard import KERNELS, Gaussian, Linear, Polynomial, Sigmoid

__all__ = ["KERNELS", "Composed", "Gaussian", "Kernel", "Linear", "Polynomial", "Sigmoid"]
