"""The path of the optimum over all C for the points on the board, worked out in the background, and the slider of C
along it.
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
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Data

SPAN = (-3.0, 3.0)  # decimal logarithms of the C that charts show, as on the slider


class SampledPath(NamedTuple):
    """The path, and what is drawn of it."""

    path: Path
    samples: PathSamples


def sampled_path(stage: Stage) -> SampledPath:
    """The walk of the points on the board. Raises Working until it is there."""
    return stage.background_result(*_work(stage))


def sampled_path_or_none(stage: Stage) -> SampledPath | None:
    """The same, None until it is there."""
    return stage.background_result_or_none(*_work(stage))


def _work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], SampledPath]]:
    lab = stage.lab
    problem = replace(lab.problem, C=1.0)

    def make(report: Report) -> SampledPath:
        path = regularization_path(problem, lambda c: report(float(np.clip((c + 4) / 8, 0, 1))))
        return SampledPath(path, sample_path(path, 10 ** SPAN[0], 10 ** SPAN[1]))

    return ("soft", "path", lab.data.key, lab.kernel_function.key, lab.bias), make


def breakpoints(stage: Stage) -> Data:
    """The sliders of the machine, that of C or lambda with a mark at each breakpoint that is known."""
    known = sampled_path_or_none(stage)
    return marked(stage, known.path.C if known else np.zeros(0))


def marked(stage: Stage, at: Array) -> Data:
    """The sliders of the machine, that of C or lambda with a mark at each of these C."""
    price, *others = sliders(stage.lab)
    return {"sliders": [price | {"ticks": np.round(np.log10([_faced(stage, C) for C in at]), 4).tolist()}, *others]}


def play_C(stage: Stage, start: float, to: float, back: bool = True) -> Data:
    """What moves C from `start` to a value, on the slider that the board has, and back to where it was."""
    ends = {"from": _faced(stage, start), "to": _faced(stage, to)}
    return {"key": "value", "op": "set", **ends, "ms": 2400, "back": back}


def _faced(stage: Stage, C: float) -> float:
    return 1.0 / (C * len(stage.lab.points)) if stage.lab.face == "lambda" else float(C)
