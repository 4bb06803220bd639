"""Support vector regression: which points are outside the ε-insensitive tube, and what its width does."""

from __future__ import annotations

from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type


@question_type(
    N_("Points of the ε-insensitive tube"),
    lesson="extensions",
    needs={1: ("extensions.tube",), 2: ("extensions.edge",), 3: ("extensions.flat",)},
    version=2,
)
def tube_points(draw: Draw, difficulty: int) -> Question:
    """Return the question for the loss of a line (1), the multipliers from residuals (2), or a constant fit (3)."""
    return (_loss, _multipliers, _constant)[difficulty - 1](draw)


def _loss(draw: Draw) -> Question:
    w, b, eps = draw.whole(-3, 3, excluded=(-1, 0, 1)), draw.whole(-3, 3, excluded=(0,)), draw.whole(1, 3)
    xs = sorted(draw.several_of(range(-3, 4), 4))
    residuals = [draw.whole(-6, 6) for _ in xs]
    losses = [max(0, abs(r) - eps) for r in residuals]
    outside, total = sum(loss > 0 for loss in losses), sum(losses)
    draw.need(0 < outside < 4 and any(r < -eps for r in residuals) and all(abs(r) != eps for r in residuals))
    positive = sum(r - eps for r in residuals if r > eps)
    given = {f"x{i}": x for i, x in enumerate(xs, start=1)}
    given |= {f"t{i}": w * x + b + r for i, (x, r) in enumerate(zip(xs, residuals, strict=True), start=1)}
    return Question(
        Phrase(
            "A regression line is $f(x) = {w}x {b:+d}$, and the tube has $\\varepsilon = {eps}$. The training points "
            "$(x, y)$ are $({x1}, {t1})$, $({x2}, {t2})$, $({x3}, {t3})$ and $({x4}, {t4})$.",
            w=w,
            b=b,
            eps=eps,
            **given,
        ),
        N_("How many points are outside the tube, and what is the sum of their ε-insensitive losses?"),
        Numbers(
            (
                Number(
                    N_("points outside"),
                    outside,
                    _different(
                        outside,
                        (4 - outside, N_("These are the points inside the tube. Their loss is 0.")),
                        (
                            sum(r > eps for r in residuals),
                            N_("You counted the points above the tube only. Those below it are outside too."),
                        ),
                        (
                            sum(r != 0 for r in residuals),
                            N_("These points are not on the line. Inside the tube they still have no loss."),
                        ),
                    ),
                    whole=True,
                ),
                Number(
                    N_("sum of losses"),
                    total,
                    _different(
                        total,
                        (
                            sum(map(abs, residuals)),
                            N_("This is the sum of the absolute residuals. The loss is what exceeds ε."),
                        ),
                        (
                            sum(abs(r) for r in residuals if abs(r) > eps),
                            N_("You did not subtract ε. The loss of a point outside is |y − f(x)| − ε."),
                        ),
                        (positive, N_("A point below the tube has a loss too. Use the absolute residual.")),
                        (
                            sum(loss * loss for loss in losses),
                            N_("You squared the losses. The ε-insensitive loss is linear outside the tube."),
                        ),
                    ),
                ),
            )
        ),
        (
            Hint(N_("Compute the residual y − f(x) of each point, and compare its absolute value with ε.")),
            Hint(N_("The step on the tube shows which points have a loss."), step="extensions.tube"),
        ),
        (
            Phrase("The residuals are ${residuals}$.", residuals=_listed(residuals)),
            Phrase("The losses are ${losses}$, with the sum ${total}$.", losses=_listed(losses), total=total),
        ),
    )


def _multipliers(draw: Draw) -> Question:
    eps = Fraction(draw.whole(2, 8), 10)
    inside, above, below, edge = draw.whole(1, 4), draw.whole(0, 2), draw.whole(1, 2), draw.whole(1, 2)
    draw.need(abs(above - below) <= 1)
    sizes = [eps * Fraction(draw.whole(0, 9), 10) for _ in range(inside)]
    residuals = [draw.sign() * size for size in sizes] + [draw.sign() * eps for _ in range(edge - 1)]
    # With a bias the multipliers above and below f have equal sums, so a point on the edge balances the others.
    residuals.append(draw.sign() * eps if above == below else eps if above < below else -eps)
    residuals += [s * eps + s * Fraction(draw.whole(1, 9), 10) for s in (1,) * above + (-1,) * below]
    residuals = draw.several_of(residuals, len(residuals))
    m, outside = len(residuals), above + below
    draw.need(inside != outside or draw.whole(1, 8) == 1)
    return Question(
        Phrase(
            "Support vector regression with $\\varepsilon = {eps:g}$ was trained on {m} points. Their residuals "
            "$y_i - f(x_i)$ are ${residuals}$. Each point has two multipliers, one for the upper edge "
            "of the tube and one for the lower edge. At least one of the two is 0.",
            eps=float(eps),
            m=m,
            residuals=_listed([float(r) for r in residuals]),
        ),
        N_(
            "For how many points does the residual alone prove that both multipliers are 0, and for how many that one "
            "of them is C?"
        ),
        Numbers(
            (
                Number(
                    N_("points with both 0"),
                    inside,
                    _different(
                        inside,
                        (
                            inside + edge,
                            N_("Points on the edge of the tube can be support vectors. Count those inside."),
                        ),
                        (outside, N_("These points are outside the tube, so one of their multipliers is C.")),
                        (
                            sum(r == 0 for r in residuals),
                            N_("All points inside the tube count, not only those with the residual 0."),
                        ),
                        (
                            m,
                            N_("Points outside the tube have a positive multiplier. On the edge it is possible."),
                        ),
                    ),
                    whole=True,
                ),
                Number(
                    N_("points with one C"),
                    outside,
                    _different(
                        outside,
                        (outside + edge, N_("On the edge of the tube a multiplier can have any value from 0 to C.")),
                        (above, N_("Points below the tube count too, because the tube has two edges.")),
                        (inside, N_("These points are inside the tube, so both of their multipliers are 0.")),
                        (0, N_("Points outside the tube have slack, so one of their multipliers is C.")),
                    ),
                    whole=True,
                ),
            )
        ),
        (
            Hint(
                N_("Compare the absolute residuals with ε. There are three cases: below ε, equal to it and above it.")
            ),
            Hint(N_("The step on the support vectors of the tube shows the three cases."), step="extensions.edge"),
        ),
        (
            Phrase(
                "Where the absolute residual is below ε, both multipliers are 0. The number of these points is {n}.",
                n=inside,
            ),
            Phrase("Where it is above ε, one multiplier is C. The number of these points is {n}.", n=outside),
            Phrase(
                "Where it is ε, a multiplier can be any number from 0 to C. The number of these points is {n}.",
                n=edge,
            ),
        ),
    )


def _constant(draw: Draw) -> Question:
    targets = [draw.whole(-9, 9) for _ in range(5)]
    low, high = min(targets), max(targets)
    mean = Fraction(sum(targets), 5)
    draw.need(high - low >= 3 and len(set(targets)) == 5)
    eps, level = (high - low) / 2, (high + low) / 2
    return Question(
        Phrase(
            "The targets $y_i$ of five training points are ${targets}$. Support vector regression minimises "
            "$\\tfrac12\\|w\\|^2 + C\\sum_i \\max(0, |y_i - f(x_i)| - \\varepsilon)$. If ε is large enough, a "
            "constant $f(x) = b$ has the objective value 0.",
            targets=_listed(targets),
        ),
        N_("What is the smallest such ε, and which constant b belongs to it?"),
        Numbers(
            (
                Number(
                    "$\\varepsilon$",
                    eps,
                    _different(
                        eps,
                        (high - low, N_("This is the width of the whole tube. It extends by ε on both sides of f.")),
                        (
                            float(max(abs(t - mean) for t in targets)),
                            N_("This is enough for the mean as the constant. Another constant needs a smaller ε."),
                        ),
                        (max(abs(low), abs(high)), N_("This is enough for b = 0. The bias b can be chosen better.")),
                    ),
                ),
                Number(
                    "$b$",
                    level,
                    _different(
                        level,
                        (
                            float(mean),
                            N_("This is the mean, which least squares yields. Only the extreme targets count."),
                        ),
                        (sorted(targets)[2], N_("This is the median. Only the largest and the smallest target count.")),
                        (0, N_("The bias is free, so the constant does not have to be 0.")),
                    ),
                ),
            )
        ),
        (
            Hint(N_("The tube around a constant is a strip of width 2ε. How wide must it be to contain all targets?")),
            Hint(N_("The step on tube width and support vectors changes ε."), step="extensions.flat"),
        ),
        (
            Phrase(
                "The targets lie between ${low}$ and ${high}$, so $2\\varepsilon \\ge {span}$.",
                low=low,
                high=high,
                span=high - low,
            ),
            Phrase(
                "$\\varepsilon = {eps:g}$, and the constant in the middle is $b = {level:g}$.", eps=eps, level=level
            ),
        ),
    )


def _listed(values: list[float] | list[int]) -> str:
    return ",\\; ".join(f"{value:g}" for value in values)


def _different(right: float, *candidates: tuple[float, str]) -> tuple[Mistake, ...]:
    """Return the mistakes whose numbers differ clearly from the right one and from each other."""
    kept: list[Mistake] = []
    for value, why in candidates:
        if all(abs(value - other) > 0.03 * max(abs(other), 1) for other in (right, *(each.value for each in kept))):
            kept.append(Mistake(value, why))
    return tuple(kept)
