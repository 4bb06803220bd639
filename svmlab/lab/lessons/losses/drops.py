"""The ball of the step on valleys: where it is dropped, how it rolls, and the minima that others would end in (L2,
L10).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.lessons.losses.minima import Minima, minima
from svmlab.lab.lessons.losses.plane import Frame, framed
from svmlab.lab.lessons.losses.rolling import roll
from svmlab.lab.teach.stage import Report, Stage
from svmlab.losses import LOSSES, REGULARISERS, Fit, Objective

START = (-0.7, -0.15)  # of the half-width of the board: where the ball is dropped at first
STRIDES = 30  # that a ball takes at least from the edge of what is seen to its middle
FAR = 0.8  # of the half-width of the plane that is seen: from how far the descents start


def frame(stage: Stage) -> Frame:
    """How the plane of w lies under the board."""
    best = stage.solution.w
    assert best is not None
    return framed(stage.data.X, best, stage.lab.view)


def objective(stage: Stage) -> Objective:
    """F with the loss and lambda that are picked."""
    lam = 0.0 if stage.pick("valleyprice") == "none" else stage.solution.problem.lam
    return Objective(stage.data, LOSSES[stage.pick("valleyloss")], REGULARISERS["R2"], lam, bias=False)


def at(stage: Stage) -> tuple[float, float]:
    """Where the ball was dropped, on the board."""
    view = stage.lab.view
    return stage.dial("ball1", START[0] * view), stage.dial("ball2", START[1] * view)


def dropped(stage: Stage) -> Array:
    """The w where it was dropped, (2,)."""
    return frame(stage).of(at(stage))


def rolled(stage: Stage) -> tuple[Array, Fit]:
    """Its way (k, 2), and the descent that it ends with."""
    name = f"rolled {stage.pick('valleyloss')} {stage.pick('valleyprice')} {at(stage)} {stage.lab.view}"
    return stage.cached(name, lambda: roll(objective(stage), dropped(stage), frame(stage).half / STRIDES))


def _work(stage: Stage, posed: Objective) -> tuple[tuple[Any, ...], Callable[[Report], Minima]]:
    reach = FAR * frame(stage).half
    key = ("losses", "minima", posed.data.key, posed.loss.name, posed.lam, reach)
    return key, lambda report: minima(posed, reach)


def found(stage: Stage) -> Minima:
    """The minima of the F that is picked. Raises Working until they are there."""
    return stage.background_result(*_work(stage, objective(stage)))


def found_so_far(stage: Stage) -> Minima | None:
    """The same, None until they are there."""
    return stage.background_result_or_none(*_work(stage, objective(stage)))


def of_sigmoid(stage: Stage) -> Minima:
    """Those of the sigmoid with the lambda of the board. Raises Working until they are there."""
    lam = stage.solution.problem.lam
    return stage.background_result(
        *_work(stage, Objective(stage.data, LOSSES["sigmoid"], REGULARISERS["R2"], lam, bias=False))
    )


def so_far(stage: Stage) -> Array:
    """The part of the path (k, 2) that the ball has rolled, as the slider says."""
    path, share = rolled(stage)[0], stage.dial("roll", 1.0)
    steps = np.r_[0.0, np.cumsum(np.hypot(*np.diff(path, axis=0).T))]
    upto = share * float(steps[-1])
    end = [np.interp(upto, steps, side) for side in path.T]
    return np.vstack([path[steps < upto], end])
