"""Record what the app saves of boards of every kind: points, certificates, and the programs of the Code tab.

    python -m tests.corpus.record_files

This adds the boards that have no folder yet, and never records an existing one anew. People have such files, so every
later version has to read and run them. If the form of a file changes, a board in the new form is added here, and the
old one stays.

A folder contains points.csv and points.json, with_svmlab.py.txt and with_sklearn.py.txt for a board whose Code tab
shows programs that run, and certificate.json for two classes. Its recorded.json has the points as rows [x1, x2, label],
the settings that are not at their defaults by key, the link, and the numbers that each program prints. The folder
`opened` contains files of points in other forms that the app reads."""

from __future__ import annotations

import contextlib
import io
import json
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from svmlab import Dataset, Linear, Problem, solve
from svmlab.binary.report import report
from svmlab.lab.bench.tabs import code
from svmlab.lab.bench.tasks import code as code_of_tasks
from svmlab.lab.session import files, share, svm_settings
from svmlab.lab.session.controls import BINARY, CLASSES, CONTROLS, LABELS, VALUES
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.svm_settings import SvmSettings
from svmlab.multiclass import make_classes

HERE = Path(__file__).parent / "files"
ADDRESS = "http://localhost:8501/lab?s="  # followed by the link of a board, as in a certificate
PROGRAMS = ("svmlab", "sklearn")
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?!\w)")


def _two(preset: str = "overlapping", **settings: Any) -> Lab:
    return with_preset(Lab(preset=preset, size=12, noise=0.3, **settings))


def _several(name: str, **settings: Any) -> Lab:
    data = make_classes(name, 5)
    rows = enumerate(zip(data.X.tolist(), data.y.tolist(), strict=True), start=1)
    points = tuple(Point(i, round(1000 * x), round(1000 * y), label) for i, ((x, y), label) in rows)
    return Lab(points=points, task=CLASSES, **settings)


def _heights(**settings: Any) -> Lab:
    heights = (-1600, -1123, -1200, 217, 100, 900, 512, 1900, 1400, 2600)
    points = tuple(Point(i, 600 * i - 3000, y, 1) for i, y in enumerate(heights, start=1))
    return Lab(points=points, task=VALUES, **settings)


POWER = {"kernel": "polynomial", "degree": 2, "scale": 0.5, "coef0": 1.0}
GAUSSIAN = {"kernel": "gaussian", "sigma": 0.7}
TWO_CLASSES = {
    "soft": _two(),
    "soft_lambda": _two(face="lambda", value=0.02),
    "soft_without_bias": _two(bias=False, value=0.5),
    "soft_with_costs": _two(cost_plus=3.0, cost_minus=0.25),
    "soft_with_costs_without_bias": _two(cost_plus=3.0, bias=False),
    "soft_with_test_points": _two(unseen=True, seed=4),
    "hard": _two("separable", hard=True),
    "hard_with_costs": _two("separable", hard=True, cost_plus=3.0, seed=1),
    "hard_without_bias": _two("four_corners", hard=True, bias=False),
    "gaussian": _two("moons", value=5.0, **GAUSSIAN),
    "gaussian_with_costs": _two("moons", value=5.0, cost_minus=2.0, **GAUSSIAN),
    "gaussian_hard": _two("xor", hard=True, **GAUSSIAN),
    "gaussian_without_bias": _two("moons", value=5.0, bias=False, **GAUSSIAN),
    "polynomial": _two("circles", **POWER),
    "sigmoid": _two("xor", kernel="sigmoid", scale=0.5, coef0=1.0),
    "composed": _two("circles", kernel="composed", recipe="linear+2*gaussian(0.5)"),
    "compared_a": _two("moons", second=SvmSettings(value=10.0, **GAUSSIAN)),
    "compared_b": _two("moons", second=SvmSettings(value=10.0, **GAUSSIAN), active="B"),
    "one_class": Lab(points=(Point(1, 1000, 0, 1), Point(2, 2000, 1500, 1))),
}
OTHERS = {
    "classes": _several("blobs", value=10.0),
    "classes_lambda": _several("four_blobs", face="lambda", value=0.02),
    "classes_hard": _several("blobs", hard=True),
    "classes_without_bias": _several("four_blobs", bias=False),
    "classes_gaussian": _several("rings", value=10.0, kernel="gaussian"),
    "classes_gaussian_without_bias": _several("rings", bias=False, kernel="gaussian"),
    "classes_polynomial": _several("row", **POWER),
    "values": _heights(value=10.0, eps=0.4),
    "values_lambda": _heights(face="lambda", value=0.02, eps=0.1),
    "values_without_bias": _heights(eps=0.25, bias=False),
    "values_gaussian": _heights(value=10.0, eps=0.2, kernel="gaussian"),
    "values_gaussian_without_bias": _heights(eps=0.2, bias=False, kernel="gaussian"),
    "values_polynomial": _heights(eps=0.0, **POWER),
}
BOARDS = TWO_CLASSES | OTHERS


def rows(points: tuple[Point, ...]) -> list[list[float]]:
    """Return the points as [x1, x2, label]."""
    return [[p.x / 1000, p.y / 1000, p.label] for p in points]


def settings(lab: Lab) -> dict[str, Any]:
    """Return the settings that are not at their defaults, by key; the second machine in the same way."""
    other = {name: getattr(lab, name) for name in CONTROLS if getattr(lab, name) != CONTROLS[name].default}
    return other | ({} if lab.second is None else {"second": svm_settings.as_json(lab.second)})


def programs(lab: Lab) -> dict[str, str]:
    """Return the programs of the Code tab, by the library that each uses."""
    made = code if lab.task == BINARY else code_of_tasks
    shown = lab.active_lab if lab.task == BINARY else lab
    return {"svmlab": made.with_svmlab(shown), "sklearn": made.with_sklearn(shown)}


def certificate(lab: Lab) -> str:
    """Return what the Certificate tab saves."""
    return report(solve(lab.active_lab.problem), ADDRESS + share.encode(lab))


def printed(program: str) -> list[float]:
    """Return the numbers that a program prints, without those of a certificate, which are rounding errors."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LinearSVC may stop before it has converged for a hard margin
        exec(compile(program, "program", "exec"), {})
    lines = [line for line in said.getvalue().splitlines() if not line.startswith("Certificate(")]
    return [float(number) for number in NUMBER.findall("\n".join(lines))]


def opened() -> dict[str, tuple[str, str]]:
    """Return files in other forms that the app reads: name, then text and the task of the board."""
    X = np.array([[1.0, 2.0], [-1.0, 0.5], [0.25, -3.0]])
    made = {
        "names": Dataset(X, ["yes", "no", "yes"]),
        "zero_and_one": Dataset(X, [1, 0, 0]),
        "true_and_false": Dataset(X, [True, False, True]),
        "fine": Dataset(X / 3, [1, -1, 1]),
        "far": Dataset(40 * X, [1, -1, 1]),
    }
    texts = {f"{name}.csv": (data.to_csv(), BINARY) for name, data in made.items()}
    texts |= {f"{name}.json": (data.to_json(), BINARY) for name, data in made.items()}
    table = "x1;x2;class\n1;2;yes\n-1;0.5;no\n0.25;-3;yes\n"
    listed = [{"x1": x, "x2": y, "label": label} for (x, y), label in zip(X.tolist(), (1, -1, 1), strict=True)]
    texts |= {"semicolons.csv": (table, BINARY), "tabs.txt": (table.replace(";", "\t"), BINARY)}
    texts |= {"rows.json": (json.dumps(listed), BINARY)}
    texts |= {"classes_by_name.csv": ("x1,x2,label\n1,2,ash\n-1,0.5,elm\n0.25,-3,oak\n", CLASSES)}
    texts |= {"classes_from_zero.csv": ("x1,x2,label\n1,2,0\n-1,0.5,1\n0.25,-3,3\n", CLASSES)}
    texts |= {"two_classes.csv": ("x1,x2,label\n1,2,1\n-1,0.5,-1\n", CLASSES)}
    return texts | {"values.json": ('[{"x1": 0.5, "y": 1.25}, {"x1": -2, "y": 0}]', VALUES)}


def weighted() -> str:
    """Return a certificate of points with weights, which no board has."""
    data = TWO_CLASSES["soft"].data
    weights = [1 + row % 3 for row in range(data.m)]
    return report(solve(Problem(data, Linear(), 0.5, costs=(2.0, 1.0), weights=weights)))


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def _lines(entries: dict[str, Any]) -> str:
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in entries.items()) + "\n}\n"


def _record(name: str, lab: Lab) -> None:
    folder, data = HERE / name, files.points_to_save(lab)
    recorded: dict[str, Any] = {"settings": settings(lab), "points": rows(lab.points), "link": share.encode(lab)}
    _put(folder / "points.csv", data.to_csv())
    _put(folder / "points.json", data.to_json())
    if lab.task == BINARY:
        _put(folder / "certificate.json", certificate(lab))
    if len({p.label for p in lab.points}) > 1 or LABELS[lab.task] == (1,):
        for library, program in programs(lab).items():
            _put(folder / f"with_{library}.py.txt", program)
            recorded[library] = printed(program)
    _put(folder / "recorded.json", _lines(recorded))


def _record_opened() -> None:
    recorded = {}
    for name, (text, task) in opened().items():
        data = files.read_points(name, text, task)
        factor = 1.0 if files.fits_on_board(data) else files.scale_factor(data)
        points, exact = files.to_thousandths(data, factor)
        recorded[name] = {"task": task, "factor": factor, "exact": exact, "points": rows(points)}
        _put(HERE / "opened" / name, text)
    _put(HERE / "opened" / "recorded.json", _lines(recorded))


def main() -> None:
    for name, lab in BOARDS.items():
        if not (HERE / name).exists():
            _record(name, lab)
            print(name)
    if not (HERE / "weights").exists():
        _put(HERE / "weights" / "certificate.json", weighted())
        print("weights")
    if not (HERE / "opened").exists():
        _record_opened()
        print("opened")


if __name__ == "__main__":
    main()
