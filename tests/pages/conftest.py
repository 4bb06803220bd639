"""Whatever runs the app finds its loops compiled, and its pages as a server knows them."""

import pytest

from svmlab.lab import frame

frame.served()


@pytest.fixture(scope="session", autouse=True)
def _rehearsed(rehearsed: None) -> None:
    """Before the first test."""
