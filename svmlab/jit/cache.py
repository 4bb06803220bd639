"""Machine code kept on disk, one file for each loop and signature: what cannot be written or read is done without.

numba's own cache has an index beside its files. Torn, an index locks its loop out for good; written by two processes at
once, it may name the code of other arguments; and a full disk is an error of whoever calls. Here each file stands for
itself, is replaced as a whole, and begins with a checksum. Whatever goes wrong, the loop is compiled anew, and the log
says so once.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

SUM = sha256().digest_size
_log = logging.getLogger(__name__)
_reported = False
_unkept = False


def has_unsaved_code() -> bool:
    """Whether this process has compiled something that it could not keep."""
    return _unkept


def report_failure(error: Exception, while_reading: bool = False) -> None:
    """Take note of what went wrong; the first time, in the log. `kept`: it was reading, code can still be kept."""
    global _reported, _unkept
    if not _reported:
        _log.warning("Machine code cannot be kept or read; loops are compiled again where need be. %s", error)
    _reported, _unkept = True, _unkept or not while_reading


class CodeCache(FunctionCache):
    """Where numba looks for the code of a loop, and leaves it. Raises RuntimeError where no folder can be written."""

    def __init__(self, function: Callable[..., Any], missed: Callable[[], None] = lambda: None) -> None:
        """missed: is called before the loop is compiled because no code of it is kept."""
        super().__init__(function)
        self._missed = missed
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file: _Files = _Files(self._cache_path, self._impl.filename_base, stamp)

    def has_code_for(self, sig: tuple[Any, ...], target_context: Any) -> bool:
        """Whether there is code for arguments of these types."""
        try:
            return self._cache_file.read(self._index_key(sig, target_context.codegen())) is not None
        except (OSError, ValueError) as error:
            report_failure(error, while_reading=True)
            return False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for arguments of these types, None where there is none of use."""
        try:
            found = super().load_overload(sig, target_context)
        except Exception as error:  # whatever comes of a file that is no good
            report_failure(error, while_reading=True)
            return None
        if found is None:
            self._missed()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for arguments of these types, if that is possible."""
        try:
            super().save_overload(sig, data)
        except Exception as error:  # the code is there: nobody need hear of a full disk
            report_failure(error)


class _Files(IndexDataCacheFile):
    """The files of one loop: what the code was made from, a checksum, and the code."""

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        """Keep `data` under its types, processor and bytecode. Raises OSError."""
        content = self._dump(data)
        with self._open_for_write(self._path(key)) as file:
            file.write(self._origin(key) + sha256(content).digest() + content)

    def load(self, key: tuple[Any, ...]) -> Any:
        """What was kept, None if nothing was; raises as `read`, and what unpickling raises."""
        content = self.read(key)
        return None if content is None else pickle.loads(content)

    def read(self, key: tuple[Any, ...]) -> bytes | None:
        """The code as it is on disk; None without it, or where it is of another source or numba. Raises OSError,
        ValueError.
        """
        try:
            with open(self._path(key), "rb") as file:
                origin, checksum, content = file.read(SUM), file.read(SUM), file.read()
        except FileNotFoundError:
            return None
        if origin != self._origin(key):
            return None
        if checksum != sha256(content).digest():
            raise ValueError(f"{self._path(key)} is torn.")
        return content

    def _path(self, key: tuple[Any, ...]) -> str:
        """One place for the same types on the same processor: code of another source or numba is written over."""
        name = self._index_name.removesuffix(".nbi")
        return self._data_path(f"{name}.{sha256(repr(key[:2]).encode()).hexdigest()[:16]}.nbc")

    def _origin(self, key: tuple[Any, ...]) -> bytes:
        return sha256(repr((numba.__version__, self._source_stamp, key)).encode()).digest()
