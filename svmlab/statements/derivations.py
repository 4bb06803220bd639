"""Which statement follows from which: for each statement its premises, each with the reason in one sentence.

The premises of a statement stand in the order in which they help to understand it: the first one is the main one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from svmlab.core.phrase import N_

STARTS: tuple[str, ...] = (  # what follows from definitions alone
    *("M10", "M14"),
    *("S3", "S16", "S17"),
    *("L1", "L2", "L12"),
    *("K1", "K4", "K10"),
    *("X1",),
    *("T15", "T17"),
)

PREMISES: dict[str, dict[str, str]] = {
    "M1": {
        "M14": N_("The shortest way from x to the boundary is parallel to w, and along it f changes by ‖w‖ per length.")
    },
    "M2": {"M1": N_("The value f(x) and the norm ‖w‖ are both multiplied by c, so their quotient stays the same.")},
    "M3": {"M1": N_("The distance |f(x)|/‖w‖ is compared with 1/‖w‖, and the sign of f(x) gives the side.")},
    "M4": {"M1": N_("The widest empty strip reaches up to the nearest point, whose distance is |f(x)|/‖w‖.")},
    "M5": {
        "M2": N_("Scaling w and b changes no distance, so the smallest functional margin can be made 1."),
        "M1": N_("The nearest point then has |f(x)| = 1, so its distance is 1/‖w‖."),
    },
    "M6": {
        "M5": N_("A unit vector with margin γ, divided by γ, is canonical and has the norm 1/γ."),
        "M7": N_("So the largest margin belongs to the shortest w with all functional margins at least 1."),
    },
    "M7": {"M2": N_("If all functional margins were above 1, w and b could be scaled down, and ‖w‖ would decrease.")},
    "M8": {
        "M6": N_("No separating line has a larger margin than γ*, so this is also true for the line of the perceptron.")
    },
    "M9": {
        "M6": N_("Every other direction has a smaller margin, so its nearest point tolerates less."),
        "M1": N_("A point must move by at least its distance to reach the other side."),
    },
    "M11": {
        "M6": N_("With the sign, the largest value is the margin γ*."),
        "M1": N_("Without the sign, shifting the line increases b, and every distance grows with |b|."),
    },
    "M12": {"M3": N_("The sign of y f(x) says on which side the point lies, and 0 is a case of its own.")},
    "M13": {"M2": N_("Scaling changes every functional margin but no boundary, so only geometric margins compare.")},
    "H1": {"M7": N_("The objective ½‖w‖² is quadratic, and each constraint y f(x) ≥ 1 is linear in w and b.")},
    "H2": {"H13": N_("The inner minimum of the Lagrangian over w and b can be computed, and only α remains.")},
    "H3": {"H13": N_("Both orders of minimum and maximum give the value of the Lagrangian at its saddle point.")},
    "H4": {"H1": N_("For a convex program with linear constraints, the KKT conditions are necessary and sufficient.")},
    "H5": {"H4": N_("Stationarity in w gives the sum, and complementary slackness leaves only the active points.")},
    "H6": {"H4": N_("Σ αᵢyᵢ = 0 is stationarity in b.")},
    "H7": {
        "H10": N_("A point with αₖ > 0 has yₖf(xₖ) = 1, and this equation can be solved for b."),
        "H5": N_("In this equation, w is replaced by its sum."),
    },
    "H8": {
        "H5": N_("In f(u) = ⟨w, u⟩ + b, w is replaced by its sum, so only inner products remain."),
        "H7": N_("A support vector gives b in kernel values, too."),
    },
    "H9": {"H4": N_("Without the points with α = 0, the same w, b and α still satisfy all conditions.")},
    "H10": {"H4": N_("Complementary slackness excludes α > 0 beyond the margin, and it allows α = 0 on the margin.")},
    "H11": {"M10": N_("A common point of the convex hulls gives Σ vᵢyᵢf(xᵢ) = 0, so not all yᵢf(xᵢ) are positive.")},
    "H12": {
        "H1": N_("If there were two optimal w, their mean would satisfy the constraints and be shorter."),
        "H7": N_("A support vector then determines b."),
    },
    "H13": {"H4": N_("Where the KKT conditions hold, L is minimal in w and b and maximal in α.")},
    "H14": {"H2": N_("The variables of the two programs are counted.")},
    "H15": {"H2": N_("Q is the matrix of the dual objective."), "K4": N_("With a = (α₁y₁, …, αₘyₘ), aᵀKa is αᵀQα.")},
    "S1": {
        "H13": N_("The same argument applies to the program with slack variables."),
        "H2": N_("The multiplier of ξᵢ ≥ 0 is C − αᵢ, and it is not negative, so αᵢ has the upper bound C."),
    },
    "S2": {"S3": N_("With the hinge loss for ξᵢ, the four objectives are positive multiples of each other.")},
    "S4": {"L2": N_("The hinge loss is convex, and adding ½λ‖w‖² makes it strongly convex with the constant λ.")},
    "S5": {"S6": N_("The two equations are read for α = 0, for α between 0 and C, and for α = C.")},
    "S6": {"H4": N_("In the program with slack variables, the multiplier of ξᵢ ≥ 0 is C − αᵢ.")},
    "S7": {
        "S5": N_("A point with 0 < α < C lies exactly on its margin line."),
        "H7": N_("The equation y f(x) = 1 is solved for b as in the hard margin."),
    },
    "S8": {
        "S5": N_("A point beyond its margin line has α = 0, so all others can be support vectors."),
        "H5": N_("w is again the sum of αᵢyᵢxᵢ."),
    },
    "S9": {
        "H9": N_("As in the hard margin, the remaining multipliers still satisfy the conditions."),
        "S6": N_("These conditions contain C, so they stay the same only for the same C."),
        "S2": N_("C = 1/(λm) says how λ must change with the number of points."),
    },
    "S10": {
        "S1": N_("The two dual problems differ only in the upper bound C of the multipliers."),
        "H2": N_("A dual solution of the hard margin with all α ≤ C is also one of the soft margin."),
    },
    "S11": {
        "S13": N_("A larger C gives the losses more weight, so they cannot grow and the norm cannot fall."),
        "S6": N_("While no point changes its category, the conditions are linear equations in α, b and C."),
    },
    "S12": {
        "M1": N_("The distance to the line f = y is |f(x) − y|/‖w‖."),
        "S3": N_("For a point with slack, |f(x) − y| = 1 − y f(x) is this slack."),
    },
    "S13": {"S2": N_("A w with smaller loss and no larger norm would have a smaller objective.")},
    "S14": {"L3": N_("A subgradient in w is the slope times the point, and no slope has an absolute value above 1.")},
    "S15": {
        "L1": N_("The hinge loss of a training error is at least 1."),
        "S3": N_("The slack variable is the hinge loss."),
    },
    "L3": {
        "L2": N_("A convex function has a line through each of its points that is nowhere above it."),
        "S6": N_("At the optimum of the SVM, stationarity in w gives the slopes −yᵢαᵢ/C."),
    },
    "L4": {"M12": N_("A prediction with y f(x) > 0 is correct, and a point on the line counts as an error here.")},
    "L5": {"S2": N_("With λ, the SVM is the mean hinge loss plus λ times half the squared norm.")},
    "L6": {
        "L3": N_("The step uses one subgradient of the hinge loss for each point."),
        "S4": N_("Strong convexity makes the steps 1/r converge to the only minimiser."),
    },
    "L7": {
        "L6": N_("The sum over all points is replaced by m times one random term."),
        "P5": N_("On average over the random point, this is the batch step."),
    },
    "L8": {
        "L5": N_("The regulariser of the same sum is exchanged."),
        "L3": N_("At the optimum, 0 is a subgradient, so loss and regulariser balance in every component."),
    },
    "L9": {
        "L4": N_("Moving a line changes its number of errors only when it crosses a point."),
        "M8": N_("If the classes are separable, the perceptron stops after finitely many mistakes."),
    },
    "L10": {
        "L2": N_("From a local minimum, no chord of a convex function goes down."),
        "S4": N_("Strong convexity excludes a second minimiser w."),
    },
    "L11": {
        "L3": N_("The subgradient inequality at w, evaluated at w*, gives the sign of the inner product."),
        "S4": N_("Strong convexity adds the term with ‖w − w*‖²."),
    },
    "L13": {
        "M10": N_("A common point of the convex hulls gives every w a point with y f(x) ≤ 0, so the mistakes go on."),
        "M8": N_("As in Novikoff's proof, a mistake adds at most the squared norm of its point to ‖w‖²."),
    },
    "L14": {"L3": N_("The slope of the loss is the factor with which a point enters the subgradient.")},
    "L15": {
        "L9": N_("The line with the fewest errors can be found in the plane and compared."),
        "G0": N_("The average over samples of a minimum is at most the minimum of the average."),
    },
    "L16": {"L4": N_("A loss of this sum changes only where the sign of f changes at its point.")},
    "P1": {"L7": N_("With C = 1/(λm) and the step size 1/t, the stochastic step is the one of Pegasos.")},
    "P2": {"P1": N_("The factors 1 − 1/r after step s multiply to s/t, so v_s ends with the factor 1/(λt).")},
    "P3": {"P2": N_("λw is a mean of vectors v_s, and none of them is longer than X.")},
    "P4": {"P3": N_("‖λw − v‖ is at most λ‖w‖ + ‖v‖, and both terms are at most X.")},
    "P5": {"S4": N_("F is the mean of the losses of the points, and each point is drawn with the same probability.")},
    "P6": {
        "P14": N_("The bound for every sequence of losses is applied to the losses of the random points."),
        "P1": N_("Pegasos is online gradient descent with the step size 1/(λt)."),
    },
    "P7": {
        "P6": N_("The expectation is taken on both sides of the regret bound."),
        "P5": N_("The expected loss of a random point is F(w)."),
        "P8": N_("F at the average iterate is at most the average of F."),
        "P4": N_("G² is at most 4X²."),
    },
    "P8": {"L2": N_("F is convex, and this is Jensen's inequality for the uniform mean of the iterates.")},
    "P9": {"P2": N_("w is a sum of the training points with counts, so ⟨w, φ(x)⟩ needs only kernel values.")},
    "P10": {"P2": N_("The sum θ in step t contains the t − 1 earlier updates, and w is 1/λ times their mean.")},
    "P11": {"P7": N_("The bound is about the average of the iterates.")},
    "P12": {
        "P7": N_("The bound in expectation gives the rate of F."),
        "S4": N_("Strong convexity bounds the squared distance by 2/λ times the gap of F."),
    },
    "P13": {"P10": N_("The listing computes w from θ at the beginning of a round, so the last θ is never used.")},
    "P14": {"S4": N_("Strong convexity bounds each difference of losses by a gradient term and a squared distance.")},
    "P15": {
        "P7": N_("Markov's inequality turns a bound on the expectation into a bound on the probability."),
        "P12": N_("A small gap of F means a small distance from w*."),
    },
    "X2": {"S1": N_("The dual is derived in the same way, with one multiplier for each edge of the tube.")},
    "X3": {
        "P1": N_("A stochastic step uses one point and its d coordinates."),
        "P9": N_("A kernel step uses the kernel values of one point with all others."),
        "H2": N_("The dual program has m variables and a dense matrix Q."),
    },
    "K2": {"K1": N_("The number of different monomials in the sum is counted.")},
    "K3": {"K2": N_("The number of features is compared with the multiplications of one kernel value.")},
    "K5": {"K4": N_("Each rule keeps every Gram matrix symmetric and positive semidefinite.")},
    "K6": {"K5": N_("Its factors are an exponential of a kernel and f(x) f(z), which the rules allow.")},
    "K7": {"K6": N_("The exponential of ⟨x, z⟩/σ² is expanded as a series, and each term is a product of features.")},
    "K8": {"K9": N_("Expanding ‖v + u‖² leaves no mixed term, so a part u outside the span only lengthens w.")},
    "K9": {
        "K4": N_("With a = c, aᵀKa is the squared norm of this sum."),
        "S8": N_("For the SVM, w is the sum of αᵢyᵢφ(xᵢ)."),
    },
    "K11": {
        "K9": N_("With the coefficients K⁻¹y, all functional margins are 1, and ‖w‖² = yᵀK⁻¹y is at most m/λ_min."),
        "K7": N_("The features of different points are linearly independent, so λ_min is positive."),
        "M5": N_("The margin of this w is 1/‖w‖."),
    },
    "K12": {"K4": N_("One Gram matrix with a negative eigenvalue refutes that a function is a kernel.")},
    "K13": {"K6": N_("The same steps work with any kernel k instead of the inner product.")},
    "K14": {"H8": N_("The decision function is a sum of kernel values with the support vectors.")},
    "G0": {"S2": N_("w minimises the objective of its own sample, and no other w has a smaller value there.")},
    "G1": {
        "S9": N_("The N support vectors alone give the same classifier, so the other points are test points."),
        "S5": N_("A misclassified point has α = C, so it is a support vector."),
    },
    "G2": {
        "G7": N_("Lines shatter at most three points of the plane, and a required margin only makes this harder."),
        "G3": N_("G3 gives the exact limit for three points in the plane."),
    },
    "G3": {"M4": N_("Two points of different classes at distance a allow a margin of at most a/2.")},
    "G4": {
        "S14": N_("Exchanging one training point changes its loss by at most r times the change of w."),
        "S4": N_("Strong convexity bounds how much w changes."),
    },
    "G5": {"G9": N_("The number of support vectors depends on the positions relative to the margin lines.")},
    "G6": {"G2": N_("Sauer's bound counts labellings with the VC dimension.")},
    "G7": {"M10": N_("Some labelling of four points has convex hulls that meet, so no line separates it.")},
    "G10": {"G7": N_("The VC dimension belongs to all lines together, and E_in is 0 for each separating line.")},
    "G8": {"G3": N_("Scaling the unit circle by R scales the limit 3/4 to 3R/4.")},
    "G9": {"S5": N_("A point with slack has α = C, and a point beyond its margin line has α = 0.")},
    "T1": {
        "S1": N_(
            "The dual objective contains C and the 1 of each constraint, and its derivatives are the slacks and the αᵢ."
        )
    },
    "T2": {
        "S1": N_("Every feasible α gives a dual value D(α) of at most P*."),
        "S4": N_("The objective is strongly convex, so it rises by at least half the squared distance from w*."),
    },
    "T3": {
        "S1": N_("P = D at the optimum, so ‖w*‖² is Σαᵢ − CΣξᵢ, and every αᵢ is at most C."),
        "S2": N_("With C = 1/(λm), the sum of all C is 1/λ."),
    },
    "T4": {"S3": N_("The hinge loss depends on f alone, and w/s gives the stretched points the same f.")},
    "T5": {"K4": N_("The Gram matrix of two points is positive semidefinite, so its determinant is not negative.")},
    "T6": {
        "S9": N_("Without a point with α = 0 the solution stays the same."),
        "S1": N_("Leaving out a point changes the dual value by at most a multiple of αᵢ²R²."),
    },
    "T7": {
        "S4": N_("Both objectives are strongly convex, so each rises with the squared distance of the two minimisers."),
        "S14": N_("Only one loss differs, and it changes by at most X times this distance."),
    },
    "T8": {
        "H2": N_(
            "Without point i, the optimal dual value is lower by at most ½αᵢ²k(xᵢ, xᵢ), so an error needs "
            "αᵢk(xᵢ, xᵢ) ≥ 1."
        ),
        "H3": N_("The sum of the αᵢ is ‖w*‖² = 1/γ²."),
    },
    "T9": {"H2": N_("With squared slack, ξᵢ = αᵢ/C subtracts αᵢ²/(2C) from the dual objective.")},
    "T10": {
        "S1": N_("If the sum of the αᵢ of a class is fixed, the dual minimises the distance of two weighted means.")
    },
    "T11": {
        "S1": N_("The two duals differ by a factor, if the sum of the αᵢ is the same."),
        "S5": N_(
            "A point with slack has αᵢ = C and no αᵢ is larger, so Σαᵢ/C lies between the numbers of points with slack "
            "and of support vectors."
        ),
    },
    "T12": {
        "H6": N_("The equation y′α = 0 fixes each multiplier once all others are given."),
        "S1": N_("Along the remaining line the dual objective is a parabola, and 0 ≤ α ≤ C limits the step."),
    },
    "T13": {"L5": N_("The objective is the squared loss plus ½‖w‖², so its gradient is linear.")},
    "T14": {"H13": N_("Slater’s condition gives a saddle point of the Lagrangian.")},
    "T16": {
        "T15": N_("T15 bounds the complexity of f, and a loss with slope at most 1/ρ multiplies it by at most 1/ρ.")
    },
    "T18": {
        "L10": N_("On separable points the logistic loss has no minimum, so ‖w‖ grows without bound."),
        "H5": N_(
            "The points with the smallest margins dominate the gradient, so w becomes a sum over support vectors."
        ),
    },
    "T19": {"M10": N_("A labelling counts if and only if some hyperplane separates it.")},
    "T20": {"L1": N_("The hinge loss of f of the own class minus f of a rival is at least 1 on an error.")},
}


@dataclass(frozen=True)
class Link:
    """A statement that follows from another one, its premise, with the reason in one sentence."""

    id: str
    premise: str
    reason: str


LINKS: tuple[Link, ...] = tuple(
    Link(id, premise, reason) for id, premises in PREMISES.items() for premise, reason in premises.items()
)


def premises(id: str) -> tuple[Link, ...]:
    """Return the links from which a statement follows, the main one first."""
    return tuple(link for link in LINKS if link.id == id)


def consequences(id: str) -> tuple[Link, ...]:
    """Return the links for which a statement is used."""
    return tuple(link for link in LINKS if link.premise == id)


def levels(premises_of: Mapping[str, Mapping[str, str]] = PREMISES) -> dict[str, int]:
    """Return for each statement how many links its longest derivation has; 0 for one that starts.

    Raises ValueError if a statement follows from itself, directly or through others.
    """
    level_of: dict[str, int] = {}

    def level(id: str, chain: tuple[str, ...]) -> int:
        if id in chain:
            raise ValueError(f"{' from '.join((*chain[chain.index(id) :], id))}: no statement may follow from itself.")
        if id not in level_of:
            above = [level(premise, (*chain, id)) for premise in premises_of.get(id, {})]
            level_of[id] = 1 + max(above) if above else 0
        return level_of[id]

    for id in dict.fromkeys((*premises_of, *(p for each in premises_of.values() for p in each))):
        level(id, ())
    return level_of
