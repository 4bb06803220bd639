"""L4, L9, L13, L15 and L16: what the 0/1 loss counts, the fewest errors of a line, and the errors of other methods.

The perceptron and a surrogate loss are compared with the fewest errors where no line separates the classes.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.data import Dataset
from svmlab.firstorder.perceptron import PerceptronRun, augmented, perceptron
from svmlab.losses import LOSSES, error_counts, zero_one_loss
from svmlab.statements.geometry import distances, projections
from svmlab.statements.plane import best_line, fewest_errors_by_turning, need_linear_kernel_in_plane, with_bias
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

EIGHT_POINTS = ((1.0, 0.0), (2.0, 1.0), (2.0, -1.0), (-1.0, 0.0), (-2.0, 1.0), (-2.0, -1.0), (5.0, 0.0), (5.0, 0.5))
EIGHT_LABELS = (1, 1, 1, -1, -1, -1, -1, -1)  # the last two points lie beyond the other class
DIRECTIONS = 24
ANGLES, OFFSETS = 181, 201  # size of the grid of lines, by angle and offset
PATIENCE = 3_000  # mistakes after which the perceptron is stopped
NARROW_MARGIN_NOTE = N_(
    "A line separates the classes, but its margin is very small. The perceptron was stopped before it converged."
)


def lines_in_widest_gaps(X: Array) -> list[tuple[Array, float]]:
    """Return lines (w, b) with |w| = 1 in 24 directions.

    Each lies in the middle of the widest gap that the points (m, 2) leave along its normal.
    """
    lines = []
    for angle in np.arange(DIRECTIONS) * 2.0 * np.pi / DIRECTIONS + 0.1:
        w = np.array([np.cos(angle), np.sin(angle)])
        projections = np.sort(X @ w)
        projections = (
            projections if projections[-1] - projections[0] > 1e-9 else np.append(projections, projections[-1] + 1.0)
        )
        widest = int(np.diff(projections).argmax())
        lines.append((w, -0.5 * float(projections[widest] + projections[widest + 1])))
    return lines


@statement(
    "L4",
    N_("The 0–1 loss"),
    sentence=N_(
        "The 0–1 loss of a point is 1 if y f(x) ≤ 0, and otherwise it is 0. So its sum counts the points "
        "on the wrong side of the line and the points on the line, if w ≠ 0."
    ),
    formula=r"\min_{w,b}\ \sum_i \mathbf{1}[\,y_i\,(\langle w, x_i\rangle + b) \le 0\,]",
    source=(
        Source(
            "B",
            N_("0/1 loss"),
            "misprint",
            (
                r"$\underset{\mathbf{w},b}{\operatorname{argmin}} \sum_{i=1}^{n} \mathbf{1}[t_i(\mathbf{w}^T "
                r"\mathbf{x}_i + b) > 0]$"
            ),
            N_(
                "The training errors are the points with y f(x) ≤ 0. The sum in the slides counts the correctly "
                "classified points, and its minimum 0 is attained at w = 0, b = 0. The list of losses some "
                "slides later has the correct condition."
            ),
            52,
        ),
        Source("B", N_("Convex surrogate loss functions"), quote=r"$\mathbf{0/1} \ L(t,y) = \mathbf{1}[yt \le 0]$"),
    ),
    repair=N_("The training errors are the points with y f(x) ≤ 0. A point with y f(x) > 0 is classified correctly."),
    conditions=N_(
        "The kernel is linear, and the points lie in the plane. The line may have a bias even if the board has none."
    ),
    tolerance=1e-9,
    page="losses",
    subject="points",
    witness=Witness(
        EIGHT_POINTS,
        EIGHT_LABELS,
        N_(
            "The sum in the slides is smallest for w = 0 and b = 0, where all eight points count as errors. "
            "The best line has two errors."
        ),
    ),
)
def counts(s: Situation, tol: float) -> Outcome:
    """Compare, for many lines, the sum of the losses with the number of points measured to be on the wrong side.

    The line with the fewest errors of all lines is one of them.
    """
    need_linear_kernel_in_plane(s)
    best = best_line(s.problem.data)
    unit, difference, fewest_of_lines = max(1.0, s.max_norm), 0.0, float(s.m)
    lines = lines_in_widest_gaps(s.X) + ([(best.w, best.b)] if best.w.any() else [])
    for w, b in lines:
        f = s.X @ w + b
        errors = float(zero_one_loss(s.y * f).sum())
        signed_distances = (s.X - projections(s.X, w, b)) @ w / float(w @ w)  # signed, in lengths of w
        number_across = float((np.sign(signed_distances) != s.y).sum())
        difference = max(
            difference,
            abs(errors - number_across),
            float(np.abs(signed_distances * (w @ w) - f).max()) / (unit * max(1.0, float(np.linalg.norm(w)))),
        )
        fewest_of_lines = min(fewest_of_lines, errors)
    t = s.y * (s.X @ best.w + best.b)
    least_loss, errors_at_0 = float(zero_one_loss(t).sum()), float(zero_one_loss(0.0 * s.y).sum())
    return Outcome(
        reading(
            tol,
            (errors_at_0 - best.errors) / s.m,
            Side("sum in the slides at w = 0, b = 0", float((0.0 * s.y > 0).sum())),
            Side("training errors at w = 0, b = 0", errors_at_0),
            Side("sum in the slides at the best line, with its sides exchanged", float((-t > 0).sum())),
            Side("fewest training errors of any line", float(best.errors)),
            words=N_("A line that minimises this sum has the fewest training errors."),
        ),
        reading(
            tol,
            max(difference, abs(least_loss - best.errors), best.errors - fewest_of_lines, abs(errors_at_0 - s.m)),
            Side("sum of the 0–1 losses of the best line", least_loss),
            Side("fewest training errors of any line", float(best.errors)),
            Side("lines whose two counts were compared", float(len(lines))),
            Side("fewest training errors of these lines", fewest_of_lines),
            Side("points that the best line classifies correctly", float((t > 0).sum())),
        ),
    )


@statement(
    "L9",
    N_("Minimising the number of training errors"),
    sentence=N_(
        "In the plane, you find a line with the fewest training errors if you try the lines through two "
        "different points, each moved slightly. If a line separates the classes, the perceptron finds one "
        "after finitely many mistakes. If the dimension is part of the input, minimising the number of training "
        "errors is NP-hard."
    ),
    formula=r"\min_{w,b}\ \sum_i \mathbf{1}[\,y_i\,(\langle w, x_i\rangle + b) \le 0\,]",
    source=(
        Source(
            "B",
            N_("0/1 loss, not separable"),
            quote=(
                "it is not possible to minimize the function efficiently, unless P=NP: the problem is NP-hard "
                "even to approximate the solution, at least up to a small constant"
            ),
        ),
        Source(
            "B",
            N_("0/1 loss, separable"),
            quote="in this case a simple Perceptron is guaranteed to find the optimal solution",
        ),
    ),
    conditions=N_(
        "The kernel is linear, and the points lie in the plane, not all at the same position. The line may "
        "have a bias even if the board has none. The check does not test that the problem is NP-hard."
    ),
    tolerance=1e-9,
    page="losses",
    subject="points",
    witness=Witness(
        EIGHT_POINTS,
        EIGHT_LABELS,
        N_(
            "Two of the points labelled −1 lie beyond the other class. The best line has two training errors, "
            "and the line of the SVM has three."
        ),
    ),
)
def fewest(s: Situation, tol: float) -> Outcome:
    """Compare the fewest errors of all lines through two points with a line that is turned and with a grid of lines.

    No line of the grid may make fewer errors. The perceptron must stop exactly where the fewest errors are 0.
    """
    need_linear_kernel_in_plane(s)
    with_b = with_bias(s)
    best, by_turning = best_line(s.problem.data), float(fewest_errors_by_turning(s.problem.data))
    largest_norm = max(1.0, float(np.linalg.norm(s.X, axis=1).max()))
    grid = error_counts(
        s.problem.data, np.linspace(0.0, 2 * np.pi, ANGLES), largest_norm * np.linspace(-1.05, 1.05, OFFSETS)
    )
    t = s.y * (s.X @ best.w + best.b)
    difference = max(
        abs(best.errors - by_turning),
        best.errors - float(grid.min()),
        abs(float((t <= 0).sum()) - best.errors),
        float(with_b.separation.separable != (best.errors == 0)),
    )
    run = perceptron(augmented(s.X), s.y, np.arange(s.m), PATIENCE)
    sides = [
        Side("fewest training errors, lines through two points", float(best.errors)),
        Side("fewest training errors, a line rotated by 180°", by_turning),
        Side("fewest training errors on a grid of lines", float(grid.min())),
        Side("most training errors on the grid", float(grid.max())),
    ]
    note = ""
    if best.errors == 0 and not run.converged:
        note = NARROW_MARGIN_NOTE
    else:
        difference = max(
            difference, float(run.converged != (best.errors == 0)), float(run.errors[-1]) if run.converged else 0.0
        )
        sides += [
            Side("mistakes of the perceptron", float(run.mistakes)),
            Side("fewest training errors of its iterates", float(run.errors.min())),
        ]
    difference = max(difference, perceptron_rule_error(run.path, run.rows[run.updates]))
    return Outcome(reading(tol, difference, *sides), control=svm_reading(with_b, best.errors), note=note)


def perceptron_rule_error(path: Array, rows: Array) -> float:
    """Return how far the steps of a perceptron's path (k + 1, D) are from its rule; relative.

    Each step must be made at a mistake, and must add its row of `rows` (k, D).
    """
    if not len(rows):
        return 0.0
    unit = max(1.0, float(np.abs(path).max()) * float(np.abs(rows).max()))
    largest_margin = float((path[:-1] * rows).sum(1).max())
    return max(largest_margin, float(np.abs(np.diff(path, axis=0) - rows).max())) / unit


def svm_reading(s: Situation, fewest: int) -> Reading | None:
    """Return the reading whether the line of the soft margin makes no more errors than `fewest`.

    None where there is only one class.
    """
    if not s.problem.data.both_classes:
        return None
    e = s.soft_solution
    errors = float((e.margins <= 0).sum())
    return reading(
        0.0,
        errors - fewest,
        Side("training errors of the SVM", errors),
        Side("fewest training errors of any line", float(fewest)),
        words=N_("The line of the SVM has the fewest training errors of all lines."),
    )


PARTS = 3


def split_samples(data: Dataset) -> list[Dataset]:
    """Return the points split into three samples, class by class."""
    order = np.argsort(data.y, kind="stable")
    return [Dataset(data.X[rows], data.y[rows]) for k in range(PARTS) if len(rows := order[k::PARTS])]


@statement(
    "L15",
    N_("Surrogate loss and generalisation gap"),
    sentence=N_(
        "A surrogate loss can lead to additional training errors, because its minimiser can have more of them "
        "than the best line. The generalisation gap is the difference between true error and training error. "
        "It can also occur without a surrogate loss, for lines that minimise the number of training errors. On "
        "average over samples, the smallest training error of a line is at most the smallest true error of a line."
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
                "A generalisation gap can also occur if the number of training errors itself is minimised. A "
                "surrogate loss can lead to additional training errors. The notes attribute the generalisation gap "
                "to the surrogate loss."
            ),
            34,
        ),
    ),
    repair=N_(
        "The cost of a surrogate loss is the number of its training errors minus the smallest possible "
        "number. The generalisation gap compares the training error with the true error."
    ),
    conditions=N_(
        "The kernel is linear, and there are at least two points in the plane. Both classes are present. "
        "For the generalisation gap, the board is the distribution, and it is split into three samples."
    ),
    tolerance=1e-6,
    page="losses",
    subject="soft",
    witness=Witness(
        EIGHT_POINTS,
        EIGHT_LABELS,
        N_(
            "The line of the SVM has three training errors although two are possible. Lines with the fewest "
            "errors on a part of the board have more errors on the whole board."
        ),
    ),
)
def surrogate_and_gap(s: Situation, tol: float) -> Outcome:
    """Compare the SVM's errors, from the primal program, with the fewest errors of a line, found in two ways.

    Then the fewest errors of samples of the board are compared with the errors of these lines on the whole board.
    """
    need_linear_kernel_in_plane(s)
    with_b = with_bias(s)
    if not s.problem.data.both_classes:
        raise DoesNotApply(
            "There is only one class, so some line has no training error. Add a point of the other class."
        )
    best, by_turning, data = best_line(s.problem.data), fewest_errors_by_turning(s.problem.data), s.problem.data
    p, exact = with_b.soft_primal, with_b.soft_solution
    yf = s.y * (with_b.Phi @ p.w + p.b)
    unit = max(1.0, float(np.abs(yf).max()))
    errors, hinge = float(zero_one_loss(yf - tol * unit).sum()), float(p.xi.sum())
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
        wrong_in_sample, wrong_on_board = zero_one_loss(t_own), zero_one_loss(t - tol * np.abs(t).max())
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
            Side("error rate on all points minus error rate on the sample, in %", 100 * gap),
            words=N_("Without a surrogate loss, if only training errors are counted, there is no generalisation gap."),
        ),
        reading(
            tol,
            difference,
            Side("training errors of the SVM", errors),
            Side("fewest training errors of any line", float(best.errors)),
            Side("additional errors due to the surrogate loss", excess_errors),
            Side("sum of the hinge losses of the SVM", hinge),
            Side("fewest errors on the samples, summed", sample_errors),
            Side("errors of these lines on the board, on average", board_errors),
        ),
        note=N_("Here the board is the distribution, and three parts of it are samples."),
    )


CAP = 2_000  # number of mistakes after which the run is stopped


@statement(
    "L13",
    N_("Perceptron on non-separable classes"),
    sentence=N_(
        "If no line separates the classes, the perceptron makes infinitely many mistakes, and its weights "
        "w and b do not converge. However, they stay bounded. The mean perceptron loss has its minimum 0 "
        "at w = 0, b = 0."
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
    ),
    conditions=N_(
        "No boundary of the kernel separates the classes. Without a bias this means a boundary through the "
        "origin, and no point lies at the origin. With a bias, a constant 1 is appended to each point, and "
        "b is its weight."
    ),
    tolerance=1e-9,
    page="losses",
    subject="points",
    witness=Witness(
        ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)),
        (1, 1, -1, -1),
        N_(
            "Every point that is visited is misclassified. After every fourth update w is 0 again, whatever "
            "its values between are."
        ),
    ),
)
def does_not_converge(s: Situation, tol: float) -> Outcome:
    """Compare a run of 2 000 mistakes with the certificate that no line separates the classes.

    With the weights of the certificate the margins of any w sum to 0.
    """
    separation = s.separation
    if separation.separable or separation.weights is None:
        raise DoesNotApply(
            "A boundary of this kernel separates the classes, so the perceptron converges. Move a point across "
            "the boundary."
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
        float(run.converged),
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
    repeats, unlike, bound = cycle(run)
    difference = max(difference, unlike / max(1.0, float(lengths.max())), float(lengths.max()) - bound)
    later = run.path[run.pocket + 1 :]
    pocket_w = run.path[run.pocket]
    number_of_others = float((np.abs(later - pocket_w).max(1) > tol * max(1.0, float(lengths.max()))).sum())
    best = Side("training errors of the best iterate", float(run.errors[run.pocket]))
    half = len(lengths) // 2
    return Outcome(
        reading(
            tol,
            difference,
            Side("mistakes until the run was stopped", float(run.mistakes)),
            best,
            Side("training errors of the last line", float(run.errors[-1])),
            Side("largest norm of w in the first half", float(lengths[:half].max()), r"\max\|w\|"),
            Side("largest norm of w in the second half", float(lengths[half:].max()), r"\max\|w\|"),
            *(
                (
                    Side("mistakes after which the run repeats itself", float(repeats)),
                    Side("upper bound for the norm of w in every later step", bound),
                )
                if repeats
                else (Side("upper bound for the norm of w at the end", float(allowed[-1])),)
            ),
            Side("mean perceptron loss at w = 0", float(losses[0])),
            Side("mean perceptron loss of the best iterate", float(losses[run.pocket])),
            Side("largest weighted sum of margins, by the certificate", float(np.abs(margins @ v).max())),
        ),
        control=reading(
            tol,
            number_of_others,
            best,
            Side("mistakes after the best iterate", float(run.mistakes - run.pocket)),
            Side("later iterates that differ from it", number_of_others),
            words=N_(
                "The perceptron converges to its best iterate, the one with the fewest training errors, which the "
                "pocket algorithm returns."
            ),
        ),
    )


def cycle(run: PerceptronRun) -> tuple[int, float, float]:
    """Return after how many mistakes a run repeats itself, how far the repetition is off, and a bound for its norms.

    If the same w meets the same point again, everything that follows is a repetition, so no later norm exceeds the
    largest one until then. Without a repetition within the run it returns (0, 0, inf).
    """
    states = np.column_stack([run.path[:-1], run.updates])
    _, first, inverse = np.unique(states, axis=0, return_index=True, return_inverse=True)
    earlier = first[inverse.ravel()]
    again = np.flatnonzero(earlier < np.arange(len(states)))
    if not len(again):
        return 0, 0.0, np.inf
    end, start = int(again[0]), int(earlier[again[0]])
    period, n = end - start, len(run.path) - end
    unlike = float(np.abs(run.path[end:] - run.path[start : start + n]).max(initial=0.0))
    bound = float(np.linalg.norm(run.path[: end + 1], axis=1).max())
    return period, unlike, bound


@statement(
    "L16",
    N_("The 0–1 loss is piecewise constant"),
    sentence=N_(
        "As a function of w and b, the sum of the 0–1 losses is piecewise constant. It changes only where the line "
        "reaches a point, and there it jumps. So its gradient is 0 at every line through no point, and it shows no "
        "direction of descent."
    ),
    formula=(
        r"\|(u, v) - (w, b)\| < \min_i \frac{|f(x_i)|}{\|(x_i, 1)\|} \;\Longrightarrow\; "
        r"\mathbf 1[\,y_i(\langle u, x_i\rangle + v) \le 0\,] = \mathbf 1[\,y_i(\langle w, x_i\rangle + b) \le 0\,]"
    ),
    source=(
        Source(
            "B",
            N_("Surrogate smooth loss functions"),
            quote=(
                "it is constant most of time: most variations of distance from the separating hyperplane do not "
                "correspond to loss change"
            ),
        ),
        Source(
            "B",
            N_("Surrogate smooth loss functions, the jumps"),
            quote="sometimes, it varies abruptly: infinitesimal variations of distance result in relevant loss change",
        ),
    ),
    conditions=N_("The kernel is linear, and the points lie in the plane, not all at the same position."),
    tolerance=1e-9,
    page="losses",
    subject="points",
    witness=Witness(
        ((1.0, 0.0), (2.0, 1.0), (-1.0, 0.0), (-2.0, 1.0), (0.5, 3.0)),
        (1, 1, -1, -1, -1),
        N_("A small rotation of the line changes the hinge losses, but no 0–1 loss."),
    ),
)
def steps(s: Situation, tol: float) -> Outcome:
    """Move many lines by a little less and a little more than the distance to the next jump, and compare the losses.

    The distance comes from the Cauchy-Schwarz inequality, and the direction towards a point attains it. It is also
    measured, as the distance of (w, b) from the plane of all lines through this point.
    """
    need_linear_kernel_in_plane(s)
    Z, unit = augmented(s.X), max(1.0, s.max_norm)
    norms = np.linalg.norm(Z, axis=1)
    changed, unchanged, tried, radius, hinge_change, off = 0, 0, 0, 0.0, 0.0, 0.0
    for w, b in lines_in_widest_gaps(s.X):
        v = np.append(w, b)
        f = Z @ v
        ratios = np.abs(f) / norms
        nearest = int(ratios.argmin())
        if ratios[nearest] < 1e-9 * unit:
            continue
        tried += 1
        radius = float(ratios[nearest])
        measured = float(distances(v[None, :], Z[nearest], 0.0)[0])
        off = max(off, abs(radius - measured) / max(1.0, float(np.linalg.norm(v))))
        before = zero_one_loss(s.y * f)
        off = max(off, float(np.abs(before - (np.sign(f) != s.y)).max()))
        for k in (nearest, int(np.abs(f).argmax()), int(norms.argmax())):
            moved = Z @ (v - np.sign(f[k]) * 0.999 * radius * Z[k] / norms[k])
            changed = max(changed, int((zero_one_loss(s.y * moved) != before).sum()))
            hinge_change = max(
                hinge_change, float(np.abs(np.maximum(0.0, 1.0 - s.y * moved) - np.maximum(0.0, 1.0 - s.y * f)).max())
            )
        past_jump = Z @ (v - np.sign(f[nearest]) * 1.001 * radius * Z[nearest] / norms[nearest])
        unchanged += int(zero_one_loss(s.y * past_jump)[nearest] == before[nearest])
    if not tried:
        raise DoesNotApply("Every line here passes through a point, or all points are equal. Move the points apart.")
    return Outcome(
        reading(
            tol,
            max(float(changed + unchanged), off),
            Side("lines", float(tried)),
            Side("distance of the last line from the next jump", radius),
            Side("0–1 losses that change before the jump", float(changed)),
            Side("lines for which no loss changes after the jump", float(unchanged)),
        ),
        control=reading(
            tol,
            hinge_change,
            Side("largest change of a hinge loss before the jump", hinge_change),
            words=N_("The hinge losses do not change before the jump either."),
        ),
    )
