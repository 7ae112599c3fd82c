"""The options by which an ontology and label files are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from ontoeval.core.choices import ScoreRepeats, Threshold
from ontoeval.core.names import Show
from ontoeval.errors import ParameterError
from ontoeval.labels.formats import ANY_LAYOUT, ColumnNames, Layout, label_option
from ontoeval.ontology.file_formats import AS_IT_IS, OntologyReading, ontology_option
from ontoeval.options import Opt, flag, values_of
from ontoeval.plumbing.column_contents import Known
from ontoeval.plumbing.files import FilePath

Absent = Literal["error", "empty", "label"]
"""Treatment of words that may stand for a missing value, such as NA."""

Unknown = Literal["error", "drop"]
"""Treatment of labels that are no concepts."""

Uncertain = Literal["missing", "absent", "present"]
"""Meaning of an annotator's "perhaps"."""

AnnotationRepeats = Literal["refuse", "merge"]
"""Treatment of duplicate annotations."""

ColumnsAre = Literal["annotators", "concepts"]
"""Meaning of the remaining columns of a table of annotations."""

AnyThreshold = FilePath | Threshold
"""Least score that makes a label, or that of each concept, or a file of these."""

_column = partial(Opt, panel="Tables of annotations")

ONTOLOGY = ontology_option(
    "Ontology file, or the name of a shipped one, such as photo.", metavar="FILE", brief=True
)


@dataclass(frozen=True)
class NameOptions:
    """Which concepts may be labels, and what becomes of other names.

    Parameters
    ----------
    concepts, concept_map, unknown, na
        As those of `read_labels`.
    """

    concepts: Annotated[
        FilePath | Iterable[str] | None,
        ontology_option(
            "File that lists the concepts that may be labels; all others are abstract.", kind=Path | None
        ),
    ] = None
    concept_map: Annotated[
        FilePath | Mapping[str, str] | None,
        label_option("File that translates labels: label,concept.", kind=Path | None),
    ] = None
    unknown: Annotated[
        Unknown, label_option("Labels that are no concepts: refuse them, or drop and count them.")
    ] = "error"
    na: Annotated[
        Absent,
        label_option(
            "Labels NA, N/A, NaN, null and None that are no known concepts: refuse them, read no label, or "
            "take them as labels."
        ),
    ] = "error"


ANY_NAMES = NameOptions()


def number_or_path(text: str) -> float | Path:
    """Read the threshold of a command line."""
    with suppress(ValueError):
        return float(text)
    return Path(text)


@dataclass(frozen=True)
class LabelReading:
    """How files of labels, scores and verified labels are read.

    Parameters
    ----------
    names
        The concepts that may be labels; a concept map; labels that are no concepts.
    layout
        Format and columns, as far as they are not recognised.
    threshold, repeats, close, max_bytes
        As those of `read_labels`.
    mixed
        Whether a file may hold labels where a threshold or a reader of scores wants scores.
    known
        Whether texts are concepts, where no list says so: by them columns are found.
    """

    names: NameOptions = ANY_NAMES
    layout: Layout = ANY_LAYOUT
    threshold: Annotated[
        AnyThreshold | None,
        label_option(
            "Least score that makes a label, in files of scores: a number, or a file concept,threshold "
            "or JSON (`ontoeval thresholds` chooses them).",
            metavar="NUMBER|FILE",
            kind=str | None,
            convert=number_or_path,
            brief=True,
        ),
    ] = None
    repeats: Annotated[
        ScoreRepeats | None,
        label_option(
            "Several scores of one (sample, concept) pair in a file: refuse them, or use the highest or "
            "the first; they are counted. By default refuse, and max with --preset cafa."
        ),
    ] = None
    close: Annotated[bool, label_option("Add the ancestors of each label, except abstract ones.")] = False
    max_bytes: int | None = None
    mixed: bool = False
    known: Known | None = None

    @property
    def of_truth(self) -> LabelReading:
        """The options for true labels, to which no threshold applies."""
        return replace(self, threshold=None, layout=replace(self.layout, value_column=None))


AS_RECOGNISED = LabelReading()


@dataclass(frozen=True)
class AnnotationReading:
    """How files of annotations are read.

    Parameters
    ----------
    labels
        What the options of label files are, but for repeated scores.
    uncertain, annotator_column, ignore_columns, columns, repeats
        As those of `read_annotations`.
    """

    labels: LabelReading = AS_RECOGNISED
    uncertain: Annotated[
        Uncertain, Opt("Meaning of -1: not asked (missing), absent, or present.", brief=True)
    ] = "missing"
    annotator_column: Annotated[
        ColumnNames,
        _column(
            "Column of the annotators: its title, or its number; by default recognised.",
            metavar="COLUMN",
            kind=str | None,
        ),
    ] = None
    ignore_columns: Annotated[
        Iterable[str],
        _column(
            "Column that is not read; can be repeated.", flags=("--ignore-column",), kind=tuple[str, ...]
        ),
    ] = ()
    columns: Annotated[
        ColumnsAre | None,
        _column(
            "Remaining columns: 'annotators' (the file's name is the concept; default for one file) or "
            "'concepts' (the file's name is the annotator; default for several)."
        ),
    ] = None
    repeats: Annotated[AnnotationRepeats, _column("Duplicate annotations: refuse them, or merge them.")] = (
        "refuse"
    )


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How the ontology and the label files of one call are read."""

    ontology: Annotated[str | None, ONTOLOGY] = None
    hierarchy: OntologyReading = AS_IT_IS
    imports: Annotated[
        tuple[str, ...],
        ontology_option(
            "File of an ontology that the ontology imports by this IRI; can be repeated.",
            metavar="IRI=FILE",
            flags=("--import",),
        ),
    ] = ()
    labels: LabelReading = AS_RECOGNISED
    show: Annotated[
        Show,
        Opt(
            "How concepts are shown: by label, by the name that result files have (id), or by both.",
            panel="Output",
        ),
    ] = "label"

    def __post_init__(self) -> None:
        """Refuse options of an ontology without one."""
        given = {flag(name): value for name, value in values_of(self.hierarchy).items() if value}
        given |= {"--import": self.imports} if self.imports else {}
        for option, value in given.items() if self.ontology is None else ():
            shown = list(value) if isinstance(value, tuple) else value
            raise ParameterError(option, shown, "an --ontology beside it")
