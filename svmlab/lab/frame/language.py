"""The language of the server, named in the environment, and the table of the catalogues of other languages."""

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
    """Return the language that the environment names, or English if it names none or an unknown one."""
    return LANGUAGES.get(os.environ.get(VARIABLE, "en"), ENGLISH)


def _of_page() -> NullTranslations | None:
    """Return the language of the session whose page, or part of one, this thread runs."""
    run = get_script_run_ctx(suppress_warning=True)
    session = run.session_state["lab"] if run is not None and "lab" in run.session_state else None
    return session.translations if isinstance(session, Session) else None


words.set_page_language(_of_page)
