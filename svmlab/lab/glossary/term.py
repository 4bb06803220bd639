"""A term of the glossary, and its formula in one line of Unicode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Term:
    """A word or symbol to look up. Texts that a person reads are marked for translation.

    key: its anchor on the page. definition: one or two sentences that fit into a popup. forms: the spellings of the
    term in texts, separated by bars; the first letter may also be a capital. synonyms: other words by which a reader
    may search for the term, separated by bars; they are not marked in texts. pages: the only pages on which the forms
    mean this term, or all pages if there are none. signs: the spellings of its symbol in texts. letters: its letter
    in a typeset formula, with "_" and the first character of the index, "^*", or a "(" that follows, if these decide;
    the first letter is its usual one. formula: TeX. see: the keys of related terms. tries: where to see it,
    "lesson.step" or the id of a statement.
    """

    key: str
    name: str
    definition: str
    forms: str = ""
    synonyms: str = ""
    pages: tuple[str, ...] = ()
    symbol: str = ""
    signs: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    formula: str = ""
    see: tuple[str, ...] = ()
    where_to_see: tuple[str, ...] = ()


LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η", "theta": "θ",
    "lambda": "λ", "rho": "ρ", "xi": "ξ", "sigma": "σ", "phi": "φ", "ell": "ℓ", "nabla": "∇", "langle": "⟨",
    "rangle": "⟩", "tau": "τ", "infty": "∞", "top": "ᵀ", "dots": "…", "pm": "±",
    "|": "‖", "{": "{", "}": "}", ",": "", ";": " ", "quad": " ", "exp": "exp", "tanh": "tanh",
}  # fmt: skip
RELATIONS = {"le": "≤", "ge": "≥", "in": "∈", "leftarrow": "←", "=": "=", "<": "<", ">": ">", "+": "+", "-": "−"}
RELATED = tuple(f" {sign}" for sign in RELATIONS.values())
LARGE = {"sum": "Σ", "min": "min", "max": "max", "ln": "ln"}  # symbols with a space after them
LOW = str.maketrans("0123456789+−=aehijklmnoprstuvx≤", "₀₁₂₃₄₅₆₇₈₉₊₋₌ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ≤")
HIGH = str.maketrans("0123456789+−npᵀ*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵖᵀ*")
LARGER = re.compile(r"((?:Σ|\bm(?:in|ax)|\bln)[ᵢⱼₜₛ≤]*)(?=[^\s(ᵢⱼₜₛ≤])")
HALF = ("1", "2")
TOKEN = re.compile(r"\\([a-zA-Z]+|[^a-zA-Z\s])|(\S)")


def plain(tex: str) -> str:
    """Return the formula in Unicode.

    It may use LETTERS, RELATIONS, LARGE, frac, bar, mathbb E, a word in text, and scripts of LOW and HIGH. Raises
    ValueError for anything else.
    """
    tokens = [("\\" + word) if word else sign for word, sign in TOKEN.findall(tex)]
    text = LARGER.sub(r"\1 ", "".join(_read(iter(tokens))))
    text = re.sub(r" +(?=[,)])|(?<=\() +", "", re.sub(r" +", " ", text)).strip()
    return re.sub(r"([{(]|,) ?([−+]) ", r"\1\2", re.sub(r"(?<=[ᵢyt])f\(", " f(", text))


def _read(tokens: Iterator[str], most: int | None = None) -> Iterator[str]:
    """Return the meaning of the tokens up to the brace that ends them, or of the first `most` tokens."""
    fraction = ""
    while most is None or most > 0:
        token = next(tokens, "}")
        if token == "}":
            break
        meaning = _meaning(token, tokens)
        if fraction:  # a fraction that is a factor of the next part gets brackets
            yield (
                fraction
                if meaning.startswith((")", ",")) or meaning[:2] in RELATED or fraction == "½"
                else f"({fraction})"
            )
        fraction = meaning if token == r"\frac" else ""
        yield "" if fraction else meaning
        most = None if most is None else most - 1
    yield fraction


def _meaning(token: str, tokens: Iterator[str]) -> str:
    name = token.lstrip("\\") or token
    match token:
        case "{":
            return "".join(_read(tokens))
        case "_" | "^":
            return _script(_next(tokens).replace(" ", ""), LOW if token == "_" else HIGH)
        case ",":
            return ", "
        case r"\frac":
            above, below = _next(tokens), _next(tokens)
            over = f"({above})" if " " in above else above
            return "½" if (above, below) == HALF else f"{over}/{_whole(below)}"
        case r"\bar":
            return f"{_next(tokens)}\u0304"
        case r"\text":
            return f" {_next(tokens)} "
        case r"\mathbb":
            return {"E": "𝔼"}[_next(tokens)]
    if name in RELATIONS:
        return f" {RELATIONS[name]} "
    if name in LARGE:
        return f" {LARGE[name]}"
    if token.startswith("\\") and name not in LETTERS:
        raise ValueError(f"plain: {token} has no sign here.")
    return LETTERS.get(name, name) if token.startswith("\\") else name


def _script(text: str, signs: dict[int, int]) -> str:
    """Return a subscript or superscript. Unicode has no small τ, which stands after a low line."""
    if "τ" in text:
        return f"_{text}" if len(text) == 1 else f"_({text})"
    if any(ord(sign) not in signs for sign in text):
        raise ValueError(f"plain: there is no small {text}.")
    return text.translate(signs)


def _next(tokens: Iterator[str]) -> str:
    return "".join(_read(tokens, 1))


def _whole(side: str) -> str:
    """Return the text in brackets if it is more than one factor."""
    return side if len(side) == 1 or re.fullmatch(r"‖[^‖]*‖|\S²|\w[ᵢ*]?|⟨[^⟩]*⟩", side) else f"({side})"
