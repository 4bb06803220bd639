"""Pairwise: class j beats class k where the difference of their functions is positive; the winner beats both others."""


def answer(question):
    given = question.given

    def beats(j, k):
        v, w, b = (given[f"{name}{j}"] - given[f"{name}{k}"] for name in "vwb")
        return v * given["u1"] + w * given["u2"] + b > 0

    (winner,) = (j for j in (1, 2, 3) if all(beats(j, k) for k in (1, 2, 3) if k != j))
    return f"Class {winner}"
