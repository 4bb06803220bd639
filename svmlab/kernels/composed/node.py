"""What a composed kernel is made of: a tree of small frozen parts, each of which knows its values, features and
properties.

Every rule of K5 is one class. What is true of a tree follows from what is true of its parts; a rule may know that a
kernel is positive semidefinite, or not know, and never claims it without a proof.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from svmlab.core.arrays import Array

MOST = 400  # coordinates of a feature map; beyond, the kernel is used by its values alone
Exponents = list[tuple[int, ...]]

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly what is written holds together


def number(value: float) -> str:
    """The shortest decimal that is read as the same number."""
    return next(s for s in (f"{value:g}", repr(value)) if float(s) == value)


def tex_number(value: float) -> str:
    """The same in a formula."""
    digits, _, power = number(value).partition("e")
    if not power:
        return digits
    ten = rf"10^{{{int(power)}}}"
    return {"1": ten, "-1": f"-{ten}"}.get(digits, rf"{digits}\cdot {ten}")


@dataclass(frozen=True)
class Node(ABC):
    """A kernel within a kernel, or its minus.

    sign: +1 where the rules make every Gram matrix positive semidefinite, -1 where they make its minus so, 0 where they
    do not know. strict: whether distinct points have linearly independent images. injective: whether they have distinct
    ones. lasting: whether k(x, x) > 0 everywhere. turns, moves: whether turning or moving all points leaves k as it is.
    glides: whether moving leaves k(x, x) + k(z, z) - 2 k(x, z) as it is. The last six are claimed only where they are
    known.
    """

    @property
    def parts(self) -> tuple[Node, ...]:
        """The kernels that it is made of, the one that was there first before the others."""
        return ()

    @property
    def level(self) -> int:
        """How tightly its text and its formula hold together."""
        return ATOM

    @property
    @abstractmethod
    def text(self) -> str:
        """As a recipe writes it."""

    @property
    @abstractmethod
    def tex(self) -> str:
        """K(x, x') in LaTeX."""

    @property
    @abstractmethod
    def numpy(self) -> str:
        """The matrix over the rows of A and B, in numpy."""

    @property
    def sign(self) -> int:
        """Known to be positive semidefinite (+1), to be its minus (-1), or not known (0)."""
        return 0

    @property
    def strict(self) -> bool:
        """Known to be positive definite on distinct points."""
        return False

    @property
    def injective(self) -> bool:
        """Known to tell any two points apart."""
        return self.strict

    @property
    def lasting(self) -> bool:
        """Known to have k(x, x) > 0 everywhere."""
        return self.strict

    @property
    def turns(self) -> bool:
        """Known to stay where all points turn about the origin."""
        return all(part.turns for part in self.parts)

    @property
    def moves(self) -> bool:
        """Known to stay where all points move."""
        return all(part.moves for part in self.parts)

    @property
    def glides(self) -> bool:
        """Known to keep all distances in feature space where all points move."""
        return self.moves

    def dim(self, d: int) -> int | None:
        """Number of coordinates of `features`, None where there are none, infinitely many, or more than MOST."""
        return None

    def features(self, X: Array) -> Array:
        """Phi (m, dim) with <phi(x), phi(z)> = k(x, z); only where `dim` is a number."""
        raise NotImplementedError

    def exponents(self, d: int) -> Exponents | None:
        """Where each coordinate is a positive multiple of a monomial: its exponents."""
        return None

    @abstractmethod
    def values(self, X: Array, Z: Array) -> Array:
        """k(x_i, z_j), shape (m, n)."""

    @abstractmethod
    def diag(self, X: Array) -> Array:
        """k(x_i, x_i), shape (m,)."""

    @abstractmethod
    def pull(self, X: Array, W: Array, Z: Array) -> Array:
        """Sum_i W_ij grad_z k(x_i, z) at z_j, shape (n, d), for W (m, n)."""

    @abstractmethod
    def slope(self, Z: Array) -> Array:
        """The gradient of z -> k(z, z) at each row, shape (n, d)."""

    def squares(self, X: Array, Z: Array) -> Array:
        """k(x, x) + k(z, z) - 2 k(x, z), the squared distance in feature space, shape (m, n)."""
        return self.diag(X)[:, None] + self.diag(Z) - 2.0 * self.values(X, Z)

    def pull_squares(self, X: Array, W: Array, Z: Array) -> Array:
        """Sum_i W_ij grad_z of `squares` at z_j, shape (n, d)."""
        return W.sum(0)[:, None] * self.slope(Z) - 2.0 * self.pull(X, W, Z)

    @property
    def size(self) -> int:
        """Number of parts, itself among them."""
        return 1 + sum(part.size for part in self.parts)

    def within(self, level: int) -> str:
        """Its text, in brackets where it would fall apart."""
        return self.text if self.level >= level else f"({self.text})"

    def set_within(self, level: int) -> str:
        """Its formula, in brackets where it would fall apart."""
        return self.tex if self.level >= level else rf"\left({self.tex}\right)"


def small(n: int | None) -> int | None:
    """A number of coordinates that can be written down."""
    return n if n is not None and n <= MOST else None


def walk(node: Node) -> list[Node]:
    """The node and everything in it."""
    return [node, *(inner for part in node.parts for inner in walk(part))]
