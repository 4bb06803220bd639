"""Build the reference of the package from its docstrings, as pages for a browser: python docs/reference.py FOLDER."""

import re
import sys
from pathlib import Path

import pdoc
import pdoc.render
from jinja2 import pass_context

MODULES = (
    "svmlab",  # with svmlab.pegasos, which it exports
    "svmlab.data",
    "svmlab.kernels",
    "svmlab.firstorder",
    "svmlab.losses",
    "svmlab.generalisation",
    "svmlab.multiclass",
    "svmlab.regression",
    "svmlab.plane",
    "svmlab.plot",
    "svmlab.sklearn",
    "svmlab.statements",
)
OF_MARKDOWN = pdoc.render.env.filters["to_markdown"]


@pass_context
def to_markdown(context, docstring):
    """Return the docstring as Markdown in which <w, x>, xi* and |w| stand for themselves, except in code."""
    lines = OF_MARKDOWN(context, docstring).splitlines()
    return "\n".join(line if line.startswith("    ") else re.sub(r"<(?=\w)|\*", _escaped, line) for line in lines)


def _escaped(match):
    return "&lt;" if match[0] == "<" else "\\*"


if __name__ == "__main__":
    pdoc.render.env.filters["to_markdown"] = to_markdown
    pdoc.render.configure(show_source=False)
    pdoc.pdoc(*MODULES, output_directory=Path(sys.argv[1]))
