"""Whatever runs the app finds its loops compiled, and says what it has compared."""

import pytest

pytest.register_assert_rewrite("tests.browser.agreed")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Every test of this folder needs a browser and is marked so."""
    item.add_marker("browser")


@pytest.fixture(scope="session", autouse=True)
def _warmed_up(warmed_up: None) -> None:
    """Before the first test."""
