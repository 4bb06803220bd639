"""Differences of the objective and of the constraints at unit vectors, which are exact for a quadratic program."""


def answer(question):
    given = question.given
    if "p1" not in given:

        def excess(w1, w2, b):  # is at most 0 where the constraint holds
            return 1 - given["y"] * (w1 * given["x1"] + w2 * given["x2"] + b)

        at_zero = excess(0, 0, 0)
        return (*(excess(*(int(i == j) for i in range(3))) - at_zero for j in range(3)), -at_zero)

    def negative_dual(a1, a2):
        w = [given["y1"] * a1 * given[n + "1"] + given["y2"] * a2 * given[n + "2"] for n in "pq"]
        return (w[0] ** 2 + w[1] ** 2) / 2 - a1 - a2

    mixed = negative_dual(1, 1) - negative_dual(1, 0) - negative_dual(0, 1)
    square = negative_dual(1, 0) + negative_dual(-1, 0)
    linear = (negative_dual(1, 0) - negative_dual(-1, 0)) / 2
    if "C" in given:
        bounds = [a for a in range(-50, 51) if 0 <= a <= given["C"]]
        return mixed, linear, max(-a for a in bounds), max(bounds)
    return square, mixed, linear
