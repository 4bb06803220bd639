"""Terms of the lesson on several classes and on values: an SVM for each class, the tube, and its support vectors."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

HERE = ("extensions",)
OF_A_TUBE = {
    "y": "value-to-be-told",
    "w": "slope",
    "α^*": "multiplier-below",
}  # the meaning of letters in regression
TERMS = (
    Term(
        key="one-against-the-rest",
        name=N_("one against the rest"),
        definition=N_(
            "For several classes a machine for each: its class is +1, all others are −1. Where they "
            "contradict each other the largest f decides. Also called one vs all."
        ),
        forms=N_("one against the rest|against the rest"),
        formula=r"f_k(x) = \langle w_k, x\rangle + b_k",
        see=("largest-f", "nobodys-land", "joint-machine", "one-against-one"),
        where_to_see=("extensions.rest", "X1"),
    ),
    Term(
        key="largest-f",
        name=N_("largest f"),
        definition=N_(
            "A place gets the class whose machine has the largest f there, even if all are below 0. Each f "
            "is in units of its own street, so a machine with a narrow street speaks louder."
        ),
        forms=N_("largest f"),
        see=("one-against-the-rest", "decision-function", "nobodys-land"),
        where_to_see=("extensions.rest", "extensions.nobody", "X1"),
    ),
    Term(
        key="nobodys-land",
        name=N_("nobody's land"),
        definition=N_(
            "Where no machine says yes: every f is below 0. The largest gives a class all the same. "
            "Elsewhere several say yes."
        ),
        forms=N_("nobody's land"),
        see=("largest-f", "one-against-the-rest"),
        where_to_see=("extensions.nobody", "X1"),
    ),
    Term(
        key="joint-machine",
        name=N_("joint machine"),
        definition=N_(
            "One program for all classes, by Crammer and Singer: at each point its own f is to be above "
            "every other by 1, or it pays. So a class between two others is told from both."
        ),
        forms=N_("joint machine|Crammer and Singer"),
        formula=r"f_j(x_i) - f_k(x_i) \ge 1 - \xi_i",
        see=("one-against-the-rest", "slack", "largest-f"),
        where_to_see=("extensions.middle",),
    ),
    Term(
        key="one-against-one",
        name=N_("one against one"),
        definition=N_(
            "Another way to several classes: a machine for each pair of them, on the points of these two "
            "alone. Then all machines vote."
        ),
        forms=N_("one against one"),
        see=("one-against-the-rest", "joint-machine"),
        where_to_see=("extensions.rest",),
    ),
    Term(
        key="tie",
        name=N_("tie"),
        definition=N_("Two classes have an f as large, but for rounding, so that the largest f gives no class there."),
        forms=N_("tied"),
        pages=HERE,
        see=("largest-f",),
        where_to_see=("extensions.middle", "X1"),
    ),
    Term(
        key="regression",
        name=N_("regression"),
        definition=N_(
            "Points have values in the place of classes, and f(x) is to be near them. Support vector "
            "regression asks for a flat f whose tube holds the points, or nearly."
        ),
        forms=N_("support vector regression|regression"),
        pages=HERE,
        formula=r"\min \frac12\|w\|^2 + C\sum_i(\xi_i + \xi_i^*)",
        see=("tube", "value-to-be-told", "insensitive-loss"),
        where_to_see=("extensions.tube", "X2"),
    ),
    Term(
        key="value-to-be-told",
        name=N_("value to be told"),
        definition=N_(
            "Of a point x₁ is known, and its height x₂ is the value y that f is to tell from it. The labels "
            "are not asked."
        ),
        forms=N_("value to be told"),
        symbol="y",
        see=("regression", "residual", "label"),
        where_to_see=("extensions.tube", "X2"),
    ),
    Term(
        key="slope",
        name=N_("slope"),
        definition=N_(
            "How steep a line is: by so much f grows where x₁ grows by 1. The smaller w, the flatter the "
            "line. Of a curve w is the slope in the features of its kernel."
        ),
        forms=N_("slope of the tube|slope"),
        pages=HERE,
        symbol="w",
        formula=r"f(x) = w\,x_1 + b",
        see=("regression", "level-line", "normal"),
        where_to_see=("extensions.eps",),
    ),
    Term(
        key="residual",
        name=N_("residual"),
        definition=N_(
            "A point's value less what f says: how far it is above the line, straight upwards, or below "
            "where that is negative."
        ),
        forms=N_("residual|residuals"),
        pages=HERE,
        formula=r"y_i - f(x_i)",
        see=("value-to-be-told", "tube", "insensitive-loss"),
        where_to_see=("extensions.edge", "X2"),
    ),
    Term(
        key="tube",
        name=N_("tube"),
        definition=N_(
            "All places whose height differs from f by no more than ε. A point inside costs nothing and "
            "moves nothing; those on the edge and outside hold it. A street is to be empty, a tube full."
        ),
        forms=N_("tube|half height"),
        pages=HERE,
        formula=r"-\varepsilon \le y - f(x) \le \varepsilon",
        see=("precision", "residual", "insensitive-loss", "street"),
        where_to_see=("extensions.tube", "extensions.eps", "X2"),
    ),
    Term(
        key="insensitive-loss",
        name=N_("ε-insensitive loss"),
        definition=N_(
            "What a point of a regression pays: its distance to the edge of the tube, straight up or down, "
            "and nothing inside. So a far point pulls no harder than C, unlike in least squares."
        ),
        forms=N_("ε-insensitive loss"),
        see=("tube", "hinge-loss", "squared-loss"),
        where_to_see=("extensions.tube", "X2"),
    ),
    Term(
        key="slack-below",
        name=N_("slack below the tube"),
        definition=N_(
            "How far a point is below the lower edge, as ξ is how far above the upper one. One of the two is always 0."
        ),
        symbol="ξ*",
        letters=("ξ^*",),
        see=("slack", "tube", "multiplier-below"),
        where_to_see=("extensions.tube", "X2"),
    ),
    Term(
        key="multiplier-below",
        name=N_("multiplier of the lower edge"),
        definition=N_(
            "How hard a point on or below the lower edge pulls the line down, as α pulls it up from the "
            "upper one: 0 inside the tube, up to C on its edge, C outside. One of the two is always 0."
        ),
        symbol="α*",
        signs=("α*",),
        formula=r"w = \sum_i (\alpha_i - \alpha_i^*)\, x_i",
        see=("multiplier", "tube", "slack-below"),
        where_to_see=("extensions.edge", "X2"),
    ),
    Term(
        key="level-line",
        name=N_("level line"),
        definition=N_(
            "f with w = 0: the same everywhere. From half the range of the values on, the tube holds every "
            "point so, and no point holds it."
        ),
        forms=N_("level line"),
        pages=HERE,
        see=("tube", "precision", "norm"),
        where_to_see=("extensions.eps",),
    ),
)
