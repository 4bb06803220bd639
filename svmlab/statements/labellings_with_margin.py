"""G6: features allow many labellings, and a margin excludes most of them."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.generalisation import hull_margins, margins, shattered, swept_margins, with_margin
from svmlab.kernels.standard import Gaussian, titles_where
from svmlab.statements.shattered_points import ALTERNATING, HEXAGON, distinct_positions
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

FEW = 6  # positions whose labellings are solved
PARTS = (0.15, 0.35, 0.45, 0.55)  # margins, in units of R
NARROW = 1e-2  # relative to R: a smaller hard margin may be too small for double precision
FEATURES = Gaussian(1.0)  # for a board whose kernel adds no features


def sauer(k: int, most: int) -> int:
    """Return the largest number of labellings of k points, none of whose subsets of more than `most` is shattered.

    This is Sauer's lemma.
    """
    return sum(math.comb(k, i) for i in range(min(k, most) + 1))


@statement(
    "G6",
    N_("The margin as a brake"),
    sentence=N_(
        "Features bring boundaries of many shapes, which make many labellings of the same points; asked "
        "for a large margin beside R, the longest φ(x), few of them are left."
    ),
    formula=r"\#\{y : \gamma(y) \ge \rho\} \le \sum_{i \le d_{\mathrm{VC}}(\mathcal A_\rho)} \binom{m}{i}",
    source=(
        Source(
            "E",
            N_("section 4, with a feature transform"),
            "hedged",
            '由于large-margin天然的"踩刹车"特点,可以使算法的VC维不至于增加到那么大',
            N_(
                "It is an expectation: it counts on a margin that is chosen before the points are seen, and "
                "large beside R."
            ),
            96,
        ),
    ),
    conditions=N_(
        "An expectation: how many labellings are left depends on the points. ρ is a part of R, chosen "
        "before the points are seen; labels of one class alone count."
    ),
    tolerance=1e-5,
    page="generalisation",
    machine="points",
    witness=Witness(
        HEXAGON,
        ALTERNATING,
        N_(
            "With a Gaussian all 64 labellings of the hexagon are made, lines make 32; with a margin of 0.45 "
            "R the Gaussian makes 14."
        ),
        FEATURES,
    ),
)
def brake(s: Situation, tol: float) -> Outcome:
    """Compare, for all labellings of six positions, hard margins with half the distance between convex hulls.

    With lines in the plane, all directions are compared with the hulls. The numbers of labellings with a margin are
    compared with Sauer's bound.
    """
    P = distinct_positions(s, FEW)
    k, kernel = len(P), s.problem.kernel
    if not kernel.psd:
        raise DoesNotApply(
            "The {kernel} kernel with these parameters has no feature space to measure a margin in. Choose "
            "the {choice} kernel.",
            kernel=kernel.title,
            choice=titles_where(lambda kernel: kernel.psd),
        )
    features = FEATURES if kernel.is_linear else kernel
    K = features(P, P)
    R, largest_norm = math.sqrt(max(float(K.diagonal().max()), 0.0)), float(np.linalg.norm(P, axis=1).max())
    if R == 0.0:
        raise DoesNotApply("In the feature space of this kernel all points are 0. Choose other parameters.")
    both_labels, line_margins, hard, by_hulls = slice(1, -1), swept_margins(P), margins(P, features), hull_margins(K)
    is_too_narrow = (hard == 0.0) & (by_hulls > tol * R) & (by_hulls < NARROW * R)
    hard = np.where(is_too_narrow, by_hulls, hard)
    with_margins = [with_margin(hard, part * R) for part in PARTS]
    sauer_bounds = [sauer(k, shattered(part * R, R, k - 1)) for part in PARTS]
    by_lines, by_features = with_margin(line_margins, 0), with_margin(hard, 0)
    difference = max(
        float(np.abs(hard - by_hulls)[both_labels].max()) / R,
        float(np.abs(line_margins - hull_margins(P @ P.T))[both_labels].max()) / largest_norm,
        *(float(n - top) for n, top in zip(with_margins, sauer_bounds, strict=True)),
    )
    note = Phrase("Checked on the first {n} different places.", n=k)
    narrow_note = (
        Phrase("{n} margins are too narrow to be solved for, and were not compared.", n=int(is_too_narrow.sum()))
        if is_too_narrow.any()
        else ""
    )
    kernel_note = N_("The board's kernel adds no features; a Gaussian of width 1 was taken.")
    return Outcome(
        reading(
            tol,
            difference,
            Side("labellings", float(2**k), "2^m"),
            Side("made by lines", float(by_lines)),
            Side("made with features", float(by_features)),
            *(
                Side(Phrase("of these, with margin {part:g} R or more", part=part), float(n))
                for part, n in zip(PARTS, with_margins, strict=True)
            ),
            Side(Phrase("most that a margin of {part:g} R allows any points", part=PARTS[-1]), float(sauer_bounds[-1])),
        ),
        control=reading(
            0.0,
            float(by_features - by_lines),
            Side("made with features", float(by_features)),
            Side("made by lines", float(by_lines)),
            words=N_("Features make no more labellings than lines."),
        ),
        note=join_phrases(note, kernel_note if kernel.is_linear else "", narrow_note),
    )
