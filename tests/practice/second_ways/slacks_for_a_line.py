"""The smallest number on a fine grid with which the constraint y f + xi >= 1 holds."""


def answer(question):
    given = question.given
    w1, w2, b = (given[name] for name in ("w1", "w2", "b"))
    slacks = []
    for i in ("1", "2", "3"):
        f = w1 * given["p" + i] + w2 * given["q" + i] + b
        slacks.append(next(n / 4 for n in range(200) if given["y" + i] * f + n / 4 >= 1))
    if "C" not in given:
        return tuple(slacks)
    return (*slacks, (w1 * w1 + w2 * w2) / 2 + sum(given["C"] * xi for xi in slacks))
