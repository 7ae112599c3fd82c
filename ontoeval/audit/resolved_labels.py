"""Labels resolved to concepts as far as possible, and the file's conventions for names and ancestors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import EXAMPLES
from ontoeval.audit.raw_labels import Written
from ontoeval.concepts.violations import RuleBook, rule_book
from ontoeval.core.choices import Axioms, ConventionName
from ontoeval.core.csr import choose_entries, line, pattern, without
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.labels.names import Names
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.spellings import with_label


@dataclass(frozen=True, eq=False)
class Naming:
    """What a file writes for concepts."""

    names: Names
    own: Mapping[str, str]
    styles: tuple[str, ...]

    @classmethod
    def learnt(cls, names: Names, own: Mapping[str, str]) -> Naming:
        """Learn it from what a file writes."""
        texts = _texts(names)
        agree = {style: sum(text(name) == one for name, one in own.items()) for style, text in texts.items()}
        return cls(names, own, tuple(sorted(agree, key=lambda style: -agree[style])))

    def under(self, names: Names, own: Mapping[str, str]) -> Naming:
        """Keep the style where spellings are understood in another way."""
        kept = replace(self, names=names, own={})
        return replace(kept, own={name: text for name, text in own.items() if kept.means(text, name)})

    def means(self, text: str, name: str) -> bool:
        """Tell whether a text is a name of a concept, and of no other."""
        found, by_name = self.names.meaning(text)
        return tuple(found) == (name,) and by_name

    @cached_property
    def _texts(self) -> dict[str, Callable[[str], str]]:
        return _texts(self.names)

    def __getitem__(self, name: str) -> str:
        """Write the name of a concept."""
        if name in self.own:
            return self.own[name]
        ways = (self._texts[style](name) for style in self.styles)
        return next((text for text in ways if text and self.means(text, name)), name)


def _texts(names: Names) -> dict[str, Callable[[str], str]]:
    """List the ways in which the name of a concept may be written."""
    ontology, translated = names.ontology, _translated(names)
    texts: dict[str, Callable[[str], str]] = {
        "translated": lambda name: translated.get(name, ""),
        "name": lambda name: name,
    }
    if ontology is not None:
        texts["label"] = lambda name: _told(ontology, ontology.labels, name)
        texts["iri"] = lambda name: _told(ontology, ontology.iris, name)
        texts["identifier"] = lambda name: name.replace("_", ":", 1)
    return texts


def _told(ontology: Ontology, texts: tuple[str, ...], name: str) -> str:
    place = ontology.hierarchy().vocabulary.index.get(name)
    return "" if place is None else texts[place]


def _translated(names: Names) -> dict[str, str]:
    """Turn the concept map around."""
    back: dict[str, str] = {}
    for text in sorted(names.concept_map):
        found = names.meaning(text)[0]
        if len(found) == 1:
            back.setdefault(found[0], text)
    return back


FEWEST = 10
"""Ancestors that fewer samples imply are judged together."""


@dataclass(frozen=True, eq=False)
class Convention:
    """How a file treats ancestors."""

    name: ConventionName
    implied: int
    present: int
    judged: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, dtype=np.int8), repr=False)
    forced: bool = False

    @classmethod
    def inferred(
        cls, implied: NDArray[np.intp], present: NDArray[np.intp], sizes: NDArray[np.intp]
    ) -> Convention:
        """Judge each ancestor by the samples that imply it: clear are shares above 90 % and below 10 %.

        Rare ancestors are judged together or, where these are few, as most others. What is not clear by
        itself follows the file where this is clear, unless most of its samples do otherwise. Where neither
        the file nor half of its implied ancestors are clear, none counts as clear.
        """
        rare = implied < FEWEST
        of, there = (np.where(rare, counts[rare].sum(), counts) for counts in (implied, present))
        own = (implied > 0) * _clear(of, there)
        # What a corrected copy no longer uses has no weight, so that correcting it again changes nothing.
        weights = implied * ((sizes > present) | (10 * present >= implied))
        if weights[rare].sum() < FEWEST and (sign := np.sign((weights * own)[~rare].sum())):
            own[rare & (implied > 0)] = sign
        closed, specific, total = (int(some.sum()) for some in (weights[own > 0], weights[own < 0], weights))
        file = int(_clear(implied.sum(), present.sum()))
        if not file and 2 * (closed + specific) < total:
            own[:] = 0
        follows = (implied > 0) & (own == 0) & (np.sign(2 * there - of) == file)
        names: dict[int, ConventionName] = {1: "closed", -1: "most-specific", 0: "mixed"}
        most = file or (2 * closed > total) * 1 - (2 * specific > total or not total)
        judged = np.where(follows, file, 2 * own).astype(np.int8)
        return cls(names[int(most)], int(implied.sum()), int(present.sum()), judged)

    @property
    def content(self) -> dict[str, Any]:
        """What JSON holds of it."""
        return {
            "name": self.name,
            "implied": self.implied,
            "present": self.present,
            "forced": self.forced,
        }

    def __str__(self) -> str:
        """Say it in words."""
        words = {"closed": "closed upwards", "most-specific": "most specific", "mixed": "mixed"}[self.name]
        seen = f"{self.present:,} of {self.implied:,} implied ancestors are there"
        if not self.implied:
            seen = "no label of any sample has an ancestor that the file uses"
        return f"{words} ({'asked for; ' if self.forced else ''}{seen})"


def _clear(implied: NDArray[np.intp], present: NDArray[np.intp]) -> NDArray[np.intp]:
    """Mark shares above 90 % by 1, and below 10 % by -1."""
    return (10 * present > 9 * implied) * 1 - (10 * present < implied)


def implied_ancestors(
    sets: sparse.csr_array, above: sparse.csr_array, rows: int = 100_000
) -> NDArray[np.intp]:
    """Count for each label the samples where a label below it implies it, and those that bear it then."""
    counts = np.zeros((2, sets.shape[1]), dtype=np.intp)
    for begin in range(0, sets.shape[0], rows):
        part = sets[begin : begin + rows]
        implied = sparse.csr_array(part @ above)
        present = sparse.csr_array(implied.multiply(part))
        for number, matrix in enumerate((implied, present)):
            counts[number] += np.bincount(matrix.indices, minlength=sets.shape[1])
    return counts


@dataclass(frozen=True, eq=False)
class Meaning:
    """What a spelling means."""

    concepts: tuple[str, ...]
    by_name: bool
    column: int


@dataclass(frozen=True, eq=False)
class Subject:
    """Label sets that are audited."""

    written: Written
    names: Names
    hierarchy: Hierarchy
    forced: ConventionName | None = None
    axioms: Axioms = "all"

    def with_sets(self, matrix: sparse.csr_array) -> Subject:
        """Take other label sets, understood in the same way and judged by the same convention."""
        changed = Subject(self.written, self.names, self.hierarchy, self.forced, self.axioms)
        for name in ("meanings", "ways", "naming", "links", "due", "convention", "conflicting"):
            changed.__dict__[name] = getattr(self, name)
        changed.__dict__["sets"] = LabelSets(matrix, self.vocabulary, self.written.samples)
        return changed

    @property
    def nothing(self) -> sparse.csr_array:
        """Boolean, samples × labels: no label of any sample."""
        return sparse.csr_array((len(self.written.samples), len(self.vocabulary)), dtype=bool)

    @property
    def vocabulary(self) -> Vocabulary:
        """The concepts that may be labels."""
        return self.hierarchy.label_vocabulary

    @cached_property
    def meanings(self) -> tuple[Meaning, ...]:
        """What each spelling means."""
        index = self.vocabulary.index
        meanings = []
        for spelling in self.written.spellings:
            found, by_name = self.names.meaning(spelling)
            if (
                not found and spelling in self.hierarchy.vocabulary
            ):  # without an ontology only labels have names
                found, by_name = (spelling,), True
            column = index.get(found[0], -1) if len(found) == 1 else -1
            meanings.append(Meaning(tuple(found), by_name, column))
        return tuple(meanings)

    @cached_property
    def ways(self) -> dict[int, list[int]]:
        """Positions of the spellings that name each label, by its column, the most frequent first.

        Of those that are as frequent the concept's name comes first, then the alphabet decides.
        """
        found: dict[int, list[int]] = {}
        for code, meaning in enumerate(self.meanings):
            if meaning.column >= 0 and meaning.by_name and self.written.counts[code]:
                found.setdefault(meaning.column, []).append(code)
        return {column: self.ordered(codes) for column, codes in found.items()}

    def ordered(self, codes: Iterable[int]) -> list[int]:
        """Put spellings in order: the most frequent first, names of concepts before others."""
        counts, spellings = self.written.counts, self.written.spellings

        def place(code: int) -> tuple[int, bool, str]:
            return -int(counts[code]), spellings[code] not in self.meanings[code].concepts, spellings[code]

        return sorted(codes, key=place)

    @cached_property
    def naming(self) -> Naming:
        """How the file names concepts: by names, labels, IRIs or identifiers."""
        own = {column: self.written.spellings[codes[0]] for column, codes in self.ways.items()}
        return Naming.learnt(self.names, {self.vocabulary[column]: text for column, text in own.items()})

    def called(self, name: str) -> str:
        """Name a concept as the file does, and such that a reader knows it."""
        text, ontology = self.naming[name], self.names.ontology
        text = name if "://" in text else text
        if ontology is None or name not in ontology.hierarchy().vocabulary:
            return text
        return with_label(text, ontology.labels[ontology.hierarchy().vocabulary.index[name]], name)

    @cached_property
    def sets(self) -> LabelSets:
        """What can be understood of the labels: one row per sample, one column per concept."""
        return self._understood(self.written.matrix)

    @cached_property
    def negative(self) -> LabelSets | None:
        """The same of what is said to be absent."""
        return None if self.written.negative is None else self._understood(self.written.negative)

    def _understood(self, matrix: sparse.csr_array) -> LabelSets:
        # What is multiplied by wide indices gets such itself: twice the memory of a large file.
        column = np.array([meaning.column for meaning in self.meanings], dtype=np.int32)
        if np.array_equal(column, np.arange(len(self.vocabulary))):
            return LabelSets(self.written.per_sample(matrix), self.vocabulary, self.written.samples)
        known = np.flatnonzero(column >= 0).astype(np.int32)
        shape = (column.size, len(self.vocabulary))
        columns = sparse.csr_array((np.ones(known.size, dtype=bool), (known, column[known])), shape=shape)
        sets = self.written.per_sample(sparse.csr_array(matrix @ columns))
        return LabelSets(sets, self.vocabulary, self.written.samples)

    def respelt(self, matrix: sparse.csr_array) -> sparse.csr_array:
        """Join the spellings of each label; what is none stays as it is spelt."""
        same = np.array(
            [
                len(self.vocabulary) + code if meaning.column < 0 else meaning.column
                for code, meaning in enumerate(self.meanings)
            ],
            dtype=np.int32,
        )
        if np.unique(same).size == same.size:
            return matrix
        shape = (matrix.shape[0], len(self.vocabulary) + same.size)
        return pattern(sparse.csr_array((matrix.data, same[matrix.indices], matrix.indptr), shape=shape))

    @cached_property
    def conflicting(self) -> NDArray[np.bool_]:
        """Mark the samples with several rows that say different things, however these are spelt."""
        written = self.written
        if not written.several.any():
            return written.several
        sides = [self.respelt(side) for side in (written.matrix, written.negative) if side is not None]
        # Rows of a sample agree where none has fewer labels than all of them together.
        fewest = np.full(written.several.size, np.iinfo(np.intp).max)
        np.minimum.at(fewest, written.sample_of_row, sum(np.diff(side.indptr) for side in sides))
        agree = fewest == sum(np.diff(written.per_sample(side).indptr) for side in sides)
        conflicting: NDArray[np.bool_] = written.several & ~agree
        return conflicting

    @cached_property
    def links(self) -> sparse.csr_array:
        """Boolean, labels × labels: the nearest ancestors of each, those with no other label between."""
        near = self.hierarchy.labels_directly_above
        return without(near, pattern(near @ self.hierarchy.labels_above))

    @cached_property
    def implied(self) -> NDArray[np.intp]:
        """For each label the samples where one below implies it, and those that bear it then."""
        return implied_ancestors(self.sets.matrix, self.hierarchy.labels_above)

    @cached_property
    def convention(self) -> Convention:
        """How the file treats ancestors: forced, or inferred."""
        # What the file never uses follows no convention, unless that was asked for.
        implied, present = self.implied * ((self.sizes > 0) | (self.forced is not None))
        sums = int(implied.sum()), int(present.sum())
        if self.forced is not None:
            sign = {"closed": 2, "most-specific": -2, "mixed": 0}[self.forced]
            judged = np.full(len(self.vocabulary), sign, dtype=np.int8)
            return Convention(self.forced, *sums, judged, forced=True)
        if self.written.negative is not None:  # what was not verified, or denied, follows no convention
            return Convention("mixed", *sums, np.zeros(len(self.vocabulary), dtype=np.int8))
        return Convention.inferred(implied, present, self.sizes)

    @cached_property
    def due(self) -> sparse.csr_array:
        """Boolean, labels × labels: the nearest of those ancestors of each that are to be there."""
        closed = self.convention.judged > 0
        if closed.all():
            return self.links
        above = self.hierarchy.labels_above
        above = choose_entries(above, closed[above.indices])
        return without(above, pattern(above @ above))

    @cached_property
    def rules(self) -> RuleBook:
        """The rules that the ontology declares and that count for labels."""
        return rule_book(
            self.hierarchy,
            "none" if self.axioms == "off" else "declared",
            "declared" if self.axioms == "all" else "none",
        )

    @cached_property
    def _columns(self) -> sparse.csc_array:
        return self.sets.matrix.tocsc()

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """How many samples bear each label."""
        return np.diff(self._columns.indptr).astype(np.intp)

    def bearing(self, label: int) -> NDArray[np.intp]:
        """List the samples that bear a label."""
        return line(self._columns, label).astype(np.intp)

    @cached_property
    def spelling_columns(self) -> tuple[sparse.csc_array, ...]:
        """By column what the file writes: present labels, and absent ones if there are any."""
        sides = (self.written.matrix, self.written.negative)
        return tuple(side.tocsc() for side in sides if side is not None)

    def some(self, rows: NDArray[np.intp]) -> tuple[str, ...]:
        """Name the first few of some samples."""
        return tuple(self.written.samples[row] for row in rows[:EXAMPLES].tolist())


_MORE_THAN_LABELS = frozenset({"arff", "annif", "fasttext", "libsvm"})
"""Formats whose samples have texts or features too."""


def loss(subject: Subject) -> str:
    """Say why label sets are not corrected, if they are not."""
    form = subject.written.form
    if subject.negative is not None:
        return "a file of verified labels is not corrected: what is absent has no place in label sets"
    if subject.written.scored:
        return "scores are not corrected: what is added has none"
    if form is not None and form.format in _MORE_THAN_LABELS:
        return f"this is {form}: a copy would lose what stands beside the labels"
    return ""
