"""The board is symmetric about the first axis, so w has one component: a search for it, with the best b for each."""

from collections import Counter
from math import sqrt


def fit(points, C):
    """w1 and b of the smallest w1²/2 + C · sum of slacks, by sections of an interval, for labels that fall with x1."""

    weights = Counter(points)

    def best(w):
        breaks = [y - w * x for x, y in weights]  # the objective is piecewise linear in b
        return min(
            (w * w / 2 + C * sum(n * max(0.0, 1 - y * (w * x + b)) for (x, y), n in weights.items()), b) for b in breaks
        )

    low, high, golden = -3.0, 3.0, (sqrt(5) - 1) / 2
    for _ in range(42):
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if best(a) < best(b) else (a, high)
    w = (low + high) / 2
    return w, best(w)[1]


def answer(question):
    given = question.given
    points = [(x1, y) for x1, _x2, y in question.board.points]
    (v, a), (w, b) = (fit(points, given[name]) for name in ("small", "large"))
    if "correctly" not in question.ask:
        if abs(abs(v) - abs(w)) < 1e-3 * abs(w):
            return "same width"
        return "narrower" if abs(v) < abs(w) else "wider"
    x, y = points[given["number"] - 1]
    small, large = y * (v * x + a) > 0, y * (w * x + b) > 0
    if small == large:
        return "Both boundaries classify" if small else "Both boundaries misclassify"
    return "Only the boundary at the large C" if large else "Only the boundary at the small C"
