"""The optimum as a function of its upper bound, followed from one breakpoint to the next."""
