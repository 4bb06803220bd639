"""Terms of the lesson on the soft margin: slack, its penalty, and the objective with both."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="hard-margin",
        name=N_("hard margin"),
        definition=N_(
            "The SVM that allows no slack, C = ∞. It exists if and only if the classes are separable. Then there is a "
            "finite C₀ such that every C ≥ C₀ gives the same SVM."
        ),
        forms=N_("hard margin|hard SVM"),
        symbol="C₀",
        letters=("C_0",),
        formula=r"\min \frac12\|w\|^2 \quad\text{s.t.}\quad y_i f(x_i) \ge 1",
        see=("soft-margin", "separable", "price"),
        where_to_see=("soft.hard", "duality.none", "S10"),
    ),
    Term(
        key="soft-margin",
        name=N_("soft margin"),
        definition=N_(
            "The SVM that allows margin violations. Each point has a slack variable, and C times their sum is added to "
            "the objective. It has a solution for all training points."
        ),
        forms=N_("soft margin|soft SVM"),
        formula=r"\min \frac12\|w\|^2 + C\sum_i\xi_i \quad\text{s.t.}\quad y_i f(x_i) \ge 1 - \xi_i,\;\xi_i \ge 0",
        see=("slack", "price", "hard-margin"),
        where_to_see=("soft.price", "S1"),
    ),
    Term(
        key="slack",
        name=N_("slack"),
        definition=N_(
            "The amount by which y f(x) is less than 1, or 0. The distance to the margin line is ξ/‖w‖. A slack "
            "above 1 means a training error. In regression, it is the distance from the tube."
        ),
        forms=N_("slack|slacks"),
        synonyms=N_("slack variable|margin error"),
        symbol="ξ",
        signs=("Σ ξ", "ξᵢ", "ξ", "mean ξ"),
        letters=("ξ",),
        formula=r"\xi_i = \max(0,\, 1 - y_i f(x_i))",
        see=("functional-margin", "hinge-loss", "soft-margin", "price"),
        where_to_see=("soft.slack", "S12"),
    ),
    Term(
        key="price",
        name=N_("penalty parameter C"),
        definition=N_(
            "The factor of the total slack in the objective. With a large C there is little slack, and the margin is "
            "narrow. C = ∞ is the hard margin."
        ),
        forms=N_("penalty parameter|parameter C"),
        synonyms=N_("regularisation parameter|cost parameter|price of slack"),
        pages=("lab", "soft"),
        symbol="C",
        signs=("C",),
        letters=("C",),
        formula=r"\frac12\|w\|^2 + C\sum_i\xi_i",
        see=("lambda", "slack", "hard-margin", "path"),
        where_to_see=("soft.price", "soft.hard", "S11"),
    ),
    Term(
        key="lambda",
        name=N_("parameter λ"),
        definition=N_(
            "The factor of ‖w‖²/2 in the objective with the mean slack. A small λ corresponds to a large C, because "
            "both forms have the same minimiser for C = 1/(λ m)."
        ),
        forms=N_("lambda"),
        synonyms=N_("regularisation parameter"),
        symbol="λ",
        signs=("λ",),
        letters=("λ",),
        formula=r"\frac{\lambda}{2}\|w\|^2 + \frac1m\sum_i\xi_i",
        see=("price", "regulariser", "objective"),
        where_to_see=("soft.forms", "soft.support", "S2"),
    ),
    Term(
        key="hinge-loss",
        name=N_("hinge loss"),
        definition=N_(
            "The loss max(0, 1 − y f). It is 0 for y f ≥ 1 and grows with slope 1 as y f falls below 1. At the "
            "optimum, it is the slack."
        ),
        forms=N_("hinge loss|hinge|mean hinge"),
        synonyms=N_("hinge function"),
        formula=r"\max(0,\, 1 - y f(x))",
        see=("slack", "zero-one-loss", "loss"),
        where_to_see=("soft.slack", "S3"),
    ),
    Term(
        key="zero-one-loss",
        name=N_("0/1 loss"),
        definition=N_(
            "The loss that is 1 for an error (y f ≤ 0) and 0 otherwise. The hinge loss is nowhere smaller, so "
            "the number of errors is at most the total slack."
        ),
        forms=N_("0/1 loss"),
        synonyms=N_("zero-one loss|0-1 loss|0–1 loss|misclassification loss"),
        see=("hinge-loss", "errors", "surrogate"),
        where_to_see=("soft.slack", "losses.curves", "S15"),
    ),
    Term(
        key="errors",
        name=N_("errors"),
        definition=N_("The misclassified points. Each of them is on the wrong side of the boundary, or exactly on it."),
        forms=N_("training errors|errors"),
        pages=("lab", "soft", "losses"),
        formula=r"y_i f(x_i) \le 0",
        see=("functional-margin", "zero-one-loss", "slack"),
        where_to_see=("soft.slack", "losses.errors", "S15"),
    ),
    Term(
        key="loss",
        name=N_("loss"),
        definition=N_(
            "The contribution of one point to the objective, for example the hinge loss. In Pegasos, each loss "
            "includes the regulariser, so that their mean is F."
        ),
        forms=N_("loss|losses"),
        symbol="ℓ",
        letters=("ℓ",),
        formula=r"\ell_i(w) = \frac{\lambda}{2}\|w\|^2 + \max(0,\, 1 - y_i\langle w, x_i\rangle)",
        see=("hinge-loss", "objective", "unbiased"),
        where_to_see=("pegasos.unbiased", "S4"),
    ),
    Term(
        key="objective",
        name=N_("objective"),
        definition=N_(
            "The function that is minimised. It adds a regulariser, which keeps w short, and the losses of the points. "
            "The forms with λ and with C differ by a factor."
        ),
        forms=N_("objective"),
        synonyms=N_("objective function|cost function"),
        symbol="F",
        signs=("F",),
        letters=("F",),
        formula=r"F(w) = \frac{\lambda}{2}\|w\|^2 + \frac1m\sum_i\xi_i",
        see=("price", "lambda", "convex", "optimum"),
        where_to_see=("soft.objective", "S13"),
    ),
    Term(
        key="regulariser",
        name=N_("regulariser"),
        definition=N_(
            "The term of the objective that depends on w alone. In the SVM it is the squared norm, and in the lasso "
            "the sum of the absolute values of the components."
        ),
        forms=N_("regulariser"),
        synonyms=N_("regularization|penalty term|weight decay"),
        symbol="R(w)",
        letters=("R(",),
        formula=r"\frac{\lambda}{2}\|w\|^2",
        see=("objective", "lambda", "loss", "sum-of-sizes", "half-square"),
        where_to_see=("losses.balls", "losses.recipe", "S13"),
    ),
    Term(
        key="path",
        name=N_("regularisation path"),
        definition=N_(
            "The solutions of the SVM for all C, from small to large. Between two breakpoints, w is linear in C. "
            "As C grows, ‖w‖ never decreases and the total slack never increases."
        ),
        forms=N_("path"),
        synonyms=N_("solution path"),
        pages=("soft",),
        symbol="w(C)",
        letters=("w_C",),
        see=("breakpoint", "price", "hard-margin"),
        where_to_see=("soft.price", "soft.multipliers", "S11"),
    ),
    Term(
        key="breakpoint",
        name=N_("breakpoint"),
        definition=N_(
            "A value of C at which the set of points on the margin lines, or of those with slack, changes. Between two "
            "breakpoints, the multipliers are linear in C."
        ),
        forms=N_("breakpoint|breakpoints"),
        see=("path", "multiplier"),
        where_to_see=("soft.multipliers", "S11"),
    ),
    Term(
        key="convex",
        name=N_("convex"),
        definition=N_(
            "A function is convex if it is nowhere above its chords. Then every local minimum is a global minimum."
        ),
        forms=N_("convex|convexity"),
        formula=r"F(\frac12(u + v)) \le \frac12 F(u) + \frac12 F(v)",
        see=("strongly-convex", "chord", "local-minimum"),
        where_to_see=("soft.objective", "losses.valleys", "S4", "L2"),
    ),
    Term(
        key="strongly-convex",
        name=N_("strongly convex"),
        definition=N_(
            "A function is strongly convex if it is everywhere at least as curved as (λ/2)‖w‖². Then the "
            "minimiser w* is unique. At w, the value is larger by at least (λ/2)‖w − w*‖²."
        ),
        forms=N_("strongly convex|strong convexity"),
        formula=r"F(w) - F(w^*) \ge \frac{\lambda}{2}\|w - w^*\|^2",
        see=("convex", "lambda", "rate"),
        where_to_see=("pegasos.rates", "S4", "P12"),
    ),
    Term(
        key="lipschitz",
        name=N_("Lipschitz"),
        definition=N_(
            "A function is Lipschitz if its slope is nowhere steeper than a constant, the Lipschitz constant. For the "
            "hinge loss of one point, as a function of w, it is ‖x‖. For the mean, it is at most the largest ‖x‖."
        ),
        forms=N_("Lipschitz"),
        see=("hinge-loss", "longest"),
        where_to_see=("S14", "soft.objective"),
    ),
)
