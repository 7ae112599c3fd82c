"""Numbers of concepts in files: agreements, thresholds and weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from types import MappingProxyType

from ontoeval.core.frames import by_names
from ontoeval.core.graphs import AnyOntology, front_door
from ontoeval.core.showing import Brief
from ontoeval.errors import InputError, enumerate_some, located, pluralise_all
from ontoeval.labels.cells import parse_number
from ontoeval.labels.name_resolution import Names, rows_by_role
from ontoeval.labels.reading_options import NameOptions
from ontoeval.labels.sources import LabelSource, read_source
from ontoeval.plumbing.checks import real_number, unit_interval_or_none
from ontoeval.plumbing.column_titles import CONCEPT
from ontoeval.plumbing.files import FilePath

_COLUMNS = CONCEPT | {"name", "iri"}
_DEFAULTS = {
    "agreement": ", or a default (default=, --agreement-default).",
    "weight": ", or in Python a default (default=).",
}


@dataclass(frozen=True, eq=False, repr=False)
class ConceptValues(Brief, Mapping[str, float]):
    """A number for each concept that may be a label.

    Parameters
    ----------
    by_concept
        The numbers, in the order of the concepts.
    source
        File that they come from.
    filled
        Concepts that the file lacks: they have the default, or no threshold.
    unused
        Names in the file that are no such concepts.
    """

    by_concept: Mapping[str, float]
    source: str = ""
    filled: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()

    @property
    def _brief(self) -> str:
        return pluralise_all(concept=len(self))

    def __getitem__(self, concept: str) -> float:
        """Give the number of a concept."""
        return self.by_concept[concept]

    def __iter__(self) -> Iterator[str]:
        """Go through the concepts in their order."""
        return iter(self.by_concept)

    def __len__(self) -> int:
        """Count the concepts."""
        return len(self.by_concept)


@front_door
def read_agreement(
    source: FilePath | Mapping[str, float],
    ontology: AnyOntology | None = None,
    *,
    default: float | None = None,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
) -> ConceptValues:
    """Read the annotators' agreement on each concept.

    Parameters
    ----------
    source
        A CSV or TSV file with the columns "concept" and "agreement", or a mapping.
    ontology
        Has the concepts that may be labels, and their names.
    default
        The agreement of concepts that have none.
    concepts
        The concepts that may be labels; by default all of the ontology.
    concept_map
        Translates names.

    Returns
    -------
    mapping of str to float
        A number in [0, 1] for every concept that may be a label, or that the file has.

    Raises
    ------
    InputError
        If an agreement is not in [0, 1], or a concept has none, or two.

    Examples
    --------
    >>> dict(read_agreement({"trees": 0.96, "sky": 0.9}))
    {'trees': 0.96, 'sky': 0.9}
    """
    names = Names.from_options(ontology, NameOptions(concepts, concept_map))
    default = unit_interval_or_none("default", default)
    return _values(source, names, "agreement", default=default, bounds=(0, 1))


@front_door
def read_weights(
    source: FilePath | Mapping[str, float],
    ontology: AnyOntology | None = None,
    *,
    default: float | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
) -> ConceptValues:
    """Read the weight of each concept, such as its information content.

    Parameters
    ----------
    source
        A CSV or TSV file with the columns "concept" and "weight", or without a header, as CAFA's files of
        information accretion; or a mapping.
    ontology
        Has the concepts that need a weight, abstract ones too.
    default
        The weight of concepts that have none.
    concept_map
        Translates names.

    Returns
    -------
    mapping of str to float
        A number of at least 0 for every concept, for `Hierarchy.with_weight`.

    Raises
    ------
    InputError
        If a weight is no number of at least 0, or a concept has none, or two.

    Examples
    --------
    >>> weights = read_weights({"plants": 0.5, "trees": 1})
    >>> from ontoeval import Hierarchy
    >>> hierarchy = Hierarchy.from_edges([("plants", "trees")])
    >>> hierarchy.with_weight("ic", weights).weights["ic"]
    array([0.5, 1. ])
    """
    names = Names.from_options(ontology, NameOptions(concept_map=concept_map))
    if ontology is not None:
        names = replace(names, vocabulary=ontology.hierarchy().vocabulary)
    if default is not None:
        default = real_number("default", default, expected="None or a number of at least 0")
    return _values(source, names, "weight", default=default, bounds=(0, inf))


@front_door
def read_thresholds(
    source: FilePath | Mapping[str, float],
    ontology: AnyOntology | None = None,
    *,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
) -> ConceptValues:
    """Read the threshold of each concept: the least score that makes a label.

    Parameters
    ----------
    source
        A CSV or TSV file with the columns "concept" and "threshold", a JSON object of numbers by concept,
        or a mapping.
    ontology
        Has the concepts that may be labels, and their names.
    concepts
        The concepts that may be labels; by default all of the ontology.
    concept_map
        Translates names.

    Returns
    -------
    mapping of str to float
        The numbers that the source has, by concept; a concept without scores needs none.

    Raises
    ------
    InputError
        If a threshold is no number, or a concept has two.

    Examples
    --------
    >>> dict(read_thresholds({"trees": 0.3, "sky": 0.5}))
    {'trees': 0.3, 'sky': 0.5}
    """
    names = Names.from_options(ontology, NameOptions(concepts, concept_map))
    return thresholds_by(names, source)


def thresholds_by(names: Names, source: FilePath | Mapping[str, float]) -> ConceptValues:
    """Read thresholds as `read_thresholds` does, with given names."""
    return _values(source, names, "threshold", default=None, bounds=None)


def _values(
    source: FilePath | Mapping[str, float],
    names: Names,
    kind: str,
    *,
    default: float | None,
    bounds: tuple[float, float] | None,
) -> ConceptValues:
    where, rows = _read_entries(source, kind)
    found: dict[str, tuple[float, str]] = {}
    for spelling, text, place in rows:
        value = parse_number(text)
        if value is None or (bounds is not None and not bounds[0] <= value <= bounds[1]):
            expected = {"agreement": "a number from 0 to 1", "weight": "a finite number of at least 0"}.get(
                kind, "a finite number"
            )
            problem = f"the {kind} of {spelling!r} is {text!r}"
            raise InputError(problem, f"Write {expected}.", where=", ".join(filter(None, (where, place))))
        if spelling in found:
            raise _two_values_error(spelling, spelling, found[spelling][1], place, where)
        found[spelling] = value, place
    spellings = list(found)
    vocabulary, columns, _ = names.columns(
        spellings, [place for _, place in found.values()], where, in_order=True, any_concept=True
    )
    first: dict[int, str] = {}
    for spelling, column in zip(spellings, columns.tolist(), strict=True):
        if column >= 0 and first.setdefault(column, spelling) != spelling:
            raise _two_values_error(
                spelling, first[column], found[first[column]][1], found[spelling][1], where
            )
    values = {vocabulary[column]: found[spelling][0] for column, spelling in first.items()}
    filled = tuple(concept for concept in vocabulary if concept not in values)
    if filled and default is None and kind != "threshold":  # which only concepts with scores need
        problem = f"no {kind} for {len(filled):,} of {len(vocabulary):,} concepts: {enumerate_some(filled)}"
        raise InputError(problem, "Give each concept one" + _DEFAULTS.get(kind, "."), where=where)
    complete = {concept: values.get(concept, default) for concept in vocabulary}
    return ConceptValues(
        MappingProxyType({concept: float(value) for concept, value in complete.items() if value is not None}),
        where,
        filled,
        tuple(spelling for spelling, column in zip(spellings, columns.tolist(), strict=True) if column < 0),
    )


def _read_entries(
    source: FilePath | Mapping[str, float], kind: str
) -> tuple[str, list[tuple[str, str, str]]]:
    source = by_names(kind, source)
    if isinstance(source, Mapping):
        return "", [(str(name), str(value), f"entry {name!r}") for name, value in source.items()]
    file = read_source(source)
    if file.data.lstrip()[:1] in {b"{", b"["}:
        return file.where, [*_entries_of_json(file, kind)]
    if kind == "weight" and (rows := _without_header(file)):
        return file.where, rows
    roles = {"concept": _COLUMNS, kind: {kind, "value"}}
    return file.where, [
        (row["concept"], row[kind], f"row {line:,}") for line, row in rows_by_role(file, roles)
    ]


def _entries_of_json(file: LabelSource, kind: str) -> Iterator[tuple[str, str, str]]:
    """Take the numbers of an object by concept, or of records, such as those of a table of ours."""
    with located(file.where):
        found = file.load(file.data)
        rows = found.get("rows") if isinstance(found, dict) else found
        if not isinstance(rows, list):
            pairs = [*found.items()]
        elif all(isinstance(row, dict) and {"concept", kind} <= row.keys() for row in rows):
            pairs = [(row["concept"], row[kind]) for row in rows]
        else:
            raise InputError(f"no records of concept and {kind}", f'Write {{"concept": {kind}, ...}}.')
    for name, value in pairs:
        yield str(name), str(value), f"entry {name!r}"


def _without_header(file: LabelSource) -> list[tuple[str, str, str]]:
    """Take a name and a number from each line, where the first line holds both; empty otherwise."""
    delimiter = file.delimiter or ","
    first = file.first(delimiter)
    if len(first) != 2 or parse_number(first[1]) is None:  # noqa: PLR2004 - a name and a number
        return []
    return [(row[0].strip(), row[1].strip(), f"row {line:,}") for line, row in file.rows(delimiter)]


def _two_values_error(spelling: str, other: str, first: str, second: str, where: str) -> InputError:
    same = "" if spelling == other else f", which is the same concept as {other!r},"
    return InputError(f"{spelling!r}{same} has two values, in {first} and {second}", "Keep one.", where=where)
