"""On a line, a point that is left out gets the class of its nearest neighbour, as the widest gap demands."""

from fractions import Fraction


def answer(question):
    given = question.given
    if "m" in given:
        idle = given["m"] - given["free"] - given["at_bound"]
        return (1 - Fraction(idle, given["m"]),)
    points = [(int(x), y) for y, name in ((-1, "minus"), (1, "plus")) for x in given[name].split(", ")]
    errors = 0
    for x, y in points:
        others = [(abs(x - u), v) for u, v in points if u != x]
        errors += min(others)[1] != y
    pairs = {(abs(x - u), frozenset((x, u))) for x, y in points for u, v in points if y != v}
    return Fraction(len(min(pairs, key=lambda pair: pair[0])[1]), len(points)), Fraction(errors, len(points))
