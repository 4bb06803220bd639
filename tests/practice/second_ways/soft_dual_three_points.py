"""Ascent of the dual objective in pairs of multipliers of different classes, from 0 until nothing changes."""

from math import inf


def answer(question):
    given = question.given
    X = [(given["p" + i], given["q" + i]) for i in "123"]
    y, C = (given["y"], given["z"], given["z"]), given.get("C", inf)
    K = [[u[0] * v[0] + u[1] * v[1] for v in X] for u in X]
    alpha = [0.0, 0.0, 0.0]
    change = 1.0
    while change > 1e-11:
        change = 0.0
        for i, j in ((0, 1), (0, 2), (1, 2)):
            same = y[i] == y[j]  # then one grows as the other falls
            slope_i, slope_j = (1 - y[k] * sum(alpha[n] * y[n] * K[n][k] for n in range(3)) for k in (i, j))
            direction = -1 if same else 1
            step = (slope_i + direction * slope_j) / (K[i][i] + K[j][j] - 2 * K[i][j])
            low, high = -alpha[i], C - alpha[i]
            others = (-alpha[j], C - alpha[j]) if not same else (alpha[j] - C, alpha[j])
            step = min(max(step, low, others[0]), high, others[1])
            alpha[i] += step
            alpha[j] += direction * step
            change = max(change, abs(step))
    return tuple(alpha)
