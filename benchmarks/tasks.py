"""Dragging a point of several classes and of values beside a point of two classes, in turns: pictures and server time.

    python benchmarks/tasks.py [rounds] [seconds]

Also what one picture takes in the middle, without server and browser. Starts its own server on a free loopback port and
drives it with Chromium, as live.py does.
"""

import json
import os
import shutil
import statistics
import sys
import time
from dataclasses import dataclass, replace

import numpy as np
from live import FLAGS, drag
from playwright.sync_api import sync_playwright
from server import Server, cpu

from svmlab.lab.board import drag_socket
from svmlab.lab.session import share
from svmlab.lab.session.cache import solve_task_within_limit, solve_within_limit
from svmlab.lab.session.controls import BINARY, CLASSES, VALUES
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.multiclass import OneVsRestSolution, make_classes
from svmlab.regression import Fit


@dataclass(frozen=True)
class Row:
    """A board and where it stands: the lab, or a step of a lesson whose answer is shown or not."""

    name: str
    lab: Lab
    page: str

    @property
    def address(self) -> str:
        """With the board in it: the own one in the lab, a lent one in a lesson."""
        link = share.encode(self.lab)
        return f"/{self.page}{'&b=' if '?' in self.page else '?s='}{link}"

    @property
    def point(self) -> int:
        """The id of a point that holds the machine and is free."""
        if self.lab.task == BINARY:
            solution = solve_within_limit(self.lab.problem, None).solution
            free = [] if solution is None else np.flatnonzero(solution.free)
        else:
            solved = solve_task_within_limit(self.lab, None).solution
            free = []
            if isinstance(solved, OneVsRestSolution):
                free = np.flatnonzero(np.any([machine.free for machine in solved.machines], 0))
            elif isinstance(solved, Fit):
                free = np.flatnonzero(solved.free)
        return self.lab.points[int(free[0])].id


def of_two(m: int, **settings: object) -> Lab:
    """The preset that the lab opens with, of m points."""
    return with_preset(replace(Lab(), size=m, **settings))  # type: ignore[arg-type]


def of_classes(m: int, **settings: object) -> Lab:
    """Four blobs of m points together."""
    data = make_classes("four_blobs", m // 4)
    rows = enumerate(zip(data.X.tolist(), data.y.tolist(), strict=True), start=1)
    points = tuple(Point(i, round(1000 * x), round(1000 * y), label) for i, ((x, y), label) in rows)
    return Lab(points=points, task=CLASSES, value=10.0, **settings)  # type: ignore[arg-type]


def of_values(m: int, **settings: object) -> Lab:
    """A sine with noise at m even places."""
    x = np.linspace(-3.5, 3.5, m)
    y = 1.5 * np.sin(1.3 * x) + 0.4 * np.random.default_rng(0).standard_normal(m)
    rows = enumerate(zip(x.tolist(), y.tolist(), strict=True), start=1)
    points = tuple(Point(i, round(1000 * a), round(1000 * b), 1) for i, (a, b) in rows)
    return Lab(points=points, task=VALUES, eps=0.3, **settings)  # type: ignore[arg-type]


GAUSSIAN = {"kernel": "gaussian", "sigma": 1.0}
REST, TUBE = "extensions?step=rest&shown=1", "extensions?step=tube&shown=1"
ROWS = (
    Row("two classes, 120 points, in the lab", of_two(120), "lab"),
    Row("two classes, 120 points, in a lesson", of_two(120), "soft?step=slack&shown=1"),
    Row("four classes, 120 points", of_classes(120), REST),
    Row("four classes, 120 points, Gaussian", of_classes(120, **GAUSSIAN), REST),
    Row("two classes, 60 points, in a lesson", of_two(60), "soft?step=slack&shown=1"),
    Row("a tube, 60 points", of_values(60), TUBE),
    Row("a tube, 60 points, Gaussian", of_values(60, **GAUSSIAN), TUBE),
    Row("two classes, 200 points, in a lesson", of_two(200), "soft?step=slack&shown=1"),
    Row("a tube, 200 points", of_values(200), TUBE),
    Row("a tube, 200 points, Gaussian", of_values(200, **GAUSSIAN), TUBE),
)


def alone(row: Row, pictures: int = 60) -> float:
    """Milliseconds of one picture of a drag, the median: the request read, solved from the picture before, drawn,
    written.
    """
    lab, id_ = row.lab, row.point
    at = next(p for p in lab.points if p.id == id_)
    last, taken = None, []
    for k in range(pictures):
        moved = [id_, (at.x + 9 * ((k * 7) % 11)) / 1000, (at.y + 9 * ((k * 5) % 13)) / 1000, at.label]
        rows = [[p.id, p.x / 1000, p.y / 1000, p.label] if p.id != id_ else moved for p in lab.points]
        request = json.dumps({"share": share.encode(lab), "ops": [{"op": "points", "points": rows}]})
        began = time.perf_counter()
        _picture, last = drag_socket.draw(request, last)
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken[5:])


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0
    found: dict[str, list[tuple[float, float]]] = {}
    server = Server().start()
    try:
        with sync_playwright() as p:
            chromium = shutil.which("chromium") or shutil.which("google-chrome")
            browser = p.chromium.launch(executable_path=chromium, args=FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            for _ in range(rounds):
                for row in ROWS:
                    page.goto(f"http://127.0.0.1:{server.port}{row.address}")
                    point = f'g.pt[data-id="{row.point}"]'
                    page.wait_for_selector(point)
                    page.wait_for_timeout(2500)
                    assert page.locator("g.pt").count() == len(row.lab.points), row.name
                    used = cpu(server.pid)
                    answers = drag(page, seconds, point)
                    found.setdefault(row.name, []).append(
                        (answers / seconds, 1000 * (cpu(server.pid) - used) / max(answers, 1))
                    )
                    page.wait_for_timeout(500)
            browser.close()
    finally:
        server.stop()
    print(f"load {os.getloadavg()[0]:.1f}, {rounds} rounds of {seconds:g} s")
    for row in ROWS:
        rates, each = zip(*found[row.name], strict=True)
        print(
            f"{row.name}: {statistics.median(rates):.1f} a second ({min(rates):.1f} .. {max(rates):.1f}), "
            f"{statistics.median(each):.1f} ms of server time each, {alone(row):.1f} ms in the middle"
        )


if __name__ == "__main__":
    main()
