"""Which pages may open a socket, and that a foreign one keeps nobody waiting."""

import asyncio
from threading import Event

import pytest
from starlette.datastructures import Headers

from svmlab.lab.session import origins
from tests import loop


def headers(origin, host="svm.example"):
    return Headers({"host": host} | ({"origin": origin} if origin else {}))


@pytest.fixture
def network(monkeypatch):
    """What Streamlit is asked, each time until the event is set."""
    asked, answers = [], Event()

    def slow(origin, host):
        asked.append(origin)
        assert answers.wait(60)
        return origin == "http://trusted.example"

    monkeypatch.setattr(origins, "is_own_origin", slow)
    monkeypatch.setattr(origins, "_known", {})
    return asked, answers


def test_foreign_pages_keep_no_page_of_the_app_waiting_and_are_looked_up_once(network):
    asked, answers = network

    async def knock():
        first = asyncio.create_task(origins.is_own_page(headers("http://evil.example")))
        await asyncio.sleep(0)
        others = [origins.is_own_page(headers(f"http://evil{i}.example")) for i in range(50)]
        assert not any([await other for other in others]), "one at a time"
        assert await origins.is_own_page(headers("http://svm.example"))
        assert await origins.is_own_page(headers(None))
        assert not first.done()
        answers.set()
        assert not await first
        assert not await origins.is_own_page(headers("http://evil.example"))
        assert [await origins.is_own_page(headers("http://trusted.example")) for _ in range(2)] == [True, True]

    loop.run(knock())
    assert asked == ["http://evil.example", "http://trusted.example"]


def test_foreign_origins_are_forgotten_first(network):
    _asked, answers = network
    answers.set()

    async def knock():
        assert await origins.is_own_page(headers("http://trusted.example"))
        for i in range(origins.MAX_ORIGINS + 5):
            await origins.is_own_page(headers(f"http://evil{i}.example"))

    loop.run(knock())
    assert len(origins._known) == origins.MAX_ORIGINS
    assert origins._known["http://trusted.example"]
