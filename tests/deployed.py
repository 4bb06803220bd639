"""What deploy/ says, run without systemd: nginx before processes that listen on sockets opened for them."""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

from tests.eyes import WAIT

ROOT = Path(__file__).parents[1]
BEFORE = Path(os.environ.get("SVMLAB_BEFORE", ROOT)).resolve()  # a checkout of the version before
DEPLOY = ROOT / "deploy"
HOST = "127.0.0.1"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
PORTS = {"one": 8501, "two": 8502}  # of the processes in deploy/nginx.conf, by their names there


def site(folder: Path, port: int, ports: dict[str, int], read_timeout: int) -> Path:
    """deploy/nginx.conf on a loopback port, before processes on others, as the whole of an nginx; everything it writes
    is in `folder`."""
    said = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    changes = {
        "listen 80;": f"listen {HOST}:{port};",
        "listen [::]:80;": "",
        "/var/lib/nginx/svmlab": f"{folder}/cache",
        "proxy_read_timeout 10s;": f"proxy_read_timeout {read_timeout}s;",
        **{str(there): str(ports[name]) for name, there in PORTS.items()},
    }
    for there, here in changes.items():
        assert there in said, there
        said = said.replace(there, here)
    temporary = "\n".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if hasattr(os, "geteuid") and os.geteuid() == 0 else ""  # its folder is nobody else's
    whole = folder / "nginx.conf"
    whole.write_text(
        f"{user}daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{ worker_connections 4096; }}\n"
        f"http {{\ninclude /etc/nginx/mime.types;\naccess_log {folder}/access.log;\n{temporary}\n{said}}}\n",
        encoding="utf-8",
    )
    return whole


def command(fd: int) -> tuple[list[str], dict[str, str]]:
    """ExecStart of deploy/svmlab@.service by this Python, at a socket that it inherits, and what it finds in its
    environment."""
    said = (DEPLOY / "svmlab@.service").read_text(encoding="utf-8").replace("\\\n", " ")
    match = re.search(r"^ExecStart=\S+/python (.* --fd) 3 (.*)$", said, re.M)
    assert match
    settings = dict(re.findall(r"\b((?:STREAMLIT|OPENBLAS|MALLOC)_\w+)=(\S+)", said))
    return [sys.executable, *shlex.split(f"{match[1]} {fd} {match[2]}")], os.environ | settings


def watchdog_seconds() -> float:
    """WatchdogSec of deploy/svmlab@.service."""
    match = re.search(r"^WatchdogSec=(\d+)$", (DEPLOY / "svmlab@.service").read_text(encoding="utf-8"), re.M)
    assert match
    return float(match[1])


class Process:
    """One process of the app at its port, and its socket, as systemd holds it."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.door: socket.socket | None = self._listen(0)
        self.port: int = self.door.getsockname()[1]
        self.running: subprocess.Popen[bytes] | None = None
        self._beats = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notify = log.with_suffix(".notify")
        self._beats.bind(str(self._notify))

    def watch(self) -> None:
        """Wait until heartbeats are missed for as long as the unit allows; then kill it and start it again."""
        self._beats.settimeout(watchdog_seconds())
        with suppress(TimeoutError):
            while True:
                self._beats.recv(100)
        self.end(signal.SIGKILL, keeps_socket=True)
        self.start()

    def _listen(self, port: int) -> socket.socket:
        door = socket.socket()
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        door.bind((HOST, port))
        door.listen(1024)
        return door

    def start(self, root: Path = ROOT) -> None:
        """At the socket that is held, or at a new one; from the checkout of a version."""
        self.door = self.door or self._listen(self.port)
        run, environment = command(self.door.fileno())
        secret = {"SVMLAB_SECRET": "a secret of these tests, long enough"}
        beat = {"NOTIFY_SOCKET": str(self._notify), "WATCHDOG_USEC": f"{watchdog_seconds() * 1e6:.0f}"}
        with self.log.open("ab") as out:
            self.running = subprocess.Popen(
                run,
                cwd=root,
                env=environment | beat | secret,
                pass_fds=[self.door.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )

    def ready(self) -> None:
        """Wait as ExecStartPost does."""
        asked = [sys.executable, str(DEPLOY / "ready.py"), f"http://{HOST}:{self.port}", "120"]
        assert subprocess.run(asked, check=False).returncode == 0, self.log.read_text(errors="replace")

    def replace(self, root: Path) -> None:
        """Another version takes the place of this one, as in an upgrade: its port is never closed."""
        self.end(signal.SIGTERM, keeps_socket=True)
        self.start(root)
        self.ready()

    def end(self, stop_signal: signal.Signals, keeps_socket: bool = False) -> None:
        """Without its socket who comes is refused; if it `keeps_socket`, who comes waits for the next start."""
        if self.door and not keeps_socket:
            self.door.close()
            self.door = None
        if self.running:
            self.running.send_signal(stop_signal)
            self.running.wait(WAIT)
            self.running = None


class Site:
    """nginx and its processes. A process that says nothing for `read_timeout` seconds counts as one that hangs."""

    def __init__(self, folder: Path, read_timeout: int = 10) -> None:
        self.processes = {name: Process(folder / f"{name}.txt") for name in PORTS}
        with socket.socket() as free:
            free.bind((HOST, 0))
            self.port: int = free.getsockname()[1]
        self.url = f"http://{HOST}:{self.port}/svm"
        for process in self.processes.values():
            process.start()
        ports = {name: process.port for name, process in self.processes.items()}
        conf = site(folder, self.port, ports, read_timeout)
        self.nginx = subprocess.Popen([str(NGINX), "-p", str(folder), "-c", str(conf)], stderr=subprocess.DEVNULL)
        try:
            self._wait(folder)
        except BaseException:
            self.close()
            raise

    def _wait(self, folder: Path) -> None:
        for process in self.processes.values():
            process.ready()
        end = time.monotonic() + WAIT
        while not self._answers():
            assert self.nginx.poll() is None, (folder / "error.log").read_text()
            assert time.monotonic() < end
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.url}/_stcore/health", timeout=WAIT) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def close(self) -> None:
        """Everything ends."""
        self.nginx.terminate()
        self.nginx.wait(WAIT)
        for process in self.processes.values():
            process.end(signal.SIGKILL)
