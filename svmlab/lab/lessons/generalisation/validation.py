"""The validation curve of the points on the board, made in the worker, and what is known of it so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from svmlab import Problem, SvmError
from svmlab.core.arrays import Array, frozen
from svmlab.generalisation import Curve, Source, curve
from svmlab.kernels.base import Parameter
from svmlab.lab.session.point_source import find_source
from svmlab.lab.teach.stage import Report, Stage, Working

WIDTHS = (0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.1, 1.5, 2.0, 3.0, 6.0)
COARSE = (0.1, 0.2, 0.4, 0.8, 1.5, 3.0)  # of them
PRICES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
FOLDS = 5
LINES = ("train", "folds", "leave_one_out", "true")


@dataclass(frozen=True, eq=False)
class Along:
    """The lines of a Curve, each (k,), at the rising values (k,) that are known so far; whole: at all of them."""

    at: Array
    curve: Curve
    whole: bool

    @property
    def unseen(self) -> Array:
        """What tells of points that were not seen: the true error where it is known, else leaving one out."""
        return self.curve.leave_one_out if np.isnan(self.curve.true).any() else self.curve.true


def width(stage: Stage) -> Parameter | None:
    """The width of the kernel: the first of its parameters that is scrubbed; None where it has none."""
    return next((p for p in stage.lab.kernel_function.parameters if isinstance(p, Parameter) and p.slider), None)


def at_width(stage: Stage, value: float) -> Problem:
    """The machine on the board with another width."""
    parameter, problem = width(stage), stage.lab.problem
    assert parameter is not None, "a step that turns a width needs a kernel with one"
    return replace(problem, kernel=replace(problem.kernel, **{parameter.name: value}))


def at_price(stage: Stage, value: float) -> Problem:
    """The machine on the board with another C."""
    return replace(stage.lab.problem, C=value)


def present(stage: Stage, by: str) -> float:
    """Where the board stands: its C, or its width."""
    parameter = width(stage)
    return stage.lab.C if by == "C" or parameter is None else float(getattr(stage.lab, parameter.name))


def along(stage: Stage, by: str) -> Along:
    """What is known so far along the widths, or along C; the board's own is among them. The rest is asked for."""
    _ask_if_free(stage)
    made = at_price if by == "C" else at_width
    values = sorted({*(PRICES if by == "C" else WIDTHS), present(stage, by)})
    found = [(value, _known(stage, made(stage, value))) for value in values]
    known = [(value, one) for value, one in found if one is not None]
    return _joined(known, len(known) == len(found))


def whole(stage: Stage, by: str) -> Along:
    """The same with all of it known. Raises Working until then."""
    now = along(stage, by)
    if not now.whole:
        _ask(stage)
        raise Working(None)
    return now


def here(stage: Stage) -> Curve | None:
    """The machine on the board alone, None until it is there."""
    _ask_if_free(stage)
    return _known(stage, stage.lab.problem)


def folds_of(m: int) -> int:
    """How many folds m points are put into."""
    return min(FOLDS, m)


def _batches(stage: Stage) -> Iterator[list[Problem]]:
    """All machines that are asked for, coarsely first: along the widths and the board's own, then along C where that is
    looked at.
    """
    yield [at_width(stage, value) for value in COARSE]
    yield [*(at_width(stage, value) for value in WIDTHS), stage.lab.problem]
    if stage.pick("along") == "C":
        yield [at_price(stage, value) for value in PRICES]


def _ask(stage: Stage) -> None:
    """Begin the first batch that is missing, and go on while they come at once. Raises Working for one that does
    not.
    """
    if stage.moving:
        raise Working(None)
    for batch in _batches(stage):
        missing = {_name(stage, problem): problem for problem in batch if _known(stage, problem) is None}
        if missing:
            stage.memory.update(stage.background_result(("validation", *missing), _work(missing, source(stage))))


def _ask_if_free(stage: Stage) -> None:
    with suppress(Working):
        _ask(stage)


def _known(stage: Stage, problem: Problem) -> Curve | None:
    found: Curve | None = stage.memory.get(_name(stage, problem))
    return found


def source(stage: Stage) -> Source | None:
    """Where the points come from, None where nobody knows."""
    found = find_source(stage.lab)
    return found.source if found else None


def _name(stage: Stage, problem: Problem) -> str:
    return f"validation {problem.key} {source(stage)}"


def _work(missing: Mapping[str, Problem], source: Source | None) -> Callable[[Report], dict[str, Curve]]:
    def one(problem: Problem, report: Report) -> Curve:
        try:
            return curve([problem], source, folds_of(problem.data.m), on_progress=report)
        except SvmError:  # no machine in doubles: a gap
            return _joined([], False).curve

    def made(report: Report) -> dict[str, Curve]:
        parts = [_part(report, i, len(missing)) for i in range(len(missing))]
        return {name: one(problem, part) for (name, problem), part in zip(missing.items(), parts, strict=True)}

    return made


def _part(report: Report, before: int, n: int) -> Report:
    """How one of n machines reports, after so many others."""
    return lambda done: report((before + done) / n)


def _joined(found: Sequence[tuple[float, Curve]], is_whole: bool) -> Along:
    """Curves of one machine each as one; those that could not be solved are left out."""
    some = [(value, one) for value, one in found if len(one.train)]
    names = (*LINES, "true_standard_error", "support")
    lines = {name: frozen([getattr(one, name)[0] for _value, one in some]) for name in names}
    return Along(frozen([value for value, _one in some]), Curve(**lines), is_whole)
