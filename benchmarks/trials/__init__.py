"""Problems to try the solver on, and the referees that judge its answers."""
