"""Turn a pair of parallel lines through a grid of directions and all exact ones, and count the points on them."""

from math import atan2, cos, pi, sin


def answer(question):
    points = question.board.points
    angles = [2 * pi * n / 720 for n in range(720)]
    angles += [atan2(q[1] - p[1], q[0] - p[0]) + pi / 2 for p in points for q in points if p != q]
    most = 0
    for angle in angles:
        plus = [x1 * cos(angle) + x2 * sin(angle) for x1, x2, y in points if y > 0]
        minus = [x1 * cos(angle) + x2 * sin(angle) for x1, x2, y in points if y < 0]
        low, high = min(plus), max(minus)
        if low > high + 1e-9:
            most = max(most, sum(h < low + 1e-9 for h in plus) + sum(h > high - 1e-9 for h in minus))
    return (most + 1,)
