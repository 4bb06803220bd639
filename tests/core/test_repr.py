"""What a console shows of a result: one short line that says what matters, whatever the result holds."""

from __future__ import annotations

import math
from enum import EnumType

import numpy as np
import pytest

import svmlab
from svmlab import (
    Composed,
    Dataset,
    Gaussian,
    Linear,
    Polynomial,
    Problem,
    Sigmoid,
    certify,
    make_dataset,
    multiclass,
    pegasos,
    regression,
    regularization_path,
    separate,
    solve,
)
from svmlab.core.arrays import short_repr
from svmlab.pegasos import dual_coordinate_ascent, replay, replay_kernel

LONGEST = 240
BOARD = make_dataset("overlapping", 300, 0.3)
LONG = Composed("+".join(["gaussian(0.123456)"] * 8))
SEVERAL = multiclass.MulticlassProblem(multiclass.make_classes("blobs"), Polynomial(3))
TUBE = regression.Tube(regression.Values(BOARD.X, BOARD.X[:, 0]), C=0.5)
LINEAR, COUNTED = pegasos(BOARD, 0.1, 2000, 3), pegasos(BOARD, 0.1, 500, kernel=LONG)

EXAMPLES = [
    BOARD,
    Dataset([], []),
    Dataset(np.random.default_rng(0).normal(size=(9, 300)), [1] * 9),
    Linear(),
    Polynomial(),
    Gaussian(1 / 3),
    Sigmoid(),
    LONG,
    Problem(BOARD, LONG, 1 / 3, True, (1 / 3, 1 / 7)),
    Problem(BOARD).qp("primal"),
    solve(Problem(BOARD, LONG, 1 / 3, True, (1 / 3, 1 / 7))),
    solve(Problem(BOARD, Sigmoid(1 / 3, -1 / 3))),
    solve(Problem(Dataset([[0, 1], [2, 3]], [1, -1]), C=math.inf)),
    regularization_path(Problem(BOARD)),
    regularization_path(Problem(Dataset([[0, 1]], [1]))),
    separate(BOARD),
    separate(make_dataset("separable", 300)),
    separate(BOARD, Gaussian()),
    certify(solve(Problem(BOARD))),
    LINEAR,
    COUNTED,
    replay(LINEAR, 0, 1, 100),
    replay_kernel(COUNTED, 0, 1, 100),
    dual_coordinate_ascent(BOARD, 0.1, 400),
    SEVERAL.data,
    SEVERAL,
    multiclass.solve(SEVERAL),
    multiclass.solve(SEVERAL, "joint"),
    TUBE.data,
    TUBE,
    regression.solve(TUBE),
    regression.epsilon_path(TUBE, [0.1, 0.2]),
    regression.least_squares(TUBE.data),
]


@pytest.mark.parametrize("thing", EXAMPLES, ids=lambda thing: type(thing).__name__)
def test_it_is_one_short_line_with_its_name(thing):
    line = repr(thing)
    assert line.startswith(type(thing).__name__ + "(")
    assert line.endswith(")")
    assert "\n" not in line
    assert len(line) <= LONGEST, line


def test_every_public_class_is_among_them():
    rooms = (svmlab, multiclass, regression)
    public = {room.__dict__[name] for room in rooms for name in room.__all__ if isinstance(room.__dict__[name], type)}
    results = {one for one in public if not (issubclass(one, Exception) or isinstance(one, EnumType))}
    assert results - {type(thing) for thing in EXAMPLES} == set()


def test_a_list_of_up_to_six_numbers_is_written_out():
    assert short_repr(LONG, C=(1 / 3, 2.0, -0.0)) == "Composed(C=(0.333333, 2, 0))"
    assert short_repr(LONG, C=[0.5] * 6) == "Composed(C=[0.5, 0.5, 0.5, 0.5, 0.5, 0.5])"
    assert short_repr(LONG, C=[0.5] * 7).endswith("0.5, ...])")


def test_what_matters_is_said():
    data = Dataset([[1, 0], [-1, 0], [2, 1]], [1, -1, 1])
    hard = solve(Problem(data, C=math.inf))
    assert repr(data) == "Dataset(m=3, d=2, minus=1, plus=2)"
    assert repr(hard).startswith("Solution(m=3, d=2, kernel=Linear(), C=inf, bias=True, support=2, at_bound=0, b=0, ")
    assert repr(separate(make_dataset("xor"))).startswith("Separation(separable=False, exact=True, witness=[")
    soft = Problem(BOARD, costs=(1, 3))
    path = regularization_path(soft)
    assert repr(soft) == "Problem(m=300, d=2, kernel=Linear(), C=1, bias=True, costs=(1, 3))"
    assert f"breakpoints={len(path.C)}, first={path.C[0]:.6g}, last={path.C[-1]:.6g}" in repr(path)
    assert "C=" not in repr(path)


def test_values_are_summed_up_by_the_least_and_the_largest():
    assert repr(regression.Values([[0.0], [1.0]], [3.0, -2.0])).endswith("least=-2, most=3)")
    assert "least" not in repr(regression.Values([], []))
