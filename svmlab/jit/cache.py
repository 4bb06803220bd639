"""Machine code kept on disk, one file for each loop and signature. Files that fail are replaced by compiling anew.

numba's own cache has an index beside its files. A damaged index locks its loop out for good. An index written by two
processes at once may name the code of other arguments, and a full disk raises an error in the caller. Here each file is
independent of the others, is replaced as a whole, and begins with a checksum. Whatever goes wrong, the loop is compiled
anew, and the log reports it once.

A compiled loop also freezes the numbers that it takes from its module, such as the thresholds of `core/tolerances.py`.
numba looks at the file of the loop alone, so here the numbers belong to the origin of the code.
"""

from __future__ import annotations

import logging
import pickle
import tempfile
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

CHECKSUM_BYTES = sha256().digest_size
_log = logging.getLogger(__name__)
ROOM = 2_000_000  # bytes: more than the code of any loop
_reported = False
_unkept = False
_folders: set[str] = set()  # where the code of the loops is kept


def has_room() -> bool:
    """Return whether code can be kept: whether there is a file of ROOM bytes to be had in each folder."""
    try:
        for folder in _folders:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(ROOM))
                file.flush()
    except OSError as error:
        report_failure(error)
        return False
    return True


def has_unsaved_code() -> bool:
    """Return whether this process has compiled code that it could not keep."""
    return _unkept


def report_failure(error: Exception, while_reading: bool = False) -> None:
    """Record a failure, and log the first one. After a failure `while_reading`, code can still be kept."""
    global _reported, _unkept
    if not _reported:
        _log.warning("Machine code cannot be kept or read; loops are compiled again where need be. %s", error)
    _reported, _unkept = True, _unkept or not while_reading


class CodeCache(FunctionCache):
    """The cache in which numba looks up and stores a loop's code. Raises RuntimeError if no folder can be written."""

    def __init__(self, function: Callable[..., Any], missed: Callable[[], None] = lambda: None) -> None:
        """Make the cache of one loop. `missed` is called before a loop is compiled because its code is not kept."""
        super().__init__(function)
        self._missed = missed
        _folders.add(self._cache_path)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file: _Files = _Files(self._cache_path, self._impl.filename_base, stamp, function)

    def has_code_for(self, sig: tuple[Any, ...], target_context: Any) -> bool:
        """Return whether there is code for arguments of these types."""
        try:
            return self._cache_file.read(self._index_key(sig, target_context.codegen())) is not None
        except (OSError, ValueError) as error:
            report_failure(error, while_reading=True)
            return False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for arguments of these types, or None if there is no usable code."""
        try:
            overload = super().load_overload(sig, target_context)
        except Exception as error:  # unpickling a damaged file can raise anything
            report_failure(error, while_reading=True)
            return None
        if overload is None:
            self._missed()
        return overload

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for arguments of these types, if that is possible."""
        try:
            super().save_overload(sig, data)
        except Exception as error:  # the code is in memory, so the caller does not need to hear of a full disk
            report_failure(error)


class _Files(IndexDataCacheFile):
    """The files of one loop. Each holds a digest of the code's origin, a checksum, and the code."""

    def __init__(self, path: str, name: str, stamp: Any, function: Callable[..., Any]) -> None:
        super().__init__(path, name, stamp)
        self._function = function

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        """Keep `data` under its types, processor and bytecode. Raises OSError."""
        content = self._dump(data)
        with self._open_for_write(self._path(key)) as file:
            file.write(self._origin(key) + sha256(content).digest() + content)

    def load(self, key: tuple[Any, ...]) -> Any:
        """Return what was kept, or None. Raises the errors of `read`, and whatever unpickling raises."""
        content = self.read(key)
        return None if content is None else pickle.loads(content)

    def read(self, key: tuple[Any, ...]) -> bytes | None:
        """Return the bytes of the code on disk, or None if there are none or they come from another source or numba.

        Raises OSError, or ValueError if the checksum is wrong.
        """
        try:
            with open(self._path(key), "rb") as file:
                origin, checksum, content = file.read(CHECKSUM_BYTES), file.read(CHECKSUM_BYTES), file.read()
        except FileNotFoundError:
            return None
        if origin != self._origin(key):
            return None
        if checksum != sha256(content).digest():
            raise ValueError(f"{self._path(key)} is torn.")
        return content

    def _path(self, key: tuple[Any, ...]) -> str:
        """Return one path for the same types on the same processor. Code of another source or numba is overwritten."""
        name = self._index_name.removesuffix(".nbi")
        return self._data_path(f"{name}.{sha256(repr(key[:2]).encode()).hexdigest()[:16]}.nbc")

    def _origin(self, key: tuple[Any, ...]) -> bytes:
        # The names below a loop in its module have no value before it is first called.
        numbers = sorted(frozen_numbers(self._function).items())
        return sha256(repr((numba.__version__, self._source_stamp, numbers, key)).encode()).digest()


def frozen_numbers(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the numbers, by their names, that compiling `function` copies from its module.

    Those of the loops that it calls are among them.
    """
    numbers: dict[str, Any] = {}
    loops, known = [function], {function}
    for loop in loops:
        for name in loop.__code__.co_names:
            value = loop.__globals__.get(name)
            called = getattr(value, "py_func", None)
            if called is not None and called not in known:
                loops.append(called)
                known.add(called)
            elif isinstance(value, int | float | tuple):
                numbers[f"{loop.__module__}.{name}"] = value
    return numbers
