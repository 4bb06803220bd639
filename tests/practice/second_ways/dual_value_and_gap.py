"""The double sum over all pairs of points, and the gap as the sum of what each KKT condition misses."""

from fractions import Fraction


def answer(question):
    given = question.given
    names = [i for i in "123" if f"p{i}" in given]
    points = [tuple(Fraction(given[name + i]) for name in ("alpha", "y", "p", "q")) for i in names]
    pairs = sum(a * c * y * z * (p * r + q * s) for a, y, p, q in points for c, z, r, s in points)
    dual = sum(a for a, *_ in points) - pairs / 2
    if "C" not in given:
        return (dual,)
    missed = Fraction()
    for a, y, p, q in points:
        yf = y * (sum(c * z * (p * r + q * s) for c, z, r, s in points) + given["b"])
        missed += a * (yf - 1) if yf >= 1 else (given["C"] - a) * (1 - yf)
    return dual, missed
