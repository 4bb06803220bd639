"""Plotly figures, pure: a result in, a figure out."""
