"""P9, P10 and P13: the kernel form, the theta form, and what the listings return."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Mask
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
from svmlab.statements.walk import RATE_STEPS, STEPS, TIE, PegasosRuns

LOOPS = 5  # rounds of the listings in P13


@statement(
    "P9",
    N_("Pegasos with a kernel"),
    sentence=N_(
        "Pegasos can store a count βᵢ for each training point instead of w. Whenever the random point xᵢ "
        "has a margin below 1, βᵢ changes by yᵢ. Then f is a weighted sum of kernel values, and it is the "
        "same f as with w in feature space."
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
            flaw=N_("The condition needs the label yᵢ of the random point. The notes print y₁."),
            at=84,
        ),
    ),
    conditions=join_phrases(
        PEGASOS_CONDITIONS,
        N_(
            "Both versions use the same random points. The comparison ends at the first margin that is 1 up to "
            "rounding."
        ),
    ),
    tolerance=1e-8,
    page="pegasos",
    subject="points",
    witness=Witness(SIX_POINTS, SIX_LABELS, N_("The counts of points labelled −1 must decrease."), bias=False),
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
    own_margins = k.data.y[k.drawn[:steps]] * by_w[np.arange(steps), k.drawn[:steps]]
    is_clear = np.abs(own_margins - 1.0) > TIE * k.loss_unit
    undecided = (stretch.violates[:steps].reshape(steps, -1)[:, 0] != (own_margins < 1.0)) & is_clear
    return Outcome(
        reading(
            tol,
            max(
                float(np.abs(by_counts - by_w).max()) / k.loss_unit,
                float(undecided.sum()),
                float((stretch.drawn.ravel()[:STEPS] != k.drawn).sum()),
            ),
            Side("steps compared", float(steps)),
            Side("updates with a margin below 1", float(number_added), r"\sum_i |\beta_i|"),
            Side("largest absolute value of f with counts", float(np.abs(by_counts[-1]).max())),
            Side("largest absolute value of f with w", float(np.abs(by_w[-1]).max())),
        ),
        control=reading(
            tol,
            float(np.abs(unsigned - by_w).max()) / k.loss_unit,
            Side("largest difference of f, counts without the label", float(np.abs(unsigned - by_w).max())),
            words=N_("Counts without the label yield the same classifier."),
        ),
        note=no_bias_note(s),
    )


@statement(
    "P10",
    N_("Pegasos with a sum of updates"),
    sentence=N_(
        "Let θ be the sum of the updates v_s of all steps before step t. An update v_s is y x if the "
        "margin of the point is below 1, and otherwise 0. From the second step on, Pegasos has w = "
        "θ/(λ(t−1))."
    ),
    formula=r"w_t = \frac{\theta_t}{\lambda (t-1)}, \qquad w_1 = 0",
    source=(
        Source(
            "D",
            N_("SGD + RLM + SVM, first line of the loop"),
            "incomplete",
            quote=r"$\vec{w}^{(t)}=\frac{1}{\delta t}\theta^{(t)}$",
            flaw=N_(
                "With δ = λ, as in the listing with kernels, w = θ/(λ t) converges to the minimiser of (λ/2)‖w‖² "
                "+ mean hinge loss. The objective in the notes is λ‖w‖² + mean hinge loss. The notes do not "
                "define δ."
            ),
            at=35,
        ),
    ),
    conditions=join_phrases(
        PEGASOS_CONDITIONS, N_("All forms use the same random points. At least one point is not at the origin.")
    ),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    repair=N_(
        "The form θ/(λ t) belongs to the step size 1/(λ(t+1)) and to the objective (λ/2)‖w‖² + mean hinge "
        "loss. For λ‖w‖² + mean hinge loss, the form is θ/(2λ(t−1))."
    ),
    witness=Witness(
        ONE_POINT.X,
        ONE_POINT.y,
        N_(
            "For one point and λ = 1, the iterates converge to w = 1. However, w² + max(0, 1 − w) has its "
            "minimum at w = 1/2."
        ),
        bias=False,
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
    average = pegasos(k.data, k.lam, RATE_STEPS, form="theta").averages[0, -1]
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
            Side("limit of the gap in the objective of the notes", limit_of_gap, r"F_D(w^*) - \min F_D"),
            Side(Phrase("gap at the average of {steps} steps", steps=RATE_STEPS), gap),
            words=N_("The iterates w = θ/(λ t) converge to the minimiser of λ‖w‖² + mean hinge loss."),
        ),
        repaired=reading(
            tol,
            float(max(repaired_distances.max(), printed_distances.max(), doubled_distances.max())) / k.unit,
            Side("steps", float(STEPS)),
            Side(
                "largest distance from the gradient step",
                float(repaired_distances.max()),
                r"\|w_t - \theta_t/(\lambda(t-1))\|",
            ),
            Side("distance of θ/(λ t) from step size 1/(λ(t+1))", float(printed_distances.max())),
            Side("distance of θ/(2λ'(t−1)) from Pegasos, λ' = λ/2", float(doubled_distances.max())),
        ),
        note=no_bias_note(s),
    )


@statement(
    "P13",
    N_("The iterate that the loop returns"),
    sentence=N_(
        "After T rounds, the last iterate that the loop has computed is w^(T). To obtain w^(T+1), the "
        "first line of the loop must be executed once more."
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
            flaw=N_(
                "The coefficients α after the loop belong to round T. For w^(T+1), the first line of the loop must "
                "be executed once more. The notes omit this."
            ),
            at=47,
        ),
        Source(
            "D",
            N_("the kernel form, loop"),
            "misprint",
            quote=r"$\text{for } T=1 \text{ to } T-1 \text{ do}$",
            flaw=N_(
                "The loop variable is t, and the loop needs T rounds, as in the other listings. The notes print T "
                "as the loop variable, and T − 1 rounds."
            ),
            at=83,
        ),
    ),
    conditions=join_phrases(PEGASOS_CONDITIONS, N_("At least one point is not at the origin.")),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    witness=Witness(
        ONE_POINT.X,
        ONE_POINT.y,
        N_("After five rounds the loop has computed w^(5) = 4/5, and w^(6) would be 5/6."),
        bias=False,
    ),
)
def loops(s: Situation, tol: float) -> Outcome:
    """Run the three listings literally, and compare them with w^(T) and w^(T+1) of the engine."""
    k = runs_away_from_origin(s)
    run = pegasos(k.data, k.lam, LOOPS, form="theta")
    engine = replay(run, 0, 1, LOOPS + 1)
    z = k.data.y[k.drawn, None] * k.data.X[k.drawn]
    G = (k.data.X @ k.data.X.T) * k.data.y
    theta, w = np.zeros(k.data.d), np.zeros(k.data.d)
    beta, alpha = np.zeros(k.data.m), np.zeros(k.data.m)
    short, full = (kernel_listing(k, s.problem.gram, engine.violates[:, 0], rounds) for rounds in (LOOPS - 1, LOOPS))
    for t in range(1, LOOPS + 1):
        w, alpha = theta / (k.lam * t), beta / (k.lam * t)
        i = k.drawn[t - 1]
        tie = abs(float(engine.margin[t - 1, 0]) - 1.0) < 1e-9 * k.loss_unit
        if engine.violates[t - 1, 0] if tie else w @ z[t - 1] < 1.0:
            theta = theta + z[t - 1]
        if engine.violates[t - 1, 0] if tie else alpha @ G[:, i] < 1.0:
            beta[i] += k.data.y[i]
    w_T, w_T_plus_1, after_one_more = engine.before[-1], engine.after[-1], theta / (k.lam * (LOOPS + 1))
    listings = [np.linalg.norm(v - w_T) for v in (w, alpha @ k.data.X, full @ k.data.X)]
    shares = float(np.abs(engine.shrink + engine.push - engine.after).max())  # the two parts of a step
    cut_short = float(np.linalg.norm(short @ k.data.X - engine.before[-2]))
    return Outcome(
        control=reading(
            tol,
            float(np.linalg.norm(w - w_T_plus_1)) / k.unit,
            Side("norm of the last w of the loop", float(np.linalg.norm(w))),
            Side("norm of the w that the notes return", float(np.linalg.norm(w_T_plus_1)), r"\|w^{(T+1)}\|"),
            words=Phrase("After {loops} rounds, the loop has computed w^(T+1).", loops=LOOPS),
        ),
        printed=reading(
            tol,
            max(*map(float, listings), cut_short, shares, float(np.linalg.norm(after_one_more - w_T_plus_1))) / k.unit,
            Side("rounds", float(LOOPS), "T"),
            Side("norm of w in round T", float(np.linalg.norm(w_T)), r"\|w^{(T)}\|"),
            Side("distance of the first listing from it", float(listings[0])),
            Side("distance of the second listing from it", float(listings[1])),
            Side("distance of the kernel form from it, after T rounds", float(listings[2])),
            Side("distance of the kernel form from w^(T−1), after the T − 1 rounds of the notes", cut_short),
            Side("distance from w^(T+1) after one more first line", float(np.linalg.norm(after_one_more - w_T_plus_1))),
        ),
        note=no_bias_note(s),
    )


def kernel_listing(k: PegasosRuns, gram: Array, decided: Mask, rounds: int) -> Array:
    """Return the coefficients alpha (m,) of the listing with kernels after so many rounds.

    gram (m, m) holds the kernel values. decided (rounds,) is used where a margin is 1 up to rounding.
    """
    beta, alpha, y = np.zeros(k.data.m), np.zeros(k.data.m), k.data.y
    for t in range(1, rounds + 1):
        i, alpha = k.drawn[t - 1], beta / (k.lam * t)
        margin = float(y[i] * (alpha @ gram[:, i]))
        if decided[t - 1] if abs(margin - 1.0) < TIE * k.loss_unit else margin < 1.0:
            beta[i] += y[i]
    return alpha
