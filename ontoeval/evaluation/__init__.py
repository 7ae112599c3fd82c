"""Scores of one run: collect, merge and score; explanations, groups, slices and sweeps."""
