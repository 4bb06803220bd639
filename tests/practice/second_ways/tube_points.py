"""The tube as an interval for each target, and the smallest tube by trying all quarters."""

from fractions import Fraction


def _numbers(text):
    return [Fraction(part) for part in text.split(",\\; ")]


def answer(question):
    given = question.given
    if "targets" in given:
        targets = _numbers(given["targets"])
        levels = [Fraction(n, 4) for n in range(-40, 41)]
        eps, level = min((max(abs(t - b) for t in targets), b) for b in levels)
        return eps, level
    eps = Fraction(str(given["eps"]))
    if "residuals" in given:
        residuals = _numbers(given["residuals"])
        inside = [r for r in residuals if r - eps < 0 < r + eps]
        return len(inside), len([r for r in residuals if (r - eps) * (r + eps) > 0])
    outside, total = 0, Fraction()
    for i in "1234":
        low = given["w"] * given["x" + i] + given["b"] - eps
        above, below = given["t" + i] - (low + 2 * eps), low - given["t" + i]
        outside += above > 0 or below > 0
        total += max(above, below, 0)
    return outside, total
