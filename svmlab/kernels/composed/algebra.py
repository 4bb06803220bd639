"""Multiples, sums and products in the form in which a recipe writes them: one factor in front, and no 0."""

from __future__ import annotations

from svmlab.kernels.composed.atoms import Constant
from svmlab.kernels.composed.node import Node
from svmlab.kernels.composed.sums import Product, Scaled, Sum


def scaled(c: float, k: Node) -> Node:
    """Return the multiple c k with one factor in front."""
    if isinstance(k, Constant):
        return Constant(c * k.c)
    if isinstance(k, Scaled):
        c, k = c * k.c, k.k
    return k if c == 1 else Scaled(c, k)


def product_of(first: Node, second: Node) -> Node:
    """Return k1 k2 with the factors in front. A constant counts as a factor."""
    factor, kernels = 1.0, list[Node]()
    for k in (first, second):
        if isinstance(k, Constant):
            factor *= k.c
        elif isinstance(k, Scaled):
            factor, kernels = factor * k.c, [*kernels, k.k]
        else:
            kernels.append(k)
    if not kernels:
        return Constant(factor)
    return scaled(factor, kernels[0] if len(kernels) == 1 else Product(*kernels))


def sum_of(first: Node, second: Node) -> Node:
    """Return k1 + k2 without summands that are 0."""
    if isinstance(first, Constant) and first.c == 0:
        return second
    return first if isinstance(second, Constant) and second.c == 0 else Sum(first, second)
