"""P9, P10 and P13: the kernel form, the theta form, and what the listings return."""

from __future__ import annotations

import numpy as np

from svmlab.pegasos import pegasos, replay, replay_kernel, run_kernel
from svmlab.pegasos.rule import Rule
from svmlab.statements.pegasos import ANY, moving, note
from svmlab.statements.rates import POINT
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement
from svmlab.statements.walk import STEPS

LOOPS = 5  # steps of the listings in P13


@statement(
    "P9",
    "Counting in kernel values",
    sentence="Instead of w one can keep a signed count for each point, how often it was added, and classify by kernel values alone: the classifier is the same.",
    formula=r"\beta_i \leftarrow \beta_i + y_i \text{ on a violation}, \qquad \langle w_t, \phi(x)\rangle = \frac{1}{\lambda(t-1)}\sum_j \beta_j\, k(x_j, x)",
    source={"D": "SGD + RLM + SVM + representer theorem"},
    conditions=ANY + " The same draws; compared up to the first margin that is 1 to rounding. D prints y₁ for yᵢ.",
    tolerance=1e-8,
    page="pegasos",
    machine="points",
)
def counts(s: Situation, tol: float) -> Outcome:
    """F at the points: counts and the kernel's matrix on one side, the engine's w in feature space on the other."""
    k = s.walk
    run = run_kernel(s.problem.data, Rule(k.lam), STEPS, s.problem.kernel)
    kept = replay_kernel(run, 0, 1, STEPS + 1)
    until = int(k.ties.argmax()) + 1 if k.ties.any() else STEPS
    by_counts = (kept.beta / kept.c[:, None])[:until] @ s.problem.gram
    by_w = k.steps.before[:until] @ s.Phi.T
    added = int(np.abs(kept.beta[until - 1]).sum())
    return Outcome(
        reading(
            tol,
            float(np.abs(by_counts - by_w).max()) / k.loss_unit,
            Side("steps compared", float(until)),
            Side("points added in them", float(added), r"\sum_i |\beta_i|"),
            Side("largest value of f by counts", float(np.abs(by_counts[-1]).max())),
            Side("largest value of f by w", float(np.abs(by_w[-1]).max())),
        ),
        note=note(s),
    )


@statement(
    "P10",
    "The form with θ",
    sentence="With θ the sum of the pushes so far, Pegasos is w = θ/(λ(t−1)) from the second step on.",
    formula=r"w_t = \frac{\theta_t}{\lambda (t-1)}, \qquad w_1 = 0",
    source={"D": "SGD + RLM + SVM, first line of the loop"},
    conditions=ANY + " The same draws. Not all points lie at the origin.",
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    repair="Printed is θ/(λ t), which is Pegasos with the step 1/(λ(t+1)). It minimises (λ/2)|w|² + mean hinge; for λ|w|², as D has it, take θ/(2λ(t−1)).",
    witness=POINT,
)
def theta(s: Situation, tol: float) -> Outcome:
    """Both forms as the engine runs them, against the gradient step by hand; the printed one against its own step too."""
    k = moving(s)
    printed = replay(pegasos(k.data, k.lam, STEPS, form="theta"), 0, 1, STEPS + 1)
    twice = replay(pegasos(k.data, 0.5 * k.lam, STEPS, step=2), 0, 1, STEPS + 1)
    apart = np.linalg.norm(printed.before - k.literal.w[:-1], axis=1)
    repaired = np.linalg.norm(k.steps.before - k.literal.w[:-1], axis=1)
    v = printed.push * (k.lam * (printed.t[:, None] + 1))
    after = printed.before - (k.lam * printed.before - v) / (k.lam * (printed.t[:, None] + 1))
    own = np.linalg.norm(after - printed.after, axis=1)
    double = np.linalg.norm(twice.before - k.steps.before, axis=1)
    return Outcome(
        printed=reading(
            tol,
            float(apart.max()) / k.unit,
            Side("largest distance of the two w", float(apart.max()), r"\|w_t - \theta_t/(\lambda t)\|"),
            words="With λ t in the denominator.",
        ),
        repaired=reading(
            tol,
            float(max(repaired.max(), own.max(), double.max())) / k.unit,
            Side("steps", float(STEPS)),
            Side("largest distance to the gradient step", float(repaired.max()), r"\|w_t - \theta_t/(\lambda(t-1))\|"),
            Side("of the printed form to the step 1/(λ(t+1))", float(own.max())),
            Side("of θ/(2λ'(t−1)), λ' = λ/2, to Pegasos", float(double.max())),
        ),
        note=note(s),
    )


@statement(
    "P13",
    "What the loop returns",
    sentence="After T rounds of the loop the last w that has been formed is the one of round T; the next one needs one more line.",
    formula=r"\text{for } t = 1..T:\; w^{(t)} = \tfrac{1}{\lambda t}\theta^{(t)},\ \theta^{(t+1)} = \theta^{(t)} + v_t \quad\Rightarrow\quad w^{(T)}",
    source={"D": "the three listings: SGD, its representer form, its kernel form"},
    conditions=ANY + " Not all points lie at the origin.",
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    repair="The listings say w^(T+1), but the first never forms it, the second's coefficients give w^(T), and the third stops after T − 1 rounds.",
    witness=Witness(
        POINT.X, POINT.y, "After five rounds the loop holds 4/5; the w that it promises is 5/6.", bias=False
    ),
)
def loops(s: Situation, tol: float) -> Outcome:
    """The first two listings word for word, against the w^(T) and w^(T+1) of the engine."""
    k = moving(s)
    run = pegasos(k.data, k.lam, LOOPS, form="theta")
    engine = replay(run, 0, 1, LOOPS + 1)
    z = k.data.y[k.drawn, None] * k.data.X[k.drawn]
    G = (k.data.X @ k.data.X.T) * k.data.y
    sum_, w = np.zeros(k.data.d), np.zeros(k.data.d)
    beta, alpha = np.zeros(k.data.m), np.zeros(k.data.m)
    for t in range(1, LOOPS + 1):
        w, alpha = sum_ / (k.lam * t), beta / (k.lam * t)
        i = k.drawn[t - 1]
        tie = abs(float(engine.margin[t - 1, 0]) - 1.0) < 1e-9 * k.loss_unit
        if engine.violates[t - 1, 0] if tie else w @ z[t - 1] < 1.0:
            sum_ = sum_ + z[t - 1]
        if engine.violates[t - 1, 0] if tie else alpha @ G[:, i] < 1.0:
            beta[i] += k.data.y[i]
    held, promised = engine.before[-1], engine.after[-1]
    listings = [np.linalg.norm(v - held) for v in (w, alpha @ k.data.X)]
    return Outcome(
        printed=reading(
            tol,
            float(np.linalg.norm(w - promised)) / k.unit,
            Side("norm of what the loop holds", float(np.linalg.norm(w))),
            Side("norm of what is promised", float(np.linalg.norm(promised)), r"\|w^{(T+1)}\|"),
            words=f"That the loop of {LOOPS} rounds ends with w^(T+1).",
        ),
        repaired=reading(
            tol,
            float(max(listings)) / k.unit,
            Side("rounds", float(LOOPS), "T"),
            Side("norm of the w of round T", float(np.linalg.norm(held)), r"\|w^{(T)}\|"),
            Side("first listing, distance to it", float(listings[0])),
            Side("second listing, distance to it", float(listings[1])),
        ),
        note=note(s),
    )
