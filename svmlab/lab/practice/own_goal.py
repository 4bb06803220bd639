"""A goal that somebody has made: it stands in the address, and opens like the goals of the app."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256

from svmlab import BadInput
from svmlab.lab.practice.tasks import PAGE
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.link import OWN_GOAL, is_own_goal
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_
from svmlab.practice import Board, Goal, goal_from_link
from svmlab.practice.goal import MAX_LINK

UNTITLED = N_("A goal without a title")
MISSING = N_("The link has no goal. Ask for the whole link again, or make a goal of your own.")
TOO_LONG = N_("The link of this goal would have {n} characters, and at most {most} are read. Use fewer points.")
COSTS = N_("costs: the classes have different costs, which a goal cannot have. Set both costs to 1 in the Lab.")
_FORMULA = re.compile(r"(\$[^$]+\$)")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#!|~:&])")


def step_of(link: str) -> str:
    """Return the step that opens the goal of a link. Different goals have different steps, and so different boards."""
    return f"{OWN_GOAL}-{sha256(link.encode()).hexdigest()[:8]}"


def goal_of(session: Session) -> Goal | None:
    """Return the goal in the address, or None if another task is open. Raises BadInput if it cannot be read."""
    step = session.lessons.open_steps.get(PAGE)
    if not is_own_goal(step):
        return None
    if not session.link.goal:
        raise BadInput(MISSING)
    goal = goal_from_link(session.link.goal)
    return replace(goal, key=str(step), title=goal.title or UNTITLED, situation=as_written(goal.situation))


def open_goal(session: Session, goal: Goal) -> None:
    """Open a goal that somebody has made. Raises BadInput if it is too long for an address."""
    link = goal.to_link()
    if len(link) > MAX_LINK:
        raise BadInput(TOO_LONG, n=len(link), most=MAX_LINK)
    session.link = replace(session.link, goal=link)
    session.lessons.open_steps[PAGE] = step_of(link)
    session.lessons.prepared_step = None


def board_of(lab: Lab) -> Board:
    """Return a board of the app as the start of a goal. Raises BadInput if a goal cannot have such a board."""
    problem = lab.problem
    if not problem.has_equal_costs:
        raise BadInput(COSTS)
    rows = tuple((p.x / 1000, p.y / 1000, p.label) for p in lab.points)
    return Board(rows, problem.kernel, problem.C, problem.bias)


def as_written(text: str) -> str:
    """Return words of other people as Markdown that shows them as they are: only formulas between dollars are set."""
    parts = _FORMULA.split(text)
    return "".join(part if _FORMULA.fullmatch(part) else _MARKDOWN.sub(r"\\\1", part) for part in parts)
