"""The parser of recipes, a small closed language for kernels composed of kernels, with a message for every mistake.

kernel = term {("+" | "-") term}      term = factor {"*" factor}      factor = "-" factor | part ["**" whole number]
part   = number | "(" kernel ")" | linear | gaussian | gaussian(width) | gaussian(width, kernel) | form(a, b, c)
       | exp(kernel) | tanh(kernel) | p(kernel, a_0, a_1, ...) | between(f, kernel), f one of x1, r2, bump
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_
from svmlab.kernels.composed.algebra import product_of, scaled, sum_of
from svmlab.kernels.composed.atoms import Constant, InnerProduct, QuadraticForm
from svmlab.kernels.composed.between import FUNCTIONS, Between
from svmlab.kernels.composed.functions import Exp, Gaussian, Tanh
from svmlab.kernels.composed.node import Node, all_nodes
from svmlab.kernels.composed.polynomial import Polynomial
from svmlab.kernels.composed.sums import Scaled
from svmlab.kernels.composed.tokens import (
    LARGEST_NUMBER,
    MAX_BRACKETS,
    MAX_DEGREE,
    MAX_LENGTH,
    MAX_NODES,
    MAX_TERMS,
    SMALLEST_NUMBER,
    tokens,
)


def parse_recipe(text: object) -> Node:
    """Return the kernel that a recipe describes. Raises BadInput: what is wrong, where, and the way out."""
    if not isinstance(text, str):
        raise BadInput("recipe: {value} is not a text such as linear+2*gaussian(0.5).", value=quoted(text))
    return _parsed(text)


def canonical_recipe(value: object) -> str:
    """Return the canonical form of a recipe from outside. Raises BadInput."""
    return parse_recipe(value).text


@lru_cache(maxsize=256)
def _parsed(text: str) -> Node:
    if len(text) > MAX_LENGTH:
        raise BadInput("recipe: {n} characters are more than {most}. Take fewer parts.", n=len(text), most=MAX_LENGTH)
    node = _Parser(text).parse()
    if node.size > MAX_NODES:
        raise BadInput("recipe: {size} parts are more than {most}. Take fewer.", size=node.size, most=MAX_NODES)
    for factor in (part.c for part in all_nodes(node) if isinstance(part, Constant | Scaled)):
        if not SMALLEST_NUMBER <= abs(factor) <= LARGEST_NUMBER:
            raise BadInput(
                "recipe: the factor {value:g} is not from {least:g} to {most:g}. Take another one.",
                value=abs(factor),
                least=SMALLEST_NUMBER,
                most=LARGEST_NUMBER,
            )
    if len(node.text) > MAX_LENGTH:
        raise BadInput("recipe: it is longer than {most} characters. Take fewer parts.", most=MAX_LENGTH)
    return node


class _Parser:
    """A recursive-descent parser: it reads the tokens from left to right, with one method for each rule."""

    def __init__(self, text: str) -> None:
        self.left, self.depth = tokens(text, self._rules), 0

    def parse(self) -> Node:
        node = self.kernel()
        if self.left[0].kind != "end":
            raise self.expected(N_("+, - or * between two kernels"))
        return node

    def expected(self, wanted: str) -> BadInput:
        token = self.left[0]
        if token.kind == "end":
            return BadInput("recipe: it ends where {wanted} is expected.", wanted=wanted)
        return BadInput(
            "recipe: {found} at character {at} is wrong, because {wanted} is expected there.",
            found=quoted(token.text),
            at=token.at,
            wanted=wanted,
        )

    def accept(self, *signs: str) -> str | None:
        """Return the next token if it is one of these signs, and remove it."""
        token = self.left[0]
        if token.kind != "sign" or token.text not in signs:
            return None
        self.left = self.left[1:]
        return token.text

    def expect(self, sign: str) -> None:
        if self.accept(sign) is None:
            raise self.expected(sign)

    def kernel(self) -> Node:
        self.depth += 1
        if self.depth > MAX_BRACKETS:
            raise BadInput("recipe: more than {most} brackets are nested. Take fewer.", most=MAX_BRACKETS)
        node = self.term()
        while (sign := self.accept("+", "-")) is not None:
            term = self.term()
            node = sum_of(node, term if sign == "+" else scaled(-1.0, term))
        self.depth -= 1
        return node

    def term(self) -> Node:
        node = self.factor()
        while self.accept("*"):
            node = product_of(node, self.factor())
        return node

    def factor(self) -> Node:
        minus = False
        while self.accept("-"):
            minus = not minus
        node = self.part()
        if self.accept("**"):
            node = self.power(node)
        return scaled(-1.0, node) if minus else node

    def power(self, node: Node) -> Node:
        at = self.left[0]
        n = self.number(N_("a power"))
        if n != int(n) or not 1 <= n <= MAX_DEGREE:
            raise BadInput(
                "recipe: the power {n} at character {at} is not a whole number from 1 to {most}.",
                n=at.text,
                at=at.at,
                most=MAX_DEGREE,
            )
        return node if n == 1 else Polynomial(node, (*(0.0,) * int(n), 1.0))

    def number(self, what: str = N_("a number")) -> float:
        minus = self.accept("-") is not None
        token = self.left[0]
        if token.kind != "number":
            raise self.expected(what)
        self.left = self.left[1:]
        value = float(token.text)
        if value != 0 and not SMALLEST_NUMBER <= value <= LARGEST_NUMBER:
            raise BadInput(
                "recipe: {value} at character {at} is neither 0 nor from {least:g} to {most:g}. Take another number.",
                value=quoted(token.text),
                at=token.at,
                least=SMALLEST_NUMBER,
                most=LARGEST_NUMBER,
            )
        return -value if minus else value

    def part(self) -> Node:
        token = self.left[0]
        if token.kind == "number":
            return Constant(self.number())
        if self.accept("("):
            node = self.kernel()
            self.expect(")")
            return node
        if token.kind != "name":
            raise self.expected(N_("a kernel"))
        make_node = self._rules.get(token.text)
        if make_node is None:
            raise BadInput(
                "recipe: {name} at character {at} is not a kernel. Choose one of {names}.",
                name=quoted(token.text),
                at=token.at,
                names=", ".join(self._rules),
            )
        self.left = self.left[1:]
        return make_node(self)

    def inside(self) -> Node:
        """Return the one kernel in brackets."""
        self.expect("(")
        node = self.kernel()
        self.expect(")")
        return node

    def gaussian(self) -> Node:
        if not self.accept("("):
            return Gaussian(1.0)
        token, sigma = self.left[0], self.number(N_("a width"))
        if sigma < 0.001:
            raise BadInput(
                "recipe: the width at character {at} is not from 0.001 to {most:g}. Choose another width.",
                at=token.at,
                most=LARGEST_NUMBER,
            )
        node = self.kernel() if self.accept(",") else InnerProduct()
        self.expect(")")
        return Gaussian(sigma, node)

    def form(self) -> Node:
        self.expect("(")
        at, entries = self.left[0].at, [self.number(N_("an entry of A"))]
        while len(entries) < 3:
            self.expect(",")
            entries.append(self.number(N_("an entry of A")))
        self.expect(")")
        if not any(entries):
            raise BadInput("recipe: the three numbers at character {at} are all 0. Change at least one of them.", at=at)
        return QuadraticForm(*entries)

    def polynomial(self) -> Node:
        self.expect("(")
        at, node, a = self.left[0].at, self.kernel(), list[float]()
        while self.accept(","):
            a.append(self.number(N_("a coefficient")))
        self.expect(")")
        while a and a[-1] == 0:
            a.pop()
        if not 2 <= len(a) <= MAX_TERMS:
            raise BadInput(
                "recipe: p at character {at} has no degree from 1 to {most}. Write p(kernel, a0, a1, ...), where "
                "the last coefficient is not 0.",
                at=at,
                most=MAX_TERMS - 1,
            )
        return node if a == [0, 1] else Polynomial(node, tuple(a))

    def between(self) -> Node:
        self.expect("(")
        name = self.left[0].text
        if name not in FUNCTIONS:
            raise self.expected(", ".join(FUNCTIONS))
        self.left = self.left[1:]
        self.expect(",")
        node = self.kernel()
        self.expect(")")
        # A factor of k is a factor of the whole kernel. It stands in front, because products look for it there.
        return scaled(node.c, Between(name, node.k)) if isinstance(node, Scaled) else Between(name, node)

    _rules: ClassVar[dict[str, Callable[[_Parser], Node]]] = {
        "linear": lambda self: InnerProduct(),
        "gaussian": gaussian,
        "form": form,
        "exp": lambda self: Exp(self.inside()),
        "tanh": lambda self: Tanh(self.inside()),
        "p": polynomial,
        "between": between,
    }
