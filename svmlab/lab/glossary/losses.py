"""Terms of the lesson on losses: surrogate losses, regularisers, and gradient descent."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="surrogate",
        name=N_("surrogate loss"),
        definition=N_(
            "A loss that stands in for the 0/1 loss, because that has no slope to follow. Where it lies "
            "nowhere below it, the losses add up to at least the errors."
        ),
        forms=N_("surrogate"),
        see=("zero-one-loss", "hinge-loss", "loss"),
        where_to_see=("losses.curves", "losses.errors", "L1"),
    ),
    Term(
        key="squared-loss",
        name=N_("squared loss"),
        definition=N_(
            "The square of how far f is from the label. It is 0 where y f = 1 and rises again beyond: a "
            "point that is very right pays too. Without a regulariser it makes least squares."
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
            "Minus the logarithm of the probability that the machine gives to the right label. Every point "
            "pays something, however far it is on its own side."
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
            "A loss that grows by a factor with each unit of f on the wrong side, so one point may outweigh "
            "all others. Boosting descends on it."
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
            "A smooth step: a half and more for errors, a half and less for the others, never as much as 1. "
            "It is not convex, and a descent may end in a valley that is not the lowest."
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
            "How steep the loss is where a point stands: how hard the point turns and shifts the line. With "
            "the hinge it is 1 short of the margin line, 0 beyond, and α/C at the optimum."
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
            "A place where the slope of a function jumps, as that of the hinge does at y f = 1. There is no "
            "gradient there, but a whole interval of subgradients."
        ),
        forms=N_("kink|kinks"),
        see=("subgradient", "hinge-loss"),
        where_to_see=("losses.kink", "L3"),
    ),
    Term(
        key="chord",
        name=N_("chord"),
        definition=N_(
            "The straight way between two places of a curve or a surface. A convex function lies on or below "
            "all of its chords."
        ),
        forms=N_("chord|chords"),
        see=("convex",),
        where_to_see=("losses.valleys", "L2"),
    ),
    Term(
        key="contour",
        name=N_("contour"),
        definition=N_("A line through all places with one value of F, as on a map. The gradient stands upright on it."),
        forms=N_("contour"),
        see=("objective", "subgradient"),
        where_to_see=("losses.down", "losses.balls", "soft.objective"),
    ),
    Term(
        key="local-minimum",
        name=N_("local minimum"),
        definition=N_(
            "The floor of a valley: no place nearby is lower. Where F is convex each is as low as any other; "
            "where it is not, a descent may end in one that is not the lowest."
        ),
        forms=N_("local minimum|valley|valleys"),
        see=("convex", "optimum", "descent"),
        where_to_see=("losses.valleys", "L10"),
    ),
    Term(
        key="sum-of-sizes",
        name=N_("sum of sizes"),
        definition=N_(
            "The regulariser of the lasso. It has a corner where a weight is 0, and so holds weights at "
            "exactly 0. Where the plane is turned, its answer changes."
        ),
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
            "The regulariser of ridge regression and of the SVM. It shortens every weight and makes none "
            "exactly 0; turned with the plane it stays the same."
        ),
        symbol="R₂",
        signs=("R₂",),
        letters=("R_2",),
        formula=r"R_2 = \frac12\sum_j w_j^2",
        see=("regulariser", "ridge", "norm"),
        where_to_see=("losses.balls", "L8"),
    ),
    Term(
        key="length-by-p",
        name=N_("length by p"),
        definition=N_(
            "The p-th root of the sum of the p-th powers of the weights' sizes. A norm, and convex, from p = "
            "1 on; R₀ beside it counts the weights that are not 0."
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
            "Squared loss with half the squared norm as its regulariser: least squares that keep w short. "
            "Linear equations give its w at once."
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
            "Squared loss with the sum of sizes as its regulariser. Where λ is large enough, weights are "
            "exactly 0, and their coordinates are not used."
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
            "Logistic loss, with half the squared norm or without a regulariser. f is the logarithm of the "
            "odds of +; without a regulariser it has no best w on separable points."
        ),
        forms=N_("logistic regression"),
        see=("logistic-loss", "half-square", "separable"),
        where_to_see=("losses.recipe", "L5"),
    ),
    Term(
        key="pocket",
        name=N_("pocket"),
        definition=N_(
            "What keeps the best w that a perceptron has had so far, that with the fewest errors. It is an "
            "answer where no line separates and the perceptron goes on for ever."
        ),
        forms=N_("pocket"),
        see=("perceptron", "errors"),
        where_to_see=("losses.restless", "L13"),
    ),
)
