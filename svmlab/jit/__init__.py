"""numba behind one door: loops as machine code, and where that code is kept."""
