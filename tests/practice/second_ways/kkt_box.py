"""A multiplier maximises α(1 - y f) over the box, so a grid of both shows which of them belong together."""


def best(margin, C, steps=20):
    """The multipliers of a grid that maximise the Lagrangian for a functional margin."""
    grid = [C * n / steps for n in range(steps + 1)]
    most = max(a * (1 - margin) for a in grid)
    return [a for a in grid if a * (1 - margin) > most - 1e-12]


def answer(question):
    given = question.given
    C = given["C"]
    if "alpha" in given:
        possible = {m for m in (0.5, 1, 1.5) if any(abs(a - given["alpha"]) < 1e-9 for a in best(m, C))}
        return {1: "exactly 1", 1.5: "at least 1", 0.5: "at most 1"}[next((m for m in possible if m != 1), 1)]
    if "x1" in given:
        margin = given["y"] * (given["w1"] * given["x1"] + given["w2"] * given["x2"] + given["b"])
        (alpha,) = best(margin, C)
        return alpha, next(n for n in range(100) if margin + n >= 1)
    labels = [given["y" + i] for i in "12345"]
    known = [given["a" + i] for i in "1234"]
    (last,) = (a for a in range(C + 1) if sum(y * v for y, v in zip(labels, [*known, a], strict=True)) == 0)
    certain = 0
    for a in (*known, last):
        certain += {m for m in (0.5, 1, 1.5) if any(abs(v - a) < 1e-9 for v in best(m, C, 20 * C))} == {1}
    return last, certain
