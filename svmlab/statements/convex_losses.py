"""L2: which losses are convex."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.phrase import N_, Phrase
from svmlab.losses import LOSSES, Loss
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.surrogate_losses import NAMES

T = np.arange(-10_000, 10_001) / 2500  # values of t = y f, with the corners at 0 and 1 among them
EVERY = 1000  # of the values of t, one in so many is an end point of chords
PAIRS, SHARES = 40, (0.25, 0.5, 0.8)  # number of chords of F, and the fractions along each at which it is compared


def chord_ends() -> tuple[Index, Index]:
    """Return where in T the chords begin and end, (n,) each."""
    p, q = np.meshgrid(np.arange(0, len(T), EVERY), np.arange(0, len(T), EVERY))
    return p[p < q], q[p < q]


def chord_heights(values: Array) -> Array:
    """Return how far the middle of each chord is above the curve with the given values (len(T),), shape (n,)."""
    p, q = chord_ends()
    return 0.5 * (values[p] + values[q]) - values[(p + q) // 2]


def loss_chord_heights(loss: Loss) -> Array:
    """Return how far the middles of the chords of a loss are above it, shape (n,)."""
    return chord_heights(loss.value(T))


def summed_slopes(loss: Loss) -> Array:
    """Return the same as `bends` from the slopes of the loss alone, which are summed along t."""
    left, right = loss.slopes(T)
    return chord_heights(np.r_[0.0, np.cumsum(0.5 * (right[:-1] + left[1:]) * np.diff(T))])


def under_chords(loss: Loss, one: Array, other: Array) -> Array:
    """Return how far the mean loss is below its chords, relative to their height, shape (shares, n).

    The chords connect the values of t in `one` with those in `other`, both (n, m).
    """
    distances = []
    for a in SHARES:
        chord = a * loss.value(one).mean(1) + (1.0 - a) * loss.value(other).mean(1)
        distances.append((chord - loss.value(a * one + (1.0 - a) * other).mean(1)) / np.maximum(1.0, chord))
    return np.array(distances)


@statement(
    "L2",
    N_("Which losses are convex"),
    sentence=N_(
        "Seen along t = y f, and so as functions of w and b, the squared, logistic, exponential, hinge "
        "and perceptron losses are convex: they lie nowhere above a chord. The sigmoid loss is not: left "
        "of t = 0 it bends downward."
    ),
    formula=r"F\bigl(a\,u + (1-a)\,v\bigr) \;\le\; a\,F(u) + (1-a)\,F(v), \qquad 0 \le a \le 1",
    source=(
        Source(
            "B",
            N_("Surrogate smooth loss functions"),
            quote="however we would prefer dealing with a convex loss function",
        ),
        Source(
            "B",
            N_("Convex loss functions"),
            quote="first derivative monotonically non-decreasing",
        ),
        Source("D", N_("section Soft SVM"), quote=r"$L_S^{hinge}$ è una funzione convessa"),
        Source("A", N_("before Pegasos, strong convexity"), quote=r"$h_t$ è convessa"),
    ),
    conditions=N_("There is a point. A board cannot prove that a function is convex; it can refute it."),
    tolerance=1e-7,
    page="losses",
    machine="points",
    witness=Witness(
        ((2.0, 0.0), (0.0, 2.0), (-2.0, -2.0)),
        (1, 1, 1),
        N_("With the sigmoid F is above many of its chords here, and has valleys that are not the deepest."),
        bias=False,
    ),
)
def convex(s: Situation, tol: float) -> Outcome:
    """Compare chords from values with sums of slopes along t, and F at random w and b with its chords.

    The slopes of a convex loss must not fall. Each chord connects two random pairs (w, b) on the board.
    """
    rng = np.random.Generator(np.random.Philox(s.m))
    sizes = np.geomspace(0.1, 10.0, PAIRS)[:, None]
    first_ends, second_ends = (
        s.y
        * (
            sizes * rng.standard_normal((PAIRS, s.Phi.shape[1])) @ s.Phi.T / s.max_norm
            + sizes * rng.standard_normal((PAIRS, 1)) * s.problem.bias
        )
        for _ in range(2)
    )
    (p, q), worst, sides = chord_ends(), 0.0, list[Side]()
    for name, loss in LOSSES.items():
        middle_heights = loss_chord_heights(loss)
        difference = float((np.abs(middle_heights - summed_slopes(loss)) / np.maximum(1.0, loss.value(T[p]))).max())
        left, right = loss.slopes(T)
        slope_changes = np.diff(0.5 * (left + right))
        if loss.convex:
            least_below = float(under_chords(loss, first_ends, second_ends).min())
            worst = max(
                worst,
                difference,
                -float(middle_heights.min()),
                -float((right - left).min()),
                -float(slope_changes.min()),
                -least_below,
            )
            sides.append(Side(Phrase("least way of F below a chord, relative, {name}", name=NAMES[name]), least_below))
        else:
            left_of_0 = T[1:] <= 0
            worst = max(
                worst,
                difference,
                float(middle_heights[T[q] <= 0].max()),
                float(slope_changes[left_of_0].max()),
                -float(slope_changes[~left_of_0].min()),
            )
            sides.append(
                Side(
                    Phrase("most that the curve is above a chord, {name}", name=NAMES[name]),
                    -float(middle_heights.min()),
                )
            )
    sigmoid_above = -float(under_chords(LOSSES["sigmoid"], first_ends, second_ends).min())
    return Outcome(
        reading(tol, worst, *sides),
        control=reading(
            tol,
            sigmoid_above,
            Side("most that F is above a chord, sigmoid", sigmoid_above),
            words=N_("With the sigmoid F lies nowhere above a chord either."),
        ),
    )
