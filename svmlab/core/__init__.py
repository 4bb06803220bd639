"""The foundation of every other package: arrays, errors, translatable phrases, and the rules for input."""
