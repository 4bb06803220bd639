"""The kernels of the linear-algebra library with which tests run; `.ci/blas.sh` says which it has asked for."""

from __future__ import annotations

import os

import pytest

from tests.blas import PACKAGES, kernels, loaded

ASKED = os.environ.get("SVMLAB_BLAS")


def test_a_report_is_read_by_package_and_a_kernel_has_one_name():
    report = [
        {
            "internal_api": "openblas",
            "filepath": "/site-packages/numpy.libs/libscipy_openblas64_.so",
            "architecture": "Katmai",
        },
        {"internal_api": "openblas", "filepath": "/site-packages/cvxopt.libs/libopenblas.so", "architecture": "Zen"},
        {"internal_api": "openmp", "filepath": "/site-packages/scikit_learn.libs/libgomp.so"},
    ]
    assert kernels(report) == {"numpy": "Prescott", "cvxopt": "Zen"}


if ASKED:

    @pytest.mark.blas
    def test_numpy_scipy_and_cvxopt_have_loaded_the_kernel_that_was_asked_for():
        assert loaded() == dict.fromkeys(PACKAGES, ASKED)
