"""X1: several classes by a machine for each, against all others; the largest f decides."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Mask
from svmlab.core.phrase import N_
from svmlab.multiclass import Machines
from svmlab.statements import opinion
from svmlab.statements.opinion import decision_uncertainty, need_exact
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

PLACES = 41  # along each side of the board
TWO = 2  # classes, of which the one's machine is the other's with its sign turned


def places(X: Array) -> Array:
    """A grid over what the points (m, d) reach, a quarter wider; of more than two coordinates the others at their
    middle.
    """
    lo, hi = X.min(0), X.max(0)
    room = 0.25 * float((hi - lo).max()) or 1.0
    sides = [np.linspace(a, b, PLACES) for a, b in zip(lo[:2] - room, hi[:2] + room, strict=True)]
    grid = np.stack([side.ravel() for side in np.meshgrid(*sides)], 1)
    return np.hstack([grid, np.tile(0.5 * (lo + hi)[2:], (len(grid), 1))])


def second(machines: Machines, opinions: tuple[opinion.Dual, ...], Z: Array) -> Array:
    """F at each row of Z (n, d) from cvxopt's multipliers, shape (n, k); where b is free to move, with the exact
    one.
    """
    K = machines.problem.kernel(machines.problem.data.X, Z)
    columns = []
    for e, d in zip(machines.machines, opinions, strict=True):
        lo, hi = e.b_interval
        columns.append((d.alpha * e.problem.data.y) @ K + (e.b if hi > lo else d.b))
    return np.stack(columns, 1)


def beside(machines: Machines, opinions: tuple[opinion.Dual, ...]) -> Array:
    """How far cvxopt's b is from the interval of each machine's, shape (k,)."""
    ends = ((e.b_interval, d.b) for e, d in zip(machines.machines, opinions, strict=True))
    return np.array([max(0.0, lo - b, b - hi) for (lo, hi), b in ends])


def clear(f: Array, room: Array) -> Mask:
    """Whether the largest of each row of f (n, k) is it beyond the room (n,) that either solver leaves."""
    top = np.partition(f, -2, axis=1)
    return np.asarray(top[:, -1] - top[:, -2] > 2 * room)


@statement(
    "X1",
    N_("One against the rest"),
    sentence=N_(
        "For more than two classes one machine for each class tells it from all others, and a place gets "
        "the class of the largest f."
    ),
    formula=r"\hat y(x) = \arg\max_k f_k(x), \qquad f_k(x) = \langle w_k, x\rangle + b_k",
    source=(
        Source(
            "B",
            N_("Extensions"),
            quote=(
                "More than 2 classes (multiclass classification): solve one vs all binary classification problem "
                "for all classes"
            ),
        ),
    ),
    conditions=N_(
        "There are points of two classes at least. The largest f decides also where no machine says yes, "
        "and where several do; of a class between two others w may be 0. Where two f are as large, the "
        "place has no class."
    ),
    tolerance=1e-6,
    page="extensions",
    machine="several",
    witness=Witness(
        ((-2.0, -1.5), (-2.5, -2.0), (2.0, -1.5), (2.5, -2.0), (0.0, 2.0), (0.5, 2.5)),
        (1, 1, 2, 2, 3, 3),
        N_("Three classes at the corners of a triangle: between them no machine says yes, and far out two do."),
        C=10.0,
        task="classes",
    ),
)
def rest(s: Situation, tol: float) -> Outcome:
    """F of every machine at the points, and the class of each place of a grid, by the exact method and by cvxopt; of
    two classes f2 = -f1.
    """
    found, others = s.other_tasks.machines, s.other_tasks.opinions
    tol = s.level(tol, *found.machines)
    X, k = found.problem.data.X, len(found.classes)
    kernel = found.problem.kernel
    reach = float(np.sqrt(kernel.diag(X).max())) or 1.0
    units = np.array([max(1.0, reach * e.norm_w) for e in found.machines])
    f, g = found.decision(X), second(found, others, X)
    off, missed = np.abs(f - g).max(0), beside(found, others)
    gaps = np.array(
        [
            decision_uncertainty(e.problem, e.alpha) + decision_uncertainty(e.problem, d.alpha)
            for e, d in zip(found.machines, others, strict=True)
        ]
    )
    need_exact(float((np.maximum(off, missed) / units).max()), tol, float(2 * (gaps / units).max()))
    Z = places(X)
    own, other = found.decision(Z), second(found, others, Z)
    far = np.maximum(1.0, np.sqrt(kernel.diag(Z)) / reach)
    room = far * float((tol * units + 2 * gaps).max()) + found.noise
    told = clear(own, room)
    apart = float(np.mean(told & (own.argmax(1) != other.argmax(1))))
    turned = float(np.abs(f.sum(1)).max() / units.max()) if k == TWO else 0.0
    yes = (own > room[:, None]).sum(1)
    sides = (
        Side("machines, one for each class", float(k)),
        Side("largest difference of f, two solvers, in margin units", float((off / units).max())),
        Side("places of a grid with a class", float(told.sum())),
        Side("of these, another class by the other solver", apart * len(Z)),
        Side("points that the largest f has wrong", float((~(found.predict(X) == found.problem.data.y)).sum())),
        Side("shortest w", float(min(e.norm_w for e in found.machines)), r"\|w_k\|"),
        *((Side("largest sum of both f at a point", turned, "f_1 + f_2"),) if k == TWO else ()),
    )
    residual = max(float((off / units).max()), float((missed / units).max()), apart, turned)
    return Outcome(
        reading(tol, residual, *sides), control=one_yes(yes, np.abs(own) <= room[:, None]), note=_moving(found)
    )


def one_yes(yes: Array, unsure: Mask) -> Reading:
    """That exactly one machine says yes at each place, (n,) and (n, k), but where an f is 0 to rounding."""
    sure = ~unsure.any(1)
    none, several = (float(np.mean(sure & part)) for part in (yes == 0, yes > 1))
    return reading(
        0.0,
        none + several,
        Side("share of the places with no yes", none),
        Side("share with several", several),
        words=N_("At every place exactly one machine says yes."),
    )


def _moving(found: Machines) -> str:
    if any(hi > lo for lo, hi in (e.b_interval for e in found.machines)):
        return N_("Here a machine has more than one best b; the middle one is taken for both solvers.")
    return ""
