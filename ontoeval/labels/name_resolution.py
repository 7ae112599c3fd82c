"""Concept lists, concept maps, and the resolution of names in files to concepts."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.gate import Known
from ontoeval.core.names import fold
from ontoeval.core.separators import SEPARATORS
from ontoeval.core.vocabulary import NOTHING, Vocabulary, refuse_alike, refuse_nothing
from ontoeval.errors import (
    AmbiguousNameError,
    InputError,
    ParameterError,
    UnknownConceptError,
    enumerate_some,
    located,
    one_of,
    pluralise,
    shortened,
)
from ontoeval.labels.reading_options import ANY_NAMES, Absent, NameOptions, Unknown
from ontoeval.labels.sources import LabelSource, read_source
from ontoeval.labels.sssom import read_sssom, sssom_below
from ontoeval.ontology.model import Ontology
from ontoeval.plumbing.column_titles import SAMPLE, normalise_title, positions, sample_positions
from ontoeval.plumbing.files import FilePath
from ontoeval.plumbing.list_texts import is_structure


def columns_by_role(header: list[str], roles: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Position of each required column, by its usual titles."""
    names = [normalise_title(name) for name in header]
    found: dict[str, int] = {}
    for role, accepted in roles.items():
        places = sample_positions(names) if accepted is SAMPLE else positions(names, accepted)
        if len(places) != 1:
            problem = f"{len(places) or 'no'} columns for the {role} among {enumerate_some(header)}"
            raise InputError(problem, f"Let the first line name the columns: {','.join(roles)}.", row=1)
        found[role] = places[0]
    return found


def rows_by_role(
    source: LabelSource, roles: Mapping[str, Collection[str]]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Go through the rows of a table whose first row names its columns."""
    delimiter = source.delimiter or ","
    with located(source.where):
        position = columns_by_role(source.first(delimiter), roles)
        for line, fields in source.without_header(delimiter).rows(delimiter):
            content = {role: fields[column].strip() for role, column in position.items()}
            for role, text in content.items():
                if not text:
                    raise InputError(f"the {role} is empty", "Fill it in.", row=line)
            yield line, content


HEADER = ("concept", "name", "label")
"""Titles of the column of a concept list; the first that occurs counts."""

_MAP = {"label": {"label", "name", "tag"}, "concept": {"concept", "iri", "uri"}}


@dataclass(frozen=True)
class ConceptList:
    """Concepts as a user lists them."""

    spellings: tuple[str, ...]
    places: tuple[str, ...]
    where: str


def read_concepts(
    source: FilePath | Iterable[str], *, concept_map: FilePath | Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Read a list of concepts, in its order.

    Parameters
    ----------
    source
        A file with one name per line, or with a header and a column called "concept", "name" or
        "label"; or the names themselves.
    concept_map
        Translates the names: see `read_concept_map`.

    Returns
    -------
    tuple of str
        The names, translated where the map has them, and otherwise as they are written.

    Raises
    ------
    InputError
        If the file cannot be read, a name is empty, or there twice.

    Examples
    --------
    >>> read_concepts(["Sky", "Trees"], concept_map={"Trees": "trees"})
    ('Sky', 'trees')
    """
    translate = {} if concept_map is None else read_concept_map(concept_map)
    return tuple(translate.get(name, name) for name in concept_list(source).spellings)


def concept_list(source: FilePath | Iterable[str]) -> ConceptList:
    """Read a concept list and where its names stand; see `read_concepts`."""
    if isinstance(source, str | os.PathLike):
        file = read_source(source)
        where, numbered = file.where, _read_listed_names(file)
    else:
        where = "the list of concepts"
        numbered = ((f"position {number:,}", str(name)) for number, name in enumerate(source, 1))
    first: dict[str, str] = {}
    with located(where):
        for place, name in ((place, name.strip()) for place, name in numbered):
            if not name:
                raise InputError(f"{place} names no concept", "Fill it in.")
            if name in first:
                raise InputError(f"{name!r} is listed twice, in {first[name]} and {place}", "Keep one.")
            first[name] = place
        if not first:
            raise InputError("there is no concept below the header", "Name at least one.")
    return ConceptList(tuple(first), tuple(first.values()), where)


def _read_listed_names(source: LabelSource) -> Iterator[tuple[str, str]]:
    """Give the names of a list, each with its row."""
    delimiter = source.delimiter
    header = [normalise_title(name) for name in source.first(delimiter or ",")]
    column = next((header.index(name) for name in HEADER if name in header), None)
    if column is not None:
        rows = source.without_header(delimiter or ",").rows(delimiter or ",")
        yield from ((f"row {line:,}", fields[column]) for line, fields in rows)
        return
    if delimiter == "\t" or (delimiter is not None and _is_table(source, delimiter)):
        raise InputError(
            f"several columns, {enumerate_some(source.first(delimiter))}, and none is called "
            "'concept', 'name' or 'label'",
            "Let the first line name the columns; where each line is one name, let the first be 'concept', "
            "and quote names that hold commas.",
            row=1,
        )
    # A plain list needs no quotes: "Male speech, man speaking" is one name.
    yield from ((f"row {line:,}", name) for line, name in source.numbered_lines())


def _is_table(source: LabelSource, delimiter: str) -> bool:
    """Whether all rows have the same number of fields, and not only because of commas within names.

    In a name a blank follows the comma; in a table hardly ever.
    """
    first = next(text for text in source.lines() if text.strip())
    if re.search(rf"{delimiter}\S", first) is None:
        return False
    try:
        widths = {len(fields) for _, fields in source.rows(delimiter)}
    except InputError:  # rows of several widths, or quotes within names
        return False
    return widths != {1}


def read_concept_map(source: FilePath | Mapping[str, str]) -> Mapping[str, str]:
    """Read the concept that each label of a file stands for.

    Parameters
    ----------
    source
        A CSV or TSV file with the columns "label" and "concept", or a mapping. Several labels may
        stand for one concept. Or a file of SSSOM, of which mappings by skos:exactMatch, owl:equivalentClass
        and owl:sameAs count: subject, and the subject's label, stand for the object. Or names.dmp of NCBI.

    Returns
    -------
    mapping of str to str
        For each label the concept: its name, label, CURIE or IRI.

    Raises
    ------
    InputError
        If the file cannot be read, a column is not there, or a label stands for two concepts.

    Examples
    --------
    >>> dict(read_concept_map({"Trees": "http://example.org/photo#trees"}))
    {'Trees': 'http://example.org/photo#trees'}
    """
    return concept_map_of(source)[0]


def concept_map_of(source: FilePath | Mapping[str, str]) -> tuple[Mapping[str, str], str]:
    """Read a concept map as `read_concept_map` does, and what was left out of it."""
    if isinstance(source, Mapping):
        if not all(isinstance(one, str) for one in source.values()):
            raise ParameterError("concept_map", dict(source), "a mapping from labels to names, or a file")
        return MappingProxyType(dict(source)), ""
    file = read_source(source)
    table, remark = sssom_below(file), ""
    if _TAXON.match(file.data):
        pairs, remark = _taxa(file)
    elif table is None:
        pairs = [(line, row["label"], row["concept"]) for line, row in rows_by_role(file, _MAP)]
    else:
        pairs, others = read_sssom(file, table)
        if others:
            left_out = pluralise(others.total(), "mapping")
            counts = enumerate_some(f"{name} ({count:,})" for name, count in others.items())
            remark = f"{file.where}: left out {left_out} of terms that are not equal: {counts}"
    found: dict[str, str] = {}
    for line, label, concept in pairs:
        if found.setdefault(label, concept) != concept:
            problem = f"{label!r} stands for {found[label]!r} and for {concept!r}"
            file.refuse(problem, "Keep one of these rows.", line)
    return MappingProxyType(found), remark


_TAXON = re.compile(rb"^(\d+)\t\|\t([^\t\n]*)\t\|\t([^\t\n]*)\t\|\t([^\t\n]*)\t\|$", re.MULTILINE)


def _taxa(file: LabelSource) -> tuple[list[tuple[int, str, str]], str]:
    """Names of taxa in names.dmp of NCBI, which are unique or belong to one taxon; and what was left out."""
    meant: dict[str, str] = {}
    for number, name, unique, _ in (match.groups() for match in _TAXON.finditer(file.data)):
        taxon = number.decode()
        for text in {name.decode(), unique.decode()} - {""}:
            meant[text] = taxon if meant.get(text, taxon) == taxon else ""
    pairs = [(1, name, taxon) for name, taxon in meant.items() if taxon]
    several = len(meant) - len(pairs)
    remark = f"{file.where}: left out {pluralise(several, 'name')} of several taxa" if several else ""
    return pairs, remark


UNKNOWN_REMEDY = (
    "Correct the labels, translate them with a concept map (concept_map=, --concept-map FILE), "
    "or leave them out, counted, with unknown='drop' (--unknown drop)."
)
WRONG_FILE = "Check that these are the right file, column and ontology."
_NA = (
    "Where no label is meant, pass na='empty' (--na empty); where it is the name of one, na='label', or list "
    "the concepts (concepts=, --concepts FILE)."
)
NOT_CHOSEN = (
    "The ontology has them, but the concept list does not: add them to it, "
    "or leave them out, counted, with unknown='drop' (--unknown drop)."
)


MANY_UNKNOWN = 3  # labels, of which none is known: probably those of another ontology
_KEPT = 2**20  # spellings whose columns are kept for later parts
_QUERY = re.compile(r"<?https?://[^\s?]+\?(?:\S*&)?\w+=([^&=\s>]+)>?")


class FoundColumns(NamedTuple):
    """Columns of spellings, and what was left out or renamed."""

    vocabulary: Vocabulary
    columns: NDArray[np.int32]
    translated: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Names:
    """The concepts that may be labels, and the spellings that name each."""

    vocabulary: Vocabulary | None = None
    concept_map: Mapping[str, str] = field(default_factory=dict)
    ontology: Ontology | None = None
    listed: ConceptList | None = None
    chosen: bool = False
    unknown: Unknown = "error"
    na: Absent = "error"
    dropped: tuple[str, ...] = ()
    joined: Mapping[str, str] = field(default_factory=dict)
    remark: str = ""

    @classmethod
    def from_options(cls, ontology: Ontology | None = None, options: NameOptions = ANY_NAMES) -> Names:
        """Take the names from an ontology, a concept list, a concept map, or none of them."""
        one_of("unknown", options.unknown, get_args(Unknown))
        one_of("na", options.na, get_args(Absent))
        if not isinstance(ontology, Ontology | None):
            expected = (
                'an Ontology, a path or the name of a shipped ontology such as "photo"; for the labels of a '
                "hierarchy write concepts=hierarchy.label_vocabulary"
            )
            raise ParameterError("ontology", type(ontology).__name__, expected)
        translated, remark = concept_map_of({} if options.concept_map is None else options.concept_map)
        names = cls(
            vocabulary=None if ontology is None else ontology.hierarchy().label_vocabulary,
            concept_map=translated,
            ontology=ontology,
            remark=remark,
            unknown=options.unknown,
            na=options.na,
        )
        names = replace(names, vocabulary=names._with_mapped_names())
        if options.concepts is None:
            return names
        concepts = concept_list(options.concepts)
        names = replace(names, listed=concepts)
        return names._replace_merged(concepts.spellings)._restrict_to(concepts)  # noqa: SLF001 - it is the same class

    def columns(
        self,
        spellings: Sequence[str],
        places: Sequence[str],
        where: str,
        *,
        in_order: bool = False,
        any_concept: bool = False,
        hint: str = "",
    ) -> FoundColumns:
        """Find the columns of some spellings."""
        vocabulary = self.vocabulary
        if vocabulary is not None and self._found.keys() >= {*spellings}:
            before = [self._found[spelling] for spelling in spellings]
            columns = np.array([column for column, _ in before], dtype=np.int32)
            named = zip(spellings, before, strict=True)
            return FoundColumns(vocabulary, columns, {text: name for text, (_, name) in named if name})
        concepts, translated = self._concepts(spellings, places, where, hint)
        if vocabulary is None:
            met = dict.fromkeys(concept for concept in concepts if concept is not None)
            refuse_alike(met, lambda name: places[concepts.index(name)], where=where)
            vocabulary = Vocabulary(tuple(met if in_order else sorted(met)), origin="side")
        index = vocabulary.index
        columns = np.array([-1 if name is None else index.get(name, -1) for name in concepts], dtype=np.int32)
        others = {
            spellings[number]: places[number]
            for number in np.flatnonzero(columns < 0).tolist()
            if concepts[number] is not None
        }
        if others and not any_concept:
            if not self.chosen:
                raise self._abstract(others, where)
            if self.unknown == "error":
                raise UnknownConceptError(others, where=where, remedy=NOT_CHOSEN)
        if not any_concept and len(self._found) < _KEPT:
            found = zip(columns.tolist(), map(translated.get, spellings), strict=True)
            self._found.update(zip(spellings, found, strict=True))
        return FoundColumns(vocabulary, columns, MappingProxyType(translated))

    @cached_property
    def _found(self) -> dict[str, tuple[int, str | None]]:
        """Columns of the spellings of earlier parts, and the concepts that those are translated to."""
        return {}

    def are_concepts(self, texts: Iterable[str]) -> bool:
        """Whether all of some texts name concepts."""
        return all(self._find(self.concept_map.get(text, text))[0] for text in texts)

    @property
    def known(self) -> Known | None:
        """The test whether texts name concepts; None without a list of concepts."""
        return None if self.vocabulary is None else self.are_concepts

    def meaning(self, spelling: str) -> tuple[Sequence[str], bool]:
        """Concepts that a spelling may mean, abstract ones too."""
        return self._find(self.concept_map.get(spelling, spelling))

    def _with_mapped_names(self) -> Vocabulary | None:
        """Add the names that the concept map has for concepts."""
        if self.vocabulary is None or not self.concept_map:
            return self.vocabulary
        written, names = defaultdict[str, list[str]](list), self.vocabulary.names
        for text in self.concept_map:
            found, _ = self.meaning(text)
            if len(found) == 1:
                written[found[0]].append(text)
        own = {**names.written, **{name: tuple(texts) for name, texts in written.items()}}
        return replace(self.vocabulary, names=replace(names, written=own))

    def _restrict_to(self, concepts: ConceptList) -> Names:
        listed = replace(self, na="label")  # a list says itself what is a concept
        found, _ = listed._concepts(concepts.spellings, concepts.places, concepts.where, "")  # noqa: SLF001
        placed = dict(zip(concepts.spellings, concepts.places, strict=True))
        spelt: dict[str, str] = {}
        for text, concept in zip(concepts.spellings, found, strict=True):
            if concept is not None and spelt.setdefault(concept, text) != text:
                raise InputError(
                    f"{spelt[concept]!r} and {text!r} are both the concept {concept!r} "
                    f"({placed[spelt[concept]]} and {placed[text]})",
                    "Keep one.",
                    where=concepts.where,
                )
        if self.vocabulary is None:
            return replace(self, vocabulary=Vocabulary(tuple(spelt)))
        abstract = {text: placed[text] for name, text in spelt.items() if name not in self.vocabulary}
        if abstract:
            raise self._abstract(abstract, concepts.where)
        dropped = tuple(
            text for text, concept in zip(concepts.spellings, found, strict=True) if concept is None
        )
        kept = tuple(name for name in self.vocabulary if name in spelt)
        chosen = Vocabulary(kept, self.vocabulary.names)
        return replace(self, vocabulary=chosen, chosen=True, dropped=dropped)

    def _replace_merged(self, spellings: Iterable[str]) -> Names:
        """Replace spellings of merged concepts by the first that the ontology has."""
        if self.ontology is None:
            return self
        concept_map, joined = dict(self.concept_map), dict(self.joined)
        for text in spellings:
            if "|" not in text or text in self.concept_map or self._find(text)[0]:
                continue
            parts = [part.strip() for part in text.split("|")]
            found = {part: self._find(self.concept_map.get(part, part))[0] for part in parts}
            first = next((names[0] for names in found.values() if len(names) == 1), None)
            if first is None or any(len(names) > 1 for names in found.values()):
                continue
            concept_map[text] = first
            for part, names in found.items():
                if not names:
                    concept_map[part] = first
                elif names[0] != first:
                    joined[names[0]] = first
        return replace(self, concept_map=concept_map, joined=joined)

    def _concepts(
        self, spellings: Sequence[str], places: Sequence[str], where: str, hint: str
    ) -> tuple[list[str | None], dict[str, str]]:
        """Concepts that spellings mean, abstract ones too; None for unknown ones that are dropped."""
        texts = [self.concept_map.get(spelling, spelling) for spelling in spellings]
        concepts: list[str | None] = []
        translated: dict[str, str] = {}
        for spelling, text, place in zip(spellings, texts, places, strict=True):
            found, by_name = self._find(text)
            if text[:1] in {"[", "{"} and not (found and self.vocabulary is not None) and is_structure(text):
                raise InputError(
                    f"JSON stands where the name of a concept belongs: {text[:80]!r}",
                    'Write one name; where a field may hold several labels, write a list: ["sky", "sea"].',
                    where=", ".join(filter(None, (where, place))),
                )
            if len(found) > 1:
                at = f"{where}, {place}" if where else place
                if self.ontology is not None:
                    raise self.ontology.spellings.ambiguity_error(text, found, at)
                raise AmbiguousNameError(text, found, where=at)
            concepts.append(found[0] if found else None)
            if found and not (by_name and text == spelling):
                translated[spelling] = found[0]
        if self.unknown == "error":
            unknown = {
                spelling: place + self._remark_on(spelling, text)
                for spelling, text, place, concept in zip(spellings, texts, places, concepts, strict=True)
                if concept is None and not (self.na == "empty" and spelling in NOTHING)
            }
            if self.na == "error":
                refuse_nothing(unknown, unknown.__getitem__, where=where, remedy=_NA)
            if unknown:
                remedy = self._explain_unknown(unknown, hint) + UNKNOWN_REMEDY
                if len(unknown) == len(spellings) >= MANY_UNKNOWN:
                    known = "the list of concepts" if self.ontology is None else self.ontology.source.path
                    where = f"{where}{': ' * bool(where)}no label is a concept of {known}"
                    remedy = f"{WRONG_FILE} {remedy}"
                raise UnknownConceptError(unknown, self.suggested(unknown), where=where, remedy=remedy)
        return concepts, translated

    def _remark_on(self, spelling: str, text: str) -> str:
        """Say what an unknown label is: what a concept map made of it, or a narrow synonym."""
        if text != spelling:
            return f", which stands for {text!r}"
        if self.ontology is None or fold(text) not in (names := self.ontology.spellings.names).narrow:
            return ""
        return f", a narrow synonym of {names.display_name(names.narrow[fold(text)])!r}"

    def _find(self, text: str) -> tuple[Sequence[str], bool]:
        """Concepts that a text may mean, and whether the text is their name."""
        found = self._find_concepts(text)
        if not found:
            return self._concepts_behind(text), False
        if self.joined and any(name in self.joined for name in found):
            return list(dict.fromkeys(self.joined.get(name, name) for name in found)), False
        return found, True

    def _find_concepts(self, text: str) -> Sequence[str]:
        if self.ontology is not None:
            return self.ontology.spellings.find(text)
        if self.vocabulary is None:
            return () if text in NOTHING and self.na != "label" else (text,)
        return (text,) if text in self.vocabulary else ()

    def _concepts_behind(self, text: str) -> Sequence[str]:
        """Concepts behind a replaced identifier, a part of a merged name, or a query."""
        replaced = {} if self.ontology is None else self.ontology.replaced
        bare = text.strip().removeprefix("<").removesuffix(">")
        for spelling in (text, bare):
            if spelling in replaced:
                return (replaced[spelling],)
        merged = {name for part in text.split("|") for name in self._merged_concepts.get(part.strip(), ("",))}
        if merged and "" not in merged:
            return sorted(merged)
        query = _QUERY.fullmatch(text)
        return self._find(query[1])[0] if query else ()

    @cached_property
    def _merged_concepts(self) -> Mapping[str, Sequence[str]]:
        """Concepts named by several names with bars between them, by each of these names."""
        names = self.vocabulary or () if self.ontology is None else self.ontology.hierarchy().vocabulary
        found: defaultdict[str, list[str]] = defaultdict(list)
        for name in names:
            for part in name.split("|") if "|" in name else ():
                found[part.strip()].append(name)
        return found

    def suggested(self, unknown: Iterable[str]) -> Mapping[str, str]:
        """Known names that messages may suggest, with their concepts; no IRIs for what is none."""
        listed = {name: name for name in self.vocabulary or ()}
        names = listed if self.ontology is None else self.ontology.names
        iris = self.ontology is None or any("://" in self.concept_map.get(name, name) for name in unknown)
        known = {**names, **self.concept_map}.items()
        return {name: one for name, one in known if name[:1] != ":" and (iris or "://" not in name)}

    def _explain_unknown(self, unknown: Mapping[str, str], hint: str) -> str:
        for text in (self.concept_map.get(spelling, spelling) for spelling in unknown):
            if self.ontology is not None and (reason := self.ontology.left_out.get(text)):
                return f"{text!r} was left out when {self.ontology.source.path} was read: {reason}. {hint}"
        first = next(iter(unknown))
        for sign in filter(first.__contains__, SEPARATORS):
            if all(self._find(piece.strip())[0] for piece in first.split(sign)):
                how = f"input_format='wide', separator={sign!r} (--input-format wide --separator {sign!r})"
                return f"{shortened(first)!r} looks like several labels: split these by {how}. "
        return hint

    def _abstract(self, abstract: Mapping[str, str], where: str) -> InputError:
        (spelling, place), *others = abstract.items()
        below = [] if self.ontology is None else self._labels_below(spelling, self.ontology)
        return InputError(
            f"{spelling!r} in {place} is an abstract concept, which is never a label"
            + (f"; so are {enumerate_some(name for name, _ in others)}" if others else ""),
            f"Write a concept below it{f', such as {enumerate_some(below[:3])}' if below else ''}, "
            "or read the ontology so that it may be a label.",
            where=where,
        )

    def _labels_below(self, spelling: str, ontology: Ontology) -> list[str]:
        hierarchy = ontology.hierarchy()
        name = ontology.resolve(self.concept_map.get(spelling, spelling))
        column = hierarchy.vocabulary.index[name]
        rows = hierarchy.label_ancestors.tocsc()[:, [column]].nonzero()[0]
        return [hierarchy.label_vocabulary[int(row)] for row in rows]
