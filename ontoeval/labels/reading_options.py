"""The options by which an ontology and label files are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from ontoeval.core.choices import ScoreRepeats
from ontoeval.core.names import Show
from ontoeval.errors import ParameterError
from ontoeval.labels.formats import LabelFormat
from ontoeval.ontology.file_formats import Cycles, Direction, OntologyFormat
from ontoeval.options import Opt, flag, flat

Absent = Literal["error", "empty", "label"]
"""Treatment of words that may stand for a missing value, such as NA."""

Unknown = Literal["error", "drop"]
"""Treatment of labels that are no concepts."""

Uncertain = Literal["missing", "absent", "present"]
"""Meaning of an annotator's "perhaps"."""

AnnotationRepeats = Literal["refuse", "merge"]
"""Duplicate annotations: refuse them, or merge them."""

ColumnsAre = Literal["annotators", "concepts"]
"""Meaning of the remaining columns of a table of annotations."""

ColumnNames = str | int | Sequence[str | int] | None
"""Titles or numbers of a column; of several the first that a table has counts."""

_titled = partial(Opt, panel="Label files", metavar="COLUMN")
_ontology, _labels = (partial(Opt, panel=heading) for heading in ("Ontology", "Label files"))

ONTOLOGY = _ontology(
    "Ontology file, or the name of a shipped one, such as photo.", metavar="FILE", brief=True
)


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How the ontology and the label files of one call are read."""

    ontology: Annotated[str | None, ONTOLOGY] = None
    root: Annotated[
        tuple[str, ...],
        _ontology(
            "Use only this branch of the ontology; can be repeated. By default all of it.", metavar="CONCEPT"
        ),
    ] = ()
    relation: Annotated[
        tuple[str, ...],
        _ontology(
            "Relation that makes links beside is-a, such as part_of, from a child to its parent; can be "
            "repeated."
        ),
    ] = ()
    imports: Annotated[
        tuple[str, ...],
        _ontology(
            "File of an ontology that the ontology imports by this IRI; or a catalogue of imports, such "
            "as Protégé's catalog-v001.xml; can be repeated.",
            metavar="IRI=FILE",
            flags=("--import",),
        ),
    ] = ()
    language: Annotated[
        str | None,
        _ontology(
            "Language of the labels by which concepts may be named, such as de; by default English.",
            metavar="TAG",
        ),
    ] = None
    abstract: Annotated[
        tuple[str, ...],
        _ontology(
            "Concept that is never a label, in addition to those that the ontology marks; can be repeated.",
            metavar="CONCEPT",
        ),
    ] = ()
    concepts: Annotated[
        Path | None, _ontology("File that lists the concepts that may be labels; all others are abstract.")
    ] = None
    ontology_format: Annotated[
        OntologyFormat | None, _ontology("Format of the ontology file; by default recognised.")
    ] = None
    direction: Annotated[
        Direction | None,
        _ontology(
            "Whether links of the ontology file begin with the child or with the parent; by default "
            "recognised."
        ),
    ] = None
    cycles: Annotated[
        Cycles,
        _ontology("Cycles of the ontology: refuse them, or break them by cutting links, which are listed."),
    ] = "refuse"
    concept_map: Annotated[Path | None, _labels("File that translates labels: label,concept.")] = None
    input_format: Annotated[
        LabelFormat | None, _labels("Format of the label files; by default recognised.")
    ] = None
    sample_column: Annotated[
        tuple[str, ...],
        _titled(
            "Column of the samples: its title, or its number from 1; can be repeated, and the first that a "
            "file has counts. By default recognised."
        ),
    ] = ()
    concept_column: Annotated[
        tuple[str, ...], _titled("Column of the concepts or labels; by default recognised.")
    ] = ()
    value_column: Annotated[
        tuple[str, ...], _titled("Column of scores, or of 1 and 0 if verified; by default recognised.")
    ] = ()
    negation_column: Annotated[
        tuple[str, ...],
        _titled(
            "Column that marks labels as absent by NOT, excluded or absent; these are left out and counted, "
            "or with --negative read as verified. By default recognised."
        ),
    ] = ()
    header: Annotated[
        bool,
        _labels(
            "Whether tables begin with a row of titles; if not, name columns by number, from 1.",
            flags=("--header/--no-header",),
        ),
    ] = True
    separator: Annotated[
        str | None,
        _labels("Separator of several labels in one field; by default recognised.", metavar="TEXT"),
    ] = None
    unknown: Annotated[
        Unknown, _labels("Labels that are no concepts: refuse them, or drop and count them.")
    ] = "error"
    na: Annotated[
        Absent,
        _labels(
            "Labels NA, N/A, NaN, null and None that are no known concepts: refuse them, read no label, or "
            "take them as labels."
        ),
    ] = "error"
    threshold: Annotated[
        str | None,
        _labels(
            "Least score that makes a label, in files of scores: a number, or a file concept,threshold.",
            metavar="NUMBER|FILE",
            brief=True,
        ),
    ] = None
    repeats: Annotated[
        ScoreRepeats | None,
        _labels(
            "Several scores of one (sample, concept) pair in a file: refuse them, or use the highest or "
            "the first; they are counted. By default refuse, and max with --preset cafa."
        ),
    ] = None
    close: Annotated[bool, _labels("Add the ancestors of each label, except abstract ones.")] = False
    show: Annotated[
        Show,
        Opt(
            "How concepts are shown: by label, by the name that result files have (id), or by both.",
            panel="Output",
        ),
    ] = "label"

    def __post_init__(self) -> None:
        """Refuse options of an ontology without one."""
        if self.ontology is not None:
            return
        for name, option in flat(ReadingOptions).items():
            value = getattr(self, name)
            if (
                option.opt.panel == ONTOLOGY.panel
                and name != "concepts"
                and value
                and value != option.default
            ):
                raise ParameterError(
                    (option.opt.flags or (flag(name),))[0],
                    list(value) if option.several else value,
                    "an --ontology beside it",
                )
