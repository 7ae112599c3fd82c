"""Migration: label sets from one version of an ontology to another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np
from scipy import sparse

from ontoeval.core.coercion import Labels, sets_of
from ontoeval.core.files import FilePath
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.sparse import line, pattern, without
from ontoeval.errors import InputError, UnknownConceptError, enumerate_some
from ontoeval.labels.names import rows_by_role
from ontoeval.labels.sources import read_source
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.names import fold, with_label

Open = Literal["removed", "split", "ambiguous", "abstract"]
"""What becomes of concepts that need a decision."""

How = Literal["same", "replaced", "merged", "same name", "same label", "decided"] | Open

OPEN: frozenset[str] = frozenset(get_args(Open))


class Move(NamedTuple):
    """What becomes of a concept."""

    concept: str
    label: str
    becomes: str
    how: How
    labels: int
    notes: tuple[str, ...] = ()

    @property
    def open(self) -> bool:
        """Whether it needs a decision: until then its labels are left out."""
        return self.how in OPEN


@dataclass(frozen=True, eq=False)
class Migration:
    """Label sets that were moved to another version of an ontology, and how.

    Parameters
    ----------
    sets
        The label sets over the concepts of the new version.
    moves
        What became of each concept that is used: open ones first, then those with notes, then by the
        number of labels.
    emptied
        Samples that had labels and have none now.
    """

    sets: LabelSets
    moves: tuple[Move, ...]
    emptied: tuple[str, ...] = ()

    @property
    def open(self) -> tuple[Move, ...]:
        """The concepts that need a decision."""
        return tuple(move for move in self.moves if move.open)

    @property
    def noted(self) -> tuple[Move, ...]:
        """The concepts that moved, with remarks for a human."""
        return tuple(move for move in self.moves if move.notes and not move.open)


def migrate(
    labels: Labels, old: Ontology, new: Ontology, *, decisions: Mapping[str, str] | None = None
) -> Migration:
    """Move label sets to another version of an ontology.

    A concept becomes the one with the same IRI; or its replacement, or the concept that it was merged into,
    by the new version; or the one with the same name and label, or with the same label alone. Where there
    are several choices, or none, its labels are left out until a decision is given.

    Parameters
    ----------
    labels
        The label sets, read with the old version; or what `evaluate` takes for some.
    old
        The old version.
    new
        The new version.
    decisions
        What some concepts become, by their names in both versions; "" leaves their labels out.

    Returns
    -------
    Migration
        The label sets over the concepts of the new version, and what became of each concept.

    Raises
    ------
    UnknownConceptError
        If a decision names an unknown concept, or one that is no label of the new version.
    AmbiguousNameError
        If a decision uses a name of several concepts.
    MisalignedError
        If a label is no concept of the old version.

    Examples
    --------
    >>> old, new = (Ontology.from_paths([path]) for path in ("water/lake", "water/sea"))
    >>> moved = migrate(LabelSets.from_sets([["water", "water/lake"]]), old, new)
    >>> moved.sets.labels_of("0"), [(move.concept, move.how) for move in moved.open]
    (('water',), [('water/lake', 'removed')])
    """
    sets = sets_of(labels).within(old.hierarchy().label_vocabulary)
    match = _Match(old, new, _decided(decisions or {}, old, new))
    counts = np.bincount(sets.matrix.indices, minlength=len(sets.vocabulary))
    used = np.flatnonzero(counts).tolist()
    found = {sets.vocabulary[column]: match.find(sets.vocabulary[column]) for column in used}
    moved = match.moved_in([name for name, one in found.items() if one.how.startswith("same")])
    target = new.hierarchy().label_vocabulary
    moves, ends = [], []
    for column, (name, (becomes, how, notes)) in zip(used, found.items(), strict=True):
        if becomes:
            ends.append((column, target.index[becomes]))
        every = (*notes, *moved.get(name, ()))
        moves.append(Move(name, match.label(name), becomes, how, int(counts[column]), every))
    moves.sort(key=lambda move: (not move.open, not move.notes, -move.labels, move.concept))
    matrix = pattern(sets.matrix @ _mapping(ends, (len(sets.vocabulary), len(target))))
    moved_sets = LabelSets(matrix, target, sets.samples)
    emptied = np.flatnonzero((sets.sizes > 0) & (moved_sets.sizes == 0))
    return Migration(moved_sets, tuple(moves), tuple(sets.samples[row] for row in emptied.tolist()))


def _mapping(ends: list[tuple[int, int]], shape: tuple[int, int]) -> sparse.csr_array:
    rows, columns = np.array(ends, dtype=np.intp).reshape(-1, 2).T
    return sparse.csr_array((np.ones(rows.size, dtype=bool), (rows, columns)), shape=shape)


class _Found(NamedTuple):
    """What a concept becomes, why, and remarks."""

    becomes: str
    how: How
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Match:
    """Matches concepts of the old version with those of the new one."""

    old: Ontology
    new: Ontology
    decisions: Mapping[str, str]

    @cached_property
    def _new_names(self) -> dict[str, str]:
        """The names of the new version by IRI, those of merged concepts too; or themselves."""
        names = self.new.arrays.vocabulary
        live = {iri or name: name for name, iri in zip(names, self.new.iris, strict=True)}
        return {**{iri: name for iri, (name, _) in self.new.same.items()}, **live}

    @cached_property
    def _by_label(self) -> dict[str, list[str]]:
        found = defaultdict(list)
        for name, label in zip(self.new.arrays.vocabulary, self.new.labels, strict=True):
            found[fold(label or name)].append(name)
        return dict(found)

    @cached_property
    def _survivors(self) -> frozenset[str]:
        """The concepts of the new version that were concepts of the old one under the same IRI."""
        names = map(self._identifier, self.old.arrays.vocabulary)
        return frozenset(self._new_names[name] for name in names if name in self._new_names)

    def label(self, name: str) -> str:
        """Give the label that a concept has in the old version."""
        return self.old.labels[self.old.arrays.vocabulary.index[name]]

    def _identifier(self, name: str) -> str:
        return self.old.iris[self.old.arrays.vocabulary.index[name]] or name

    def _new_label(self, name: str) -> str:
        return self.new.labels[self.new.arrays.vocabulary.index[name]]

    def _called(self, names: Iterable[str]) -> str:
        return enumerate_some(with_label(name, self._new_label(name)) for name in names)

    def find(self, name: str) -> _Found:
        """Find what a concept becomes, by decision or by itself."""
        found = self._find(name)
        becomes = found.becomes
        if self.decisions.get(name, becomes) != becomes or (name in self.decisions and found.how in OPEN):
            return _Found(self.decisions[name], "decided")
        if becomes and becomes not in self.new.hierarchy().label_vocabulary:
            note = f"{becomes} is abstract in the new version, and never a label"
            return _Found("", "abstract", (*found.notes, note))
        return found

    def _find(self, name: str) -> _Found:
        identifier = self._identifier(name)
        if identifier in self.new.same:
            return _Found(self._new_names[identifier], "merged")
        if identifier in self._new_names:
            becomes = self._new_names[identifier]
            return _Found(becomes, "same", self._renamed(becomes, self.label(name)))
        for spelling in (identifier, name):
            if spelling in self.new.replaced:
                becomes = self.new.replaced[spelling]
                return _Found(becomes, "merged" if becomes in self._survivors else "replaced")
            if spelling in self.new.considered:
                choices = self._called(self.new.considered[spelling])
                return _Found("", "split", (f"the new version names {choices} for it",))
        return self._named_alike(name)

    def _named_alike(self, name: str) -> _Found:
        """Find a concept by its label, since nothing else is left."""
        alike = self._by_label.get(fold(self.label(name) or name), [])
        if name in alike:
            return _Found(name, "same name")
        if len(alike) == 1:
            return _Found(alike[0], "same label", ("it was found by its label alone",))
        if alike:
            return _Found("", "ambiguous", (f"{self._called(alike)} have its label",))
        reason = self.new.left_out.get(self._identifier(name), "")
        return _Found("", "removed", (f"the new version leaves it out: {reason}",) if reason else ())

    def _renamed(self, becomes: str, label: str) -> tuple[str, ...]:
        now = self._new_label(becomes)
        if fold(now) == fold(label):
            return ()
        others = [name for name in self._by_label.get(fold(label), []) if name != becomes]
        taken = f", which is that of {self._called(others)} now" if others else ""
        return (f"its label is {now!r} and was {label!r}{taken}",)

    def moved_in(self, names: list[str]) -> dict[str, tuple[str, ...]]:
        """Note for concepts that have moved the ancestors that they have lost and got.

        Only ancestors count that both versions have: a new one between two old ones moves nothing.
        """
        everything = [self._find(name).becomes for name in self.old.arrays.vocabulary]
        index = self.new.arrays.vocabulary.index
        ends = [(row, index[name]) for row, name in enumerate(everything) if name]
        mapping = _mapping(ends, (len(everything), len(index)))
        places = self.old.arrays.vocabulary.positions(names)
        was = pattern(self.old.arrays.ancestors[places] @ mapping)
        both = sparse.diags_array(np.bincount(mapping.indices, minlength=len(index)) > 0, dtype=bool)
        targets = np.array([index[everything[place]] for place in places.tolist()], dtype=np.intp)
        now = pattern(self.new.arrays.ancestors[targets] @ sparse.csr_array(both))
        changes = (("no longer", without(was, now)), ("now also", without(now, was)))
        known, notes = self.new.arrays.vocabulary, dict[str, tuple[str, ...]]()
        for row, name in enumerate(names):
            parts = [
                f"{what} below {self._called(known[at] for at in line(matrix, row).tolist())}"
                for what, matrix in changes
                if line(matrix, row).size
            ]
            if parts:
                notes[name] = (f"it moved: {', '.join(parts)}",)
        return notes


def _decided(decisions: Mapping[str, str], old: Ontology, new: Ontology) -> dict[str, str]:
    """Resolve the names of decisions."""
    before = old.resolve_all(dict.fromkeys(decisions, "`decisions`"))
    after = new.resolve_all({text: "`decisions`" for text in decisions.values() if text})
    never = {
        text: "`decisions`" for text, name in after.items() if name not in new.hierarchy().label_vocabulary
    }
    if never:
        raise UnknownConceptError(never, remedy="They are abstract in the new version: name others.")
    return {before[text]: after.get(becomes, "") for text, becomes in decisions.items()}


LEFT_OUT, UNDECIDED = "-", "?"
"""What stands in tables for nothing: where that was decided, and where nothing is."""


def read_decisions(source: FilePath) -> dict[str, str]:
    """Read decisions: a table of concepts and what they become."""
    file = read_source(source)
    found: dict[str, str] = {}
    for number, row in rows_by_role(file, {"concept": {"concept"}, "becomes": {"becomes"}}):
        becomes = row["becomes"]
        if becomes != UNDECIDED and found.setdefault(row["concept"], becomes) != becomes:
            raise InputError(
                f"{row['concept']!r} becomes {found[row['concept']]!r} and {becomes!r}",
                "Keep one of these rows.",
                where=file.where,
                row=number,
            )
    return {concept: "" if becomes == LEFT_OUT else becomes for concept, becomes in found.items()}
