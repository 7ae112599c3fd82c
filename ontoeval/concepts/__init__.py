"""Concepts of a hierarchy: costs, relatedness, information content, weights and rules."""
