"""The glossary: every term and symbol of the app, each defined once."""

from svmlab.lab.glossary import descent, duality, extensions, generalisation, kernels, losses, margin, shattering, soft
from svmlab.lab.glossary.term import Term

THEMES = (margin, duality, soft, losses, kernels, descent, generalisation, shattering, extensions)
TERMS: dict[str, Term] = {term.key: term for theme in THEMES for term in theme.TERMS}
