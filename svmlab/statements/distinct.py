"""K11: a Gaussian separates whatever is distinct, by decimals where doubles give up."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.separability import separate
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_
from svmlab.kernels.features import Definite, definite
from svmlab.kernels.standard import Gaussian
from svmlab.statements.series import note, width
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

MOST = 100  # points that are taken in decimals
VISIBLE = 1e-7  # the least eigenvalue that doubles know to six digits


@dataclass(frozen=True, eq=False)
class Places:
    """The distinct places X (n, d) of a board: labels (n,), 0 where a place has both, and the row of each in X (m,)."""

    X: Array
    labels: Array
    proof: Definite

    @property
    def consistent(self) -> bool:
        """Whether no place has both labels."""
        return bool(self.labels.all())


def places(X: Array, y: Array, sigma: float) -> Places:
    """The places of a board and the proof that a Gaussian tells them apart. Raises DoesNotApply for too many."""
    Z, at = np.unique(X, axis=0, return_inverse=True)
    if len(Z) > MOST:
        raise DoesNotApply(
            (
                "This check counts in decimals of {digits} digits, which takes long for so many points. Take at "
                "most {most}."
            ),
            digits=40,
            most=MOST,
        )
    n = len(Z)
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, at.ravel(), y)
    np.maximum.at(high, at.ravel(), y)
    return Places(Z, np.where(low == high, low, 0.0), definite(Z, sigma))


@statement(
    "K11",
    N_("A Gaussian separates any points"),
    sentence=N_("With a Gaussian kernel, of whatever width, any points can be separated, however they are labelled."),
    formula=r"x_i \ne x_j \;\Rightarrow\; \lambda_{\min}(K) > 0, \qquad \text{margin} \ge \sqrt{\lambda_{\min}/m}",
    source=(
        Source(
            "D",
            N_("Gaussian kernel"),
            "incomplete",
            (
                "Questo significa che, in linea di principio, possiamo separare qualsiasi dataset utilizzando un "
                "kernel gaussiano."
            ),
            N_("A place that carries both labels is separated by nothing."),
            94,
        ),
    ),
    repair=N_("Any points can be separated, unless one place carries both labels."),
    conditions=N_(
        "Both classes, and at most 100 places. True in exact arithmetic; in doubles a wide Gaussian soon "
        "leaves nothing of the margin."
    ),
    tolerance=1e-6,
    page="kernels",
    machine="points",
    witness=Witness(
        ((0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (-1.0, 0.0)),
        (1, -1, 1, -1),
        N_("The place in the middle carries both labels: f has one value there, and it is wrong for one of them."),
        kernel=Gaussian(1.0),
    ),
)
def gaussian(s: Situation, tol: float) -> Outcome:
    """The least eigenvalue of K in decimals of many digits, against the certificate of separability and the margin in
    doubles.
    """
    s.need_points()
    s.need_classes()
    kernel = Gaussian(width(s))
    here = places(s.X, s.y, kernel.sigma)
    found = separate(s.problem.data, kernel, s.problem.bias)
    sides = [
        Side("least eigenvalue of K, in decimals", here.proof.least, r"\lambda_{\min}"),
        Side("margin of every labelling, at least", here.proof.margin, r"\sqrt{\lambda_{\min}/m}"),
    ]
    agreed = found.separable == here.consistent
    residual = 0.0 if agreed else 1.0
    if here.proof.least > VISIBLE:
        double = float(np.linalg.eigvalsh(kernel(here.X, here.X))[0])
        sides.append(Side("the same eigenvalue in doubles", double))
        residual = max(residual, abs(double / here.proof.least - 1.0))
    if found.weights is not None:
        v, K = found.weights * s.y, kernel(s.X, s.X)
        apart = math.sqrt(max(float(v @ K @ v), 0.0))
        sides.append(Side("distance of the two mixtures of the certificate", apart))
        residual = max(residual, apart)
    elif agreed:
        wide, off = margin(s, kernel, tol)
        if wide:
            free = 1.0 / here.proof.norm(here.labels)
            sides += [Side("margin, by the exact method", wide), Side("margin of the f that is y at all points", free)]
            residual = max(residual, 1.0 - wide / free, off)
    missed = 1.0 - float(np.abs(here.labels).min())
    printed = reading(
        tol,
        missed,
        Side("places with both labels", float((here.labels == 0).sum())),
        Side("least y f that can be had there", 1.0 - missed),
    )
    return Outcome(printed, reading(tol, residual, *sides), unseen(here, kernel, tol), note(s))


def margin(s: Situation, kernel: Gaussian, tol: float) -> tuple[float, float]:
    """The widest margin by the exact method, and how far the least y f is from 1; (0, 0) where doubles do not see it
    well enough.
    """
    with suppress(SolverFailed):
        machine = solve(Problem(s.problem.data, kernel, np.inf, s.problem.bias))
        if machine.noise < tol / 100:
            return 1.0 / machine.norm_w, abs(float(machine.margins.min()) - 1.0)
    return 0.0, 0.0


def unseen(here: Places, kernel: Gaussian, tol: float) -> Reading:
    """How many places the f through all others gets wrong: a false neighbour of separating those that are seen."""
    told = here.labels != 0
    y = here.labels[told]
    proof = here.proof if told.all() else definite(here.X[told], kernel.sigma) if told.any() else None
    wrong = 0 if proof is None else int((y * proof.unseen(y) <= 0).sum())
    return reading(
        tol,
        wrong / max(len(y), 1),
        Side("places that the f through all other places gets wrong", float(wrong)),
        Side("places", float(len(y))),
        words=N_("What separates all points is right about a point that it has not seen."),
    )
