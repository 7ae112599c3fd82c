"""Measures: formulas on the totals of a statistic, one module per family."""
