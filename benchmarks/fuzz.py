"""The exact solver on thousands of problems of many kinds, with referees that share no code with it.

    python benchmarks/fuzz.py [--problems 20000] [--seed 0] [--family NAME ...] [--only NUMBER ...] [--jobs 2] [--worst
    3]

Prints a table by family in markdown, refusals by their words, and the first faults of each kind as code; ends with 1 if
something that must hold did not. A problem has a name, family and number: `--family raw --only 17` tries that one
alone.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from trials.checks import Found, examine
from trials.families import FAMILIES, make

from svmlab.warmup import warm_up

SLOW = 20.0  # seconds that a problem may take
KINDS = ("crash", "wrong", "unmarked", "mixed", "warm", "order", "separate")  # of faults
NOTED = ("unproven", "close", "loose", "warned")  # of what is allowed: it says so, or is below what doubles can tell
HEAD = ("family", "problems", "solved", "refused", "fallbacks", "judged", "slow", *NOTED, *KINDS)


def names(problems: int, families: list[str], only: list[int]) -> list[tuple[str, int]]:
    """Which problems are tried, the largest first."""
    share = sum(FAMILIES[family][1] for family in families)
    counts = {family: only or range(round(problems * FAMILIES[family][1] / share)) for family in families}
    return [(family, number) for family in reversed(families) for number in counts[family]]


def tried(family: str, number: int, seed: int) -> Found:
    return examine(make(family, number, seed), np.random.default_rng([seed, zlib.crc32(family.encode()), number, 1]))


def _work(pipe: Connection, seed: int) -> None:
    while (name := pipe.recv()) is not None:
        pipe.send(tried(*name, seed))


def run(todo: list[tuple[str, int]], seed: int, jobs: int) -> Iterator[Found]:
    """Each problem in one of `jobs` processes; one that takes longer than SLOW is ended with its process, and so is
    told a death.
    """
    context, left = get_context("fork"), list(reversed(todo))
    busy: dict[Connection, tuple] = {}

    def begin() -> None:
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, seed), daemon=True)
        process.start()
        theirs.close()
        give(ours, process)

    def give(pipe: Connection, process) -> None:
        name = left.pop() if left else None
        pipe.send(name)
        if name:
            busy[pipe] = (process, name, time.monotonic())

    for _ in range(jobs):
        begin()
    while busy:
        ready = wait(list(busy), 0.5)
        for pipe in list(busy):
            process, (family, number), since = busy[pipe]
            name = f"{family}/{number}"
            if pipe in ready:
                del busy[pipe]
                try:
                    yield pipe.recv()
                except EOFError:
                    yield Found(name, "crashed", faults={"crash": "the process died"})
                    begin()
                else:
                    give(pipe, process)
            elif time.monotonic() - since > SLOW:
                del busy[pipe]
                process.kill()
                yield Found(name, "slow", seconds=SLOW)
                begin()


def table(found: list[Found], families: list[str]) -> list[str]:
    rows = ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
    for family in (*families, "all"):
        own = [f for f in found if family in (f.name.split("/")[0], "all")]
        ends, judged = Counter(f.end for f in own), Counter(f.judged for f in own)
        cells = [len(own), ends["solved"], ends["refused"], sum(f.fallback for f in own)]
        cells += [judged["right"] + judged["close"] + judged["wrong"], ends["slow"]]
        cells += [sum(kind in f.faults for f in own) for kind in (*NOTED, *KINDS)]
        rows.append(f"| {family} | " + " | ".join(map(str, cells)) + " |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--family", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
    parser.add_argument("--only", type=int, nargs="+", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--worst", type=int, default=3, help="faults of a kind that are printed for each family")
    args = parser.parse_args()
    warm_up()
    for family in FAMILIES:  # every compiled loop is loaded once, before there are processes
        tried(family, 0, args.seed)
    began, found = time.monotonic(), []
    for one in run(names(args.problems, args.family, args.only), args.seed, args.jobs):
        found.append(one)
        if len(found) % 500 == 0:
            print(f"{len(found)} after {time.monotonic() - began:.0f} s", file=sys.stderr)
    print(*table(found, args.family), "", sep="\n")
    words = Counter((f.name.split("/")[0], f.words) for f in found if f.end == "refused" and "NotSep" not in f.words)
    print(*(f"- {n} refused, {family}: {said}" for (family, said), n in words.most_common()), "", sep="\n")
    print("Longer than", SLOW, "s:", ", ".join(f.name for f in found if f.end == "slow") or "none")
    slowest = sorted(found, key=lambda f: -f.seconds)[:5]
    print("Slowest:", ", ".join(f"{f.name} {f.seconds:.1f} s" for f in slowest), "\n")
    for kind in (*KINDS, *NOTED):
        for family in args.family:
            own = [f for f in found if kind in f.faults and f.name.startswith(f"{family}/")]
            for f in sorted(own, key=lambda f: len(f.case))[: args.worst]:
                print(f"{kind}, {f.name}: {f.faults[kind]}\n    {f.case}")
    sys.exit(any(kind in f.faults for f in found for kind in KINDS))


if __name__ == "__main__":
    main()
