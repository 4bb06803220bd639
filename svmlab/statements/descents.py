"""L6, L7 and X3: the descents of note B, and what training costs."""

from __future__ import annotations

import numpy as np

from svmlab.descent import batch_descent, sgd
from svmlab.pegasos import gap_bound, objective
from svmlab.statements.counting import exponent
from svmlab.statements.pegasos import moving, note
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement
from svmlab.statements.walk import STEPS

ETA = 0.1
SMALL, LARGE = 20, 40  # points between which slopes are taken
FOUR = ((2.0, 1.0), (0.5, 0.5), (-1.0, -0.5), (0.5, -1.0))
NO_BIAS = "λ = 1/(C m), no bias; B never updates its w₀. Not all points lie at the origin."


@statement(
    "L6",
    "Batch subgradient descent",
    sentence="Stepping against a subgradient over all points reaches w* when the steps are 1/r.",
    formula=r"w^{(r+1)} = w^{(r)} - \eta_r w^{(r)} + \eta_r\, C\sum_{i\in L} y_i x_i, \qquad L = \{i : y_i\langle w^{(r)}, x_i\rangle < 1\}, \quad \eta_r = \tfrac1r",
    source={"B": "SVM and gradient descent, resulting iteration"},
    conditions=NO_BIAS,
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    repair="With the constant step that is printed it ends in a band around w*; with 1/r it converges. The print also drops the weight α of the norm and uses the letter for the step.",
    witness=Witness(
        FOUR,
        (1, 1, -1, -1),
        "With a constant step w jumps to and fro across a kink and never comes closer.",
        bias=False,
    ),
)
def batch(s: Situation, tol: float) -> Outcome:
    """The two iterations against the exact w*; with 1/r the average must keep the bound, which goes to 0, at every checkpoint."""
    k = moving(s)
    repaired, printed = (batch_descent(k.data, k.lam, STEPS, eta=eta) for eta in (None, ETA))
    gaps = repaired.average[0] - k.least
    excess = float((gaps - gap_bound(k.X, k.lam, repaired.t)).max())
    excess = max(excess, float((0.5 * k.lam * ((repaired.averages[0] - k.w) ** 2).sum(-1) - gaps).max()), 0.0)
    band = [s.apart(w, k.w) for w in printed.iterates[0][printed.t > STEPS // 4]]
    return Outcome(
        printed=reading(
            tol,
            max(band),
            Side("steps", float(STEPS)),
            Side("farthest from w* in the last three quarters", max(band)),
            Side("nearest", min(band)),
            words=f"With the constant step {ETA}, distance in margin units.",
        ),
        repaired=reading(
            tol,
            excess / k.loss_unit,
            Side("gap of F at the average", float(gaps[-1]), r"F(\bar w)-F(w^*)"),
            Side("bound at this step", float(gap_bound(k.X, k.lam, STEPS))),
            Side("gap of F at the last w", float(repaired.last[0, -1]) - k.least),
            Side("distance of the last w to w*", s.apart(repaired.iterates[0, -1], k.w)),
        ),
        note=note(s),
    )


@statement(
    "L7",
    "Stochastic descent",
    sentence="With one drawn point a step: shrink at every step, and on a violation add y x, weighted by C m. That is Pegasos.",
    formula=r"w^{(r+1)} = w^{(r)} - \eta_r w^{(r)} + \eta_r\, C m\, y_i x_i\,[\,y_i\langle w^{(r)},x_i\rangle<1\,]",
    source={"B": "SVM and SGD"},
    conditions=NO_BIAS + " Compared with Pegasos up to the first margin that is 1 to rounding.",
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    repair="Printed is: on a violation shrink and add x without its label, otherwise leave w alone. With shrinking at every step and the label it minimises C = 1/m; the factor C m makes it the C that is asked for.",
    witness=Witness(FOUR, (1, 1, -1, -1), "The printed line ends up far from w*, whatever the step.", bias=False),
)
def stochastic(s: Situation, tol: float) -> Outcome:
    """B's line as printed and as repaired with the draws of Pegasos: against Pegasos step by step, and against w*."""
    k = moving(s)
    repaired, printed, written = (sgd(k.data, k.lam, STEPS, r) for r in ("repaired", "printed", "as written"))
    until = int(k.ties.argmax()) + 1 if k.ties.any() else STEPS
    t = repaired.t[repaired.t <= until]
    apart = np.linalg.norm(repaired.iterates[0, : len(t)] - k.steps.before[t - 1], axis=1)
    unit = float(objective(k.data, 1.0, written.averages[0, -1]))
    return Outcome(
        printed=reading(
            tol,
            s.apart(printed.averages[0, -1], k.w),
            Side("distance of its average to w*", s.apart(printed.averages[0, -1], k.w)),
            Side("of the repaired average", s.apart(repaired.averages[0, -1], k.w)),
            words="As printed, with steps 1/r; distances in margin units.",
        ),
        repaired=reading(
            tol,
            float(apart.max()) / k.unit,
            Side("steps compared with Pegasos", float(t[-1])),
            Side("largest distance to Pegasos", float(apart.max())),
            Side("gap of F at the average", float(repaired.average[0, -1]) - k.least),
            Side("with label and shrinking only: F for C = 1/m", unit),
        ),
        note=note(s),
    )


@statement(
    "X3",
    "What training costs",
    sentence="A step of a dense quadratic program costs O(m³) multiplications; a stochastic step on w costs the same for any number of points.",
    formula=r"\text{dense QP: } O(m^3), \qquad \text{stochastic step: } O(d), \qquad \text{batch or kernel step: } O(md)",
    source={"B": "limits of the standard SVM", "A": "Pegasos, one example a step"},
    conditions=f"Counted, not timed, on {SMALL} and {LARGE} points of the board, repeated where there are fewer. A kernel step is one that computes its margin from the counts.",
    tolerance=0.25,
    page="pegasos",
    machine="points",
)
def costs(s: Situation, tol: float) -> Outcome:
    """Multiplications of one step really carried out, at two sizes: the slope of their logarithms is the exponent of m."""
    _ = s.Phi
    expected = {"dual-qp": 3.0, "step": 0.0, "batch-step": 1.0, "kernel-step": 1.0}
    names = {
        "dual-qp": "one factorisation for the dense program",
        "step": "one stochastic step on w",
        "batch-step": "one batch step",
        "kernel-step": "one kernel step",
    }
    found = {name: exponent(name, s.X, s.y, SMALL, LARGE) for name in ("dual-qp", "step", "batch-step", "kernel-step")}
    sides = [Side(f"exponent of m, {names[name]}", slope) for name, (slope, _) in found.items()]
    counted = [Side(f"multiplications at {LARGE} points, {names[name]}", float(n)) for name, (_, n) in found.items()]
    return Outcome(
        printed=reading(tol, max(abs(found[n][0] - e) for n, e in expected.items()), *sides, *counted),
        control=reading(
            tol, abs(found["batch-step"][0]), sides[2], words="A batch step that would not depend on m either."
        ),
    )
