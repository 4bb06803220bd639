"""Algorithms on bare arrays: one a file. cvxopt is imported in `qp` alone."""
