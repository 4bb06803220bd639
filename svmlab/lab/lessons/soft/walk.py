"""The path of the optimum over all C for the points on the board, which is computed in the background, and the slider
of C along it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from svmlab import Path, regularization_path
from svmlab.core.arrays import Array
from svmlab.lab.board.payload import sliders
from svmlab.lab.lessons.soft.along import PathSamples, sample_path
from svmlab.lab.session.worker import Report
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data

SPAN = (-3.0, 3.0)  # decimal logarithms of the C that charts show, as on the slider
SMALL_C = 0.01  # where the slider starts when C grows to the value of the board


class SampledPath(NamedTuple):
    """The path, and what is drawn of it."""

    path: Path
    samples: PathSamples


def sampled_path(stage: Stage) -> SampledPath:
    """Return the path of the points on the board. Raises Working until it is computed."""
    return stage.background_result(*_work(stage))


def sampled_path_or_none(stage: Stage) -> SampledPath | None:
    """Return the same, or None until it is computed."""
    return stage.background_result_or_none(*_work(stage))


def _work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], SampledPath]]:
    lab = stage.lab
    problem = replace(lab.problem, C=1.0)

    def make(report: Report) -> SampledPath:
        path = regularization_path(problem, lambda c: report(float(np.clip((c + 4) / 8, 0, 1))))
        return SampledPath(path, sample_path(path, 10 ** SPAN[0], 10 ** SPAN[1]))

    return ("soft", "path", lab.data.key, lab.kernel_function.key, lab.bias), make


def breakpoints(stage: Stage) -> Data:
    """Return the sliders of the SVM, that of C or lambda with a mark at each breakpoint that is known."""
    known = sampled_path_or_none(stage)
    return marked(stage, known.path.C if known else np.zeros(0))


def marked(stage: Stage, values_of_C: Array) -> Data:
    """Return the sliders of the SVM, that of C or lambda with a mark at each of these C."""
    slider, *others = sliders(stage.lab)
    ticks = np.round(np.log10([_on_slider(stage, C) for C in values_of_C]), 4).tolist()
    return {"sliders": [slider | {"ticks": ticks}, *others]}


def play_C(stage: Stage, first: float, last: float | None = None) -> Data:
    """Return the animation that moves C from `first` to `last`, or to the C of the board, on the slider of the board.

    The board rests there.
    """
    ends = {"from": _on_slider(stage, first), "to": _on_slider(stage, stage.lab.C if last is None else last)}
    return {"key": "value", "op": "set", **ends, "ms": 2400}


def _on_slider(stage: Stage, C: float) -> float:
    return 1.0 / (C * len(stage.lab.points)) if stage.lab.face == "lambda" else float(C)
