"""Record the answers to the stored problems in six environments of different arithmetic, each in a process of its own.

    python -m tests.corpus.record_solutions [--anew FAMILY ...]

Without --anew, this adds the problems of `problems.FAMILIES` that no file contains yet. It never records an existing
entry anew. If an answer changes, the change is a bug, or it is a decision, for example for another of several optimal
alpha. Only for a decision there is --anew. It solves the stored problems of the named families again, prints which
answers changed and by how much, and stores those. An answer that agrees with the stored one within its rounding stays
as it is.

Each environment has another kernel of OpenBLAS in numpy, scipy and cvxopt. The last one also compiles the loops for the
oldest processor and switches off the wide instructions of numpy. The processor has to support all of them (SkylakeX
takes AVX-512); the output says what was loaded. The numbers of the first environment are stored."""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import subprocess
import sys
import time

from tests.corpus import answers
from tests.corpus.answers import EXACT, LEAST, MOST, NUMBERS, SAFETY, Plain, differences, disagreements
from tests.corpus.problems import FAMILIES, make, names

CORES = ("Haswell", "SkylakeX", "Sandybridge", "Nehalem", "Prescott")
OLDEST = {"NUMBA_CPU_NAME": "generic", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"}
ENVIRONMENTS = {core: {"OPENBLAS_CORETYPE": core} for core in CORES} | {
    "oldest": {"OPENBLAS_CORETYPE": "Prescott"} | OLDEST
}


def solved(problems: list[Plain]) -> list[list[Plain]]:
    """Return the answers to each problem, one for each environment."""
    columns = []
    for name, variables in ENVIRONMENTS.items():
        run = subprocess.run(
            [sys.executable, "-m", "tests.corpus.record_solutions", "--solve"],
            input=json.dumps(problems),
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"} | variables,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        result = json.loads(run.stdout)
        print(f"{name}: {result['seconds']:.1f} CPU seconds, {result['loaded']}", flush=True)
        columns.append(result["answers"])
    return [list(row) for row in zip(*columns, strict=True)]


def entry(name: str, problem: Plain, by_environment: list[Plain]) -> Plain:
    """Return what is stored of a problem and its answers in every environment."""
    spread: dict[str, float] = {}
    may_differ: Plain = {}
    for one, other in itertools.combinations(by_environment, 2):
        for part, apart in differences(one, other).items():
            if part == "categories":
                may_differ["categories"] = sorted({*may_differ.get("categories", ()), *apart})
            elif part == "error" or part in EXACT:
                seen = may_differ.setdefault(part, [])
                seen += [value for value in apart if value not in seen]
            else:
                spread[part] = max(spread.get(part, 0.0), apart)
    may_differ |= {part: distance for part, distance in spread.items() if distance > MOST}
    largest = max((distance for part, distance in spread.items() if part in NUMBERS and distance <= MOST), default=0.0)
    rounding = 10.0 ** math.ceil(math.log10(max(LEAST, SAFETY * largest)) - 1e-9)
    return {
        "name": name,
        "problem": problem,
        "answer": by_environment[0],
        "rounding": rounding,
        "may_differ": may_differ,
    }


def add() -> None:
    """Record every problem of `problems.FAMILIES` that no file contains."""
    known = {family: answers.read(family) for family in answers.families()}
    missing = [
        (family, name, make(family, int(name.split("/")[1])))
        for family in FAMILIES
        for name in names(family)[len(known.get(family, ())) :]
    ]
    for (family, name, problem), by_environment in zip(missing, solved([each[2] for each in missing]), strict=True):
        known.setdefault(family, []).append(entry(name, problem, by_environment))
    for family in dict.fromkeys(family for family, _name, _problem in missing):
        print(f"{family}: {len(known[family])} problems, {answers.write(family, known[family])} bytes")


def anew(families: list[str]) -> None:
    """Solve the stored problems of these families again; print and store the answers that changed."""
    stored = {family: answers.read(family) for family in families}
    each = [old for family in families for old in stored[family]]
    fresh: dict[str, Plain] = {}
    for old, by_environment in zip(each, solved([old["problem"] for old in each]), strict=True):
        if sentences := disagreements(old, by_environment[0]):
            fresh[old["name"]] = entry(old["name"], old["problem"], by_environment)
            print(f"{old['name']}: {'; '.join(sentences)}")
    print(f"{len(fresh)} of {len(each)} answers changed.")
    for family, entries in stored.items():
        answers.write(family, [fresh.get(old["name"], old) for old in entries])


def _solve() -> None:
    """Read problems from the standard input, and write their answers to the standard output."""
    from threadpoolctl import threadpool_info

    problems, began = json.load(sys.stdin), time.process_time()
    all_answers = [answers.answer(problem) for problem in problems]
    loaded = sorted(f"{each['filepath'].split('/')[-2]} {each['architecture']}" for each in threadpool_info())
    json.dump({"answers": all_answers, "seconds": time.process_time() - began, "loaded": ", ".join(loaded)}, sys.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--anew", nargs="+", choices=list(FAMILIES), help="solve these families again")
    parser.add_argument("--solve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.solve:
        _solve()
    elif args.anew:
        anew(args.anew)
    else:
        add()


if __name__ == "__main__":
    main()
