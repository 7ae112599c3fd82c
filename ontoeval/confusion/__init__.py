"""Confusion: the matrices of the literature, the tensor, and one concept against the rest."""
