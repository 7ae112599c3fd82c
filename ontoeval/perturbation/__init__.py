"""Perturbations: label sets and hierarchies changed by a known amount, to see how scores follow."""

from ontoeval.perturbation.changed import ChangedHierarchy
from ontoeval.perturbation.hierarchies import collapse_level, insert_nodes, merge_siblings
from ontoeval.perturbation.labels import PERTURBATIONS, perturb, perturbable

__all__ = [
    "PERTURBATIONS",
    "ChangedHierarchy",
    "collapse_level",
    "insert_nodes",
    "merge_siblings",
    "perturb",
    "perturbable",
]
