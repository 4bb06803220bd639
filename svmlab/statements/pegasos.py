"""P1 to P5 and P8: what holds along every run of Pegasos."""

from __future__ import annotations

import numpy as np

from svmlab.data import Dataset
from svmlab.pegasos import draws, mean_objective, pegasos
from svmlab.pegasos.estimate import estimate
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, reading, statement
from svmlab.statements.walk import Walk

ANY = "λ > 0 and no bias; w₁ = 0, steps 1/(λ t), points drawn uniformly with replacement."
SAMPLES = 4000


def note(s: Situation) -> str:
    """Which machine was run where it is not the one on the board."""
    bias = "Pegasos has no bias: this was checked on the machine without one." if s.problem.bias else ""
    return " ".join(filter(None, (s.note("soft"), bias)))


def moving(s: Situation) -> Walk:
    """The walk, where any point is away from the origin."""
    if s.walk.X == 0:
        raise DoesNotApply("All points lie at the origin, so w stays 0. Move one of them away.")
    return s.walk


@statement(
    "P1",
    "One step",
    sentence="A step with η = 1/(λ t) shrinks w by the factor 1 − 1/t, always, and adds y x/(λ t) when the margin of the drawn point is below 1.",
    formula=r"w_{t+1} = w_t - \eta_t(\lambda w_t - v_t) = \left(1-\tfrac1t\right) w_t + \tfrac{1}{\lambda t} v_t, \qquad v_t = y_{Z_t} x_{Z_t}\,[\,y_{Z_t}\langle w_t, x_{Z_t}\rangle < 1\,]",
    source={"A": "Pegasos, form of the update"},
    conditions=ANY,
    tolerance=1e-9,
    page="pegasos",
    machine="points",
)
def step(s: Situation, tol: float) -> Outcome:
    """The gradient step written out from w_1 on, against shrink and push from w_1 on, with the same draws and pushes."""
    k = s.walk
    w = np.zeros_like(k.literal.w)
    for t, v in enumerate(k.literal.v, 1):
        w[t] = (1.0 - 1.0 / t) * w[t - 1] + v / (k.lam * t)
    apart = np.linalg.norm(w - k.literal.w, axis=1)
    return Outcome(
        reading(
            tol,
            float(apart.max()) / k.unit,
            Side("steps", float(len(k.literal.v))),
            Side("of them with a push", float((k.literal.v != 0).any(1).sum())),
            Side("norm of the last w by the gradient step", float(np.linalg.norm(k.literal.w[-1])), r"\|w_t\|"),
            Side("norm of the last w by shrink and push", float(np.linalg.norm(w[-1])), r"\|w_t\|"),
        ),
        note=note(s),
    )


@statement(
    "P2",
    "w is a mean of pushes",
    sentence="After t steps w is 1/λ times the mean of the t pushes: early and late ones count the same.",
    formula=r"w_{t+1} = \frac{1}{\lambda t}\sum_{s=1}^{t} v_s",
    source={"A": "bound on G, closed form by induction"},
    conditions=ANY,
    tolerance=1e-9,
    page="pegasos",
    machine="points",
)
def closed(s: Situation, tol: float) -> Outcome:
    """The gradient step by hand, against the engine, which keeps nothing but the sum of the pushes."""
    k = s.walk
    apart = np.linalg.norm(k.steps.after - k.literal.w[1:], axis=1)
    return Outcome(
        reading(
            tol,
            float(apart.max()) / k.unit,
            Side("norm of the last w, step by step", float(np.linalg.norm(k.literal.w[-1])), r"\|w_{T+1}\|"),
            Side("norm of the sum form", float(np.linalg.norm(k.steps.after[-1])), r"\|\tfrac{1}{\lambda T}\sum v_s\|"),
        ),
        note=note(s),
    )


@statement(
    "P3",
    "w stays in a ball",
    sentence="No w of the run is longer than X/λ.",
    formula=r"\|w_t\| \le X/\lambda, \qquad X = \max_i \|x_i\|",
    source={"A": "bound on G, norm of w"},
    conditions=ANY + " Not all points lie at the origin.",
    tolerance=1e-9,
    page="pegasos",
    machine="points",
)
def ball(s: Situation, tol: float) -> Outcome:
    """Norms of the run by hand against X from inner products; the first step onto the farthest point attains the bound."""
    k = moving(s)
    norms = np.linalg.norm(k.literal.w, axis=1)
    far = int((k.data.X**2).sum(1).argmax())
    one = pegasos(Dataset(k.data.X[[far]], k.data.y[[far]]), k.lam, 2)
    attained = float(np.linalg.norm(one.iterates[0, 1]))
    return Outcome(
        reading(
            tol,
            max(float(norms.max()) / k.unit - 1.0, abs(attained / k.unit - 1.0)),
            Side("longest w of the run", float(norms.max()), r"\max_t \|w_t\|"),
            Side("after a first step onto the farthest point", attained, r"\|w_2\|"),
            Side("bound", k.unit, r"X/\lambda"),
        ),
        note=note(s),
    )


@statement(
    "P4",
    "Gradients stay bounded",
    sentence="No gradient that a step follows is longer than 2X.",
    formula=r"\|\nabla \ell_{Z_t}(w_t)\| = \|\lambda w_t - v_t\| \le 2X",
    source={"A": "bound on G, last line"},
    conditions=ANY + " Not all points lie at the origin.",
    tolerance=1e-9,
    page="pegasos",
    machine="points",
)
def gradients(s: Situation, tol: float) -> Outcome:
    """Gradients of the run by hand; the bound is attained by the farthest point after its own opposite."""
    k = moving(s)
    norms = np.linalg.norm(k.literal.gradient, axis=1)
    x = k.data.X[int((k.data.X**2).sum(1).argmax())]
    seed = next(n for n in range(64) if np.ptp(draws(2, n, 0, 0, 2)) > 0)  # one of each first
    pair = pegasos(Dataset([x, x], [1, -1]), k.lam, 2, seed=seed)
    return Outcome(
        reading(
            tol,
            max(float(norms.max()) / (2 * k.X) - 1.0, abs(float(pair.G[0, -1]) / (2 * k.X) - 1.0)),
            Side("longest gradient of the run", float(norms.max()), "G"),
            Side("with the farthest point in both classes", float(pair.G[0, -1])),
            Side("bound", 2 * k.X, "2X"),
        ),
        note=note(s),
    )


@statement(
    "P5",
    "The draw is unbiased",
    sentence="With w fixed, the loss of a point drawn at random has the mean F(w).",
    formula=r"\mathbb{E}\,[\,\ell_{Z_t}(w_t) \mid Z_1,\dots,Z_{t-1}\,] = F(w_t)",
    source={"A": "(5)"},
    conditions=ANY + " Sampled, so judged in standard errors.",
    tolerance=5.0,
    page="pegasos",
    machine="points",
)
def unbiased(s: Situation, tol: float) -> Outcome:
    """The mean of SAMPLES drawn losses at the w that a few steps have led to, against F there, in standard errors."""
    k = s.walk
    t = 10
    found = estimate(k.data, k.lam, k.literal.w[t - 1], t, SAMPLES, seed=5)
    biased = estimate(k.data, k.lam, k.literal.w[0], 1, SAMPLES, seed=5).z_after
    return Outcome(
        printed=reading(
            tol,
            abs(found.z),
            Side("mean of the drawn losses", float(found.before.mean()), r"\tfrac1n\sum \ell_Z(w_t)"),
            Side("objective, by all points", found.F, "F(w_t)"),
            Side("standard errors apart", found.z, "z"),
        ),
        control=reading(
            tol,
            abs(biased),
            Side("standard errors apart, at t = 1", biased, "z"),
            words="The drawn point's loss after its own step, as an estimate of F there, is too low: w has already answered to it.",
        ),
        note=note(s),
    )


@statement(
    "P8",
    "The mean beats the mean",
    sentence="F at the average of the iterates is at most the average of F over them.",
    formula=r"F(\bar w) \le \frac1T \sum_{t=1}^T F(w_t)",
    source={"A": "first line of the proof, Jensen"},
    conditions=ANY,
    tolerance=1e-9,
    page="pegasos",
    machine="points",
)
def jensen(s: Situation, tol: float) -> Outcome:
    """F at the running mean of the iterates by hand against the engine's sum of F, at every checkpoint."""
    k = s.walk
    means = np.cumsum(k.literal.w[:-1], axis=0)[k.run.t - 1] / k.run.t[:, None]
    left, right = k.F(means), mean_objective(k.run)
    return Outcome(
        reading(
            tol,
            max(float((left - right).max()), 0.0) / k.loss_unit,
            Side("F at the average", float(left[-1]), r"F(\bar w)"),
            Side("average of F", float(right[-1]), r"\tfrac1T\sum F(w_t)"),
            Side("smallest difference at a checkpoint", float((right - left).min())),
        ),
        note=note(s),
    )
