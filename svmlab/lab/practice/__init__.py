"""The page Practice: a list of tasks, a question with its answer field, and a goal on the board."""
