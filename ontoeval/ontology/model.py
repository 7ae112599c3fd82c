"""Ontology: what was read, to be explored; what is computed with is its Hierarchy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from ontoeval.constraints import Exclusion, Requirement
from ontoeval.errors import CycleError, InputError
from ontoeval.hierarchy import Hierarchy
from ontoeval.ontology.report import ReadingReport
from ontoeval.ontology.sources import Source
from ontoeval.ontology.spellings import Spellings

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, eq=False)
class Ontology:
    """Concepts, the links between them, and what is said of them.

    Parameters
    ----------
    graph
        A directed graph of networkx, from parents to children, frozen here. A node is the name of
        a concept and has `iri`, `label` and `abstract`; an edge has `kind`, the axiom that it
        comes from. Nodes are in alphabetical order.
    exclusions
        Concepts that no sample bears at once.
    requirements
        Concepts that need others beside them.
    source
        Where it comes from.
    report
        What was read, and what was left out.
    prefixes
        The prefixes that the file binds, each with its namespace.
    left_out
        Names of what the file has beside the concepts, each with the reason.

    Raises
    ------
    CycleError
        If a concept is its own ancestor.

    Examples
    --------
    >>> from ontoeval import ontologies
    >>> from ontoeval.ontology import read_ontology
    >>> ontology = read_ontology(ontologies.path("diamond"))
    >>> sorted(ontology.graph.predecessors("seaplane")), ontology.resolve("Land Vehicle")
    (['aircraft', 'watercraft'], 'land_vehicle')
    """

    graph: nx.DiGraph[str]
    exclusions: tuple[Exclusion, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    source: Source = field(default_factory=Source)
    report: ReadingReport = field(default_factory=ReadingReport)
    prefixes: Mapping[str, str] = field(default_factory=dict, repr=False)
    left_out: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Freeze the graph and find the cycles."""
        import networkx as nx

        object.__setattr__(self, "graph", nx.freeze(self.graph))
        object.__setattr__(self, "exclusions", tuple(self.exclusions))
        object.__setattr__(self, "requirements", tuple(self.requirements))
        object.__setattr__(self, "prefixes", MappingProxyType(dict(self.prefixes)))
        object.__setattr__(self, "left_out", MappingProxyType(dict(self.left_out)))
        _ = self._hierarchy

    def hierarchy(self) -> Hierarchy:
        """Give the concepts as arrays, with abstract marks, exclusions and requirements.

        Returns
        -------
        Hierarchy
            The hierarchy, its concepts in alphabetical order; always the same object.

        Examples
        --------
        >>> from ontoeval import ontologies
        >>> from ontoeval.ontology import read_ontology
        >>> len(read_ontology(ontologies.path("diamond")).hierarchy().label_vocabulary)
        9
        """
        return self._hierarchy

    @cached_property
    def _hierarchy(self) -> Hierarchy:
        try:
            return Hierarchy.from_edges(
                self.graph.edges,
                concepts=self.graph,
                abstract=[name for name, abstract in self.graph.nodes(data="abstract") if abstract],
                exclusions=self.exclusions,
                requirements=self.requirements,
            )
        except (CycleError, InputError) as error:
            # The arrays do not know which file they come from.
            error.args = (f"{self.source.path}: {error}" if self.source.path else str(error),)
            raise

    @cached_property
    def spellings(self) -> Spellings:
        """Everything by which a concept may be named."""
        concepts = {name: (data["iri"], data["label"]) for name, data in self.graph.nodes(data=True)}
        return Spellings.of(concepts, self.prefixes)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Name of the concept that each unambiguous spelling means, as written."""
        exact = self.spellings.exact
        return MappingProxyType({spelling: found[0] for spelling, found in exact.items() if len(found) == 1})

    def resolve(self, text: str, *, where: str = "") -> str:
        """Find the concept that a text means.

        Parameters
        ----------
        text
            A name, local name, CURIE, IRI (in angle brackets or not), or a label; labels also
            without regard to case. A name wins over a label.
        where
            File and row, for messages.

        Returns
        -------
        str
            Name of the concept.

        Raises
        ------
        AmbiguousNameError
            If several concepts are called so.
        UnknownConceptError
            If none is.

        Examples
        --------
        >>> from ontoeval import ontologies
        >>> from ontoeval.ontology import read_ontology
        >>> ontology = read_ontology(ontologies.path("diamond"))
        >>> ontology.resolve("<https://w3id.org/ontoeval/diamond#car>"), ontology.resolve("Car")
        ('car', 'car')
        """
        return self.resolve_all([text], where=where)[text]

    def find(self, text: str) -> tuple[str, ...]:
        """Find the concepts that a text may mean, without an error where they are none or several.

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
        >>> from ontoeval.ontology import read_ontology
        >>> read_ontology(ontologies.path("diamond")).find("submarine")
        ()
        """
        return self.spellings.find(text)

    def resolve_all(self, texts: Iterable[str] | Mapping[str, str], *, where: str = "") -> dict[str, str]:
        """Find the concepts that some texts mean, each text once.

        Parameters
        ----------
        texts
            What was written; or a mapping from it to the place where it was first met, such as
            "row 3", for messages.
        where
            The file, for messages.

        Returns
        -------
        dict
            Name of the concept for each text.

        Raises
        ------
        AmbiguousNameError
            If several concepts are called so.
        UnknownConceptError
            If some texts name no concept; it lists them with near matches.

        Examples
        --------
        >>> from ontoeval import ontologies
        >>> from ontoeval.ontology import read_ontology
        >>> ontology = read_ontology(ontologies.path("diamond"))
        >>> ontology.resolve_all(["Car", "sailing boat"])
        {'Car': 'car', 'sailing boat': 'sailing_boat'}
        """
        return self.spellings.resolve(texts, left_out=self.left_out, where=where)
