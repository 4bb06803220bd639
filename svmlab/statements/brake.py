"""G6: features make many labellings possible, a margin takes most of them away."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.generalisation import hull_margins, margins, shattered, swept_margins, with_margin
from svmlab.kernels.standard import Gaussian, titles_where
from svmlab.statements.shatter import HEXAGON, TURNS, distinct_places
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

FEW = 6  # places whose labellings are solved
PARTS = (0.15, 0.35, 0.45, 0.55)  # of R: margins that are asked for
NARROW = 1e-2  # of R: below, a hard margin may be too narrow for doubles to solve
FEATURES = Gaussian(1.0)  # for a board whose kernel adds none


def sauer(k: int, most: int) -> int:
    """The most labellings of k points of which no set of more than `most` is shattered (Sauer's lemma)."""
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
            N_("It is an expectation: it counts on a margin that is chosen before the points are seen, and "
        "large beside R."),
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
        TURNS,
        N_("With a Gaussian all 64 labellings of the hexagon are made, lines make 32; with a margin of 0.45 "
        "R the Gaussian makes 14."),
        FEATURES,
    ),
)  # fmt: skip
def brake(s: Situation, tol: float) -> Outcome:
    """All labellings of six places: hard margins solved against ways between hulls, in the plane directions against
    them; Sauer's bound.
    """
    P = distinct_places(s, FEW)
    k, own = len(P), s.problem.kernel
    if not own.psd:
        raise DoesNotApply(
            (
                "The {kernel} kernel with these parameters has no feature space to measure a margin in. Choose "
                "the {choice} kernel."
            ),
            kernel=own.title,
            choice=titles_where(lambda kernel: kernel.psd),
        )
    features = FEATURES if own.is_linear else own
    K = features(P, P)
    R, size = math.sqrt(max(float(K.diagonal().max()), 0.0)), float(np.linalg.norm(P, axis=1).max())
    if R == 0.0:
        raise DoesNotApply("In the feature space of this kernel all points are 0. Choose other parameters.")
    inner, lines, solved, hulls = slice(1, -1), swept_margins(P), margins(P, features), hull_margins(K)
    blurred = (solved == 0.0) & (hulls > tol * R) & (hulls < NARROW * R)
    solved = np.where(blurred, hulls, solved)
    left = [with_margin(solved, part * R) for part in PARTS]
    most = [sauer(k, shattered(part * R, R, k - 1)) for part in PARTS]
    straight, curved = with_margin(lines, 0), with_margin(solved, 0)
    off = max(
        float(np.abs(solved - hulls)[inner].max()) / R,
        float(np.abs(lines - hull_margins(P @ P.T))[inner].max()) / size,
        *(float(n - top) for n, top in zip(left, most, strict=True)),
    )
    note = Phrase("Checked on the first {n} different places.", n=k)
    narrow = (
        Phrase("{n} margins are too narrow to be solved for, and were not compared.", n=int(blurred.sum()))
        if blurred.any()
        else ""
    )
    other = N_("The board's kernel adds no features; a Gaussian of width 1 was taken.")
    return Outcome(
        reading(
            tol,
            off,
            Side("labellings", float(2**k), "2^m"),
            Side("made by lines", float(straight)),
            Side("made with features", float(curved)),
            *(
                Side(Phrase("of these, with margin {part:g} R or more", part=part), float(n))
                for part, n in zip(PARTS, left, strict=True)
            ),
            Side(Phrase("most that a margin of {part:g} R allows any points", part=PARTS[-1]), float(most[-1])),
        ),
        control=reading(
            0.0,
            float(curved - straight),
            Side("made with features", float(curved)),
            Side("made by lines", float(straight)),
            words=N_("Features make no more labellings than lines."),
        ),
        note=join_phrases(note, other if own.is_linear else "", narrow),
    )
