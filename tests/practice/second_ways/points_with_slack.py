"""Where a point lies, by the crossing of the line with the way to a far point of its own class."""

from fractions import Fraction


def answer(question):
    given = question.given
    w1, w2, b = (Fraction(given[name]) for name in ("w1", "w2", "b"))
    numbers = set()
    for number, (x1, x2, y) in enumerate(question.board.points, start=1):
        x = Fraction(x1), Fraction(x2)
        # x + t y w lies on the margin line of the class of x at t = xi / |w|^2, and on f = 0 at t = (xi - 1) / |w|^2
        at = [(Fraction(level) - w1 * x[0] - w2 * x[1] - b) / (y * (w1 * w1 + w2 * w2)) for level in (y, 0)]
        beyond_margin, beyond_line = at[0] > 0, at[1] > 0
        wanted = beyond_line if "above 1" in question.ask else beyond_margin and not beyond_line
        if wanted:
            numbers.add(number)
    return numbers
