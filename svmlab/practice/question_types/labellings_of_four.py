"""Labellings of four or five points: which change of a class yields a labelling that no line makes."""

from __future__ import annotations

from itertools import combinations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Points, Question, WrongPoints, question_type

Vector = tuple[int, int]


@question_type(N_("Labellings that no line makes"), lesson="generalisation", needs=("generalisation.four",), version=2)
def labellings_of_four(draw: Draw, difficulty: int) -> Question:
    """Return the question for a quadrilateral (1), an inner point or a fifth (2), or any five points (3)."""
    n = 5 if difficulty == 3 else 4 if difficulty == 1 else draw.one_of((4, 5))
    X = [(draw.whole(-5, 5), draw.whole(-5, 5)) for _ in range(n)]
    if difficulty == 2:
        centre = sum(x[0] for x in X[:3]) // 3, sum(x[1] for x in X[:3]) // 3
        X = draw.several_of([*X[: n - 1], centre], n)
    draw.need(all(abs(_turn(a, b, c)) >= 6 for a, b, c in combinations(X, 3)))
    four: list[tuple[int, ...]] = list(combinations(range(n), 4))
    radon = [_radon(X, subset) for subset in four]
    draw.need(n == 5 or (len(radon[0]) == 2) == (difficulty == 1))
    y = [draw.sign() for _ in X]
    draw.need(len(set(y)) == 2 and not _is_impossible(y, four, radon))
    right = frozenset(i + 1 for i in range(n) if _is_impossible(_flipped(y, i), four, radon))
    draw.need(0 < len(right) < n)
    return Question(
        Phrase(
            "A line separates the two classes on the board. The points are {listed}. The discs have the label 1 "
            "(numbers: {plus}), and the squares have the label −1. You give one of the points the other label and "
            "leave the others as they are.",
            listed=", ".join(f"$x_{i} = ({x1}, {x2})$" for i, (x1, x2) in enumerate(X, start=1)),
            plus=", ".join(str(i) for i, label in enumerate(y, start=1) if label > 0),
        ),
        N_("For which of the points is there no separating line after this change?"),
        Points(right, _wrong(right, n)),
        (
            Hint(N_("No line separates the classes if their convex hulls meet, so look for segments that cross.")),
            Hint(N_("The step on the VC dimension of lines shows such labellings."), step="generalisation.four"),
        ),
        (
            *(_reason(i, _flipped(y, i - 1), four, radon) for i in sorted(right)),
            N_("After the change of any other point, a line still separates the classes."),
        ),
        Board(tuple((*x, label) for x, label in zip(X, y, strict=True))),
    )


def _turn(a: Vector, b: Vector, c: Vector) -> int:
    """Return twice the area of a triangle, positive if it is passed counterclockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _radon(X: list[Vector], subset: tuple[int, ...]) -> frozenset[int]:
    """Return one side of the only partition of four points into two sets whose convex hulls meet.

    It has two points, the ends of one diagonal, or one, the inner point. The signs of an affine dependence tell.
    """
    weights = []
    for k in range(4):
        a, b, c = (X[i] for i in subset[:k] + subset[k + 1 :])
        weights.append((-1) ** k * _turn(a, b, c))
    positive = frozenset(i for i, weight in zip(subset, weights, strict=True) if weight > 0)
    return min(positive, frozenset(subset) - positive, key=lambda side: (len(side), min(side)))


def _is_impossible(y: list[int], four: list[tuple[int, ...]], radon: list[frozenset[int]]) -> bool:
    """Return whether no line makes the labelling. By Kirchberger's theorem, four of the points tell."""
    return any(_is_radon(y, subset, side) for subset, side in zip(four, radon, strict=True))


def _is_radon(y: list[int], subset: tuple[int, ...], side: frozenset[int]) -> bool:
    inside, outside = {y[i] for i in side}, {y[i] for i in subset if i not in side}
    return len(inside) == len(outside) == 1 and inside != outside


def _flipped(y: list[int], at: int) -> list[int]:
    return [-label if i == at else label for i, label in enumerate(y)]


def _wrong(right: frozenset[int], n: int) -> tuple[WrongPoints, ...]:
    everything = frozenset(range(1, n + 1))
    reasons = {
        everything: N_("A line still separates the classes after some of these changes."),
        everything - right: N_("For these points a line still separates the classes. You have chosen the opposite."),
    }
    if len(right) > 1:
        for i in right:
            reasons.setdefault(frozenset({i}), N_("This point is right, but it is not the only one."))
    for i in everything - right:
        reasons.setdefault(
            frozenset({i}), N_("A line still separates the classes after this change. Draw it between them.")
        )
    return tuple(WrongPoints(points, why) for points, why in reasons.items())


def _reason(i: int, y: list[int], four: list[tuple[int, ...]], radon: list[frozenset[int]]) -> Phrase:
    subset, side = next((s, r) for s, r in zip(four, radon, strict=True) if _is_radon(y, s, r))
    a, b, c, d = (k + 1 for k in (*sorted(side), *(j for j in subset if j not in side)))
    if len(side) == 1:
        return Phrase(
            "If you change point {i}, point {a} lies in the triangle of {b}, {c} and {d}, which have the other label.",
            i=i, a=a, b=b, c=c, d=d,
        )  # fmt: skip
    return Phrase(
        "If you change point {i}, the segment from {a} to {b} crosses the one from {c} to {d}, which have the other "
        "label.",
        i=i, a=a, b=b, c=c, d=d,
    )  # fmt: skip
