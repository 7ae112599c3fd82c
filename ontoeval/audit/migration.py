"""Migration: label sets from one version of an ontology to another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.core.coercion import Labels, sets_of
from ontoeval.core.csr import line, pattern, without
from ontoeval.core.files import FilePath
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import InputError, UnknownConceptError, listed
from ontoeval.labels.named_columns import rows_by_role
from ontoeval.labels.tables import read_source
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.spellings import fold, with_label
from ontoeval.reports.table import Column, Table

How = Literal[
    "same",
    "replaced",
    "merged",
    "same name",
    "same label",
    "decided",
    "removed",
    "split",
    "ambiguous",
    "abstract",
]

OPEN = frozenset({"removed", "split", "ambiguous", "abstract"})
"""What becomes of concepts of which nobody but a human can say what is meant now."""


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
        """Whether a human must decide: until then its labels are left out."""
        return self.how in OPEN


@dataclass(frozen=True, eq=False)
class Migration:
    """Label sets that were moved to another version of an ontology, and how.

    Parameters
    ----------
    sets
        The label sets over the concepts of the new version.
    moves
        What became of each concept that is used: what is open first, then what has notes, what
        concerns most labels first.
    emptied
        Samples that had labels and have none now.
    """

    sets: LabelSets
    moves: tuple[Move, ...]
    emptied: tuple[str, ...] = ()

    @property
    def open(self) -> tuple[Move, ...]:
        """The concepts of which a human must say what they become."""
        return tuple(move for move in self.moves if move.open)

    @property
    def noted(self) -> tuple[Move, ...]:
        """The concepts that moved, but that a human should look at."""
        return tuple(move for move in self.moves if move.notes and not move.open)


def migrate(
    labels: Labels, old: Ontology, new: Ontology, *, decisions: Mapping[str, str] | None = None
) -> Migration:
    """Move label sets to another version of an ontology.

    A concept becomes the one with the same IRI; or what the new version says has replaced it, or was
    made one with it; or the one with the same name and label, or with the same label alone. Where the
    new version leaves several choices, or none, its labels are left out until a decision is given.

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
        If a decision speaks of what is no concept, or of what is no label of the new version.
    AmbiguousNameError
        If a decision names what several concepts are called.
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
    finder = _Finder(old, new, _decided(decisions or {}, old, new))
    counts = np.bincount(sets.matrix.indices, minlength=len(sets.vocabulary))
    used = np.flatnonzero(counts)
    found = {sets.vocabulary[column]: finder.find(sets.vocabulary[column]) for column in used.tolist()}
    moved = finder.moved_in(
        name for name, (_, how, _) in found.items() if how in {"same", "same name", "same label"}
    )
    target = new.hierarchy().label_vocabulary
    moves, ends = [], []
    for column, (name, (becomes, how, notes)) in zip(used.tolist(), found.items(), strict=True):
        if becomes:
            ends.append((column, target.index[becomes]))
        every = (*notes, *moved.get(name, ()))
        moves.append(Move(name, finder.label(name), becomes, how, int(counts[column]), every))
    rows, columns = np.array(ends, dtype=np.intp).reshape(-1, 2).T
    shape = len(sets.vocabulary), len(target)
    ways = sparse.csr_array((np.ones(rows.size, dtype=bool), (rows, columns)), shape=shape)
    moves.sort(key=lambda move: (not move.open, not move.notes, -move.labels, move.concept))
    moved_sets = LabelSets(pattern(sets.matrix @ ways), target, sets.samples)
    emptied = np.flatnonzero((np.diff(sets.matrix.indptr) > 0) & (np.diff(moved_sets.matrix.indptr) == 0))
    return Migration(moved_sets, tuple(moves), tuple(sets.samples[row] for row in emptied.tolist()))


Found = tuple[str, How, tuple[str, ...]]
"""What a concept becomes, why, and what is to be said of it."""


@dataclass(frozen=True, eq=False)
class _Finder:
    """Finds concepts of the old version in the new one."""

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
    def _new_labels(self) -> dict[str, str]:
        return dict(zip(self.new.arrays.vocabulary, self.new.labels, strict=True))

    def label(self, name: str) -> str:
        """Give the label that a concept has in the old version."""
        return self.old.labels[self.old.arrays.vocabulary.index[name]]

    def _identifier(self, name: str) -> str:
        return self.old.iris[self.old.arrays.vocabulary.index[name]] or name

    def find(self, name: str) -> Found:
        """Say what a concept becomes."""
        becomes, how, notes = self._find(name)
        if self.decisions.get(name, becomes) != becomes or (name in self.decisions and how in OPEN):
            return self.decisions[name], "decided", ()
        if becomes and becomes not in self.new.hierarchy().label_vocabulary:
            return "", "abstract", (*notes, f"{becomes} is abstract in the new version, and never a label")
        return becomes, how, notes

    def _find(self, name: str) -> Found:
        identifier, label = self._identifier(name), self.label(name)
        if identifier in self.new.same:
            return self._new_names[identifier], "merged", ()
        if identifier in self._new_names:
            return self._new_names[identifier], "same", self._renamed(self._new_names[identifier], label)
        for spelling in (identifier, name):
            if spelling in self.new.replaced:
                becomes = self.new.replaced[spelling]
                how: How = "merged" if becomes in self._survivors else "replaced"
                return becomes, how, ()
            if spelling in self.new.considered:
                choices = self.new.considered[spelling]
                return "", "split", (f"the new version names {listed(map(self._called, choices))} for it",)
        return self._named_alike(name, label)

    def _named_alike(self, name: str, label: str) -> Found:
        """Find a concept by its label, since nothing else is left."""
        alike = self._by_label.get(fold(label or name), [])
        if name in alike:
            return name, "same name", ()
        if len(alike) == 1:
            return alike[0], "same label", ("it was found by its label alone",)
        if alike:
            return "", "ambiguous", (f"{listed(map(self._called, alike))} have its label",)
        reason = self.new.left_out.get(self._identifier(name), "")
        return "", "removed", (f"the new version leaves it out: {reason}",) if reason else ()

    def _renamed(self, becomes: str, label: str) -> tuple[str, ...]:
        now = self._new_labels[becomes]
        if fold(now) == fold(label):
            return ()
        others = [name for name in self._by_label.get(fold(label), []) if name != becomes]
        taken = f", which is that of {listed(map(self._called, others))} now" if others else ""
        return (f"its label is {now!r} and was {label!r}{taken}",)

    @cached_property
    def _survivors(self) -> frozenset[str]:
        """The concepts of the new version that were concepts of the old one under the same IRI."""
        names = map(self._identifier, self.old.arrays.vocabulary)
        return frozenset(self._new_names[name] for name in names if name in self._new_names)

    def moved_in(self, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Say of some concepts which ancestors they have lost and which they have got.

        Only ancestors count that both versions have: a new one between two old ones moves nothing.
        """
        everything = [self._find(name)[0] for name in self.old.arrays.vocabulary]
        index = self.new.arrays.vocabulary.index
        known = [(row, index[name]) for row, name in enumerate(everything) if name]
        rows, columns = np.array(known, dtype=np.intp).reshape(-1, 2).T
        shape = len(everything), len(index)
        ways = sparse.csr_array((np.ones(rows.size, dtype=bool), (rows, columns)), shape=shape)
        asked = list(names)
        places = self.old.arrays.vocabulary.positions(asked)
        was = pattern(self.old.arrays.ancestors[places] @ ways)
        both = sparse.diags_array(np.bincount(columns, minlength=len(index)) > 0, dtype=bool)
        targets = np.array([index[everything[place]] for place in places.tolist()], dtype=np.intp)
        now = pattern(self.new.arrays.ancestors[targets] @ sparse.csr_array(both))
        lost, got = without(was, now), without(now, was)
        notes: dict[str, tuple[str, ...]] = {}
        for row, name in enumerate(asked):
            parts = [
                f"{what} below {self._some(matrix, row)}"
                for what, matrix in (("no longer", lost), ("now also", got))
                if line(matrix, row).size
            ]
            if parts:
                notes[name] = (f"it moved: {', '.join(parts)}",)
        return notes

    def _some(self, matrix: sparse.csr_array, row: int) -> str:
        names = self.new.arrays.vocabulary
        return listed(self._called(names[column]) for column in line(matrix, row).tolist())

    def _called(self, name: str) -> str:
        return with_label(name, self._new_labels[name])


def _decided(decisions: Mapping[str, str], old: Ontology, new: Ontology) -> dict[str, str]:
    """Resolve what the caller decided."""
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
    """Read what concepts are to become where somebody must say it."""
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


def moves_table(moves: Iterable[Move], title: str = "Moves") -> Table:
    """Show what became of concepts."""
    columns = ("concept", "label", "becomes", "how", "labels", "notes")
    rows = (
        (move.concept, move.label, move.becomes or nothing, move.how, move.labels, "; ".join(move.notes))
        for move in moves
        for nothing in (UNDECIDED if move.open else LEFT_OUT,)
    )
    return Table(title, tuple(map(Column, columns)), tuple(rows))
