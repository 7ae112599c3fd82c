"""Slow, literal implementations to test against: one loop per sample, written from the papers' pseudo-code.

Label sets are Python sets of column numbers; ``q`` is the number of concepts. Nothing here
imports the project.
"""
