"""The monomials of a polynomial kernel: exponents with their multinomial coefficients."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations_with_replacement


@lru_cache(maxsize=64)
def monomials(d: int, degree: int, constant: bool = True) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return the exponents a of the monomials in d variables with |a| <= degree (|a| = degree without `constant`).

    Each comes with its multinomial coefficient in (1 + x_1 + ... + x_d)^degree.
    """
    terms = []
    for chosen in combinations_with_replacement(range(d + 1 if constant else d), degree):
        a = tuple(chosen.count(j) for j in range(d))
        rest = degree - sum(a)
        count = math.factorial(degree) // math.prod(math.factorial(k) for k in (*a, rest))
        terms.append((a, count))
    return tuple(terms)
