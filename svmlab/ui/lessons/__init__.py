"""The lessons: what each step asks, shows and checks. `svmlab.ui.lesson` runs them, `svmlab.ui.words` has their words."""
