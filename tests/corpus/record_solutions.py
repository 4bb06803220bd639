"""Record the answers to stored problems, in several environments of arithmetic, each a process of its own.

    python -m tests.corpus.record_solutions [--anew FAMILY ...]

Without --anew only problems are added that `problems.FAMILIES` has and no file holds yet. What is recorded is never recorded
anew because an answer has changed: a change is either a bug or a decision, and the tests shall show it. For a decision (another
of several optimal alpha is chosen, say) --anew solves the stored problems of the named families again and prints which answers
changed and by how much; an answer within its rounding stays as it stands.

An environment is the kernel that OpenBLAS takes in numpy, scipy and cvxopt; the last one also compiles for the oldest processor
and switches numpy's wide instructions off. The numbers of the first one are stored; `answers` says what the others decide.
"""

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
from tests.corpus.answers import EXACT, LEAST, MOST, NUMBERS, SAFETY, Plain, differences, wrong
from tests.corpus.problems import FAMILIES, make, names

CORES = ("Haswell", "SkylakeX", "Sandybridge", "Nehalem", "Prescott")
OLDEST = {"NUMBA_CPU_NAME": "generic", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"}
ENVIRONMENTS = {core: {"OPENBLAS_CORETYPE": core} for core in CORES} | {
    "oldest": {"OPENBLAS_CORETYPE": "Prescott"} | OLDEST
}


def solved(problems: list[Plain]) -> list[list[Plain]]:
    """The answers to each problem in every environment, that of the first environment first."""
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
        said = json.loads(run.stdout)
        print(f"{name}: {said['seconds']:.1f} CPU seconds, {said['loaded']}", flush=True)
        columns.append(said["answers"])
    return [list(row) for row in zip(*columns, strict=True)]


def entry(name: str, problem: Plain, found: list[Plain]) -> Plain:
    """What is stored of a problem and its answers in every environment."""
    spread: dict[str, float] = {}
    may_differ: Plain = {}
    for one, other in itertools.combinations(found, 2):
        for part, apart in differences(one, other).items():
            if part == "kinds":
                may_differ["kinds"] = sorted({*may_differ.get("kinds", ()), *apart})
            elif part == "error" or part in EXACT:
                seen = may_differ.setdefault(part, [])
                seen += [value for value in apart if value not in seen]
            else:
                spread[part] = max(spread.get(part, 0.0), apart)
    may_differ |= {part: far for part, far in spread.items() if far > MOST}
    largest = max((far for part, far in spread.items() if part in NUMBERS and far <= MOST), default=0.0)
    rounding = 10.0 ** math.ceil(math.log10(max(LEAST, SAFETY * largest)) - 1e-9)
    return {"name": name, "problem": problem, "answer": found[0], "rounding": rounding, "may_differ": may_differ}


def add() -> None:
    """Record every problem of `problems.FAMILIES` that no file holds."""
    known = {family: answers.read(family) for family in answers.families()}
    missing = [
        (family, name, make(family, int(name.split("/")[1])))
        for family in FAMILIES
        for name in names(family)[len(known.get(family, ())) :]
    ]
    for (family, name, problem), found in zip(missing, solved([each[2] for each in missing]), strict=True):
        known.setdefault(family, []).append(entry(name, problem, found))
    for family in dict.fromkeys(family for family, _name, _problem in missing):
        print(f"{family}: {len(known[family])} problems, {answers.write(family, known[family])} bytes")


def anew(families: list[str]) -> None:
    """Solve the stored problems of these families again; print and store the answers that changed."""
    stored = {family: answers.read(family) for family in families}
    each = [old for family in families for old in stored[family]]
    fresh: dict[str, Plain] = {}
    for old, found in zip(each, solved([old["problem"] for old in each]), strict=True):
        if said := wrong(old, found[0]):
            fresh[old["name"]] = entry(old["name"], old["problem"], found)
            print(f"{old['name']}: {'; '.join(said)}")
    print(f"{len(fresh)} of {len(each)} answers changed.")
    for family, entries in stored.items():
        answers.write(family, [fresh.get(old["name"], old) for old in entries])


def _solve() -> None:
    """In an environment: problems from the standard input, answers to the standard output."""
    from threadpoolctl import threadpool_info

    problems, began = json.load(sys.stdin), time.process_time()
    found = [answers.answer(problem) for problem in problems]
    loaded = sorted(f"{each['filepath'].split('/')[-2]} {each['architecture']}" for each in threadpool_info())
    json.dump({"answers": found, "seconds": time.process_time() - began, "loaded": ", ".join(loaded)}, sys.stdout)


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
