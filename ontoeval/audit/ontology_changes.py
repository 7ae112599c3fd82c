"""Differences of two versions of an ontology: concepts, labels, parents and rules."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.audit.versions import VersionMatch, identifier_forms, joining
from ontoeval.core.graphs import AnyOntology, front_door
from ontoeval.core.inputs import Labels, sets_of
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.names import JoinedNames, fold, local_name, shown_text
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.rules import Exclusion, Rule
from ontoeval.core.showing import Shown, reports
from ontoeval.errors import InputError, ParameterError, enumerate_some, one_of, pluralise
from ontoeval.labels.name_resolution import Names
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.raw_ontology import DEPRECATED
from ontoeval.ontology.report import Source
from ontoeval.plumbing.sparse import choose_entries, pattern, row_of_entries, stored_columns, without_entries

KINDS = ("new", "obsolete", "removed", "merged", "split", "renamed", "unnamed", "moved", "identifier", "rule")
"""Kinds of changes, in the order in which they are listed."""


class OntologyChange(NamedTuple):
    """One change from a version of an ontology to the next.

    Parameters
    ----------
    change
        Its kind.
    concept
        Name of the concept in the new version, or in the old one where the new one lacks it; of an exclusion
        both, of a namespace that many concepts have "".
    before, after
        What it was and what it is: labels, parents, identifiers, rules, or the concepts that take its place.
    note
        Remarks.
    samples
        Number of samples of a label file that it touches; None without one.
    """

    change: str
    concept: str
    before: str = ""
    after: str = ""
    note: str = ""
    samples: int | None = None


@dataclass(frozen=True, eq=False, repr=False)
class OntologyDifference(Shown):
    """What changed between two versions of an ontology.

    Parameters
    ----------
    old, new
        Where the versions come from.
    sizes
        Number of concepts of each.
    shared
        Number of concepts that both have.
    changes
        The changes by kind; within a kind those that touch most samples first, then by name.
    notes
        Remarks on how concepts were matched, and on labels that neither version has.
    samples, touched
        Number of samples of the label file, and of those that any change touches; None without one.
    """

    old: Source
    new: Source
    sizes: tuple[int, int]
    shared: int
    changes: tuple[OntologyChange, ...]
    notes: tuple[str, ...] = ()
    samples: int | None = None
    touched: int | None = None

    @property
    def _brief(self) -> str:
        counts = ", ".join(f"{count:,} {kind}" for kind, count in self.counts.items())
        return f"{counts or 'no differences'}; {self.shared:,} concepts in both"

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of changes of each kind, without those that there are none of."""
        return Counter(change.change for change in self.changes)

    @property
    def summary(self) -> str:
        """How many concepts the versions have, and how many samples the changes touch."""
        before, after = self.sizes
        parts = [f"{before:,} concepts before, {after:,} after, {self.shared:,} in both."]
        if not self.changes:
            concepts = pluralise(after, "concept")
            parts = [f"No differences: {concepts} with the same names, parents and rules."]
        if self.samples is not None:
            parts.append(f"The changes touch {self.touched:,} of {pluralise(self.samples, 'sample')}.")
        return " ".join(parts)

    def of(self, kind: str) -> tuple[OntologyChange, ...]:
        """Choose the changes of one kind.

        Parameters
        ----------
        kind
            "new", "obsolete", "removed", "merged", "split", "renamed", "unnamed" (other names that no longer
            mean the concept), "moved", "identifier" or "rule".
        """
        one_of("kind", kind, KINDS)
        return tuple(change for change in self.changes if change.change == kind)

    def release_notes(self) -> str:
        """Write the changes as Markdown for release notes.

        Returns
        -------
        str
            A heading, a sentence, and a list for each kind of change.
        """
        text: str = reports("release_notes")(self)
        return text


@front_door
def diff_ontologies(
    old: AnyOntology,
    new: AnyOntology,
    *,
    labels: Labels | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> OntologyDifference:
    """Compare two versions of an ontology: concepts, labels and lost names, direct parents, rules of labels.

    Concepts are the same if they have the same identifier, with http or https, and in either form of OBO; or
    else the same name and label, or a label that no other concept has. Parents and rules are compared after
    replacement: "below a merged concept" is "below what it was merged into".

    Parameters
    ----------
    old, new
        The versions, or their files.
    labels
        Label sets over names of either version, to count the samples that each change touches.
    classes, separator
        See `evaluate`.

    Raises
    ------
    InputError
        If the versions share no concept.

    Examples
    --------
    >>> from ontoeval import Ontology
    >>> old = Ontology.from_paths(["water/lake"])
    >>> new = Ontology.from_paths(["water/lake", "water/sea"])
    >>> diff_ontologies(old, new)
    OntologyDifference(1 new; 2 concepts in both)
    """
    for name, version in (("old", old), ("new", new)):
        if not isinstance(version, Ontology):
            raise ParameterError(name, type(version).__name__, "an Ontology, or the path of its file")
    sets = None if labels is None else sets_of(labels, reading=LabelSyntax(classes, separator))
    return ontology_difference(Names.from_options(old), new, sets)


def ontology_difference(names: Names, new: Ontology, sets: LabelSets | None) -> OntologyDifference:
    """Compare as `diff_ontologies` does; `names` are of the old version, label sets over any spellings."""
    match = _Comparison(names, new)
    found = list(match.changes())
    notes, samples, touched = match.notes(), None, None
    counts: list[int | None] = [None] * len(found)
    if sets is not None:
        touching, unknown = match.touching(sets, [columns for _, columns in found])
        counts = np.bincount(touching.indices, minlength=len(found)).tolist()
        samples, touched = len(sets), int(np.count_nonzero(np.diff(touching.indptr)))
        if unknown:
            notes.append(f"{pluralise(len(unknown), 'label')} of neither version: {enumerate_some(unknown)}")
    numbered = zip(found, counts, strict=True)
    changes = [one._replace(samples=None if at == _NOTHING else count) for (one, at), count in numbered]
    changes.sort(key=lambda one: (KINDS.index(one.change), -(one.samples or 0), one[1:5]))
    sizes, sources = (len(match.labels), len(match.new_labels)), (match.old.source, new.source)
    shared = len(match.same)
    return OntologyDifference(*sources, sizes, shared, tuple(changes), tuple(notes), samples, touched)


ColumnPair = tuple[int, int]
"""The two columns of concepts that a sample must have to be touched by a change, most often equal."""

_NOTHING: ColumnPair = -1, -1
"""The last column, which no sample has."""

Touching = tuple[OntologyChange, ColumnPair]
"""A change, and what it touches."""


_MARKS = ("may be a label", "is never a label")


class _Comparison(VersionMatch):
    """Two versions, and what became of each concept of the old one."""

    def __init__(self, names: Names, new: Ontology) -> None:
        super().__init__(names, new)
        self.fates = {name: self.successor(name) for name in self.labels}
        self.before, self.after = self.old.arrays.vocabulary.names, new.arrays.vocabulary.names
        bearers = Counter(fold(label or name) for name, label in self.labels.items())
        # The concepts that both versions have, by their names in the old one.
        self.same: dict[str, str] = {}
        for name, (becomes, how, _) in self.fates.items():
            alone = bearers[fold(self.labels[name] or name)] == 1
            alike = how == "same name" or (how == "same label" and alone)
            taken = becomes in self.survivors or self.identifiers[name] in new.left_out
            if how == "same" or (alike and not taken):
                self.same[name] = becomes
        # The concept of the new version for one of the old: itself, or what replaces it.
        replaced = [name for name, fate in self.fates.items() if fate.how in {"merged", "replaced"}]
        self.heirs = {name: self.fates[name].becomes for name in replaced} | self.same
        self.origins = {becomes: name for name, becomes in self.same.items()}

    def notes(self) -> list[str]:
        """Refuse ontologies that are no versions of one, and remark on those that may be none."""
        least = min(len(self.labels), len(self.new_labels))
        known = any(fate.how in {"same", "merged", "replaced", "split"} for fate in self.fates.values())
        few = f"{len(self.same):,} of {pluralise(least, 'concept')} of the smaller one"
        if 2 * len(self.same) >= least:
            alike = "No identifier is in both versions: concepts are matched by name and label."
            pairs = [(self.labels[name], self.new_labels[to]) for name, to in self.same.items()]
            renamed = sum(bool(one and other) and one != other for one, other in pairs)
            other = f"{renamed:,} of {pluralise(len(pairs), 'concept')} in both have another label"
            many = f"{other}. Do the identifiers mean the same in both versions?"
            return [alike] * (not known) + [many] * (2 * renamed > len(pairs))
        if known:
            return [f"The versions share only {few}. Are they versions of one ontology?"]
        names = " and ".join(repr(version.source.path) for version in (self.old, self.new))
        labels = f", and only the labels of {few}" if self.same else " and no label"
        raise InputError(f"{names} share no identifier{labels}", "Name two versions of one ontology.")

    # Changes ------------------------------------------------------------------------------------------------

    def changes(self) -> Iterator[Touching]:
        """List all changes."""
        for part in (self._new, self._gone, self._same, self._moved, self._rules):
            yield from part()

    def _new(self) -> Iterator[Touching]:
        replaced = defaultdict[str, list[str]](list)
        for name, becomes in self.heirs.items():
            replaced[becomes].append(name)
        for at, (name, iri) in enumerate(zip(self.new_labels, self.new.iris, strict=True)):
            if name not in self.origins:
                forms = list(identifier_forms(iri or name))
                obsolete = any(self.old.left_out.get(form) == DEPRECATED for form in forms)
                former = [self.old.replaced[form] for form in forms if form in self.old.replaced]
                parts = (
                    ("below", self._parents(self.new, at)),
                    ("replaces", self.before.join(replaced[name])),
                    ("obsolete before", " " * obsolete),
                    ("until now read as", self.before.join(former[:1])),
                )
                note = "; ".join(f"{what} {shown_text(which)}".strip() for what, which in parts if which)
                yield OntologyChange("new", self.after.text(name), note=note), self._own(name, new=True)

    def _gone(self) -> Iterator[Touching]:
        for name in self.labels.keys() - self.same.keys():
            how, identifier = self.fates[name].how, self.identifiers[name]
            reason, considered = self.new.left_out.get(identifier, ""), self.new.considered
            kind, note = "obsolete" if reason == DEPRECATED else "removed", ""
            becomes = tuple(self.heirs[name] for _ in range(name in self.heirs))
            if becomes:
                kind = "obsolete" if how == "replaced" and reason else "merged"
            elif how == "split":
                becomes = considered.get(identifier) or considered.get(name) or ()
                kind, note = ("split", "choose one") if len(becomes) > 1 else ("obsolete", "to consider")
            else:
                dead = self.new.dead_ends.get(identifier, "No replacement is named.")
                out = f"The new version leaves it out: {reason}." * bool(reason)
                why = dead if kind == "obsolete" else out
                alike = self.after.join(self.by_label.get(fold(self.labels[name] or name), ())).display_name
                note = f"{why} {f'Its label is now that of {alike}.' * bool(alike)}".strip()
            change = OntologyChange(kind, self.before.text(name), "", self.after.join(becomes), note)
            yield change, self._own(name)

    def _same(self) -> Iterator[Touching]:
        """Compare labels, marks and identifiers; those of another namespace alone are one change."""
        spaces, (old, new) = Counter[tuple[str, str]](), (self.old.arrays, self.new.arrays)
        for name, becomes in self.same.items():
            at, to = old.vocabulary.index[name], new.vocabulary.index[becomes]
            one, other = self.old.iris[at] or name, self.new.iris[to] or becomes
            labels = self.labels[name], self.new_labels[becomes]
            if labels[0] in {name, local_name(one)} and labels[1] in {becomes, local_name(other)}:
                labels = "", ""  # names stand for labels that neither version has
            if self.fates[name].how == "same" and not ("://" in one and "://" in other):
                other = one  # abbreviated in one version
            local = local_name(one)
            moved = one != other and local == local_name(other)
            spaces[one.removesuffix(local), other.removesuffix(local)] += moved
            marks = [_MARKS[bool(mark)] for mark in (old.abstract[at], new.abstract[to])]
            identifiers = one, one if moved else other
            kinds = {
                "renamed": labels,
                "unnamed": ("; ".join(self._lost_names(name, becomes)), ""),
                "rule": marks,
                "identifier": identifiers,
            }
            for kind, (before, after) in kinds.items():
                if before != after:
                    note = "found by its label alone" * (kind == "identifier")
                    yield OntologyChange(kind, self.after.text(becomes), before, after, note), self._own(name)
        for (one, other), count in spaces.items():
            if count:
                ends = one or "no namespace", other or "no namespace"
                yield OntologyChange("identifier", "", *ends, pluralise(count, "concept")), _NOTHING

    def _lost_names(self, name: str, becomes: str) -> Iterator[str]:
        """Other names of a concept by which a label file can no longer mean it."""
        for text in dict.fromkeys(self.before.synonyms.get(name, ())):
            meant = text != self.labels[name] and self.old_names.meaning(text)[0] == (name,)
            if meant and self.names_in_new.meaning(text)[0] != (becomes,):
                yield text

    def _moved(self) -> Iterator[Touching]:
        """Compare direct parents; those that are gone have columns behind the concepts of the new version."""
        old, new = self.old.arrays, self.new.arrays
        before, after = old.vocabulary.index, new.vocabulary.index
        ends = [(at, after.get(self.heirs.get(name, ""), len(after) + at)) for name, at in before.items()]
        heirs = joining(ends, (len(before), len(after) + len(before)))
        there = joining([(at, at) for at in range(len(after))], (len(after), heirs.shape[1]))
        rows = old.vocabulary.positions(self.same)
        targets = new.vocabulary.positions(self.same.values())
        was, now = pattern(old.parents[rows] @ heirs), pattern(new.parents[targets] @ there)
        was = choose_entries(was, was.indices != targets[row_of_entries(was)])  # merged with its parent
        differ = np.diff(without_entries(was, now).indptr) + np.diff(without_entries(now, was).indptr)
        for row, target in zip(rows[differ > 0].tolist(), targets[differ > 0].tolist(), strict=True):
            parents = self._parents(self.old, row), self._parents(self.new, target)
            one, other = (names or "no parent" for names in parents)
            concept = self.after.text(new.vocabulary[target])
            yield OntologyChange("moved", concept, one, other), self._below(old.vocabulary[row])

    def _parents(self, version: Ontology, at: int) -> JoinedNames:
        names, columns = version.arrays.vocabulary, stored_columns(version.arrays.parents, at)
        return names.names.join(names[column] for column in columns.tolist())

    def _rules(self) -> Iterator[Touching]:
        """Compare rules of labels by their concepts, whatever axiom states them."""
        heirs = {name: self.heirs.get(name, (name,)) for name in self.labels}
        was = {_rule_key(rule, heirs.__getitem__): rule for rule in _rules_of(self.old)}
        now = {_rule_key(rule, str): rule for rule in _rules_of(self.new)}
        for key in was.keys() ^ now.keys():
            new = key in now
            rule, names = (now[key], self.after) if new else (was[key], self.before)
            ends, text = _ends_of(rule), rule.text(names.display_name)
            told = ("", text, "added") if new else (text, "", "removed")
            columns = [self._below(name, new=new)[0] for name in ends]
            yield OntologyChange("rule", names.join(ends), *told), (columns[0], columns[-1])

    # Samples ------------------------------------------------------------------------------------------------

    def _own(self, name: str, *, new: bool = False) -> ColumnPair:
        """Find the column of a concept; those of the new version follow those of the old one."""
        index = (self.new if new else self.old).arrays.vocabulary.index
        return (index[name] + new * len(self.labels),) * 2

    def _below(self, name: str, *, new: bool = False) -> ColumnPair:
        """Find the column of a concept and all below it in the old version, behind those of concepts."""
        if new and name not in self.origins:
            return self._own(name, new=True)
        at, _ = self._own(self.origins[name] if new else name)
        return (at + len(self.labels) + len(self.new_labels),) * 2

    def touching(self, sets: LabelSets, pairs: Sequence[ColumnPair]) -> tuple[sparse.csr_array, list[str]]:
        """Boolean, samples × changes: which touches which; and the labels that neither version has."""
        size, ends, unknown = len(self.labels), list[tuple[int, int]](), list[str]()
        for column in np.unique(sets.matrix.indices).tolist():
            name = self.key(sets.vocabulary[column])
            new, fate = name not in self.labels, self.successor(name)
            if new and fate.how != "new":
                unknown.append(sets.vocabulary[column])
            else:
                ends.append((column, self._own(fate.becomes if new else name, new=new)[0]))
        own = pattern(sets.matrix @ joining(ends, (len(sets.vocabulary), size + len(self.new_labels))))
        known = own[:, :size]
        below = pattern(known @ self.old.arrays.ancestors_of(np.unique(known.indices)))
        none = sparse.csr_array((len(sets), 1), dtype=bool)
        every = sparse.hstack([own, below, none], format="csc")
        first, second = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        return pattern(every[:, first].multiply(every[:, second])), unknown


def _rules_of(version: Ontology) -> Iterator[Rule]:
    yield from version.exclusions
    yield from (rule for rule in version.requirements if rule.precondition)


def _ends_of(rule: Rule) -> tuple[str, ...]:
    """Concepts that a sample must have for the rule to matter."""
    return (rule.first, rule.second) if isinstance(rule, Exclusion) else (rule.concept,)


def _rule_key(rule: Rule, named: Callable[[str], object]) -> tuple[object, ...]:
    others = frozenset(map(named, () if isinstance(rule, Exclusion) else rule.any_of))
    return frozenset(map(named, _ends_of(rule))), others
