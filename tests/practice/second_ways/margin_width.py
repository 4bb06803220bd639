"""Two points, one on each margin line, along the normal: their distance in fractions until the last root."""

from fractions import Fraction
from math import sqrt


def answer(question):
    w1, w2 = (Fraction(question.given[name]) for name in ("w1", "w2"))
    low, high = (question.given.get(name) for name in ("low", "high"))
    if low is None:
        low, high = -1 - question.given["b"], 1 - question.given["b"]
    feet = [(Fraction(level) * w1 / (w1**2 + w2**2), Fraction(level) * w2 / (w1**2 + w2**2)) for level in (low, high)]
    (p1, p2), (q1, q2) = feet
    return (sqrt((p1 - q1) ** 2 + (p2 - q2) ** 2),)
