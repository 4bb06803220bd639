"""What G2, G3 and G8 share: all triples of a board's positions, their margins and their smallest balls.

Margins and balls are verified by second methods.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.generalisation import balls, least_margins, margins, swept_margins, triples

MAX_POSITIONS = 60  # positions of which all triples are taken
SOLVED_TRIPLES = 4  # triples whose labellings are solved one by one
LARGEST_MARGIN = 0.75  # in units of the radius: the largest margin that shatters three points of a ball
ANGLES = np.pi * (0.5 + 2.0 * np.arange(3) / 3.0)
EQUILATERAL = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])[None]  # of radius 1


@dataclass(frozen=True, eq=False)
class Triples:
    """Triples T (n, 3, 2), the equilateral one of radius 1 last, with their margins and smallest balls.

    margin (n,): the largest margin that shatters the triple. radius (n,), centre (n, 2): the smallest ball around it.
    """

    T: Array
    margin: Array
    radius: Array
    centre: Array

    @property
    def uncovered(self) -> float:
        """Return how far any ball is from containing its triple with a corner on its boundary; relative."""
        distances = np.hypot(*np.moveaxis(self.T - self.centre[:, None], -1, 0)).max(axis=1)
        return float(np.abs(distances - self.radius).max() / self.radius.max())

    def unsolved(self, rows: Index) -> float:
        """Return how far the margins of these triples differ from two other methods, relative to the ball.

        The methods try all directions, and solve the hard margins of all labellings.
        """
        difference = 0.0
        for n in rows:
            other_margins = swept_margins(self.T[n]).min(), margins(self.T[n]).min()
            difference = max(
                difference, *(abs(float(other - self.margin[n])) / float(self.radius[n]) for other in other_margins)
            )
        return difference


def all_triples(P: Array) -> Triples:
    """Return all triples of the positions P (m, 2), and the equilateral one."""
    T = np.concatenate([P[triples(len(P))], EQUILATERAL])
    return Triples(T, least_margins(T), *balls(T))
