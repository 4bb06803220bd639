"""All directions in which the order of the projected points differs: a line is orthogonal to one of them or to none."""

from fractions import Fraction
from itertools import permutations


def _separable(rows):
    for (p, q, _), (r, s, _) in permutations(rows, 2):
        for tilt in (Fraction(1, 1000), Fraction(-1, 1000)):
            along = (s - q) + tilt * (r - p), -(r - p) + tilt * (s - q)
            values = [(along[0] * a + along[1] * b, y) for a, b, y in rows]
            if max((v for v, y in values if y < 0), default=-1e9) < min((v for v, y in values if y > 0), default=1e9):
                return True
    return False


def answer(question):
    rows = [(Fraction(p), Fraction(q), y) for p, q, y in question.board.points]
    numbers = set()
    for i, (p, q, y) in enumerate(rows):
        changed = [*rows[:i], (p, q, -y), *rows[i + 1 :]]
        if not _separable(changed):
            numbers.add(i + 1)
    return numbers
