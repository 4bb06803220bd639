"""The points at the two ends of the largest gap, which a search over the angle of the normal vector finds."""

from math import cos, pi, sin


def answer(question):
    rows = list(zip(question.board.ids, question.board.points, strict=True))

    def heights(angle, label):
        return [(cos(angle) * x1 + sin(angle) * x2, id_) for id_, (x1, x2, y) in rows if y == label]

    def gap(angle):
        return min(heights(angle, 1))[0] - max(heights(angle, -1))[0]

    best = max((2 * pi * n / 180 for n in range(180)), key=gap)
    left, right = best - 2 * pi / 180, best + 2 * pi / 180
    for _ in range(50):  # the gap has one maximum where it is positive
        a, b = left + (right - left) / 3, right - (right - left) / 3
        left, right = (left, b) if gap(a) > gap(b) else (a, right)
    low, high = min(heights(left, 1))[0], max(heights(left, -1))[0]
    return {id_ for h, id_ in heights(left, 1) if h < low + 1e-5} | {
        id_ for h, id_ in heights(left, -1) if h > high - 1e-5
    }
