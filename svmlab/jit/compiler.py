"""Loops of many small steps, compiled to machine code with numba when they are first called.

numpy is fast if one call does much work. An exchange of two multipliers or one step of Pegasos is a dozen operations on
a few numbers, and there the calls themselves dominate the time. The code is kept beside its source (`__pycache__`), so
only the first start of an installation waits for the compiler. A compiled function calls no function of another file,
because numba would not notice a change there. It may use numbers of another file (see `svmlab.jit.cache`).

If compiling is left to another process (`leave_compiling_to_others`), a loop without kept code runs as plain Python
instead. It does the same operations about a hundred times slower, which is still quick for a board of points.

Otherwise the caller waits for the compiler, and the log says so once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import get_ident
from typing import Any, TypeVar

from numba import njit

from svmlab.jit.cache import CodeCache, report_failure

F = TypeVar("F", bound=Callable[..., Any])
REORDER = {"reassoc", "contract", "nsz", "nnan"}  # inf keeps its meaning, and nan must not occur

WARMUP_MODULE = "svmlab.warmup"  # the module that compiles everything ahead of time when it is run
LONG_WAIT_LOOPS = 2  # number of loops to compile that counts as a long wait; each takes about a second
_log = logging.getLogger(__name__)

_missing = 0  # number of loops for which a caller waited
_others_compile = False  # whether compiling is left to others
_compiler = 0  # the thread that compiles nevertheless
_uncompiled: set[Callable[..., Any]] = set()  # the loops that ran as plain Python


def compiled(function: F, fallback: F | None = None) -> F:
    """Return `function` as machine code, with every operation as written. Other threads run at the same time.

    fallback: does the same with numpy, for a loop that would be slow as plain Python.
    """
    return _compile(function, fallback, nogil=True)


def compiled_fastmath(function: F) -> F:
    """Compile as `compiled` does, but allow reordered sums, as numpy and BLAS do, so that row loops are vectorised."""
    return _compile(function, nogil=True, fastmath=REORDER)


def leave_compiling_to_others() -> None:
    """Compile nothing here from now on. A loop whose code is not kept runs as plain Python."""
    global _others_compile
    _others_compile = True


def compile_in_this_thread() -> None:
    """Let this thread compile from now on, while the other threads go on with plain Python."""
    global _compiler
    _compiler = get_ident()


def resume_compiling() -> None:
    """Compile or load a loop when it is first called, as before `leave_compiling_to_others`."""
    global _others_compile, _compiler
    _others_compile, _compiler = False, 0
    _uncompiled.clear()


def silence_compile_log() -> None:
    """Do not log from now on that loops are compiled, because the caller asked for it."""
    global _missing
    _missing = LONG_WAIT_LOOPS


def _missed() -> None:
    """Log once, while a caller waits for the compiler, why that takes long.

    If compiling was left to others, nothing is logged, because a page says it.
    """
    global _missing
    if _others_compile:
        return
    _missing += 1
    if _missing == LONG_WAIT_LOOPS:
        _log.warning(
            "svmlab compiles its inner loops to machine code, once for each installation. This can take 15 seconds. "
            "To do it ahead, run: python -m %s",
            WARMUP_MODULE,
        )


def has_run_uncompiled() -> bool:
    """Return whether some loop ran as plain Python since `leave_compiling_to_others`."""
    return bool(_uncompiled)


def _compile(function: F, meanwhile: F | None = None, **options: Any) -> F:
    loop: Any = njit(**options)(function)
    if loop is function:  # the environment sets NUMBA_DISABLE_JIT
        return function
    cache: CodeCache | None = None
    try:
        cache = loop._cache = CodeCache(function, _missed)
    except RuntimeError as error:  # no folder can be written, so the loop is compiled at every start
        report_failure(error)
    make = loop._compile_for_args

    def kept(args: tuple[Any, ...]) -> bool:
        return cache is not None and cache.has_code_for(tuple(map(loop.typeof_pyval, args)), loop.targetctx)

    def code(*args: Any) -> Callable[..., Any]:
        """Return the function to run; numba calls this when it has no code for arguments of these types."""
        if _others_compile and get_ident() != _compiler and (function in _uncompiled or not kept(args)):
            _uncompiled.add(function)
            return meanwhile or function
        return make(*args)

    loop._compile_for_args = code
    return loop
