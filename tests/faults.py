"""Faults made by rule in the modules of svmlab, and which tests notice them. A tool, not a test.

    python -m tests.faults --most 48                     48 faults, against what README's command runs
    python -m tests.faults --most 48 --marks "not browser and not sweep"         and what .ci/run adds
    python -m tests.faults --checkout ../other --marks ""              the same faults in another checkout
    python -m tests.faults --each 2                    two of each rule in every subpackage, against its own tests

Of every module and rule one place is chosen by the seed. Of these places as many as asked for are taken, from all
subpackages in turn. Each fault is made in a copy of the checkout. There the test files that are nearest to the module,
by what imports what, are run until one fails. A row of the table: number, module, line, rule, what became what, and the
test or "survived". Places in `HARMLESS` are left out."""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DEFAULT = "not browser and not slow and not sweep"  # as in pyproject.toml
PRELOADED = ["numpy", "numba", "cvxopt", "contourpy", "pandas", "plotly.graph_objects", "sklearn.svm", "streamlit"]
FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


# The subpackages, and the tests of each: those in the folder of its name, and others that are named here.
DOORS = "core/test_public_arguments"
SUBPACKAGE_TESTS = {
    "": (DOORS, "test_moved"),
    "core": ("core/*", "data/test_data*"),
    "jit": ("jit/*", "pages/test_pages_prepare"),
    "kernels": ("kernels/test_kernels", "kernels/test_registry", "binary/test_rounding", DOORS),
    "kernels/features": ("lab/lessons/test_kernels_*", DOORS),
    "kernels/composed": ("kernels/test_composed", "pages/test_pages_kernels"),
    "data": ("data/*", DOORS),
    "binary": ("binary/*", "solvers/test_separability", "solvers/test_path", "core/test_extreme_numbers"),
    "solvers": ("solvers/*", "jit/test_compiled", "binary/test_agreement"),
    "solvers/gram": ("solvers/test_gram_rows", "solvers/test_large_system", "solvers/test_start", "jit/test_compiled"),
    "solvers/path": ("solvers/test_path*",),
    "solvers/separability": ("solvers/test_separability",),
    "regression": ("regression/*",),
    "multiclass": ("multiclass/*",),
    "pegasos": ("pegasos/*", "lab/lessons/test_pegasos_cost"),
    "firstorder": ("firstorder/*",),
    "losses": ("losses/*",),
    "generalisation": ("generalisation/*",),
    "plane": ("plane/*",),
    "statements": ("statements/*",),
    "practice": ("practice/*",),
    "sklearn": ("test_sklearn",),
    "warmup": ("pages/test_pages_prepare", "jit/test_compiled"),
    "lab": ("lab/test_notation", "pages/test_pages_numbers", "pages/test_pages_words", "pages/test_pages_dust"),
    "lab/session": tuple(
        f"pages/test_pages_{name}"
        for name in ("session", "state", "share", "place", "files", "hostile", "line", "turns", "unseen", "mishap")
    ),
    "lab/board": tuple(
        f"pages/test_pages_{name}"
        for name in ("live", "component", "tasks", "tasks_behind", "saved", "class_costs", "proven", "hostile")
    ),
    "plot": ("plot/*", "lab/charts/*"),
    "lab/charts": ("lab/charts/*", "lab/lessons/test_*_chart*", "pages/test_pages_unseen"),
    "lab/glossary": ("pages/test_pages_glossary",),
    "lab/frame": tuple(
        f"pages/test_pages_{name}" for name in ("prepare", "serving", "place", "line", "words", "component")
    ),
    "lab/bench": tuple(
        f"pages/test_pages_{name}"
        for name in ("inspector", "controls", "app", "class_costs", "compare", "code", "table", "tasks_behind", "dust")
    ),
    "lab/teach": tuple(f"pages/test_pages_{name}" for name in ("runner", "picks", "lessons", "pegasos")),
    "lab/cards": tuple(f"pages/test_pages_{name}" for name in ("statements", "mishap", "hiding", "extensions_checks")),
    "lab/home": ("pages/test_pages_home",),
    "lab/plan": ("plan/*",),
    "lab/practice": ("pages/test_pages_practice",),
    "lab/room": ("room/*",),
    **{
        f"lab/lessons/{lesson}": (f"pages/test_pages_{lesson}*", f"lab/lessons/test_{lesson}*")
        for lesson in (
            "start",
            "margin",
            "duality",
            "soft",
            "losses",
            "pegasos",
            "kernels",
            "generalisation",
            "extensions",
        )
    },
}

# A module and a part of one of its lines: why a number there may be a tenth larger, and nobody could tell.
HARMLESS = {
    ("svmlab/lab/cards/statement_cards.py", "PATIENCE ="): "how long a page waits before it shows progress is taste",
    (
        "svmlab/core/tolerances.py",
        "LARGEST_REPEATABLE_ALPHA_SUM =",
    ): "far beyond it rounding decides, far below it does not; between, both are right",
    ("svmlab/core/tolerances.py", "SMALLEST_SINGULAR_VALUE ="): "it lies in a wide gap between "
    "the rounding of a rank and the singular values of points on the board",
    (
        "svmlab/statements/loss_minima.py",
        "np.arange(-20, 21) * 0.2",
    ): "places at which formulas are compared; any will do",
    ("svmlab/binary/kkt.py", "or 1.0"): "a divisor that stands in for 0 where the dividend is 0 as well",
    (
        "svmlab/solvers/separability/lifted.py",
        "origin = 0.5 * base.min(0)",
    ): "any origin will do; the middle keeps the most digits",
    ("svmlab/lab/home/home_page.py", "hard=False, value=1.0"): "the C of the first board is taste",
    ("svmlab/plane/geometry.py", "if ceiling >= 1.0"): "a short cut; the rule below it gives the same hull there",
}


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
            if edit := source.between(node.left, node.comparators[0], sign):
                yield edit._replace(new=FLIPPED[sign].encode())


def signs(source: Source) -> Iterator[Edit]:
    """Plus becomes minus, and the other way round; a leading minus goes."""
    for node in source.nodes():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            if any(isinstance(side, ast.Constant | ast.JoinedStr | ast.List) for side in (node.left, node.right)):
                continue  # words and lists put together; a constant is the matter of other rules
            old, new = ("+", b"-") if isinstance(node.op, ast.Add) else ("-", b"+")
            if edit := source.between(node.left, node.right, old):
                yield edit._replace(new=new)
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


def subpackage(module: str) -> str:
    """The smallest subpackage of `SUBPACKAGE_TESTS` in which a module stands."""
    name = module.removesuffix(".py").removeprefix("svmlab/")
    while name not in SUBPACKAGE_TESTS:
        name = name.rpartition("/")[0]
    return name


def files_of(root: Path, globs: tuple[str, ...]) -> set[Path]:
    """The files of tests that are named as in `SUBPACKAGE_TESTS`."""
    return {path for glob in globs for path in (root / "tests").glob(f"{glob}.py") if path.name.startswith("test_")}


def is_harmless(module: str, line: str) -> bool:
    """Whether a constant on this line is one of `HARMLESS`."""
    return any(module == where and part in line for where, part in HARMLESS)


def faults(root: Path, seed: int, each: int = 0) -> list[Fault]:
    """One for every module and rule that has a place for it, from all subpackages in turn.

    each: how many of a rule are kept in every subpackage, if not 0.
    """
    by_subpackage: dict[str, list[tuple[str, int, str, Edit]]] = {}
    for path in sorted((root / "svmlab").rglob("*.py")):
        module = path.relative_to(root).as_posix()
        source = Source(path.read_bytes())
        lines = source.content.decode().splitlines()
        for rule, places in RULES.items():
            chance = random.Random(f"{seed} {module} {rule}")
            if edits := sorted(set(places(source))):
                edit = chance.choice(edits)
                line = source.content.count(b"\n", 0, edit.start) + 1
                if not (rule == "constant" and is_harmless(module, lines[line - 1])):
                    by_subpackage.setdefault(subpackage(module), []).append((module, line, rule, edit))
    chance = random.Random(seed)
    for name, candidates in by_subpackage.items():
        chance.shuffle(candidates)
        if each:
            seen = Counter[str]()
            by_subpackage[name] = [one for one in candidates if not seen.update([one[2]]) and seen[one[2]] <= each]
    order = list(by_subpackage)
    chance.shuffle(order)
    in_turn = (one for turn in zip_longest(*(by_subpackage[name] for name in order)) for one in turn if one)
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

    def using(self, module: str) -> set[str]:
        """The names of the package's modules that import a module, directly or not, and its own."""
        names, edge = set[str](), {module}
        while edge:
            names |= {name for name, path in self.paths.items() if path in edge}
            edge = {self.paths[n] for n, used in self.uses.items() if used & edge and n not in names}
        return names

    def nearest(self, module: str, most: int, among: tuple[str, ...] = ()) -> list[str]:
        """The test files with the fewest imports between them and a module, those of like name first.

        among: globs of the files to choose from, if there are any.
        """
        words = set(re.findall(r"[a-z]+", module)) - {"svmlab", "py", "lab", "init"}
        distances, edge, steps = {module: 0}, {module}, 0
        while edge:
            steps += 1
            edge = {self.paths[n] for n, used in self.uses.items() if used & edge and self.paths[n] not in distances}
            distances |= dict.fromkeys(edge, steps)
        names = {path: name for name, path in self.paths.items()}
        tests = {path for path in distances if re.match(r"tests/(?!browser/)(.+/)?test_\w+\.py$", path)}
        if among:
            tests = {path.relative_to(self.root).as_posix() for path in files_of(self.root, among)}

        def rank(path: str) -> tuple[int, int, int, str]:
            alike = len(words & set(re.findall(r"[a-z]+", path)))
            distance = distances.get(path, 9)
            return distance - 2 * alike, distance, len(self.uses[names[path]]), path

        return sorted(tests, key=rank)[:most]


# ---------------------------------------------------------------- running them


def run_tests(checkout: Path, copy: Path, cache: str, arguments: list[str], seconds: int) -> None:
    """Run pytest in a process that has imported the libraries already, but nothing of svmlab."""
    os.setpgrp()  # so that whatever a test has started can be stopped with it
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    output = os.open(copy / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(checkout)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "svmlab")]:
        del sys.modules[name]
    sys.path[:] = [str(checkout), *(path for path in sys.path if Path(path).resolve() != ROOT)]
    sys.pycache_prefix, sys.dont_write_bytecode = str(copy / "bytecode"), False
    import numba
    import pytest

    numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = str(copy / cache)
    code = pytest.main(arguments)
    sys.stdout.flush()
    os._exit(code)


class Copy:
    """A copy of a checkout in which faults are made one after the other, with a cache of machine code of its own."""

    def __init__(self, checkout: Path, copy: Path, marks: str, seconds: int) -> None:
        self.copy, self.marks, self.seconds = copy, marks, seconds
        unwanted = shutil.ignore_patterns(".git", ".venv", "__pycache__", "node_modules", "*.nbi", "*.nbc")
        shutil.copytree(checkout, copy / "checkout", ignore=unwanted)
        self.checkout = copy / "checkout"
        self.imports = Imports(self.checkout)
        self.clock = 2_000_000_000
        os.environ |= {"NUMBA_CACHE_DIR": str(copy / "kept"), "OPENBLAS_NUM_THREADS": "1"}
        os.chdir(self.checkout)
        subprocess.run([sys.executable, "-m", "svmlab.warmup"], check=True, capture_output=True)
        self.processes = multiprocessing.get_context("forkserver")
        self.processes.set_forkserver_preload(PRELOADED)

    def run(self, arguments: list[str], cache: str) -> int:
        """The exit code of pytest, or a negative number if it was stopped."""
        process = self.processes.Process(
            target=run_tests, args=(self.checkout, self.copy, cache, arguments, self.seconds), daemon=True
        )
        process.start()
        process.join(20 * self.seconds)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.join()
        return process.exitcode or 0

    def caught(self, fault: Fault, most: int, among: tuple[str, ...]) -> str:
        """The first test that fails where a module has a fault, or "survived"."""
        path = self.checkout / fault.module
        right, tests = path.read_bytes(), self.imports.nearest(fault.module, most, among)
        wrong = right[: fault.edit.start] + fault.edit.new + right[fault.edit.end :]
        cache = "kept"
        if b"@compiled" in right or b"compiled(" in right:
            # The machine code of a loop contains that of the loops it calls, so what uses the module is compiled anew.
            cache, stems = "fresh", {name.rpartition(".")[2] for name in self.imports.using(fault.module)}
            shutil.copytree(self.copy / "kept", self.copy / cache, copy_function=os.link)
            for file in (self.copy / cache).rglob("*.nb?"):
                if file.name.partition(".")[0] in stems:
                    file.unlink()
        stat = path.stat()
        path.write_bytes(wrong)
        self.clock += 10  # Python knows a changed file by its time in seconds
        os.utime(path, (self.clock, self.clock))
        try:
            marks = ["-m", self.marks] if self.marks else []
            code = self.run(["-x", "-p", "no:xdist", "--tb=no", "--assert=plain", *marks, *tests], cache)
        finally:
            path.write_bytes(right)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            shutil.rmtree(self.copy / "fresh", ignore_errors=True)
        if code < 0:
            return f"no end within {self.seconds} s"
        said = (self.copy / "output").read_text(errors="replace")
        if code == 0:
            return "survived" if re.search(r"^\d+ passed", said, re.M) else "no test ran to its end"
        if code == 5:
            return "survived: no test is near"
        failure = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", said, re.M)
        return failure[1] if failure else (said.strip().splitlines() or ["no word"])[-1][:120]


def main() -> None:
    """Print the table as it grows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the checkout whose modules and tests are taken")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=48, help="how many faults")
    parser.add_argument("--only", default="", help="numbers of the faults to make, with commas between")
    parser.add_argument("--marks", default=DEFAULT, help="which tests, as pytest's -m")
    parser.add_argument("--files", type=int, default=8, help="how many test files are run for a fault")
    parser.add_argument("--limit", type=int, default=120, help="seconds of the processor after which a run is stopped")
    parser.add_argument(
        "--each", type=int, default=0, help="how many of a rule in every subpackage, with its own tests alone"
    )
    parser.add_argument("--skip", type=int, default=0, help="how many faults were tried before")
    asked = parser.parse_args()
    asked.checkout = asked.checkout.resolve()
    only = {int(number) for number in asked.only.split(",") if number}
    chosen = [
        f
        for f in faults(asked.checkout, asked.seed, asked.each)
        if f.number in only or (not only and asked.skip < f.number and (asked.each or f.number <= asked.most))
    ]
    with tempfile.TemporaryDirectory() as copy:
        place = Copy(asked.checkout, Path(copy).resolve(), asked.marks, asked.limit)
        for fault in chosen:
            old = (asked.checkout / fault.module).read_bytes()[fault.edit.start : fault.edit.end]
            change = f"{old.decode()} -> {fault.edit.new.decode()}".replace("\n", " ")
            among = SUBPACKAGE_TESTS[subpackage(fault.module)] if asked.each else ()
            row = (fault.number, fault.module, fault.line, fault.rule, change, place.caught(fault, asked.files, among))
            print(*row, sep=" | ", flush=True)


if __name__ == "__main__":
    main()
