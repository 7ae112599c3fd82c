"""Ontology: what was read, to be explored; what is computed with is its Hierarchy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.core.values import PickledByFields
from ontoeval.ontology.draft import Draft, gc_paused, select_concepts
from ontoeval.ontology.names import Spellings
from ontoeval.ontology.paths import from_paths
from ontoeval.ontology.report import ReadingReport, Source

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, eq=False)
class Ontology(PickledByFields):
    """Concepts, links between them, labels and rules.

    Parameters
    ----------
    arrays
        The concepts in alphabetical order of their names, with links, abstract marks and rules.
    iris
        IRI of each concept, "" where the file has plain names.
    labels
        Label of each concept.
    kinds
        For each link the axiom or relation that it comes from, in the order of `arrays.parents`.
    source
        Where it comes from.
    report
        What was read, and what was left out.
    prefixes
        The prefixes that the file binds, each with its namespace.
    left_out
        Names of concepts that were left out, each with the reason.
    replaced
        Deprecated names and identifiers, each with the concept that replaces it.
    same
        IRIs that are equivalent to a concept's, each with the concept and a label of its own.
    considered
        Deprecated names and identifiers, each with the concepts of which somebody must choose one.
    dead_ends
        Deprecated names and identifiers, each with the reason why its replacements lead to no concept.

    Examples
    --------
    >>> from ontoeval import ontologies
    >>> from ontoeval import read_ontology
    >>> ontology = read_ontology(ontologies.path("diamond"))
    >>> sorted(ontology.graph.predecessors("seaplane")), ontology.resolve("Land Vehicle")
    (['aircraft', 'watercraft'], 'land_vehicle')
    """

    arrays: Hierarchy = field(repr=False)
    iris: tuple[str, ...] = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    kinds: tuple[str, ...] = field(repr=False)
    source: Source = field(default_factory=Source)
    report: ReadingReport = field(default_factory=ReadingReport, repr=False)
    prefixes: Mapping[str, str] = field(default_factory=dict, repr=False)
    left_out: Mapping[str, str] = field(default_factory=dict, repr=False)
    replaced: Mapping[str, str] = field(default_factory=dict, repr=False)
    same: Mapping[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    considered: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    dead_ends: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Freeze the mappings."""
        for name in ("prefixes", "left_out", "replaced", "same", "considered", "dead_ends"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @classmethod
    def from_paths(cls, paths: Iterable[str], *, separator: str = "/") -> Ontology:
        """Make the ontology of labels such as ``CCAT/C15/C152``.

        Parameters
        ----------
        paths
            The labels, from the root down: for example the concepts of label sets that were read without
            an ontology.
        separator
            What separates the parts of a path.

        Returns
        -------
        Ontology
            Every beginning of a path is a concept, named by the whole path that leads to it.

        Raises
        ------
        InputError
            If there is no path, or a part of one is empty.
        ParameterError
            If what is given is no paths, or the separator is empty.

        Examples
        --------
        >>> list(Ontology.from_paths(["01/01/03", "01/02"]).graph.edges)
        [('01', '01/01'), ('01', '01/02'), ('01/01', '01/01/03')]
        """
        return compile_draft(select_concepts(from_paths(paths, separator=separator), Source(format="paths")))

    @property
    def exclusions(self) -> tuple[Exclusion, ...]:
        """Pairs of concepts that exclude each other."""
        return self.arrays.exclusions

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """Concepts that require others beside them."""
        return self.arrays.requirements

    @cached_property
    def graph(self) -> nx.DiGraph[str]:
        """A frozen graph of networkx, from parents to children.

        A node is the name of a concept and has `iri`, `label` and `abstract`; an edge has `kind`, the
        axiom or relation that it comes from. Nodes are in alphabetical order.
        """
        import networkx as nx

        names, parents = self.arrays.vocabulary.concepts, self.arrays.parents
        graph: nx.DiGraph[str] = nx.DiGraph()
        marks = self.arrays.abstract.tolist()
        for name, iri, label, abstract in zip(names, self.iris, self.labels, marks, strict=True):
            graph.add_node(name, iri=iri, label=label, abstract=abstract)
        children = np.repeat(np.arange(len(names)), np.diff(parents.indptr))
        order = np.lexsort((children, parents.indices))
        graph.add_edges_from(
            (names[parent], names[child], {"kind": self.kinds[entry]})
            for entry, parent, child in zip(
                order.tolist(), parents.indices[order].tolist(), children[order].tolist(), strict=True
            )
        )
        frozen: nx.DiGraph[str] = nx.freeze(graph)
        return frozen

    def hierarchy(self) -> Hierarchy:
        """Return the concepts as arrays, with abstract marks, exclusions and requirements.

        Returns
        -------
        Hierarchy
            The hierarchy, its concepts in alphabetical order; always the same object.

        Examples
        --------
        >>> from ontoeval import ontologies
        >>> from ontoeval import read_ontology
        >>> len(read_ontology(ontologies.path("diamond")).hierarchy().label_vocabulary)
        9
        """
        return self.arrays

    @cached_property
    def spellings(self) -> Spellings:
        """Every spelling of the concepts; those of deprecated ones are in `replaced`."""
        concepts = dict(zip(self.arrays.vocabulary, zip(self.iris, self.labels, strict=True), strict=True))
        return Spellings.of(concepts, self.prefixes, same=self.same)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Name of the concept that each unambiguous spelling means."""
        exact = self.spellings.exact
        return MappingProxyType({spelling: found[0] for spelling, found in exact.items() if len(found) == 1})

    def resolve(self, text: str, *, where: str = "") -> str:
        """Find the concept that a text means.

        Parameters
        ----------
        text
            A name, local name, CURIE, IRI (in angle brackets or not), or a label; labels also
            without regard to case. A name wins over a label, both over a deprecated one.
        where
            File and row, for messages.

        Returns
        -------
        str
            Name of the concept.

        Raises
        ------
        AmbiguousNameError
            If several concepts have this name.
        UnknownConceptError
            If none is.

        Examples
        --------
        >>> from ontoeval import ontologies
        >>> from ontoeval import read_ontology
        >>> ontology = read_ontology(ontologies.path("diamond"))
        >>> ontology.resolve("<https://w3id.org/ontoeval/diamond#car>"), ontology.resolve("Car")
        ('car', 'car')
        """
        return self.resolve_all([text], where=where)[text]

    def find(self, text: str) -> tuple[str, ...]:
        """Find the concepts that a text may mean: none, one or several.

        Parameters
        ----------
        text
            Anything that `resolve` understands.

        Returns
        -------
        tuple of str
            Names.

        Examples
        --------
        >>> from ontoeval import ontologies
        >>> from ontoeval import read_ontology
        >>> read_ontology(ontologies.path("diamond")).find("submarine")
        ()
        """
        found = self.spellings.find(text)
        return found or tuple(filter(None, [self.replaced.get(text.strip())]))

    def resolve_all(self, texts: Iterable[str] | Mapping[str, str], *, where: str = "") -> dict[str, str]:
        """Find the one concept that each text means.

        Parameters
        ----------
        texts
            Texts, or a mapping from texts to where each first occurs, such as "row 3", for messages.
        where
            The file, for messages.

        Returns
        -------
        dict
            Name of the concept for each text.

        Raises
        ------
        AmbiguousNameError
            If several concepts have this name.
        UnknownConceptError
            If some texts name no concept; it lists them with near matches.

        Examples
        --------
        >>> from ontoeval import ontologies
        >>> from ontoeval import read_ontology
        >>> ontology = read_ontology(ontologies.path("diamond"))
        >>> ontology.resolve_all(["Car", "sailing boat"])
        {'Car': 'car', 'sailing boat': 'sailing_boat'}
        """
        return self.spellings.resolve(texts, left_out=self.left_out, replaced=self.replaced, where=where)


def compile_draft(draft: Draft) -> Ontology:
    """Make an ontology of a draft; refuses cycles."""
    with gc_paused():
        arrays, kinds = draft.arrays()
        live, kept = draft.live, draft.kept
        raw, replaced = live.raw, live.replaced(kept)
        return Ontology(
            arrays,
            iris=tuple("" if raw.plain else iri for iri in kept),
            labels=tuple(live.labels[iri] or raw.local(iri) for iri in kept),
            kinds=kinds,
            source=draft.source,
            report=draft.report(arrays, kinds, replaced),
            prefixes=raw.prefixes,
            left_out={
                spelling: reason
                for iri, reason in draft.left_out.items()
                for spelling in live.spellings_of(iri)
            },
            replaced=dict(chain.from_iterable(spellings.items() for spellings in replaced.values())),
            same={iri: found for iri, found in live.same.items() if raw.same[iri] in kept},
            considered=live.considered(kept),
            dead_ends=live.dead_ends(draft.left_out),
        )
