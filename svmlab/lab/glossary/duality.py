"""Terms of the lesson on duality: the two programs, the proof of their optimum, and the meaning of the multipliers."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="primal",
        name=N_("primal problem"),
        definition=N_(
            "The optimisation problem in w, b and the slack variables. Each feasible (w, b) gives an objective value "
            "that is at least the optimal value."
        ),
        forms=N_("primal"),
        formula=r"\min \frac12\|w\|^2 + C\sum_i\xi_i \quad\text{s.t.}\quad y_i f(x_i) \ge 1 - \xi_i,\;\xi_i \ge 0",
        see=("dual", "duality-gap", "objective"),
        where_to_see=("duality.programs", "H1"),
    ),
    Term(
        key="dual",
        name=N_("dual problem"),
        definition=N_(
            "The optimisation problem in the multipliers, one for each point. The points enter only by labels and "
            "kernel values. Each feasible α gives an objective value D that is at most the optimal value."
        ),
        forms=N_("dual|duality"),
        synonyms=N_("Wolfe dual"),
        symbol="D",
        letters=("D",),
        formula=(
            r"\max \sum_i\alpha_i - \frac12\,\alpha^\top Q\,\alpha,\quad 0 \le \alpha_i \le C,\quad "
            r"\sum_i\alpha_i y_i = 0"
        ),
        see=("primal", "multiplier", "kernel-matrix-q", "strong-duality"),
        where_to_see=("duality.primal", "duality.programs", "H2"),
    ),
    Term(
        key="multiplier",
        name=N_("multiplier"),
        definition=N_(
            "One variable of the dual for each point, also called a dual variable. It is 0 for all points except the "
            "support vectors, and never larger than C."
        ),
        forms=N_("multiplier|multipliers|alpha"),
        synonyms=N_("Lagrange multiplier|dual variable|weight of a point"),
        symbol="α",
        signs=("αᵢ", "α"),
        letters=("α",),
        formula=r"0 \le \alpha_i \le C",
        see=("dual", "support-vector", "normal"),
        where_to_see=("duality.sum", "soft.multipliers", "S5"),
    ),
    Term(
        key="support-vector",
        name=N_("support vector"),
        definition=N_(
            "A point with α > 0. It lies on its margin line or, with slack, on the wrong side of it. w depends on the "
            "support vectors alone. With the same C, w stays the same if all other points are deleted."
        ),
        forms=N_("support vector|support vectors"),
        formula=r"\alpha_i > 0",
        see=("multiplier", "free-vector", "candidate"),
        where_to_see=("duality.keep", "soft.support", "H9"),
    ),
    Term(
        key="free-vector",
        name=N_("free support vector"),
        definition=N_(
            "A support vector with α strictly below C. It lies exactly on its margin line, so it determines b. On the "
            "board it has one ring, and a support vector with α = C has two."
        ),
        forms=N_("free support vector|free support vectors"),
        formula=r"0 < \alpha_i < C",
        see=("support-vector", "bias"),
        where_to_see=("soft.offset", "duality.offset", "S7"),
    ),
    Term(
        key="candidate",
        name=N_("candidate"),
        definition=N_("A point on its margin line. It can be a support vector, but its multiplier can also be 0."),
        forms=N_("candidate|candidates"),
        formula=r"y_i f(x_i) = 1",
        see=("support-vector", "multiplier"),
        where_to_see=("duality.weights", "H10"),
    ),
    Term(
        key="duality-gap",
        name=N_("duality gap"),
        definition=N_(
            "The primal value P minus the dual value D. The lab shows it relative to P. It is never negative, and the "
            "value 0 proves that both are optimal. Rounding errors are shown as 0."
        ),
        forms=N_("duality gap"),
        see=("primal", "dual", "strong-duality", "certificate"),
        where_to_see=("duality.gap", "duality.parts", "H3"),
    ),
    Term(
        key="strong-duality",
        name=N_("strong duality"),
        definition=N_(
            "The optimal values of the primal and of the dual are equal, so the smallest duality gap is 0. It holds "
            "here because the problem is convex with linear constraints."
        ),
        forms=N_("strong duality"),
        see=("duality-gap", "convex", "constraint"),
        where_to_see=("duality.gap", "duality.saddle", "H3"),
    ),
    Term(
        key="constraint",
        name=N_("constraint"),
        definition=N_(
            "A condition that a solution must satisfy, here one inequality for each point. It is active if equality "
            "holds. A solution that satisfies all constraints is feasible."
        ),
        forms=N_("constraint|constraints|feasible"),
        formula=r"y_i f(x_i) \ge 1 - \xi_i",
        see=("slack", "kkt", "feasibility"),
        where_to_see=("duality.programs", "H1"),
    ),
    Term(
        key="optimum",
        name=N_("optimum"),
        definition=N_(
            "A solution with the smallest objective value, marked by a star. The optimal w is unique, but several "
            "vectors α can be optimal."
        ),
        forms=N_("optimum|optimal"),
        synonyms=N_("minimiser|solution|minimum"),
        symbol="w*",
        signs=("w*",),
        letters=("w^*",),
        see=("objective", "kkt", "least-norm"),
        where_to_see=("duality.weights", "H12"),
    ),
    Term(
        key="least-norm",
        name=N_("α of smallest norm"),
        definition=N_(
            "If several α are optimal, the app shows the one with the smallest sum of squares (with class costs, "
            "of αᵢ²/Cᵢ). So the picture depends on the points alone."
        ),
        forms=N_("α of smallest norm"),
        synonyms=N_("minimum norm|least norm"),
        see=("multiplier", "optimum"),
        where_to_see=("duality.weights", "H12"),
    ),
    Term(
        key="kkt",
        name=N_("KKT conditions"),
        definition=N_(
            "The conditions that hold exactly at an optimum (Karush, Kuhn, Tucker). They are stationarity, primal and "
            "dual feasibility, and complementary slackness."
        ),
        forms=N_("KKT conditions|KKT|optimality conditions|optimality"),
        synonyms=N_("Karush Kuhn Tucker|first-order conditions"),
        see=("stationarity", "feasibility", "complementary-slackness", "certificate"),
        where_to_see=("duality.kkt", "duality.parts", "H4", "S6"),
    ),
    Term(
        key="stationarity",
        name=N_("stationarity"),
        definition=N_(
            "One of the KKT conditions. The vector w is the sum of all αᵢ yᵢ xᵢ. With a bias, the multipliers of "
            "both classes have the same sum."
        ),
        forms=N_("stationarity"),
        formula=r"w = \sum_i\alpha_i y_i x_i,\quad \sum_i\alpha_i y_i = 0",
        see=("kkt", "normal", "multiplier"),
        where_to_see=("duality.sum", "H6"),
    ),
    Term(
        key="feasibility",
        name=N_("feasibility"),
        definition=N_(
            "Two of the KKT conditions. (w, b) and the slack variables satisfy the constraints of the primal, and no "
            "multiplier is below 0 or above C."
        ),
        forms=N_("primal feasibility|dual feasibility"),
        synonyms=N_("feasible"),
        formula=r"y_i f(x_i) \ge 1 - \xi_i,\quad \xi_i \ge 0,\quad 0 \le \alpha_i \le C",
        see=("kkt", "constraint"),
        where_to_see=("duality.kkt", "H4"),
    ),
    Term(
        key="complementary-slackness",
        name=N_("complementary slackness"),
        definition=N_(
            "One of the KKT conditions. For each point, the multiplier is 0 or the constraint is active. Also, αᵢ = C "
            "or the slack is 0."
        ),
        forms=N_("complementarity"),
        synonyms=N_("complementary slackness"),
        formula=r"\alpha_i (y_i f(x_i) - 1 + \xi_i) = 0,\quad (C - \alpha_i)\,\xi_i = 0",
        see=("kkt", "slack", "multiplier"),
        where_to_see=("duality.kkt", "soft.places", "S6"),
    ),
    Term(
        key="lagrangian",
        name=N_("Lagrangian"),
        definition=N_(
            "The primal objective minus a sum over all constraints. Each term is a multiplier times the amount by "
            "which y f(x) exceeds 1. The minimum over w and b is the dual objective."
        ),
        forms=N_("Lagrangian"),
        formula=r"\frac12\|w\|^2 - \sum_i\alpha_i(y_i f(x_i) - 1)",
        see=("dual", "multiplier", "kkt"),
        where_to_see=("duality.saddle", "H13"),
    ),
    Term(
        key="quadratic-program",
        name=N_("quadratic program"),
        definition=N_(
            "An optimisation problem with a quadratic objective and linear constraints. The primal and the dual are "
            "both of this kind, so a general solver can be used."
        ),
        forms=N_("quadratic program|quadratic programs"),
        synonyms=N_("QP"),
        see=("primal", "dual", "convex"),
        where_to_see=("duality.programs", "H1", "X3"),
    ),
    Term(
        key="certificate",
        name=N_("certificate"),
        definition=N_(
            "Numbers by which you can check a result without trusting the solver. For an optimum, they are the "
            "KKT conditions and the gap. For classes that are not separable, they are a common point of both "
            "hulls."
        ),
        forms=N_("certificate"),
        synonyms=N_("proof"),
        see=("kkt", "duality-gap", "convex-hull"),
        where_to_see=("duality.kkt", "margin.exists"),
    ),
    Term(
        key="smo",
        name=N_("sequential minimal optimisation"),
        definition=N_(
            "A method that maximises the dual by changing two multipliers at a time (Platt 1998). It needs two, "
            "because with a bias the sums of both classes must stay equal."
        ),
        forms=N_("sequential minimal optimisation|SMO"),
        see=("dual", "multiplier", "stationarity"),
        where_to_see=("duality.gap",),
    ),
)
