"""The updates of the perceptron until it stops, and Novikoff's bound on their number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import JointMistake, Mistake, Number, Numbers, Question, question_type

Vector = tuple[int, int]
MAX_PASSES = 6


@question_type(N_("Updates of the perceptron"), lesson="margin", needs=("margin.perceptron",), version=2)
def perceptron_mistakes(draw: Draw, difficulty: int) -> Question:
    """Return the question for Novikoff's bound alone (1), the updates and the final w (2), or both counts (3)."""
    X = [(draw.whole(-4, 4), draw.whole(-4, 4)) for _ in range(3)]
    u = (draw.whole(-4, 4, excluded=(0,)), draw.whole(-4, 4, excluded=(0,)))
    y = [1 if _inner(u, x) > 0 else -1 for x in X]
    margins = [label * _inner(u, x) for x, label in zip(X, y, strict=True)]
    draw.need(min(margins) > 0 and len(set(X)) == 3 and len(set(y)) == 2)
    given: dict[str, object] = {
        f"{name}{i}": value for i in (1, 2, 3) for name, value in zip("pqy", (*X[i - 1], y[i - 1]), strict=True)
    }
    longest, smallest = max(_inner(x, x) for x in X), min(margins)
    bound = Fraction(longest * _inner(u, u), smallest**2)
    w, updates, passes = _train(X, y)
    draw.need(passes <= MAX_PASSES and updates >= 2 and (difficulty == 1 or updates != passes))
    bound_line = Phrase(
        "$R^2 = {longest}$, $\\|u\\|^2 = {squared}$ and the smallest $y_i\\langle u, x_i\\rangle$ is ${smallest}$. The "
        "bound is ${longest} \\cdot {squared}/{smallest}^2 = {bound:.4g}$.",
        longest=longest,
        squared=_inner(u, u),
        smallest=smallest,
        bound=float(bound),
    )
    run_lines = (
        *_passes(X, y),
        Phrase(
            "The perceptron makes {updates} updates and ends with $w = ({w1}, {w2})$.",
            updates=updates,
            w1=w[0],
            w2=w[1],
        ),
    )
    of_bound = Number(N_("bound"), float(bound), _bound_mistakes(longest, _inner(u, u), smallest, max(margins)))
    of_run = _run_numbers(X, y, w, updates, passes)
    algorithm = N_(
        "The perceptron without a bias starts at $w = 0$ and goes through the points in this order, again and again. "
        "If $y_i\\langle w, x_i\\rangle \\le 0$, it adds $y_i x_i$ to $w$. It stops after a pass without an update."
    )
    points = Phrase(
        "The training points are $x_1 = ({p1}, {q1})$ with $y_1 = {y1}$, $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$, and "
        "$x_3 = ({p3}, {q3})$ with $y_3 = {y3}$.",
        **given,
    )
    separator = Phrase("The vector $u = ({u1}, {u2})$ separates them without a bias.", u1=u[0], u2=u[1])
    given |= {"points": points}
    if difficulty != 2:
        given |= {"separator": separator, "u1": u[0], "u2": u[1]}
    if difficulty == 1:
        situation = Phrase("{points} {separator}", **given)
        ask: str = N_(
            "Which upper bound does Novikoff's theorem with this $u$ give for the number of updates of the perceptron?"
        )
        fields: tuple[Number, ...] = (of_bound,)
        lines: tuple[Phrase, ...] = (bound_line,)
    elif difficulty == 2:
        situation = Phrase("{points} {algorithm}", algorithm=algorithm, **given)
        ask = N_("How many updates does the perceptron make, and at which w does it stop?")
        fields, lines = of_run, run_lines
    else:
        situation = Phrase("{points} {separator} {algorithm}", algorithm=algorithm, **given)
        ask = N_(
            "How many updates does the perceptron make, and which upper bound does Novikoff's theorem with u give?"
        )
        fields, lines = (of_run[0], of_bound), (*run_lines, bound_line)
    return Question(
        situation,
        ask,
        Numbers(fields, _joint(X, y, w, updates) if difficulty == 2 else ()),
        (
            Hint(
                N_(
                    "Novikoff's bound is $R^2\\|u\\|^2/\\gamma^2$ with the largest norm $R$ of a point and the "
                    "smallest functional margin $\\gamma$ of $u$."
                )
                if difficulty == 1
                else N_("Write down w after each update. At the first point w = 0, so there is always an update.")
            ),
            Hint(N_("The step on the perceptron shows updates and bound."), step="margin.perceptron"),
        ),
        lines,
    )


def _inner(a: Vector, b: Vector) -> int:
    return a[0] * b[0] + a[1] * b[1]


def _train(X: list[Vector], y: list[int]) -> tuple[Vector, int, int]:
    """Return the final w, the number of updates, and that of passes, the last one included."""
    w, updates = (0, 0), 0
    for passes in range(1, MAX_PASSES + 2):
        before = updates
        for x, label in zip(X, y, strict=True):
            if label * _inner(w, x) <= 0:
                w, updates = (w[0] + label * x[0], w[1] + label * x[1]), updates + 1
        if updates == before:
            return w, updates, passes
    return w, updates, MAX_PASSES + 1


def _bound_mistakes(longest: int, squared: int, smallest: int, largest: int) -> tuple[Mistake, ...]:
    candidates = (
        (Fraction(longest, smallest**2), N_("This holds for a u of norm 1 only. Multiply by ‖u‖².")),
        (
            Fraction(longest * squared, largest**2),
            N_("You used the largest functional margin. The point with the smallest one determines the bound."),
        ),
        (
            Fraction(longest * squared, smallest),
            N_("The margin is squared in the denominator. You divided by it only once."),
        ),
    )
    return _different(float(longest * squared / smallest**2), [(float(value), why) for value, why in candidates])


def _run_numbers(X: list[Vector], y: list[int], w: Vector, updates: int, passes: int) -> tuple[Number, ...]:
    first = sum(label * x[0] for x, label in zip(X, y, strict=True))
    second = sum(label * x[1] for x, label in zip(X, y, strict=True))
    counts = [
        (passes, N_("This is the number of passes. Count the points at which w changes.")),
        (3 * passes, N_("You counted all visits of points. Only a visit with y⟨w, x⟩ ≤ 0 changes w.")),
    ]
    once = N_("This is the sum of all y x. Only points with y⟨w, x⟩ ≤ 0 are added, some of them several times.")
    return (
        Number(N_("number of updates"), updates, _different(updates, counts), whole=True),
        Number(N_("first component of w"), w[0], _different(w[0], [(first, once)]), whole=True),
        Number(N_("second component of w"), w[1], _different(w[1], [(second, once)]), whole=True),
    )


def _visits(X: list[Vector], y: list[int]) -> list[tuple[int, int, Vector]]:
    """Return the pass, the number of the point and the new w of each update, in their order."""
    w, updates, last = (0, 0), [], 0
    for n in range(1, MAX_PASSES + 2):
        for i, (x, label) in enumerate(zip(X, y, strict=True), start=1):
            if label * _inner(w, x) <= 0:
                w, last = (w[0] + label * x[0], w[1] + label * x[1]), n
                updates.append((n, i, w))
        if last < n:
            break
    return updates


def _passes(X: list[Vector], y: list[int]) -> list[Phrase]:
    """Return a line for each pass, with the w after each of its updates."""
    visits = _visits(X, y)
    lines = []
    for n in sorted({each[0] for each in visits}):
        updates = "; ".join(f"$x_{i}$: $w = ({w[0]}, {w[1]})$" for pass_, i, w in visits if pass_ == n)
        lines.append(Phrase("Updates in pass {n}, each with the new w: {updates}.", n=n, updates=updates))
    return lines


def _joint(X: list[Vector], y: list[int], w: Vector, updates: int) -> tuple[JointMistake, ...]:
    """Return what updates and both components show together: too few passes, updates of the wrong sign, or w = 0."""
    first = [each for each in _visits(X, y) if each[0] == 1]
    mistakes = [
        JointMistake(
            (None, -w[0], -w[1]), ("", *(N_("The sign of the update is wrong. The perceptron adds y x."),) * 2)
        ),
        JointMistake(
            (updates - 1, w[0], w[1]),
            (N_("The first point also causes an update, because y⟨w, x⟩ = 0 there."), "", ""),
        ),
        JointMistake((None, 0, 0), ("", *(N_("The vector w is 0 only at the start."),) * 2)),
    ]
    if len(first) < updates:
        stopped = N_("You stopped after the first pass. Go on until a pass has no update.")
        mistakes.insert(0, JointMistake((len(first), *first[-1][2]), (stopped,) * 3))
    return tuple(mistakes)


def _different(right: float, candidates: Sequence[tuple[float, str]]) -> tuple[Mistake, ...]:
    """Return the mistakes whose numbers differ clearly from the right one and from each other."""
    kept: list[Mistake] = []
    for value, why in candidates:
        if all(abs(value - other) > 0.03 * max(abs(other), 1) for other in (right, *(each.value for each in kept))):
            kept.append(Mistake(value, why))
    return tuple(kept)
