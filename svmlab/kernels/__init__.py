"""Kernels: those of the lecture notes, kernels composed of other kernels, and the registry of all of them."""

from svmlab.kernels.base import Kernel
from svmlab.kernels.composed import Composed
from svmlab.kernels.standard import KERNELS, Gaussian, Linear, Polynomial, Sigmoid

__all__ = ["KERNELS", "Composed", "Gaussian", "Kernel", "Linear", "Polynomial", "Sigmoid"]
