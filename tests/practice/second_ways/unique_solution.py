"""The objective itself: its minimum by a search in w and the slope in b, and then what a small change of b does."""

import re
from math import sqrt

GOLDEN = (sqrt(5) - 1) / 2


def answer(question):
    given = question.given
    C = given["C"]
    if "p" in given:
        points, half = [(given["p"], -1), (given["q"], 1)], 0.0
    else:
        pairs = re.findall(r"(−?\d+) \(([+−])\)", given["listed"])
        points = [(int(x.replace("−", "-")), 1 if sign == "+" else -1) for x, sign in pairs]
        half = 0.5 if "b^2" in given["objective"] else 0.0

    def objective(w, b):
        return w * w / 2 + half * b * b + C * sum(max(0.0, 1 - y * (w * x + b)) for x, y in points)

    def best_b(w):
        ends = [y - w * x for x, y in points]  # between them the objective is linear, or a parabola, in b
        vertices = [C * n for n in range(-len(points), len(points) + 1)] if half else []
        return min(ends + vertices, key=lambda b: objective(w, b))

    low, high = -4.0, 4.0
    for _ in range(38):
        a, c = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, c) if objective(a, best_b(a)) < objective(c, best_b(c)) else (a, high)
    w = (low + high) / 2
    minimum = objective(w, best_b(w))
    if "p" in given:
        optimal = [b for b in (y - w * x for x, y in points) if objective(w, b) < minimum + 1e-9]
        return w, min(optimal), max(optimal)
    b = best_b(w)
    rises = all(objective(w, b + step) > minimum + 1e-7 for step in (-0.02, 0.02))
    return "Both w and b are unique" if rises else "w is unique, but b is not"
