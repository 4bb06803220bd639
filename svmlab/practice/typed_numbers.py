"""Read a number as people type it: 3.5, 3,5, 7/2, 3½, sqrt(2)/2, 1/√2, 1e-3, 10⁻³, 1 000, ≈0.37, 25 %, 3 points.

An answer that cannot be read is not wrong. It is unreadable, and the message says why and what to write instead. The
text is parsed, never evaluated as a program:

    sum     = product (("+" | "-") product)*
    product = factor (("*" | "/") factor | root or bracket without a sign)*
    factor  = ("+" | "-") factor | atom ["^" factor] ["%"]
    atom    = decimal | "pi" | "(" sum ")" | "sqrt" atom
"""

from __future__ import annotations

import math
import re
import unicodedata

from svmlab.core.errors import BadInput, quoted

MAX_LENGTH = 60  # characters of an answer
LARGEST = 1e12  # no answer is larger
SIGNIFICANT = 3  # digits of a decimal that are enough
_SPELLINGS = (  # other ways to write a sign, and the sign
    ("−", "-"),
    ("–", "-"),
    ("·", "*"),
    ("×", "*"),
    ("⋅", "*"),
    ("∗", "*"),
    ("÷", "/"),
    ("∕", "/"),
    ("⁄", "/"),
    ("**", "^"),
    ("√", "sqrt"),
    ("\\sqrt", "sqrt"),
    ("π", "pi"),
    ("{", "("),
    ("}", ")"),
    ("[", "("),
    ("]", ")"),
)
_NAME = re.compile(  # "f(x) = 3", "dual value: 3", "class 1" and "≈ 3": what stands before the number is left out
    r"^\s*(?:[^\W\d]\w*(?:\([^()=]{1,5}\)|(?: (?!or\b)[^\W\d]+){1,3})?\s*[=≈:]|class(?=[\s+-])|[=≈~])\s*(?=\S)"
)
_UNIT = re.compile(  # "3 points": what is counted or measured is left out after the number
    r"(?<=[\d.)²³½])\s*(?:points?|support vectors?|updates?|errors?|units?)\s*$"
)
_PERCENT = re.compile(r"(?<=\d)\s*per\s?cent\s*$")
_TIMES = re.compile(r"(?<=\d)\s*x\s*(?=\d)")  # "2 x 10^-3"
_FRACTION = re.compile(r"\\[dt]?frac\{((?:[^{}]|\{[^{}]*\})+)\}\{((?:[^{}]|\{[^{}]*\})+)\}")
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:[\s'’]\d{3})+(?![\d'’])(?!\s*[\d/])")  # "1 000", but not "3 125/8"
_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_MIXED = re.compile(rf"(?<![\d.,])(\d*)\s*([{_VULGAR}])")  # "3½" is a sum
_SUPERSCRIPT = re.compile(r"[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_WORD = re.compile(r"sqrt|pi(?![a-z])")
_DECIMAL = re.compile(  # "3." is a decimal, and "3," is not, because another number may follow
    r"(?:\d+(?:\.\d*|,\d+)?|[.,]\d+)(?:e[+-]?\d+)?(?![\d.,])(?!(?!sqrt|pi(?![a-z]))[^\W\d])"
)
_OPERATORS = "+-*/^()%"


class Unreadable(BadInput):
    """An answer that is no number. It is not counted as wrong."""


def read_number(text: str) -> float:
    """Return the number that is typed in `text`. Raises Unreadable, which says why and what to write instead."""
    if not text.strip():
        raise Unreadable("The answer is empty. Write a number such as 3.5 or 7/2.")
    if len(text) > MAX_LENGTH:
        raise Unreadable("The answer has more than {most} characters. Write one number.", most=MAX_LENGTH)
    parser = _Parser(text, _tokens(text))
    try:
        value = parser.whole()
    except (OverflowError, ZeroDivisionError) as error:
        raise Unreadable("{text} is too large. Write a smaller number.", text=quoted(text)) from error
    if not abs(value) <= LARGEST:
        raise Unreadable("{text} is too large. Write a smaller number.", text=quoted(text))
    return value + 0.0


def unit(value: float) -> float:
    """Return one unit in the last of the significant digits that an answer must have (3 of them)."""
    if value == 0:
        return 10.0**-SIGNIFICANT
    return float(10.0 ** (math.floor(math.log10(abs(value)) + 1e-12) - SIGNIFICANT + 1))


def is_close(typed: float, value: float) -> bool:
    """Return whether a typed number is the value, rounded or cut off after three significant digits or later."""
    return abs(typed - value) <= unit(value) * (1 + 1e-9)


def _tokens(text: str) -> list[str | float]:
    if re.search(r"\d\s*(?:\.{2,}|…)", text):
        raise Unreadable(
            "Dots stand for digits in {text}. Write a fraction, or {n} significant digits without dots.",
            text=quoted(text),
            n=SIGNIFICANT,
        )
    rest = _NAME.sub("", text.lower().replace("−", "-"), count=1)
    rest = _TIMES.sub("*", _PERCENT.sub("%", _UNIT.sub("", rest)))
    rest = _FRACTION.sub(r"((\1)/(\2))", rest)
    rest = _THOUSANDS.sub(lambda match: re.sub(r"\D", "", match[0]), rest)
    rest = _MIXED.sub(lambda match: f"({match[1] or 0}+{unicodedata.normalize('NFKC', match[2])})", rest)
    rest = _SUPERSCRIPT.sub(lambda match: f"^({unicodedata.normalize('NFKC', match[0])})", rest)
    for spelling, sign in _SPELLINGS:
        rest = rest.replace(spelling, sign)
    tokens: list[str | float] = []
    at = 0
    while at < len(rest):
        if rest[at].isspace():
            at += 1
        elif number := _DECIMAL.match(rest, at):
            tokens.append(float(number[0].replace(",", ".")))
            at = number.end()
        elif word := _WORD.match(rest, at):
            tokens.append(word[0])
            at = word.end()
        elif rest[at] in _OPERATORS:
            tokens.append(rest[at])
            at += 1
        else:
            raise _unknown(text, rest, at)
    return tokens


def _unknown(text: str, rest: str, at: int) -> Unreadable:
    part = re.match(r"[\w.,]+|\S", rest[at:])
    fragment = part[0] if part else rest[at]
    if re.fullmatch(r"\d[\d.]*,", fragment) or fragment in (";", ",", ":", "|"):
        return Unreadable("{text} is more than one number. Write one number in each field.", text=quoted(text))
    if re.fullmatch(r"[\d.,]+", fragment):
        return Unreadable(
            "{found} has more than one decimal sign. Write no sign between thousands, and one point or comma.",
            found=quoted(fragment),
        )
    if fragment == text.strip():
        return Unreadable(
            "{text} is not a number. Write a number such as 3.5, 7/2, sqrt(2)/2 or 1e-3.", text=quoted(text)
        )
    return Unreadable(
        "{found} in {text} is not part of a number. Write a number such as 3.5, 7/2, sqrt(2)/2 or 1e-3.",
        found=quoted(fragment),
        text=quoted(text),
    )


class _Parser:
    """A parser by recursive descent, one method for each line of the grammar."""

    def __init__(self, text: str, tokens: list[str | float]) -> None:
        self.text, self.tokens, self.at = text, tokens, 0

    @property
    def next(self) -> str | float | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self) -> str | float | None:
        token = self.next
        self.at += 1
        return token

    def whole(self) -> float:
        value = self.sum()
        if self.next is None:
            return value
        if self.next == ")":
            raise self.unreadable_brackets()
        raise Unreadable(
            "In {text} two numbers follow each other without a sign between them. Write one number, such as 3/2 for "
            "one and a half.",
            text=quoted(self.text),
        )

    def sum(self) -> float:
        value = self.product()
        while self.next in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            value += sign * self.product()
        return value

    def product(self) -> float:
        value, divided = self.factor(), False
        while self.next in ("*", "/", "sqrt", "pi", "("):
            if self.next == "/":
                self.take()
                divisor, divided = self.factor(), True
                if divisor == 0:
                    raise Unreadable("{text} divides by 0. Write another number.", text=quoted(self.text))
                value /= divisor
            elif self.next == "*":
                self.take()
                value, divided = value * self.factor(), False
            elif divided:
                raise Unreadable(
                    "{text} can be read in two ways. Write brackets, such as 1/(2√3) or (1/2)√3.",
                    text=quoted(self.text),
                )
            else:
                value *= self.factor()
        return value

    def factor(self) -> float:
        if self.next in ("+", "-"):
            return self.factor() if self.take() == "+" else -self.factor()
        value = self.atom()
        if self.next == "^":
            self.take()
            value = self.power(value, self.factor())
        if self.next == "%":
            self.take()
            value /= 100
        return value

    def atom(self) -> float:
        token = self.take()
        if isinstance(token, float):
            return token
        if token == "pi":
            return math.pi
        if token == "(":
            value = self.sum()
            if self.take() != ")":
                raise self.unreadable_brackets()
            return value
        if token == "sqrt":
            value = self.atom()
            if value < 0:
                raise Unreadable(
                    "{text} has the root of a negative number. Write another number.", text=quoted(self.text)
                )
            return math.sqrt(value)
        if token is None:
            raise Unreadable("{text} ends too early, so a number is missing at its end.", text=quoted(self.text))
        if token == ")":
            raise self.unreadable_brackets()
        raise Unreadable("In {text} a number is missing before {sign}.", text=quoted(self.text), sign=quoted(token))

    def power(self, base: float, exponent: float) -> float:
        if (base == 0 and exponent < 0) or (base < 0 and exponent != math.floor(exponent)):
            raise Unreadable("{text} has a power that is not a real number.", text=quoted(self.text))
        return float(base**exponent)

    def unreadable_brackets(self) -> Unreadable:
        return Unreadable("The brackets in {text} do not match. Add or remove one.", text=quoted(self.text))
