"""L6, L7 and X3: the descent methods of note B, and the cost of training."""

from __future__ import annotations

import numpy as np

from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.firstorder.subgradient import Reading, batch_descent, sgd
from svmlab.pegasos import gap_bound, objective
from svmlab.statements.multiplication_counts import exponent
from svmlab.statements.pegasos_steps import no_bias_note, runs_away_from_origin
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.walk import STEPS

ETA = 0.1
KINDS: tuple[Reading, ...] = ("repaired", "printed", "signed", "as written")
SMALL, LARGE = 20, 40  # numbers of points between which the exponents are measured
FOUR = ((2.0, 1.0), (0.5, 0.5), (-1.0, -0.5), (0.5, -1.0))
NO_BIAS = N_("λ = 1/(C m), no bias: the printed updates leave w₀ as it is. Not all points lie at the origin.")


@statement(
    "L6",
    N_("Batch subgradient descent"),
    sentence=N_("Stepping against a subgradient over all points reaches w* when the steps are 1/r."),
    formula=(
        r"w^{(r+1)} = w^{(r)} - \eta_r w^{(r)} + \eta_r\, C\sum_{i\in L} y_i x_i, \qquad L = \{i : "
        r"y_i\langle w^{(r)}, x_i\rangle < 1\}, "
        r"\quad \eta_r = \tfrac1r"
    ),
    source=(
        Source(
            "B",
            N_("SVM and gradient descent, cost function"),
            "misprint",
            quote=r"$\sum_{i=1}^n L_H(\mathbf{w}, w_0, \mathbf{x}_i, t_i) + R_2(\mathbf{w})$",
            flaw=N_("The weight α of the norm is dropped, and its letter is used for the step later on."),
            at=73,
        ),
        Source(
            "B",
            N_("SVM and gradient descent, resulting iteration"),
            "incomplete",
            quote=(
                r"$\mathbf{w}^{(r+1)} = \mathbf{w}^{(r)} - \alpha \mathbf{w}^{(r)} + \alpha \sum_{\mathbf{x}_i \in L} "
                r"t_i \phi(\mathbf{x}_i)$"
            ),
            flaw=N_(
                "Nothing says that the steps must fall; with a constant one w may end in a band around the optimum."
            ),
            at=75,
        ),
    ),
    conditions=NO_BIAS,
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    repair=N_(
        "With the constant step that is printed it ends in a band around w* where a free support vector "
        "puts w* on a kink, and converges elsewhere; with 1/r it always converges."
    ),
    witness=Witness(
        FOUR,
        (1, 1, -1, -1),
        N_("With a constant step w jumps to and fro across a kink and never comes closer."),
        bias=False,
    ),
)
def batch(s: Situation, tol: float) -> Outcome:
    """Compare the two iterations with the exact w*.

    With steps 1/r the average iterate keeps the bound, and fifty times the steps reduce its gap to at most a fifth (the
    bound falls to a 27th). With the constant step only the iterates after the first fifth count, where 0.9^r is below
    rounding.
    """
    k = runs_away_from_origin(s)
    first, last = STEPS // 10, 5 * STEPS
    repaired, printed = (batch_descent(k.data, k.lam, last, eta=eta) for eta in (None, ETA))
    gaps = repaired.average[0] - k.min_objective
    early_gap = float(gaps[(first <= repaired.t) & (repaired.t <= STEPS)].max())
    late_gap = min(float(gaps[-1]), float(repaired.last[0, -1]) - k.min_objective)
    excess = float((gaps - gap_bound(k.X, k.lam, repaired.t)).max())
    excess = max(excess, float((0.5 * k.lam * ((repaired.averages[0] - k.w) ** 2).sum(-1) - gaps).max()))
    excess = max(excess, late_gap - early_gap / 5, 0.0)
    distances = [s.distance_in_margins(w, k.w) for w in printed.iterates[0][printed.t > STEPS]]
    return Outcome(
        printed=reading(
            tol,
            max(distances),
            Side("steps", float(last)),
            Side(Phrase("farthest from w* after {steps} steps", steps=STEPS), max(distances)),
            Side("nearest", min(distances)),
            words=Phrase("With the constant step {eta}, distance in margin units.", eta=ETA),
        ),
        repaired=reading(
            tol,
            excess / k.loss_unit,
            Side(
                Phrase("largest gap of F at the average, {first} to {then} steps", first=first, then=STEPS),
                early_gap,
                r"F(\bar w)-F(w^*)",
            ),
            Side(Phrase("after {steps} steps", steps=last), late_gap),
            Side("bound at this step", float(gap_bound(k.X, k.lam, last))),
            Side("gap of F at the last w", float(repaired.last[0, -1]) - k.min_objective),
            Side("distance of the last w to w*", s.distance_in_margins(repaired.iterates[0, -1], k.w)),
        ),
        note=no_bias_note(s),
    )


@statement(
    "L7",
    N_("Stochastic descent"),
    sentence=N_(
        "With one drawn point a step: shrink at every step, and on a violation add y x, weighted by C m. "
        "That is Pegasos."
    ),
    formula=r"w^{(r+1)} = w^{(r)} - \eta_r w^{(r)} + \eta_r\, C m\, y_i x_i\,[\,y_i\langle w^{(r)},x_i\rangle<1\,]",
    source=(
        Source(
            "B",
            N_("SVM and SGD, on a violation"),
            "misprint",
            quote=r"$\mathbf{w}^{(r)} - \alpha \mathbf{w}^{(r)} + \alpha_i \phi(\mathbf{x}_i)$",
            flaw=N_("It has αᵢ where the step times the label belongs, as in the batch line before it."),
            at=76,
        ),
        Source(
            "B",
            N_("SVM and SGD, otherwise"),
            "false",
            quote=r"$\mathbf{w}^{(r+1)} = \mathbf{w}^{(r)} \quad \text{otherwise}$",
            flaw=N_("Without a violation w must shrink all the same: the norm has its gradient at every point."),
            at=76,
        ),
    ),
    conditions=join_phrases(NO_BIAS, N_("Compared with Pegasos up to the first margin that is 1 to rounding.")),
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    repair=N_(
        "w shrinks at every step, and x is added with its label. So it solves the problem with C = 1/m; "
        "the factor C m makes it the C that is asked for."
    ),
    witness=Witness(FOUR, (1, 1, -1, -1), N_("The printed line ends up far from w*, whatever the step."), bias=False),
)
def stochastic(s: Situation, tol: float) -> Outcome:
    """Compare B's update, as printed and as repaired, with Pegasos step by step and with w*.

    Both use the random points of Pegasos.
    """
    k = runs_away_from_origin(s)
    repaired, printed, signed, written = (sgd(k.data, k.lam, STEPS, reading) for reading in KINDS)
    first_tie = int(k.ties.argmax()) + 1 if k.ties.any() else STEPS
    t = repaired.t[repaired.t <= first_tie]
    distances = np.linalg.norm(repaired.iterates[0, : len(t)] - k.steps.before[t - 1], axis=1)
    shrinking_objective = float(objective(k.data, 1.0, written.averages[0, -1]))
    return Outcome(
        printed=reading(
            tol,
            s.distance_in_margins(printed.averages[0, -1], k.w),
            Side("distance of its average to w*", s.distance_in_margins(printed.averages[0, -1], k.w)),
            Side(
                "with the label, w left alone where nothing is violated",
                s.distance_in_margins(signed.averages[0, -1], k.w),
            ),
            Side("of the repaired average", s.distance_in_margins(repaired.averages[0, -1], k.w)),
            words=N_("As printed, with steps 1/r; distances in margin units."),
        ),
        repaired=reading(
            tol,
            float(distances.max()) / k.unit,
            Side("steps compared with Pegasos", float(t[-1])),
            Side("largest distance to Pegasos", float(distances.max())),
            Side("gap of F at the average", float(repaired.average[0, -1]) - k.min_objective),
            Side("with label and shrinking only: F for C = 1/m", shrinking_objective),
        ),
        note=no_bias_note(s),
    )


@statement(
    "X3",
    N_("What training costs"),
    sentence=N_(
        "A step of a dense quadratic program costs O(m³) multiplications; a stochastic step on w costs "
        "the same for any number of points."
    ),
    formula=(
        r"\text{dense QP: } O(m^3), \qquad \text{stochastic step: } O(d), \qquad \text{batch or kernel step: } "
        r"O(md)"
    ),
    source=(
        Source(
            "B", N_("limits of the standard SVM"), quote="Training time of the standard SVM is $O(n^3)$ (solving QP)"
        ),
        Source(
            "A",
            N_("Pegasos, one example a step"),
            quote=r"Estrai uniformemente a caso un elemento $(\mathbf{x}_{Z_t}, y_{Z_t})$ del training set",
        ),
    ),
    conditions=Phrase(
        "Counted, not timed, on {small} and {large} points of the board, repeated where there are fewer. A "
        "kernel step is one that computes its margin from the counts.",
        small=SMALL,
        large=LARGE,
    ),
    tolerance=0.25,
    page="pegasos",
    machine="points",
    witness=Witness(FOUR, (1, 1, -1, -1), N_("A batch step looks at every point."), bias=False),
)
def costs(s: Situation, tol: float) -> Outcome:
    """Count the multiplications of one step at two sizes, with the exponent of m as the slope of their logarithms."""
    _ = s.Phi
    expected = {"dual-qp": 3.0, "step": 0.0, "batch-step": 1.0, "kernel-step": 1.0}
    names = {
        "dual-qp": N_("one factorisation for the dense program"),
        "step": N_("one stochastic step on w"),
        "batch-step": N_("one batch step"),
        "kernel-step": N_("one kernel step"),
    }
    measured = {
        name: exponent(name, s.X, s.y, SMALL, LARGE) for name in ("dual-qp", "step", "batch-step", "kernel-step")
    }
    sides = [Side(Phrase("exponent of m, {name}", name=names[name]), slope) for name, (slope, _) in measured.items()]
    counted = [
        Side(Phrase("multiplications at {large} points, {name}", large=LARGE, name=names[name]), float(n))
        for name, (_, n) in measured.items()
    ]
    return Outcome(
        printed=reading(tol, max(abs(measured[n][0] - e) for n, e in expected.items()), *sides, *counted),
        control=reading(
            tol, abs(measured["batch-step"][0]), sides[2], words=N_("A batch step that would not depend on m either.")
        ),
    )
