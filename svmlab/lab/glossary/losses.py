"""Terms of the lesson on losses: surrogate losses, regularisers, and gradient descent."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="surrogate",
        name=N_("surrogate loss"),
        definition=N_(
            "A loss that replaces the 0–1 loss, because it is easier to minimise. If it is nowhere below the 0–1 loss, "
            "its sum is at least the number of training errors."
        ),
        forms=N_("surrogate"),
        see=("zero-one-loss", "hinge-loss", "loss"),
        where_to_see=("losses.curves", "losses.errors", "L1"),
    ),
    Term(
        key="squared-loss",
        name=N_("squared loss"),
        definition=N_(
            "The square of the difference between f and the label. It is 0 for y f = 1 and grows again beyond, so "
            "points far on their correct side have a large loss too."
        ),
        forms=N_("squared loss|least squares"),
        formula=r"(1 - y f(x))^2",
        see=("surrogate", "ridge", "pull"),
        where_to_see=("losses.far", "losses.recipe"),
    ),
    Term(
        key="logistic-loss",
        name=N_("logistic loss"),
        definition=N_(
            "The negative logarithm of the probability that the classifier gives to the correct label. It is positive "
            "for every point."
        ),
        forms=N_("logistic loss"),
        formula=r"\ln(1 + \exp(-y f(x)))",
        see=("logistic-regression", "surrogate"),
        where_to_see=("losses.curves", "losses.valleys"),
    ),
    Term(
        key="exponential-loss",
        name=N_("exponential loss"),
        definition=N_(
            "A loss that is multiplied by e ≈ 2.7 if y f falls by 1, so a single point can cause most of the sum. "
            "AdaBoost minimises it."
        ),
        forms=N_("exponential loss"),
        formula=r"\exp(-y f(x))",
        see=("surrogate", "pull"),
        where_to_see=("losses.curves", "losses.far"),
    ),
    Term(
        key="sigmoid-loss",
        name=N_("sigmoid loss"),
        definition=N_(
            "A smooth version of the 0–1 loss. It is between ½ and 1 for errors and below ½ for other points. It is "
            "not convex, so a descent can end in a local minimum."
        ),
        forms=N_("sigmoid"),
        pages=("losses",),
        formula=r"\frac{1}{1 + \exp(y f(x))}",
        see=("convex", "local-minimum", "surrogate"),
        where_to_see=("losses.curves", "losses.valleys", "L12"),
    ),
    Term(
        key="pull",
        name=N_("pull"),
        definition=N_(
            "The slope of the loss of a point, without its sign. With this weight the point enters the gradient. For "
            "the hinge loss it is 1 for y f < 1, 0 for y f > 1, and α/C at the optimum."
        ),
        forms=N_("pull|pulls"),
        pages=("losses",),
        see=("loss", "multiplier", "hinge-loss"),
        where_to_see=("losses.far", "L14"),
    ),
    Term(
        key="kink",
        name=N_("kink"),
        definition=N_(
            "A point where the slope of a function jumps, such as y f = 1 for the hinge loss. There is no derivative "
            "there, but a convex function has a whole interval of subgradients."
        ),
        forms=N_("kink|kinks"),
        see=("subgradient", "hinge-loss"),
        where_to_see=("losses.kink", "L3"),
    ),
    Term(
        key="chord",
        name=N_("chord"),
        definition=N_(
            "The straight line between two points of the graph of a function. A convex function is nowhere above its "
            "chords."
        ),
        forms=N_("chord|chords"),
        see=("convex",),
        where_to_see=("losses.valleys", "L2"),
    ),
    Term(
        key="contour",
        name=N_("contour"),
        definition=N_(
            "A curve on which F has the same value everywhere, as on a map. The gradient is perpendicular to it."
        ),
        forms=N_("contour"),
        see=("objective", "subgradient"),
        where_to_see=("losses.down", "losses.balls", "soft.objective"),
    ),
    Term(
        key="local-minimum",
        name=N_("local minimum"),
        definition=N_(
            "A point without a smaller value of F nearby. If F is convex, every local minimum is a global minimum. "
            "Otherwise a descent can end in one that is not global."
        ),
        forms=N_("local minimum|valley"),
        see=("convex", "optimum", "descent"),
        where_to_see=("losses.valleys", "L10"),
    ),
    Term(
        key="sum-of-sizes",
        name=N_("L1 norm"),
        definition=N_(
            "The sum of the absolute values of the components of w. It is the regulariser of the lasso, and it can "
            "make components exactly 0. It depends on the coordinates."
        ),
        synonyms=N_("absolute values"),
        symbol="R₁",
        signs=("R₁",),
        letters=("R_1",),
        formula=r"R_1 = \sum_j |w_j|",
        see=("regulariser", "lasso", "half-square"),
        where_to_see=("losses.balls", "L8"),
    ),
    Term(
        key="half-square",
        name=N_("half the squared norm"),
        definition=N_(
            "The regulariser of ridge regression and of the SVM. It makes w shorter, and usually no component exactly "
            "0. A rotation of the coordinates does not change it."
        ),
        synonyms=N_("L2 norm|Tikhonov"),
        symbol="R₂",
        signs=("R₂",),
        letters=("R_2",),
        formula=r"R_2 = \frac12\sum_j w_j^2",
        see=("regulariser", "ridge", "norm"),
        where_to_see=("losses.balls", "L8"),
    ),
    Term(
        key="length-by-p",
        name=N_("p-norm"),
        definition=N_(
            "The p-th root of the sum of the p-th powers of the absolute components. It is a norm, and convex, only "
            "for p ≥ 1. R₀ is the number of nonzero components."
        ),
        symbol="Rₚ, R₀",
        letters=("R_p", "R_0"),
        see=("regulariser", "sum-of-sizes", "norm", "convex"),
        where_to_see=("losses.balls", "L8"),
    ),
    Term(
        key="ridge",
        name=N_("ridge regression"),
        definition=N_(
            "The squared loss with half the squared norm as regulariser. It is least squares with a short w. A system "
            "of linear equations gives its w."
        ),
        forms=N_("ridge regression|ridge"),
        formula=r"\frac1m\sum_i (1 - y_i f(x_i))^2 + \frac{\lambda}{2}\|w\|^2",
        see=("squared-loss", "half-square", "lasso"),
        where_to_see=("losses.recipe", "L5"),
    ),
    Term(
        key="lasso",
        name=N_("lasso"),
        definition=N_(
            "The squared loss with the L1 norm as regulariser. If λ is large enough, some components of w are exactly "
            "0, and these features are not used."
        ),
        forms=N_("lasso"),
        formula=r"\frac1m\sum_i (1 - y_i f(x_i))^2 + \lambda\sum_j |w_j|",
        see=("squared-loss", "sum-of-sizes", "ridge"),
        where_to_see=("losses.recipe", "losses.balls", "L5"),
    ),
    Term(
        key="logistic-regression",
        name=N_("logistic regression"),
        definition=N_(
            "The logistic loss, with half the squared norm or without a regulariser. f estimates the logarithm of the "
            "odds of +1. On separable points it needs a regulariser."
        ),
        forms=N_("logistic regression"),
        see=("logistic-loss", "half-square", "separable"),
        where_to_see=("losses.recipe", "L5"),
    ),
    Term(
        key="pocket",
        name=N_("pocket"),
        definition=N_(
            "The (w, b) with the fewest training errors so far in a run of the perceptron. It is useful if no line "
            "separates the classes, because the perceptron then never stops."
        ),
        forms=N_("pocket"),
        see=("perceptron", "errors"),
        where_to_see=("losses.restless", "L13"),
    ),
)
