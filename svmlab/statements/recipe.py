"""L5: five machines as pairs of a loss and a regulariser, one descent for all against the method of each."""

from __future__ import annotations

import numpy as np

from svmlab.core.phrase import N_, Phrase
from svmlab.firstorder.perceptron import Run, augmented, perceptron
from svmlab.losses import (
    LOSSES,
    REGULARISERS,
    Objective,
    descend,
    lasso,
    least_squares,
    missing,
    newton,
    proximal,
    shrinking_bound,
)
from svmlab.statements.counted import NARROW, by_mistake
from svmlab.statements.plane import above, need_straight
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

PATIENCE = 2_000  # mistakes
STEPS = 500  # of shrinking
PAIRS = (("squared", "R2"), ("squared", "R1"), ("logistic", "R2"), ("hinge", "R2"))


@statement(
    "L5",
    N_("One recipe, five machines"),
    sentence=N_(
        "Ridge, lasso, logistic regression, the SVM and the perceptron differ in their loss and in the "
        "price of w only: one descent finds what each one's own method finds."
    ),
    formula=r"\min_{w,b}\ \frac1m\sum_i \ell\bigl(y_i\,(\langle w, x_i\rangle + b)\bigr) + \lambda\,R(w)",
    source=(
        Source("B", N_("Known methods"), quote="Approaches considered before fit nicely into this framework"),
        Source(
            "B",
            N_("SVM and gradient descent"),
            quote="That is, SVM correspond to hinge loss with ridge regularization",
        ),
    ),
    conditions=N_(
        "The kernel is linear, λ = 1/(C m), and both classes are there where there is a bias. The "
        "perceptron has no price; where no line separates its loss says nothing, as w = 0 makes it 0."
    ),
    tolerance=1e-6,
    page="losses",
    machine="soft",
    witness=Witness(
        ((1.0, 0.0), (1.5, 1.0), (1.2, -1.0), (2.0, 0.5), (7.0, 7.0), (-1.0, 0.0), (-1.5, 1.0), (-1.2, -1.0), (-2.0, 0.5)),
        (1, 1, 1, 1, 1, -1, -1, -1, -1),
        N_("Least squares turns its line towards the far point, the SVM does not."),
    ),
)  # fmt: skip
def recipe(s: Situation, tol: float) -> Outcome:
    """Values and w of the descent against normal equations, all signs, weighted least squares, the exact SVM and a
    perceptron's run.
    """
    need_straight(s)
    s.need_classes()
    data, lam, e = s.problem.data, s.soft_problem.lam, s.soft_solution
    ridge, sparse, odds, svm = (Objective(data, LOSSES[l], REGULARISERS[r], lam, s.problem.bias) for l, r in PAIRS)
    down = [descend(objective) for objective in (ridge, sparse, odds, svm)]
    own = [least_squares(ridge), lasso(sparse), newton(odds)]
    values = [*(place.value for place in own), lam * e.objective]
    normals = [(down[0].w, own[0].w), (down[2].w, own[2].w), (down[3].w, s.expand(e.alpha))]
    left = [
        missing(o, fit.w, fit.b).max() / max(1.0, s.max_norm)
        for o, fit in zip((ridge, sparse, odds), down, strict=False)
    ]
    left.append(float(missing(sparse, own[1].w, own[1].b).max()) / max(1.0, s.max_norm))
    shrunk, stays = proximal(sparse, STEPS), proximal(sparse, 20, own[1])
    run = perceptron(augmented(s.X) if s.problem.bias else s.X, s.y, np.arange(s.m), PATIENCE)
    narrow = s.separation.separable and not run.stopped
    off = max(
        *(abs(fit.value - value) for fit, value in zip(down, values, strict=True)),
        *(above(lam, v, w) for v, w in normals),
        s.distance_in_margins(stays.w, own[1].w),
        *(float(v) for v in left),
        values[1] - shrunk.value,
        shrunk.value - values[1] - shrinking_bound(sparse, own[1].w, own[1].b, STEPS),
        steps_off(run),
        0.0 if narrow else float(run.stopped != s.separation.separable),
        float(run.errors[-1]) if run.stopped else 0.0,
    )
    names = (N_("ridge"), N_("lasso"), N_("logistic regression"), N_("SVM"))
    sides = [
        Side(Phrase("{name}, {way}", name=name, way=way), value, "F")
        for name, fit, value in zip(names, down, values, strict=True)
        for way, value in ((N_("by the descent"), fit.value), (N_("by its own method"), value))
    ]
    apart = s.distance_in_margins(down[0].w, down[3].w)
    return Outcome(
        reading(
            tol,
            off,
            *sides,
            Side("perceptron: mistakes", float(run.mistakes)),
            Side("its errors at the end", float(run.errors[-1])),
        ),
        control=reading(
            tol,
            apart,
            Side("way between w of ridge and of the SVM, in margin units", apart),
            words=N_("Whatever the loss, the line is the same."),
        ),
        note=NARROW if narrow else "",
    )  # fmt: skip


def steps_off(run: Run) -> float:
    """How far a perceptron's steps are from those down its loss, of length 1 at the point that is visited."""
    rows = run.rows[run.updates]
    t = np.minimum(0.0, (run.path[:-1] * rows).sum(1))  # a mistake but for rounding
    return by_mistake(run.path, LOSSES["perceptron"].absolute_slope(t)[:, None] * rows)
