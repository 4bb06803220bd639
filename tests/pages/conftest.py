"""Whatever runs the app finds its loops compiled, and its pages as a server knows them."""

from collections.abc import Iterator

import pytest

from svmlab.lab import frame, words
from svmlab.lab.session import worker

frame.prepare_server()


@pytest.fixture(scope="session", autouse=True)
def _warmed_up(warmed_up: None) -> None:
    """Before the first test."""


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A page that a test runs sets the language and the notation of the thread. The next test starts anew."""
    words.set_translations(words.ENGLISH)
    yield
    words.set_translations(words.ENGLISH)


@pytest.fixture(autouse=True)
def _called_off() -> Iterator[None]:
    """What a test leaves in line is not waited for by the next."""
    yield
    for job in worker.QUEUE.entries():
        job.cancel()
