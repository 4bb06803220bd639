"""The run update by update with w itself, and the counts by trying all pairs."""

from fractions import Fraction


def answer(question):
    given = question.given
    lam = Fraction(str(given["lam"]))
    if "t" in given:
        t = given["t"]
        (u, v), target = [[given[f"y{i}"] * given[name + str(i)] for name in "pq"] for i in (1, 2)], None
        target = [given["w1"], given["w2"]]
        fitting = [
            (a, b)
            for a in range(t + 1)
            for b in range(t + 1 - a)
            if all((a * u[j] + b * v[j]) / (lam * t) == target[j] for j in (0, 1))
        ]
        assert len(fitting) == 1, fitting
        return fitting[0]
    w, violating = [Fraction(0), Fraction(0)], []
    for s in (1, 2, 3, 4):
        x, y, eta = (given[f"p{s}"], given[f"q{s}"]), given[f"y{s}"], 1 / (lam * s)
        is_violated = y * (w[0] * x[0] + w[1] * x[1]) < 1
        w = [(1 - eta * lam) * a + (eta * y * b if is_violated else 0) for a, b in zip(w, x, strict=True)]
        violating += [str(s)] * is_violated
    stated = given["violations"]
    assert not stated or stated.values["steps"] == ", ".join(violating)
    return tuple(map(float, w))
