"""The lab page: controls, figures, inspector, points, certificate, code."""
