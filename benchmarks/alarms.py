"""Every statement on a thousand boards of every kind: on how many it applies, holds, does not hold, or ends in an
exception.

    python benchmarks/alarms.py [--boards 1000] [--first 0] [--most 1e6] [--tree CHECKOUT] [--store FILE]
    python benchmarks/alarms.py --compare BEFORE AFTER

Prints a table by statement in Markdown, and each alarm with its board as code; ends with 1 if there is one. The boards
are those of `wide_board` in tests/boards.py, with C up to --most. --tree measures the svmlab of another checkout on the
same boards. --store appends a line of JSON for each board and goes on behind the boards that stand there. --compare
sets two such files side by side, and ends with 1 if a statement applies less often after.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
import warnings
from collections import Counter
from pathlib import Path
from types import ModuleType

os.environ["OPENBLAS_NUM_THREADS"] = "1"
ROOT = Path(__file__).resolve().parents[1]
ENDS = ("applies", "holds", "does not hold", "exception")
Record = dict  # of a board: its seed, its code, and the end of each check


def boards_of_tests() -> ModuleType:
    """tests/boards.py of this checkout, whichever svmlab is measured."""
    spec = importlib.util.spec_from_file_location("boards", ROOT / "tests" / "boards.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def code(problem) -> str:
    """The board as an expression that makes it again."""
    data = f"Dataset({problem.data.X.tolist()}, {problem.data.y.astype(int).tolist()})"
    weights = None if problem.weights is None else problem.weights.tolist()
    return f"Problem({data}, {problem.kernel!r}, {problem.C!r}, {problem.bias}, {problem.costs}, {weights})"


def tried(problem, seed: int) -> Record:
    """Every check on one board: why it does not apply, or its residual in tolerances, or what was raised."""
    from svmlab.statements import CATALOGUE, Situation

    situation, ends = Situation(problem), {}
    for id, entry in CATALOGUE.items():
        try:
            verdict = entry.check(situation)
        except Exception as error:  # whatever a check raises is what is counted here
            ends[id] = {"end": "exception", "said": f"{type(error).__name__}: {error}"}
            continue
        if not verdict.applies:
            ends[id] = {"end": "does not apply", "said": str(verdict.why)}
        elif verdict.holds:
            ends[id] = {"end": "holds"}
        else:
            ends[id] = {"end": "does not hold", "said": f"{verdict.residual:.2e} > {verdict.tolerance:.2g}"}
    return {"seed": seed, "board": code(problem), "ends": ends}


def measured(first: int, boards: int, most: float, store: Path | None) -> list[Record]:
    """The records of the boards, those in `store` read and not tried again."""
    from svmlab.warmup import warm_up

    make = boards_of_tests().wide_board
    known = {record["seed"]: record for record in read(store)} if store and store.exists() else {}
    warm_up()
    records = []
    for seed in range(first, first + boards):
        record = known.get(seed)
        if record is None:
            record = tried(make(seed, most), seed)
            if store:
                with store.open("a") as file:
                    file.write(json.dumps(record) + "\n")
        records.append(record)
    return records


def read(store: Path) -> list[Record]:
    return [json.loads(line) for line in store.read_text().splitlines()]


def counted(records: list[Record]) -> dict[str, Counter]:
    """By statement, how often each of ENDS was met; an exception is no application."""
    counts: dict[str, Counter] = {}
    for record in records:
        for id, found in record["ends"].items():
            end, own = found["end"], counts.setdefault(id, Counter())
            own[end] += 1
            own["applies"] += end in ("holds", "does not hold")
    return counts


def table(records: list[Record]) -> None:
    """The counts by statement, then every alarm."""
    print(f"| statement | {' | '.join(ENDS)} |\n{'|---' * (len(ENDS) + 1)}|")
    for id, own in counted(records).items():
        print(f"| {id} | {' | '.join(str(own[end]) for end in ENDS)} |")
    print(
        f"\n{len(records)} boards, {sum(map(len, alarms(records)))} alarms on {sum(map(bool, alarms(records)))} "
        f"of them."
    )
    for record, own in zip(records, alarms(records), strict=True):
        for id in own:
            found = record["ends"][id]
            print(f"- board {record['seed']}, {id} {found['end']}: {found['said']}\n    {record['board']}")


def alarms(records: list[Record]) -> list[list[str]]:
    """The statements that do not hold or raise, by board."""
    bad = ("does not hold", "exception")
    return [[id for id, found in record["ends"].items() if found["end"] in bad] for record in records]


def compared(before: list[Record], after: list[Record]) -> bool:
    """Print both counts on the boards that both files have; whether no statement applies less often after."""
    other = {record["seed"]: record for record in after}
    before = [record for record in before if record["seed"] in other]
    after = [other[record["seed"]] for record in before]
    if any(one["board"] != two["board"] for one, two in zip(before, after, strict=True)):
        raise SystemExit("The two files are of different boards. Measure both with the same --most.")
    old, new = counted(before), counted(after)
    print("| statement | applies before | after | alarms before | after |\n|---|---|---|---|---|")
    less = []
    for id in old:
        bad = [own["does not hold"] + own["exception"] for own in (old[id], new[id])]
        print(f"| {id} | {old[id]['applies']} | {new[id]['applies']} | {bad[0]} | {bad[1]} |")
        less += [id] if new[id]["applies"] < old[id]["applies"] else []
    print(f"\n{len(before)} boards. Applies less often after: {', '.join(less) or 'none'}.")
    for one, two in zip(before, after, strict=True):
        for id, found in two["ends"].items():
            if found["end"] == "does not apply" and one["ends"][id]["end"] in ("holds", "does not hold"):
                print(f"- board {one['seed']}, {id}, which {one['ends'][id]['end']} before: {found['said']}")
    return not less


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=float, default=1e6, help="the largest C but for the hard margin")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout whose svmlab is measured")
    parser.add_argument("--store", type=Path, help="a file that keeps what was measured")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("BEFORE", "AFTER"))
    args = parser.parse_args()
    if args.compare:
        sys.exit(not compared(*map(read, args.compare)))
    sys.path.insert(0, str(args.tree.resolve()))
    warnings.simplefilter("ignore")
    records = measured(args.first, args.boards, args.most, args.store)
    table(records)
    sys.exit(any(alarms(records)))


if __name__ == "__main__":
    main()
