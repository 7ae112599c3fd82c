"""Assembly: from what a file tells to an Ontology: concepts chosen, named and marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ontoeval.constraints import Exclusion, Requirement
from ontoeval.errors import InputError, ParameterError, UnknownConceptError, listed
from ontoeval.ontology.candidates import DEPRECATED, Candidates
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.names import local_name
from ontoeval.ontology.report import ReadingReport, Tally, counts, tallies
from ontoeval.ontology.sources import Source
from ontoeval.ontology.told import Told

if TYPE_CHECKING:
    import networkx as nx


def assemble(
    told: Told,
    prefixes: Mapping[str, str],
    source: Source,
    *,
    root: Sequence[str] | None = None,
    language: str = "en",
    abstract: Sequence[str] = (),
    concepts: Sequence[str] | None = None,
    also: str = "",
) -> Ontology:
    """Make an ontology of what a file tells.

    Parameters
    ----------
    told
        What the file says.
    prefixes
        The prefixes that it binds.
    source
        Where it comes from.
    root
        Names of the branches to keep.
    language
        Language of the labels.
    abstract
        Names of concepts that are never labels.
    concepts
        Names of all that are labels.
    also
        What else the file has, for the report.

    Returns
    -------
    Ontology
        The ontology.

    Raises
    ------
    InputError
        If no concept is left.
    CycleError
        If a concept is its own ancestor.
    UnknownConceptError
        If a name is no concept's.
    AmbiguousNameError
        If a name is that of several concepts.
    ParameterError
        If a concept is to be abstract and a label.

    Examples
    --------
    >>> told = Told("OWL classes", concepts={"urn:trees": None, "urn:plants": None})
    >>> told.link("urn:plants", "urn:trees", "rdfs:subClassOf")
    >>> list(assemble(told, {}, Source("plants.ttl", "Turtle")).graph.edges)
    [('plants', 'trees')]
    """
    candidates = Candidates(told, prefixes, language, source.path)
    chosen = _choose(candidates, root=root, abstract=abstract, concepts=concepts)
    exclusions, requirements = chosen.rules()
    graph = chosen.graph()
    report = _report(chosen, graph, exclusions, requirements, also=also)
    left_out = {
        spelling: reason
        for iri, reason in chosen.left_out.items()
        for spelling in (iri, *candidates.called(iri))
    }
    return Ontology(graph, exclusions, requirements, source, report, prefixes, left_out)


@dataclass(frozen=True, eq=False)
class _Chosen:
    """What is kept of the candidates, and what is not."""

    candidates: Candidates
    kept: Mapping[str, None]
    abstract: frozenset[str]
    left_out: Mapping[str, str]

    def shown(self, iri: str) -> str:
        """Name a concept in the report, live or not; other IRIs stay what they are."""
        told = self.candidates.told
        return self.candidates.names.get(iri) or (local_name(iri) if iri in told.concepts else iri)

    def keeps(self, *iris: str) -> bool:
        """Tell whether all of some concepts are kept."""
        return self.kept.keys() >= set(iris)

    def graph(self) -> nx.DiGraph[str]:
        """Draw the graph of what is kept."""
        import networkx as nx

        names = self.candidates.names
        graph: nx.DiGraph[str] = nx.DiGraph()
        for iri in self.kept:
            label = self.candidates.labels[iri] or local_name(iri)
            graph.add_node(names[iri], iri=iri, label=label, abstract=iri in self.abstract)
        links = self.candidates.links.items()
        kept = (
            (names[parent], names[child], kind)
            for (parent, child), kind in links
            if self.keeps(parent, child)
        )
        for parent, child, kind in sorted(kept):
            graph.add_edge(parent, child, kind=kind)
        return graph

    def rules(self) -> tuple[tuple[Exclusion, ...], tuple[Requirement, ...]]:
        """Name the rules that speak of nothing but what is kept.

        A requirement of which one alternative is not kept is left out as a whole: without the
        alternative it would require more than the ontology does.
        """
        told, names = self.candidates.told, self.candidates.names
        exclusions = (
            Exclusion(names[one], names[other], form)
            for (one, other), form in told.exclusions.items()
            if self.keeps(one, other)
        )
        requirements = (
            Requirement(names[need.concept], tuple(sorted(names[iri] for iri in need.any_of)), *need[2:])
            for need in told.requirements
            if self.keeps(need.concept, *need.any_of)
        )
        return tuple(sorted(exclusions)), tuple(sorted(requirements))


def _choose(
    candidates: Candidates,
    *,
    root: Sequence[str] | None,
    abstract: Sequence[str],
    concepts: Sequence[str] | None,
) -> _Chosen:
    """Decide what is kept and what is abstract."""
    told, names, where = candidates.told, candidates.names, candidates.where
    labels = None if concepts is None else candidates.resolve(concepts, option="concepts")
    marked = candidates.resolve(abstract, option="abstract")
    if labels is not None and marked & labels:
        both = listed(sorted(names[iri] for iri in marked & labels))
        raise ParameterError("abstract", list(abstract), f"no concepts that are in `concepts`, as {both}")
    asked = marked | (labels or set())
    if root is None:
        left_out = candidates.isolated(asked)
    else:
        left_out = candidates.beyond(candidates.resolve(root, option="root"))
    kept = {iri: None for iri in sorted(names, key=names.__getitem__) if iri not in left_out}
    beyond = sorted(names[iri] for iri in asked & left_out.keys())
    if beyond:
        raise UnknownConceptError(
            dict.fromkeys(beyond, "`abstract` or `concepts`"),
            where=where,
            remedy="They lie outside the branches that `root` names: widen it, or leave them out.",
        )
    if not kept:
        raise InputError(
            f"none of its {len(told.concepts):,} concepts is left: {len(told.deprecated):,} are deprecated, "
            f"{len(left_out):,} lie outside the branches",
            "Is it the right file, and the right `root`?",
            where=where,
        )
    never = kept.keys() & (told.abstract | marked) if labels is None else kept.keys() - labels
    gone = dict.fromkeys(told.deprecated, DEPRECATED) | left_out
    return _Chosen(candidates, kept, frozenset(never), gone)


def _report(
    chosen: _Chosen,
    graph: nx.DiGraph[str],
    exclusions: Sequence[Exclusion],
    requirements: Sequence[Requirement],
    *,
    also: str,
) -> ReadingReport:
    """Count everything."""
    told, kept, shown = chosen.candidates.told, chosen.kept, chosen.shown
    labels = chosen.candidates.labels
    bearers = Counter(labels[iri] for iri in kept if labels[iri])
    local_names = Counter(map(local_name, chosen.candidates.names))
    links = [
        ("to what is left out", child) for parent, child in told.links if child in kept and parent not in kept
    ]
    links += [("of a concept to itself", iri) for iri in told.self_links if iri in kept]
    rules = [("exclusions", one) for one, other in told.exclusions if not chosen.keeps(one, other)]
    rules += [
        ("requirements", need.concept)
        for need in told.requirements
        if not chosen.keeps(need.concept, *need.any_of)
    ]
    equal = [f"{shown(one)} = {shown(other)}" for one, other in told.equivalents if chosen.keeps(one, other)]
    return ReadingReport(
        told.vocabulary,
        found=len(told.concepts),
        left_out=tallies((reason, shown(iri)) for iri, reason in chosen.left_out.items()),
        undeclared=Tally.of(shown(iri) for iri in told.undeclared if iri in kept),
        concepts=len(kept),
        abstract=Tally.of(map(shown, chosen.abstract)),
        roots=Tally.of(name for name, degree in graph.in_degree if not degree),
        levels=_levels(graph),
        several_parents=Tally.of(name for name, degree in graph.in_degree if degree > 1),
        links=counts(str(link["kind"]) for _, _, link in graph.edges(data=True)),
        links_left_out=tallies((reason, shown(iri)) for reason, iri in links),
        exclusions=counts(rule.source for rule in exclusions),
        preconditions=counts(rule.relation for rule in requirements if rule.precondition),
        other_requirements=counts(rule.relation for rule in requirements if not rule.precondition),
        rules_left_out=tallies((rule, shown(iri)) for rule, iri in rules),
        unused=tallies((kind, shown(iri)) for kind, iris in told.unused.items() for iri in iris),
        equivalents=Tally.of(equal),
        languages=counts(
            text.language for iri in kept for group in told.labels.get(iri, ()) for text in group
        ),
        unlabelled=Tally.of(shown(iri) for iri in kept if not labels[iri]),
        ambiguous=Tally.of(label for label, count in bearers.items() if count > 1),
        clashing=Tally.of(name for name, count in local_names.items() if count > 1),
        imports=Tally.of(told.imports),
        also=also,
    )


def _levels(graph: nx.DiGraph[str]) -> int:
    """Count the links on the longest path; 0 where there are cycles, which others report."""
    import networkx as nx

    if not nx.is_directed_acyclic_graph(graph):
        return 0
    return sum(1 for _ in nx.topological_generations(graph)) - 1
