"""G7, and what the statements about few points share: which of the board's places are taken, and how narrow is too
narrow.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.generalisation import Circuit, circuits, labellings, labels, swept_margins, triple_margin, with_margin
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

FEW = 7  # places of which all triples and quadruples are taken
NARROW = 1.5e-9  # of the farthest place: how far from a line floats tell its sides
HEXAGON = ((2.0, 0.0), (1.0, 1.732), (-1.0, 1.732), (-2.0, 0.0), (-1.0, -1.732), (1.0, -1.732))
TURNS = (1, -1, 1, -1, 1, -1)
ROW = ((-2.0, 0.0), (0.0, 0.0), (2.0, 0.0), (0.0, 2.0))
LINES = N_("Checked with lines in the plane, whatever the kernel of the board.")


def distinct_places(s: Situation, most: int) -> Array:
    """The first `most` different places (k, 2) of the board, in its order; at least three, in the plane."""
    s.need_points()
    if s.X.shape[1] != 2:
        raise DoesNotApply("This is about lines in the plane. Take points of two coordinates.")
    first = np.sort(np.unique(s.X, axis=0, return_index=True)[1])
    if len(first) < 3:
        raise DoesNotApply(
            "This is about three points, and here are fewer than three different places. Add points elsewhere."
        )
    return np.asarray(s.X[first[:most]])


def on_what(s: Situation, taken: int) -> str:
    """The remark on what a check about lines was made: how many places, and that the kernel does not matter."""
    places = len(np.unique(s.X, axis=0))
    part = Phrase("Checked on the first {n} of {all} different places.", n=taken, all=places) if taken < places else ""
    return join_phrases(part, "" if s.problem.kernel.is_linear else LINES)


def by_radon(known: tuple[Circuit, ...], rows: tuple[int, ...]) -> int:
    """How many labellings of these rows no circuit refutes that lies among them."""
    ys, refuted = labels(len(rows)), np.zeros(2 ** len(rows), dtype=bool)
    for circuit in known:
        if set(circuit.rows) <= set(rows):
            agree = ys[:, [rows.index(i) for i in circuit.rows]] * circuit.weights > 0
            refuted |= agree.all(axis=1) | ~agree.any(axis=1)
    return int((~refuted).sum())


def meeting(P: Array, circuit: Circuit) -> float:
    """How far the two places are apart that a circuit's weights make of its two parts."""
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
        Source("E", N_("section 4, the unit circle"), quote="对于 $A_0$ 算法, 3个点可以打散, 4个点无法打散, 因此VC维是3"),
    ),
    repair=N_("Three points that are not on one line are shattered; of three on a line, 6 labellings are made. "
        "Four are never shattered."),
    conditions=N_("Lines in the plane, with a bias. Points in one place count once."),
    tolerance=1e-9,
    page="generalisation",
    machine="points",
    witness=Witness(ROW, (1, -1, 1, 1), N_("Three of the points stand on a line: +, −, + is made by no line.")),
)  # fmt: skip
def three_yes(s: Situation, tol: float) -> Outcome:
    """All triples and quadruples: labellings that Radon's partitions leave against those found by trying directions;
    one with proofs.
    """
    P = distinct_places(s, FEW)
    unit = float(np.abs(P).max())
    known = circuits(P)
    line = {tuple(circuit.rows.tolist()) for circuit in known if len(circuit.rows) == 3}
    threes, fours = (list(combinations(range(len(P)), k)) for k in (3, 4))
    off = [rows for rows in threes if rows not in line]
    if any(triple_margin(P[list(rows)]) < NARROW * unit for rows in off):
        raise DoesNotApply(
            "Three of the points are so close to a line that floats cannot tell its sides. Move one of them "
            "away from it."
        )
    made = {rows: by_radon(known, rows) for rows in (*threes, *fours)}
    tried = {rows: with_margin(swept_margins(P[list(rows)]), 0) for rows in made}
    proved = sum(one.separable for one in labellings(P[:4]))
    least, most = min((made[rows] for rows in off), default=8), max((made[rows] for rows in fours), default=14)
    wrong = max(
        [
            8 - least,
            most - 14,
            abs(proved - made[tuple(range(len(P[:4])))]),
            *(abs(made[rows] - tried[rows]) for rows in made),
            *(abs(made[rows] - 6) for rows in line),
            *(meeting(P, circuit) / unit for circuit in known),
        ]
    )
    sides = (
        [
            Side("triples off a line", float(len(off))),
            Side("of each, labellings that lines make, at least", float(least)),
        ]
        if off
        else []
    )
    sides += (
        [
            Side("triples on a line", float(len(line))),
            Side("of each, labellings made", float(max(made[rows] for rows in line))),
        ]
        if line
        else []
    )
    if fours:
        sides += [
            Side("quadruples", float(len(fours))),
            Side("of each, labellings not refuted by Radon, at most", float(most)),
            Side("the same, found by trying all directions", float(max(tried[rows] for rows in fours))),
            Side("of the first four, labellings with a line as proof", float(proved)),
        ]
    fewest = min(made[rows] for rows in threes)
    return Outcome(
        reading(
            tol,
            float(8 - fewest),
            Side("fewest labellings made of three points", float(fewest)),
            Side("labellings of three points", 8.0, "2^3"),
            words=N_("Any three points are shattered."),
        ),
        reading(tol, float(wrong), *sides),
        note=on_what(s, len(P)),
    )  # fmt: skip
