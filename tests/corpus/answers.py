"""Stored problems and their answers as plain data, solved by public names alone, so that they outlive every inner name.

A problem: {"task", "X", "y", "kernel": {"name", ...}, "C", "bias"}, for some also "costs", "weights" or "eps". An answer:
{"alpha", "b", "b_interval", "objective", "margins", "kinds", "proven", "alpha_unique"}, or {"error": the class raised}. One
against the rest has a list of each, an item a class. A tube has its residuals in the place of the margins.

An entry: {"name", "problem", "answer", "rounding", "may_differ"}. The rounding is a power of ten, at least LEAST, and at
least SAFETY times the largest difference between any two of the environments that recorded it. Differences are in units:
the largest alpha; the objective itself; of b and the margins the largest of them, at least 1. Nearly all of the answer is
equal everywhere: "kinds", "proven", "alpha_unique" and the error are compared as they are. What was seen to differ, or by
more than MOST, stands in "may_differ": the rows of "kinds", the values of the others, and of numbers by how much.
"""

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
    SvmError,
    multiclass,
    regression,
    solve,
)

HERE = Path(__file__).parent / "solutions"
LEAST, SAFETY, MOST = 1e-9, 1000.0, 1e-6  # of a rounding; MOST of a difference that is no rounding any more
EXACT = ("proven", "alpha_unique", "inexact")  # parts of an answer without rounding
NUMBERS = ("alpha", "b", "b_interval", "objective", "margins")
KERNELS = {"linear": Linear, "polynomial": Polynomial, "gaussian": Gaussian, "sigmoid": Sigmoid, "composed": Composed}
BINARY, REST, JOINT, TUBE = "binary", "rest", "joint", "tube"
Plain = dict[str, Any]


def problem(said: Plain) -> Any:
    """The problem that plain data describe."""
    named = dict(said["kernel"])
    kernel = KERNELS[named.pop("name")](**named)
    C = float(said["C"])
    if said["task"] == BINARY:
        data = Dataset(said["X"], said["y"])
        return Problem(data, kernel, C, said["bias"], tuple(said.get("costs", (1.0, 1.0))), said.get("weights"))
    if said["task"] == TUBE:
        return regression.Tube(regression.Values(said["X"], said["y"]), kernel, C, said["eps"], said["bias"])
    return multiclass.Several(multiclass.Classes(said["X"], said["y"]), kernel, C, said["bias"])


def solved(task: str, problem: Any, start: Any = None) -> Any:
    """The solution of a problem of this task."""
    if task == BINARY:
        return solve(problem, start=start)
    if task == TUBE:
        return regression.solve(problem, start=start)
    return multiclass.solve(problem, "one-vs-rest" if task == REST else "joint", start)


def answer(said: Plain) -> Plain:
    """What comes of a problem: the numbers of its solution, or the class of the error."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            found = told(said["task"], solved(said["task"], problem(said)))
        except SvmError as error:
            return {"error": type(error).__name__}
    exact = not any(issubclass(each.category, NotExact) for each in heard)
    return found if exact else found | {"inexact": True}


def told(task: str, found: Any) -> Plain:
    """The numbers of a solution as plain data, every number to its last bit."""
    if task == REST:
        each = [told(BINARY, machine) for machine in found.machines]
        joined = {key: [one[key] for one in each] for key in each[0]}
        joined["proven"] = all(joined["proven"])
        return joined | {"kinds": [kind.value for kind in found.categories]}
    alpha = found.alpha if task == BINARY else found.beta
    unique = found.beta_unique if task == JOINT else found.alpha_unique
    kinds = found.categories
    return {
        "alpha": alpha.tolist(),
        "b": np.asarray(found.b).tolist(),
        "b_interval": _finite(np.asarray(found.b_interval).tolist()),
        "objective": float(found.objective),
        "margins": _finite((found.residuals if task == TUBE else found.margins).tolist()),
        "kinds": [kind.value for kind in kinds],
        "proven": bool(found.proven),
        "alpha_unique": unique,
    }


def _finite(value: Any) -> Any:
    """The same, with words for what JSON has no number for."""
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return value if math.isfinite(value) else str(value)


def differences(one: Plain, other: Plain) -> dict[str, Any]:
    """Which parts of two answers differ: rows of "kinds", both values of what has no rounding, and how far numbers are apart."""
    if "error" in one or "error" in other:
        pair = [one.get("error", "solved"), other.get("error", "solved")]
        return {"error": pair} if pair[0] != pair[1] else {}
    if len(one["kinds"]) != len(other["kinds"]):
        raise ValueError("The answers are of different problems.")
    rows = [i for i, pair in enumerate(zip(one["kinds"], other["kinds"], strict=True)) if pair[0] != pair[1]]
    found: dict[str, Any] = {"kinds": rows} if rows else {}
    found |= {part: [one.get(part), other.get(part)] for part in EXACT if one.get(part) != other.get(part)}
    pairs = zip(_machines(one), _machines(other), strict=True)
    apart = [{part: _apart(a, b, part) for part in NUMBERS} for a, b in pairs]
    return found | {part: far for part in NUMBERS if (far := max(each[part] for each in apart)) > 0}


def wrong(entry: Plain, found: Plain) -> list[str]:
    """What is different in the answer `found` from what the entry allows, in words."""
    said, allowed = [], entry["may_differ"]
    for part, apart in differences(entry["answer"], found).items():
        if part == "kinds":
            apart = [row for row in apart if row not in allowed.get("kinds", ())]
            if apart:
                stood, stands = ([answer["kinds"][row] for row in apart] for answer in (entry["answer"], found))
                said.append(f"the kinds of the rows {apart} are {stands}, not {stood}")
        elif part in NUMBERS:
            if part not in allowed and not apart <= entry["rounding"]:
                said.append(f"{part} is off by {apart:.1e}, more than {entry['rounding']:.0e}")
        elif apart[1] not in allowed.get(part, ()):
            said.append(f"{part} is {apart[1]}, not {apart[0]}")
    return said


def _machines(answer: Plain) -> list[Plain]:
    """The parts of one against the rest, each with what stands in NUMBERS; of others the answer itself."""
    if isinstance(answer["objective"], list):
        return [{part: answer[part][k] for part in NUMBERS} for k in range(len(answer["objective"]))]
    return [answer]


def unit(answer: Plain, part: str) -> float:
    """What a difference in this part is measured in."""
    if part in ("alpha", "objective"):
        return float(np.abs(_flat(answer[part])).max(initial=0.0)) or 1.0
    levels = np.abs(np.concatenate([_flat(answer["b"]), _flat(answer["margins"])]))
    return max(1.0, float(levels[np.isfinite(levels)].max(initial=0.0)))


def _apart(one: Plain, other: Plain, part: str) -> float:
    """How far a number or a list of them is apart, in its unit; inf where only one of the two is infinite, or the lengths differ."""
    a, b = _flat(one[part]), _flat(other[part])
    if len(a) != len(b):
        return math.inf
    with np.errstate(invalid="ignore"):
        far = np.where(a == b, 0.0, np.abs(a - b))
    return float(np.nan_to_num(far, nan=math.inf, posinf=math.inf).max(initial=0.0)) / unit(one, part)


def _flat(value: Any) -> np.ndarray:
    return np.ravel(np.array(value, dtype=float))


def families() -> list[str]:
    """The stored families, by the names of their files."""
    return sorted(path.name.removesuffix(".json.gz") for path in HERE.glob("*.json.gz"))


def read(family: str) -> list[Plain]:
    """The entries of a family: {"name", "problem", "answer", "rounding", "may_differ"}."""
    with gzip.open(HERE / f"{family}.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


def write(family: str, entries: list[Plain]) -> int:
    """An entry a line, compressed; equal entries, equal bytes. The size of the file."""
    text = "[\n" + ",\n".join(json.dumps(entry, separators=(",", ":"), allow_nan=False) for entry in entries) + "\n]\n"
    path = HERE / f"{family}.json.gz"
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    return path.stat().st_size


def stored() -> Iterator[tuple[str, Plain]]:
    """Every entry with its family."""
    for family in families():
        for entry in read(family):
            yield family, entry
