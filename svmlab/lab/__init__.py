"""The app: its rooms read one state and show results. It contains only such mathematics as a single lesson needs."""
