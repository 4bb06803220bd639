"""L15: what a surrogate loss costs in errors, and which errors are not due to it."""

from __future__ import annotations

import numpy as np

from svmlab.core.phrase import N_
from svmlab.data import Dataset
from svmlab.losses import wrong
from svmlab.statements.plane import best_line, fewest_errors_by_turning, need_linear_kernel_in_plane, with_bias
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.zero_one_loss import EIGHT_LABELS, EIGHT_POINTS

PARTS = 3


def split_samples(data: Dataset) -> list[Dataset]:
    """Return the points split into three samples, class by class."""
    order = np.argsort(data.y, kind="stable")
    return [Dataset(data.X[rows], data.y[rows]) for k in range(PARTS) if len(rows := order[k::PARTS])]


@statement(
    "L15",
    N_("The price of a stand-in"),
    sentence=N_(
        "A loss that stands in for errors costs errors on the sample itself: what its line makes beyond "
        "the fewest. That a sample looks easier than what it was drawn from is another matter: lines "
        "found by counting do that too."
    ),
    formula=(
        r"\operatorname{err}_S(\hat w) - \min_w \operatorname{err}_S(w) \ge 0, \qquad \frac1K\sum_k "
        r"\min_w \operatorname{err}_{S_k}(w) \;\le\; \min_w \operatorname{err}(w)"
    ),
    source=(
        Source(
            "D",
            N_("section Soft SVM, end"),
            "false",
            "Tuttavia, abbiamo un errore di generalizzazione perché stiamo usando la funzione surrogata.",
            N_(
                "The surrogate costs errors on the sample; the generalisation error lies between sample and "
                "distribution, and is there without a surrogate too."
            ),
            34,
        ),
    ),
    repair=N_(
        "The surrogate's price is on the sample: its errors less the fewest. The generalisation error is "
        "that of sample against distribution."
    ),
    conditions=N_(
        "The kernel is linear, on at least two points of the plane, and both classes are there. For the "
        "second half the board is the distribution, dealt out to three samples."
    ),
    tolerance=1e-6,
    page="losses",
    machine="soft",
    witness=Witness(
        EIGHT_POINTS,
        EIGHT_LABELS,
        N_(
            "The SVM's line makes three errors where two are possible: the price. Lines with the fewest "
            "errors on a part of the board make more on all of it."
        ),
    ),
)
def stand_in(s: Situation, tol: float) -> Outcome:
    """Compare the SVM's errors, from the primal program, with the fewest errors of a line, found in two ways.

    Then the fewest errors of samples of the board are compared with the errors of these lines on the whole board.
    """
    need_linear_kernel_in_plane(s)
    with_b = with_bias(s)
    if not s.problem.data.both_classes:
        raise DoesNotApply("There is only one class, so no line makes an error. Add a point of the other class.")
    best, by_turning, data = best_line(s.problem.data), fewest_errors_by_turning(s.problem.data), s.problem.data
    p, exact = with_b.soft_primal, with_b.soft_solution
    yf = s.y * (with_b.Phi @ p.w + p.b)
    unit = max(1.0, float(np.abs(yf).max()))
    errors, hinge = float(wrong(yf - tol * unit).sum()), float(p.xi.sum())
    excess_errors = errors - best.errors
    sample_errors = board_errors = gap = 0.0
    difference = max(
        abs(best.errors - by_turning),
        -excess_errors,
        (errors - hinge) / (unit * s.m),
        abs(hinge - float(exact.xi.sum())) / (unit * s.m),
        float(np.abs(p.xi - np.maximum(0.0, 1.0 - yf)).max()) / unit,
    )
    parts = split_samples(data)
    for part in parts:
        sample_line = best_line(part)
        t_own, t = (d.y * (d.X @ sample_line.w + sample_line.b) for d in (part, data))
        # a point on the line up to rounding counts too
        wrong_in_sample, wrong_on_board = wrong(t_own), wrong(t - tol * np.abs(t).max())
        difference = max(
            difference,
            abs(wrong_in_sample.sum() - sample_line.errors),
            abs(sample_line.errors - fewest_errors_by_turning(part)),
            best.errors - wrong_on_board.sum(),
        )
        sample_errors += sample_line.errors
        board_errors += float(wrong_on_board.sum()) / len(parts)
        gap += float(wrong_on_board.mean() - wrong_in_sample.mean()) / len(parts)
    difference = max(difference, sample_errors - best.errors)
    return Outcome(
        reading(
            tol,
            abs(gap),
            Side("errors in 100 on all points, less those on the sample", 100 * gap),
            words=N_("Without a surrogate, by counting alone, there is no generalisation error."),
        ),
        reading(
            tol,
            difference,
            Side("errors of the SVM on the board", errors),
            Side("fewest errors of a line there", float(best.errors)),
            Side("the price of the surrogate", excess_errors),
            Side("sum of its hinge losses", hinge),
            Side("fewest errors on three samples of it, together", sample_errors),
            Side("errors of these lines on the board, on average", board_errors),
        ),
        note=N_("The board stands for a distribution here, and three parts of it for samples."),
    )
