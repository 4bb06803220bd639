"""What G2, G3 and G8 share: all triples of a board's places, their margins and balls, and the second ways to these."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.generalisation import balls, least_margins, margins, swept_margins, triples

MANY = 60  # places of which all triples are taken
SOLVED = 4  # triples whose labellings are solved one by one
MOST = 0.75  # of the radius: the largest margin that shatters three points of a ball
TURN = np.pi * (0.5 + 2.0 * np.arange(3) / 3.0)
EQUILATERAL = np.column_stack([np.cos(TURN), np.sin(TURN)])[None]  # of radius 1


@dataclass(frozen=True, eq=False)
class Threes:
    """Triples T (n, 3, 2), the equilateral one of radius 1 last; their margins and the smallest balls around them,
    radius (n,).
    """

    T: Array
    margin: Array
    radius: Array
    centre: Array

    @property
    def uncovered(self) -> float:
        """How far any ball is from having its triple inside and a corner on its rim; relative."""
        ways = np.hypot(*np.moveaxis(self.T - self.centre[:, None], -1, 0)).max(axis=1)
        return float(np.abs(ways - self.radius).max() / self.radius.max())

    def unsolved(self, rows: Index) -> float:
        """How far the margins of these triples are from trying directions and from the hard margins of all labellings;
        relative to the ball.
        """
        off = 0.0
        for n in rows:
            ways = swept_margins(self.T[n]).min(), margins(self.T[n]).min()
            off = max(off, *(abs(float(way - self.margin[n])) / float(self.radius[n]) for way in ways))
        return off


def threes(P: Array) -> Threes:
    """All triples of the places P (m, 2), and the equilateral one."""
    T = np.concatenate([P[triples(len(P))], EQUILATERAL])
    return Threes(T, least_margins(T), *balls(T))
