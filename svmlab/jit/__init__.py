"""The only package that uses numba: it compiles loops to machine code and keeps that code."""
