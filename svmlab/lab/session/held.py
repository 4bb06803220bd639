"""Points that the machine has not seen: a fresh draw where the board is a preset's sample, else folds of the board's own."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from svmlab import Dataset, Solution
from svmlab.data import DATASETS, unseen
from svmlab.generalisation import HeldOut, held_out
from svmlab.lab.session import state
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.mishap import told
from svmlab.lab.session.state import Lab

FRESH = 400  # points

_unseen = lru_cache(64)(unseen)
_drawn = lru_cache(64)(
    lambda preset, size, noise, seed: Counter(
        point[1:] for point in state.with_preset(Lab(preset=preset, size=size, noise=noise, seed=seed)).points
    )
)


def is_sample(lab: Lab) -> bool:
    """Whether the points are still what the preset drew: half of them or more where it put them, and none more than those.

    Who moves some of a sample changes the sample, not what it is a sample of. What the points are says it alone, so that
    link, undo and a drag need not carry it.
    """
    drawn: Counter[tuple[int, int, int]] = _drawn(lab.preset, lab.size, lab.noise, lab.seed)
    still = (Counter(p[1:] for p in lab.points) & drawn).total()
    return len(lab.points) <= drawn.total() <= 2 * still


def fresh(lab: Lab) -> Dataset | None:
    """Other points of the population that the board is drawn from; None where nobody knows it or there is none."""
    if DATASETS[lab.preset].population and is_sample(lab):
        return _unseen(lab.preset, FRESH, lab.noise)
    return None


def held(lab: Lab, solution: Solution | None) -> HeldOut | None:
    """What the Lab's machine, solved, does on points that it has not seen; None where that is not asked for or there is none."""
    if not lab.unseen or solution is None:
        return None
    try:
        return held_out(solution, fresh(lab))
    except Exception as error:
        told(error)  # to the log: the board itself is solved
        return None


def kept(cache: Cache, lab: Lab, solution: Solution | None) -> HeldOut | None:
    """The same, once for each machine."""
    if not lab.unseen or solution is None:
        return None
    other = fresh(lab)
    key = ("held", solution.problem.key, other.key if other else None)
    return cache.once(key, lambda: held(lab, solution))
