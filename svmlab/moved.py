"""The names of release 0.1: an import of one of them still works, and warns with the new name."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MOVED = {
    "svmlab.composed": "svmlab.kernels.composed",
    "svmlab.features": "svmlab.kernels.features",
    "svmlab.geometry": "svmlab.plane.geometry",
    "svmlab.perceptron": "svmlab.firstorder.perceptron",
    "svmlab.rehearsal": "svmlab.warmup",
    "svmlab.report": "svmlab.binary.report",
    "svmlab.scene": "svmlab.plane.contours",
}

RENAMED = {
    "svmlab.data": {
        "unseen": "fresh_points",
    },
    "svmlab.generalisation": {
        "Cloud": "SampleErrors",
        "Curve": "ValidationCurve",
        "Drawn": "IdentifiedSample",
        "Excess": "ExcessRisk",
        "Space": "Embedding",
        "Unseen": "CrossValidation",
        "balls": "smallest_balls",
        "cloud": "sample_errors",
        "curve": "validation_curve",
        "drawn": "identify_sample",
        "flipped": "blobs_with_flipped_labels",
        "folds": "cross_validate",
        "from_carriers": "support_vector_difference",
        "informative_beyond": "least_informative_margin",
        "into_disc": "moved_into_disc",
        "mended_bound": "corrected_bound",
        "most_carriers": "max_support_vectors",
        "on_board": "rounded_to_board",
        "price": "risk_lambda",
        "promised": "bound_is_guaranteed",
        "reach": "feature_radius",
        "reach_squared": "radius_squared",
        "risk_machine": "risk_problem",
        "rows": "board_rows",
        "shattered": "max_shattered_points",
        "sides": "side_lengths",
        "speaks_beyond": "least_informative_margin",
        "suspects": "possible_leave_one_out_errors",
        "threshold": "shattering_margin",
        "with_margin": "count_with_margin",
        "without": "solve_without",
        "witness": "refuting_circuit",
    },
    "svmlab.losses": {
        "Fewest": "FewestErrors",
        "Place": "Minimum",
        "length": "p_norm",
        "missing": "subgradient_distance",
        "shrinking_bound": "proximal_gap_bound",
        "terraces": "error_counts",
        "wrong": "zero_one_loss",
    },
    "svmlab.multiclass": {
        "Joint": "JointSolution",
        "Machines": "OneVsRestSolution",
        "Several": "MulticlassProblem",
        "Standing": "MulticlassCategory",
    },
    "svmlab.pegasos": {
        "Ascent": "DualAscentRun",
        "KernelStretch": "RecordedKernelSteps",
        "Stretch": "RecordedSteps",
        "ascend": "dual_coordinate_ascent",
        "counted": "dual_coefficients",
        "hindsight": "comparator_loss",
        "repaired_factor": "corrected_factor",
    },
    "svmlab.regression": {
        "Along": "EpsilonPath",
        "Place": "TubeCategory",
        "Squares": "LeastSquaresFit",
        "along": "epsilon_path",
    },
}


class OldNames(MetaPathFinder, InspectLoader):
    """A finder of modules for Python's import system that replaces a module's old name by its new one."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a module specification if `fullname` is an old name."""
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        """Import the module under its new name. The import system then takes the module from `sys.modules`."""
        _warn(module.__name__)
        sys.modules[module.__name__] = import_module(MOVED[module.__name__])

    def get_source(self, fullname: str) -> str:
        """Return the program that `python -m` runs under the old name."""
        _warn(fullname)
        return f"import runpy; runpy.run_module({MOVED[fullname]!r}, run_name='__main__', alter_sys=True)"


def _warn(old: str) -> None:
    warnings.warn(f"{old} is called {MOVED[old]} now. Release 0.3 drops the old name.", FutureWarning, stacklevel=3)


def old_names(package: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, which finds what had a name of RENAMED, and warns with the new name."""

    def find(name: str) -> Any:
        new = RENAMED[package].get(name)
        if new is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        warnings.warn(
            f"{package}.{name} is called {new} now. Release 0.3 drops the old name.", FutureWarning, stacklevel=2
        )
        return getattr(sys.modules[package], new)

    return find
