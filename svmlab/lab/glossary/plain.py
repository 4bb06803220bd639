"""A short TeX formula as one line of Unicode, for a tip, which cannot typeset one."""

from __future__ import annotations

import re
from collections.abc import Iterator

LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η", "theta": "θ",
    "lambda": "λ", "rho": "ρ", "xi": "ξ", "sigma": "σ", "phi": "φ", "ell": "ℓ", "nabla": "∇", "langle": "⟨", "rangle": "⟩", "infty": "∞", "top": "ᵀ", "dots": "…", "pm": "±",
    "|": "‖", "{": "{", "}": "}", ",": "", ";": " ", "quad": " ", "exp": "exp", "tanh": "tanh",
}  # fmt: skip
RELATIONS = {"le": "≤", "ge": "≥", "in": "∈", "leftarrow": "←", "=": "=", "<": "<", ">": ">", "+": "+", "-": "−"}
RELATED = tuple(f" {sign}" for sign in RELATIONS.values())
LARGE = {"sum": "Σ", "min": "min", "max": "max", "ln": "ln"}  # what keeps a distance from what follows
LOW = str.maketrans("0123456789+−=aehijklmnoprstuvx≤", "₀₁₂₃₄₅₆₇₈₉₊₋₌ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ≤")
HIGH = str.maketrans("0123456789+−npᵀ*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵖᵀ*")
LARGER = re.compile(r"((?:Σ|\bm(?:in|ax)|\bln)[ᵢⱼₜₛ≤]*)(?=[^\s(ᵢⱼₜₛ≤])")
HALF = ("1", "2")
TOKEN = re.compile(r"\\([a-zA-Z]+|[^a-zA-Z\s])|(\S)")


def plain(tex: str) -> str:
    """The formula, of LETTERS, RELATIONS, LARGE, frac, bar, mathbb E, and scripts of LOW and HIGH. ValueError for
    others.
    """
    tokens = [("\\" + word) if word else sign for word, sign in TOKEN.findall(tex)]
    said = LARGER.sub(r"\1 ", "".join(_read(iter(tokens))))
    said = re.sub(r" +(?=[,)])|(?<=\() +", "", re.sub(r" +", " ", said)).strip()
    return re.sub(r"([{(]|,) ?([−+]) ", r"\1\2", re.sub(r"(?<=[ᵢy])f\(", " f(", said))


def _read(tokens: Iterator[str], most: int | None = None) -> Iterator[str]:
    """What the tokens mean, up to the brace that ends them, or the first so many."""
    fraction = ""
    while most is None or most > 0:
        token = next(tokens, "}")
        if token == "}":
            break
        said = _meaning(token, tokens)
        if fraction:  # a factor of what follows stands in brackets
            yield fraction if said.startswith((")", ",")) or said[:2] in RELATED or fraction == "½" else f"({fraction})"
        fraction = said if token == r"\frac" else ""
        yield "" if fraction else said
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
        case r"\mathbb":
            return {"E": "𝔼"}[_next(tokens)]
    if name in RELATIONS:
        return f" {RELATIONS[name]} "
    if name in LARGE:
        return f" {LARGE[name]}"
    if token.startswith("\\") and name not in LETTERS:
        raise ValueError(f"plain: {token} has no sign here.")
    return LETTERS.get(name, name) if token.startswith("\\") else name


def _script(said: str, signs: dict[int, int]) -> str:
    """Small, above or below the line."""
    if any(ord(sign) not in signs for sign in said):
        raise ValueError(f"plain: there is no small {said}.")
    return said.translate(signs)


def _next(tokens: Iterator[str]) -> str:
    return "".join(_read(tokens, 1))


def _whole(side: str) -> str:
    """In brackets where it is more than one factor."""
    return side if len(side) == 1 or re.fullmatch(r"‖[^‖]*‖|\S²|\w[ᵢ*]?|⟨[^⟩]*⟩", side) else f"({side})"
