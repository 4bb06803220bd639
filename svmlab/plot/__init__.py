"""Figures for notebooks (extra `plot`), and the colours and axes that the app shares with them."""

try:
    from svmlab.plot.figures import boundary, classes, path, pegasos, regression
except ImportError as error:
    raise ImportError(
        "svmlab.plot needs plotly; the rest of svmlab does without. Install it: python -m pip install 'plotly>=6,<8'."
    ) from error

__all__ = ["boundary", "classes", "path", "pegasos", "regression"]
