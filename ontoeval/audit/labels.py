"""The audit of label sets: all rules, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

import numpy as np

from ontoeval.audit import closure, constraints, label_names, suspects, usage
from ontoeval.audit.choices import Axioms, ConventionAsked
from ontoeval.audit.exchange import check_severities, with_severities
from ontoeval.audit.findings import Findings, Severities, rules_of
from ontoeval.audit.raw_labels import RawLabels, read_raw_labels
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.core.choices import ScoreRepeats
from ontoeval.core.containers import is_document
from ontoeval.core.frames import is_frame
from ontoeval.core.graphs import AnyOntology, front_door, hierarchy_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels, listed_or_sets
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.names import without_blanks, without_zeros
from ontoeval.core.rows import LabelSyntax, Listed
from ontoeval.core.verified import VerifiedLabels
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError, one_of
from ontoeval.labels.formats import ColumnNames, Layout
from ontoeval.labels.name_resolution import Names
from ontoeval.labels.reading import LabelFileReader, read_score_file
from ontoeval.labels.reading_options import AS_RECOGNISED, LabelReading, NameOptions
from ontoeval.ontology.model import Ontology
from ontoeval.plumbing.files import FilePath

_KINDS = (label_names, constraints, closure, usage, suspects)

RULES = rules_of("labels")
"""The rules of an audit of label sets, by name."""


@front_door
def audit_labels(  # noqa: PLR0913 - each is an option
    labels: FilePath | Labels,
    ontology: AnyOntology | None = None,
    *,
    convention: ConventionAsked = "infer",
    axioms: Axioms = "all",
    negative: Literal[0, -1] | None = None,
    scores: FilePath | LabelScores | None = None,
    severities: Severities | None = None,
    classes: Sequence[str] | None = None,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    separator: str | None = None,
    threshold: float | None = None,
    repeats: ScoreRepeats = "refuse",
    sample_column: ColumnNames = None,
    concept_column: ColumnNames = None,
    value_column: ColumnNames = None,
    negation_column: ColumnNames = None,
    header: bool = True,
    max_bytes: int | None = None,
) -> Findings:
    """Find errors in label sets by the rules of an ontology.

    Parameters
    ----------
    labels
        A label file, even one that cannot be read; or what `evaluate` takes, over any names.
    ontology
        The ontology, or a hierarchy. None checks what needs none: samples and rows that are there twice,
        contradict each other or have no labels, and labels that differ in case, blanks or underscores alone.
    convention
        How ancestors are treated: "closed" upwards, "most-specific", "mixed"; or "infer", for each ancestor.
    axioms
        Which rules of the ontology the label sets must keep: "all", "exclusions" alone, or "off".
    negative
        For a file of verified labels, the number of an absent label.
    scores
        Probabilities of the labels of all samples, from a model that was not trained on their labels, such as
        in another fold: a file of scores, a data frame, or `LabelScores`. Labels that they contradict are
        likely errors.
    severities
        For some rules another severity, or "off".
    classes
        Names of the classes that numbers in lists, arrays and frames stand for; see `evaluate`.
    concepts, concept_map, input_format, separator, threshold, repeats
        How a file is read; see `read_labels`. A separator also splits the texts of labels in memory.
    sample_column, concept_column, value_column, negation_column, header, max_bytes
        The columns of a table, and the largest size of a file; see `read_labels`.

    Raises
    ------
    InputError
        If the file cannot be read at all.
    ParameterError
        If an option has no such value.

    Examples
    --------
    >>> hierarchy = [("plants", "trees")]
    >>> labels = LabelSets.from_sets([["plants", "trees"], ["treees"]])
    >>> findings = audit_labels(labels, hierarchy)
    >>> [finding.concepts for finding in findings.of("unknown")]
    [('treees',)]
    """
    columns = sample_column, concept_column, value_column, negation_column
    layout = Layout(input_format, *columns, header=header, separator=separator)
    names = NameOptions(concepts, concept_map)
    reading = LabelReading(names, layout, threshold, repeats, max_bytes=max_bytes)
    options = AuditOptions(convention, axioms, negative, scores, classes, reading)
    return label_findings(resolve_labels(labels, ontology, options), severities=severities)


@dataclass(frozen=True)
class AuditOptions:
    """What labels are compared with, and how a file of labels is read."""

    convention: ConventionAsked = "infer"
    axioms: Axioms = "all"
    negative: Literal[0, -1] | None = None
    scores: FilePath | LabelScores | None = None
    classes: Sequence[str] | None = None
    reading: LabelReading = AS_RECOGNISED

    def __post_init__(self) -> None:
        """Check the values."""
        one_of("convention", self.convention, get_args(ConventionAsked))
        one_of("axioms", self.axioms, get_args(Axioms))
        one_of("negative", self.negative, (None, 0, -1))
        if self.scores is not None and self.negative is not None:
            beside = f"None beside negative={self.negative!r}: all samples and labels are compared"
            raise ParameterError("scores", ..., beside)


def resolve_labels(
    labels: FilePath | Labels, ontology: AnyOntology | None, options: AuditOptions, *, keep: bool = False
) -> ResolvedLabels:
    """Resolve label sets as far as possible; `keep` holds the text of a file for a corrected copy."""
    hierarchy = None if ontology is None else hierarchy_of(ontology)
    collection = isinstance(labels, Mapping | list | tuple) and not is_document(labels)
    if is_frame(labels) or collection:
        syntax = LabelSyntax(options.classes, options.reading.layout.separator)
        labels = listed_or_sets(labels, hierarchy, syntax)
    elif options.classes is not None:
        raise ParameterError("classes", options.classes, "None beside a file, whose labels are texts")
    known = ontology if isinstance(ontology, Ontology) else None
    in_memory = isinstance(labels, LabelSets | VerifiedLabels | Listed)
    reader = LabelFileReader.from_options(known, AS_RECOGNISED if in_memory else options.reading)
    names = reader.names
    raw = read_raw_labels(labels, reader, options.negative, keep=keep)
    rules: dict[str, Any]
    if hierarchy is None:
        rules = {"axioms": "off", "basis": "file" if names.vocabulary is None else "list"}
        names = _names_in(raw, names.concept_map) if names.vocabulary is None else names
        hierarchy = Hierarchy.flat(cast("Vocabulary", names.vocabulary))
    else:
        rules = {"axioms": options.axioms}
        rules["forced"] = None if options.convention == "infer" else options.convention
        names = Names(vocabulary=hierarchy.label_vocabulary) if known is None else names
        hierarchy = hierarchy.with_labels(names.vocabulary or ())
    scores = _scores(options, known, hierarchy)
    return ResolvedLabels(raw, names, hierarchy, scores=scores, **rules)


def _names_in(raw: RawLabels, concept_map: Mapping[str, str]) -> Names:
    """Name concepts by their most frequent spellings."""
    spelling, folded = dict[str, str](), dict[str, str]()
    for code in np.argsort(-raw.counts, kind="stable").tolist():
        text = raw.spellings[code]
        folded[text] = without_zeros(without_blanks(concept_map.get(text, text)))
        spelling.setdefault(folded[text], text)
    if not folded:
        raise InputError("no sample has a label", "Is it the right file?", where=raw.source)
    meant = {text: spelling[same] for text, same in folded.items()}
    return Names(vocabulary=Vocabulary(tuple(sorted({*meant.values()}))), concept_map=meant)


def _scores(options: AuditOptions, known: Ontology | None, hierarchy: Hierarchy) -> LabelScores | None:
    """Read the scores of a model, if there are any; labels that are no concepts are left out."""
    scores, reading = options.scores, options.reading
    if scores is None:
        return None
    if is_frame(scores):
        scores = LabelScores.from_frame(scores)
    if isinstance(scores, LabelScores):
        return scores.named_by(hierarchy.label_vocabulary)
    concepts = list(hierarchy.label_vocabulary) if known is None else reading.names.concepts
    names = NameOptions(concepts, reading.names.concept_map, unknown="drop")
    # The table of scores may have other columns.
    layout = reading.layout.with_optional("sample_column", "concept_column", "value_column")
    layout = replace(layout, input_format=None, negation_column=None, separator=None)
    return read_score_file(scores, known, LabelReading(names, layout, max_bytes=reading.max_bytes)).scores


def label_findings(labels: ResolvedLabels, *, severities: Severities | None = None) -> Findings:
    """Apply all rules."""
    check_severities(severities or {}, RULES)
    found = with_severities((one for kind in _KINDS for one in kind.find(labels)), severities or {})
    if labels.uncorrectable:
        found = [replace(one, fixable=False) if one.fixable else one for one in found]
    facts: dict[str, Any] = {"labels": labels.raw.source, "samples": labels.total}
    if labels.basis == "ontology":
        facts["convention"] = labels.convention.content
    unchecked = {rule for rule, severity in (severities or {}).items() if severity == "off"}
    unchecked |= _unchecked(labels)
    checks = tuple(rule for rule in RULES if rule not in unchecked)
    raw = labels.raw
    return Findings(
        found, facts, hierarchy=labels.hierarchy, samples=raw.samples, lines=raw.lines, checks=checks
    )


def _unchecked(labels: ResolvedLabels) -> set[str]:
    """Name the rules that these labels cannot break, or that were not asked for."""
    told, name = labels.names.ontology is not None, labels.convention.content["name"]
    of_ontology = ("missing-ancestor", "redundant-ancestor", "mixed-convention", "swapped-label")
    rules = {
        "missing-ancestor": name != "closed",
        "doubtful-ancestor": name != "closed" or labels.convention.forced,
        "redundant-ancestor": name != "most-specific",
        "mixed-convention": labels.convention.forced or labels.negative is not None,
        **dict.fromkeys(("negative-ancestor", "contradiction"), labels.negative is None),
        **dict.fromkeys(("deprecated", "replaced", "alternative", "ambiguous", "abstract"), not told),
        **dict.fromkeys(("exclusion", "systematic-exclusion", "doubtful-exclusion"), labels.axioms == "off"),
        **dict.fromkeys(("requirement", "systematic-requirement", "unmeetable"), labels.axioms != "all"),
        **dict.fromkeys(suspects.RULES, labels.scores is None),
        **(dict.fromkeys(of_ontology, True) if labels.basis != "ontology" else {}),
        "unknown": labels.basis == "file",
        "same-labels": bool(labels.raw.subjects),
        "never-used": labels.basis == "file",
    }
    return {rule for rule, unchecked in rules.items() if unchecked}
