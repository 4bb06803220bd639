"""Numbers of the library computed again by their definitions, on a few fixed examples.

A check compares its statement with the points on the board. Some parts of the library do not matter on most boards.
The functions here compute such parts again, with loops and formulas as a textbook has them. Each returns the largest
difference, which is 0 up to rounding.
"""
