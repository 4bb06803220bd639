"""Terms of the lesson on duality: the two programs, the proof of their optimum, and the meaning of the multipliers."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="primal",
        name=N_("primal problem"),
        definition=N_(
            "The machine looked for directly: the w and b with the least cost. Every machine gives it a "
            "value that is at least the optimum."
        ),
        forms=N_("primal"),
        formula=r"\min \frac12\|w\|^2 + C\sum_i\xi_i",
        see=("dual", "duality-gap", "objective"),
        where_to_see=("duality.programs", "H1"),
    ),
    Term(
        key="dual",
        name=N_("dual problem"),
        definition=N_(
            "The same machine looked for by weighing the points: one multiplier each, and only kernel values "
            "enter. Every choice gives a value that is at most the optimum."
        ),
        forms=N_("dual|duality"),
        symbol="D",
        letters=("D",),
        formula=(
            r"\max \sum_i\alpha_i - \frac12\,\alpha^\top Q\,\alpha,\quad 0 \le \alpha_i \le C,\quad "
            r"\sum_i\alpha_i y_i = 0"
        ),
        see=("primal", "multiplier", "kernel-matrix-q", "strong-duality"),
        where_to_see=("duality.versions", "duality.programs", "H2"),
    ),
    Term(
        key="multiplier",
        name=N_("multiplier"),
        definition=N_(
            "The weight of a point, one unknown of the dual: how hard it pulls at the boundary. 0 for all "
            "but the support vectors, and never above C."
        ),
        forms=N_("multiplier|multipliers|alpha"),
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
            "A point with α > 0. It lies on its margin line or, with slack, short of it. w is made of these "
            "points alone: delete the others, and nothing moves."
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
            "A support vector with α strictly below C. It lies exactly on its margin line, so it tells b. On "
            "the board it has one ring, one with α = C two."
        ),
        forms=N_("free support vector|free vectors|vector is free"),
        formula=r"0 < \alpha_i < C",
        see=("support-vector", "bias"),
        where_to_see=("soft.offset", "duality.offset", "S7"),
    ),
    Term(
        key="candidate",
        name=N_("candidate"),
        definition=N_("A point on its margin line: it may be a support vector, but its multiplier may also be 0."),
        forms=N_("candidate|candidates"),
        formula=r"y_i f(x_i) = 1",
        see=("support-vector", "multiplier"),
        where_to_see=("duality.weights", "H10"),
    ),
    Term(
        key="duality-gap",
        name=N_("duality gap"),
        definition=N_(
            "The primal value minus the dual value, here relative to the primal value. It is never negative, "
            "and 0 proves the optimum; what rounding leaves is shown as 0."
        ),
        forms=N_("duality gap"),
        see=("primal", "dual", "strong-duality", "certificate"),
        where_to_see=("duality.gap", "duality.parts", "H3"),
    ),
    Term(
        key="strong-duality",
        name=N_("strong duality"),
        definition=N_(
            "The best primal and the best dual value are the same, so no gap remains. It holds here because "
            "the problem is convex with linear constraints."
        ),
        forms=N_("strong duality"),
        see=("duality-gap", "convex", "constraint"),
        where_to_see=("duality.gap", "duality.saddle", "H3"),
    ),
    Term(
        key="constraint",
        name=N_("constraint"),
        definition=N_(
            "What a solution must obey, here one inequality for each point. It is tight where it holds with "
            "equality; what obeys all of them is feasible."
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
            "The best solution, marked by a star: no other has a smaller cost. w* is the only one; the "
            "multipliers of one machine may be several."
        ),
        forms=N_("optimum|optimal"),
        symbol="w*",
        signs=("w*",),
        letters=("w^*",),
        see=("objective", "kkt", "least-norm"),
        where_to_see=("duality.weights", "H12"),
    ),
    Term(
        key="least-norm",
        name=N_("α of least norm"),
        definition=N_(
            "Several α may be optimal for one machine. Of these the one with the smallest sum of squares is "
            "shown (with class costs, of αᵢ²/Cᵢ), so that the picture depends on the points alone."
        ),
        forms=N_("least norm"),
        see=("multiplier", "optimum"),
        where_to_see=("duality.weights", "H12"),
    ),
    Term(
        key="kkt",
        name=N_("KKT conditions"),
        definition=N_(
            "What holds at an optimum, and only there (Karush, Kuhn, Tucker): stationarity, primal and dual "
            "feasibility, complementary slackness."
        ),
        forms=N_("KKT conditions|KKT|optimality conditions|conditions of optimality|optimality"),
        see=("stationarity", "feasibility", "complementary-slackness", "certificate"),
        where_to_see=("duality.kkt", "duality.parts", "H4", "S6"),
    ),
    Term(
        key="stationarity",
        name=N_("stationarity"),
        definition=N_(
            "One of the KKT conditions: w is the sum of the points, weighed by α and their labels, and with "
            "a bias both classes weigh the same."
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
            "Two of the KKT conditions: the machine keeps its constraints (primal), and no multiplier is "
            "below 0 or above C (dual)."
        ),
        forms=N_("primal feasibility|dual feasibility"),
        formula=r"y_i f(x_i) \ge 1 - \xi_i,\quad \xi_i \ge 0,\quad 0 \le \alpha_i \le C",
        see=("kkt", "constraint"),
        where_to_see=("duality.kkt", "H4"),
    ),
    Term(
        key="complementary-slackness",
        name=N_("complementary slackness"),
        definition=N_(
            "One of the KKT conditions: of a constraint's room and its multiplier one is 0. Whoever has room "
            "to spare pulls at nothing."
        ),
        forms=N_("complementarity"),
        formula=r"\alpha_i (y_i f(x_i) - 1 + \xi_i) = 0,\quad (C - \alpha_i)\,\xi_i = 0",
        see=("kkt", "slack", "multiplier"),
        where_to_see=("duality.kkt", "soft.places", "S6"),
    ),
    Term(
        key="lagrangian",
        name=N_("Lagrangian"),
        definition=N_(
            "The cost less each constraint's room times its multiplier. Least over w and b, it is the dual; "
            "largest over α, the primal."
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
            "A problem whose cost is quadratic and whose constraints are linear: primal and dual are both of "
            "this kind, and any solver for them will do."
        ),
        forms=N_("quadratic program|quadratic programs"),
        see=("primal", "dual", "convex"),
        where_to_see=("duality.programs", "H1", "X3"),
    ),
    Term(
        key="certificate",
        name=N_("certificate"),
        definition=N_(
            "Numbers by which an answer can be checked without trusting who found it: for an optimum the KKT "
            "conditions and the gap, for “no boundary” weights for which both hulls share a place."
        ),
        forms=N_("certificate"),
        see=("kkt", "duality-gap", "convex-hull"),
        where_to_see=("duality.kkt", "margin.exists"),
    ),
    Term(
        key="smo",
        name=N_("sequential minimal optimisation"),
        definition=N_(
            "A way to climb the dual that moves two multipliers at a time, since with a bias they have to "
            "balance (Platt 1998)."
        ),
        forms=N_("sequential minimal optimisation"),
        see=("dual", "multiplier", "stationarity"),
        where_to_see=("duality.gap",),
    ),
)
