"""The lessons: what each step asks, shows and checks. `svmlab.lab.teach.lesson` runs them."""
