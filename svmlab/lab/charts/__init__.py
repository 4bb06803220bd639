"""The parts of every chart: palette, frame, labels, lines and marks, all pure.

`show` puts a figure on a page.
"""
