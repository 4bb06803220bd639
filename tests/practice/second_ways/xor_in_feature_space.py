"""The KKT conditions of the hard margin as one linear system, with the multipliers looked at afterwards."""

import numpy as np


def answer(question):
    given = question.given
    a, c, y = given["a"], given["c"], given["y"]
    if "name" in given:
        X = [(a, c), (-a, -c), (a, -c), (-a, c)]
    else:
        X = [(0, 0), (a, c), (a, 0), (0, c)]
    squares = "x_1^2" in str(given.get("features"))
    phi = np.array([(u * u, 2**0.5 * u * v, v * v) if squares else (u, v, u * v) for u, v in X], dtype=float)
    labels = np.array([y, y, -y, -y], dtype=float)
    system = np.zeros((5, 5))
    system[:4, :4] = phi @ phi.T
    system[:4, 4] = system[4, :4] = 1
    signed, *_ = np.linalg.lstsq(system, np.append(labels, 0), rcond=None)
    assert np.allclose(system @ signed, np.append(labels, 0))
    assert np.all(signed[:4] * labels > -1e-9)
    w, b = signed[:4] @ phi, signed[4]
    width = 2 / np.linalg.norm(w)
    if "name" not in given:
        return b, *w, width
    return w[1 if squares else 2], width
