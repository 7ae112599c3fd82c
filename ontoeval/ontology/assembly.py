"""Assembly: from what a file tells to an Ontology: concepts chosen, named and marked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ontoeval.constraints import Exclusion, Requirement
from ontoeval.errors import InputError, ParameterError, UnknownConceptError, listed
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.names import Spellings, choose_label, local_name, name_all
from ontoeval.ontology.report import ReadingReport, Tally, counts, tallies
from ontoeval.ontology.sources import Source
from ontoeval.ontology.told import Told

if TYPE_CHECKING:
    import networkx as nx

_DEPRECATED = "deprecated"
_OUTSIDE = "outside the branches"
_ISOLATED = "without link and label"


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
    live = _Live(told, prefixes, language, source.path)
    labels = None if concepts is None else live.resolve(concepts, option="concepts")
    marked = live.resolve(abstract, option="abstract")
    if labels is not None and marked & labels:
        both = sorted(live.names[iri] for iri in marked & labels)
        raise ParameterError("abstract", listed(both), "concepts that are not in `concepts` as well")
    asked = marked | (labels or set())
    left_out = live.beyond(live.resolve(root, option="root")) if root is not None else live.isolated(asked)
    kept = [iri for iri in sorted(live.names, key=live.names.__getitem__) if iri not in left_out]
    missing = {live.names[iri]: f"the option that names it: it is {left_out[iri]}" for iri in asked & left_out.keys()}
    if missing:
        raise UnknownConceptError(missing, where=source.path, remedy="Widen `root`, or do not name them.")
    if not kept:
        raise InputError(
            f"none of its {len(told.concepts):,} concepts is left: {len(told.deprecated):,} are deprecated",
            "Is it the right file?",
            where=source.path,
        )
    never = set(kept) - labels if labels is not None else (told.abstract | marked).intersection(kept)
    graph = live.graph(kept, never)
    exclusions, requirements = live.rules(set(kept))
    gone = {iri: _DEPRECATED for iri in told.deprecated} | left_out
    return Ontology(
        graph,
        exclusions,
        requirements,
        source,
        live.report(graph, set(kept), gone, exclusions, requirements, also=also),
        prefixes,
        {spelling: reason for iri, reason in gone.items() for spelling in (iri, *live.called(iri))},
    )


@dataclass(frozen=True, eq=False)
class _Live:
    """The concepts that a file has not given up."""

    told: Told
    prefixes: Mapping[str, str]
    language: str
    where: str

    @cached_property
    def names(self) -> dict[str, str]:
        """Name of each concept; it does not depend on what is left out afterwards."""
        live = (iri for iri in self.told.concepts if iri not in self.told.deprecated)
        return name_all(live, self.prefixes)

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of each concept, "" where it has none."""
        return {iri: choose_label(self.told.labels.get(iri, ()), self.language) for iri in self.names}

    @cached_property
    def links(self) -> dict[tuple[str, str], str]:
        """Links between live concepts."""
        return {
            (parent, child): kind
            for (parent, child), kind in self.told.links.items()
            if parent in self.names and child in self.names
        }

    @cached_property
    def _iris(self) -> dict[str, str]:
        return {name: iri for iri, name in self.names.items()}

    @cached_property
    def _spellings(self) -> Spellings:
        return Spellings.of(
            {name: (iri, self.labels[iri] or local_name(iri)) for iri, name in self.names.items()}, self.prefixes
        )

    def called(self, iri: str) -> tuple[str, ...]:
        """Name and label of a concept, live or not."""
        return (self.names.get(iri) or local_name(iri), *filter(None, (self.labels.get(iri),)))

    def resolve(self, texts: Sequence[str], *, option: str) -> set[str]:
        """IRIs of the concepts that an option names."""
        if not texts:
            return set()
        gone = {spelling: _DEPRECATED for iri in self.told.deprecated for spelling in (iri, *self.called(iri))}
        places = dict.fromkeys(texts, f"`{option}`")
        found = self._spellings.resolve(places, left_out=gone, where=self.where)
        return {self._iris[name] for name in found.values()}

    def beyond(self, roots: Iterable[str]) -> dict[str, str]:
        """List what lies in none of the branches."""
        children = defaultdict(list)
        for parent, child in self.links:
            children[parent].append(child)
        inside = set(roots)
        waiting = list(inside)
        while waiting:
            new = [child for child in children[waiting.pop()] if child not in inside]
            inside.update(new)
            waiting += new
        return {iri: _OUTSIDE for iri in self.names if iri not in inside}

    def isolated(self, asked: set[str]) -> dict[str, str]:
        """List what has neither link nor label, in a file that labels most of what it links."""
        linked = {end for link in self.links for end in link}
        if 2 * sum(bool(self.labels[iri]) for iri in linked) <= len(linked):
            return {}
        return {
            iri: _ISOLATED
            for iri, label in self.labels.items()
            if not label and iri not in linked and iri not in asked
        }

    def graph(self, kept: Sequence[str], abstract: set[str]) -> nx.DiGraph[str]:
        """Draw the graph of what is kept."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        for iri in kept:
            name = self.names[iri]
            label = self.labels[iri] or local_name(iri)
            graph.add_node(name, iri=iri, label=label, abstract=iri in abstract)
        links = ((self.names[parent], self.names[child], kind) for (parent, child), kind in self.links.items())
        for parent, child, kind in sorted(links):
            if parent in graph and child in graph:
                graph.add_edge(parent, child, kind=kind)
        return graph

    def rules(self, kept: set[str]) -> tuple[tuple[Exclusion, ...], tuple[Requirement, ...]]:
        """Name the rules that speak of nothing but what is kept.

        A requirement of which one alternative is not kept is left out as a whole: without the
        alternative it would require more than the ontology does.
        """
        names = self.names
        exclusions = (
            Exclusion(names[one], names[other], form)
            for (one, other), form in self.told.exclusions.items()
            if one in kept and other in kept
        )
        requirements = (
            Requirement(names[need.concept], tuple(sorted(names[iri] for iri in need.any_of)), *need[2:])
            for need in self.told.requirements
            if kept.issuperset((need.concept, *need.any_of))
        )
        return tuple(sorted(exclusions)), tuple(sorted(requirements))

    def report(
        self,
        graph: nx.DiGraph[str],
        kept: set[str],
        left_out: Mapping[str, str],
        exclusions: Sequence[Exclusion],
        requirements: Sequence[Requirement],
        *,
        also: str,
    ) -> ReadingReport:
        """Count everything."""
        told = self.told
        bearers = Counter(label for iri, label in self.labels.items() if iri in kept and label)
        local_names = Counter(map(local_name, self.names))
        rules_left_out = [
            ("exclusions by what is left out", self._shown(one))
            for one, other in told.exclusions
            if not kept >= {one, other}
        ] + [
            ("requirements of what is left out", self._shown(need.concept))
            for need in told.requirements
            if not kept.issuperset((need.concept, *need.any_of))
        ]
        links_left_out = [("to what is left out", self._shown(child)) for parent, child in told.links if child in kept and parent not in kept]  # noqa: E501
        links_left_out += [("of a concept to itself", self._shown(iri)) for iri in told.self_links & kept]
        return ReadingReport(
            told.vocabulary,
            found=len(told.concepts),
            left_out=tallies((reason, self._shown(iri)) for iri, reason in left_out.items()),
            undeclared=Tally.of(self._shown(iri) for iri in told.undeclared & kept),
            concepts=len(kept),
            abstract=Tally.of(name for name, marked in graph.nodes(data="abstract") if marked),
            roots=Tally.of(name for name, degree in graph.in_degree if not degree),
            levels=_levels(graph),
            several_parents=Tally.of(name for name, degree in graph.in_degree if degree > 1),
            links=counts(kind for _, _, kind in graph.edges(data="kind")),
            links_left_out=tallies(links_left_out),
            exclusions=counts(rule.source for rule in exclusions),
            preconditions=counts(rule.relation for rule in requirements if rule.precondition),
            other_requirements=counts(rule.relation for rule in requirements if not rule.precondition),
            rules_left_out=tallies(rules_left_out),
            unused=tallies((kind, self._shown(iri)) for kind, iris in told.unused.items() for iri in iris),
            equivalents=Tally.of(
                f"{self._shown(one)} = {self._shown(other)}" for one, other in told.equivalents if kept >= {one, other}
            ),
            languages=counts(
                text.language for iri in kept for group in told.labels.get(iri, ()) for text in group
            ),
            unlabelled=Tally.of(self._shown(iri) for iri in kept if not self.labels[iri]),
            ambiguous=Tally.of(label for label, count in bearers.items() if count > 1),
            clashing=Tally.of(name for name, count in local_names.items() if count > 1),
            imports=Tally.of(told.imports),
            also=also,
        )

    def _shown(self, iri: str) -> str:
        return self.names.get(iri) or (local_name(iri) if iri in self.told.concepts else iri)


def _levels(graph: nx.DiGraph[str]) -> int:
    """Count the links on the longest path; 0 where there are cycles, which others report."""
    import networkx as nx

    if not nx.is_directed_acyclic_graph(graph):
        return 0
    return sum(1 for _ in nx.topological_generations(graph)) - 1
