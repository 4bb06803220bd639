"""Faults made by rule in the modules of svmlab, and which tests notice them. A tool, not a test.

    python -m tests.faults --most 48                     48 faults, against what README's command runs
    python -m tests.faults --most 48 --marks "not browser and not sweep"         and what .ci/run adds
    python -m tests.faults --checkout ../other --marks ""              the same faults in another checkout

Of every module and rule one place is chosen by the seed; of these places as many as asked for are taken, from all rooms
in turn. Each fault is made in a copy of the checkout. There the test files that are nearest to the module, by what
imports what, are run until one fails. A row of the table: number, module, line, rule, what became what, and the test or
"survived"."""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DEFAULT = "not browser and not slow and not sweep"  # as in pyproject.toml
OUTSIDE = ("svmlab/lab/lessons/",)  # words and pictures more than rules; their tests are in the browser
FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class Edit(NamedTuple):
    """A fault: bytes `start` to `end` of a file become `new`."""

    start: int
    end: int
    new: bytes


class Fault(NamedTuple):
    number: int
    module: str  # its path in the checkout
    line: int
    rule: str
    edit: Edit


# ---------------------------------------------------------------- the rules


class Source:
    """A module's text, its tree, and where the tree's nodes stand in the text."""

    def __init__(self, content: bytes) -> None:
        self.content, self.tree = content, ast.parse(content)
        self._starts = [0]
        for line in content.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.AST) -> bytes:
        start, end = self.span(node)
        return self.content[start:end]

    def between(self, left: ast.AST, right: ast.AST, sign: str) -> Edit | None:
        """Where an operator stands between two operands; the new text is still to be put in."""
        start, end = self.span(left)[1], self.span(right)[0]
        at = self.content[start:end].find(sign.encode())
        return None if at < 0 else Edit(start + at, start + at + len(sign), b"")

    def nodes(self) -> Iterator[ast.AST]:
        """All nodes of what is run: no annotations, decorators, messages of errors, and no words."""
        todo: list[ast.AST] = [self.tree]
        while todo:
            node = todo.pop()
            yield node
            if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr):
                continue
            for field, value in ast.iter_fields(node):
                if field not in ("annotation", "returns", "decorator_list"):
                    todo += [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, ast.AST)]


def constants(source: Source) -> Iterator[Edit]:
    """A number that is multiplied, added or compared, or has a point, becomes a tenth larger."""
    for node in source.nodes():
        if isinstance(node, ast.Constant) and type(node.value) is float and node.value:
            yield Edit(*source.span(node), repr(1.1 * node.value).encode())
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
            for side in (node.left, node.right):
                if isinstance(side, ast.Constant) and type(side.value) is int:
                    yield Edit(*source.span(side), repr(1.1 * side.value).encode())


def comparisons(source: Source) -> Iterator[Edit]:
    """A comparison says the contrary."""
    signs = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
    for node in source.nodes():
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in signs:
            sign = signs[type(node.ops[0])]
            if found := source.between(node.left, node.comparators[0], sign):
                yield found._replace(new=FLIPPED[sign].encode())


def signs(source: Source) -> Iterator[Edit]:
    """Plus becomes minus, and the other way round; a leading minus goes."""
    for node in source.nodes():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            if any(isinstance(side, ast.Constant | ast.JoinedStr | ast.List) for side in (node.left, node.right)):
                continue  # words and lists put together; a constant is the matter of other rules
            old, new = ("+", b"-") if isinstance(node.op, ast.Add) else ("-", b"+")
            if found := source.between(node.left, node.right, old):
                yield found._replace(new=new)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield Edit(*source.span(node), source.text(node.operand))


def branches(source: Source) -> Iterator[Edit]:
    """A condition is turned round, or the two that are returned change places."""
    for node in source.nodes():
        if isinstance(node, ast.If | ast.IfExp):
            yield Edit(*source.span(node.test), b"(not (" + source.text(node.test) + b"))")
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
            one, other = node.value.elts
            start, end = source.span(one)[0], source.span(other)[1]
            gap = source.content[source.span(one)[1] : source.span(other)[0]]
            yield Edit(start, end, source.text(other) + gap + source.text(one))


def counts(source: Source) -> Iterator[Edit]:
    """A whole number that is an index, an end of a range, or added, is one too large; so is a range without one."""
    for node in source.nodes():
        places: list[ast.AST] = []
        if isinstance(node, ast.Subscript):
            cut = node.slice
            places = [cut.lower, cut.upper] if isinstance(cut, ast.Slice) else [cut]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            places = [node.left, node.right]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range" and node.args:
            last = node.args[min(1, len(node.args) - 1)]
            if not isinstance(last, ast.Constant | ast.Starred):
                yield Edit(*source.span(last), b"(" + source.text(last) + b") + 1")
            places = list(node.args)
        for place in places:
            if isinstance(place, ast.Constant) and type(place.value) is int:
                yield Edit(*source.span(place), str(place.value + 1).encode())


RULES: dict[str, Callable[[Source], Iterator[Edit]]] = {
    "constant": constants,
    "comparison": comparisons,
    "sign": signs,
    "branch": branches,
    "count": counts,
}


def room(module: str) -> str:
    """The folder below svmlab, of the app with the next one; a module at the root is a room of its own."""
    parts = module.removesuffix(".py").split("/")[1:]
    return "/".join(parts[: 2 if parts[0] == "lab" else 1])


def faults(root: Path, seed: int) -> list[Fault]:
    """One for every module and rule that has a place for it, from all rooms in turn."""
    rooms: dict[str, list[tuple[str, int, str, Edit]]] = {}
    for path in sorted((root / "svmlab").rglob("*.py")):
        module = path.relative_to(root).as_posix()
        if module.startswith(OUTSIDE):
            continue
        source = Source(path.read_bytes())
        for rule, places in RULES.items():
            chance = random.Random(f"{seed} {module} {rule}")
            if found := sorted(set(places(source))):
                edit = chance.choice(found)
                line = source.content.count(b"\n", 0, edit.start) + 1
                rooms.setdefault(room(module), []).append((module, line, rule, edit))
    chance = random.Random(seed)
    for each in rooms.values():
        chance.shuffle(each)
    order = list(rooms)
    chance.shuffle(order)
    in_turn = (one for turn in zip_longest(*(rooms[name] for name in order)) for one in turn if one)
    return [Fault(number, *one) for number, one in enumerate(in_turn, 1)]


# ---------------------------------------------------------------- the tests that are near


class Imports:
    """Which file of a checkout imports which module, by name; a name that a package passes on is what it names."""

    def __init__(self, root: Path) -> None:
        self.root = root
        files = [
            *(root / "svmlab").rglob("*.py"),
            *(root / "tests").rglob("*.py"),
            root / "app.py",
            *(root / "pages").glob("*.py"),
        ]
        self.paths = {self._name(path): path.relative_to(root).as_posix() for path in files}
        self.trees = {name: ast.parse((root / path).read_bytes()) for name, path in self.paths.items()}
        self.uses = {name: set(self._imported(name)) for name in self.paths}

    def _name(self, path: Path) -> str:
        return ".".join(path.relative_to(self.root).with_suffix("").parts).removesuffix(".__init__")

    def _imported(self, name: str) -> Iterator[str]:
        for node in ast.walk(self.trees[name]):
            if isinstance(node, ast.Import):
                yield from (self.paths[alias.name] for alias in node.names if alias.name in self.paths)
            elif isinstance(node, ast.ImportFrom) and node.module in self.paths:
                for alias in node.names:
                    yield self.paths[self._defined(node.module, alias.name)]

    def _defined(self, package: str, name: str) -> str:
        """The module in which a name of a package is defined."""
        if f"{package}.{name}" in self.paths:
            return f"{package}.{name}"
        for node in self.trees[package].body:
            if isinstance(node, ast.ImportFrom) and node.module in self.paths:
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return self._defined(node.module, alias.name)
        return package

    def nearest(self, module: str, most: int) -> list[str]:
        """The test files with the fewest imports between them and a module, those of like name first."""
        words = set(re.findall(r"[a-z]+", module)) - {"svmlab", "py", "lab", "init"}
        far, edge, steps = {module: 0}, {module}, 0
        while edge:
            steps += 1
            edge = {self.paths[n] for n, used in self.uses.items() if used & edge and self.paths[n] not in far}
            far |= dict.fromkeys(edge, steps)
        names = {path: name for name, path in self.paths.items()}
        tests = [path for path in far if re.match(r"tests/(math|pages|figures)/test_", path)]

        def rank(path: str) -> tuple[int, int, int, str]:
            alike = len(words & set(re.findall(r"[a-z]+", path)))
            return far[path] - 2 * alike, far[path], len(self.uses[names[path]]), path

        return sorted(tests, key=rank)[:most]


# ---------------------------------------------------------------- running them


class Room:
    """A copy of a checkout in which faults are made one after the other, with a cache of machine code of its own."""

    def __init__(self, checkout: Path, copy: Path, marks: str, limit: int) -> None:
        self.copy, self.marks, self.limit = copy, marks, limit
        unwanted = shutil.ignore_patterns(".git", ".venv", "__pycache__", "node_modules", "*.nbi", "*.nbc")
        shutil.copytree(checkout, copy / "checkout", ignore=unwanted)
        self.checkout = copy / "checkout"
        self.imports = Imports(self.checkout)
        self.clock = 2_000_000_000
        self.run("-m", "svmlab.warmup", cache="kept")

    def run(self, *command: str, cache: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {
            "NUMBA_CACHE_DIR": str(self.copy / cache),
            "PYTHONPYCACHEPREFIX": str(self.copy / "bytecode"),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.checkout,
            env=environment,
            capture_output=True,
            text=True,
            timeout=self.limit,
            check=False,
        )

    def caught(self, fault: Fault, most: int) -> str:
        """The first test that fails where a module has a fault, or "survived"."""
        path = self.checkout / fault.module
        right, tests = path.read_bytes(), self.imports.nearest(fault.module, most)
        wrong = right[: fault.edit.start] + fault.edit.new + right[fault.edit.end :]
        compiled = b"@compiled" in right or b"compiled(" in right  # what calls its loops has them within its own code
        stat = path.stat()
        path.write_bytes(wrong)
        self.clock += 10  # Python knows a changed file by its time in seconds
        os.utime(path, (self.clock, self.clock))
        try:
            marks = ["-m", self.marks] if self.marks else []
            done = self.run(
                "-m", "pytest", "-x", "-p", "no:xdist", "--tb=no", *marks, *tests, cache="fresh" if compiled else "kept"
            )
        except subprocess.TimeoutExpired:
            return f"no end within {self.limit} s"
        finally:
            path.write_bytes(right)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            shutil.rmtree(self.copy / "fresh", ignore_errors=True)
        if done.returncode == 0:
            return "survived"
        if done.returncode == 5:
            return "survived: no test is near"
        found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", done.stdout, re.M)
        return found[1] if found else (done.stdout + done.stderr).strip().splitlines()[-1][:120]


def main() -> None:
    """Print the table as it grows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the checkout whose modules and tests are taken")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=48, help="how many faults")
    parser.add_argument("--only", default="", help="numbers of the faults to make, with commas between")
    parser.add_argument("--marks", default=DEFAULT, help="which tests, as pytest's -m")
    parser.add_argument("--files", type=int, default=8, help="how many test files are run for a fault")
    parser.add_argument("--limit", type=int, default=600, help="seconds after which a run is stopped")
    asked = parser.parse_args()
    only = {int(number) for number in asked.only.split(",") if number}
    chosen = [
        f for f in faults(asked.checkout, asked.seed) if f.number in only or (not only and f.number <= asked.most)
    ]
    with tempfile.TemporaryDirectory() as copy:
        place = Room(asked.checkout, Path(copy), asked.marks, asked.limit)
        for fault in chosen:
            old = (asked.checkout / fault.module).read_bytes()[fault.edit.start : fault.edit.end]
            change = f"{old.decode()} -> {fault.edit.new.decode()}".replace("\n", " ")
            row = (fault.number, fault.module, fault.line, fault.rule, change, place.caught(fault, asked.files))
            print(*row, sep=" | ", flush=True)


if __name__ == "__main__":
    main()
