"""The Gram matrix of a problem in the form that its size asks for: whole, row by row, or as a product of features."""
