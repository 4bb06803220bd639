"""The best of all directions, by a search over the angle, and b from the two margin lines."""

from math import cos, pi, sin


def answer(question):
    given = question.given
    rows = [(given[f"p{i}"], given[f"q{i}"], given[f"y{i}"]) for i in (1, 2, 3)]

    def ends(angle):
        u = cos(angle), sin(angle)
        heights = [(u[0] * p + u[1] * q, y) for p, q, y in rows]
        return min(h for h, y in heights if y > 0), max(h for h, y in heights if y < 0)

    def gap(angle):
        low, high = ends(angle)
        return low - high

    best = max((2 * pi * n / 360 for n in range(360)), key=gap)
    left, right = best - 2 * pi / 360, best + 2 * pi / 360
    for _ in range(80):  # the gap has one maximum where it is positive
        a, b = left + (right - left) / 3, right - (right - left) / 3
        left, right = (left, b) if gap(a) > gap(b) else (a, right)
    low, high = ends(left)
    scale = 2 / (low - high)
    return scale * cos(left), scale * sin(left), -scale * (low + high) / 2
