"""What options can be, by the names that they take."""

from __future__ import annotations

from typing import Literal, get_args

Best = Literal["highest", "lowest"]
"""Which scores are best."""

Missing = Literal["refuse", "empty"]
"""What is done with samples that only one side has."""

Unknown = Literal["error", "drop"]
"""What is done with labels that are no concepts."""

OutputFormat = Literal["wide", "long"]
"""How label files are written: a row for each sample, or one for each of its labels."""

IntervalMethod = Literal["percentile", "bca"]
"""Bootstrap intervals: percentiles, or bias-corrected and accelerated."""

TestMethod = Literal["randomisation", "bootstrap", "none"]
"""Paired tests of two runs."""

Correction = Literal["tukey", "holm", "none"]
"""Corrections for the number of pairs."""

INTERVALS, TESTS, CORRECTIONS = (get_args(one) for one in (IntervalMethod, TestMethod, Correction))

Coefficient = Literal["majority", "pairwise", "unanimous", "fleiss", "randolph", "ac1", "alpha", "cohen"]
"""Coefficients of agreement: those of all annotators at once, and the mean of Cohen's over their pairs."""

ConsensusMethod = Literal["majority", "consistent", "dawid-skene"]
"""What annotators say together: what most say, this made to fit the ontology, or what a model has."""

Ties = Literal["absent", "present"]
"""What becomes of a label that half of the annotators see."""

Uncertain = Literal["missing", "absent", "present"]
"""What an annotator's "perhaps" stands for."""

Repeats = Literal["refuse", "merge"]
"""Whether what an annotator says again is an error or counts once."""

ScoreRepeats = Literal["refuse", "max", "first"]
"""What is done with the scores of a (sample, concept) pair that has several in one file."""

ColumnsAre = Literal["annotators", "concepts"]
"""What the columns of a table of annotations are that nothing else tells of."""

Severity = Literal["error", "warning", "note"]
"""How bad a finding is, the worst first."""

Axioms = Literal["all", "exclusions", "off"]
"""Which rules of the ontology label sets are to keep: exclusions and requirements, exclusions, or none."""

ConventionName = Literal["closed", "most-specific", "mixed"]
"""Whether label sets hold the ancestors of their labels: all, none, or some."""

ConventionAsked = Literal["infer", ConventionName]
"""A convention, or that it is to be inferred."""
