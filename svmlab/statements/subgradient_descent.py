"""L6, L7 and X3: the descent methods of note B, and the cost of training."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.firstorder.subgradient import Reading, batch_descent, sgd
from svmlab.pegasos import gap_bound, objective
from svmlab.statements.multiplication_counts import Step, exponent
from svmlab.statements.pegasos_steps import no_bias_note, runs_away_from_origin
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.walk import STEPS, TIE, PegasosRuns

ETA = 0.1
KINDS: tuple[Reading, ...] = ("repaired", "printed", "signed", "as written")
SMALL, LARGE = 20, 40  # numbers of points between which the exponents are measured
FOUR = ((2.0, 1.0), (0.5, 0.5), (-1.0, -0.5), (0.5, -1.0))
NO_BIAS = N_(
    "λ = 1/(C m), and there is no bias, because the updates in the slides never change w₀. At least "
    "one point is not at the origin."
)


@statement(
    "L6",
    N_("Batch subgradient descent"),
    sentence=N_(
        "Batch subgradient descent takes its step against a subgradient of the objective over all points. "
        "Its iterates converge to w* if the step size in step r is 1/r."
    ),
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
            flaw=N_(
                "The objective needs a factor for the norm, because it sets how much the norm counts against the "
                "losses. The slides drop the factor α here, and use the letter α for the step size later."
            ),
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
                "For convergence on every board, the step size must decrease. With a constant step size, w can "
                "end in oscillations around w*. The slides do not mention this."
            ),
            at=75,
        ),
    ),
    conditions=NO_BIAS,
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    repair=N_(
        "With step size 1/r the iterates converge to w*. With the constant step size of the slides, they "
        "can oscillate around w* without converging."
    ),
    witness=Witness(
        FOUR,
        (1, 1, -1, -1),
        N_("With a constant step size, w crosses a kink of F to and fro and does not come closer to w*."),
        bias=False,
    ),
)
def batch(s: Situation, tol: float) -> Outcome:
    """Compare the two iterations with the exact w*.

    With steps 1/r the iterates of the engine are those of the formula of the repair, and the average iterate keeps the
    bound, which converges to 0. With the constant step only the iterates after the first fifth count, where
    0.9^r is below rounding.
    """
    k = runs_away_from_origin(s)
    first, last = STEPS // 10, 5 * STEPS
    repaired, printed = (batch_descent(k.data, k.lam, last, eta=eta) for eta in (None, ETA))
    gaps = repaired.average[0] - k.min_objective
    early_gap = float(gaps[(first <= repaired.t) & (repaired.t <= STEPS)].max())
    late_gap = min(float(gaps[-1]), float(repaired.last[0, -1]) - k.min_objective)
    excess = float((gaps - gap_bound(k.X, k.lam, repaired.t)).max())
    excess = max(excess, float((0.5 * k.lam * ((repaired.averages[0] - k.w) ** 2).sum(-1) - gaps).max()))
    excess = max(excess, 0.0)
    by_hand = batch_by_hand(k, STEPS)
    early = repaired.t <= len(by_hand)
    differences = repaired.iterates[0][early] - by_hand[repaired.t[early] - 1]
    means = np.cumsum(by_hand, axis=0)[repaired.t[early] - 1] / repaired.t[early][:, None]
    mean_differences = repaired.averages[0][early] - means
    distances = [s.distance_in_margins(w, k.w) for w in printed.iterates[0][printed.t > STEPS]]
    return Outcome(
        printed=reading(
            tol,
            max(distances),
            Side("steps", float(last)),
            Side(Phrase("largest distance from w* after {steps} steps", steps=STEPS), max(distances)),
            Side("smallest distance from w* after them", min(distances)),
            words=Phrase(
                "The iterates converge to w* with the constant step size {eta}. Distances are in margin units.", eta=ETA
            ),
        ),
        repaired=reading(
            tol,
            max(excess / k.loss_unit, *(float(np.abs(v).max()) / k.unit for v in (differences, mean_differences))),
            Side(
                Phrase("largest F(w̄) − F(w*), w̄ the average iterate, {first} to {then} steps", first=first, then=STEPS),
                early_gap,
                r"F(\bar w)-F(w^*)",
            ),
            Side(Phrase("smaller gap of F, of w̄ or of the last w, after {steps} steps", steps=last), late_gap),
            Side("bound for the average at this step", float(gap_bound(k.X, k.lam, last))),
            Side("F(w) − F(w*) at the last w", float(repaired.last[0, -1]) - k.min_objective),
            Side("distance of the last w from w*", s.distance_in_margins(repaired.iterates[0, -1], k.w)),
        ),
        note=no_bias_note(s),
    )


def batch_by_hand(k: PegasosRuns, steps: int) -> Array:
    """Return the iterates w^(1), ... of w - w/r + (1/r) C sum of y x over the points with a margin below 1, (n, D).

    n is `steps`, or less where a margin is 1 up to rounding, because rounding then decides the next iterate.
    """
    w, out, C = np.zeros(k.data.d), [], 1.0 / (k.lam * k.data.m)
    z = k.data.y[:, None] * k.data.X
    for r in range(1, steps + 1):
        out.append(w)
        margins = z @ w
        if (np.abs(margins - 1.0) < TIE * k.loss_unit).any():
            break
        w = w - w / r + (C / r) * z[margins < 1.0].sum(0)
    return np.array(out)


@statement(
    "L7",
    N_("Stochastic subgradient descent"),
    sentence=N_(
        "Each step uses one random training point. It multiplies w by 1 − η. If the margin of the point is "
        "below 1, it also adds η C m y x. With η = 1/r in step r this is Pegasos."
    ),
    formula=r"w^{(r+1)} = w^{(r)} - \eta_r w^{(r)} + \eta_r\, C m\, y_i x_i\,[\,y_i\langle w^{(r)},x_i\rangle<1\,]",
    source=(
        Source(
            "B",
            N_("SVM and SGD, on a violation"),
            "misprint",
            quote=r"$\mathbf{w}^{(r)} - \alpha \mathbf{w}^{(r)} + \alpha_i \phi(\mathbf{x}_i)$",
            flaw=N_(
                "The step needs the step size times the label in front of φ(x), as in the batch update of the "
                "slides. They print αᵢ instead."
            ),
            at=76,
        ),
        Source(
            "B",
            N_("SVM and SGD, otherwise"),
            "false",
            quote=r"$\mathbf{w}^{(r+1)} = \mathbf{w}^{(r)} \quad \text{otherwise}$",
            flaw=N_(
                "w shrinks in every step, because the gradient of ½‖w‖² is w. The slides leave w unchanged if the "
                "margin is at least 1."
            ),
            at=76,
        ),
    ),
    conditions=join_phrases(
        NO_BIAS, N_("The comparison with Pegasos ends at the first margin that is 1 up to rounding.")
    ),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    repair=N_(
        "w shrinks in every step, and a point x is added with its label. Without the factor C m, this "
        "minimises the objective with C = 1/m. With the factor C m, it minimises the objective with C."
    ),
    witness=Witness(
        FOUR, (1, 1, -1, -1), N_("The average iterate of the update in the slides ends far from w*."), bias=False
    ),
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
            Side("distance of its average iterate from w*", s.distance_in_margins(printed.averages[0, -1], k.w)),
            Side(
                "the same with the label, without shrinking",
                s.distance_in_margins(signed.averages[0, -1], k.w),
            ),
            Side("the same for the corrected update", s.distance_in_margins(repaired.averages[0, -1], k.w)),
            words=N_(
                "With step size 1/r, the average iterate of this update is w* in the end. Distances are in margin "
                "units."
            ),
        ),
        repaired=reading(
            tol,
            float(distances.max()) / k.unit,
            Side("steps compared with Pegasos", float(t[-1])),
            Side("largest distance from Pegasos", float(distances.max())),
            Side("F(w̄) − F(w*) for the average iterate w̄", float(repaired.average[0, -1]) - k.min_objective),
            Side("F for C = 1/m, with label and shrinking but without C m", shrinking_objective),
        ),
        note=no_bias_note(s),
    )


@statement(
    "X3",
    N_("Cost of training"),
    sentence=N_(
        "One interior-point step on a dense quadratic program with m variables needs O(m³) "
        "multiplications. One stochastic step on w needs O(d), whatever the number m of points is. A batch "
        "step on w needs O(m d), and so does a kernel step of Pegasos if a kernel value costs O(d)."
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
        Source(
            "D",
            N_("SGD + RLM + SVM + representer theorem, its cost"),
            quote="Il costo di questo algoritmo è più elevato rispetto ad altri.",
        ),
    ),
    conditions=Phrase(
        "Multiplications are counted for {small} and {large} points of the board. If there are fewer, they "
        "are repeated. A kernel step computes the margin of its point from the counts βᵢ.",
        small=SMALL,
        large=LARGE,
    ),
    tolerance=0.25,
    page="pegasos",
    subject="points",
    witness=Witness(FOUR, (1, 1, -1, -1), N_("A batch step uses every training point."), bias=False),
)
def costs(s: Situation, tol: float) -> Outcome:
    """Count the multiplications of one step at two sizes, with the exponent of m as the slope of their logarithms."""
    _ = s.Phi
    expected: dict[Step, float] = {"dual-qp": 3.0, "step": 0.0, "batch-step": 1.0, "kernel-step": 1.0}
    names: dict[Step, str] = {
        "dual-qp": N_("one factorisation in the dense quadratic program"),
        "step": N_("one stochastic step on w"),
        "batch-step": N_("one batch step"),
        "kernel-step": N_("one kernel step"),
    }
    measured = {name: exponent(name, s.X, s.y, SMALL, LARGE) for name in expected}
    sides = [Side(Phrase("exponent of m, {name}", name=names[name]), slope) for name, (slope, _) in measured.items()]
    counted = [
        Side(Phrase("multiplications at {large} points, {name}", large=LARGE, name=names[name]), float(n))
        for name, (_, n) in measured.items()
    ]
    return Outcome(
        printed=reading(
            tol,
            max(*(abs(measured[n][0] - e) for n, e in expected.items()), counts_off(measured, s.X.shape[1])),
            *sides,
            *counted,
        ),
        control=reading(
            tol,
            abs(measured["batch-step"][0]),
            sides[2],
            words=N_("The cost of a batch step does not depend on m either."),
        ),
    )


def counts_off(measured: dict[Step, tuple[float, int]], d: int) -> float:
    """Return the most by which a count at LARGE points differs from its formula, as a number of multiplications."""
    m = LARGE
    formulas: dict[Step, int] = {
        "dual-qp": sum(j + (j < i) for i in range(m) for j in range(i + 1)),
        "step": 3 * d,
        "batch-step": 2 * m * d + d,
        "kernel-step": m * d + m,
    }
    return float(max(abs(measured[name][1] - formula) for name, formula in formulas.items()))
