"""One test that tries many cases and lists every offence, where a test for each case would cost more than its check."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def each_of(
    cases: Iterable[Any], name: Callable[[Any], str] = str
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Return a decorator that turns a check of one case into a test of all of them.

    cases: what the check is called with; a tuple gives several arguments. name: how a case is called in the message.
    """
    cases = list(cases)

    def decorate(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            offences = []
            for case in cases:
                try:
                    check(*(case if isinstance(case, tuple) else (case,)))
                except (Exception, pytest.fail.Exception):
                    offences.append(f"{name(case)}\n{traceback.format_exc(limit=-2)}")
            assert not offences, f"{len(offences)} of {len(cases)} cases fail.\n" + "\n".join(offences)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorate
