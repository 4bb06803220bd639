"""Words with bold type and formulas as a tree, which a browser shows without any library.

A node is a text or a list [tag, node, ...]. The tags are those of TAGS. The browser builds an element for each of them,
so nothing that somebody writes becomes markup. Formulas are MathML, made from the part of TeX that the lessons use in
titles, questions, choices and verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Node = Any  # str | list[Node]; mypy has no recursive alias that JSON fits without a cast
WORDS = ("b", "i")
MATHS = (
    *("math", "mi", "mn", "mo", "mrow", "msub", "msup", "msubsup"),
    *("mfrac", "msqrt", "mover", "munder", "munderover", "mtext", "mspace"),
)
TAGS = frozenset((*WORDS, *MATHS))
MAX_TEXT, MAX_DEPTH = 4000, 24  # characters of one tree, and levels of its nesting


def _table(words: str) -> dict[str, str]:
    """Return a dictionary that is written as its keys and values in turn."""
    each = words.split()
    return dict(zip(each[::2], each[1::2], strict=True))


SYMBOLS = _table(
    "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ kappa κ lambda λ mu μ nu ν xi ξ pi π "
    "rho ρ sigma σ tau τ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ "
    "Psi Ψ Omega Ω ell ℓ infty ∞ nabla ∇ partial ∂ top ⊤ emptyset ∅"
)
OPERATORS = _table(
    "le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ ll ≪ gg ≫ in ∈ notin ∉ to → mapsto ↦ pm ± times × cdot · propto ∝ "
    "langle ⟨ rangle ⟩ | ‖ mid ∣ dots … ldots … cdots ⋯ sum ∑ prod ∏ int ∫ { { } } subset ⊂ cup ∪ cap ∩ neg ¬ "
    "Rightarrow ⇒ Leftrightarrow ⇔ equiv ≡ forall ∀ exists ∃ land ∧ lor ∨"
)
FUNCTIONS = frozenset(
    ("max", "min", "ln", "log", "exp", "tanh", "sin", "cos", "sign", "argmax", "argmin", "sup", "inf", "det", "rank")
)
ACCENTS = {"bar": "¯", "hat": "^", "tilde": "~", "vec": "→", "overline": "¯"}
SPACES = frozenset((",", ";", ":", "!", " ", "quad"))
LIMITS = frozenset("∑∏")
_INLINE = re.compile(r"\$([^$]+)\$|\*\*(.+?)\*\*|(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])")
_TOKEN = re.compile(r"\\([A-Za-z]+|.)|([0-9]+(?:\.[0-9]+)?)|(\s+)|(.)", re.S)


def rich_text(markdown: str) -> list[Node]:
    """Return the tree of one line of Markdown with bold type, italics and formulas between dollar signs."""
    nodes: list[Node] = []
    at = 0
    for match in _INLINE.finditer(markdown):
        nodes += [markdown[at : match.start()]] if match.start() > at else []
        formula, bold, italic = match.groups()
        if formula is not None:
            nodes.append(math_ml(formula))
        else:
            nodes.append(["b", *rich_text(bold)] if bold is not None else ["i", *rich_text(italic)])
        at = match.end()
    return [*nodes, markdown[at:]] if at < len(markdown) else nodes


def is_rich_text(tree: Any) -> bool:
    """Return whether a value is a list of nodes, not too deep and not too long."""
    left = MAX_TEXT

    def fits(node: Any, depth: int) -> bool:
        nonlocal left
        if isinstance(node, str):
            left -= len(node) + 1
            return left >= 0
        if not isinstance(node, list) or not node or depth == 0:
            return False
        left -= 1
        return isinstance(node[0], str) and node[0] in TAGS and all(fits(each, depth - 1) for each in node[1:])

    return isinstance(tree, list) and len(tree) <= MAX_TEXT and all(fits(each, MAX_DEPTH) for each in tree)


def math_ml(formula: str) -> Node:
    """Return the MathML of a formula in TeX. A command that is not known here appears by its name."""
    reader = _Reader(_tokens(formula))
    return ["math", *reader.group(end=None)]


def _tokens(formula: str) -> Iterator[tuple[str, str]]:
    """Yield each token as its kind and its text: a command, a number, or one character. Spaces mean nothing."""
    for command, number, space, character in _TOKEN.findall(formula):
        if command:
            yield "command", command
        elif number:
            yield "number", number
        elif not space:
            yield "character", character


class _Reader:
    """The tokens of a formula that are not read yet."""

    def __init__(self, tokens: Iterator[tuple[str, str]]) -> None:
        self._tokens = list(tokens)[::-1]

    def group(self, end: str | None) -> list[Node]:
        """Return the nodes up to a closing brace, or up to the end."""
        nodes: list[Node] = []
        while self._tokens and not (end and self._tokens[-1] == ("character", end)):
            nodes.append(self._with_scripts(self._atom()))
        if self._tokens:
            self._tokens.pop()
        return nodes

    def _with_scripts(self, base: Node) -> Node:
        below = above = None
        while self._tokens and self._tokens[-1] in (("character", "_"), ("character", "^"), ("character", "'")):
            _kind, sign = self._tokens.pop()
            if sign == "_":
                below = self._argument()
            else:
                above = ["mo", "′"] if sign == "'" else self._argument()
        around = base[0] == "mo" and base[1] in LIMITS
        if below is not None and above is not None:
            return ["munderover" if around else "msubsup", base, below, above]
        if below is not None:
            return ["munder" if around or base[-1] in ("max", "min") else "msub", base, below]
        return base if above is None else ["mover" if around else "msup", base, above]

    def _argument(self) -> Node:
        return self._atom() if self._tokens else ["mrow"]

    def _atom(self) -> Node:
        kind, text = self._tokens.pop()
        if kind == "command":
            return self._command(text)
        if kind == "number":
            # An argument without braces is one digit: \frac12 is one half.
            return ["mn", text]
        if text == "{":
            nodes = self.group("}")
            return nodes[0] if len(nodes) == 1 else ["mrow", *nodes]
        return ["mi", text] if text.isalpha() else ["mo", {"-": "−", "*": "∗"}.get(text, text)]

    def _digit(self) -> Node:
        """Return an argument of a fraction or a root, which is one digit where it has no braces."""
        if self._tokens and self._tokens[-1][0] == "number" and len(self._tokens[-1][1]) > 1:
            _kind, number = self._tokens.pop()
            self._tokens.append(("number", number[1:]))
            return ["mn", number[0]]
        return self._argument()

    def _command(self, name: str) -> Node:
        if name in ("frac", "tfrac", "dfrac"):
            above = self._digit()
            return ["mfrac", above, self._digit()]
        if name == "sqrt":
            return ["msqrt", self._digit()]
        if name in ACCENTS:
            return ["mover", self._argument(), ["mo", ACCENTS[name]]]
        if name in ("mathrm", "text", "operatorname", "mathbb", "mathcal", "mathbf"):
            return ["mtext", _text_of(self._argument())]
        if name in SPACES:
            return ["mspace"]
        if name in ("left", "right", "big", "bigl", "bigr", "Big", "displaystyle"):
            return self._atom() if self._tokens else ["mrow"]
        if name in OPERATORS:
            return ["mo", OPERATORS[name]]
        return ["mi", name if name in FUNCTIONS else SYMBOLS.get(name, name)]


def _text_of(node: Node) -> str:
    return node if isinstance(node, str) else "".join(_text_of(each) for each in node[1:])


def plain_text(tree: list[Node]) -> str:
    """Return the words of a tree without its elements."""
    return "".join(each if isinstance(each, str) else _text_of(each) for each in tree)
