"""Nobody waits for the compiler in the middle of something: a first start compiles what will be called."""

import subprocess
import sys
from pathlib import Path

TOUR = """
import math, sys
from svmlab.lab.frame.prepare import rehearse
from svmlab import *
from svmlab.kernels import KERNELS
from svmlab.scene import scene
from numba.core.dispatcher import Dispatcher

def compiled():
    return {f"{name}.{key}": len(value.signatures) for name, module in list(sys.modules.items())
            if name.startswith("svmlab") for key, value in vars(module).items() if isinstance(value, Dispatcher)}

{first}
before = compiled()
assert len(before) > 15
for name in DATASETS:
    data = make_dataset(name)
    for kernel in [Polynomial(2), Gaussian(0.5), *(k() for k in KERNELS.values() if k is not Polynomial)]:
        for C in (1e-3, 1.0, 1e4, math.inf):
            for bias in (True, False):
                problem = Problem(data, kernel, C, bias)
                try:
                    solution = solve(problem)
                except SvmError:
                    continue
                scene(solution, 4.0)
                solution = solve(Problem(data, kernel, 1.1 * C, bias), start=solution)
                try:
                    solve(Problem(Dataset(data.X + 0.1 * (data.ids == 3)[:, None], data.y), kernel, C, bias), start=solution)
                except SvmError:
                    pass
regularization_path(Problem(make_dataset("moons", 40), Gaussian(1.0)))
pegasos(make_dataset("overlapping", 30), 0.01, 500, runs=3, batch=4, project=True)
pegasos(make_dataset("overlapping", 30), 0.01, 500, kernel=Polynomial(2))
print([name for name, count in compiled().items() if count > before.get(name, 0)])
"""


def late(first: str) -> str:
    command = [sys.executable, "-c", TOUR.replace("{first}", first)]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_after_the_preparation_nothing_is_left_to_compile():
    assert late("rehearse()") == "[]"


def test_without_it_there_would_be():
    assert "exchange" in late("")
