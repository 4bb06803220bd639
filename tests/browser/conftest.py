"""Whatever runs the app finds its loops compiled, and says what it has compared."""

import pytest

pytest.register_assert_rewrite("tests.browser.agreed")


@pytest.fixture(scope="session", autouse=True)
def _rehearsed(rehearsed: None) -> None:
    """Before the first test."""
