"""Benchmarks in files: truth and runs are read, scored, compared, studied, and written with a recipe."""
