"""The module names of release 0.1: an import of one of them still works, and warns with the new name."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "svmlab.composed": "svmlab.kernels.composed",
    "svmlab.features": "svmlab.kernels.features",
    "svmlab.geometry": "svmlab.plane.geometry",
    "svmlab.perceptron": "svmlab.firstorder.perceptron",
    "svmlab.rehearsal": "svmlab.warmup",
    "svmlab.report": "svmlab.binary.report",
    "svmlab.scene": "svmlab.plane.contours",
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
