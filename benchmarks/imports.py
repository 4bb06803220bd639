"""The processor time of `import svmlab` beside numpy, numba and scikit-learn's svm: python benchmarks/imports.py.

Each is imported in a process of its own, one after the other in each of several rounds. Printed are the medians of the
processor time without that of an empty program, and of its ratio to numpy within a round.
"""

import argparse
import statistics
import subprocess
import sys

IMPORTS = ("numpy", "numba", "svmlab", "sklearn.svm", "svmlab.sklearn", "svmlab.plot")
TIMED = "import resource; use = resource.getrusage(resource.RUSAGE_SELF); print(use.ru_utime + use.ru_stime)"


def seconds(module: str) -> float:
    """Return the processor time of a program that imports this module; "sys" costs nothing."""
    program = f"import {module}; {TIMED}"
    return float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = range(parser.parse_args().rounds)
    for module in IMPORTS:
        seconds(module)  # writes the bytecode
    times = [(seconds("sys"), {module: seconds(module) for module in IMPORTS}) for _ in rounds]
    print("| import | ms | / numpy |\n|---|---|---|")
    for module in IMPORTS:
        own = statistics.median(each[module] - empty for empty, each in times)
        ratio = statistics.median((each[module] - empty) / (each["numpy"] - empty) for empty, each in times)
        print(f"| {module} | {1000 * own:.0f} | {ratio:.1f} |")


if __name__ == "__main__":
    main()
