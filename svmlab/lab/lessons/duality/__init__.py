"""The lesson on duality: H1 to H12."""

from __future__ import annotations

from svmlab.lab.lessons.duality import four_versions as duality_versions
from svmlab.lab.lessons.duality import gap as duality_gap
from svmlab.lab.lessons.duality import kkt as duality_kkt
from svmlab.lab.lessons.duality import none as duality_none
from svmlab.lab.lessons.duality import offset as duality_offset
from svmlab.lab.lessons.duality import programs as duality_programs
from svmlab.lab.lessons.duality import sums as duality_sums
from svmlab.lab.lessons.duality import vectors as duality_vectors
from svmlab.lab.lessons.duality import words
from svmlab.lab.teach.step import Lesson

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
