"""L4 and L9: what the 0/1 loss counts, and the fewest errors that a line can make."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.firstorder.perceptron import augmented, perceptron
from svmlab.losses import terraces, wrong
from svmlab.statements.geometry import feet
from svmlab.statements.plane import best_line, fewest_errors_by_turning, need_plane, with_bias
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

EIGHT = ((1.0, 0.0), (2.0, 1.0), (2.0, -1.0), (-1.0, 0.0), (-2.0, 1.0), (-2.0, -1.0), (5.0, 0.0), (5.0, 0.5))
LABELS = (1, 1, 1, -1, -1, -1, -1, -1)  # the last two stand beyond the other class
DIRECTIONS = 24
ANGLES, OFFSETS = 181, 201  # of the map
PATIENCE = 3_000  # mistakes
NARROW = N_("A line separates the classes, but so narrowly that the perceptron was not waited for.")


def tried(X: Array) -> list[tuple[Array, float]]:
    """Lines (w, b) with |w| = 1 in 24 directions, each in the widest gap that the points (m, 2) leave along its
    normal.
    """
    lines = []
    for angle in np.arange(DIRECTIONS) * 2.0 * np.pi / DIRECTIONS + 0.1:
        w = np.array([np.cos(angle), np.sin(angle)])
        p = np.sort(X @ w)
        p = p if p[-1] - p[0] > 1e-9 else np.append(p, p[-1] + 1.0)
        at = int(np.diff(p).argmax())
        lines.append((w, -0.5 * float(p[at] + p[at + 1])))
    return lines


@statement(
    "L4",
    N_("What the 0/1 loss counts"),
    sentence=N_("The 0/1 loss counts the points with y f(x) at most 0: those on the wrong side of the line, and "
        "those on it."),
    formula=r"\min_{w,b}\ \sum_i \mathbf{1}[\,y_i\,(\langle w, x_i\rangle + b) \le 0\,]",
    source=(
        Source(
            "B",
            N_("0/1 loss"),
            "misprint",
            (r"$\underset{\mathbf{w},b}{\operatorname{argmin}} \sum_{i=1}^{n} \mathbf{1}[t_i(\mathbf{w}^T "
        r"\mathbf{x}_i + b) > 0]$"),
            N_("This counts the points that are right, and is least, 0, at w = 0; the list of losses some "
        "slides on has it right."),
            52,
        ),
        Source("B", N_("Convex surrogate loss functions"), quote=r"$\mathbf{0/1} \ L(t,y) = \mathbf{1}[yt \le 0]$"),
    ),
    repair=N_("Errors are the points with y f(x) at most 0. Those above 0 are right."),
    conditions=N_("The kernel is linear, on points of the plane. The line may lie anywhere, whether or not the "
        "board has a bias."),
    tolerance=1e-9,
    page="losses",
    machine="points",
    witness=Witness(EIGHT, LABELS, N_("The print is least for w = 0 and b = 0, where all eight points are errors. The best line makes "
        "two.")),
)  # fmt: skip
def counts(s: Situation, tol: float) -> Outcome:
    """Many lines: the sum of the losses against the points measured to be on the other side; and the best line of
    all.
    """
    need_plane(s)
    best = best_line(s.problem.data)
    unit, off, lowest = max(1.0, s.max_norm), 0.0, float(s.m)
    lines = tried(s.X) + ([(best.w, best.b)] if best.w.any() else [])
    for w, b in lines:
        f = s.X @ w + b
        errors = float(wrong(s.y * f).sum())
        ways = (s.X - feet(s.X, w, b)) @ w / float(w @ w)  # signed, in lengths of w
        across = float((np.sign(ways) != s.y).sum())
        off = max(
            off,
            abs(errors - across),
            float(np.abs(ways * (w @ w) - f).max()) / (unit * max(1.0, float(np.linalg.norm(w)))),
        )
        lowest = min(lowest, errors)
    t = s.y * (s.X @ best.w + best.b)
    least, nowhere = float(wrong(t).sum()), float(wrong(0.0 * s.y).sum())
    return Outcome(
        reading(
            tol,
            (nowhere - best.errors) / s.m,
            Side("the printed sum at w = 0, b = 0", float((0.0 * s.y > 0).sum())),
            Side("errors there", nowhere),
            Side("the printed sum at the best line, turned round", float((-t > 0).sum())),
            Side("fewest errors of a line", float(best.errors)),
            words=N_("Where this sum is least are the fewest errors."),
        ),
        reading(
            tol,
            max(off, abs(least - best.errors), best.errors - lowest, abs(nowhere - s.m)),
            Side("0/1 loss of the best line", least),
            Side("errors that all lines leave at least, counted", float(best.errors)),
            Side("lines whose two counts were compared", float(len(lines))),
            Side("fewest errors among these", lowest),
            Side("points right at the best line", float((t > 0).sum())),
        ),
    )  # fmt: skip


@statement(
    "L9",
    N_("The fewest errors"),
    sentence=N_(
        "In the plane, trying all lines through two points finds the fewest errors; where a line "
        "separates the classes the perceptron finds one too. Nothing so quick is known as the dimension "
        "grows."
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
        "The kernel is linear, on points of the plane. The line may lie anywhere, whether or not the "
        "board has a bias. That it is hard concerns growing dimension, and is not tried."
    ),
    tolerance=1e-9,
    page="losses",
    machine="points",
    witness=Witness(
        EIGHT,
        LABELS,
        N_("Two of the points labelled − stand beyond the other class. The best line makes two errors, the SVM three."),
    ),
)
def fewest(s: Situation, tol: float) -> Outcome:
    """All lines through two points against a line that is turned, and against a map that it must not beat; the
    perceptron's end.
    """
    need_plane(s)
    here = with_bias(s)
    best, turned = best_line(s.problem.data), float(fewest_errors_by_turning(s.problem.data))
    far = max(1.0, float(np.linalg.norm(s.X, axis=1).max()))
    grid = terraces(s.problem.data, np.linspace(0.0, 2 * np.pi, ANGLES), far * np.linspace(-1.05, 1.05, OFFSETS))
    t = s.y * (s.X @ best.w + best.b)
    off = max(
        abs(best.errors - turned),
        best.errors - float(grid.min()),
        abs(float((t <= 0).sum()) - best.errors),
        float(here.separation.separable != (best.errors == 0)),
    )
    run = perceptron(augmented(s.X), s.y, np.arange(s.m), PATIENCE)
    sides = [
        Side("fewest errors, all lines through two points", float(best.errors)),
        Side("fewest errors, a line turned by half a turn", turned),
        Side("fewest errors on a map of lines", float(grid.min())),
        Side("most errors on it", float(grid.max())),
    ]
    note = ""
    if best.errors == 0 and not run.stopped:
        note = NARROW
    else:
        off = max(off, float(run.stopped != (best.errors == 0)), float(run.errors[-1]) if run.stopped else 0.0)
        sides += [
            Side("mistakes of the perceptron", float(run.mistakes)),
            Side("fewest errors it passes", float(run.errors.min())),
        ]
    off = max(off, by_mistake(run.path, run.rows[run.updates]))
    return Outcome(reading(tol, off, *sides), control=attained(here, best.errors), note=note)  # fmt: skip


def by_mistake(path: Array, rows: Array) -> float:
    """How far any of the steps of a perceptron's path (k + 1, D) was not at a mistake, or not by its row (k, D);
    relative.
    """
    if not len(rows):
        return 0.0
    unit = max(1.0, float(np.abs(path).max()) * float(np.abs(rows).max()))
    right = float((path[:-1] * rows).sum(1).max())
    return max(right, float(np.abs(np.diff(path, axis=0) - rows).max())) / unit


def attained(s: Situation, fewest: int) -> Reading | None:
    """Whether the line of the soft margin makes no more errors."""
    if not s.problem.data.both_classes:
        return None
    e = s.soft_solution
    errors = float((e.margins <= 0).sum())
    return reading(
        0.0,
        errors - fewest,
        Side("errors of the SVM", errors),
        Side("fewest errors of a line", float(fewest)),
        words=N_("The SVM's line makes no more errors than any other."),
    )
