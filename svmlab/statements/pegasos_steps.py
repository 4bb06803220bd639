"""P1 to P4: what holds along every run of Pegasos."""

from __future__ import annotations

import numpy as np

from svmlab.core.phrase import N_, join_phrases
from svmlab.data import Dataset
from svmlab.pegasos import draws, pegasos
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.walk import PegasosRuns

PEGASOS_CONDITIONS = N_("λ > 0 and no bias; w₁ = 0, steps 1/(λ t), points drawn uniformly with replacement.")
SIX_POINTS = ((1.0, 0.5), (0.5, 1.5), (-0.5, 0.5), (-1.0, -1.0), (-0.5, -1.5), (0.5, -0.5))
SIX_LABELS = (1, 1, 1, -1, -1, -1)


def no_bias_note(s: Situation) -> str:
    """Return the remark that another solution than the one on the board was checked; empty where it is the board's."""
    bias = "Pegasos has no bias: this was checked on the machine without one." if s.problem.bias else ""
    return join_phrases(s.which_machine("soft"), bias)


def runs_away_from_origin(s: Situation) -> PegasosRuns:
    """Return the runs of Pegasos.

    Raises DoesNotApply where all points lie at the origin.
    """
    if s.pegasos_runs.X == 0:
        raise DoesNotApply("All points lie at the origin, so w stays 0. Move one of them away.")
    return s.pegasos_runs


@statement(
    "P1",
    N_("One step"),
    sentence=N_(
        "A step with η = 1/(λ t) shrinks w by the factor 1 − 1/t, always, and adds y x/(λ t) when the "
        "margin of the drawn point is below 1."
    ),
    formula=(
        r"w_{t+1} = w_t - \eta_t(\lambda w_t - v_t) = \left(1-\tfrac1t\right) w_t + \tfrac{1}{\lambda t} "
        r"v_t, \qquad v_t = y_{Z_t} x_{Z_t}\,[\,y_{Z_t}\langle w_t, x_{Z_t}\rangle < 1\,]"
    ),
    source=(
        Source(
            "A",
            N_("Pegasos, form of the update"),
            quote=(
                r"$\mathbf{w}_t + \eta_t \mathbf{v}_t - \eta_t \lambda \mathbf{w}_t = \left(1 - "
                r"\frac{1}{t}\right) \mathbf{w}_t + \frac{1}{\lambda t} \mathbf{v}_t$"
            ),
        ),
    ),
    conditions=PEGASOS_CONDITIONS,
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    witness=Witness(
        SIX_POINTS, SIX_LABELS, N_("Some drawn points push nothing, and w shrinks all the same."), bias=False
    ),
)
def step(s: Situation, tol: float) -> Outcome:
    """Compare the gradient step written out with the form that shrinks w and adds a push.

    Both start at w_1 and use the same random sequence of points and the same pushes.
    """
    k = s.pegasos_runs
    w = np.zeros_like(k.by_hand.w)
    for t, v in enumerate(k.by_hand.v, 1):
        w[t] = (1.0 - 1.0 / t) * w[t - 1] + v / (k.lam * t)
    distances = np.linalg.norm(w - k.by_hand.w, axis=1)
    return Outcome(
        reading(
            tol,
            float(distances.max()) / k.unit,
            Side("steps", float(len(k.by_hand.v))),
            Side("of them with a push", float((k.by_hand.v != 0).any(1).sum())),
            Side("norm of the last w by the gradient step", float(np.linalg.norm(k.by_hand.w[-1])), r"\|w_t\|"),
            Side("norm of the last w by shrink and push", float(np.linalg.norm(w[-1])), r"\|w_t\|"),
        ),
        control=without_shrinking(k, tol),
        note=no_bias_note(s),
    )


def without_shrinking(k: PegasosRuns, tol: float) -> Reading:
    """Return the reading of the same steps without the shrinking where the push is 0."""
    w = np.zeros_like(k.by_hand.w)
    for t, v in enumerate(k.by_hand.v, 1):
        w[t] = (1.0 - 1.0 / t) * w[t - 1] + v / (k.lam * t) if v.any() else w[t - 1]
    distance = float(np.linalg.norm(w - k.by_hand.w, axis=1).max())
    return reading(
        tol,
        distance / k.unit,
        Side("steps without a push", float((k.by_hand.v == 0).all(1).sum())),
        Side("largest distance to the gradient step", distance),
        words=N_("Where the margin is at least 1 w is left alone."),
    )


@statement(
    "P2",
    N_("w is a mean of pushes"),
    sentence=N_("After t steps w is 1/λ times the mean of the t pushes: early and late ones count the same."),
    formula=r"w_{t+1} = \frac{1}{\lambda t}\sum_{s=1}^{t} v_s",
    source=(
        Source(
            "A",
            N_("bound on G, closed form by induction"),
            quote=r"$\mathbf{w}_{t+1} = \frac{1}{\lambda t} \sum_{s=1}^t \mathbf{v}_s$",
        ),
    ),
    conditions=PEGASOS_CONDITIONS,
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    witness=Witness(
        SIX_POINTS,
        SIX_LABELS,
        N_("Every later step shrinks an early push until it weighs no more than the last."),
        bias=False,
    ),
)
def closed(s: Situation, tol: float) -> Outcome:
    """Compare the gradient step by hand with the engine, which keeps only the sum of the pushes."""
    k = s.pegasos_runs
    distances = np.linalg.norm(k.steps.after - k.by_hand.w[1:], axis=1)
    sum_with_own_weights = (k.by_hand.v / (k.lam * np.arange(1.0, len(k.by_hand.v) + 1))[:, None]).sum(0)
    return Outcome(
        reading(
            tol,
            float(distances.max()) / k.unit,
            Side("norm of the last w, step by step", float(np.linalg.norm(k.by_hand.w[-1])), r"\|w_{T+1}\|"),
            Side("norm of the sum form", float(np.linalg.norm(k.steps.after[-1])), r"\|\tfrac{1}{\lambda T}\sum v_s\|"),
        ),
        control=reading(
            tol,
            float(np.linalg.norm(sum_with_own_weights - k.by_hand.w[-1])) / k.unit,
            Side("norm of the sum with the weights of their steps", float(np.linalg.norm(sum_with_own_weights))),
            words=N_("Each push keeps the weight 1/(λ s) of its own step."),
        ),
        note=no_bias_note(s),
    )


@statement(
    "P3",
    N_("w stays in a ball"),
    sentence=N_("No w of the run is longer than X/λ."),
    formula=r"\|w_t\| \le X/\lambda, \qquad X = \max_i \|x_i\|",
    source=(
        Source(
            "A",
            N_("bound on G, norm of w"),
            quote=r"$\|\mathbf{w}_{t+1}\| \leq \frac{1}{\lambda} \max_s \|\mathbf{v}_s\| \leq \frac{1}{\lambda} X$",
        ),
    ),
    conditions=join_phrases(PEGASOS_CONDITIONS, N_("Not all points lie at the origin.")),
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    witness=Witness(((1.0, 0.0),), (1,), N_("The first step leads to X/λ itself."), bias=False),
)
def ball(s: Situation, tol: float) -> Outcome:
    """Compare the norms of a run by hand with the bound X/lam, with X from inner products.

    A first step onto the longest point attains the bound.
    """
    k = runs_away_from_origin(s)
    norms = np.linalg.norm(k.by_hand.w, axis=1)
    longest = int((k.data.X**2).sum(1).argmax())
    run = pegasos(Dataset(k.data.X[[longest]], k.data.y[[longest]]), k.lam, 2)
    attained = float(np.linalg.norm(run.iterates[0, 1]))
    return Outcome(
        reading(
            tol,
            max(float(norms.max()) / k.unit - 1.0, abs(attained / k.unit - 1.0)),
            Side("longest w of the run", float(norms.max()), r"\max_t \|w_t\|"),
            Side("after a first step onto the farthest point", attained, r"\|w_2\|"),
            Side("bound", k.unit, r"X/\lambda"),
        ),
        control=reading(
            tol,
            attained / (0.5 * k.unit) - 1.0,
            Side("after a first step onto the farthest point", attained, r"\|w_2\|"),
            Side("half of the bound", 0.5 * k.unit),
            words=N_("A ball of half the radius would do."),
        ),
        note=no_bias_note(s),
    )


@statement(
    "P4",
    N_("Gradients stay bounded"),
    sentence=N_("No gradient that a step follows is longer than 2X."),
    formula=r"\|\nabla \ell_{Z_t}(w_t)\| = \|\lambda w_t - v_t\| \le 2X",
    source=(
        Source(
            "A",
            N_("bound on G, last line"),
            quote=r"$\|\nabla \ell_t(\mathbf{w}_t)\| \leq X + \lambda \|\mathbf{w}_t\| \leq 2X$",
        ),
    ),
    conditions=join_phrases(PEGASOS_CONDITIONS, N_("Not all points lie at the origin.")),
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    witness=Witness(
        ((1.0, 0.0), (1.0, 0.0)), (1, -1), N_("After a step onto the one point the other's gradient is 2X."), bias=False
    ),
)
def gradients(s: Situation, tol: float) -> Outcome:
    """Compare the gradients of a run by hand with the bound 2X.

    The longest point attains it directly after the same point with the opposite label.
    """
    k = runs_away_from_origin(s)
    norms = np.linalg.norm(k.by_hand.gradient, axis=1)
    x = k.data.X[int((k.data.X**2).sum(1).argmax())]
    # a seed whose first two draws are the two different points
    seed = next(n for n in range(64) if np.ptp(draws(2, n, 0, 0, 2)) > 0)
    pair = pegasos(Dataset([x, x], [1, -1]), k.lam, 2, seed=seed)
    return Outcome(
        reading(
            tol,
            max(float(norms.max()) / (2 * k.X) - 1.0, abs(float(pair.G[0, -1]) / (2 * k.X) - 1.0)),
            Side("longest gradient of the run", float(norms.max()), "G"),
            Side("with the farthest point in both classes", float(pair.G[0, -1])),
            Side("bound", 2 * k.X, "2X"),
        ),
        control=reading(
            tol,
            float(pair.G[0, -1]) / k.X - 1.0,
            Side("with the farthest point in both classes", float(pair.G[0, -1])),
            Side("longest point", k.X, "X"),
            words=N_("No gradient is longer than X."),
        ),
        note=no_bias_note(s),
    )
