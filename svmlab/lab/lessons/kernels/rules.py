"""Functions that are constructed from a kernel k_1, as recipes, and their eigenvalues on a board (K5, K13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab import BadInput, Composed
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.kernels.composed import parse_recipe

WIDTH = 2.0  # the kernel width sigma of the Gaussian of a kernel
SECONDS = {"one": "1", "linear": "linear", "gaussian": "gaussian(1)"}  # the kernels k_2
ROUNDING = 1e-13  # for each point, the rounding error of an eigenvalue relative to the largest


@dataclass(frozen=True)
class Rule:
    """A rule that constructs a function from kernels k_1 and k_2 and a factor r.

    name: its label on the button. tex: the function in LaTeX. make: the recipe from the recipes of k_1 and k_2 and from
    r. has_factor, has_second: whether the rule contains r and k_2.
    """

    name: str
    tex: str
    make: Callable[[str, str, float], str]
    has_factor: bool = True
    has_second: bool = False


RULES = {
    "between": Rule("g k₁ h", r"g(x)\,k_1(x,z)\,h(z),\;\; h=r\,g", lambda k, k2, r: f"{r!r}*between(x1,{k})"),
    "scaled": Rule("r k₁", r"r\,k_1(x,z)", lambda k, k2, r: f"{r!r}*({k})"),
    "sum": Rule(
        "k₁ + r k₂",
        r"a^\top(K_1+rK_2)\,a=\bigl\|\textstyle\sum_i a_i\phi_1(x_i)\bigr\|^2+r\,\bigl\|\sum_i a_i\phi_2(x_i)\bigr\|^2",
        lambda k, k2, r: f"{k}{r:+}*({k2})" if r else k,
        has_second=True,
    ),
    "product": Rule(
        "k₁ k₂", r"k_1(x,z)\,k_2(x,z)", lambda k, k2, r: f"({k})*({k2})", has_factor=False, has_second=True
    ),
    "polynomial": Rule("k₁² + r k₁", r"k_1(x,z)^2+r\,k_1(x,z)", lambda k, k2, r: f"p({k},0,{r!r},1)"),
    "exp": Rule("exp(r k₁)", r"e^{r\,k_1(x,z)}", lambda k, k2, r: f"exp({r!r}*({k}))" if r else "1"),
    "form": Rule(
        "xᵀAz",
        r"x^\top A\,z,\quad \text{eigenvalues of } A\!:\ 1 \text{ and } r",
        lambda k, k2, r: f"form({(1 + r) / 2!r},{(1 - r) / 2!r},{(1 + r) / 2!r})",
    ),
    "gaussian": Rule(
        "Gaussian of k₁",
        r"e^{-(k_1(x,x)+k_1(z,z)-2k_1(x,z))/8}",
        lambda k, k2, r: f"gaussian({WIDTH!r},{k})",
        has_factor=False,
    ),
}


@dataclass(frozen=True, eq=False)
class Constructed:
    """A constructed function on a board.

    matrix: its Gram matrix (m, m), or zeros where `why` says why it cannot be computed. is_kernel: whether the rules
    prove that it is a kernel.
    """

    matrix: Array
    is_kernel: bool
    why: BadInput | None = None

    @property
    def eigenvalues(self) -> Array:
        """Return the eigenvalues (m,) in increasing order. Those within rounding of 0 are 0."""
        values = np.linalg.eigvalsh(self.matrix)
        return np.where(np.abs(values) <= ROUNDING * len(values) * np.abs(values).max(), 0.0, values)

    @property
    def smallest_eigenvalue(self) -> float:
        """Return the smallest eigenvalue."""
        return float(self.eigenvalues[0])

    @property
    def coefficients(self) -> Array:
        """Return an eigenvector (m,) of the smallest eigenvalue, of length 1."""
        a: Array = np.linalg.eigh(self.matrix)[1][:, 0]
        return a


def construct(recipe: str, second: str, rule: str, factor: float, data: Dataset) -> Constructed:
    """Return what a rule makes of the kernel of a recipe on these points. second: a key of SECONDS."""
    nothing = np.zeros((data.m, data.m))
    if factor == 0 and rule in ("between", "scaled"):
        return Constructed(nothing, True)
    try:
        kernel = Composed(RULES[rule].make(recipe, SECONDS[second], factor))
        return Constructed(kernel(data.X, data.X), kernel.psd)
    except BadInput as error:
        return Constructed(nothing, False, error)


def can_be_written(recipe: str) -> bool:
    """Return whether the recipe is within the limits of the language."""
    try:
        return bool(parse_recipe(recipe))
    except BadInput:
        return False
