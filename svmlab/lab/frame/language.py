"""The language that a server speaks, by its name in the environment; catalogues of other languages have their place
here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations

from streamlit.runtime.scriptrunner import get_script_run_ctx

from svmlab.lab import words
from svmlab.lab.frame.pseudo_language import Pseudo
from svmlab.lab.session.tab import Session
from svmlab.lab.words import ENGLISH

VARIABLE = "SVMLAB_LANGUAGE"
LANGUAGES: Mapping[str, NullTranslations] = {"en": ENGLISH, "pseudo": Pseudo()}


@cache
def server_language() -> NullTranslations:
    """What the environment asks for; English where it asks for nothing, or for what is not there."""
    return LANGUAGES.get(os.environ.get(VARIABLE, "en"), ENGLISH)


def _of_page() -> NullTranslations | None:
    """The language of the session that this thread runs a page for, or a part of one."""
    run = get_script_run_ctx(suppress_warning=True)
    session = run.session_state["lab"] if run is not None and "lab" in run.session_state else None
    return session.translations if isinstance(session, Session) else None


words.set_page_language(_of_page)
