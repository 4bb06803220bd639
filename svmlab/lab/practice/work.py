"""What a person has done on one task in this tab. The browser keeps more of it over days (`svmlab.lab.frame.kept`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from svmlab.practice import Judgement


@dataclass
class Work:
    """The work on one task.

    given: the last answer. judgement: what was said to it. unreadable: why it could not be read. hints: how many are
    open. revealed: whether the solution was shown. reached: whether the present board reaches the goal. solved: whether
    the task was ever solved. is_recorded: whether the answer comes from the address and was judged before, so that the
    browser keeps it already.
    """

    given: tuple[Any, ...] = ()
    judgement: Judgement | None = None
    unreadable: str = ""
    tries: int = 0
    hints: int = 0
    revealed: bool = False
    reached: bool | None = None
    solved: bool = False
    is_recorded: bool = False

    @property
    def right(self) -> bool | None:
        """Return whether the last answer or the present board is right, or None if there is no answer that counts."""
        if self.judgement is None:
            return self.reached
        return self.judgement.right if self.judgement.is_complete else None


def work_on(name: str) -> Work:
    """Return the work on a task by the name of the task, or of the board on which it is played."""
    done: dict[str, Work] = st.session_state.setdefault("practice_work", {})
    return done.setdefault(name, Work())
