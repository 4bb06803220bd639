"""A convex quadratic program in matrix form."""

from __future__ import annotations

from dataclasses import dataclass

from svmlab.core.arrays import Array, Frozen, make_read_only, short_repr


@dataclass(frozen=True, eq=False)
class QP(Frozen):
    """min 1/2 u'Pu + q'u  subject to  A u >= c  and  E u = e; `variables` names the entries of u."""

    P: Array
    q: Array
    A: Array
    c: Array
    E: Array
    e: Array
    variables: tuple[str, ...]

    def __post_init__(self) -> None:
        make_read_only(tuple(vars(self).values()))

    def __repr__(self) -> str:
        return short_repr(self, variables=len(self.q), inequalities=len(self.c), equations=len(self.e))
