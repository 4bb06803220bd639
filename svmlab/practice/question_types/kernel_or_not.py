"""Whether a polynomial of xz is a kernel, and two points whose Gram matrix refutes it."""

from __future__ import annotations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Choice, Option, Question, in_order, question_type
from svmlab.practice.tex import root

YES = N_("It is a kernel.")
NEGATIVE = N_("It is not a kernel, because k(x, x) is negative for some x.")
INDEFINITE = N_("It is not a kernel, although k(x, x) is nowhere negative.")
HINTS = (
    Hint(N_("A kernel is an inner product of features. So no vector v may give a negative sum of vᵢ vⱼ k(xᵢ, xⱼ).")),
    Hint(N_("The statement on positive semidefinite kernels explains the test."), statement="K4"),
)


@question_type(N_("Kernel or not"), lesson="kernels", needs=("K4",), difficulties=(1, 2), version=2)
def kernel_or_not(draw: Draw, difficulty: int) -> Question:
    """Return the question for a proof or a kind of failure (1), or for the points that are a counterexample (2)."""
    if difficulty == 2:
        return _pairs(draw)
    wanted = draw.one_of((YES, NEGATIVE, INDEFINITE))
    a, b, c = (
        draw.whole(-4, 6, excluded=(-1, 0, 1)),
        draw.whole(-9, 9, excluded=(-1, 0, 1)),
        draw.whole(-4, 6, excluded=(0,)),
    )
    # k(x, x) = a t² + b t + c with t = x² >= 0, and its smallest value for a > 0 and b < 0 is c - b²/(4a)
    if min(a, b, c) > 0:
        right = YES
    elif a < 0 or c < 0:
        right = NEGATIVE
    else:
        lowest = c - b * b / (4 * a)
        draw.need(abs(lowest) >= 0.5)
        right = NEGATIVE if lowest < 0 else INDEFINITE
    draw.need(right == wanted)
    if right == YES:
        lines: tuple[str, ...] = (
            N_("All three coefficients are positive, so $k$ is the inner product of these features."),
            Phrase("The features are ${a}\\,x^2$, ${b}\\,x$ and ${c}$.", a=root(1, a), b=root(1, b), c=root(1, c)),
        )
    elif right == NEGATIVE:
        # with c > 0 and a < 0, the first whole x with a negative value shows it
        whole = 0 if c < 0 else next(x for x in range(1, 11) if a * x**4 + b * x * x + c < 0) if a < 0 else None
        x, t = (f"\\sqrt{{{-b}/{2 * a}}}", -b / (2 * a)) if whole is None else (str(whole), whole**2)
        lines = (
            N_("A kernel has $k(x, x) = \\|\\varphi(x)\\|^2$, which is nowhere negative."),
            Phrase("At $x = {x}$ the value is $k(x, x) = {value:.4g}$.", x=x, value=a * t * t + b * t + c),
        )
    else:
        lines = (
            Phrase("On the diagonal, $k(x, x) = {a}x^4 - {less}x^2 + {c}$ is nowhere negative.", a=a, less=-b, c=c),
            Phrase(
                "For the points $1$ and $-1$ and $v = (1, -1)$, the sum is $4b = {value}$. So $k$ is not a kernel.",
                value=4 * b,
            ),
        )
    # each sentence is shown only where its option is wrong
    why_yes = (
        N_("Some k(x, x) is negative, but an inner product of a feature vector with itself is at least 0.")
        if right == NEGATIVE
        else N_("The function is symmetric, but that is not enough. Look at the Gram matrix of the points 1 and −1.")
    )
    why_negative = N_("On the diagonal this function is a polynomial in x² that is nowhere negative.")
    why_indefinite = (
        N_("All three terms are kernels with positive coefficients, and a sum of kernels is a kernel.")
        if right == YES
        else N_("It is not a kernel, but already the diagonal shows this. Look for an x with negative k(x, x).")
    )
    return Question(
        Phrase(
            "For real numbers $x$ and $z$, let $k(x, z) = a\\,(xz)^2 + b\\,xz + c$ with $a = {a}$, $b = {b}$ "
            "and $c = {c}$.",
            a=a,
            b=b,
            c=c,
        ),
        N_("Is this function a kernel on the real numbers?"),
        in_order(right, (YES, why_yes), (NEGATIVE, why_negative), (INDEFINITE, why_indefinite)),
        HINTS,
        lines,
    )


def _pairs(draw: Draw) -> Question:
    a, b, c = draw.whole(2, 5), -draw.whole(2, 9), draw.whole(1, 9)
    draw.need(c - b * b / (4 * a) >= 0.5)

    def entries(x: int, z: int) -> tuple[int, int, int]:
        return tuple(a * s * s + b * s + c for s in (x * x, x * z, z * z))  # type: ignore[return-value]

    pairs = [(x, z) for x in range(-3, 4) for z in range(x + 1, 4)]
    determinant = {}
    for x, z in pairs:
        first, mixed, last = entries(x, z)
        determinant[x, z] = first * last - mixed * mixed
    refuting = [pair for pair in pairs if determinant[pair] < 0]
    others = [pair for pair in pairs if determinant[pair] > 0]
    draw.need(bool(refuting))
    chosen = draw.one_of(refuting)
    options = [Option(_words(chosen))]
    # x and −x have the same Gram matrix, so the same entries come only once
    by_entries: dict[tuple[int, ...], tuple[int, int]] = {}
    for pair in draw.several_of(others, len(others)):
        first, mixed, last = entries(*pair)
        by_entries.setdefault((min(first, last), mixed, max(first, last)), pair)
    draw.need(len(by_entries) >= 3)
    for pair in list(by_entries.values())[:3]:
        first, mixed, last = entries(*pair)
        why = Phrase(
            "Their Gram matrix has the diagonal entries {first} and {last} and the determinant {value}. "
            "All of them are positive, so it is positive definite.",
            first=first,
            last=last,
            value=determinant[pair],
        )
        options.append(Option(_words(pair), why))
    first, mixed, last = entries(*chosen)
    return Question(
        Phrase(
            "For real numbers $x$ and $z$, let $k(x, z) = a\\,(xz)^2 + b\\,xz + c$ with $a = {a}$, $b = {b}$ "
            "and $c = {c}$. This function is not a kernel.",
            a=a,
            b=b,
            c=c,
        ),
        N_("Which two points have a Gram matrix that is not positive semidefinite?"),
        Choice(tuple(draw.several_of(options, 4))),
        HINTS,
        (
            N_("A symmetric matrix with two rows and a negative determinant has a negative eigenvalue."),
            Phrase(
                "For $x = {x}$ and $z = {z}$ the entries are $k(x, x) = {first}$, $k(x, z) = {mixed}$ and "
                "$k(z, z) = {last}$.",
                x=chosen[0],
                z=chosen[1],
                first=first,
                mixed=mixed,
                last=last,
            ),
            Phrase("The determinant is ${value}$.", value=determinant[chosen]),
        ),
    )


def _words(pair: tuple[int, int]) -> str:
    return Phrase("The points {x} and {z}", x=str(pair[0]).replace("-", "−"), z=str(pair[1]).replace("-", "−"))
