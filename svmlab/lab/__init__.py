"""The app: its rooms read one state and show results. Mathematics stands here only where a single lesson needs it."""
