"""Hierarchy: the concepts of an ontology as frozen arrays, ready for computing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from hashlib import sha256
from itertools import chain
from types import MappingProxyType
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.core.dag import cheapest_upward, cycles, generations
from ontoeval.core.frames import by_names, is_frame, read_frame
from ontoeval.core.names import NO_NAMES, ConceptNames, Show
from ontoeval.core.rows import Wide
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.core.showing import Plotted
from ontoeval.core.vocabulary import Vocabulary, numbers_in_order
from ontoeval.errors import (
    CycleError,
    InputError,
    UnknownConceptError,
    enumerate_some,
    one_of,
    pluralise,
    pluralise_all,
)
from ontoeval.plumbing.arrays import as_floats
from ontoeval.plumbing.sparse import (
    checked_csr,
    choose_entries,
    pattern,
    pattern_at,
    row_of_entries,
    with_data,
    without_entries,
)
from ontoeval.plumbing.values import Cached, PickledByFields

VIRTUAL_ROOT = "(root)"
"""Name of the virtual node above all roots."""

LARGE = 2**17
"""Most concepts of a hierarchy whose closure is made as a whole."""


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy(Plotted, PickledByFields, Cached):
    """A directed acyclic graph of concepts, with what is said of them.

    Parameters
    ----------
    vocabulary
        Every concept, abstract ones too.
    parents
        Boolean, one row per concept and one column per parent.
    abstract
        One mark per concept: abstract concepts lie on paths but are never labels.
    exclusions
        Pairs of concepts that no sample has both of.
    requirements
        Concepts that need others beside them.
    weights
        Named weights, such as "agreement", each with one value per concept.
    costs
        Named tables of costs between the concepts that may be labels.
    sources
        Sources of weights and costs, by the names that `given` lists.
    withheld
        Weights that the digest leaves out: a guess of the data behind them could be tested by the digest.

    Raises
    ------
    CycleError
        If a concept is its own ancestor.
    InputError
        If shapes do not fit, or no concept may be a label.
    UnknownConceptError
        If a rule names a concept that is not there.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers")])
    >>> hierarchy.depth.tolist(), hierarchy.ancestors.toarray().astype(int).tolist()
    ([0, 1, 1], [[1, 0, 0], [1, 1, 0], [1, 0, 1]])
    """

    vocabulary: Vocabulary
    parents: sparse.csr_array
    abstract: NDArray[np.bool_]
    exclusions: tuple[Exclusion, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    weights: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    costs: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    withheld: frozenset[str] = frozenset()

    @property
    def _brief(self) -> str:
        return pluralise_all(concept=len(self.vocabulary), level=self.levels, root=len(self.roots))

    def __post_init__(self) -> None:
        """Check everything once, so that users of a hierarchy need no checks."""
        count, vocabulary = len(self.vocabulary), self.vocabulary
        parents = pattern(checked_csr(self.parents))
        abstract = np.array(self.abstract, dtype=bool)
        if parents.shape != (count, count) or abstract.shape != (count,):
            raise InputError(
                f"{count} concepts do not fit parents of shape {parents.shape} and {abstract.size} marks",
                "Give one row, one column and one mark per concept.",
            )
        if count and abstract.all():
            raise InputError("every concept is abstract", "Leave at least one that may be a label.")
        for rules, kind in ((self.exclusions, Exclusion), (self.requirements, Requirement)):
            if strange := [rule for rule in rules if not isinstance(rule, kind)]:
                raise InputError(
                    f"no rules: {enumerate_some(strange)}",
                    f"Give {kind.__name__} objects of ontoeval instead.",
                )
        named = chain.from_iterable(
            [(rule.first, rule.second) for rule in self.exclusions]
            + [(rule.concept, *rule.any_of) for rule in self.requirements]
        )
        if unknown := {name: "a rule" for name in named if name not in self.vocabulary}:
            raise UnknownConceptError(unknown, self.vocabulary)
        labels = [self.vocabulary[at] for at in np.flatnonzero(~abstract).tolist()] if self.costs else []
        weights = {
            name: _checked_weights(name, values, self.vocabulary) for name, values in self.weights.items()
        }
        costs = {name: _checked_costs(name, table, labels) for name, table in self.costs.items()}
        if parents.nnz and not vocabulary.names.concepts:
            vocabulary = vocabulary.with_names(vocabulary.names)  # the shown names are unique
        vars(self).update(
            parents=parents,
            abstract=abstract,
            exclusions=tuple(dict.fromkeys(self.exclusions)),
            requirements=tuple(dict.fromkeys(self.requirements)),
            weights=MappingProxyType(weights),
            costs=MappingProxyType(costs),
            sources=MappingProxyType(dict(self.sources)),
            vocabulary=vocabulary.of("edges" if vocabulary.origin == "edges" else "hierarchy"),
        )
        abstract.flags.writeable = False
        _ = self.depth  # finds the cycles

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str]],
        *,
        concepts: Iterable[str] = (),
        abstract: Iterable[str] = (),
        exclusions: Iterable[Exclusion] = (),
        requirements: Iterable[Requirement] = (),
        labels: Mapping[str, str] | None = None,
    ) -> Hierarchy:
        """Build a hierarchy from names.

        Parameters
        ----------
        edges
            Pairs of parent and child.
        concepts
            Concepts in the order wanted; those that only edges name follow.
        abstract
            Concepts that are never labels.
        exclusions
            Pairs that no sample has both of.
        requirements
            Concepts that need others beside them.
        labels
            Labels of concepts by their names, which mean the concepts too and are shown.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Raises
        ------
        UnknownConceptError
            If a mark or a rule names a concept that is in no edge.

        Examples
        --------
        >>> Hierarchy.from_edges([("a", "b")], concepts=["b", "lonely"]).vocabulary.concepts
        ('b', 'lonely', 'a')
        """
        edges = list(edges)
        if wrong := [edge for edge in edges if len(edge) != 2]:  # noqa: PLR2004
            raise InputError(f"no edges: {enumerate_some(wrong)}", "Give pairs of parent and child.")
        vocabulary = Vocabulary(
            tuple(dict.fromkeys(chain(concepts, chain.from_iterable(edges)))),
            concepts.names if isinstance(concepts, Vocabulary) else NO_NAMES,
        )
        if labels:
            if unknown := {name: "`labels`" for name in labels if name not in vocabulary.index}:
                raise UnknownConceptError(unknown, vocabulary)
            vocabulary = vocabulary.with_names(ConceptNames(dict(labels)))
        numbers = map(vocabulary.index.__getitem__, chain.from_iterable(edges))
        ends = np.fromiter(numbers, dtype=np.int32, count=2 * len(edges)).reshape(-1, 2)
        count = len(vocabulary)
        parents = pattern_at(ends[:, 1], ends[:, 0], (count, count))
        marks = np.zeros(count, dtype=bool)
        marks[vocabulary.positions(abstract)] = True
        return cls(vocabulary, parents, marks, tuple(exclusions), tuple(requirements))

    @classmethod
    def flat(cls, vocabulary: Vocabulary) -> Hierarchy:
        """Make a hierarchy without links: no concept is near to another.

        Parameters
        ----------
        vocabulary
            The concepts.
        """
        flat = cls.from_edges((), concepts=vocabulary)
        return replace(flat, vocabulary=vocabulary)

    @cached_property
    def generations(self) -> tuple[NDArray[np.intp], ...]:
        """Positions of the concepts at each depth, roots first; parents come before children."""
        order = generations(self.parents)
        if sum(map(len, order)) < len(self.vocabulary):
            found, total = cycles(self.parents, most=5)
            raise CycleError([[self.vocabulary[node] for node in cycle] for cycle in found], total=total)
        return order

    @cached_property
    def depth(self) -> NDArray[np.intp]:
        """Links on the longest path from a root, one number per concept."""
        depth = np.zeros(len(self.vocabulary), dtype=np.intp)
        for level, members in enumerate(self.generations):
            depth[members] = level
        depth.flags.writeable = False
        return depth

    @property
    def roots(self) -> NDArray[np.intp]:
        """Positions of the concepts without parents."""
        return self.generations[0] if self.generations else np.array([], dtype=np.intp)

    @cached_property
    def leaves(self) -> NDArray[np.intp]:
        """Positions of the concepts without children, in order."""
        children = np.bincount(self.parents.indices, minlength=len(self.vocabulary))
        return np.flatnonzero(children == 0)

    @property
    def several_parents(self) -> NDArray[np.intp]:
        """Positions of the concepts with several parents: there are none in trees."""
        return np.flatnonzero(np.diff(self.parents.indptr) > 1)

    @property
    def levels(self) -> int:
        """How many generations there are: one more than the largest depth."""
        return len(self.generations)

    @cached_property
    def labels(self) -> NDArray[np.intp]:
        """Positions of the concepts that may be labels, in order."""
        return np.flatnonzero(~self.abstract)

    @cached_property
    def label_vocabulary(self) -> Vocabulary:
        """Names of the concepts that may be labels: the columns of label sets."""
        if not self.abstract.any():
            return self.vocabulary
        names = tuple(self.vocabulary[position] for position in self.labels)
        return Vocabulary(names, self.vocabulary.names, "hierarchy")

    @cached_property
    def links_upward(self) -> sparse.csr_array:
        """Fewest links from each concept to each of its ancestors; a stored 0 to itself."""
        return cheapest_upward(self.parents, self.generations, np.ones(len(self.vocabulary)))

    @cached_property
    def ancestors(self) -> sparse.csr_array:
        """Boolean, one row per concept: its ancestors, itself among them."""
        return with_data(self.links_upward, np.ones(self.links_upward.nnz, dtype=bool))

    @property
    def large(self) -> bool:
        """Whether measures add ancestors to the labels in use only: those of all would take much memory."""
        return len(self.vocabulary) > LARGE

    def ancestors_of(self, concepts: NDArray[np.integer]) -> sparse.csr_array:
        """Close some concepts: boolean, one row per concept, with its ancestors and itself.

        Parameters
        ----------
        concepts
            Positions of the concepts; in large hierarchies the rows of others are empty.
        """
        return self._ancestors(of=concepts) if self.large else self.ancestors

    def _ancestors(
        self, *, of: NDArray[np.integer] | None = None, to: NDArray[np.integer] | None = None
    ) -> sparse.csr_array:
        """Boolean, from some concepts or to some concepts; see `cheapest_upward`."""
        ones = np.ones(len(self.vocabulary))
        links = cheapest_upward(self.parents, self.generations, ones, of=of, to=to)
        return with_data(links, np.ones(links.nnz, dtype=bool))

    @cached_property
    def ancestors_of_several(self) -> sparse.csr_array:
        """Boolean, one row per concept with several parents: its ancestors, itself among them."""
        return self.ancestors_of(self.several_parents)[self.several_parents]

    def below(self, marks: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Count the marked concepts at or below each concept.

        Parameters
        ----------
        marks
            One mark per concept.
        """
        # Only above a concept with several parents its closure is needed: trees are counted without any.
        found, several, above = marks.astype(np.intp), self.several_parents, self.ancestors_of_several
        single = np.diff(self.parents.indptr) == 1
        for members in reversed(self.generations[1:]):
            alone = members[single[members]]
            np.add.at(found, self.parents.indices[self.parents.indptr[alone]], found[alone])
        own = found[several]
        found += np.bincount(above.indices, np.repeat(own, np.diff(above.indptr)), found.size).astype(np.intp)
        found[several] -= own  # each is among its own ancestors
        return found

    @cached_property
    def label_ancestors(self) -> sparse.csr_array:
        """Boolean, one row per concept that may be a label: its ancestors, itself among them."""
        return self.ancestors[self.labels]

    def label_ancestors_among(self, concepts: NDArray[np.integer]) -> sparse.csr_array:
        """Boolean, one row per concept that may be a label: its ancestors, those among some concepts.

        Parameters
        ----------
        concepts
            Positions of the concepts that matter; in large hierarchies others are left out.
        """
        return self._ancestors(to=concepts)[self.labels] if self.large else self.label_ancestors

    @cached_property
    def labels_upward(self) -> sparse.csr_array:
        """Boolean, labels × labels: the ancestors of each that may be labels, itself among them."""
        # Usually all concepts may be labels, and the pairs of a large hierarchy need not be stored twice.
        return self.label_ancestors[:, self.labels] if self.abstract.any() else self.label_ancestors

    @cached_property
    def labels_above(self) -> sparse.csr_array:
        """Boolean, labels × labels: the ancestors of each that may be labels, itself not among them."""
        upwards = self.labels_upward
        return without_entries(upwards, sparse.csr_array(sparse.eye_array(upwards.shape[0], dtype=bool)))

    @cached_property
    def labels_directly_above(self) -> sparse.csr_array:
        """Boolean, labels × labels: those that a path leads to through nothing but abstract concepts."""
        return pattern(self.parents_beyond(self.abstract)[self.labels][:, self.labels])

    def parents_beyond(self, passed: NDArray[np.bool_]) -> sparse.csr_array:
        """Boolean, concepts × concepts: those that a path leads to through nothing but the marked concepts.

        Parameters
        ----------
        passed
            Marks of concepts.
        """
        step = choose_entries(self.parents, passed[row_of_entries(self.parents)])
        found = reached = self.parents
        while (reached := pattern(reached @ step)).nnz:
            found = found + reached
        return pattern(found)

    @property
    def canonical(self) -> str:
        """Concepts, links, abstract marks and rules as sorted lines of fields between tabs, see `digest`.

        A link is "parent, child", a concept without links its name, an abstract concept "name, (nothing),
        abstract"; rules are "first, second, excludes" and "concept, others ..., requires RELATION", which is
        "relates RELATION" where labels need not keep the rule.
        """
        names, links = self.vocabulary.concepts, self.parents.nonzero()
        below, above = (ends.tolist() for ends in links)
        # Where an exclusion is stated changes no score; by which relation something is required may.
        rules: set[tuple[str, ...]] = {(rule.first, rule.second, "excludes") for rule in self.exclusions}
        for need in self.requirements:
            kind = ("relates ", "requires ")[need.precondition] + need.relation
            rules.add((need.concept, *sorted(need.any_of), kind))
        lines = [f"{names[one]}\t{names[other]}" for one, other in zip(above, below, strict=True)]
        linked = np.bincount(np.hstack(links), minlength=len(names))
        lines += [names[one] for one in np.flatnonzero(linked == 0)]
        lines += [f"{names[one]}\t\tabstract" for one in np.flatnonzero(self.abstract).tolist()]
        return "\n".join([*sorted(chain(lines, map("\t".join, rules))), ""])

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the concepts, links, marks and rules in `canonical`, as hexadecimal digits.

        The order of concepts, weights and costs change nothing. In a shell it is computed by
        `ontoeval ontology FILE --canonical | sha256sum`.
        """
        return sha256(self.canonical.encode()).hexdigest()

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """SHA-256 of each weight and table of costs that `given` lists, of none that is withheld."""
        open_weights = self.weights.keys() - self.withheld
        found = {f"weight {one!r}": _digest_of(self.vocabulary, self.weights[one]) for one in open_weights}
        found |= {f"cost {one!r}": _digest_of(self.label_vocabulary, self.costs[one]) for one in self.costs}
        return dict(sorted(found.items()))

    @property
    def given(self) -> tuple[str, ...]:
        """What the hierarchy carries beside its graph: "weight 'ic'", "cost 'looks'"."""
        return (*(f"weight {name!r}" for name in self.weights), *(f"cost {name!r}" for name in self.costs))

    def with_weight(
        self, name: str, values: ArrayLike | Mapping[str, float], *, source: str = ""
    ) -> Hierarchy:
        """Add a named weight of the concepts.

        Parameters
        ----------
        name
            The name, such as "agreement".
        values
            One finite number of at least 0 per concept: in their order; or by their names, as a mapping, a
            series whose index they are, or a data frame of two columns.
        source
            Where they come from, for signatures.

        Returns
        -------
        Hierarchy
            The same hierarchy with the weight.

        Raises
        ------
        InputError
            If a value is missing, negative or not finite.
        UnknownConceptError
            If a name is no concept.

        Examples
        --------
        >>> hierarchy = Hierarchy.from_edges([("a", "b")])
        >>> hierarchy.with_weight("agreement", [1, 0.5]).weights["agreement"]
        array([1. , 0.5])
        """
        values = by_names("weight", values)
        if isinstance(values, Mapping):
            named = {*values, *self.vocabulary.translated(values).values()}
            if lacking := [concept for concept in self.vocabulary if concept not in named]:
                raise InputError(
                    f"the weight {name!r} lacks {len(lacking):,} of {len(self.vocabulary):,} concepts: "
                    f"{enumerate_some(lacking)}",
                    "Give every concept a weight, those that are no labels too.",
                )
            values = numbers_in_order(self.vocabulary, values, f"weight {name!r}")
        sources = {**self.sources, f"weight {name!r}": source}
        return self._with(weights={**self.weights, name: values}, sources=sources)

    def with_cost(self, name: str, table: ArrayLike, *, source: str = "") -> Hierarchy:
        """Add a named table of costs between labels.

        Parameters
        ----------
        name
            The name by which the ontology score finds it: ``OS(cost='name')``.
        table
            Square, one row and column per concept that may be a label, in their order; or a data frame
            with the concepts as columns and as index, in any order. Entries are in [0, 1], 0 on the
            diagonal. The row is a false or missed label, the column the label on the other side that it is
            matched to; the two ways may cost differently.
        source
            Where it comes from, for signatures.

        Returns
        -------
        Hierarchy
            The same hierarchy with the table.

        Raises
        ------
        InputError
            If the table has another shape or entries outside [0, 1].
        """
        table = _square_array(f"cost table {name!r}", table, self.label_vocabulary)
        sources = {**self.sources, f"cost {name!r}": source}
        return self._with(costs={**self.costs, name: table}, sources=sources)

    def with_names(self, names: Mapping[str, str]) -> Hierarchy:
        """Add your own names of concepts, which are understood wherever labels are given.

        Parameters
        ----------
        names
            For each own name the concept: its name, label, CURIE or IRI; such as
            `ontoeval.labels.read_concept_map` reads from a table or an SSSOM file. An own name wins over
            every other. Names for what is no concept here are refused where they are used.

        Returns
        -------
        Hierarchy
            The same hierarchy with these names.

        Raises
        ------
        AmbiguousNameError
            If a text means several concepts.

        Examples
        --------
        >>> hierarchy = Hierarchy.from_edges([("GO:1", "GO:2")])
        >>> hierarchy = hierarchy.with_names({"my process": "GO:2"})
        >>> hierarchy.vocabulary.positions(["my process"]).tolist()
        [1]
        """
        concepts = self.vocabulary
        written, left_out = defaultdict[str, list[str]](list), dict(concepts.names.left_out)
        for own, text in {**concepts.names.own_names, **names}.items():
            concept = concepts.spellings.meaning(text)
            if concept is None:
                left_out[own] = f"named for {text!r}, which is no concept"
            else:
                written[concept].append(own)
        owns = {concept: tuple(own) for concept, own in written.items()}
        called = replace(concepts.names, written=owns, left_out=left_out)
        return self._with(vocabulary=Vocabulary(concepts.concepts, called))

    def with_labels(self, names: Iterable[str]) -> Hierarchy:
        """Let only some concepts be labels; the others count as abstract.

        Parameters
        ----------
        names
            The concepts that may be labels.

        Returns
        -------
        Hierarchy
            The same hierarchy with other marks; this very one where nothing changes.

        Raises
        ------
        UnknownConceptError
            If the hierarchy lacks one of them.
        InputError
            If one of them is marked abstract.
        """
        if isinstance(names, Vocabulary) and names == self.label_vocabulary:
            return self
        names = list(names)
        if lacking := [name for name in names if name not in self.vocabulary]:
            how = "Correct the names, or add them to the hierarchy."
            self.vocabulary.spellings.resolve(lacking, remedy=how)
        positions = self.vocabulary.positions(names)
        marked = self.abstract[positions]
        if marked.any():
            named = enumerate_some(self.vocabulary[position] for position in positions[marked])
            raise InputError(
                f"abstract concepts cannot be labels: {named}", "Leave them out, or take away their mark."
            )
        abstract = np.ones(len(self.vocabulary), dtype=bool)
        abstract[positions] = False
        if np.array_equal(abstract, self.abstract):
            return self
        kept = ~abstract[self.labels]
        costs = {name: table[np.ix_(kept, kept)] for name, table in self.costs.items()}
        return replace(self, abstract=abstract, costs=costs)

    def showing(self, show: Show) -> Hierarchy:
        """Choose how concepts are shown in all that is made with the new hierarchy.

        Parameters
        ----------
        show
            "label", "id" for the names that results have as keys, or "both".

        Returns
        -------
        Hierarchy
            A copy that shows concepts in this way.

        Raises
        ------
        ParameterError
            If `show` has another value.

        Examples
        --------
        >>> hierarchy = Hierarchy.from_edges([("sea", "sea/baltic")])
        >>> hierarchy.vocabulary.shown(), hierarchy.showing("id").vocabulary.shown()
        (('sea', 'baltic'), ('sea', 'sea/baltic'))
        """
        one_of("show", show, get_args(Show))
        names = replace(self.vocabulary.names, show=show)
        changed = self._with(vocabulary=Vocabulary(self.vocabulary.concepts, names))
        changed.__dict__.pop("label_vocabulary", None)
        return changed

    def names_of(self, vocabulary: Vocabulary) -> ConceptNames:
        """Choose what concepts are called: as a vocabulary says, else as the hierarchy says.

        Parameters
        ----------
        vocabulary
            Names of some concepts of the hierarchy.
        """
        own, names = vocabulary.names, self.vocabulary.names
        if not own.concepts:
            return replace(names, written=own.written) if own.written else names
        return own if own.show == names.show else replace(own, show=names.show)

    def _with(self, **changes: Any) -> Hierarchy:  # noqa: ANN401 - fields
        changed: Hierarchy = replace(self, **changes)
        # The graph is the same, so views derived from it stay valid.
        own = {*(one.name for one in fields(self)), "digest", "digests", "label_vocabulary", "_views"}
        changed.__dict__.update((name, kept) for name, kept in self.__dict__.items() if name not in own)
        return changed


def identity_of(hierarchy: Hierarchy | None) -> tuple[object, ...]:
    """Return digests of all that numbers depend on: order of concepts, ontology, weights, costs."""
    return () if hierarchy is None else (hierarchy.vocabulary.digest, hierarchy.digest, hierarchy.digests)


def _digest_of(concepts: Vocabulary, numbers: NDArray[np.float64]) -> str:
    """SHA-256 of names, sorted, and of their numbers, whatever the order of the concepts."""
    order = sorted(range(len(concepts)), key=concepts.concepts.__getitem__)
    names = "\0".join(concepts[at] for at in order).encode()
    return sha256(names + numbers[np.ix_(*[order] * numbers.ndim)].astype("<f8").tobytes()).hexdigest()


def _checked_weights(name: str, values: ArrayLike, concepts: Vocabulary) -> NDArray[np.float64]:
    values, found = as_floats(values, f"the weight {name!r} holds something else than numbers"), ""
    if values.shape != (len(concepts),):
        found = f"shape {values.shape}"
    elif (wrong := np.flatnonzero(~(np.isfinite(values) & (values >= 0)))).size:
        found = enumerate_some(f"{concepts[at]}: {values[at]:g}" for at in wrong.tolist())
    if found:
        raise InputError(
            f"the weight {name!r} needs {len(concepts)} finite numbers of at least 0, one per concept, "
            f"but has {found}",
            "Give every concept a weight.",
        )
    values.flags.writeable = False
    return values


def _checked_costs(name: str, table: ArrayLike, labels: Sequence[str]) -> NDArray[np.float64]:
    table = as_floats(table, f"the cost table {name!r} holds something else than numbers")
    if table.shape != (len(labels), len(labels)):
        raise InputError(
            f"the cost table {name!r} has shape {table.shape}, but {len(labels)} concepts may be labels",
            "Give one row and one column for each of them, in the order of `label_vocabulary`.",
        )
    wrong = ~((table >= 0) & (table <= 1))  # nan is neither
    np.fill_diagonal(wrong, table.diagonal() != 0)
    if wrong.any():
        row, column = (int(place[0]) for place in np.nonzero(wrong))
        raise InputError(
            f"the cost table {name!r} has entries outside [0, 1] or a diagonal that is not 0: "
            f"{table[row, column]:g} between {labels[row]!r} and {labels[column]!r}",
            "Costs are 0 between a concept and itself and at most 1: divide by the largest. A pair that is "
            "missing is nan: give it a cost.",
        )
    table.flags.writeable = False
    return table


def _square_array(kind: str, table: ArrayLike, names: Vocabulary) -> ArrayLike:
    """Array of a frame that names rows and columns, in the order of the concepts."""
    if not is_frame(table):
        return table
    found = read_frame(table)
    if not isinstance(found, Wide) or found.samples is None or found.concepts is None:
        raise InputError(
            f"a {kind} of which rows or columns have no names",
            "Give the frame the concepts as columns and as index, or an array in the order of the concepts.",
        )
    places = []
    for titles in (found.samples, found.concepts):
        meant = names.translated(Vocabulary(tuple(titles)))
        side = Vocabulary(tuple(meant.get(name, name) for name in titles))
        if unknown := {name: f"the {kind}" for name in side if name not in names}:
            raise UnknownConceptError(unknown, names)
        if lacking := [name for name in names if name not in side]:
            problem = f"the {kind} lacks {pluralise(len(lacking), 'concept')}: {enumerate_some(lacking)}"
            raise InputError(problem, "Add it.")
        places.append(side.positions(names))
    return np.asarray(found.numbers)[np.ix_(*places)]
