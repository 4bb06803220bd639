"""Loops that take one small step after the other, compiled to machine code (numba) when they are first called.

numpy is fast where one call does much. An exchange of two multipliers or one step of Pegasos is a dozen operations on a
few numbers, and there the calls themselves are what costs. The code is kept beside its source (`__pycache__`), so only
the first start of an installation waits for the compiler. A compiled function calls none of another file: numba would
not notice a change there.

Where somebody waits and others compile (`leave`), a loop without kept code runs as it is written instead: the same
operations in Python, some hundred times slower, which is still quick for a board of points.

Elsewhere whoever calls waits for the compiler, and a warning in the log says so once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import get_ident
from typing import Any, TypeVar

from numba import njit

from svmlab.jit.cache import CodeCache, report_failure

F = TypeVar("F", bound=Callable[..., Any])
REORDER = {"reassoc", "contract", "nsz", "nnan"}  # inf stays what it is, nan must not occur

PREPARES = "svmlab.warmup"  # the module that compiles everything ahead when it is run
MANY = 2  # loops to be compiled from which on it takes long: each takes about a second
_log = logging.getLogger(__name__)

_missing = 0  # loops that somebody had to wait for
_others_compile = False  # whether compiling is left to others
_compiler = 0  # the thread that compiles all the same
_uncompiled: set[Callable[..., Any]] = set()  # the loops that ran as they are written


def compiled(function: F, meanwhile: F | None = None) -> F:
    """`function` as machine code, every operation as it is written; other threads run on meanwhile.

    meanwhile: does the same with numpy, for a loop that would take long as it is written.
    """
    return _compile(function, meanwhile, nogil=True)


def compiled_fastmath(function: F) -> F:
    """As `compiled`, but sums may be taken in another order, as numpy and BLAS do: loops over rows are vectorised."""
    return _compile(function, nogil=True, fastmath=REORDER)


def leave_compiling_to_others() -> None:
    """From now on nothing is compiled here: a loop whose code is not kept runs as it is written."""
    global _others_compile
    _others_compile = True


def take_over() -> None:
    """From now on this thread compiles what the others go on to run as it is written."""
    global _compiler
    _compiler = get_ident()


def resume() -> None:
    """From now on, as before `leave`, a loop is compiled or its code is read when it is first called."""
    global _others_compile, _compiler
    _others_compile, _compiler = False, 0
    _uncompiled.clear()


def expect() -> None:
    """From now on nobody is told that loops are compiled, because it was asked for."""
    global _missing
    _missing = MANY


def _missed() -> None:
    """Say once, while somebody waits for the compiler, why that takes long. Where compiling was left to others, a page
    says it.
    """
    global _missing
    if _others_compile:
        return
    _missing += 1
    if _missing == MANY:
        _log.warning(
            "svmlab compiles its inner loops to machine code, once for each installation. This can take 15 seconds. "
            "To do it ahead, run: python -m %s",
            PREPARES,
        )


def has_run_uncompiled() -> bool:
    """Whether, since `leave`, some loop ran as it is written."""
    return bool(_uncompiled)


def _compile(function: F, meanwhile: F | None = None, **options: Any) -> F:
    loop: Any = njit(**options)(function)
    if loop is function:  # NUMBA_DISABLE_JIT
        return function
    cache: CodeCache | None = None
    try:
        cache = loop._cache = CodeCache(function, _missed)
    except RuntimeError as error:  # nowhere to write: compiled anew at every start
        report_failure(error)
    make = loop._compile_for_args

    def kept(args: tuple[Any, ...]) -> bool:
        return cache is not None and cache.has_code_for(tuple(map(loop.typeof_pyval, args)), loop.targetctx)

    def code(*args: Any) -> Callable[..., Any]:
        """What numba asks for where it has no code for such arguments, and then calls."""
        if _others_compile and get_ident() != _compiler and (function in _uncompiled or not kept(args)):
            _uncompiled.add(function)
            return meanwhile or function
        return make(*args)

    loop._compile_for_args = code
    return loop
