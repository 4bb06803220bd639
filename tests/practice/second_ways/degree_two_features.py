"""The boundary is where both feature vectors are equally far, so f is a difference of squared distances."""

from math import sqrt


def answer(question):
    p, q = question.given["p"], question.given["q"]
    factor = sqrt(2) if "sqrt2" in question.given["features"] else 1.0
    a, c = (factor * p, p * p), (factor * q, q * q)

    def apart(u, v):
        return (u[0] - v[0]) ** 2 + (u[1] - v[1]) ** 2

    def f(u):
        return (apart(u, a) - apart(u, c)) / apart(a, c)

    b = f((0, 0))
    return f((1, 0)) - b, f((0, 1)) - b, b, sqrt(apart(a, c))
