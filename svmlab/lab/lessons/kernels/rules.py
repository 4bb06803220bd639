"""The rules that make kernels from kernels, as recipes, and the result of applying one on a board (K5, K13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab import BadInput, Composed
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.kernels.composed import parse_recipe

WIDTH = 2.0  # the kernel width sigma of the Gaussian of a kernel
SECONDS = {"one": "1", "linear": "linear", "gaussian": "gaussian(1)"}  # the kernels with which k can be combined


@dataclass(frozen=True)
class Rule:
    """A rule that makes a kernel from k, k_2 and c.

    name: its label on the button. tex: k'(x, x') in LaTeX, for k = k(x, x'), c and k_2. make: the recipe from the
    recipes of k and k_2 and from c. turned: whether the rule contains c.
    """

    name: str
    tex: str
    make: Callable[[str, str, float], str]
    turned: bool = True


RULES = {
    "between": Rule("g k h", r"g(x)\,k\,h(x'),\;\; g=x_1,\;\; h=c g", lambda k, k2, c: f"{c!r}*between(x1,{k})"),
    "scaled": Rule("c k", r"c\,k", lambda k, k2, c: f"{c!r}*({k})"),
    "sum": Rule("k + c k₂", r"k+c\,k_2", lambda k, k2, c: f"{k}{_plus(c, k2)}"),
    "product": Rule("k k₂", r"k\,k_2", lambda k, k2, c: f"({k})*({k2})", turned=False),
    "polynomial": Rule("k² + c k", r"k^2+c\,k", lambda k, k2, c: f"p({k},0,{c!r},1)"),
    "exp": Rule("exp(c k)", r"e^{c\,k}", lambda k, k2, c: f"exp({c!r}*({k}))" if c else "1"),
    "form": Rule(
        "xᵀAx′",
        r"x^\top A\,x',\quad \lambda(A)=(1,\,c)",
        lambda k, k2, c: f"form({(1 + c) / 2!r},{(1 - c) / 2!r},{(1 + c) / 2!r})",
    ),
    "gaussian": Rule(
        "exp(−d²/8)",
        r"e^{-(k(x,x)+k(x',x')-2k(x,x'))/8}",
        lambda k, k2, c: f"gaussian({WIDTH!r},{k})",
        turned=False,
    ),
}


def _plus(c: float, k: str) -> str:
    return f"{c:+}*({k})" if c else ""


@dataclass(frozen=True, eq=False)
class Built:
    """The result of applying a rule to a kernel on a board.

    kernel: None where the result is 0, or where `why` gives the reason that there is none. values: the eigenvalues (m,)
    of its Gram matrix, rising. known: whether the rules prove that it is a kernel. off: the largest difference between
    its Gram matrix and the products of its features, in units of its largest entry; None where there are infinitely
    many features.
    """

    kernel: Composed | None
    values: Array
    known: bool
    off: float | None = None
    why: BadInput | None = None

    @property
    def least(self) -> float:
        """Return the least eigenvalue, or 0 where it is within rounding."""
        least, size = float(self.values.min()), float(np.abs(self.values).max())
        return 0.0 if abs(least) <= 1e-13 * len(self.values) * size else least


def build(recipe: str, second: str, rule: str, c: float, data: Dataset) -> Built:
    """Return the result of applying a rule to the kernel of a recipe on these points."""
    nothing = np.zeros(data.m)
    if c == 0 and rule in ("between", "scaled"):
        return Built(None, nothing, True)
    try:
        kernel = Composed(RULES[rule].make(recipe, SECONDS[second], c))
        K = kernel(data.X, data.X)
    except BadInput as error:
        return Built(None, nothing, False, why=error)
    difference = None
    if kernel.feature_dim(data.d) is not None:
        Phi = kernel.feature_map(data.X)
        difference = float(np.abs(K - Phi @ Phi.T).max()) / (float(np.abs(K).max()) or 1.0)
    return Built(kernel, np.linalg.eigvalsh(K), kernel.psd, difference)


def written(recipe: str) -> bool:
    """Return whether the recipe is within the limits of the language."""
    try:
        return bool(parse_recipe(recipe))
    except BadInput:
        return False


def taken_back(recipe: str) -> str:
    """Return the recipe without the rule that was applied last; a recipe that is not composed stays as it is."""
    node = parse_recipe(recipe)
    return node.parts[0].text if node.parts else node.text
