"""Terms of the lesson on several classes and regression: one-vs-rest, the tube, and its support vectors."""

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
        name=N_("one-vs-rest"),
        definition=N_(
            "A method for several classes. It trains a binary SVM for each class, with the label +1 for this class and "
            "−1 for all others. The largest f decides."
        ),
        forms=N_("one-vs-rest"),
        synonyms=N_("one-vs-all|one against the rest|OvR"),
        formula=r"f_k(x) = \langle w_k, x\rangle + b_k",
        see=("largest-f", "nobodys-land", "joint-machine", "one-against-one"),
        where_to_see=("extensions.rest", "X1"),
    ),
    Term(
        key="largest-f",
        name=N_("largest f"),
        definition=N_(
            "One-vs-rest predicts the class with the largest f, even if it is negative. With a linear kernel, f is the "
            "distance to the boundary divided by the margin, so each f has its own scale."
        ),
        forms=N_("largest f"),
        see=("one-against-the-rest", "decision-function", "nobodys-land"),
        where_to_see=("extensions.rest", "extensions.nobody", "X1"),
    ),
    Term(
        key="nobodys-land",
        name=N_("ambiguous region"),
        definition=N_(
            "A region where no f of one-vs-rest is positive, or several are. There the signs give no class or several, "
            "so the largest f decides."
        ),
        forms=N_("ambiguous regions"),
        synonyms=N_("nobody's land"),
        see=("largest-f", "one-against-the-rest"),
        where_to_see=("extensions.nobody", "X1"),
    ),
    Term(
        key="joint-machine",
        name=N_("joint SVM"),
        definition=N_(
            "The SVM of Crammer and Singer for several classes. It solves one problem in which the f of a point's own "
            "class must exceed every other f by 1, up to its slack."
        ),
        forms=N_("joint SVM|Crammer and Singer"),
        synonyms=N_("multiclass SVM|joint machine"),
        formula=r"f_j(x_i) - f_k(x_i) \ge 1 - \xi_i",
        see=("one-against-the-rest", "slack", "largest-f"),
        where_to_see=("extensions.middle",),
    ),
    Term(
        key="one-against-one",
        name=N_("one-vs-one"),
        definition=N_(
            "A method for several classes. It trains a binary SVM for each pair of classes on their points alone. "
            "Then all SVMs vote."
        ),
        forms=N_("one-vs-one"),
        synonyms=N_("one against one|OvO|pairwise"),
        see=("one-against-the-rest", "joint-machine"),
        where_to_see=("extensions.rest",),
    ),
    Term(
        key="tie",
        name=N_("tie"),
        definition=N_(
            "Two or more classes have the same largest f, up to rounding. Then the largest f determines no class."
        ),
        forms=N_("tie|ties|tied"),
        pages=HERE,
        see=("largest-f",),
        where_to_see=("extensions.middle", "X1"),
    ),
    Term(
        key="regression",
        name=N_("regression"),
        definition=N_(
            "The prediction of real numbers instead of classes. Support vector regression minimises ½‖w‖² plus C "
            "times the sum of the ε-insensitive losses."
        ),
        forms=N_("support vector regression|regression"),
        synonyms=N_("SVR"),
        pages=HERE,
        formula=(
            r"\min \frac12\|w\|^2 + C\sum_i(\xi_i + \xi_i^*) \quad\text{s.t.}\quad "
            r"y_i - f(x_i) \le \varepsilon + \xi_i,\;f(x_i) - y_i \le \varepsilon + \xi_i^*,"
            r"\;\xi_i \ge 0,\;\xi_i^* \ge 0"
        ),
        see=("tube", "value-to-be-told", "insensitive-loss"),
        where_to_see=("extensions.tube", "X2"),
    ),
    Term(
        key="value-to-be-told",
        name=N_("target"),
        definition=N_("The real number y that f predicts from the input. On the board, x₁ is the input and y = x₂."),
        forms=N_("target|targets"),
        synonyms=N_("response|dependent variable|value to be told"),
        pages=HERE,
        symbol="y",
        see=("regression", "residual", "label"),
        where_to_see=("extensions.tube", "X2"),
    ),
    Term(
        key="slope",
        name=N_("slope"),
        definition=N_(
            "The growth of f if the input grows by 1. The smaller |w| is, the flatter the line is. For a curve, w is "
            "the slope in the feature space of its kernel."
        ),
        forms=N_("slope of the tube|slope"),
        pages=HERE,
        symbol="w",
        formula=r"f(x) = w\,x_1 + b",
        see=("regression", "level-line", "normal"),
        where_to_see=("extensions.flat",),
    ),
    Term(
        key="residual",
        name=N_("residual"),
        definition=N_(
            "The target of a point minus its prediction. It is positive if the point lies above the line, and "
            "negative if the point lies below the line."
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
            "All points whose target differs from f by at most ε. Strictly inside, a point has no loss and the "
            "multiplier 0. Only points on an edge or outside can be support vectors."
        ),
        forms=N_("tube"),
        synonyms=N_("epsilon tube"),
        pages=HERE,
        formula=r"-\varepsilon \le y - f(x) \le \varepsilon",
        see=("precision", "residual", "insensitive-loss", "street"),
        where_to_see=("extensions.tube", "extensions.flat", "X2"),
    ),
    Term(
        key="insensitive-loss",
        name=N_("ε-insensitive loss"),
        definition=N_(
            "The vertical distance of a point from the tube, and 0 inside the tube. It grows linearly, so the "
            "multiplier of an outlier is at most C."
        ),
        forms=N_("ε-insensitive loss"),
        synonyms=N_("epsilon-insensitive"),
        see=("tube", "hinge-loss", "squared-loss"),
        where_to_see=("extensions.tube", "X2"),
    ),
    Term(
        key="slack-below",
        name=N_("slack below the tube"),
        definition=N_(
            "The vertical distance of a point below the lower edge. For points above the upper edge the slack is ξ. At "
            "least one of the two is 0."
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
            "The multiplier of a point on or below the lower edge. It is 0 inside the tube, between 0 and C on the "
            "lower edge, and C below it. For the upper edge the multiplier is α."
        ),
        symbol="α*",
        signs=("α*",),
        formula=r"w = \sum_i (\alpha_i - \alpha_i^*)\, x_i",
        see=("multiplier", "tube", "slack-below"),
        where_to_see=("extensions.edge", "X2"),
    ),
    Term(
        key="level-line",
        name=N_("horizontal line"),
        definition=N_(
            "The line with w = 0. If ε is at least half the range of the targets, its tube can contain all points, and "
            "no point is a support vector."
        ),
        forms=N_("horizontal line"),
        synonyms=N_("level line|constant function"),
        pages=HERE,
        see=("tube", "precision", "norm"),
        where_to_see=("extensions.flat",),
    ),
)
