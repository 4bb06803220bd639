"""P1 to P4: what holds along every run of Pegasos."""

from __future__ import annotations

import numpy as np

from svmlab.core.phrase import N_, join_phrases
from svmlab.data import Dataset
from svmlab.pegasos import draws, pegasos, replay
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.walk import TIE, PegasosRuns

PEGASOS_CONDITIONS = N_(
    "λ > 0, there is no bias, w₁ = 0, and the step size in step t is 1/(λ t). The points are drawn "
    "uniformly with replacement."
)
SIX_POINTS = ((1.0, 0.5), (0.5, 1.5), (-0.5, 0.5), (-1.0, -1.0), (-0.5, -1.5), (0.5, -0.5))
SIX_LABELS = (1, 1, 1, -1, -1, -1)


def no_bias_note(s: Situation) -> str:
    """Return the remark that another solution than the one on the board was checked; empty where it is the board's."""
    bias = N_("Pegasos has no bias, so the check uses the SVM without bias.") if s.problem.bias else ""
    return join_phrases(s.note_on_subject("soft"), bias)


def runs_away_from_origin(s: Situation) -> PegasosRuns:
    """Return the runs of Pegasos.

    Raises DoesNotApply where all points lie at the origin.
    """
    if s.pegasos_runs.X == 0:
        raise DoesNotApply("All points lie at the origin, so w stays 0. Move one of them away from it.")
    return s.pegasos_runs


@statement(
    "P1",
    N_("The update of Pegasos"),
    sentence=N_(
        "In step t, Pegasos multiplies w by 1 − 1/t. If the margin y⟨w, x⟩ of the random point x is below "
        "1, it also adds y x/(λ t). This is a subgradient step with step size 1/(λ t)."
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
    subject="points",
    witness=Witness(
        SIX_POINTS,
        SIX_LABELS,
        N_("Some random points have a margin of at least 1. In these steps w also shrinks."),
        bias=False,
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
            Side("steps with v_t ≠ 0", float((k.by_hand.v != 0).any(1).sum())),
            Side("norm of the last w, gradient step", float(np.linalg.norm(k.by_hand.w[-1])), r"\|w_t\|"),
            Side("norm of the last w, shrinking and adding", float(np.linalg.norm(w[-1])), r"\|w_t\|"),
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
        Side("steps with v_t = 0", float((k.by_hand.v == 0).all(1).sum())),
        Side("largest distance from the gradient step", distance),
        words=N_("If the margin of the point is at least 1, w does not change."),
    )


@statement(
    "P2",
    N_("w as a mean of updates"),
    sentence=N_(
        "Let v_s be y x if the margin of the point x in step s is below 1, and 0 otherwise. After t steps, "
        "w is 1/λ times the mean of v₁, …, v_t. So early and late updates have the same weight."
    ),
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
    subject="points",
    witness=Witness(
        SIX_POINTS,
        SIX_LABELS,
        N_("Later steps shrink an early update until it has the same weight as the last one."),
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
            max(float(distances.max()), float(np.abs(k.steps.shrink + k.steps.push - k.steps.after).max())) / k.unit,
            Side("norm of the last w, step by step", float(np.linalg.norm(k.by_hand.w[-1])), r"\|w_{T+1}\|"),
            Side(
                "norm of the last w, as a sum",
                float(np.linalg.norm(k.steps.after[-1])),
                r"\|\tfrac{1}{\lambda T}\sum v_s\|",
            ),
        ),
        control=reading(
            tol,
            float(np.linalg.norm(sum_with_own_weights - k.by_hand.w[-1])) / k.unit,
            Side("norm of the sum with the weights 1/(λ s)", float(np.linalg.norm(sum_with_own_weights))),
            words=N_("Each update v_s keeps the weight 1/(λ s) of its own step s."),
        ),
        note=no_bias_note(s),
    )


@statement(
    "P3",
    N_("Bound on the norm of w"),
    sentence=N_(
        "The norm of every iterate w_t of Pegasos is at most X/λ. X is the largest norm of a training point. If w is "
        "projected onto the ball of radius 1/√λ after every step, its norm is also at most 1/√λ."
    ),
    formula=r"\|w_t\| \le X/\lambda, \qquad X = \max_i \|x_i\|",
    source=(
        Source(
            "A",
            N_("bound on G, norm of w"),
            quote=r"$\|\mathbf{w}_{t+1}\| \leq \frac{1}{\lambda} \max_s \|\mathbf{v}_s\| \leq \frac{1}{\lambda} X$",
        ),
    ),
    conditions=join_phrases(PEGASOS_CONDITIONS, N_("At least one point is not at the origin.")),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    witness=Witness(((1.0, 0.0),), (1,), N_("After the first step, the norm of w is X/λ."), bias=False),
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
    largest_projected, radius, off = projected(k)
    return Outcome(
        reading(
            tol,
            max(
                float(norms.max()) / k.unit - 1.0,
                abs(attained / k.unit - 1.0),
                largest_projected / radius - 1.0,
                off / min(radius, k.unit),
            ),
            Side("largest norm of w in the run", float(norms.max()), r"\max_t \|w_t\|"),
            Side("norm after one step on the farthest point", attained, r"\|w_2\|"),
            Side("bound", k.unit, r"X/\lambda"),
            Side("largest norm of w with projection", largest_projected),
            Side("radius of the ball", radius, r"1/\sqrt\lambda"),
        ),
        control=reading(
            tol,
            attained / (0.5 * k.unit) - 1.0,
            Side("norm after one step on the farthest point", attained, r"\|w_2\|"),
            Side("half of the bound", 0.5 * k.unit),
            words=N_("The norm of every iterate is at most X/(2λ)."),
        ),
        note=no_bias_note(s),
    )


PROJECTED = 40  # steps with a projection


def projected(k: PegasosRuns) -> tuple[float, float, float]:
    """Return the largest norm of a run with projection, the radius, and how far the run is from the same run by hand.

    The comparison ends before the first margin that is 1 up to rounding.
    """
    run = pegasos(k.data, k.lam, PROJECTED, project=True, seed=6)
    steps, radius = replay(run, 0, 1, PROJECTED + 1), 1.0 / float(np.sqrt(k.lam))
    w, off = np.zeros(k.data.d), 0.0
    for t, row in enumerate(steps.drawn[:, 0], start=1):
        z = k.data.y[row] * k.data.X[row]
        if abs(w @ z - 1.0) < TIE * max(1.0, k.X * min(radius, k.unit)):
            break
        off = max(off, float(np.linalg.norm(steps.before[t - 1] - w)))
        w = (1.0 - 1.0 / t) * w + (z / (k.lam * t) if w @ z < 1.0 else 0.0)
        w *= min(1.0, radius / max(float(np.linalg.norm(w)), np.finfo(float).tiny))
        off = max(off, float(np.linalg.norm(steps.after[t - 1] - w)))
    return float(np.linalg.norm(steps.after, axis=1).max()), radius, off


@statement(
    "P4",
    N_("Bound on the gradients"),
    sentence=N_(
        "The subgradient λ w_t − v_t has norm at most 2X in every step of Pegasos. X is the largest norm "
        "of a training point."
    ),
    formula=r"\|\nabla \ell_{Z_t}(w_t)\| = \|\lambda w_t - v_t\| \le 2X",
    source=(
        Source(
            "A",
            N_("bound on G, last line"),
            quote=r"$\|\nabla \ell_t(\mathbf{w}_t)\| \leq X + \lambda \|\mathbf{w}_t\| \leq 2X$",
        ),
    ),
    conditions=join_phrases(PEGASOS_CONDITIONS, N_("At least one point is not at the origin.")),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    witness=Witness(
        ((1.0, 0.0), (1.0, 0.0)),
        (1, -1),
        N_("After a step on one of the two points, the gradient at the other one has norm 2X."),
        bias=False,
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
            Side("largest norm of a gradient in the run", float(norms.max()), "G"),
            Side("the same for the farthest point with both labels", float(pair.G[0, -1])),
            Side("bound", 2 * k.X, "2X"),
        ),
        control=reading(
            tol,
            float(pair.G[0, -1]) / k.X - 1.0,
            Side("largest norm of a gradient for the farthest point with both labels", float(pair.G[0, -1])),
            Side("largest norm of a point", k.X, "X"),
            words=N_("The norm of every gradient is at most X."),
        ),
        note=no_bias_note(s),
    )
