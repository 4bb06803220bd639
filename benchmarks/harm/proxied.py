"""Two processes behind nginx below a base path, with the file of `deploy/`: one of them killed or upgraded under load."""

import asyncio
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server import HOST, ROOT, Server, free_port, rss

from harm.crowd import Fault, Found, crowd, late, megabytes

PAUSE, BACK = 1.0, 10.0
SITE, BASE = ROOT / "deploy" / "nginx.conf", "svm"
AROUND = """daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log warn; {user}
events {{ worker_connections 4096; }}
http {{
access_log off;
client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{site}
}}
"""


@contextmanager
def proxy(folder: Path, first: int, second: int) -> Iterator[int]:
    """The port of an nginx before two processes."""
    port = free_port()
    site = SITE.read_text()
    for pattern, ours in (
        (r"\b8501\b", str(first)),
        (r"\b8502\b", str(second)),
        (r"listen 80;", f"listen {HOST}:{port};"),
        (r"listen \[::\]:80;", ""),
        (r"/var/[\w/]*svmlab\b", f"{folder}/cache"),
    ):
        site = re.sub(pattern, ours, site)
    user = "user root;" if Path(folder).owner() == "root" else ""
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, site=site, user=user))
    nginx = subprocess.Popen(["nginx", "-p", folder, "-c", folder / "nginx.conf"], stderr=(folder / "err").open("wb"))
    try:
        time.sleep(0.5)
        if nginx.poll() is not None:
            raise RuntimeError((folder / "err").read_text())
        yield port
    finally:
        nginx.terminate()
        nginx.wait()


async def _fell(port: int, servers: list[Server], sessions: int, gently: bool) -> Found:
    async with crowd(sessions, port, BASE) as people:
        people.begin()
        await asyncio.sleep(6)
        one = servers[0]
        memory, lines = sum(rss(server.pid) for server in servers), sum(server.lines for server in servers)
        since = time.perf_counter()
        if gently:
            await asyncio.to_thread(one.stop)
        one.kill()
        await asyncio.sleep(PAUSE)
        await asyncio.to_thread(one.start)
        up = time.perf_counter() - since
        await asyncio.sleep(max(0.0, 15 - up))
        lost = await people.rest()
        back = people.back(since)
        blank = await people.pictures()
        failed = (*([lost] if lost else []), *late(back, BACK), *([f"{blank} without pictures"] if blank else []))
        failed += () if back else ("nobody noticed",)
        memory = megabytes(memory, sum(rss(server.pid) for server in servers))
        sockets = [tab.front.opened_at - since for tab in people.tabs if tab.front.cut_at > since]
        remarks = (
            f"{len(back)} of {sessions} were cut, their sockets open after {max(sockets, default=0):.1f} s",
            f"the process answers again after {up:.1f} s",
        )
        return Found(sessions, lost, back, memory, f"{sum(s.lines for s in servers) - lines}", failed, remarks)


def _do(folder: Path, sessions: int, gently: bool) -> Found:
    if not shutil.which("nginx") or not SITE.exists():
        return Found(0, remarks=("left out: there is no nginx",), verdict="left out")
    with Server(folder / "one") as one, Server(folder / "two") as two, proxy(folder, one.port, two.port) as port:
        return asyncio.run(_fell(port, [one, two], sessions, gently))


HOLDS = f"no board and no edit lost; everybody back within {BACK:g} s, with pictures"
DONE = "two processes behind nginx, an edit every 5 s of each"
FAULTS = (
    Fault("proxy-kill", f"{DONE}: kill -9 of one", HOLDS, lambda folder, n: _do(folder, n, gently=False), 120),
    Fault(
        "proxy-upgrade",
        f"{DONE}: SIGTERM of one, started again",
        HOLDS,
        lambda folder, n: _do(folder, n, gently=True),
        120,
    ),
)
