"""Whether a hyperplane separates two classes, decided in exact arithmetic where doubles do not suffice."""
