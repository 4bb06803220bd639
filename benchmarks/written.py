"""How long a board takes while its loops are not compiled yet and run as they are written, beside the same board
compiled.

    python benchmarks/written.py

A board is solved and drawn, then once more with a point moved, from the solution before. Nothing kept is read.
"""

import math
import os
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

folder = tempfile.TemporaryDirectory()
os.environ |= {"NUMBA_CACHE_DIR": folder.name, "OPENBLAS_NUM_THREADS": "1"}  # before numba and numpy are imported
sys.path.insert(0, str(Path(__file__).parents[1]))

from svmlab import Dataset, Gaussian, Linear, NotSeparable, Polynomial, Problem, make_dataset, solve  # noqa: E402
from svmlab.jit import compiler  # noqa: E402
from svmlab.plane.contours import draw_solution  # noqa: E402
from svmlab.warmup import warm_up  # noqa: E402

SIZES = (60, 100, 300)
BOARDS = ("separable", "overlapping", "moons", "spirals", "xor")
KERNELS = (Linear(), Polynomial(3), Gaussian(0.3), Gaussian(1.0))
COSTS = (0.01, 1.0, 1e3, math.inf)


def pictures(data: Dataset, moved: Dataset, kernel: Linear | Polynomial | Gaussian, C: float) -> tuple[float, float]:
    """Milliseconds for the first picture, and for the next."""
    start = time.perf_counter()
    solution = solve(Problem(data, kernel, C))
    draw_solution(solution, 4.0)
    first = time.perf_counter()
    draw_solution(solve(Problem(moved, kernel, C), start=solution), 4.0)
    return 1000 * (first - start), 1000 * (time.perf_counter() - first)


def measured(m: int) -> list[list[float]]:
    """The times of all boards of m points, sorted: first pictures, next ones. A board that no line separates has none
    at C = inf.
    """
    found = []
    for name in BOARDS:
        data = make_dataset(name, m)
        moved = Dataset(data.X + 0.03 * (data.ids == 0)[:, None], data.y, data.ids)
        for kernel in KERNELS:
            for C in COSTS:
                with suppress(NotSeparable):
                    found.append(pictures(data, moved, kernel, C))
    return [sorted(times) for times in zip(*found, strict=True)]


def main() -> None:
    compiler.leave_compiling_to_others()
    written = [measured(m) for m in SIZES]
    compiler.resume_compiling()
    warm_up()
    print(
        "| points | picture | as written, median | 9 of 10 within | longest | compiled, median "
        "|\n|---|---|---|---|---|---|"
    )
    for m, slow in zip(SIZES, written, strict=True):
        for name, times, quick in zip(("first", "a point moved"), slow, measured(m), strict=True):
            within = times[int(0.9 * len(times))]
            print(
                f"| {m} | {name} | {statistics.median(times):.0f} ms | {within:.0f} ms | {times[-1]:.0f} ms "
                f"| {statistics.median(quick):.1f} ms |"
            )


if __name__ == "__main__":
    main()
