"""The monomials of a polynomial kernel: exponents with their multinomial coefficients."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations_with_replacement


@lru_cache(maxsize=64)
def monomials(d: int, degree: int, constant: bool = True) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Exponents a of the monomials in d variables with |a| <= degree (= degree without `constant`).

    Each comes with the multinomial coefficient of (1 + x_1 + ... + x_d)^degree.
    """
    out = []
    for chosen in combinations_with_replacement(range(d + 1 if constant else d), degree):
        a = tuple(chosen.count(j) for j in range(d))
        rest = degree - sum(a)
        count = math.factorial(degree) // math.prod(math.factorial(k) for k in (*a, rest))
        out.append((a, count))
    return tuple(out)
