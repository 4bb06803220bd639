"""Words beside long work."""

RUNNING = "Running, {done}"
CANCEL = "Cancel"
CANCELLED = "Cancelled."
AGAIN = "Run"
FAILED = "The run failed. Change the points or λ and try again."
