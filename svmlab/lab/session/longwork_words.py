"""Words beside long work."""

RUNNING = "Running, {done}"
CANCEL = "Cancel"
CANCELLED = "Cancelled."
AGAIN = "Run"
