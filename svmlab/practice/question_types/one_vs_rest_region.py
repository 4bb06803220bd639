"""The class that one-vs-rest predicts where no classifier, or more than one, claims the point."""

from __future__ import annotations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Question, in_order, question_type

MAX_F = 15


@question_type(N_("Class predicted by one-vs-rest"), lesson="extensions", needs=("extensions.rest",), version=2)
def one_vs_rest_region(draw: Draw, difficulty: int) -> Question:
    """Return the question for a point that no class claims (1), that two claim (2), or where the norms mislead (3)."""
    reach = 3 if difficulty == 1 else 4
    u = (draw.whole(-reach, reach), draw.whole(-reach, reach))
    planes = [
        (draw.whole(-reach, reach), draw.whole(-reach, reach), draw.whole(-2 * reach, 2 * reach, excluded=(0,)))
        for _ in range(3)
    ]
    draw.need(all((w1, w2) != (0, 0) for w1, w2, _b in planes))
    f = [w1 * u[0] + w2 * u[1] + b for w1, w2, b in planes]
    claims = sum(value > 0 for value in f)
    draw.need(
        len({abs(value) for value in f}) == 3 and min(map(abs, f)) > 0 and u != (0, 0) and max(map(abs, f)) <= MAX_F
    )
    wanted = (0,) if difficulty == 1 else (2,) if difficulty == 2 else (0, 2)
    draw.need(claims in wanted)
    largest = f.index(max(f))
    # The square of the distance f/|w|, with its sign.
    signed = [value * abs(value) / (w1 * w1 + w2 * w2) for value, (w1, w2, _b) in zip(f, planes, strict=True)]
    draw.need(len(set(signed)) == 3)
    farthest = signed.index(max(signed))
    draw.need(difficulty < 3 or farthest != largest)
    claimed = (
        N_("No class claims the point, because all values are negative. The rule still compares them.")
        if claims == 0
        else N_("Two classes claim the point, because two values are positive. The rule then compares the values.")
    )
    options: list[tuple[str, str]] = [
        (_name(k), _why(k, f, farthest if difficulty == 3 else -1, largest)) for k in range(3)
    ]
    options.append((N_("No class, because the rule gives no answer here"), claimed))
    given = {f"{name}{k}": value for k in (1, 2, 3) for name, value in zip("vwb", planes[k - 1], strict=True)}
    return Question(
        Phrase(
            "One-vs-rest has trained three SVMs, one for each class against the rest. They are "
            "$f_1(x) = \\langle ({v1}, {w1}), x\\rangle {b1:+d}$, "
            "$f_2(x) = \\langle ({v2}, {w2}), x\\rangle {b2:+d}$ "
            "and $f_3(x) = \\langle ({v3}, {w3}), x\\rangle {b3:+d}$. The class with the largest value is predicted.",
            **given,
        ),
        Phrase("Which class does one-vs-rest predict for the point $u = ({u1}, {u2})$?", u1=u[0], u2=u[1]),
        in_order(_name(largest), *options),
        (
            Hint(
                N_("Compute all three values at u. Signs tell which classes claim it, but the largest value decides.")
            ),
            Hint(N_("The step on one-vs-rest shows the three decision functions."), step="extensions.rest"),
        ),
        (
            Phrase("$f_1(u) = {f1}$, $f_2(u) = {f2}$ and $f_3(u) = {f3}$", f1=f[0], f2=f[1], f3=f[2]),
            claimed,
            Phrase("The largest value is ${value}$, so the prediction is class {k}.", value=max(f), k=largest + 1),
        ),
    )


def _name(k: int) -> Phrase:
    return Phrase("Class {k}", k=k + 1)


def _why(k: int, f: list[int], farthest: int, largest: int) -> str:
    """Return what a person overlooks who chooses class k."""
    if k == farthest:
        return N_("You compared the distances f/‖w‖. The rule compares the values of f themselves.")
    if abs(f[k]) == max(map(abs, f)) and f[k] < 0:
        return N_("You compared absolute values. This value is negative, so the class rejects the point most clearly.")
    if f[k] > 0:
        return N_("This class claims the point with a positive value, but another class has a larger one.")
    return Phrase(
        "The value of this class is ${value}$, and that of class {best} is larger, namely ${top}$.",
        value=f[k],
        best=largest + 1,
        top=f[largest],
    )
