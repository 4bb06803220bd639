"""The interface: one state, one cache, one table of words; no mathematics."""
