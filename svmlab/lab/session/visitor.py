"""Whether the visitor whose page runs is still there: to be asked later, from any thread."""

from __future__ import annotations

from time import monotonic

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

GRACE = 10.0  # seconds that a visitor may be away: a network that comes back, a server that is replaced


class Visitor:
    """Whoever has the page that runs where this is made; nobody in particular where no server runs it."""

    def __init__(self) -> None:
        context = get_script_run_ctx(suppress_warning=True)  # Streamlit tells the name of a session by no other way
        self._id = context.session_id if context is not None else None
        self._away: float | None = None  # since when he was seen no more

    def is_gone(self) -> bool:
        """Whether he has been away for GRACE seconds."""
        if self._here():
            self._away = None
            return False
        self._away = monotonic() if self._away is None else self._away
        return monotonic() - self._away >= GRACE

    def _here(self) -> bool:
        if self._id is None:
            return True
        try:
            # what tests have in the place of a server answers neither True nor False
            return runtime.get_instance().is_active_session(self._id) is not False
        except RuntimeError:  # no server
            return True
