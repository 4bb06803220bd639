"""Bisection for the position at which y f is large enough, or the two conditions as a linear system."""

import numpy as np


def answer(question):
    given = question.given
    w, b, y = (given["w1"], given["w2"]), given["b"], given["y"]
    if "distance" in given:
        # <w, x> = y distance ||w|| - b, and x - q has no component along the boundary
        across = np.array([-w[1], w[0]])
        right = [y * given["distance"] * np.hypot(*w) - b, across @ (given["q1"], given["q2"])]
        return tuple(np.linalg.solve([w, across], right))
    target = float(given["target"])
    margin = 1 - target if "xi" in question.ask else target
    low, high = -50.0, 50.0
    rises = y * w[1] > 0
    for _ in range(60):
        middle = (low + high) / 2
        above = y * (w[0] * given["p"] + w[1] * middle + b) > margin
        low, high = (low, middle) if above == rises else (middle, high)
    return (low,)
