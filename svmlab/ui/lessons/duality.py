"""The lesson on duality: H1 to H12."""

from __future__ import annotations

from svmlab.ui.lessons import (
    duality_gap,
    duality_kkt,
    duality_none,
    duality_offset,
    duality_programs,
    duality_sums,
    duality_vectors,
    duality_versions,
)
from svmlab.ui.step import Lesson
from svmlab.ui.words import duality as words

LESSON = Lesson(
    "duality",
    words.INTRO,
    (
        duality_versions.STEP,
        duality_programs.STEP,
        duality_gap.STEP,
        duality_kkt.STEP,
        duality_sums.SUM,
        duality_offset.STEP,
        duality_sums.CLASSIFY,
        duality_vectors.KEEP,
        duality_vectors.WEIGHTS,
        duality_none.STEP,
    ),
)
