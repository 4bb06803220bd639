"""Terms of the lesson on the soft margin: slack, its penalty, and the objective with both."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="hard-margin",
        name=N_("hard margin"),
        definition=N_(
            "No point may enter the street: C = ∞. It exists on separable points only, and there every C "
            "from a finite C₀ on gives the same machine."
        ),
        forms=N_("hard margin|hard SVM"),
        symbol="C₀",
        letters=("C_0",),
        formula=r"\min \frac12\|w\|^2,\quad y_i f(x_i) \ge 1",
        see=("soft-margin", "separable", "price"),
        where_to_see=("soft.hard", "duality.none", "S10"),
    ),
    Term(
        key="soft-margin",
        name=N_("soft margin"),
        definition=N_(
            "Points may fall short of their margin lines, and each pays for its slack. It exists on all points."
        ),
        forms=N_("soft margin|soft SVM"),
        formula=r"\min \frac12\|w\|^2 + C\sum_i\xi_i",
        see=("slack", "price", "hard-margin"),
        where_to_see=("soft.price", "S1"),
    ),
    Term(
        key="slack",
        name=N_("slack"),
        definition=N_(
            "How far a point falls short of its margin line, in units of f; as a distance it is ξ/|w|. 0 on "
            "or beyond the line, above 1 on the wrong side. Of a tube: how far above it."
        ),
        forms=N_("slack|slacks"),
        symbol="ξ",
        signs=("Σ ξ", "ξᵢ", "ξ", "mean ξ"),
        letters=("ξ",),
        formula=r"\xi_i = \max(0,\, 1 - y_i f(x_i))",
        see=("functional-margin", "hinge-loss", "soft-margin", "price"),
        where_to_see=("soft.slack", "S12"),
    ),
    Term(
        key="price",
        name=N_("price of slack"),
        definition=N_(
            "What a unit of slack costs, against half of |w|². A large C makes the margin narrow and the "
            "slack little; C = ∞ is the hard margin."
        ),
        forms=N_("price of slack|price"),
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
        name=N_("weight of the norm"),
        definition=N_(
            "The price seen from the other side: it weighs |w|² against the mean slack. Small λ is large C; "
            "both write one problem when C = 1/(λ m)."
        ),
        forms=N_("lambda"),
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
            "What a prediction costs: nothing from y f = 1 on, and 1 more for each unit of f short of it. At "
            "the optimum it is the slack."
        ),
        forms=N_("hinge loss|hinge|mean hinge"),
        formula=r"\max(0,\, 1 - y f(x))",
        see=("slack", "zero-one-loss", "loss"),
        where_to_see=("soft.slack", "S3"),
    ),
    Term(
        key="zero-one-loss",
        name=N_("0/1 loss"),
        definition=N_(
            "1 for an error, 0 for a right prediction. The hinge loss lies above it, so there are at most as "
            "many errors as the slacks add up to."
        ),
        forms=N_("0/1 loss"),
        see=("hinge-loss", "errors", "surrogate"),
        where_to_see=("soft.slack", "losses.curves", "S15"),
    ),
    Term(
        key="errors",
        name=N_("errors"),
        definition=N_(
            "Points on the wrong side of the boundary. Those exactly on it are counted apart in the lab; a "
            "bound on the errors counts them too."
        ),
        forms=N_("training errors|errors"),
        pages=("lab", "soft", "losses"),
        formula=r"y_i f(x_i) < 0",
        see=("functional-margin", "zero-one-loss", "slack"),
        where_to_see=("soft.slack", "losses.errors", "S15"),
    ),
    Term(
        key="loss",
        name=N_("loss"),
        definition=N_(
            "What one point costs the machine, as the hinge loss says it or another. In Pegasos it holds the "
            "point's share of the norm too, so that the mean over all points is F."
        ),
        forms=N_("loss|losses"),
        symbol="ℓ",
        letters=("ℓ",),
        formula=r"\ell_i(w) = \frac{\lambda}{2}\|w\|^2 + \max(0,\, 1 - y_i\langle w, x_i\rangle)",
        see=("hinge-loss", "objective", "unbiased"),
        where_to_see=("pegasos.draw", "S4"),
    ),
    Term(
        key="objective",
        name=N_("objective"),
        definition=N_(
            "The cost that is made as small as possible: a short w for a wide street, little slack for few "
            "violations. With λ for C it is the same up to a factor."
        ),
        forms=N_("objective"),
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
            "The part of the cost that keeps w short, whatever the points say: in the SVM the squared norm, "
            "in the lasso the sum of sizes. The rest of the cost is the loss."
        ),
        forms=N_("regulariser"),
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
            "The machines for all C, from small to large. Along it w runs on straight pieces, |w| never "
            "falls and the slack never rises."
        ),
        forms=N_("path"),
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
            "A value of C at which a point changes its category. Between two of them the multipliers are linear in C."
        ),
        forms=N_("breakpoint|breakpoints"),
        see=("path", "multiplier"),
        where_to_see=("soft.multipliers", "S11"),
    ),
    Term(
        key="convex",
        name=N_("convex"),
        definition=N_(
            "Between any two places the function lies on or below its chord. Then there is no false valley: "
            "every lowest place nearby is the lowest of all."
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
            "Curved at least as much as (λ/2)|w|² everywhere. So there is one lowest place, and being far "
            "from it costs at least that much."
        ),
        forms=N_("strongly convex|λ-strongly convex|strong convexity"),
        formula=r"F(w) - F(w^*) \ge \frac{\lambda}{2}\|w - w^*\|^2",
        see=("convex", "lambda", "rate"),
        where_to_see=("pegasos.rates", "S4", "P12"),
    ),
    Term(
        key="lipschitz",
        name=N_("Lipschitz"),
        definition=N_(
            "A function is so with a constant if it is nowhere steeper than that. For the hinge as a "
            "function of w the constant is the length of the longest point."
        ),
        forms=N_("Lipschitz"),
        see=("hinge-loss", "longest"),
        where_to_see=("S14", "soft.objective"),
    ),
)
