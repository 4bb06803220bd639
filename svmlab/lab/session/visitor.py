"""Find out whether the visitor of a page is still there, at any later time and from any thread."""

from __future__ import annotations

from time import monotonic

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

GRACE = 10.0  # seconds that a visitor may be away while a network recovers or a server is replaced


class Visitor:
    """The visitor of the page that is running when this is created; unknown if no server runs the page."""

    def __init__(self) -> None:
        context = get_script_run_ctx(suppress_warning=True)  # the only way to get the session's id
        self._id = context.session_id if context is not None else None
        self._away: float | None = None  # when the visitor was first found to be away

    def is_gone(self) -> bool:
        """Return whether the visitor has been away for GRACE seconds."""
        if self._here():
            self._away = None
            return False
        self._away = monotonic() if self._away is None else self._away
        return monotonic() - self._away >= GRACE

    def _here(self) -> bool:
        if self._id is None:
            return True
        try:
            # a stand-in for the server in tests returns neither True nor False
            return runtime.get_instance().is_active_session(self._id) is not False
        except RuntimeError:  # no server
            return True
