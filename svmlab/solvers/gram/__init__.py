"""The Gram matrix of a problem in the form that suits its size: dense, row by row, or as a product of features."""
