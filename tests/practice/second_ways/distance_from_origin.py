"""The height of a triangle: the point, and two points of the line."""

from math import dist


def answer(question):
    w1, w2, b = (question.given[name] for name in ("w1", "w2", "b"))
    u = question.given.get("u1", 0), question.given.get("u2", 0)
    p, q = (0.0, -b / w2), (1.0, -(b + w1) / w2)
    area = abs((p[0] - u[0]) * (q[1] - u[1]) - (q[0] - u[0]) * (p[1] - u[1]))
    return (area / dist(p, q),)
