"""First-order methods beside Pegasos: the perceptron, and the subgradient descents of note B."""
