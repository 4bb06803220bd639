"""The first screen: what this is, where to start, and a board at which one can drag at once."""
