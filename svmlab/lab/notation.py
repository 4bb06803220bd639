"""The notation of formulas: f = ⟨w, x⟩ + b or ⟨w, x⟩ − b, labels y or t, and C or λ first.

Lecture notes differ in these. Everything in the app is written with + b, y and C. `Notation.text` and `Notation.tex`
rewrite words and formulas where they are shown, and `Notation.bias` gives the value of b that belongs to them. Where
the rule of signs would be wrong, MINUS_B and LABEL_T give both forms.

Sentences keep their C, because the steps on the soft margin and on the dual are about C itself: α is at most C. If λ
comes first, the own board has it, a slider of C shows λ beside it, and a formula that introduces C has 1/(λ m) instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput, quoted

T = TypeVar("T", float, Array)

# Where b does not only change the sign before it: a part of a text or formula with + b, and the same with − b.
MINUS_B: Mapping[str, str] = {
    # b from a point on its margin line, where y (⟨w, x⟩ − b) = 1
    r"b = y_i - \langle w, x_i\rangle": r"b = \langle w, x_i\rangle - y_i",
    r"b_i = y_i - \langle w, x_i\rangle": r"b_i = \langle w, x_i\rangle - y_i",
    r"b = y_i - g(x_i)": r"b = g(x_i) - y_i",
    r"b=y_i-\sum_j\alpha_jy_j\langle x_j,x_i\rangle": r"b=\sum_j\alpha_jy_j\langle x_j,x_i\rangle-y_i",
    r"b=y_i-\sum_j\alpha_jy_j\,\langle x_j,x_i\rangle": r"b=\sum_j\alpha_jy_j\,\langle x_j,x_i\rangle-y_i",
    r"b=y_i-\sum_j\alpha_jy_j\,k(x_j,x_i)": r"b=\sum_j\alpha_jy_j\,k(x_j,x_i)-y_i",
    r"b = y_k - \sum_j\alpha_j y_j k(x_j, x_k)": r"b = \sum_j\alpha_j y_j k(x_j, x_k) - y_k",
    r"b = y_k - \sum_j \alpha_j y_j k(x_j, x_k)": r"b = \sum_j \alpha_j y_j k(x_j, x_k) - y_k",
    r"inserts $b = 1/y_j - \langle w, x_j\rangle$": r"inserts $b = \langle w, x_j\rangle - 1/y_j$",
    r"and $1/y_j$ replaces $b$": r"and $1/y_j$ replaces $-b$",
    "The value yᵢ − ⟨w, xᵢ⟩ of": "The value ⟨w, xᵢ⟩ − yᵢ of",
    "yᵢ − g(xᵢ)": "g(xᵢ) − yᵢ",
    "Each mark is $y_i - g(x_i)$": "Each mark is $g(x_i) - y_i$",
    r"$y_i - g(x_i) = b + y_i\xi_i$": r"$g(x_i) - y_i = b - y_i\xi_i$",
    r"y_i-\langle w,x_i\rangle = b + y_i\,\xi_i": r"\langle w,x_i\rangle-y_i = b - y_i\,\xi_i",
    "Points with slack yield b + yᵢξᵢ": "Points with slack yield b − yᵢξᵢ",
    r"\overline{y_k - g_k} - b = \overline{y_k \xi_k}": r"\overline{g_k - y_k} - b = -\overline{y_k \xi_k}",
    "{mean} − ({mean_slack}) = {b}": "{mean} + ({mean_slack}) = {b}",
    # b as a term of f, whose value is −b
    "The products and $b$ add up": "The products and $-b$ add up",
    "alone, plus b": "alone, minus b",
    "The green line adds the terms to $b$": "The green line adds the terms to $-b$",
    "b and the terms up to here": "−b and the terms up to here",
    "so f(u) is almost equal to b": "so f(u) is almost equal to −b",
    "$f(u)$ is almost equal to $b$, so the sign of $b$ decides": (
        "$f(u)$ is almost equal to $-b$, so the sign of $-b$ decides"
    ),
    "f(u) is b plus one term": "f(u) is −b plus one term",
    "It is $b$ plus a sum of bumps": "It is $-b$ plus a sum of bumps",
    "f = b = {b}": "f = −b = {b}",
    # b as a component of the vector that a solver or the perceptron finds
    r"$y_i(b+\langle w,x_i\rangle)\ge1$": r"$y_i(-b+\langle w,x_i\rangle)\ge1$",
    r"$y_i\,[1, x_i^\top]$": r"$y_i\,[-1, x_i^\top]$",
    r"y_n [1, x_n^\top]\, u": r"y_n [-1, x_n^\top]\, u",
    "adds $y_i x_i$ to $w$ and $y_i$ to $b$": "adds $y_i x_i$ to $w$ and subtracts $y_i$ from $b$",
    "adds $y x$ to $w$ and $y$ to $b$": "adds $y x$ to $w$ and subtracts $y$ from $b$",
    "adds y x to w and y to b": "adds y x to w and subtracts y from b",
    "b ← b + y": "b ← b − y",
    r"b \leftarrow b + y_i": r"b \leftarrow b - y_i",
    "the extended points $(x_i, 1)$": "the extended points $(x_i, -1)$",
    "The 1 is needed because": "The −1 is needed because",
    "Each mistake adds y (x, 1) to (w, b)": "Each mistake adds y (x, −1) to (w, b)",
    "a constant 1 is appended to each point, and b is its weight": (
        "a constant −1 is appended to each point, and b is its weight"
    ),
    r"and $\frac1m\sum_i s_i$ for $b$": r"and $-\frac1m\sum_i s_i$ for $b$",
    # numbers of boards that are always the same
    "Here b = −1.": "Here b = 1.",
    "w = 1/2 and b = 1/4": "w = 1/2 and b = −1/4",
    "give values from −2 to 1, but b is 0": "give values from −1 to 2, but b is 0",
    # the ends of the interval of optimal b
    "smallest b from {who}": "largest b from {who}",
    "largest b from {who}": "smallest b from {who}",
    "smallest optimal b": "largest optimal b",
    "largest optimal b": "smallest optimal b",
}
# Where t is the label in the lecture notes already, so it stays.
LABEL_T = (
    "At t(⟨w, x⟩ + b) = 1",
    "At t(⟨w, x⟩ − b) = 1",
    "they give both $-t$ and 0",
    "write $t_i$ for the label",
    "with $t$ for the label",
)
# What a step or point is counted by stays apart from the label: Bishop writes τ too.
LABELS: Mapping[str, Mapping[str, str]] = {"y": {}, "t": {"y": "t", "t": "τ"}}
PARAMETERS = ("C", "lambda")
MINUS, SEPARATOR = "minus-b", ","

FIELD = (  # a value that is filled in later; no index such as w_{t}, which has one or two letters
    r"%?(?<![\w^}\\{])\{[A-Za-z_]\w*(?:[:.\[][^{}$]*)?\}(?!\})|(?<!\{)\{[a-z]{3}[a-z_]*\}(?!\})"
)
QUOTED = r"“[^”]*”"
TAG = r"</?[a-z]+\d?(?:\s[^<>]*=[^<>]*)?/?>|&\w+;"  # of HTML; "0<a" is none
CLOSED = rf"`[^`]*`|\]\([^)]*\)|{TAG}|{FIELD}"  # code, addresses, tags and values
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*\$", re.DOTALL)
TEX = re.compile(  # a name: words, a command, or one sign
    r"\\(?:text|operatorname|mathrm|mathcal|begin|end)\{+[^{}]*\}+|\\[a-zA-Z]+|\\.|.", re.DOTALL
)
# A formula that introduces C: the objective with the norm and the slack.
INTRODUCES_C = re.compile(r"\\\|w(?:_k)?\\\|\^2\s*\+\s*C(?![A-Za-z_'])")
C_ALONE, C_BY_LAMBDA = re.compile(r"(?<![A-Za-z\\])C(?![A-Za-z_'])"), r"\frac{1}{\lambda m}"
SIGNED_B = re.compile(r"[+−](?=[ \u00a0]?b(?![A-Za-z0-9²'’]))")
SIGNED_B_TEX = re.compile(r"[+-](?=\s*(?:\\[,;]\s*)?b(?![A-Za-z]|\s*\^\s*2))")
OTHER = {"+": "−", "−": "+"}
OTHER_TEX = {"+": "-", "-": "+"}


@dataclass(frozen=True)
class Notation:
    """How formulas are written.

    minus_b: f = ⟨w, x⟩ − b, and not + b. label: the letter of a label, y or t. If it is t, then what is called t
    elsewhere is called τ. first: C or lambda, whichever stands first where the penalty is chosen.
    """

    minus_b: bool = False
    label: str = "y"
    first: str = "C"

    def __post_init__(self) -> None:
        if self.label not in LABELS:
            raise BadInput("notation: the letter of a label is y or t, not {label}.", label=quoted(self.label))
        if self.first not in PARAMETERS:
            raise BadInput("notation: the first parameter is C or lambda, not {first}.", first=quoted(self.first))

    @property
    def as_word(self) -> str:
        """Return what differs from the usual notation, as it stands in a link: "minus-b,t,lambda" or a part of it."""
        parts = (MINUS if self.minus_b else "", self.label * (self.label != "y"), self.first * (self.first != "C"))
        return SEPARATOR.join(filter(None, parts))

    @staticmethod
    def of_word(word: str) -> Notation:
        """Return the notation that `as_word` wrote. Raises ValueError for anything else."""
        parts = word.split(SEPARATOR)
        notation = Notation(MINUS in parts, "t" if "t" in parts else "y", "lambda" if "lambda" in parts else "C")
        if notation.as_word != word:
            raise ValueError(word)
        return notation

    def bias(self, b: T) -> T:
        """Return the value of b, or of several b."""
        return 0.0 - b if self.minus_b else b  # 0.0 - b is 0 and not -0 for b = 0

    def bias_interval(self, interval: tuple[float, float]) -> tuple[float, float]:
        """Return the ends of an interval of b, the smaller first."""
        low, high = interval
        return (self.bias(high), self.bias(low)) if self.minus_b else (low, high)

    def text(self, words: str) -> str:
        """Return words with their formulas: Markdown, HTML or plain. Quotations, code and {values} stay."""
        if self.minus_b:
            words = _except(BY_HAND, words, lambda rest: _in_turn(rest, _minus_b, _minus_b_tex))
        if self.label != "y":
            words = _except(STAYS, words, lambda rest: _in_turn(rest, self._letters, self._letters_tex))
        return words

    def tex(self, formula: str) -> str:
        """Return a formula in TeX that stands by itself. If λ comes first, one that introduces C has 1/(λ m)."""
        if self.first == "lambda" and INTRODUCES_C.search(formula) and r"\lambda" not in formula:
            formula = C_ALONE.sub(lambda _match: C_BY_LAMBDA, formula)
        if self.minus_b:
            formula = _except(BY_HAND, formula, _minus_b_tex)
        return self._letters_tex(formula) if self.label != "y" else formula

    def _letters(self, words: str) -> str:
        letters = LABELS[self.label]
        words = re.sub("ₜ(₊₁|₋₁)?", lambda match: f"_({STEPS[match[1]]})" if match[1] else "_t", words)
        return re.sub(r"(?<![A-Za-z'’-])[yt](?![A-Za-z'’-])", lambda match: letters[match[0]], words)

    def _letters_tex(self, formula: str) -> str:
        letters = LABELS[self.label]
        written = [letters.get(token, token) for token in TEX.findall(formula)]
        return re.sub("τ(?=[A-Za-z])", r"\\tau ", "".join(written)).replace("τ", r"\tau")


USUAL = Notation()
PRIVATE = 0xE000  # the first of the signs that Unicode leaves to programs
STEPS = {"₊₁": "t+1", "₋₁": "t−1"}
BY_HAND = re.compile(
    "|".join([QUOTED, *(re.escape(part) for part in sorted(MINUS_B, key=len, reverse=True)), CLOSED]), re.DOTALL
)
STAYS = re.compile("|".join([QUOTED, *map(re.escape, LABEL_T), CLOSED]), re.DOTALL)


def _minus_b(words: str) -> str:
    return SIGNED_B.sub(lambda match: OTHER[match[0]], words)


def _minus_b_tex(formula: str) -> str:
    return SIGNED_B_TEX.sub(lambda match: OTHER_TEX[match[0]], formula)


def _in_turn(text: str, words: Callable[[str], str], tex: Callable[[str], str]) -> str:
    """Return a text with one rule applied to its formulas and another to the words between them."""
    pieces, at = list[str](), 0
    for match in FORMULA.finditer(text):
        pieces += [words(text[at : match.start()]), tex(match[0])]
        at = match.end()
    return "".join([*pieces, words(text[at:])])


def _except(stays: re.Pattern[str], text: str, rule: Callable[[str], str]) -> str:
    """Return a text with a rule applied to all but the parts that match `stays`, which are as in MINUS_B or unchanged.

    While the rule is applied, a sign that no text contains stands for each of them.
    """
    parts = list[str]()

    def kept(match: re.Match[str]) -> str:
        parts.append(MINUS_B.get(match[0], match[0]))
        return chr(PRIVATE + len(parts) - 1)

    changed = rule(stays.sub(kept, text))
    return re.sub("[\ue000-\uf8ff]", lambda match: parts[ord(match[0]) - PRIVATE], changed)
