"""The page Lab: controls, key figures, inspector, points, certificate and code."""
