"""What every chart is made of: palette, frame, labels, lines and marks, pure; and `show`, which puts a figure on a
page.
"""
