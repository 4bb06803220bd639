"""The app: rooms that read one state and show results; no mathematics but what one lesson alone needs."""
