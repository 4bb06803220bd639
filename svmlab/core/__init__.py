"""What every other room is built on: arrays, errors, translatable phrases, and the rules for what comes in."""
