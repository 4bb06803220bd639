"""The tree of small frozen nodes of which a composed kernel consists, with their values, features and properties.

Every rule of K5 is one class. The properties of a tree follow from those of its parts. A rule may know that a kernel is
positive semidefinite, or may not know it, and it never claims it without a proof.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from svmlab.core.arrays import Array

MAX_COMPOSED_FEATURES = 400  # beyond this dimension of the feature map, the kernel is used through its values alone
Exponents = list[tuple[int, ...]]

SUM, PRODUCT, POWER, ATOM = range(4)  # precedence of the outermost operation of a text, the loosest first


def number_text(value: float) -> str:
    """Return the shortest decimal that is read as the same number."""
    return next(s for s in (f"{value:g}", repr(value)) if float(s) == value)


def tex_number(value: float) -> str:
    """Return the same decimal for a formula."""
    digits, _, power = number_text(value).partition("e")
    if not power:
        return digits
    ten = rf"10^{{{int(power)}}}"
    return {"1": ten, "-1": f"-{ten}"}.get(digits, rf"{digits}\cdot {ten}")


@dataclass(frozen=True)
class Node(ABC):
    """A kernel within a kernel, or the negative of one.

    definiteness: +1 if the rules prove every Gram matrix positive semidefinite, -1 if they prove this for the
    negative, and 0 if they do not know. strictly_definite: distinct points have linearly independent images.
    injective: distinct points have distinct images. has_positive_diagonal: k(x, x) > 0 everywhere. rotation_invariant,
    translation_invariant: rotations about the origin, or translations, of all points leave k unchanged.
    distances_translation_invariant: translations leave k(x, x) + k(z, z) - 2 k(x, z) unchanged. The last six are true
    only if they are known.
    """

    @property
    def parts(self) -> tuple[Node, ...]:
        """The kernels of which this one consists, in the order in which they are written."""
        return ()

    @property
    def precedence(self) -> int:
        """The precedence of the outermost operation of its text and its formula."""
        return ATOM

    @property
    @abstractmethod
    def text(self) -> str:
        """The text of this kernel in a recipe."""

    @property
    @abstractmethod
    def tex(self) -> str:
        """The formula k(x, x') in LaTeX."""

    @property
    @abstractmethod
    def numpy(self) -> str:
        """The matrix over the rows of A and B, as numpy code."""

    @property
    def definiteness(self) -> int:
        """Known to be positive semidefinite (+1), known to be the negative of such a kernel (-1), or unknown (0)."""
        return 0

    @property
    def strictly_definite(self) -> bool:
        """Whether it is known to be positive definite on distinct points."""
        return False

    @property
    def injective(self) -> bool:
        """Whether it is known that any two distinct points have distinct images."""
        return self.strictly_definite

    @property
    def has_positive_diagonal(self) -> bool:
        """Whether it is known that k(x, x) > 0 everywhere."""
        return self.strictly_definite

    @property
    def rotation_invariant(self) -> bool:
        """Whether it is known to be invariant under rotations of all points about the origin."""
        return all(part.rotation_invariant for part in self.parts)

    @property
    def translation_invariant(self) -> bool:
        """Whether it is known to be invariant under translations of all points."""
        return all(part.translation_invariant for part in self.parts)

    @property
    def distances_translation_invariant(self) -> bool:
        """Whether it is known that translations of all points keep all distances in feature space."""
        return self.translation_invariant

    def feature_dim(self, d: int) -> int | None:
        """Return the number of features, or None if there are none, infinitely many, or too many to write down."""
        return None

    def features(self, X: Array) -> Array:
        """Return the features (m, dim) with <phi(x), phi(z)> = k(x, z). It requires that `feature_dim` is a number."""
        raise NotImplementedError

    def exponents(self, d: int) -> Exponents | None:
        """Return the exponents of the features if each is a positive multiple of a monomial, and None otherwise."""
        return None

    @abstractmethod
    def values(self, X: Array, Z: Array) -> Array:
        """Return k(x_i, z_j), shape (m, n)."""

    def fractions(self, X: Array, Z: Array) -> Array | None:
        """The same for tables of fractions, without rounding; None where none are known."""
        return None

    @abstractmethod
    def diag(self, X: Array) -> Array:
        """Return k(x_i, x_i), shape (m,)."""

    @abstractmethod
    def weighted_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        """Return sum_i W_ij grad_z k(x_i, z) at z_j, shape (n, d), for W (m, n)."""

    @abstractmethod
    def diagonal_gradient(self, Z: Array) -> Array:
        """Return the gradient of z -> k(z, z) at each row, shape (n, d)."""

    def squared_distances(self, X: Array, Z: Array) -> Array:
        """Return k(x, x) + k(z, z) - 2 k(x, z), the squared distance in feature space, shape (m, n)."""
        return self.diag(X)[:, None] + self.diag(Z) - 2.0 * self.values(X, Z)

    def weighted_distance_gradient(self, X: Array, W: Array, Z: Array) -> Array:
        """Return sum_i W_ij grad_z of `squared_distances` at z_j, shape (n, d)."""
        return W.sum(0)[:, None] * self.diagonal_gradient(Z) - 2.0 * self.weighted_gradient(X, W, Z)

    @property
    def size(self) -> int:
        """The number of nodes of the tree, including this one."""
        return 1 + sum(part.size for part in self.parts)

    def bracketed_text(self, level: int) -> str:
        """Return its text, in brackets if its outermost operation is looser than `level`."""
        return self.text if self.precedence >= level else f"({self.text})"

    def bracketed_tex(self, level: int) -> str:
        """Return its formula, in brackets if its outermost operation is looser than `level`."""
        return self.tex if self.precedence >= level else rf"\left({self.tex}\right)"


def dim_if_short(n: int | None) -> int | None:
    """Return a number of features if it is small enough to write them down, and None otherwise."""
    return n if n is not None and n <= MAX_COMPOSED_FEATURES else None


def all_nodes(node: Node) -> list[Node]:
    """Return the node and all nodes below it."""
    return [node, *(inner for part in node.parts for inner in all_nodes(part))]
