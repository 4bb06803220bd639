"""The lesson on duality: H1 to H12."""

from __future__ import annotations

from svmlab.lab.lessons.duality import four_versions, gap, kkt, none, offset, programs, sums, vectors, words
from svmlab.lab.teach.step import Lesson

LESSON = Lesson(
    "duality",
    words.INTRO,
    (
        four_versions.STEP,
        programs.STEP,
        gap.STEP,
        kkt.STEP,
        sums.SUM,
        offset.STEP,
        sums.CLASSIFY,
        vectors.KEEP,
        vectors.WEIGHTS,
        none.STEP,
    ),
)
