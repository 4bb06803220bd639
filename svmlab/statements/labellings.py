"""G6, G7 and G10: the labellings of few points that lines realise, those that a margin excludes, and the VC bound.

The statements about few points share the positions of the board and the limits of narrow margins.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.generalisation import (
    Circuit,
    circuits,
    count_with_margin,
    hull_margins,
    labellings,
    labels,
    margins,
    max_shattered_points,
    swept_margins,
    triple_margin,
)
from svmlab.kernels.standard import Gaussian, titles_where
from svmlab.statements.plane import need_linear_kernel_in_plane
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

MAX_RADON_POINTS = 7  # positions of which all triples and quadruples are taken
NARROW_TRIPLE = 1.5e-9  # relative to the largest coordinate: how far from a line double precision can tell its sides
HEXAGON = ((2.0, 0.0), (1.0, 1.732), (-1.0, 1.732), (-2.0, 0.0), (-1.0, -1.732), (1.0, -1.732))
ALTERNATING = (1, -1, 1, -1, 1, -1)
ROW = ((-2.0, 0.0), (0.0, 0.0), (2.0, 0.0), (0.0, 2.0))
LINES = N_("This was checked with lines in the plane, whatever the kernel of the board is.")


def distinct_positions(s: Situation, most: int) -> Array:
    """Return the first `most` distinct positions (k, 2) of the board, in its order.

    Raises DoesNotApply for fewer than three, or for points that are not in the plane.
    """
    s.need_points()
    if s.X.shape[1] != 2:
        raise DoesNotApply("This statement is about lines in the plane. Use points with two coordinates.")
    first = np.sort(np.unique(s.X, axis=0, return_index=True)[1])
    if len(first) < 3:
        raise DoesNotApply(
            "This statement is about three points, but there are fewer than three different positions. Add "
            "points at other positions."
        )
    return np.asarray(s.X[first[:most]])


def positions_note(s: Situation, taken: int) -> str:
    """Return the remark on how many positions were used, and that the kernel does not matter."""
    number = len(np.unique(s.X, axis=0))
    number_note = (
        Phrase("This was checked on the first {n} of {all} different positions.", n=taken, all=number)
        if taken < number
        else ""
    )
    return join_phrases(number_note, "" if s.problem.kernel.is_linear else LINES)


def count_unrefuted(known: tuple[Circuit, ...], rows: tuple[int, ...]) -> int:
    """Return the number of labellings of these rows that no circuit among them refutes."""
    labellings_of_rows, refuted = labels(len(rows)), np.zeros(2 ** len(rows), dtype=bool)
    for circuit in known:
        if set(circuit.rows) <= set(rows):
            signs = labellings_of_rows[:, [rows.index(i) for i in circuit.rows]] * circuit.weights > 0
            refuted |= signs.all(axis=1) | ~signs.any(axis=1)
    return int((~refuted).sum())


def radon_point_distance(P: Array, circuit: Circuit) -> float:
    """Return the distance between the two points that a circuit's weights make of its two parts."""
    return float(np.hypot(*(circuit.weights @ P[circuit.rows]))) + abs(float(circuit.weights.sum()))


@statement(
    "G7",
    N_("VC dimension of lines in the plane"),
    sentence=N_(
        "Lines realise all 8 labellings of three points that are not on one line. Of the 16 labellings of "
        "four points, lines realise at most 14. So the VC dimension of lines in the plane is 3."
    ),
    formula=r"d_{\mathrm{VC}}(\mathcal A_0) = d + 1 = 3",
    source=(
        Source(
            "E",
            N_("section 4, three points"),
            "incomplete",
            quote="对于任意3个样本点,像PLA一样的 $A_{0}$ 算法,能够实现打散",
            flaw=N_(
                "Three points on one line are not shattered, because the middle point cannot have a label "
                "different from both others. The notes claim it for any three points."
            ),
            at=80,
        ),
        Source(
            "E", N_("section 4, the unit circle"), quote="对于 $A_0$ 算法, 3个点可以打散, 4个点无法打散, 因此VC维是3"
        ),
    ),
    repair=N_(
        "Three points that are not on one line are shattered. For three different points on one line, "
        "lines realise 6 labellings. Four points are never shattered."
    ),
    conditions=N_("The classifiers are lines in the plane, with a bias. Points at the same position count once."),
    tolerance=1e-9,
    page="generalisation",
    subject="points",
    witness=Witness(
        ROW, (1, -1, 1, 1), N_("Three of the points lie on one line. No line realises their labelling +, −, +.")
    ),
)
def vc_dimension_of_lines(s: Situation, tol: float) -> Outcome:
    """Compare, for all triples and quadruples, the labellings by Radon partitions with those by directions.

    The first quadruple is compared with the labellings that have a separating line as proof.
    """
    P = distinct_positions(s, MAX_RADON_POINTS)
    unit = float(np.abs(P).max())
    known = circuits(P)
    collinear = {tuple(circuit.rows.tolist()) for circuit in known if len(circuit.rows) == 3}
    threes, fours = (list(combinations(range(len(P)), k)) for k in (3, 4))
    not_collinear = [rows for rows in threes if rows not in collinear]
    if any(triple_margin(P[list(rows)]) < NARROW_TRIPLE * unit for rows in not_collinear):
        raise DoesNotApply(
            "Three of the points are so close to one line that floating-point numbers do not determine their "
            "sides. Move one of them away from the line."
        )
    by_partitions = {rows: count_unrefuted(known, rows) for rows in (*threes, *fours)}
    by_directions = {rows: count_with_margin(swept_margins(P[list(rows)]), 0) for rows in by_partitions}
    number_proved = sum(labelling.separable for labelling in labellings(P[:4]))
    fewest_of_triples, most = (
        min((by_partitions[rows] for rows in not_collinear), default=8),
        max((by_partitions[rows] for rows in fours), default=14),
    )
    difference = max(
        [
            8 - fewest_of_triples,
            most - 14,
            abs(number_proved - by_partitions[tuple(range(len(P[:4])))]),
            *(abs(by_partitions[rows] - by_directions[rows]) for rows in by_partitions),
            *(abs(by_partitions[rows] - 6) for rows in collinear),
            *(radon_point_distance(P, circuit) / unit for circuit in known),
        ]
    )
    sides = (
        [
            Side("triples that are not on one line", float(len(not_collinear))),
            Side("fewest labellings that lines realise for such a triple", float(fewest_of_triples)),
        ]
        if not_collinear
        else []
    )
    sides += (
        [
            Side("triples on one line", float(len(collinear))),
            Side(
                "labellings that lines realise for such a triple", float(max(by_partitions[rows] for rows in collinear))
            ),
        ]
        if collinear
        else []
    )
    if fours:
        sides += [
            Side("quadruples", float(len(fours))),
            Side("most labellings of a quadruple, by Radon partitions", float(most)),
            Side(
                "most labellings of a quadruple, by all directions", float(max(by_directions[rows] for rows in fours))
            ),
            Side("labellings of the first four with a separating line", float(number_proved)),
        ]
    fewest = min(by_partitions[rows] for rows in threes)
    return Outcome(
        reading(
            tol,
            float(8 - fewest),
            Side("fewest labellings that lines realise for three points", float(fewest)),
            Side("labellings of three points", 8.0, "2^3"),
            words=N_("Every set of three points is shattered."),
        ),
        reading(tol, float(difference), *sides),
        note=positions_note(s, len(P)),
    )


MAX_LABELLED_POINTS = 6  # positions whose labellings are solved
PARTS = (0.15, 0.35, 0.45, 0.55)  # margins, in units of R
NARROW_HARD_MARGIN = 1e-2  # relative to R: a smaller hard margin may be too small for double precision
FEATURES = Gaussian(1.0)  # for a board whose kernel adds no features


def sauer(k: int, most: int) -> int:
    """Return the largest number of labellings of k points, none of whose subsets of more than `most` is shattered.

    This is Sauer's lemma.
    """
    return sum(math.comb(k, i) for i in range(min(k, most) + 1))


@statement(
    "G6",
    N_("Labellings with a margin"),
    sentence=N_(
        "A feature map can realise more labellings of the same points than lines. If a margin of at least "
        "ρ is required, Sauer’s bound limits their number. Let R be the largest norm ‖φ(x)‖. The bound is "
        "much smaller than 2ᵐ if m is large compared with R²/ρ²."
    ),
    formula=r"\#\{y : \gamma(y) \ge \rho\} \le \sum_{i \le d_{\mathrm{VC}}(\mathcal A_\rho)} \binom{m}{i}",
    source=(
        Source(
            "E",
            N_("section 4, with a feature transform"),
            "hedged",
            '由于large-margin天然的"踩刹车"特点,可以使算法的VC维不至于增加到那么大',
            N_(
                "The margin limits the number of labellings only if ρ is chosen before the points are known, and "
                "if m is large compared with R²/ρ². The notes express this as an expectation."
            ),
            96,
        ),
    ),
    conditions=N_(
        "How many labellings remain depends on the points. The margin ρ is a fraction of R, chosen before "
        "the points are known. Labellings with only one class are counted, too."
    ),
    tolerance=1e-5,
    page="generalisation",
    subject="points",
    witness=Witness(
        HEXAGON,
        ALTERNATING,
        N_(
            "With a Gaussian kernel all 64 labellings of the hexagon are realised, and with lines 32. With a "
            "margin of 0.45 R, the Gaussian kernel realises 14."
        ),
        FEATURES,
    ),
)
def labellings_with_margin(s: Situation, tol: float) -> Outcome:
    """Compare, for all labellings of six positions, hard margins with half the distance between convex hulls.

    With lines in the plane, all directions are compared with the hulls. The numbers of labellings with a margin are
    compared with Sauer's bound.
    """
    P = distinct_positions(s, MAX_LABELLED_POINTS)
    k, kernel = len(P), s.problem.kernel
    if not kernel.psd:
        raise DoesNotApply(
            "The {kernel} kernel with these parameters has no feature space, so there is no margin. Choose the "
            "{choice} kernel.",
            kernel=kernel.title,
            choice=titles_where(lambda kernel: kernel.psd),
        )
    features = FEATURES if kernel.is_linear else kernel
    K = features(P, P)
    R, largest_norm = math.sqrt(max(float(K.diagonal().max()), 0.0)), float(np.linalg.norm(P, axis=1).max())
    if R == 0.0:
        raise DoesNotApply("All points have norm 0 in the feature space of this kernel. Choose other parameters.")
    both_labels, line_margins, hard, by_hulls = slice(1, -1), swept_margins(P), margins(P, features), hull_margins(K)
    is_too_narrow = (hard == 0.0) & (by_hulls > tol * R) & (by_hulls < NARROW_HARD_MARGIN * R)
    hard = np.where(is_too_narrow, by_hulls, hard)
    with_margins = [count_with_margin(hard, part * R) for part in PARTS]
    sauer_bounds = [sauer(k, max_shattered_points(part * R, R, k - 1)) for part in PARTS]
    by_lines, by_features = count_with_margin(line_margins, 0), count_with_margin(hard, 0)
    difference = max(
        float(np.abs(hard - by_hulls)[both_labels].max()) / R,
        float(np.abs(line_margins - hull_margins(P @ P.T))[both_labels].max()) / largest_norm,
        *(float(n - top) for n, top in zip(with_margins, sauer_bounds, strict=True)),
    )
    note = Phrase("This was checked on the first {n} different positions.", n=k)
    narrow_note = (
        Phrase("{n} margins are too small to be computed, so they were not compared.", n=int(is_too_narrow.sum()))
        if is_too_narrow.any()
        else ""
    )
    kernel_note = N_("The kernel of the board is linear, so a Gaussian kernel with σ = 1 was used.")
    return Outcome(
        reading(
            tol,
            difference,
            Side("labellings", float(2**k), "2^m"),
            Side("labellings realised by lines", float(by_lines)),
            Side("labellings realised in feature space", float(by_features)),
            *(
                Side(Phrase("labellings realised with margin {part:g} R or more", part=part), float(n))
                for part, n in zip(PARTS, with_margins, strict=True)
            ),
            Side(Phrase("upper bound for their number, margin {part:g} R", part=PARTS[-1]), float(sauer_bounds[-1])),
        ),
        control=reading(
            0.0,
            float(by_features - by_lines),
            Side("labellings realised in feature space", float(by_features)),
            Side("labellings realised by lines", float(by_lines)),
            words=N_("In feature space, no more labellings are realised than by lines."),
        ),
        note=join_phrases(note, kernel_note if kernel.is_linear else "", narrow_note),
    )


DELTA = 0.05


def vc_term(m: int, dimension: int, delta: float) -> float:
    """Return the root that the VC bound adds to the training error of m points; it knows no single classifier."""
    return math.sqrt(8.0 / m * math.log(4.0 * ((2.0 * m) ** dimension + 1.0) / delta))


@statement(
    "G10",
    N_("The VC bound of separating lines"),
    sentence=N_(
        "The VC bound of a line is its training error plus a term in which only the number of points, the VC dimension "
        "of all lines and δ occur. So it is the same for every line that separates the classes, whatever its margin."
    ),
    formula=(
        r"E_{\text{out}} \le E_{\text{in}} + \Omega, \qquad "
        r"\Omega = \sqrt{\tfrac8m \ln\tfrac{4\,((2m)^{d_{\mathrm{VC}}} + 1)}{\delta}}"
    ),
    source=(
        Source(
            "E",
            N_("section 1, which line is the best"),
            quote=(
                r"三条线的VC Bound相同——三条线的 $E_{in}$ 均为0,且 $\Omega$ 都一样(因为三条直线对应的假说集合 "
                r"$\mathcal{H}$ 是一样的, $\Omega$ 是 $\mathcal{H}$ 的函数)"
            ),
        ),
    ),
    conditions=N_(
        "The classes are separable, both are present, and the points lie in the plane. The kernel is linear, and "
        "δ = 0.05. The VC dimension is 3 with a bias and 2 without one. A bound of 1 or more says nothing."
    ),
    tolerance=1e-6,
    page="generalisation",
    subject="hard",
    witness=Witness(
        ((2.0, 0.0), (2.0, 1.0), (-2.0, 0.0), (-2.0, -1.0)),
        (1, 1, -1, -1),
        N_("A line closer to one class has a smaller margin, but the same VC bound."),
        C=math.inf,
    ),
)
def same_bound(s: Situation, tol: float) -> Outcome:
    """Compare the bounds of the hard margin and of lines beside it, which separate the classes with less margin.

    Their training errors are counted, and so are the labellings of some points, which the term must not undercut.
    """
    need_linear_kernel_in_plane(s)
    solution, dimension = s.hard_solution, 3 if s.problem.bias else 2
    w, b = s.expand(solution.alpha), solution.b
    turned = 0.9 / s.max_norm * np.array([-w[1], w[0]]) / float(np.linalg.norm(w))
    lines = [(w, b), (w + turned, b), (w - turned, b)]
    lines += [(w, b + 0.9), (w, b - 0.9)] if s.problem.bias else []
    term = vc_term(s.m, dimension, DELTA)
    margins = [float((s.y * (s.X @ v + c)).min()) / float(np.linalg.norm(v)) for v, c in lines]
    bounds = [float((np.sign(s.X @ v + c) != s.y).mean()) + term for v, c in lines]
    P = np.unique(s.X, axis=0)[:MAX_LABELLED_POINTS]
    realised = count_with_margin(swept_margins(P), 0) if len(P) > 2 and s.problem.bias else 0
    largest_difference = max(bounds) - min(bounds)
    canonical = 1.0 / float(np.linalg.norm(w))  # the margin of the hard margin, by its norm
    off = abs(margins[0] - canonical) / s.length_unit(w)
    loss_of_margin = (margins[0] - min(margins)) / margins[0]
    return Outcome(
        reading(
            tol,
            max(largest_difference, off, realised - float(len(P)) ** dimension - 1.0),
            Side("separating lines", float(len(lines))),
            Side("smallest VC bound of these lines", min(bounds)),
            Side("largest VC bound of these lines", max(bounds)),
            Side("largest margin of these lines", margins[0], r"\gamma^*"),
            Side("smallest margin of these lines", min(margins), r"\gamma"),
        ),
        control=reading(
            tol,
            loss_of_margin,
            Side("proportion of the margin that is lost at the same bound", loss_of_margin),
            words=N_("Lines with the same VC bound have the same margin."),
        ),
    )
