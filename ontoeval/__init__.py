"""Ontology-aware and hierarchical evaluation of multi-label predictions.

Everything public is named here and imported when it is first used, so that importing the package
costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ontoeval._version import __version__ as __version__

if TYPE_CHECKING:
    from ontoeval import ontologies as ontologies
    from ontoeval.agreements.annotations import Annotations as Annotations
    from ontoeval.agreements.confusions import annotator_confusion as annotator_confusion
    from ontoeval.agreements.consensus import consensus as consensus
    from ontoeval.agreements.result import Agreement as Agreement
    from ontoeval.agreements.result import agreement as agreement
    from ontoeval.agreements.sufficiency import sufficiency as sufficiency
    from ontoeval.annotators import simulate_annotators as simulate_annotators
    from ontoeval.audit.finding import Finding as Finding
    from ontoeval.audit.findings import Findings as Findings
    from ontoeval.audit.fixing import correct_labels as correct_labels
    from ontoeval.audit.labels import audit_labels as audit_labels
    from ontoeval.audit.ontology import audit_ontology as audit_ontology
    from ontoeval.axioms import AXIOMS as AXIOMS
    from ontoeval.baselines import BASELINES as BASELINES
    from ontoeval.baselines import baseline as baseline
    from ontoeval.batch import Batch as Batch
    from ontoeval.batch import ScoredBatch as ScoredBatch
    from ontoeval.batch import align as align
    from ontoeval.behaviours import Behaviour as Behaviour
    from ontoeval.behaviours import behaviour as behaviour
    from ontoeval.benchmarks.running import run_benchmark as run_benchmark
    from ontoeval.benchmarks.verifying import verify as verify
    from ontoeval.comparison import Comparison as Comparison
    from ontoeval.comparison import Plan as Plan
    from ontoeval.comparison import compare as compare
    from ontoeval.concept_counts import ConceptCounts as ConceptCounts
    from ontoeval.concept_counts import one_vs_rest as one_vs_rest
    from ontoeval.confusion import ConfusionMatrix as ConfusionMatrix
    from ontoeval.confusion import confusion_matrix as confusion_matrix
    from ontoeval.constraints import Exclusion as Exclusion
    from ontoeval.constraints import Requirement as Requirement
    from ontoeval.cooccurrence import CoOccurrence as CoOccurrence
    from ontoeval.corpus import information_accretion as information_accretion
    from ontoeval.corpus import information_content as information_content
    from ontoeval.corpus import with_information as with_information
    from ontoeval.costs import cost_between as cost_between
    from ontoeval.curves import ScoreCurve as ScoreCurve
    from ontoeval.curves import curve as curve
    from ontoeval.data_sets import FriedmanTest as FriedmanTest
    from ontoeval.data_sets import friedman as friedman
    from ontoeval.differences import Difference as Difference
    from ontoeval.differences import difference as difference
    from ontoeval.errors import OntoevalError as OntoevalError
    from ontoeval.evaluation import Evaluation as Evaluation
    from ontoeval.evaluation import evaluate as evaluate
    from ontoeval.evaluation import score as score
    from ontoeval.explanation import Explanation as Explanation
    from ontoeval.explanation import explain as explain
    from ontoeval.hierarchy import Hierarchy as Hierarchy
    from ontoeval.io import read_agreement as read_agreement
    from ontoeval.io import read_annotations as read_annotations
    from ontoeval.io import read_label_chunks as read_label_chunks
    from ontoeval.io import read_labels as read_labels
    from ontoeval.io import read_scores as read_scores
    from ontoeval.io import read_verified_labels as read_verified_labels
    from ontoeval.io import read_weights as read_weights
    from ontoeval.io import write_labels as write_labels
    from ontoeval.labels import LabelSets as LabelSets
    from ontoeval.measures.catalogue import CATALOGUE as CATALOGUE
    from ontoeval.measures.catalogue import name as name
    from ontoeval.measures.catalogue import parse as parse
    from ontoeval.migration import Migration as Migration
    from ontoeval.migration import migrate as migrate
    from ontoeval.ontology import Ontology as Ontology
    from ontoeval.ontology import read_ontology as read_ontology
    from ontoeval.perturbation import PERTURBATIONS as PERTURBATIONS
    from ontoeval.perturbation import ChangedHierarchy as ChangedHierarchy
    from ontoeval.perturbation import collapse_level as collapse_level
    from ontoeval.perturbation import insert_nodes as insert_nodes
    from ontoeval.perturbation import merge_siblings as merge_siblings
    from ontoeval.perturbation import perturb as perturb
    from ontoeval.perturbation import perturbable as perturbable
    from ontoeval.presets import preset as preset
    from ontoeval.rank_correlation import CORRELATIONS as CORRELATIONS
    from ontoeval.rank_correlation import correlation_matrix as correlation_matrix
    from ontoeval.report import figures as figures
    from ontoeval.report.bibliography import cite as cite
    from ontoeval.resampling import Bootstrap as Bootstrap
    from ontoeval.scores import LabelScores as LabelScores
    from ontoeval.similarities import similarity as similarity
    from ontoeval.studies import Changes as Changes
    from ontoeval.studies import Study as Study
    from ontoeval.studies import study as study
    from ontoeval.studies import study_of as study_of
    from ontoeval.sweeps import Sweep as Sweep
    from ontoeval.sweeps import sweep as sweep
    from ontoeval.tensor import ConfusionTensor as ConfusionTensor
    from ontoeval.tensor import confusion_tensor as confusion_tensor
    from ontoeval.totals import Totals as Totals
    from ontoeval.totals import collect as collect
    from ontoeval.totals import merge as merge
    from ontoeval.validation import validate as validate
    from ontoeval.verified import VerifiedLabels as VerifiedLabels
    from ontoeval.vocabulary import Vocabulary as Vocabulary
    from ontoeval.weighting import with_agreement as with_agreement

_HOMES = {
    "agreements.annotations": ("Annotations",),
    "agreements.confusions": ("annotator_confusion",),
    "agreements.consensus": ("consensus",),
    "agreements.result": ("Agreement", "agreement"),
    "agreements.sufficiency": ("sufficiency",),
    "annotators": ("simulate_annotators",),
    "axioms": ("AXIOMS",),
    "baselines": ("BASELINES", "baseline"),
    "audit.finding": ("Finding",),
    "audit.findings": ("Findings",),
    "audit.fixing": ("correct_labels",),
    "audit.labels": ("audit_labels",),
    "audit.ontology": ("audit_ontology",),
    "batch": ("Batch", "ScoredBatch", "align"),
    "behaviours": ("Behaviour", "behaviour"),
    "benchmarks.running": ("run_benchmark",),
    "benchmarks.verifying": ("verify",),
    "comparison": ("Comparison", "Plan", "compare"),
    "concept_counts": ("ConceptCounts", "one_vs_rest"),
    "confusion": ("ConfusionMatrix", "confusion_matrix"),
    "constraints": ("Exclusion", "Requirement"),
    "cooccurrence": ("CoOccurrence",),
    "corpus": ("information_accretion", "information_content", "with_information"),
    "costs": ("cost_between",),
    "curves": ("ScoreCurve", "curve"),
    "data_sets": ("FriedmanTest", "friedman"),
    "differences": ("Difference", "difference"),
    "errors": ("OntoevalError",),
    "evaluation": ("Evaluation", "evaluate", "score"),
    "explanation": ("Explanation", "explain"),
    "hierarchy": ("Hierarchy",),
    "io": (
        "read_agreement",
        "read_annotations",
        "read_label_chunks",
        "read_labels",
        "read_scores",
        "read_verified_labels",
        "read_weights",
        "write_labels",
    ),
    "labels": ("LabelSets",),
    "measures.catalogue": ("CATALOGUE", "name", "parse"),
    "migration": ("Migration", "migrate"),
    "ontology": ("Ontology", "read_ontology"),
    "perturbation": (
        "PERTURBATIONS",
        "ChangedHierarchy",
        "collapse_level",
        "insert_nodes",
        "merge_siblings",
        "perturb",
        "perturbable",
    ),
    "presets": ("preset",),
    "rank_correlation": ("CORRELATIONS", "correlation_matrix"),
    "resampling": ("Bootstrap",),
    "report.bibliography": ("cite",),
    "scores": ("LabelScores",),
    "studies": ("Changes", "Study", "study", "study_of"),
    "sweeps": ("Sweep", "sweep"),
    "tensor": ("ConfusionTensor", "confusion_tensor"),
    "similarities": ("similarity",),
    "totals": ("Totals", "collect", "merge"),
    "validation": ("validate",),
    "verified": ("VerifiedLabels",),
    "vocabulary": ("Vocabulary",),
    "weighting": ("with_agreement",),
}
_HOME = {public: home for home, names in _HOMES.items() for public in names}

_MODULES = {"figures": "report.figures", "ontologies": "ontologies"}

__all__ = ["__version__", *_MODULES, *sorted(_HOME)]  # noqa: PLE0604 - all of them are texts


def __getattr__(public: str) -> Any:  # noqa: ANN401 - whatever is public
    """Import a public name from its home when it is first used."""
    if public in _MODULES:
        return import_module(f"ontoeval.{_MODULES[public]}")
    if public not in _HOME:
        raise AttributeError(f"module 'ontoeval' has no attribute {public!r}")
    value = getattr(import_module(f"ontoeval.{_HOME[public]}"), public)
    globals()[public] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
