"""Problems and their answers as plain data, made and solved by public names alone, so that they outlive every private
one.

A problem is {"task", "X", "y", "kernel": {"name", ...}, "C", "bias"}, and may have "costs", "weights" or "eps". Its
answer is {"alpha", "b", "b_interval", "objective", "margins", "categories", "proven", "alpha_unique"}, or {"error": the
class raised}. For one-vs-rest these are lists with an item for each class. For a regression "alpha" is alpha - alpha*,
and "margins" are the residuals. "inexact" says that the warning NotExact was given.

An entry is {"name", "problem", "answer", "rounding", "may_differ"}. Categories, errors and the parts in EXACT have to
be equal. Numbers may differ by the rounding, relative to their unit: of alpha the largest alpha, of the objective its
own value, and of b and the margins the largest |b| or |margin|, at least 1. Six environments of different arithmetic
have recorded the entries (`record_solutions`). The rounding is the smallest power of ten that is at least LEAST, and at
least SAFETY times the largest difference between two of the environments. "may_differ" lists what these answered
differently: the rows of categories, the values of other parts, and numbers that differed by more than MOST. All of that
is not compared."""

from __future__ import annotations

import gzip
import json
import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from svmlab import (
    Composed,
    Dataset,
    Gaussian,
    Linear,
    NotExact,
    Polynomial,
    Problem,
    Sigmoid,
    multiclass,
    regression,
    solve,
)

HERE = Path(__file__).parent / "solutions"
LEAST, SAFETY = 1e-9, 1000.0  # of a rounding
MOST = 1e-6  # a larger difference between two environments is no rounding
EXACT = ("proven", "alpha_unique", "inexact")  # parts of an answer without rounding
NUMBERS = ("alpha", "b", "b_interval", "objective", "margins")
KERNELS = {"linear": Linear, "polynomial": Polynomial, "gaussian": Gaussian, "sigmoid": Sigmoid, "composed": Composed}
BINARY, ONE_VS_REST, JOINT, REGRESSION = "binary", "one-vs-rest", "joint", "regression"
Plain = dict[str, Any]


def problem(described: Plain) -> Any:
    """Return the problem that plain data describe."""
    parameters = dict(described["kernel"])
    kernel = KERNELS[parameters.pop("name")](**parameters)
    task, X, y, C, bias = (described[key] for key in ("task", "X", "y", "C", "bias"))
    if task == BINARY:
        costs = tuple(described.get("costs", (1.0, 1.0)))
        return Problem(Dataset(X, y), kernel, float(C), bias, costs, described.get("weights"))
    if task == REGRESSION:
        return regression.Tube(regression.Values(X, y), kernel, float(C), described["eps"], bias)
    return multiclass.MulticlassProblem(multiclass.Classes(X, y), kernel, float(C), bias)


def solved(task: str, problem: Any) -> Any:
    """Return the solution of a problem of this task."""
    if task == BINARY:
        return solve(problem)
    return regression.solve(problem) if task == REGRESSION else multiclass.solve(problem, task)


def answer(described: Plain) -> Plain:
    """Return the numbers of the solution of a problem, or the class of the error that it raises."""
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        try:
            numbers = plain(described["task"], solved(described["task"], problem(described)))
        except Exception as error:  # a crash is an answer too, and is listed among those that differ
            return {"error": type(error).__name__}
    return numbers | ({"inexact": True} if any(issubclass(each.category, NotExact) for each in raised) else {})


def plain(task: str, solution: Any) -> Plain:
    """Return the numbers of a solution as plain data, every number to its last bit."""
    if task == ONE_VS_REST:
        each = [plain(BINARY, machine) for machine in solution.machines]
        joined: Plain = {key: [one[key] for one in each] for key in each[0]}
        return joined | {"proven": solution.proven, "categories": [category.value for category in solution.categories]}
    return {
        "alpha": (solution.alpha if task == BINARY else solution.beta).tolist(),
        "b": np.asarray(solution.b).tolist(),
        "b_interval": _finite(np.asarray(solution.b_interval).tolist()),
        "objective": float(solution.objective),
        "margins": _finite((solution.residuals if task == REGRESSION else solution.margins).tolist()),
        "categories": [category.value for category in solution.categories],
        "proven": bool(solution.proven),
        "alpha_unique": solution.beta_unique if task == JOINT else solution.alpha_unique,
    }


def _finite(value: Any) -> Any:
    """Return the same with words in the place of inf and nan, for which JSON has no number."""
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return value if math.isfinite(value) else str(value)


def differences(one: Plain, other: Plain) -> dict[str, Any]:
    """Return where two answers differ: the rows of "categories", both values of the parts in EXACT, and how far numbers
    are apart."""
    if "error" in one or "error" in other:
        pair = [one.get("error", "solved"), other.get("error", "solved")]
        return {"error": pair} if pair[0] != pair[1] else {}
    pairs = zip(one["categories"], other["categories"], strict=True)
    rows = [row for row, (before, after) in enumerate(pairs) if before != after]
    differing: dict[str, Any] = {"categories": rows} if rows else {}
    differing |= {part: [one.get(part), other.get(part)] for part in EXACT if one.get(part) != other.get(part)}
    machines = list(zip(_machines(one), _machines(other), strict=True))
    apart = {part: max(_apart(a, b, part) for a, b in machines) for part in NUMBERS}
    return differing | {part: distance for part, distance in apart.items() if distance > 0}


def disagreements(entry: Plain, new_answer: Plain) -> list[str]:
    """Return a sentence for each part of the answer `new_answer` that is not as the entry allows."""
    sentences, allowed = [], entry["may_differ"]
    for part, apart in differences(entry["answer"], new_answer).items():
        if part == "categories":
            rows = [row for row in apart if row not in allowed.get(part, ())]
            before, after = ([answer[part][row] for row in rows] for answer in (entry["answer"], new_answer))
            sentences += [f"the categories of the rows {rows} are {after}, not {before}"] if rows else []
        elif part in NUMBERS:
            if part not in allowed and not apart <= entry["rounding"]:
                sentences.append(f"{part} is off by {apart:.1e}, more than {entry['rounding']:.0e}")
        elif apart[1] not in allowed.get(part, ()):
            sentences.append(f"{part} is {apart[1]}, not {apart[0]}")
    return sentences


def _machines(answer: Plain) -> list[Plain]:
    """Return the numbers of each classifier of one-vs-rest; of another answer itself alone."""
    if isinstance(answer["objective"], list):
        return [{part: answer[part][k] for part in NUMBERS} for k in range(len(answer["objective"]))]
    return [answer]


def unit(answer: Plain, part: str) -> float:
    """Return the unit in which a difference of this part is measured."""
    if part in ("alpha", "objective"):
        return float(np.abs(_flat(answer[part])).max(initial=0.0)) or 1.0
    levels = np.abs(np.concatenate([_flat(answer["b"]), _flat(answer["margins"])]))
    return max(1.0, float(levels[np.isfinite(levels)].max(initial=0.0)))


def _apart(one: Plain, other: Plain, part: str) -> float:
    """Return the largest difference in its unit; inf where the lengths differ, or only one of two numbers is finite."""
    a, b = _flat(one[part]), _flat(other[part])
    if len(a) != len(b):
        return math.inf
    with np.errstate(invalid="ignore"):
        distances = np.where(a == b, 0.0, np.abs(a - b))
    return float(np.nan_to_num(distances, nan=math.inf, posinf=math.inf).max(initial=0.0)) / unit(one, part)


def _flat(value: Any) -> np.ndarray:
    return np.ravel(np.array(value, dtype=float))


def families() -> list[str]:
    """Return the names of the stored families."""
    return sorted(path.name.removesuffix(".json.gz") for path in HERE.glob("*.json.gz"))


def read(family: str) -> list[Plain]:
    """Return the entries of a family."""
    with gzip.open(HERE / f"{family}.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


def write(family: str, entries: list[Plain]) -> int:
    """Store the entries of a family, one on each line, compressed; return the size of the file in bytes."""
    text = "[\n" + ",\n".join(json.dumps(entry, separators=(",", ":"), allow_nan=False) for entry in entries) + "\n]\n"
    path = HERE / f"{family}.json.gz"
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    return path.stat().st_size


def stored() -> Iterator[tuple[str, Plain]]:
    """Yield every entry with its family."""
    for family in families():
        for entry in read(family):
            yield family, entry
