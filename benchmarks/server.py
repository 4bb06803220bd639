"""The app in a process of its own on a free loopback port: started, killed, started again. Linux only."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOST = "127.0.0.1"
WAIT = 60.0  # seconds for a start


def free_port() -> int:
    with socket.socket() as s:
        s.bind((HOST, 0))
        return int(s.getsockname()[1])


def cpu(pid: int) -> float:
    """User and system seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss(pid: int) -> float:
    """Resident memory of a process in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Server:
    """One process of the app; `log` takes what it says (None: nobody), `limit` is called in it before it begins."""

    def __init__(
        self,
        log: Path | None = None,
        port: int = 0,
        base: str = "",
        root: Path = ROOT,
        limit: Callable[[], None] | None = None,
        options: tuple[str, ...] = (),
        **environment: str,
    ) -> None:
        self.log, self.port, self.base, self.root = log, port or free_port(), base, root
        self.limit, self.options = limit, options
        self.environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"} | environment
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process's number."""
        assert self.process
        return self.process.pid

    @property
    def lines(self) -> int:
        """Lines of the log so far."""
        return self.log.read_bytes().count(b"\n") if self.log else 0

    def start(self, ready: bool = True) -> "Server":
        """A new process; RuntimeError where it does not answer within a minute."""
        options = [f"--server.port={self.port}", f"--server.address={HOST}", "--server.headless=true", *self.options]
        options += [f"--server.baseUrlPath={self.base}"] if self.base else []
        command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
        out = self.log.open("ab") if self.log else subprocess.DEVNULL
        try:
            self.process = subprocess.Popen(
                command,
                cwd=self.root,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                preexec_fn=self.limit,
            )
        finally:
            if self.log:
                out.close()  # type: ignore[union-attr]
        end = time.monotonic() + WAIT
        while ready and not self.healthy():
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise RuntimeError(
                    f"the server did not start: {self.log and self.log.read_bytes()[-2000:].strip(bytes(1))!r}"
                )
            time.sleep(0.05)
        return self

    def healthy(self) -> bool:
        """Whether it answers."""
        base = f"/{self.base}" if self.base else ""
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.port}{base}/_stcore/health", timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """As with kill -9: nothing is said and nothing is saved."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self, patience: float = 15) -> float:
        """As a service manager stops it: SIGTERM, and after `patience` seconds the end all the same; the seconds it
        took.
        """
        began = time.monotonic()
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None
        return time.monotonic() - began

    def __enter__(self) -> "Server":
        return self if self.process else self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()
