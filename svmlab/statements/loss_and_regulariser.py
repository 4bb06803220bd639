"""L5: five methods as pairs of a loss and a regulariser, one descent for all against the method of each."""

from __future__ import annotations

import numpy as np

from svmlab.core.phrase import N_, Phrase
from svmlab.firstorder.perceptron import PerceptronRun, augmented, perceptron
from svmlab.losses import (
    LOSSES,
    REGULARISERS,
    Objective,
    descend,
    lasso,
    least_squares,
    newton,
    proximal,
    proximal_gap_bound,
    subgradient_distance,
)
from svmlab.statements.plane import certain_distance, need_linear_kernel
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.zero_one_loss import NARROW_MARGIN_NOTE, perceptron_rule_error

PATIENCE = 2_000  # mistakes after which the perceptron is stopped
STEPS = 500  # steps of the proximal method
PAIRS = (("squared", "R2"), ("squared", "R1"), ("logistic", "R2"), ("hinge", "R2"))


@statement(
    "L5",
    N_("Loss plus regulariser"),
    sentence=N_(
        "Ridge regression, the lasso, logistic regression, the SVM and the perceptron all minimise a mean "
        "loss plus λ R(w). They differ only in the loss ℓ and in the regulariser R. For the first four, "
        "one descent method reaches the same minimum as the method made for each of them. The loss of the "
        "perceptron is the hinge loss, moved by 1 along the axis of t = y f(x)."
    ),
    formula=r"\min_{w,b}\ \frac1m\sum_i \ell\bigl(y_i\,(\langle w, x_i\rangle + b)\bigr) + \lambda\,R(w)",
    source=(
        Source("B", N_("Known methods"), quote="Approaches considered before fit nicely into this framework"),
        Source(
            "B",
            N_("SVM and gradient descent"),
            quote="That is, SVM correspond to hinge loss with ridge regularization",
        ),
        Source(
            "B",
            N_("Subgradient, hinge loss and perceptron"),
            "misprint",
            quote=(
                r"the hinge loss function translated by -1, that is $L_H(\mathbf{w}, b, \mathbf{x}, t) = \max(0, "
                r"-y(\mathbf{w}^T \mathbf{x} + b))$ is precisely the loss function used in the perceptron algorithm"
            ),
            flaw=N_(
                "The factor in front of the bracket is the label t. The slides print y, which is their letter for "
                "the value of the bracket."
            ),
            at=68,
        ),
    ),
    conditions=N_(
        "The kernel is linear and λ = 1/(C m). With a bias both classes are present. The perceptron has no "
        "regulariser, and its loss has the minimum 0 at w = 0, b = 0, so only its run is checked."
    ),
    tolerance=1e-6,
    page="losses",
    subject="soft",
    witness=Witness(
        (
            (1.0, 0.0),
            (1.5, 1.0),
            (1.2, -1.0),
            (2.0, 0.5),
            (7.0, 7.0),
            (-1.0, 0.0),
            (-1.5, 1.0),
            (-1.2, -1.0),
            (-2.0, 0.5),
        ),
        (1, 1, 1, 1, 1, -1, -1, -1, -1),
        N_("The point at (7, 7) rotates the line of the squared loss towards it, but not the line of the SVM."),
    ),
)
def five_methods(s: Situation, tol: float) -> Outcome:
    """Compare the values and w of the descent with the method of each: five methods.

    They are the normal equations, all sign patterns, iterated weighted least squares, the exact SVM, and a run of the
    perceptron.
    """
    need_linear_kernel(s)
    s.need_classes()
    data, lam, e = s.problem.data, s.soft_problem.lam, s.soft_solution
    ridge, sparse, logistic, svm = (Objective(data, LOSSES[l], REGULARISERS[r], lam, s.problem.bias) for l, r in PAIRS)
    descents = [descend(objective) for objective in (ridge, sparse, logistic, svm)]
    by_own_method = [least_squares(ridge), lasso(sparse), newton(logistic)]
    values = [*(fit.value for fit in by_own_method), lam * e.objective]
    normals = [
        (descents[0].w, by_own_method[0].w),
        (descents[2].w, by_own_method[2].w),
        (descents[3].w, s.expand(e.alpha)),
    ]
    # the descent smooths the corner of the lasso, where its own method finds an exact 0
    residuals = [
        subgradient_distance(o, fit.w, fit.b).max() / max(1.0, s.max_norm)
        for o, fit in ((ridge, descents[0]), (sparse, by_own_method[1]), (logistic, descents[2]))
    ]
    proximal_end, proximal_at_minimum = proximal(sparse, STEPS), proximal(sparse, 20, by_own_method[1])
    run = perceptron(augmented(s.X) if s.problem.bias else s.X, s.y, np.arange(s.m), PATIENCE)
    is_narrow = s.separation.separable and not run.converged
    difference = max(
        *(abs(fit.value - value) for fit, value in zip(descents, values, strict=True)),
        *(certain_distance(lam, v, w) for v, w in normals),
        s.distance_in_margins(proximal_at_minimum.w, by_own_method[1].w),
        *(float(v) for v in residuals),
        values[1] - proximal_end.value,
        proximal_end.value - values[1] - proximal_gap_bound(sparse, by_own_method[1].w, by_own_method[1].b, STEPS),
        distance_to_rule(run),
        shift_error(s),
        0.0 if is_narrow else float(run.converged != s.separation.separable),
        float(run.errors[-1]) if run.converged else 0.0,
    )
    names = (N_("ridge"), N_("lasso"), N_("logistic regression"), N_("SVM"))
    sides = [
        Side(Phrase("{name}, {way}", name=name, way=method), value, "F")
        for name, fit, value in zip(names, descents, values, strict=True)
        for method, value in ((N_("by the descent"), fit.value), (N_("by its own method"), value))
    ]
    ridge_svm_distance = s.distance_in_margins(descents[0].w, descents[3].w)
    return Outcome(
        reading(
            tol,
            difference,
            *sides,
            Side("mistakes of the perceptron", float(run.mistakes)),
            Side("training errors of its last iterate", float(run.errors[-1])),
        ),
        control=reading(
            tol,
            ridge_svm_distance,
            Side("distance between w of ridge and of the SVM, in margin units", ridge_svm_distance),
            words=N_("Every loss yields the same line."),
        ),
        note=NARROW_MARGIN_NOTE if is_narrow else "",
    )


def shift_error(s: Situation) -> float:
    """Return the largest difference of the perceptron loss at t and the hinge loss at t + 1, on the board's margins."""
    t = s.soft_solution.margins
    spread = np.concatenate([t, -t, np.linspace(-2.0, 2.0, 9)])
    unit = max(1.0, float(np.abs(spread).max()))
    return float(np.abs(LOSSES["perceptron"].value(spread) - LOSSES["hinge"].value(spread + 1.0)).max()) / unit


def distance_to_rule(run: PerceptronRun) -> float:
    """Return how far a perceptron's steps are from subgradient steps on its loss, of length 1 at the visited point."""
    rows = run.rows[run.updates]
    t = np.minimum(0.0, (run.path[:-1] * rows).sum(1))  # every visited point is a mistake up to rounding
    return perceptron_rule_error(run.path, LOSSES["perceptron"].absolute_slope(t)[:, None] * rows)
