"""Objects that can be drawn in two dimensions: level lines of f, slack segments, lines and hulls."""
