"""Runs and measures compared: significance, rankings, studies, perturbations, axioms and baselines."""
