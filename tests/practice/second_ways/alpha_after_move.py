"""Before and after the move: every set of points as the support vectors, until all KKT conditions hold."""

from itertools import combinations

import numpy as np


def answer(question):
    given = question.given
    X = np.array([row[:2] for row in question.board.points])
    y = np.array([row[2] for row in question.board.points], float)
    before = multipliers(X, y)[given["asked"] - 1]
    X[given["moved"] - 1] = given["to1"], given["to2"]
    after = multipliers(X, y)[given["asked"] - 1]
    if abs(after - before) < 1e-9:
        return "stays the same"
    return "larger" if after > before else "smaller"


def multipliers(X, y):
    Q = np.outer(y, y) * (X @ X.T)
    for size in (2, 3):
        for chosen in map(list, combinations(range(len(y)), size)):
            if abs(y[chosen].sum()) == size:
                continue
            system = np.block([[Q[np.ix_(chosen, chosen)], y[chosen, None]], [y[chosen], 0.0]])
            if abs(np.linalg.det(system)) < 1e-9:
                continue
            solved = np.linalg.solve(system, [1.0] * size + [0.0])
            alpha = np.zeros(len(y))
            alpha[chosen] = solved[:-1]
            if (alpha >= 0).all() and (Q @ alpha + solved[-1] * y >= 1 - 1e-9).all():
                return alpha
    raise AssertionError("no set fulfils the KKT conditions")
