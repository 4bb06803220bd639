"""Whatever runs the app finds its loops compiled."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def _rehearsed(rehearsed: None) -> None:
    """Before the first test."""
