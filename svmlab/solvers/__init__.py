"""Algorithms on plain arrays, one in each file."""
