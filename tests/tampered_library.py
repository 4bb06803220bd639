"""A fault made in the library while it runs: a function gets the code of a text in which one place is wrong.

Whoever imported the function calls the wrong code, because the function stays the same object. Loops that are compiled
run as plain Python while their module has a fault. What the library remembers is forgotten before and after."""

from __future__ import annotations

import ast
import functools
import importlib
import math
import random
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from svmlab import Problem, make_dataset
from svmlab.statements import CATALOGUE, Situation
from svmlab.statements.walk import PegasosRuns
from tests.faults import ROOT, RULES, Edit, Source

PATIENCE = 20.0  # CPU-seconds after which a check with a fault is stopped
CAUGHT, RAISES, HANGS, DOES_NOT_APPLY = "caught", "ends in an exception", "does not end", "does not apply"
BOARDS = (  # beside the board of each statement
    Problem(make_dataset("overlapping", 16, 0.4, seed=1), C=0.2),
    Problem(make_dataset("separable", 16, 0.7, seed=1), C=math.inf),
    Problem(make_dataset("moons", 16, 0.7, seed=1)),
)


class LibraryFault(NamedTuple):
    """One place of one function that is wrong: `old` becomes `new`."""

    module: str  # its path below svmlab, without .py
    function: str  # its name, with that of its class
    line: str
    rule: str
    old: str
    new: str
    edit: Edit

    @property
    def name(self) -> str:
        """Return what the lists of faults call it; a line that moves keeps its name."""
        return f"{self.module}:{self.function}: {self.line}: {self.old} -> {self.new}"


class Function(NamedTuple):
    """A function of a module: its text, where it stands, and the function itself."""

    module: ModuleType
    source: Source
    start: int
    end: int
    live: FunctionType


@cache
def _source(module: str) -> Source:
    return Source((ROOT / "svmlab" / f"{module}.py").read_bytes())


@cache
def _imported(module: str) -> ModuleType:
    return importlib.import_module("svmlab." + module.replace("/", "."))


def _plain(thing: Any) -> Any:
    """Return the function inside a property, a class method, a checked or a remembered function, or a compiled loop."""
    for name in ("func", "fget", "__func__", "py_func"):
        if inner := getattr(thing, name, None):
            return _plain(inner)
    return _plain(thing.__wrapped__) if hasattr(thing, "__wrapped__") else thing


@cache
def function_of(module: str, name: str) -> Function:
    """Return a function by the path of its module and its name, that of its class before it."""
    source, scope, live = _source(module), _source(module).tree.body, _imported(module)
    holder: Any = live
    for part in name.split("."):
        node = next(n for n in reversed(scope) if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == part)
        scope = node.body
        holder = vars(holder)[part]
    start, end = source.span(node)
    return Function(live, source, start, end, _plain(holder))


def _code(content: bytes, name: str, filename: str) -> CodeType:
    """Return the code of a function in the text of its module."""
    code = compile(content, filename, "exec")
    for part in name.split("."):
        code = next(c for c in reversed(code.co_consts) if isinstance(c, CodeType) and c.co_name == part)
    return code


def _mutated(function: Function, name: str, edit: Edit) -> CodeType:
    content = function.source.content
    wrong = content[: edit.start] + edit.new + content[edit.end :]
    return _code(wrong, name, str(function.module.__file__))


def faults_by_rule(module: str, name: str, each: int, seed: int = 0) -> list[LibraryFault]:
    """Return up to `each` faults of every rule in one function. What leaves its code as it is, is none."""
    function = function_of(module, name)
    out = []
    for rule, places in RULES.items():
        inside = sorted(
            e for e in candidates(places, function.source) if function.start <= e.start and e.end <= function.end
        )
        random.Random(f"{seed} {module} {name} {rule}").shuffle(inside)
        out += sorted(
            made(module, name, rule, e) for e in islice((e for e in inside if _changes(function, name, e)), each)
        )
    return out


@cache
def candidates(places: Callable[[Source], Iterator[Edit]], source: Source) -> frozenset[Edit]:
    """Return the faults of one rule in a module, but for what is refused and how progress is reported. Other tests
    hold those."""
    refused = [
        source.span(node.test)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise)
    ]
    return frozenset(
        edit
        for edit in places(source)
        if not any(start <= edit.start < end for start, end in refused)
        and not any(word in _line(source.content, edit) for word in ("progress", "check_", "WholeNumber", "raise "))
    )


def _line(content: bytes, edit: Edit) -> str:
    first = content.rfind(b"\n", 0, edit.start) + 1
    return content[first : content.find(b"\n", edit.start)].decode().strip()


@cache
def _right(content: bytes, name: str, filename: str) -> CodeType:
    return _code(content, name, filename)


def _changes(function: Function, name: str, edit: Edit) -> bool:
    right = _right(function.source.content, name, str(function.module.__file__))
    wrong = _mutated(function, name, edit)
    return (right.co_code, right.co_consts, right.co_names) != (wrong.co_code, wrong.co_consts, wrong.co_names)


def made(module: str, name: str, rule: str, edit: Edit) -> LibraryFault:
    """Return a fault with the words that name it."""
    content = _source(module).content
    line = _line(content, edit)
    old = " ".join(content[edit.start : edit.end].decode().split())
    return LibraryFault(module, name, line, rule, old, edit.new.decode(), edit)


def by_hand(module: str, name: str, old: str, new: str) -> LibraryFault:
    """Return the fault that one text in a function becomes another."""
    function = function_of(module, name)
    at = function.source.content.index(old.encode(), function.start, function.end)
    return made(module, name, "by hand", Edit(at, at + len(old.encode()), new.encode()))


def forget() -> None:
    """Forget what the library remembers between calls, and what the statements keep for good."""
    for module in [m for name, m in sys.modules.items() if name.startswith("svmlab")]:
        for value in list(vars(module).values()):
            if isinstance(value, functools._lru_cache_wrapper) and not module.__name__.startswith("svmlab.core"):
                value.cache_clear()
            if isinstance(value, PegasosRuns):
                for name in set(vars(value)) - {"data", "lam"}:
                    del vars(value)[name]


@contextmanager
def with_fault(fault: LibraryFault) -> Iterator[None]:
    """Run the library with one fault."""
    function = function_of(fault.module, fault.function)
    right = function.live.__code__
    own = {id(f) for f in vars(function.module).values() if hasattr(f, "py_func")}
    loops = [
        (m, name, f)
        for m in [m for name, m in sys.modules.items() if name.startswith("svmlab")]
        for name, f in vars(m).items()
        if id(f) in own
    ]
    forget()
    try:
        function.live.__code__ = _mutated(function, fault.function, fault.edit)
        for module, name, loop in loops:
            setattr(module, name, loop.py_func)
        yield
    finally:
        function.live.__code__ = right
        for module, name, loop in loops:
            setattr(module, name, loop)
        forget()


class TooLong(BaseException):
    """A check that a fault keeps from its end."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLong after so many CPU-seconds."""

    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def says(id: str, board: Problem | None) -> str:
    """Return what a check says of a board, or of its own: what it holds, or what kept it from an answer."""
    witness = CATALOGUE[id].witness
    assert witness is not None
    try:
        with limited(PATIENCE), np.errstate(all="ignore"):
            verdict = CATALOGUE[id].check(witness.situation if board is None else Situation(board))
    except TooLong:
        return HANGS
    except Exception:  # whatever a fault makes of the library
        return RAISES
    if not verdict.applies:
        return DOES_NOT_APPLY
    return "holds" if verdict.holds else CAUGHT


def says_of(fault: LibraryFault, ids: Iterable[str], all_of_them: bool = False) -> dict[str, str]:
    """Return what each of the statements says where the library has a fault, first of all on its own board.

    They end with the first statement that catches it, if not `all_of_them`. A check that does not end is not tried on
    another board.
    """
    said: dict[str, str] = {}
    with with_fault(fault):
        for board in (None, *BOARDS):
            for id in [id for id in ids if said.get(id) not in (CAUGHT, HANGS)]:
                answer = says(id, board)
                if answer in (CAUGHT, HANGS) or id not in said:
                    said[id] = answer
                if answer == CAUGHT and not all_of_them:
                    return said
    return said
