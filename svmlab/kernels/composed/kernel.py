"""A kernel that is composed of kernels by the rules that keep them kernels (K5, K13), written as a recipe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_
from svmlab.core.tolerances import LARGEST_KERNEL_VALUE
from svmlab.kernels.base import Kernel, Parameter, TextParameter
from svmlab.kernels.composed.atoms import InnerProduct
from svmlab.kernels.composed.node import Node
from svmlab.kernels.composed.recipe import canonical_recipe, parse_recipe
from svmlab.kernels.composed.tokens import MAX_LENGTH


@dataclass(frozen=True)
class Composed(Kernel):
    """A kernel given by a recipe such as linear+2*gaussian(0.5); the module `recipe` describes the language.

    Raises BadInput, which names what is wrong. `psd` is true only if a rule proves it. Whether another kernel is
    indefinite is decided on each board, as for every kernel without a proof. Values above
    LARGEST_KERNEL_VALUE raise BadInput.
    """

    parameters: ClassVar[tuple[Parameter | TextParameter, ...]] = (
        TextParameter(
            "recipe",
            N_("recipe"),
            "linear+gaussian(1)",
            N_(
                "A kernel that is constructed from kernels. You can write linear, gaussian(width), numbers, + − "
                "* ** and brackets. There are also exp(k), p(k,a0,a1,…), gaussian(width,k), form(a,b,c), and "
                "between(f,k) with f one of x1, r2, bump."
            ),
            canonical_recipe,
            MAX_LENGTH,
        ),
    )
    title = N_("composed")

    recipe: str = "linear+gaussian(1)"

    def __post_init__(self) -> None:
        object.__setattr__(self, "recipe", canonical_recipe(self.recipe))

    @property
    def node(self) -> Node:
        """The tree of this kernel."""
        return parse_recipe(self.recipe)

    @property
    def formula(self) -> str:
        return self.node.tex

    @property
    def numpy(self) -> str:
        return self.node.numpy

    @property
    def sklearn(self) -> str:
        return f"kernel=lambda A, B: (lambda A, B: {self.node.numpy})(np.array(A), np.array(B))"

    @property
    def psd(self) -> bool:
        return self.node.definiteness == 1

    @property
    def is_linear(self) -> bool:
        return isinstance(self.node, InnerProduct)

    @property
    def separates_distinct_points(self) -> bool:
        return self.psd and self.node.strictly_definite

    @property
    def rotation_invariant(self) -> bool:
        return self.node.rotation_invariant

    @property
    def translation_invariant(self) -> bool:
        return self.node.translation_invariant

    @property
    def distances_translation_invariant(self) -> bool:
        return self.node.distances_translation_invariant

    def feature_dim(self, d: int) -> int | None:
        return self.node.feature_dim(d) if self.psd else None

    def feature_map(self, X: Array) -> Array:
        if self.feature_dim(X.shape[1]) is None:
            return super().feature_map(X)
        return self.node.features(X)

    def exponents(self, d: int) -> list[tuple[int, ...]] | None:
        return None if self.feature_dim(d) is None else self.node.exponents(d)

    def fractions(self, X: Array, Z: Array) -> Array | None:
        return None if self.feature_dim(X.shape[1]) is None else self.node.fractions(X, Z)

    def _values(self, X: Array, Z: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return self._checked(self.node.values(X, Z))

    def diag(self, X: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return self._checked(self.node.diag(X))

    def _checked(self, K: Array) -> Array:
        if not bool((np.abs(K) <= LARGEST_KERNEL_VALUE).all()):
            raise BadInput(
                "recipe: {recipe} has values above 10¹⁰⁰ here, which are too large to calculate with. Put a "
                "small factor inside, as in exp(0.1*linear), or move the points closer to 0.",
                recipe=self.recipe,
            )
        return K

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return _clipped(self.node.weighted_gradient(X, np.tile(c[:, None], (1, len(Z))), Z))

    # A picture extends beyond the points, so values that are too large there are clipped and raise no error.

    def _expansion(self, X: Array, c: Array, Z: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return _clipped(c @ self.node.values(X, Z))


def _clipped(values: Array) -> Array:
    return np.clip(np.nan_to_num(values, nan=0.0), -LARGEST_KERNEL_VALUE, LARGEST_KERNEL_VALUE)
