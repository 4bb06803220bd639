"""Which pairs have a name, and what is said of each: its method, or why it has no line on these points (L5)."""

from __future__ import annotations

from svmlab.lab.lessons.losses.recipes import Least
from svmlab.lab.words import N_

PAID = ("squared", "logistic", "hinge", "perceptron")
PRICED = ("R1", "R2", "none")
Pair = tuple[str, str]
PAIRS: tuple[Pair, ...] = tuple((loss, price) for loss in PAID for price in PRICED)
NAMES: tuple[
    tuple[str, str, str, str], ...
] = (  # name, its loss, the first and the last of its regularisers in their order
    (N_("lasso"), "squared", "R1", "R1"),
    (N_("ridge"), "squared", "R2", "R2"),
    (N_("logistic regression"), "logistic", "R2", "none"),
    ("SVM", "hinge", "R2", "R2"),
    (N_("perceptron"), "perceptron", "none", "none"),
)
SAYS: dict[Pair, str] = {
    ("squared", "R1"): N_(
        "**The lasso**: only the regulariser is another than ridge's. R₁ holds a weight at exactly 0 "
        "where the loss pulls at it less than λ."
    ),
    ("squared", "R2"): N_(
        "**Ridge regression** wants $f = y$ at every point, and is charged for being too right as well. "
        "Keep R₂, take the hinge: the SVM."
    ),
    ("squared", "none"): N_(
        "**Least squares**, which ridge and lasso start from. Here nothing keeps $w$ short, and λ changes nothing."
    ),
    ("logistic", "R1"): N_(
        "No name of its own, the same recipe: the logistic loss, and a regulariser that holds weights at 0."
    ),
    ("logistic", "R2"): N_(
        "**Logistic regression**: $f$ is the logarithm of the odds of +. Even a point that is right has a small pull."
    ),
    ("logistic", "none"): N_(
        "**Logistic regression** as it was first written. It has this minimum as no line separates the classes."
    ),
    ("hinge", "R1"): N_("The SVM's loss with the lasso's regulariser: some call it the 1-norm SVM."),
    ("hinge", "R2"): N_(
        "**The SVM**: the descent that found the others comes as low as the board's own machine, the "
        "thin line. Only $b$ may differ, where nothing pins it."
    ),
    ("hinge", "none"): N_("The SVM's loss alone: nothing asks for a short $w$ now, and so for no wide street."),
    ("perceptron", "none"): N_(
        "**The perceptron**'s loss is how far points are on the wrong side. Here points lie on the line "
        "itself, which costs nothing."
    ),
}
SEPARATED: dict[Pair, str] = {  # where F is 0
    ("hinge", "none"): N_(
        "Every hinge is 0 here, and nothing more is asked: this is one line of many that do as well. A "
        "regulariser would choose."
    ),
    ("perceptron", "none"): N_(
        "**The perceptron**: its loss is 0 on every line that separates. It takes the first that it "
        "meets, the descent another."
    ),
}
FOR_EVER = N_(
    "There is no best $w$: the longer it grows, the smaller is $F$, and it never gets to its end. A "
    "regulariser stops that."
)
NONE_TO_FIND = N_(
    "By its loss alone **the perceptron** wants nothing: $w = 0$ has $F = 0$, the least. No line "
    "separates these points, so it has none to find."
)
FREE = N_("With this loss $w = 0$ costs nothing, and no $F$ is below 0. So the best is no line at all.")
NO_LINE = N_("Here $F$ is least at $w = 0$: $f$ is the same everywhere, and there is no line.")
NOTHING = 1e-12  # F is 0 but for rounding


def said(pair: Pair, now: Least, separable: bool) -> str:
    """The words for a pair and its minimiser. separable: whether a line separates the points."""
    alone = pair[1] == "none"
    if not now.ends:
        return FOR_EVER
    if not now.line and now.value > 0:
        return NO_LINE
    if not now.line:
        return NONE_TO_FIND if alone and not separable else FREE
    return SEPARATED.get(pair, SAYS[pair]) if separable and now.value <= NOTHING else SAYS[pair]
