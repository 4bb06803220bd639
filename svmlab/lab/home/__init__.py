"""The first screen: what this app is, where to start, and a board that can be dragged at once."""
