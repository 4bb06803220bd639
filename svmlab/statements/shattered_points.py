"""G7, and what the statements about few points share: the positions of the board, and narrow margins."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.generalisation import Circuit, circuits, labellings, labels, swept_margins, triple_margin, with_margin
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

FEW = 7  # positions of which all triples and quadruples are taken
NARROW = 1.5e-9  # relative to the largest coordinate: how far from a line double precision can tell its sides
HEXAGON = ((2.0, 0.0), (1.0, 1.732), (-1.0, 1.732), (-2.0, 0.0), (-1.0, -1.732), (1.0, -1.732))
ALTERNATING = (1, -1, 1, -1, 1, -1)
ROW = ((-2.0, 0.0), (0.0, 0.0), (2.0, 0.0), (0.0, 2.0))
LINES = N_("Checked with lines in the plane, whatever the kernel of the board.")


def distinct_positions(s: Situation, most: int) -> Array:
    """Return the first `most` distinct positions (k, 2) of the board, in its order.

    Raises DoesNotApply for fewer than three, or for points that are not in the plane.
    """
    s.need_points()
    if s.X.shape[1] != 2:
        raise DoesNotApply("This is about lines in the plane. Take points of two coordinates.")
    first = np.sort(np.unique(s.X, axis=0, return_index=True)[1])
    if len(first) < 3:
        raise DoesNotApply(
            "This is about three points, and here are fewer than three different places. Add points elsewhere."
        )
    return np.asarray(s.X[first[:most]])


def positions_note(s: Situation, taken: int) -> str:
    """Return the remark on how many positions were used, and that the kernel does not matter."""
    number = len(np.unique(s.X, axis=0))
    number_note = (
        Phrase("Checked on the first {n} of {all} different places.", n=taken, all=number) if taken < number else ""
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
    N_("Three yes, four no"),
    sentence=N_(
        "Lines make all 8 labellings of three points that are not on one line, and never more than 14 of "
        "the 16 of four points: the VC dimension of lines in the plane is 3."
    ),
    formula=r"d_{\mathrm{VC}}(\mathcal A_0) = d + 1 = 3",
    source=(
        Source(
            "E",
            N_("section 4, three points"),
            "incomplete",
            quote="对于任意3个样本点,像PLA一样的 $A_{0}$ 算法,能够实现打散",
            flaw=N_("Of three points on one line, the one between the others cannot have a label of its own."),
            at=80,
        ),
        Source(
            "E", N_("section 4, the unit circle"), quote="对于 $A_0$ 算法, 3个点可以打散, 4个点无法打散, 因此VC维是3"
        ),
    ),
    repair=N_(
        "Three points that are not on one line are shattered; of three on a line, 6 labellings are made. "
        "Four are never shattered."
    ),
    conditions=N_("Lines in the plane, with a bias. Points in one place count once."),
    tolerance=1e-9,
    page="generalisation",
    machine="points",
    witness=Witness(ROW, (1, -1, 1, 1), N_("Three of the points stand on a line: +, −, + is made by no line.")),
)
def three_yes(s: Situation, tol: float) -> Outcome:
    """Compare, for all triples and quadruples, the labellings by Radon partitions with those by directions.

    The first quadruple is compared with the labellings that have a separating line as proof.
    """
    P = distinct_positions(s, FEW)
    unit = float(np.abs(P).max())
    known = circuits(P)
    collinear = {tuple(circuit.rows.tolist()) for circuit in known if len(circuit.rows) == 3}
    threes, fours = (list(combinations(range(len(P)), k)) for k in (3, 4))
    not_collinear = [rows for rows in threes if rows not in collinear]
    if any(triple_margin(P[list(rows)]) < NARROW * unit for rows in not_collinear):
        raise DoesNotApply(
            "Three of the points are so close to a line that floats cannot tell its sides. Move one of them "
            "away from it."
        )
    by_partitions = {rows: count_unrefuted(known, rows) for rows in (*threes, *fours)}
    by_directions = {rows: with_margin(swept_margins(P[list(rows)]), 0) for rows in by_partitions}
    number_proved = sum(labelling.separable for labelling in labellings(P[:4]))
    least, most = (
        min((by_partitions[rows] for rows in not_collinear), default=8),
        max((by_partitions[rows] for rows in fours), default=14),
    )
    difference = max(
        [
            8 - least,
            most - 14,
            abs(number_proved - by_partitions[tuple(range(len(P[:4])))]),
            *(abs(by_partitions[rows] - by_directions[rows]) for rows in by_partitions),
            *(abs(by_partitions[rows] - 6) for rows in collinear),
            *(radon_point_distance(P, circuit) / unit for circuit in known),
        ]
    )
    sides = (
        [
            Side("triples off a line", float(len(not_collinear))),
            Side("of each, labellings that lines make, at least", float(least)),
        ]
        if not_collinear
        else []
    )
    sides += (
        [
            Side("triples on a line", float(len(collinear))),
            Side("of each, labellings made", float(max(by_partitions[rows] for rows in collinear))),
        ]
        if collinear
        else []
    )
    if fours:
        sides += [
            Side("quadruples", float(len(fours))),
            Side("of each, labellings not refuted by Radon, at most", float(most)),
            Side("the same, found by trying all directions", float(max(by_directions[rows] for rows in fours))),
            Side("of the first four, labellings with a line as proof", float(number_proved)),
        ]
    fewest = min(by_partitions[rows] for rows in threes)
    return Outcome(
        reading(
            tol,
            float(8 - fewest),
            Side("fewest labellings made of three points", float(fewest)),
            Side("labellings of three points", 8.0, "2^3"),
            words=N_("Any three points are shattered."),
        ),
        reading(tol, float(difference), *sides),
        note=positions_note(s, len(P)),
    )
