"""L13: what the perceptron does where no line separates the classes."""

from __future__ import annotations

import numpy as np

from svmlab.core.phrase import N_
from svmlab.firstorder.perceptron import augmented, perceptron
from svmlab.losses import LOSSES
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.zero_one_loss import perceptron_rule_error

CAP = 2_000  # number of mistakes after which the run is stopped


@statement(
    "L13",
    N_("The perceptron that never settles"),
    sentence=N_(
        "Where no line separates, the perceptron makes mistakes for ever and keeps no line, not even its "
        "best; w stays bounded. Its loss alone is least at w = 0."
    ),
    formula=(
        r"\sum_i v_i\,y_i z_i = 0,\ v \ge 0 \;\Rightarrow\; \forall w\ \exists i:\ y_i\langle w, "
        r"z_i\rangle \le 0; \qquad \|w_k\|^2 \le \sum_{s \le k}\|z_{i_s}\|^2"
    ),
    source=(
        Source(
            "B",
            N_("0/1 loss, not separable"),
            quote=(
                "classes are not linearly separable in the training set: a Perceptron does not converge to any solution"
            ),
        ),
        Source(
            "E",
            N_("section 1"),
            quote="PLA或pocket算法可能回传其中任何一条直线——因为PLA与pocket回传的直线本身就具有随机性",
        ),
    ),
    conditions=N_(
        "No boundary of the kernel separates the classes (without a bias: none through the origin). The "
        "offset is the weight of a 1 that is appended to the points."
    ),
    tolerance=1e-9,
    page="losses",
    machine="points",
    witness=Witness(
        ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)),
        (1, 1, -1, -1),
        N_("Every visit is a mistake, and after every fourth w is 0 again, whatever lines came between."),
    ),
)
def does_not_converge(s: Situation, tol: float) -> Outcome:
    """Compare a run of 2 000 mistakes with the certificate that no line separates the classes.

    With the weights of the certificate the margins of any w sum to 0.
    """
    separation = s.separation
    if separation.separable or separation.weights is None:
        raise DoesNotApply(
            "A boundary of this kernel separates the classes, so the perceptron stops. Move a point across."
        )
    Z = augmented(s.Phi) if s.problem.bias else s.Phi
    run = perceptron(Z, s.y, np.arange(s.m), CAP)
    margins, v = run.path @ run.rows.T, separation.weights
    lengths = np.linalg.norm(run.path, axis=1)
    longest = float(np.linalg.norm(run.rows, axis=1).max()) or 1.0
    units = np.maximum(1.0, lengths * longest)
    rows = run.rows[run.updates]
    allowed = np.sqrt(np.r_[0.0, np.cumsum((rows**2).sum(1))])
    # at every w at least one point of the certificate is misclassified
    least_margins = margins[:, separation.witness].min(1)
    losses = LOSSES["perceptron"].value(margins).mean(1)
    difference = max(
        float(run.stopped),
        abs(run.mistakes - CAP),
        float(np.linalg.norm(v @ run.rows)) / longest,
        float(np.maximum(0.0, -v).max()),
        abs(float(v.sum()) - (2.0 if s.problem.bias else 1.0)),
        float((np.abs(margins @ v) / units).max()),
        float((least_margins / units).max()),
        float(run.errors.min() == 0),
        perceptron_rule_error(run.path, rows),
        float(((lengths - allowed) / np.maximum(1.0, allowed)).max()),
        abs(float(losses[0])),
        -float(losses.min()),
    )
    later = run.path[run.pocket + 1 :]
    pocket_w = run.path[run.pocket]
    number_of_others = float((np.abs(later - pocket_w).max(1) > tol * max(1.0, float(lengths.max()))).sum())
    best = Side("errors of the pocket's line", float(run.errors[run.pocket]))
    half = len(lengths) // 2
    return Outcome(
        reading(
            tol,
            difference,
            Side("mistakes when it was stopped", float(run.mistakes)),
            best,
            Side("errors of the line that it was stopped at", float(run.errors[-1])),
            Side("longest w in the first half", float(lengths[:half].max()), r"\max\|w\|"),
            Side("longest w in the second half", float(lengths[half:].max()), r"\max\|w\|"),
            Side("what the mistakes allow at the end", float(allowed[-1])),
            Side("its loss at w = 0", float(losses[0])),
            Side("its loss at the pocket's line", float(losses[run.pocket])),
            Side("what any w leaves, weighted as the certificate says", float(np.abs(margins @ v).max())),
        ),
        control=reading(
            tol,
            number_of_others,
            best,
            Side("mistakes made after it was found", float(run.mistakes - run.pocket)),
            Side("lines kept after it that are others", number_of_others),
            words=N_("It settles on the pocket's line."),
        ),
    )
