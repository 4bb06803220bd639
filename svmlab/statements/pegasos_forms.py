"""P9, P10 and P13: the kernel form, the theta form, and what the listings return."""

from __future__ import annotations

import numpy as np

from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.pegasos import objective, pegasos, replay, replay_kernel, run_kernel
from svmlab.pegasos.step_rule import Rule
from svmlab.statements.pegasos_bounds import ONE_POINT
from svmlab.statements.pegasos_steps import (
    PEGASOS_CONDITIONS,
    SIX_LABELS,
    SIX_POINTS,
    no_bias_note,
    runs_away_from_origin,
)
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.walk import FAR, STEPS, PegasosRuns

LOOPS = 5  # rounds of the listings in P13


@statement(
    "P9",
    N_("Counting in kernel values"),
    sentence=N_(
        "Instead of w one can keep a signed count for each point, how often it was added, and classify "
        "by kernel values alone: the classifier is the same."
    ),
    formula=(
        r"\beta_i \leftarrow \beta_i + y_i \text{ on a violation}, \qquad \langle w_t, \phi(x)\rangle = "
        r"\frac{1}{\lambda(t-1)}\sum_j \beta_j\, k(x_j, x)"
    ),
    source=(
        Source(
            "B",
            N_("SVM, kernels and SGD"),
            quote=(
                r"a suitable version of SGD (not discussed here) can be applied to learn the $\lambda_i^*$ "
                r"coefficients of a kernelized SVM"
            ),
        ),
        Source(
            "D",
            N_("SGD + RLM + SVM + representer theorem"),
            quote=r"$\vec{\beta_{i}}^{(t+1)}=\vec{\beta_{i}}^{(t)}+y_{i}$",
        ),
        Source(
            "D",
            N_("Support Vector Machine + Kernel"),
            "misprint",
            quote=r"$\text{if } y_{1} \sum_{j=1}^m \alpha_{j} <\phi(\vec{x_{i}}),\phi(\vec{x_{j}})> \ <1$",
            flaw=N_("The label is that of the drawn point, yᵢ, not y₁."),
            at=84,
        ),
    ),
    conditions=join_phrases(
        PEGASOS_CONDITIONS, N_("The same draws; compared up to the first margin that is 1 to rounding.")
    ),
    tolerance=1e-8,
    page="pegasos",
    machine="points",
    witness=Witness(SIX_POINTS, SIX_LABELS, N_("The negative points must be counted downwards."), bias=False),
)
def counts(s: Situation, tol: float) -> Outcome:
    """Compare f at the points by counts and kernel values with f by the engine's w in feature space."""
    k = s.pegasos_runs
    run = run_kernel(s.problem.data, Rule(k.lam), STEPS, s.problem.kernel)
    stretch = replay_kernel(run, 0, 1, STEPS + 1)
    steps = int(k.ties.argmax()) + 1 if k.ties.any() else STEPS
    by_counts = (stretch.beta / stretch.c[:, None])[:steps] @ s.problem.gram
    by_w = k.steps.before[:steps] @ s.Phi.T
    unsigned = (np.abs(stretch.beta) / stretch.c[:, None])[:steps] @ s.problem.gram
    number_added = int(np.abs(stretch.beta[steps - 1]).sum())
    return Outcome(
        reading(
            tol,
            float(np.abs(by_counts - by_w).max()) / k.loss_unit,
            Side("steps compared", float(steps)),
            Side("points added in them", float(number_added), r"\sum_i |\beta_i|"),
            Side("largest value of f by counts", float(np.abs(by_counts[-1]).max())),
            Side("largest value of f by w", float(np.abs(by_w[-1]).max())),
        ),
        control=reading(
            tol,
            float(np.abs(unsigned - by_w).max()) / k.loss_unit,
            Side("largest difference of f, counts without the label", float(np.abs(unsigned - by_w).max())),
            words=N_("Counts without the label would do."),
        ),
        note=no_bias_note(s),
    )


@statement(
    "P10",
    N_("The form with θ"),
    sentence=N_("With θ the sum of the pushes so far, Pegasos is w = θ/(λ(t−1)) from the second step on."),
    formula=r"w_t = \frac{\theta_t}{\lambda (t-1)}, \qquad w_1 = 0",
    source=(
        Source(
            "D",
            N_("SGD + RLM + SVM, first line of the loop"),
            "incomplete",
            quote=r"$\vec{w}^{(t)}=\frac{1}{\delta t}\theta^{(t)}$",
            flaw=N_(
                "δ is not explained; with δ = λ, as in the listing with kernels, it does not minimise the "
                "objective above, λ|w|² + mean hinge."
            ),
            at=35,
        ),
    ),
    conditions=join_phrases(PEGASOS_CONDITIONS, N_("The same draws. Not all points lie at the origin.")),
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    repair=N_(
        "θ/(λ t) is the step 1/(λ(t+1)), which leads to the least (λ/2)|w|² + mean hinge. For λ|w|² + "
        "mean hinge take θ/(2λ(t−1))."
    ),
    witness=Witness(
        ONE_POINT.X, ONE_POINT.y, N_("With λ = 1 it goes to w = 1, and w² + (1 − w)₊ is least at 1/2."), bias=False
    ),
)
def theta(s: Situation, tol: float) -> Outcome:
    """Compare both forms, as the engine runs them, with the gradient step by hand.

    Note D's F_D(w) = lambda |w|^2 + mean hinge is F with 2 lambda. The printed form converges to the w* of F, so its
    gap in D's objective converges to a positive number.
    """
    k = runs_away_from_origin(s)
    doubled_lambda = PegasosRuns(k.data, 2 * k.lam)
    limit_of_gap = float(objective(k.data, 2 * k.lam, k.w)) - doubled_lambda.min_objective
    average = pegasos(k.data, k.lam, FAR, form="theta").averages[0, -1]
    gap = float(objective(k.data, 2 * k.lam, average)) - doubled_lambda.min_objective
    printed = replay(pegasos(k.data, k.lam, STEPS, form="theta"), 0, 1, STEPS + 1)
    twice = replay(pegasos(k.data, 0.5 * k.lam, STEPS, step=2), 0, 1, STEPS + 1)
    repaired_distances = np.linalg.norm(k.steps.before - k.by_hand.w[:-1], axis=1)
    pushes = printed.push * (k.lam * (printed.t[:, None] + 1))
    after = printed.before - (k.lam * printed.before - pushes) / (k.lam * (printed.t[:, None] + 1))
    printed_distances = np.linalg.norm(after - printed.after, axis=1)
    doubled_distances = np.linalg.norm(twice.before - k.steps.before, axis=1)
    return Outcome(
        printed=reading(
            tol,
            limit_of_gap / k.loss_unit,
            Side("gap of D's objective that the printed form tends to", limit_of_gap, r"F_D(w^*) - \min F_D"),
            Side(Phrase("its gap at the average of {steps} steps", steps=FAR), gap),
            words=N_("With λ t in the denominator, as a way to the least λ|w|² + mean hinge."),
        ),
        repaired=reading(
            tol,
            float(max(repaired_distances.max(), printed_distances.max(), doubled_distances.max())) / k.unit,
            Side("steps", float(STEPS)),
            Side(
                "largest distance to the gradient step",
                float(repaired_distances.max()),
                r"\|w_t - \theta_t/(\lambda(t-1))\|",
            ),
            Side("of the printed form to the step 1/(λ(t+1))", float(printed_distances.max())),
            Side("of θ/(2λ'(t−1)), λ' = λ/2, to Pegasos", float(doubled_distances.max())),
        ),
        note=no_bias_note(s),
    )


@statement(
    "P13",
    N_("What the loop returns"),
    sentence=N_(
        "After T rounds of the loop the last w that has been formed is the one of round T; the next one "
        "needs one more line."
    ),
    formula=(
        r"\text{for } t = 1..T:\; w^{(t)} = \tfrac{1}{\lambda t}\theta^{(t)},\ \theta^{(t+1)} = "
        r"\theta^{(t)} + v_t \quad\Rightarrow\quad w^{(T)}"
    ),
    source=(
        Source("D", N_("SGD + RLM + SVM, return"), quote=r"$\text{return }\vec{w}^{(T+1)}$"),
        Source(
            "D",
            N_("the representer form, return"),
            "misprint",
            quote=r"$\text{return }\vec{w}^{(T+1)}=\sum_{i=1}^m \alpha_{i}\vec{x_{i}}$",
            flaw=N_("The α at hand is that of round T; the first line of the loop is needed once more."),
            at=47,
        ),
        Source(
            "D",
            N_("the kernel form, loop"),
            "misprint",
            quote=r"$\text{for } T=1 \text{ to } T-1 \text{ do}$",
            flaw=N_("The loop counts t, not T, and stops one round before the other listings."),
            at=83,
        ),
    ),
    conditions=join_phrases(PEGASOS_CONDITIONS, N_("Not all points lie at the origin.")),
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    witness=Witness(
        ONE_POINT.X, ONE_POINT.y, N_("After five rounds the loop holds 4/5; the w that it promises is 5/6."), bias=False
    ),
)
def loops(s: Situation, tol: float) -> Outcome:
    """Run the first two listings literally, and compare them with w^(T) and w^(T+1) of the engine."""
    k = runs_away_from_origin(s)
    run = pegasos(k.data, k.lam, LOOPS, form="theta")
    engine = replay(run, 0, 1, LOOPS + 1)
    z = k.data.y[k.drawn, None] * k.data.X[k.drawn]
    G = (k.data.X @ k.data.X.T) * k.data.y
    theta, w = np.zeros(k.data.d), np.zeros(k.data.d)
    beta, alpha = np.zeros(k.data.m), np.zeros(k.data.m)
    for t in range(1, LOOPS + 1):
        w, alpha = theta / (k.lam * t), beta / (k.lam * t)
        i = k.drawn[t - 1]
        tie = abs(float(engine.margin[t - 1, 0]) - 1.0) < 1e-9 * k.loss_unit
        if engine.violates[t - 1, 0] if tie else w @ z[t - 1] < 1.0:
            theta = theta + z[t - 1]
        if engine.violates[t - 1, 0] if tie else alpha @ G[:, i] < 1.0:
            beta[i] += k.data.y[i]
    w_T, w_T_plus_1, after_one_more = engine.before[-1], engine.after[-1], theta / (k.lam * (LOOPS + 1))
    listings = [np.linalg.norm(v - w_T) for v in (w, alpha @ k.data.X)]
    return Outcome(
        control=reading(
            tol,
            float(np.linalg.norm(w - w_T_plus_1)) / k.unit,
            Side("norm of what the loop holds", float(np.linalg.norm(w))),
            Side("norm of what is promised", float(np.linalg.norm(w_T_plus_1)), r"\|w^{(T+1)}\|"),
            words=Phrase("The loop of {loops} rounds ends with w^(T+1).", loops=LOOPS),
        ),
        printed=reading(
            tol,
            float(max(*listings, np.linalg.norm(after_one_more - w_T_plus_1))) / k.unit,
            Side("rounds", float(LOOPS), "T"),
            Side("norm of the w of round T", float(np.linalg.norm(w_T)), r"\|w^{(T)}\|"),
            Side("first listing, distance to it", float(listings[0])),
            Side("second listing, distance to it", float(listings[1])),
            Side(
                "one more first line, distance to w of round T + 1", float(np.linalg.norm(after_one_more - w_T_plus_1))
            ),
        ),
        note=no_bias_note(s),
    )
