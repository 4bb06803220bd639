"""The glossary: every term and symbol of the app, said once."""

from svmlab.lab.glossary import descent, duality, kernels, margin, soft
from svmlab.lab.glossary.term import Term

TERMS: dict[str, Term] = {term.key: term for theme in (margin, duality, soft, kernels, descent) for term in theme.TERMS}
