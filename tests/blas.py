"""Which kernel of OpenBLAS numpy, scipy and cvxopt have loaded: `python -m tests.blas KERNEL` fails where it is
another, and without a name prints the one that numpy has loaded."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

PACKAGES = ("numpy", "scipy", "cvxopt")
ALIASES = {"Katmai": "Prescott"}  # the same functions: newer versions know them by the first name that they stand for


def loaded() -> dict[str, str]:
    """Return the kernel of each package that brings an OpenBLAS of its own."""
    import cvxopt.lapack  # noqa: F401
    import numpy as np  # noqa: F401
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_info

    return kernels(threadpool_info())


def kernels(report: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the kernel of each package, read off the report of threadpoolctl by the folder in which a library lies."""
    by_package = {}
    for library in report:
        for package in PACKAGES:
            if library.get("internal_api") == "openblas" and f"/{package}.libs/" in library["filepath"]:
                by_package[package] = ALIASES.get(library["architecture"], library["architecture"])
    return by_package


if __name__ == "__main__":
    kernel_of = loaded()
    if len(sys.argv) == 1:
        print(kernel_of.get("numpy", ""))
        sys.exit()
    asked = sys.argv[1]
    print(", ".join(f"{package} has loaded {kernel_of.get(package, 'no OpenBLAS of its own')}" for package in PACKAGES))
    sys.exit(0 if kernel_of == dict.fromkeys(PACKAGES, asked) else 1)
