"""One problem tried in every way, and what was wrong with the answers."""

from __future__ import annotations

import time
import traceback
import warnings
from dataclasses import dataclass, field, replace

import numpy as np

from svmlab import Category, Dataset, NotExact, Problem, Solution, solve
from svmlab.core.errors import SvmError
from trials import apart, proof, referee
from trials.families import Case


@dataclass
class Found:
    """What came of one problem: `end` is solved, refused or crashed; `faults` by kind."""

    name: str
    end: str = "solved"
    words: str = ""  # of a refusal
    fallback: bool = False
    proven: bool = True
    judged: str = ""
    seconds: float = 0.0
    faults: dict[str, str] = field(default_factory=dict)
    case: str = ""


@dataclass(frozen=True)
class Answer:
    """A solution, or why there is none; `fallback` says that another method than the exact one answered."""

    solution: Solution | None
    words: str = ""
    fallback: bool = False


def answer(problem: Problem, start: Solution | None = None) -> Answer:
    """What `solve` says; of refusals the template."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            solution = solve(problem, start=start)
        except SvmError as error:
            return Answer(None, f"{type(error).__name__}: {error.template}")
    for w in said:  # what was not meant to be said
        if not issubclass(w.category, NotExact):
            warnings.warn_explicit(w.message, w.category, w.filename, w.lineno)
    warned = any(issubclass(w.category, NotExact) for w in said)  # also of an exact answer that is not proven
    return Answer(solution, fallback=warned and not solution.status.startswith("exact"))


def examine(case: Case, rng: np.random.Generator) -> Found:
    """Everything there is to ask about a problem."""
    out, begun = Found(case.name), time.perf_counter()
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            _examine(case, rng, out)
        if said:
            first = said[0]
            where = f"{first.filename.rsplit('/', 1)[-1]}:{first.lineno}"
            out.faults["warned"] = f"{first.category.__name__}: {first.message} ({where})"
    except Exception as error:
        out.end = "crashed"
        last = traceback.extract_tb(error.__traceback__)[-1]
        out.faults["crash"] = f"{type(error).__name__}: {error} ({last.filename.rsplit('/', 1)[-1]}:{last.lineno})"
    out.seconds = time.perf_counter() - begun
    if out.faults:
        out.case = repr(case)
    return out


def _examine(case: Case, rng: np.random.Generator, out: Found) -> None:
    problem = case.problem
    cold = answer(problem)
    s = cold.solution
    if s is None:
        out.end, out.words = "refused", cold.words
        if problem.hard is False and cold.words.startswith("NotSeparable"):
            out.faults["wrong"] = "NotSeparable at a finite C"
    else:
        out.fallback, out.proven = cold.fallback, s.proven
        if (s.proven and not cold.fallback) and len(case.y) <= proof.LARGEST and (lack := proof.lacking(s)):
            out.faults["unmarked"] = lack
        if not s.proven and not cold.fallback:
            out.faults["unproven"] = str(s.certificate)
        if s.proven and (mixed := _inconsistent(s)):
            out.faults["mixed"] = mixed
        if s.proven and not cold.fallback:
            out.judged, why = referee.judged(case, s)
            if out.judged in (referee.WRONG, referee.CLOSE):
                out.faults[out.judged] = why
    if mistake := apart.mistaken(case):
        out.faults["separate"] = mistake
    order = rng.permutation(len(case.y))
    other = answer(replace(problem, data=Dataset(case.X[order], case.y[order])))
    if differs := _differs(cold, other, order):
        out.faults[_kind("order", cold, other)] = (
            f"{differs}; rows in the order {order.tolist() if len(order) < 40 else '...'}"
        )
    kind, near, back = _neighbour(case, rng)
    start = answer(near).solution
    other = cold if start is None else answer(back, start)
    if differs := _differs(cold, other):
        out.faults[_kind("warm", cold, other)] = f"{differs}; from {kind}"


def _kind(fault: str, one: Answer, two: Answer) -> str:
    """A fault, unless the warning NotExact has said of one of the two that it may be another answer."""
    return "loose" if one.fallback or two.fallback else fault


def _differs(one: Answer, two: Answer, order: np.ndarray | None = None) -> str:
    """What differs, to the bit; rows of `two` are `order` of those of `one`."""
    a, b = one.solution, two.solution
    if a is None or b is None:
        return "" if a is b and one.words == two.words else f"{one.words or 'solved'} / {two.words or 'solved'}"
    if one.fallback != two.fallback:
        return f"{a.status} / {b.status}"
    at = slice(None) if order is None else order
    pairs = {
        "alpha": (a.alpha[at], b.alpha),
        "b": (a.b, b.b),
        "interval": (a.b_interval, b.b_interval),
        "states": (a.states[at], b.states),
    }
    off = [name for name, (v, w) in pairs.items() if not np.array_equal(np.asarray(v), np.asarray(w))]
    if not off:
        return ""
    far = float(np.abs(a.alpha[at] - b.alpha).max()) / (float(a.alpha.max()) or 1.0)
    return f"{', '.join(off)} (alpha by {far:.1g} of the largest, b {a.b!r} / {b.b!r})"


def _neighbour(case: Case, rng: np.random.Generator) -> tuple[str, Problem, Problem]:
    """A problem near this one, and this one with rows that are known by the same names."""
    problem, m = case.problem, len(case.y)
    data, kind, k = problem.data, int(rng.integers(4)), int(rng.integers(m))
    if kind == 0:
        X = case.X.copy()
        X[k] += 0.1 * rng.normal(size=X.shape[1]) * (np.ptp(X) or 1.0)
        return f"point {k} at {X[k].tolist()}", replace(problem, data=Dataset(X, data.y)), problem
    if kind == 1:
        C = 1000.0 if problem.hard else case.C * float(rng.choice([0.5, 1.1, 10.0]))
        return f"C = {C!r}", replace(problem, C=C), problem
    if kind == 2 and m > 2:
        keep = np.arange(m) != k
        near = Dataset(data.X[keep], data.y[keep], np.flatnonzero(keep))
        return f"point {k} left out", replace(problem, data=near), problem
    y = data.y.copy()
    y[k] = -y[k]
    return f"the label of {k} turned", replace(problem, data=Dataset(data.X, y)), problem


def _inconsistent(s: Solution) -> str:
    """Where an answer's own words contradict each other."""
    p = s.problem
    numbers = {
        "alpha": s.alpha,
        "margins": s.margins,
        "xi": s.xi,
        "b": s.b,
        "objective": s.objective,
        "norm_w": s.norm_w,
    }
    for name, v in numbers.items():
        if not np.isfinite(v).all():
            return f"{name} is not finite"
    lo, hi = s.b_interval
    if not (lo <= s.b <= hi or max(lo - s.b, s.b - hi) <= 4 * np.finfo(float).eps * abs(s.b)):
        return f"b = {s.b!r} outside of {s.b_interval}"
    if ((s.alpha < 0) | (s.alpha > p.bounds)).any():
        return "alpha outside of [0, C]"
    exactly = s.status.startswith("exact")
    state = np.where(s.alpha == 0, -1, np.where(s.alpha == p.bounds, 1, 0))
    if exactly and (state != s.states).any():
        return f"states {s.states.tolist()}, alpha {s.alpha.tolist()}"
    tol = max(s.tolerance, s.floor)
    scale = np.maximum(1.0, np.abs(s.margins))
    f = s.decision(p.data.X)
    if (np.abs(p.data.y * f - s.margins) > 4 * s.noise * scale).any():
        return "decision and margins differ"
    if (np.abs(s.xi - np.maximum(0.0, 1.0 - s.margins)) > s.noise).any():
        return "xi and margins differ"
    for i, category in enumerate(s.categories):
        told = {Category.MARGIN_IDLE: -1, Category.MARGIN_FREE: 0, Category.MARGIN_FULL: 1, Category.OUTSIDE: -1}
        expected = told.get(category, 1)
        if exactly and s.states[i] != expected:
            return f"point {i}: {category.name} with state {s.states[i]}, margin {s.margins[i]!r}, tolerance {tol:.2g}"
    return ""
