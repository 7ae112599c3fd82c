"""Labels resolved to concepts as far as possible, and the file's conventions for names and ancestors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.choices import Axioms, ConventionName
from ontoeval.audit.findings import EXAMPLES, Finding, rules_of
from ontoeval.audit.raw_labels import RawLabels
from ontoeval.concepts.violations import RuleBook, rule_book
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.names import with_label
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.labels.name_resolution import Names
from ontoeval.plumbing.arrays import Places
from ontoeval.plumbing.sparse import choose_entries, pattern, pattern_at, stored_columns, without_entries
from ontoeval.plumbing.values import Cached


class Naming:
    """How a file writes the names of concepts: `own` spellings, else the most frequent style."""

    def __init__(self, names: Names, own: Mapping[str, str], styles: Iterable[str] | None = None) -> None:
        self.names, self.own, self._ways = names, own, _styles(names)
        agree = {
            style: sum(way(name).casefold() == one.casefold() for name, one in own.items())
            for style, way in self._ways.items()
        }
        ordered = sorted(agree, key=lambda style: (-agree[style], style != "label"))
        self.styles = ordered if styles is None else styles

    def with_names(self, names: Names, own: Mapping[str, str]) -> Naming:
        """Keep the styles where spellings have other meanings."""
        kept = Naming(names, {}, self.styles)
        kept.own = {name: text for name, text in own.items() if kept.identifies(text, name)}
        return kept

    def identifies(self, text: str, name: str) -> bool:
        """Whether a text names one concept, and no other."""
        found, by_name = self.names.meaning(text)
        return tuple(found) == (name,) and by_name

    def __getitem__(self, name: str) -> str:
        """Write the name of a concept."""
        if name in self.own:
            return self.own[name]
        ways = (self._ways[style](name) for style in self.styles)
        return next((text for text in ways if text and self.identifies(text, name)), name)


def _styles(names: Names) -> dict[str, Callable[[str], str]]:
    """List the ways in which the name of a concept may be written; "" where it has no such name."""
    ontology, translated = names.ontology, dict[str, str]()
    for text in sorted(names.concept_map):
        found = names.meaning(text)[0]
        if len(found) == 1:
            translated.setdefault(found[0], text)
    styles: dict[str, Callable[[str], str]] = {
        "translated": lambda name: translated.get(name, ""),
        "name": lambda name: name,
    }
    if ontology is not None:
        index = ontology.hierarchy().vocabulary.index
        styles["label"] = lambda name: ontology.labels[index[name]] if name in index else ""
        styles["iri"] = lambda name: ontology.iris[index[name]] if name in index else ""
        styles["subject"] = lambda name: f"<{styles['iri'](name)}>"  # of Annif
        styles["identifier"] = lambda name: name.replace("_", ":", 1)
    return styles


FEWEST = 10
"""Ancestors that fewer samples imply are judged together."""

_ROWS = 100_000
"""How many rows are looked at at once."""


@dataclass(frozen=True, eq=False)
class Convention:
    """How a file treats ancestors: `judged` is > 0 for each that it includes, < 0 for those left out.

    It is 2 or -2 where that is clear enough for corrections.
    """

    name: ConventionName
    implied: int
    present: int
    judged: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, dtype=np.int8), repr=False)
    forced: bool = False

    @classmethod
    def inferred(cls, implied: Places, present: Places, sizes: Places) -> Convention:
        """Judge each ancestor by the samples that imply it: clear are shares from 90 % and up to 10 %.

        Rare ancestors are judged together or, where these are few, as most others. An unclear ancestor
        follows the file where this is clear, unless most of its samples do otherwise. Where neither
        the file nor half of its implied ancestors are clear, only what is clear by itself is judged, and
        nothing is corrected unasked.
        """
        rare = implied < FEWEST
        of, there = (np.where(rare, counts[rare].sum(), counts) for counts in (implied, present))
        own = clear = (implied > 0) * clear_side(of, there)
        # Labels that a corrected copy drops have no weight, so that another correction changes nothing.
        weights = implied * ((sizes > present) | (10 * present > implied))
        if weights[rare].sum() < FEWEST and (sign := np.sign((weights * own)[~rare].sum())):
            own = np.where(rare & (implied > 0), sign, clear)
        closed, specific, total = (int(some.sum()) for some in (weights[own > 0], weights[own < 0], weights))
        file = int(clear_side(implied.sum(), present.sum()))
        settled = bool(file) or 2 * (closed + specific) >= total
        own = 2 * own if settled else clear * (of >= FEWEST)
        follows = (implied > 0) & (own == 0) & (np.sign(2 * there - of) == file)
        names: dict[int, ConventionName] = {1: "closed", -1: "most-specific", 0: "mixed"}
        most = file or (2 * closed > total) * 1 - (2 * specific > total or not total)
        judged = np.where(follows, file, own).astype(np.int8)
        return cls(names[int(most)], int(implied.sum()), int(present.sum()), judged)

    @property
    def content(self) -> dict[str, Any]:
        """The convention as JSON holds it."""
        return {name: getattr(self, name) for name in ("name", "implied", "present", "forced")}

    def __str__(self) -> str:
        """Describe the convention."""
        words = {"closed": "closed upwards", "most-specific": "most specific", "mixed": "mixed"}[self.name]
        return f"{words} ({'asked for; ' if self.forced else ''}{ancestors_seen(self.present, self.implied)})"


def ancestors_seen(present: int, implied: int) -> str:
    """Say how many of the implied ancestors that a file uses are there."""
    if not implied:
        return "no label of any sample has an ancestor that the file uses"
    return f"{present:,} of {implied:,} implied ancestors in use are there"


def clear_side(implied: NDArray[np.intp], present: NDArray[np.intp]) -> NDArray[np.intp]:
    """Mark shares from 90 % by 1, and up to 10 % by -1."""
    return (10 * present >= 9 * implied) * 1 - (10 * present <= implied)


def implied_ancestors(sets: sparse.csr_array, above: sparse.csr_array) -> Places:
    """Count for each label the samples where a descendant implies it, and how many of these have it."""
    counts = np.zeros((2, sets.shape[1]), dtype=np.intp)
    for begin in range(0, sets.shape[0], _ROWS):
        part = sets[begin : begin + _ROWS]
        implied = sparse.csr_array(part @ above)
        present = sparse.csr_array(implied.multiply(part))
        for number, matrix in enumerate((implied, present)):
            counts[number] += np.bincount(matrix.indices, minlength=sets.shape[1])
    return counts


class Meaning(NamedTuple):
    """Meaning of a spelling; `column` is -1 unless the spelling means one label."""

    concepts: tuple[str, ...]
    by_name: bool
    column: int


@dataclass(frozen=True, eq=False)
class ResolvedLabels(Cached):
    """Label sets that are audited: each spelling with its meaning, each sample with its labels."""

    raw: RawLabels
    names: Names
    hierarchy: Hierarchy
    forced: ConventionName | None = None
    axioms: Axioms = "all"
    scores: LabelScores | None = None
    basis: Literal["ontology", "list", "file"] = "ontology"
    """Which names concepts: an ontology or hierarchy, a list, or the labels of the file itself."""

    @property
    def total(self) -> int:
        """Number of samples."""
        return len(self.raw.samples)

    def finding(
        self, rule: str, rows: Places, words: Mapping[str, object] = MappingProxyType({}), **more: object
    ) -> Finding:
        """Make a finding about some samples; `more` are other fields of `Finding`."""
        fields: dict[str, Any] = {"concepts": (), "total": self.total, "count": rows.size, **more}
        fields.setdefault("samples", self.example_names(rows))
        return rules_of("labels")[rule].make_finding(words=words, rows=rows, **fields)

    @property
    def vocabulary(self) -> Vocabulary:
        """The concepts that may be labels."""
        return self.hierarchy.label_vocabulary

    @cached_property
    def meanings(self) -> tuple[Meaning, ...]:
        """Meaning of each spelling; of translated ones as names where the file has few others."""
        found, counts = [*map(self.meaning, self.raw.spellings)], self.raw.counts
        mapped = np.array([text in self.names.concept_map for text in self.raw.spellings], dtype=bool)
        named = {found[code].column for code in np.flatnonzero(~mapped & (counts > 0))}
        few = 2 * counts[mapped].sum() <= counts.sum()
        for code in np.flatnonzero(mapped):
            if few or found[code].column in named:
                found[code] = found[code]._replace(by_name=False)
        return tuple(found)

    def meaning(self, spelling: str) -> Meaning:
        """Look up a spelling."""
        text = spelling if spelling in self.hierarchy.vocabulary else spelling.strip()
        found, by_name = self.names.meaning(text)
        # Without an ontology only labels have names.
        if not found and text in self.hierarchy.vocabulary:
            found, by_name = (text,), True
        column = self.vocabulary.index.get(found[0], -1) if len(found) == 1 else -1
        return Meaning(tuple(found), by_name, column)

    @cached_property
    def column(self) -> NDArray[np.int32]:
        """The label of each spelling; -1 where it is none."""
        # Wide indices would double the memory of the product.
        return np.array([meaning.column for meaning in self.meanings], dtype=np.int32)

    @cached_property
    def label_spellings(self) -> dict[int, list[int]]:
        """Spellings of each label, by its column: positions, by `ordered`, preferred ones first if usual."""
        found: dict[int, list[int]] = {}
        preferred, counts = set[int](), self.raw.counts
        for code, meaning in enumerate(self.meanings):
            if meaning.column >= 0 and meaning.by_name and counts[code]:
                found.setdefault(meaning.column, []).append(code)
                name = self.vocabulary[meaning.column]
                if self.raw.spellings[code] in {name, self.vocabulary.names.labels.get(name)}:
                    preferred.add(code)
        every = [code for codes in found.values() for code in codes]
        usual = 2 * sum(int(counts[code]) for code in preferred) > sum(int(counts[code]) for code in every)
        return {
            column: sorted(
                self.ordered(codes),
                key=lambda code: (usual and code not in preferred, -int(counts[code]), code not in preferred),
            )
            for column, codes in found.items()
        }

    def ordered(self, codes: Iterable[int]) -> list[int]:
        """Order spellings: the most frequent first, names of concepts before others, then by the alphabet."""
        counts, spellings = self.raw.counts, self.raw.spellings

        def place(code: int) -> tuple[int, bool, str]:
            return -int(counts[code]), spellings[code] not in self.meanings[code].concepts, spellings[code]

        return sorted(codes, key=place)

    @cached_property
    def naming(self) -> Naming:
        """How the file names concepts: by names, labels, IRIs or identifiers."""
        own = {
            self.vocabulary[column]: self.raw.spellings[codes[0]]
            for column, codes in self.label_spellings.items()
        }
        return Naming(self.names, own)

    def display_name(self, name: str) -> str:
        """Name a concept as the file does, with its label where that differs."""
        text, names = self.naming[name], self.vocabulary.names
        text = name if "://" in text else text
        if names.show == "id" or (text == name and name not in names.labels):
            return names.display_name(name)
        return with_label(text, names.labels.get(name, ""), name)

    @cached_property
    def sets(self) -> LabelSets:
        """The labels that were resolved: samples × labels."""
        return self._resolved(self.raw.matrix)

    @cached_property
    def negative(self) -> LabelSets | None:
        """The labels that are marked absent: samples × labels."""
        return None if self.raw.negative is None else self._resolved(self.raw.negative)

    def _resolved(self, matrix: sparse.csr_array) -> LabelSets:
        column = self.column
        if not np.array_equal(column, np.arange(len(self.vocabulary))):
            known = np.flatnonzero(column >= 0).astype(np.int32)
            shape = (column.size, len(self.vocabulary))
            matrix = sparse.csr_array(matrix @ pattern_at(known, column[known], shape))
        return LabelSets(self.raw.per_sample(matrix), self.vocabulary, self.raw.samples)

    def respelt(self, matrix: sparse.csr_array) -> sparse.csr_array:
        """Join the spellings of each label; unknown spellings stay."""
        count = len(self.vocabulary)
        same = np.where(self.column < 0, count + np.arange(self.column.size, dtype=np.int32), self.column)
        if np.unique(same).size == same.size:
            return matrix
        shape = (matrix.shape[0], count + same.size)
        return pattern(sparse.csr_array((matrix.data, same[matrix.indices], matrix.indptr), shape=shape))

    @cached_property
    def conflicting(self) -> NDArray[np.bool_]:
        """Mark the samples whose rows contradict each other, whatever the spelling."""
        raw = self.raw
        if not raw.has_several_rows.any():
            return raw.has_several_rows
        sides = [self.respelt(side) for side in (raw.matrix, raw.negative) if side is not None]
        # Rows of a sample agree where none has fewer labels than all of them together.
        fewest = np.full(raw.has_several_rows.size, np.iinfo(np.intp).max)
        np.minimum.at(fewest, raw.sample_of_row, sum(np.diff(side.indptr) for side in sides))
        agree = fewest == sum(np.diff(raw.per_sample(side).indptr) for side in sides)
        return np.asarray(raw.has_several_rows & ~agree)

    @property
    def removable(self) -> NDArray[np.bool_]:
        """Mark the samples whose labels may be removed: a row with more than its label must stay."""
        long = self.raw.form is not None and self.raw.form.format == "long"
        return ~(self.conflicting | self.raw.differing) if long else ~self.conflicting

    @property
    def uncorrectable(self) -> str:
        """Why no corrected copy can be made of these labels; "" where one can."""
        if self.basis != "ontology":
            return "nothing is corrected without an ontology"
        if self.raw.negative is not None:
            return "a file of verified labels is not corrected: what is absent has no place in label sets"
        return ""

    @cached_property
    def implied(self) -> NDArray[np.intp]:
        """For each label the samples where a descendant implies it, and how many of these have it."""
        return implied_ancestors(self.sets.matrix, self.hierarchy.labels_above)

    @cached_property
    def convention(self) -> Convention:
        """How the file treats ancestors: forced, or inferred."""
        # Unused ancestors follow no convention, unless one was asked for.
        implied, present = self.implied * ((self.sizes > 0) | (self.forced is not None))
        sums = int(implied.sum()), int(present.sum())
        if self.forced is not None:
            sign = {"closed": 2, "most-specific": -2, "mixed": 0}[self.forced]
            judged = np.full(len(self.vocabulary), sign, dtype=np.int8)
            return Convention(self.forced, *sums, judged, forced=True)
        if self.raw.negative is not None:  # unknown and absent labels follow no convention
            return Convention("mixed", *sums, np.zeros(len(self.vocabulary), dtype=np.int8))
        return Convention.inferred(implied, present, self.sizes)

    @property
    def ancestors_judged(self) -> str:
        """By which convention ancestors are judged, if they are."""
        none = "without an ontology, so ancestors and rules of labels are not checked"
        return str(self.convention) if self.basis == "ontology" else none

    @cached_property
    def required_ancestors(self) -> sparse.csr_array:
        """Boolean, labels × labels: the nearest of those ancestors of each that the convention demands."""
        return self.nearest(self.convention.judged > 0)

    def nearest(self, chosen: NDArray[np.bool_]) -> sparse.csr_array:
        """Boolean, labels × labels: the nearest of the chosen ancestors of each."""
        above = self.hierarchy.labels_above
        if chosen.all():
            near = self.hierarchy.labels_directly_above
            return without_entries(near, pattern(near @ above))
        above = choose_entries(above, chosen[above.indices])
        return without_entries(above, pattern(above @ above))

    @cached_property
    def rules(self) -> RuleBook:
        """The rules of the ontology that apply to labels."""
        return rule_book(
            self.hierarchy,
            "none" if self.axioms == "off" else "declared",
            "declared" if self.axioms == "all" else "none",
        )

    @cached_property
    def samples_of_sides(self) -> sparse.csc_array:
        """The samples with a label on a side of a rule: samples × sides."""
        samples: sparse.csc_array = (self.sets.matrix @ self.rules.sides).tocsc()
        samples.sort_indices()
        return samples

    @cached_property
    def side_sizes(self) -> NDArray[np.intp]:
        """Number of samples on each side of a rule."""
        return np.diff(self.samples_of_sides.indptr).astype(np.intp)

    @cached_property
    def columns(self) -> sparse.csc_array:
        """The label sets by label."""
        return self.sets.matrix.tocsc()

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """Number of samples with each label."""
        return np.diff(self.columns.indptr).astype(np.intp)

    def samples_with_label(self, label: int) -> NDArray[np.intp]:
        """List the samples with a label."""
        return stored_columns(self.columns, label).astype(np.intp)

    def row_mask(self, *rows: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Boolean mask of some samples."""
        marks = np.zeros(len(self.raw.samples), dtype=bool)
        for some in rows:
            marks[some] = True
        return marks

    def example_names(self, rows: NDArray[np.intp]) -> tuple[str, ...]:
        """Name the first few of some samples."""
        return tuple(self.raw.samples[row] for row in rows[:EXAMPLES].tolist())
