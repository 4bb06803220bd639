"""The parts of the charts of the app: marks, curves, rows and the error map, all pure.

`show` puts a figure on a page. Palette, frame, labels and lines are those of `svmlab.plot`.
"""
