"""Algorithms on bare arrays: one a file."""
