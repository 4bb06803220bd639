"""Linear systems and quadratic programs over any numbers that can be told from 0: fractions, or decimals of many
places.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Table = Any  # an array of dtype object


def reduced(M: Table, zero: Callable[[Any], bool]) -> tuple[Table, list[int]]:
    """The reduced row echelon form of M without its empty rows, and the columns of its pivots."""
    T, pivots, row = M.copy(), [], 0
    for j in range(T.shape[1]):
        best = max(range(row, len(T)), key=lambda i: abs(T[i, j]), default=None)
        if best is None or zero(T[best, j]):
            continue
        T[[row, best]] = T[[best, row]]
        T[row] = T[row] / T[row, j]
        for i in range(len(T)):
            if i != row and T[i, j]:
                T[i] = T[i] - T[i, j] * T[row]
        pivots.append(j)
        row += 1
        if row == len(T):
            break
    return T[:row], pivots


def solution(M: Table, r: Table, zero: Callable[[Any], bool]) -> Table | None:
    """An x with M x = r, None where there is none."""
    T, pivots = reduced(np.column_stack([M, r]), zero)
    n = M.shape[1]
    if n in pivots:
        return None
    x = np.array([M[0, 0] * 0] * n, dtype=object)
    x[pivots] = T[:, -1]
    return x


def lemke(M: Table, q: Table, zero: Callable[[Any], bool]) -> Table | None:
    """A z >= 0 with M z + q >= 0 and z'(M z + q) = 0, M positive semidefinite; None where there is none.

    Lemke's method; the ratio test compares whole rows, so that it cannot cycle.
    """
    n = len(q)
    nothing = q[0] * 0
    one = nothing + 1
    eye = np.array([[one if i == j else nothing for j in range(n)] for i in range(n)], dtype=object)
    T = np.column_stack([eye, -M, np.array([-one] * n, dtype=object), q])
    basis, order = list(range(n)), [2 * n + 1, *range(n)]
    if all(v >= 0 or zero(v) for v in q):
        return np.array([nothing] * n, dtype=object)

    def lowest(rows: list[int], by: Table) -> int:
        for j in order:
            values = [T[i, j] / by[i] for i in rows]
            least = min(values)
            rows = [i for i, v in zip(rows, values, strict=True) if v == least or zero(v - least)]
            if len(rows) == 1:
                break
        return rows[0]

    enter, leave = 2 * n, lowest([i for i in range(n) if T[i, -1] < 0], [one] * n)
    for _ in range(50 * n + 200):
        T[leave] = T[leave] / T[leave, enter]
        for i in range(n):
            if i != leave and T[i, enter]:
                T[i] = T[i] - T[i, enter] * T[leave]
        gone, basis[leave] = basis[leave], enter
        if gone == 2 * n:
            z = np.array([nothing] * n, dtype=object)
            for i, j in enumerate(basis):
                if n <= j < 2 * n:
                    z[j - n] = T[i, -1]
            return z
        enter = gone + n if gone < n else gone - n
        rows = [i for i in range(n) if T[i, enter] > 0 and not zero(T[i, enter])]
        if not rows:
            return None
        # Where the artificial variable may go, it goes.
        leave = lowest(rows, T[:, enter])
        last = [i for i in rows if basis[i] == 2 * n]
        if last and zero(T[last[0], -1] / T[last[0], enter] - T[leave, -1] / T[leave, enter]):
            leave = last[0]
    raise ArithmeticError("Lemke's method came to no end.")


def program(P: Table, q: Table, A: Table, c: Table, E: Table, e: Table, zero: Callable[[Any], bool]) -> Table | None:
    """An x >= 0 that minimises 1/2 x'Px + q'x with A x >= c and E x = e; None where there is none."""
    G, h = np.vstack([A, E, -E]), np.concatenate([c, e, -e])
    nothing = np.array([[q[0] * 0] * len(G)] * len(G), dtype=object).reshape(len(G), len(G))
    z = lemke(np.block([[P, -G.T], [G, nothing]]), np.concatenate([q, -h]), zero)
    return None if z is None else z[: len(q)]
