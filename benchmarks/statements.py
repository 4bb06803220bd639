"""The statements on boards of every kind: whether they hold, how near to their tolerance, and how long a page of cards
takes.

    OPENBLAS_NUM_THREADS=1 python benchmarks/statements.py [boards] [first]

Prints three tables in Markdown. The boards are those of the tests, 200 of them, with runs of Pegasos as long as the
bound P7 needs to say something, up to the engine's longest. Exits with 1 if anything that is said to hold does not.
"""

import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))
from svmlab import Gaussian, Linear, Polynomial, Problem, make_dataset
from svmlab.statements import CATALOGUE, Situation, walk
from svmlab.warmup import warm_up
from tests.boards import complaints, random_board

FULL = 6 * 10**7  # updated entries of w: 10^7 steps on a line, 5 million in the plane
M, CARDS = 60, 12
NAMES = ("overlapping", "separable", "moons", "four_corners")
KERNELS = (Linear(), Polynomial(2), Gaussian(1.0))
MACHINES = ((0.01, True), (1.0, True), (1000.0, False))


def tried(first: int, boards: int) -> bool:
    """How many boards each statement applies to, and its largest residual there in tolerances; whether all hold."""
    walk.WORK = FULL
    applies, worst, steps, failures = defaultdict(int), defaultdict(float), [], []
    for seed in range(first, first + boards):
        situation = Situation(random_board(seed))
        verdicts = {id: entry.check(situation) for id, entry in CATALOGUE.items()}
        failures += [f"board {seed}: {complaint}" for complaint in complaints(verdicts)]
        for id, verdict in verdicts.items():
            if verdict.applies:
                applies[id] += 1
                worst[id] = max(worst[id], verdict.residual / (verdict.tolerance or 1.0))
        if verdicts["P7"].applies and situation.pegasos_runs.long_runs is not None:
            steps.append(int(situation.pegasos_runs.long_runs.t[-1]))
    print(f"| statement | applies to, of {boards} | largest residual, in tolerances |\n|---|---|---|")
    for id in CATALOGUE:
        print(f"| {id} | {applies[id]} | {worst[id]:.1e} |")
    print(f"\nThe bound P7 says something on {len(steps)} boards, from {min(steps):,} to {max(steps):,} steps on.")
    print(*failures or ["Everything that is said to hold holds."], sep="\n")
    return not failures


def timed() -> None:
    """Processor time of twelve cards and of single ones on boards of 60 points, each board solved by the cards that ask
    first.
    """
    walk.WORK = WORK
    pages = defaultdict(list)
    cards = defaultdict(list)
    for name in NAMES:
        for kernel in KERNELS:
            for C, bias in MACHINES:
                problem = Problem(make_dataset(name, M), kernel, C, bias)
                for page in dict.fromkeys(entry.page for entry in CATALOGUE.values()):
                    situation, total = Situation(problem), 0.0
                    entries = [entry for entry in CATALOGUE.values() if entry.page == page]
                    for i, entry in enumerate(entries):
                        start = time.process_time()
                        entry.check(situation)
                        took = time.process_time() - start
                        cards[entry.id].append(took)
                        total += took if i < CARDS else 0.0
                    pages[page].append(total)
    print(f"\n| page, its first {CARDS} cards, {M} points | median | longest |\n|---|---|---|")
    for page, took in pages.items():
        print(f"| {page} | {1e3 * median(took):.0f} ms | {1e3 * max(took):.0f} ms |")
    print("\n| slowest cards | median | longest |\n|---|---|---|")
    for id in sorted(cards, key=lambda id: -median(cards[id]))[:8]:
        print(f"| {id} | {1e3 * median(cards[id]):.0f} ms | {1e3 * max(cards[id]):.0f} ms |")


WORK = walk.WORK

if __name__ == "__main__":
    warm_up()
    boards = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    good = tried(int(sys.argv[2]) if len(sys.argv) > 2 else 0, boards)
    timed()
    sys.exit(not good)
