"""Problems, their printed matrices, and every way in which the package says no."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from svmlab import BadInput, Dataset, Gaussian, Linear, NotSeparable, Problem, SvmError, make_dataset, solve

DATA = make_dataset("overlapping", 14, 0.3, seed=1)


def test_the_third_form_is_refused():
    with pytest.raises(BadInput, match=r"'both' is unknown.*'primal', 'dual'"):
        Problem(DATA).qp("both")


@pytest.mark.parametrize("C", [0, -1.0, math.nan, "1", None, -math.inf])
def test_a_c_that_is_no_positive_number_is_refused(C):
    with pytest.raises(BadInput, match=r"^C:"):
        Problem(DATA, C=C)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [(([[1, 2]], Linear()), "data"), ((DATA, "linear"), "kernel"), ((DATA, Linear), "kernel")],
)
def test_data_and_kernel_are_checked(arguments, field):
    with pytest.raises(BadInput, match=rf"^{field}:"):
        Problem(*arguments)


@pytest.mark.parametrize("lam", [0, -1.0, math.inf, math.nan, "1"])
def test_a_bad_lambda_is_refused(lam):
    with pytest.raises(BadInput, match=r"^lam:"):
        Problem.from_lambda(DATA, Linear(), lam)


def test_lambda_of_no_points_is_refused():
    with pytest.raises(BadInput, match="at least one point"):
        Problem.from_lambda(Dataset([], []), Linear(), 1.0)


def test_the_key_depends_on_every_part():
    keys = {
        p.key
        for p in (
            Problem(DATA),
            Problem(DATA, C=2.0),
            Problem(DATA, bias=False),
            Problem(DATA, Gaussian(1.0)),
            Problem(DATA, Gaussian(2.0)),
            Problem(make_dataset("moons")),
        )
    }
    assert len(keys) == 6
    assert Problem(Dataset(DATA.X, DATA.y), C=1).key == Problem(DATA).key


def test_no_points_are_a_hint_and_not_a_crash():
    with pytest.raises(BadInput, match="no points yet"):
        solve(Problem(Dataset([], [])))


def test_an_unknown_method_is_named():
    with pytest.raises(BadInput, match=r"'smo'.*'exact'"):
        solve(Problem(DATA), "smo")


def test_the_primal_program_needs_a_finite_feature_map():
    with pytest.raises(BadInput, match=r"gaussian.*feature map"):
        solve(Problem(DATA, Gaussian()), "primal-qp")


@pytest.mark.parametrize("method", ["exact", "dual-qp", "primal-qp"])
def test_every_method_refuses_the_hard_margin_on_mixed_points(method):
    with pytest.raises(NotSeparable):
        solve(Problem(make_dataset("xor", 12), C=math.inf), method)


def test_every_refusal_is_an_svm_error():
    assert issubclass(BadInput, ValueError)
    assert issubclass(BadInput, SvmError)
    assert issubclass(NotSeparable, SvmError)


def test_the_import_brings_in_no_interface_and_no_rival():
    code = (
        "import sys, svmlab, svmlab.plane.contours; print(*{'streamlit', 'plotly', 'sklearn', 'pandas'} "
        "& set(sys.modules))"
    )
    root = Path(__file__).parents[2]
    out = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert (out.returncode, out.stdout.strip()) == (0, ""), out.stderr
