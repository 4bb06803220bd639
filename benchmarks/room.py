"""The room of a class: one lecturer in a real tab, and members on real sockets.

    python benchmarks/room.py [--members 60 300] [--seconds 5] [--fuzz 10000]

For each number of members: how long until a question is on every screen, until the last vote is counted, and until a
drag is seen, what that costs the server, how long everybody takes to be back after kill -9 in the middle of a vote, and
until the boards that all members hand in at once hang on the wall.
First it sends messages without sense, which must leave no trace, and measures the page of a phone. Starts its own
server on a free loopback port and drives it with Chromium. Needs the extra dev and Chromium.
"""

import argparse
import asyncio
import json
import math
import os
import random
import secrets
import shutil
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any

from playwright.async_api import Page, async_playwright
from server import Server, cpu, rss
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from svmlab.lab.room import keys

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
STEP, TASK = "/margin?step=slide", "/margin?step=hand"
PATIENCE = 60.0
# Every position at which the lecturer's board paints the first point, with its time.
WATCH = """() => { const roots = [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean);
  const dot = roots.map(r => r.querySelector('.svmlab-board g.pt')).find(Boolean);
  window.moved = []; new MutationObserver(() => window.moved.push([Date.now() / 1000, +dot.dataset.x, +dot.dataset.y]))
    .observe(dot, {attributes: true, attributeFilter: ['data-x', 'data-y']});
  const box = dot.getBoundingClientRect(); return [dot.dataset.id, box.x + box.width / 2, box.y + box.height / 2]; }"""


class Member:
    """One socket that stays connected, and what it was told."""

    def __init__(self, address: str, hello: dict[str, Any]) -> None:
        self.address, self.hello = address, hello
        self.state: dict[str, Any] = {}
        self.told: dict[str, Any] = {}
        self.asked: dict[str, float] = {}  # when it has seen each question
        self.pictures: list[tuple[float, bytes]] = []  # time, and the picture, which is read later
        self.socket: ClientConnection | None = None
        self.task = asyncio.create_task(self._stay())

    async def _stay(self) -> None:
        while True:
            try:
                async with connect(self.address, compression=None, max_size=None, proxy=None) as self.socket:
                    await self.say(self.hello)
                    async for message in self.socket:
                        self._hear(message)
            except (OSError, WebSocketException, TimeoutError):
                pass
            self.socket = None
            await asyncio.sleep(0.25 + 0.25 * random.random())

    def _hear(self, message: str | bytes) -> None:
        now = time.time()
        if isinstance(message, bytes):
            self.pictures.append((now, message))
            return
        told = json.loads(message)
        self.told |= told
        self.state = told.get("state", self.state)
        if asked := self.state.get("asked"):
            self.asked.setdefault(asked["id"], now)
        if voted := told.get("voted"):
            self.hello.setdefault("votes", {})[voted["round"]] = [voted["choice"], voted["seal"]]
        if kept := told.get("kept"):
            self.hello |= kept

    async def say(self, said: dict[str, Any]) -> None:
        """Send something, if it is connected."""
        if self.socket is not None:
            await self.socket.send(json.dumps(said))


async def until(condition: Any, what: str) -> float:
    """Wait, and return the time at which the condition held."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"waited in vain for {what}")
        await asyncio.sleep(0.005)
    return time.time()


def p95(values: list[float]) -> float:
    """Return the value that 95 % do not exceed."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


def ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


async def open_room(browser: Any, url: str) -> tuple[Page, str, str]:
    """A lecturer's tab with a room, its code and its key."""
    page = await (await browser.new_context(viewport={"width": 1280, "height": 800})).new_page()
    page.set_default_timeout(1000 * PATIENCE)
    await page.goto(url + STEP)
    await page.get_by_role("button", name="Room for the class").click()
    await page.locator(".sv-room .strip").wait_for()
    await page.locator(".sv-room dialog[open]").click()
    await page.locator(".svmlab-board[data-pending='0']").wait_for()
    kept = json.loads(await page.evaluate("sessionStorage['svmlab.room']"))
    return page, kept["code"], kept["key"]


def senseless(depth: int = 0) -> Any:
    """Something that JSON can say, often with words that mean something."""
    pick = random.randrange(9 if depth < 3 else 6)
    if pick < 6:
        return [None, random.randint(-9, 9), 1e308, "x" * random.randrange(60), True, "round1"][pick]
    if pick == 6:
        return [senseless(depth + 1) for _ in range(3)]
    names = ("round", "choice", "votes", "is", "id", "key", "right", "stop", "n", "rounds", "by", "role", "kind", "on")
    return {random.choice(names): senseless(depth + 1) for _ in range(4)}


async def fuzz(address: str, n: int) -> None:
    """Messages without sense on real sockets, a few on each, because a socket that says one is closed."""
    kinds = ("ask", "close", "bars", "show", "stop", "lead", "back", "vote", "pulse", "look", "end", "ping")

    async def attack(share: int) -> None:
        left = share
        while left > 0:
            try:
                async with connect(address, compression=None, proxy=None) as socket:
                    await socket.send(json.dumps({"me": secrets.token_hex(8)}))
                    for _ in range(20):
                        left -= 1
                        said = senseless(1)
                        known = isinstance(said, dict) and random.random() < 0.8
                        await socket.send(json.dumps(said | {"kind": random.choice(kinds)} if known else said))
            except (OSError, WebSocketException):
                continue

    await asyncio.gather(*(attack(n // 20) for _ in range(20)))


async def phone(browser: Any, address: str) -> None:
    """The page of a phone from a cold cache: bytes, and until the question is visible."""
    for slow in (False, True):
        context = await browser.new_context(viewport={"width": 390, "height": 844})
        page = await context.new_page()
        sizes: list[int] = []
        session = await context.new_cdp_session(page)
        await session.send("Network.enable")
        session.on("Network.loadingFinished", lambda e, sizes=sizes: sizes.append(int(e["encodedDataLength"])))
        if slow:
            await session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
            line = {"offline": False, "latency": 40, "downloadThroughput": 187_500, "uploadThroughput": 94_000}
            await session.send("Network.emulateNetworkConditions", line)
        start = time.perf_counter()
        await page.goto(address, wait_until="commit")
        await page.locator("#question:not(:empty):not(.waiting)").wait_for()
        took = time.perf_counter() - start
        kind = "a quarter of the processor, 1.5 Mbit/s" if slow else "loopback"
        print(f"  page of a phone, cold ({kind}): question after {ms(took)}, {sum(sizes) / 1000:.1f} kB")
        await context.close()


async def measure(browser: Any, server: Server, url: str, n: int, seconds: float) -> None:
    """All figures with so many members."""
    page, code, key = await open_room(browser, url)
    address = f"{url.replace('http', 'ws')}/r/{code}/socket"
    lead = Member(address, {"me": key, "key": key, "n": 0, "stop": None, "rounds": []})
    members = [Member(address, {"me": secrets.token_hex(16), "packed": True}) for _ in range(n)]
    await until(lambda: all(m.state.get("question") and m.pictures for m in members), "every member")
    print(f"{n} members, {rss(server.pid):.0f} MB")

    async def ask(name: str) -> float:
        stop = lead.told["kept"]["stop"]
        at = time.time()
        await lead.say({"kind": "ask", "id": name, "key": stop["key"]})
        await until(lambda: all(name in m.asked for m in members), "the question")
        return at

    times = []
    for i in range(5):
        at = await ask(f"q{n}x{i}")
        times += [m.asked[f"q{n}x{i}"] - at for m in members]
    print(f"  question on every screen: p95 {ms(p95(times))}, last {ms(max(times))}")

    used, start = cpu(server.pid), time.time()
    for m in members:
        await m.say({"kind": "vote", "round": f"q{n}x4", "choice": random.randrange(3)})
    last = time.time()
    counted = await until(lambda: lead.told.get("count", {}).get("votes") == n, "all votes")
    share = (cpu(server.pid) - used) / (counted - start)
    print(f"  all votes counted {ms(counted - last)} after the last, {share:.2f} of a core meanwhile")

    await drag(page, server, members, seconds)

    # kill -9 in the middle of a vote
    await ask(f"q{n}kill")
    for m in members[: 2 * n // 3]:
        await m.say({"kind": "vote", "round": f"q{n}kill", "choice": 1})
    await until(lambda: sum(f"q{n}kill" in m.hello.get("votes", {}) for m in members) >= n // 2, "half of the votes")
    voters = [m for m in members if f"q{n}kill" in m.hello.get("votes", {})]
    seen = [len(m.pictures) for m in members]
    server.kill()
    at = time.time()
    lead.told.pop("count", None)
    server.start()
    up = time.time()
    back = await until(lambda: lead.told.get("count", {}).get("votes", 0) >= len(voters), "the votes of before")
    boards = await until(lambda: all(len(m.pictures) > s for m, s in zip(members, seen, strict=True)), "the boards")
    doubled = sum(lead.told["count"]["rounds"][-1]) > n
    print(
        f"  kill -9: server {up - at:.1f} s, votes {back - at:.1f} s, boards {boards - at:.1f} s after the kill; "
        f"{len(voters)} confirmed votes are back, {'some' if doubled else 'none'} counted twice"
    )
    await hand_in(page, server, url, code, lead, members)
    for each in (*members, lead):
        each.task.cancel()
    await page.context.close()


async def hand_in(page: Page, server: Server, url: str, code: str, lead: Member, members: list[Member]) -> None:
    """How long until the boards that all members hand in at once hang on the wall. Their seals are made beforehand."""
    await page.goto(url + TASK)
    await page.get_by_role("button", name="Set to the class").click()
    await until(lambda: lead.told["kept"]["task"], "the task")
    task, host = lead.told["kept"]["task"], url.removeprefix("http://")
    board = task["link"].partition("&b=")[2]
    points = [value for i in range(18) for value in (10 * i - 90, 7 * i - 60, (-1) ** i)]
    sketch = json.dumps({"half": 200, "points": points, "lines": [[-200, -150, 200, 150]]}, separators=(",", ":"))

    async def post(member: Member) -> float:
        made = keys.ticket(code, task["id"], random.random() < 0.5, int(1000 * time.time()), board, sketch)
        body = json.dumps(made.as_json | {"me": member.hello["me"]}).encode()
        start = time.perf_counter()
        while True:
            reader, writer = await asyncio.open_connection(*host.split(":"))
            head = f"POST /r/{code}/hand HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answer = await reader.read()
            writer.close()
            if b" 200 " in answer.split(b"\r\n")[0]:
                return time.perf_counter() - start
            await asyncio.sleep(0.3 * (0.5 + random.random()))

    used, start = cpu(server.pid), time.time()
    times = await asyncio.gather(*map(post, members))
    last = time.time()
    hung = await until(lambda: len(lead.told.get("wall", ())) == len(members), "the wall")
    share = (cpu(server.pid) - used) / (hung - start)
    print(
        f"  {len(members)} boards handed in at once: p95 {ms(p95(times))} until the receipt, last {ms(max(times))}, "
        f"all on the wall {ms(hung - last)} after that, {share:.2f} of a core meanwhile"
    )


async def drag(page: Page, server: Server, members: list[Member], seconds: float) -> None:
    """How late members see a point that the lecturer drags."""
    for m in members:
        m.pictures.clear()
    id_, x, y = await page.evaluate(WATCH)
    used, start = cpu(server.pid), time.time()
    await page.mouse.move(x, y)
    await page.mouse.down()
    i = 0
    while time.time() - start < seconds:
        await page.mouse.move(x + 60 * math.sin(i / 17), y + 45 * math.sin(i / 23))
        i += 1
        await asyncio.sleep(0.016)
    ended = time.time()
    share = (cpu(server.pid) - used) / (ended - start)
    await page.mouse.up()
    painted: dict[tuple[float, float], float] = {}
    for at, px, py in await page.evaluate("window.moved"):
        painted.setdefault((px, py), at)
    late, count, size = [], 0, 0
    for m in members:
        for at, picture in m.pictures:
            if start <= at <= ended:
                count, size = count + 1, size + len(picture)
            points = json.loads(zlib.decompress(picture, -15))["board"]["points"]
            place = next(((row[1], row[2]) for row in points if str(row[0]) == id_), None)
            if place in painted and painted[place] >= start:
                late.append(at - painted[place])
    rate = count / len(members) / (ended - start)
    print(
        f"  drag: p95 {ms(p95(late))} from the lecturer's board to a member, {rate:.1f} pictures a second, "
        f"{size / (ended - start) / 1e6:.1f} MB/s, {share:.2f} of a core"
    )


async def main(sizes: list[int], seconds: float, messages: int) -> None:
    log = Path(tempfile.mkdtemp()) / "log.txt"
    os.environ[keys.VARIABLE] = secrets.token_hex(32)  # the same here, to make the seals of hand-ins
    server = Server(log, **{keys.VARIABLE: os.environ[keys.VARIABLE]}).start()
    url = f"http://127.0.0.1:{server.port}"
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    try:
        async with async_playwright() as playwright:
            path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
            browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
            page, code, _key = await open_room(browser, url)
            await phone(browser, f"{url}/r/{code}")
            lines = server.lines
            before = await page.evaluate("sessionStorage['svmlab.room']")
            await fuzz(f"{url.replace('http', 'ws')}/r/{code}/socket", messages)
            same = await page.evaluate("sessionStorage['svmlab.room']") == before
            print(
                f"  {messages} messages without sense: {server.lines - lines} lines in the log, room unchanged: {same}"
            )
            await page.context.close()
            for n in sizes:
                await measure(browser, server, url, n, seconds)
            await browser.close()
    finally:
        server.kill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--members", type=int, nargs="*", default=[60, 300])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--fuzz", type=int, default=10_000)
    given = parser.parse_args()
    asyncio.run(main(given.members, given.seconds, given.fuzz))
