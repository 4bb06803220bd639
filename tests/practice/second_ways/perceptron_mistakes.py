"""The perceptron in its dual form, which counts the updates of each point, and the bound from angles and norms."""

from math import acos, cos, hypot


def answer(question):
    given = question.given
    points = [(given[f"p{i}"], given[f"q{i}"], given[f"y{i}"]) for i in (1, 2, 3)]
    counts, open_points = [0, 0, 0], True
    while open_points:
        open_points = False
        for p, q, y in points:
            f = sum(n * t * (a * p + b * q) for n, (a, b, t) in zip(counts, points, strict=True))
            if y * f <= 0:
                counts[points.index((p, q, y))] += 1
                open_points = True
    updates = (sum(counts),)
    rows = list(zip(counts, points, strict=True))
    w = sum(n * y * p for n, (p, _q, y) in rows), sum(n * y * q for n, (_p, q, y) in rows)
    if "u1" not in given:
        return updates + w
    u = given["u1"], given["u2"]
    norms = [hypot(p, q) for p, q, _y in points]
    angles = [
        acos(min(1, y * (u[0] * p + u[1] * q) / hypot(*u) / norm))
        for (p, q, y), norm in zip(points, norms, strict=True)
    ]
    gamma = min(norm * cos(angle) for norm, angle in zip(norms, angles, strict=True))
    bound = ((max(norms) / gamma) ** 2,)
    return bound if "algorithm" not in given else updates + bound
