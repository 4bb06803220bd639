"""scikit-learn's own tests of its SVMs, with ExactSVC and ExactSVR in the places of SVC and SVR."""

from __future__ import annotations

import importlib.util
import inspect
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sklearn.svm

from svmlab.sklearn import ExactSVC, ExactSVR

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

OWN_TESTS = Path(sklearn.svm.__file__).parent / "tests" / "test_svm.py"
PROBABILITY = "probability: refused, with the way out (CalibratedClassifierCV)"
WEIGHTS = "a weight below 0 is refused by name, and the words for weights that are all 0 are svmlab's"
SPARSE = "sparse tables are refused"
# The tests that fail, by patterns of their names, and why that is no defect.
DIFFERENT = {
    r"test_(bad_input|sparse_\w+)\[.*": SPARSE,
    r"test_custom_kernel_not_array_input\[.*": "the points of a function's kernel must be a table of numbers",
    r"test_svr_errors": "a function that returns another shape is refused by fit, and not only by predict",
    r"test_probability|test_hasattr_predict_proba|test_svc_nusvc_probA_probB_deprecated\[SVC\]": PROBABILITY,
    r"test_probability_raises_futurewarning\[.*-SVC\]": PROBABILITY,
    r"test_negative_sample_weights_mask_all_samples\[.*-SV[CR]\]": WEIGHTS,
    r"test_negative_weights_svc_leave_just_one_label\[.*-SVC\]": WEIGHTS,
    r"test_negative_weights?_(svc_leave_two_labels|equal_coeffs)\[partial-mask-label-1-SVC\]": WEIGHTS,
    r"test_gamma_scale": "it reads the private _gamma",
    r"test_tweak_params": "it sets libsvm's private copy of dual_coef_",
    r"test_svc_raises_error_internal_representation": "it spoils libsvm's private copy of the solution",
    r"test_libsvm_convergence_warnings": "max_iter stops libsvm before its end, and the exact method has no such end",
    r"test_svc_nonfinite_params": "libsvm overflows at these points, for which svmlab has an error of its own",
    r"test_svc_ovr_tie_breaking\[SVC\]": "it requires that rounding breaks a tie, and here the tie stays one",
    r"test_svm_with_infinite_C\[.*-SVR-.*": "the tube has no limit C = inf",
}


class SVC(ExactSVC):
    """ExactSVC, which also takes what says how libsvm iterates, and ignores it."""

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: bool = False,
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: Any = None,
        verbose: bool = False,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            C=C,
            kernel=kernel,
            degree=degree,
            gamma=gamma,
            coef0=coef0,
            class_weight=class_weight,
            probability=probability,
            decision_function_shape=decision_function_shape,
            break_ties=break_ties,
        )
        self.shrinking, self.tol, self.cache_size = shrinking, tol, cache_size
        self.verbose, self.max_iter, self.random_state = verbose, max_iter, random_state


class SVR(ExactSVR):
    """ExactSVR, which also takes what says how libsvm iterates, and ignores it."""

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        C: float = 1.0,
        epsilon: float = 0.1,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool = False,
        max_iter: int = -1,
    ) -> None:
        super().__init__(kernel=kernel, degree=degree, gamma=gamma, coef0=coef0, C=C, epsilon=epsilon)
        self.tol, self.shrinking, self.cache_size = tol, shrinking, cache_size
        self.verbose, self.max_iter = verbose, max_iter


def _own_tests() -> dict[str, Callable[..., None]]:
    """Return the functions of scikit-learn's file that use SVC or SVR, by name. Decorators see the exact estimators."""
    spec = importlib.util.spec_from_file_location("tests_of_sklearn_svm", OWN_TESTS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(action="ignore"):
        patch.setattr(sklearn.svm, "SVC", SVC)
        patch.setattr(sklearn.svm, "SVR", SVR)
        spec.loader.exec_module(module)
    return {
        name: function
        for name, function in vars(module).items()
        if name.startswith("test_") and re.search(r"\bSV[CR]\b", inspect.getsource(function))
    }


globals().update(_own_tests())


@pytest.fixture
def global_random_seed() -> int:
    """The seed with which scikit-learn runs these tests by default."""
    return 42


@pytest.fixture(autouse=True)
def exact_estimators(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The exact estimators stand where the tests look for SVC and SVR; a test that must fail is marked."""
    monkeypatch.setattr(sklearn.svm, "SVC", SVC)
    monkeypatch.setattr(sklearn.svm, "SVR", SVR)
    reason = next((why for name, why in DIFFERENT.items() if re.fullmatch(name, request.node.name)), None)
    if reason is not None:
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
