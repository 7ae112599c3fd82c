"""Versions: differences of two label sets, and label sets moved to another version of an ontology."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.graphs import AnyHierarchy, AnyOntology, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels, sets_of
from ontoeval.core.label_sets import LabelSets, only_samples
from ontoeval.core.names import ConceptNames, Namespaces, fold, obo_id, obo_iri, with_label
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.showing import Shown
from ontoeval.core.vocabulary import Vocabulary, union_of
from ontoeval.errors import InputError, UnknownConceptError, enumerate_some, pluralise
from ontoeval.evaluation.groups import Groups
from ontoeval.labels.name_resolution import Names, rows_by_role
from ontoeval.labels.sources import read_source
from ontoeval.ontology.model import Ontology
from ontoeval.plumbing.files import FilePath
from ontoeval.plumbing.sparse import pattern, pattern_at, stored_columns, without_entries


class ConceptChange(NamedTuple):
    """Changes of a concept, or of a branch."""

    name: str
    before: int
    after: int
    added: int
    removed: int
    samples: int


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Shown):
    """What changed between two collections of label sets.

    Parameters
    ----------
    vocabulary
        The concepts of both.
    samples
        The samples that both have, in the order of the first.
    new, gone
        Boolean, one row per such sample and one column per concept: labels that only the second, or only
        the first has.
    samples_added, samples_removed
        Samples that only the second, or only the first has.
    totals
        Labels of each concept in all samples: one row for the first collection, one for the second.
    hierarchy
        The branches of concepts; None where there are none.

    Examples
    --------
    >>> first = LabelSets.from_sets({"p1": ["sky"], "p2": ["sea"]})
    >>> second = LabelSets.from_sets({"p1": ["sky", "sea"], "p3": []})
    >>> changes = difference(first, second)
    >>> changes.added("p1"), changes.samples_added, changes.samples_removed
    (('sea',), ('p3',), ('p2',))
    """

    vocabulary: Vocabulary
    samples: tuple[str, ...]
    new: sparse.csr_array
    gone: sparse.csr_array
    samples_added: tuple[str, ...]
    samples_removed: tuple[str, ...]
    totals: NDArray[np.intp]
    hierarchy: Hierarchy | None = None

    @property
    def names(self) -> ConceptNames:
        """Display names of the concepts."""
        return self.vocabulary.names if self.hierarchy is None else self.hierarchy.names_of(self.vocabulary)

    @property
    def _brief(self) -> str:
        more, fewer, both = map(len, (self.samples_added, self.samples_removed, self.samples))
        changed = f"{len(self.changed):,} of {pluralise(both, 'sample')} changed"
        return f"{changed}, {more:,} added, {fewer:,} removed"

    @cached_property
    def _row(self) -> dict[str, int]:
        return {sample: row for row, sample in enumerate(self.samples)}

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The samples that both have, with other labels."""
        counts = np.diff(self.new.indptr) + np.diff(self.gone.indptr)
        return tuple(self.samples[row] for row in np.flatnonzero(counts).tolist())

    def added(self, sample: str) -> tuple[str, ...]:
        """Name the labels that only the second collection has.

        Parameters
        ----------
        sample
            A sample that both have.

        Returns
        -------
        tuple of str
            Concepts.

        Raises
        ------
        InputError
            If not both have it.
        """
        return self._labels(self.new, sample)

    def removed(self, sample: str) -> tuple[str, ...]:
        """Name the labels that only the first collection has.

        Parameters
        ----------
        sample
            A sample that both have.

        Returns
        -------
        tuple of str
            Concepts.

        Raises
        ------
        InputError
            If not both have it.
        """
        return self._labels(self.gone, sample)

    def _labels(self, matrix: sparse.csr_array, sample: str) -> tuple[str, ...]:
        if sample not in self._row:
            raise InputError(f"sample {sample!r} is not in both files", "Name one of `samples`.")
        return tuple(self.vocabulary[column] for column in stored_columns(matrix, self._row[sample]))

    def by_concept(self) -> tuple[ConceptChange, ...]:
        """Count the changes of each concept.

        Returns
        -------
        tuple of Change
            Concepts with changes, most changes first.
        """
        each = sparse.csr_array(sparse.eye_array(len(self.vocabulary), dtype=bool))
        return self._changes(each, self.vocabulary.concepts)

    def by_branch(self) -> tuple[ConceptChange, ...]:
        """Count what changed in each branch: below each root, or each child of a single root.

        Returns
        -------
        tuple of Change
            Those in which anything changed, what changed most first; a concept of several branches
            counts in each, and a single root is one of its own. None without a hierarchy.
        """
        if self.hierarchy is None:
            return ()
        groups = Groups.branches(self.hierarchy, self.vocabulary.concepts)
        return self._changes(groups.members, groups.names)

    def _changes(self, members: sparse.csr_array, names: tuple[str, ...]) -> tuple[ConceptChange, ...]:
        """Count for each group of concepts."""
        weights = members.astype(np.intp)
        new, gone = (np.asarray(matrix.sum(axis=0)).ravel() @ weights for matrix in (self.new, self.gone))
        before, after = (total @ weights for total in self.totals)
        touched = np.bincount(pattern((self.new + self.gone) @ members).indices, minlength=len(names))
        columns = (before, after, new, gone, touched)
        found = (
            ConceptChange(*row) for row in zip(names, *(column.tolist() for column in columns), strict=True)
        )
        kept = [change for change in found if change.added or change.removed or change.before != change.after]
        return tuple(sorted(kept, key=lambda change: (-change.added - change.removed, change.name)))


@front_door
def difference(
    first: Labels,
    second: Labels,
    hierarchy: AnyHierarchy | None = None,
    *,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> Difference:
    """Compare two collections of label sets.

    Parameters
    ----------
    first
        The label sets before, or what `evaluate` takes for some.
    second
        The same after; samples are matched by their identifiers.
    hierarchy
        The branches of concepts.
    classes, separator
        See `evaluate`.

    Raises
    ------
    MisalignedError
        If a concept that is used is no label of the hierarchy.

    Examples
    --------
    >>> first = LabelSets.from_sets({"p1": ["sky"]})
    >>> difference(first, LabelSets.from_sets({"p1": ["sea"]})).by_concept()[0]
    ConceptChange(name='sea', before=0, after=1, added=1, removed=0, samples=1)
    """
    reading = LabelSyntax(classes, separator)
    first, second = sets_of(first, reading=reading), sets_of(second, reading=reading)
    if hierarchy is None:
        vocabulary = union_of([first.vocabulary, second.vocabulary])
    else:
        vocabulary = hierarchy.label_vocabulary
        first, second = (sets.named_by(hierarchy.vocabulary) for sets in (first, second))
    first, second = first.within(vocabulary), second.within(vocabulary)
    shared = tuple(sample for sample in first.samples if sample in second.row)
    before, after = (sets.matrix[[sets.row[sample] for sample in shared]] for sets in (first, second))
    only_first, only_second = only_samples(first, second)
    changes = without_entries(after, before), without_entries(before, after)
    counts = (np.bincount(sets.matrix.indices, minlength=len(vocabulary)) for sets in (first, second))
    only = tuple(only_second), tuple(only_first)
    return Difference(vocabulary, shared, *changes, *only, np.stack([*counts]), hierarchy)


Open = Literal["removed", "split", "ambiguous", "abstract", "unknown"]
"""Results of labels that need a decision."""

How = Literal["same", "new", "replaced", "merged", "same name", "same label", "decided"] | Open

OPEN: frozenset[str] = frozenset(get_args(Open))


class Move(NamedTuple):
    """Result of moving a concept."""

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


@dataclass(frozen=True, eq=False, repr=False)
class Migration(Shown):
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
    def _brief(self) -> str:
        return f"{self.sets!r}, {pluralise(len(self.moves), 'move')}, {len(self.open):,} open"

    @property
    def open(self) -> tuple[Move, ...]:
        """The concepts that need a decision."""
        return tuple(move for move in self.moves if move.open)

    @property
    def noted(self) -> tuple[Move, ...]:
        """The concepts that moved with remarks, to be checked by a person."""
        return tuple(move for move in self.moves if move.notes and not move.open)


@front_door
def migrate(
    labels: Labels,
    old: AnyOntology,
    new: AnyOntology,
    *,
    decisions: Mapping[str, str] | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> Migration:
    """Move label sets to another version of an ontology.

    A concept becomes the one with the same IRI; or by the new version its replacement, or what it was merged
    into; or the one with the same label. A label that is no concept of the old version becomes the concept of
    the new version that it names, or the replacement that a version names. All others need a decision; until
    then their labels are left out.

    Parameters
    ----------
    labels
        The label sets, over names of either version; or what `evaluate` takes for some.
    old, new
        The versions of the ontology, or their files.
    decisions
        What some concepts become, by their names in both versions, and labels that are no concept of the
        old one; "" leaves their labels out.
    classes, separator
        See `evaluate`.

    Raises
    ------
    UnknownConceptError
        If a decision names an unknown concept, or one that is no label of the new version.

    Examples
    --------
    >>> old, new = (Ontology.from_paths([path]) for path in ("water/lake", "water/sea"))
    >>> moved = migrate(LabelSets.from_sets([["water", "water/lake"]]), old, new)
    >>> moved.sets.labels_of("0"), [(move.concept, move.how) for move in moved.open]
    (('water',), [('water/lake', 'removed')])
    """
    sets = sets_of(labels, reading=LabelSyntax(classes, separator))
    return moved_labels(sets, Names.from_options(old), new, decisions or {})


def moved_labels(sets: LabelSets, names: Names, new: Ontology, decisions: Mapping[str, str]) -> Migration:
    """Move label sets over any spellings to a new version, as `migrate` does; `names` are of the old one."""
    used = np.flatnonzero(np.bincount(sets.matrix.indices, minlength=len(sets.vocabulary))).tolist()
    match = VersionMatch(names, new)
    keys = {column: match.key(sets.vocabulary[column]) for column in used}
    number = {key: row for row, key in enumerate(dict.fromkeys(keys.values()))}
    shape = len(sets.vocabulary), len(number)
    joined = pattern(sets.matrix @ joining([(column, number[key]) for column, key in keys.items()], shape))
    match.decisions = _resolve_decisions(decisions, number, match.old, new)
    counts = np.bincount(joined.indices, minlength=len(number)).tolist()
    found = {key: match.find(key) for key in number}
    moved = match.changed_ancestors([key for key, one in found.items() if one.how.startswith("same")])
    target = new.hierarchy().label_vocabulary
    moves, ends = [], []
    for key, (becomes, how, notes) in found.items():
        if becomes:
            ends.append((number[key], target.index[becomes]))
        every = (*notes, *moved.get(key, ()))
        moves.append(Move(key, match.labels.get(key, ""), becomes, how, counts[number[key]], every))
    moves.sort(key=lambda move: (not move.open, not move.notes, -move.labels, move.concept))
    moved_sets = LabelSets(pattern(joined @ joining(ends, (len(number), len(target)))), target, sets.samples)
    emptied = np.flatnonzero((sets.sizes > 0) & (moved_sets.sizes == 0))
    return Migration(moved_sets, tuple(moves), tuple(sets.samples[row] for row in emptied.tolist()))


def joining(ends: list[tuple[int, int]], shape: tuple[int, int]) -> sparse.csr_array:
    """Boolean matrix by which columns are joined: 1 where a column becomes another."""
    rows, columns = np.array(ends, dtype=np.intp).reshape(-1, 2).T
    return pattern_at(rows, columns, shape)


class Successor(NamedTuple):
    """What a concept becomes, why, and remarks."""

    becomes: str
    how: How
    notes: tuple[str, ...] = ()


def identifier_forms(identifier: str) -> list[str]:
    """Write an identifier in its own form, with the other of http and https, and in that of OBO."""
    scheme, colon, rest = identifier.partition("://")
    others = [f"{other}://{rest}" for other in ("http", "https") if colon and other != scheme][:1]
    return [identifier, *others * (scheme in {"http", "https"}), *obo_id(identifier), *obo_iri(identifier)]


class VersionMatch:
    """Matches concepts of the old version with those of the new one."""

    def __init__(self, names: Names, new: Ontology) -> None:
        assert names.ontology is not None  # noqa: S101 - the callers give it
        old = names.ontology
        self.old, self.new, self.decisions = old, new, dict[str, str]()
        self.old_names, self.names_in_new = names, Names.from_options(new)
        before, after = old.arrays.vocabulary, new.arrays.vocabulary
        self.labels = dict(zip(before, old.labels, strict=True))
        self.new_labels = dict(zip(after, new.labels, strict=True))
        # The names of the new version by IRI, those of merged concepts too; or themselves.
        self.live = {iri or name: name for name, iri in zip(after, new.iris, strict=True)}
        self.new_names = {**{iri: name for iri, (name, _) in new.same.items()}, **self.live}
        # The identifiers of the old version, as the new one writes them.
        known = {*self.new_names, *new.replaced, *new.considered, *new.left_out}
        spaces = {**old.prefixes, **new.prefixes}
        curies = Namespaces.from_prefixes(spaces).curies

        def known_form(identifier: str) -> str:
            prefix, _, local = identifier.partition(":")
            forms = (*identifier_forms(identifier), spaces.get(prefix, "") + local, *curies(identifier))
            return next((form for form in forms if form in known), identifier)

        self.identifiers = {name: known_form(iri or name) for name, iri in zip(before, old.iris, strict=True)}
        # The concepts of the new version that were concepts of the old one under the same IRI.
        shared = self.identifiers.values() & self.new_names.keys()
        self.survivors = {self.new_names[identifier] for identifier in shared}
        self.by_label = defaultdict[str, list[str]](list)
        for name, label in self.new_labels.items():
            self.by_label[fold(label or name)].append(name)

    def _display_names(self, names: Iterable[str], *, old: bool = False) -> str:
        labels = self.labels if old else self.new_labels
        return enumerate_some(with_label(name, labels[name]) for name in names)

    def find(self, name: str) -> Successor:
        """Find what a concept becomes, by decision or by itself."""
        found = self.successor(name)
        becomes = found.becomes
        if self.decisions.get(name, becomes) != becomes or (name in self.decisions and found.how in OPEN):
            return Successor(self.decisions[name], "decided")
        if becomes and becomes not in self.new.hierarchy().label_vocabulary:
            note = f"{becomes} is abstract in the new version, and never a label"
            return Successor("", "abstract", (*found.notes, note))
        return found

    def key(self, spelling: str) -> str:
        """Find the concept of the old version that a label means; else the label itself."""
        text = self.old_names.concept_map.get(spelling, spelling)
        found, _ = self.old_names.meaning(spelling)
        return found[0] if len(found) == 1 and text.strip() not in self.old.replaced else text

    def successor(self, name: str) -> Successor:
        """Find what a concept becomes by itself, abstract or not."""
        if name not in self.labels:
            return self._find_unknown(name)
        identifier = self.identifiers[name]
        if identifier in self.live:
            becomes = self.live[identifier]
            return Successor(becomes, "same", self._renamed(becomes, self.labels[name]))
        if identifier in self.new.same:
            return Successor(self.new_names[identifier], "merged")
        return self._find_replacement(self.new, identifier, name) or self._named_alike(name)

    def _find_replacement(self, version: Ontology, *spellings: str) -> Successor | None:
        """Find the replacement of a concept that a version names, or the candidates to choose from."""
        for spelling in spellings:
            if spelling in version.replaced:
                becomes = version.replaced[spelling]
                if version is not self.new:
                    return self.successor(becomes)
                return Successor(becomes, "merged" if becomes in self.survivors else "replaced")
            if spelling in version.considered:
                which = "new" if version is self.new else "old"
                choices = self._display_names(version.considered[spelling], old=which == "old")
                return Successor("", "split", (f"the {which} version names {choices} for it",))
        return None

    def _find_unknown(self, label: str) -> Successor:
        """Find the new name of a label that is no concept of the old version."""
        text = label.strip()
        meant = [names.meaning(label)[0] for names in (self.old_names, self.names_in_new)]
        if max(map(len, meant)) > 1:
            return Successor("", "ambiguous", ("several concepts have this name",))
        if meant[1] and text not in self.new.replaced:
            return Successor(meant[1][0], "new")
        versions = {"new": self.new, "old": self.old}
        for version in versions.values():
            if found := self._find_replacement(version, label, text):
                return found
        left_out = {which: version.left_out.get(text) for which, version in versions.items()}
        gone = [f"the {which} version leaves it out: {why}" for which, why in left_out.items() if why]
        return Successor("", "removed" if gone else "unknown", tuple(gone) or ("neither version has it",))

    def _named_alike(self, name: str) -> Successor:
        """Find a concept by its label, since nothing else is left."""
        alike = self.by_label.get(fold(self.labels[name] or name), [])
        if name in alike:
            return Successor(name, "same name")
        if len(alike) == 1:
            return Successor(alike[0], "same label", ("it was found by its label alone",))
        if alike:
            return Successor("", "ambiguous", (f"{self._display_names(alike)} have its label",))
        reason = self.new.left_out.get(self.identifiers[name], "")
        return Successor("", "removed", (f"the new version leaves it out: {reason}",) if reason else ())

    def _renamed(self, becomes: str, label: str) -> tuple[str, ...]:
        now = self.new_labels[becomes]
        if fold(now) == fold(label):
            return ()
        others = [name for name in self.by_label.get(fold(label), []) if name != becomes]
        taken = f", which is that of {self._display_names(others)} now" if others else ""
        return (f"its label is {now!r} and was {label!r}{taken}",)

    def changed_ancestors(self, names: list[str]) -> dict[str, tuple[str, ...]]:
        """Note for concepts that have moved the ancestors that they have lost and got.

        Only ancestors count that both versions have: a new one between two old ones moves nothing.
        """
        everything = [self.successor(name).becomes for name in self.old.arrays.vocabulary]
        index = self.new.arrays.vocabulary.index
        ends = [(row, index[name]) for row, name in enumerate(everything) if name]
        mapping = joining(ends, (len(everything), len(index)))
        places = self.old.arrays.vocabulary.positions(names)
        was = pattern(self.old.arrays.ancestors[places] @ mapping)
        both = sparse.diags_array(np.bincount(mapping.indices, minlength=len(index)) > 0, dtype=bool)
        targets = np.array([index[everything[place]] for place in places.tolist()], dtype=np.intp)
        now = pattern(self.new.arrays.ancestors[targets] @ sparse.csr_array(both))
        changes = (("no longer", without_entries(was, now)), ("now also", without_entries(now, was)))
        known, notes = self.new.arrays.vocabulary, dict[str, tuple[str, ...]]()
        for row, name in enumerate(names):
            parts = [
                f"{what} below {self._display_names(known[at] for at in columns.tolist())}"
                for what, matrix in changes
                if (columns := stored_columns(matrix, row)).size
            ]
            if parts:
                notes[name] = (f"it moved: {', '.join(parts)}",)
        return notes


def _resolve_decisions(
    decisions: Mapping[str, str], labels: Mapping[str, int], old: Ontology, new: Ontology
) -> dict[str, str]:
    """Resolve the names of decisions, whose keys are concepts of the old version or labels of the file."""
    before = old.resolve_all(dict.fromkeys((text for text in decisions if text not in labels), "`decisions`"))
    after = new.resolve_all({text: "`decisions`" for text in decisions.values() if text})
    never = {
        text: "`decisions`" for text, name in after.items() if name not in new.hierarchy().label_vocabulary
    }
    if never:
        raise UnknownConceptError(never, remedy="They are abstract in the new version: name others.")
    return {before.get(text, text): after.get(becomes, "") for text, becomes in decisions.items()}


LEFT_OUT, UNDECIDED = "-", "?"
"""Marks in tables: label left out by decision, and no decision yet."""


def read_decisions(source: FilePath) -> dict[str, str]:
    """Read decisions: a table of concepts and what they become."""
    file = read_source(source)
    found: dict[str, str] = {}
    for number, row in rows_by_role(file, {"concept": {"concept"}, "becomes": {"becomes"}}):
        becomes = row["becomes"]
        if becomes != UNDECIDED and found.setdefault(row["concept"], becomes) != becomes:
            problem = f"{row['concept']!r} becomes {found[row['concept']]!r} and {becomes!r}"
            file.refuse(problem, "Keep one of these rows.", number)
    return {concept: "" if becomes == LEFT_OUT else becomes for concept, becomes in found.items()}
