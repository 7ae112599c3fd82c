"""Drafts, the concepts that are kept of a file, and the ontologies that they become."""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, repeat
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.names import (
    ConceptNames,
    Namespaces,
    Show,
    Spellings,
    fold,
    local_name,
    obo_id,
    spellings_without_synonyms,
    with_label,
)
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.core.showing import Plotted
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import (
    CORRECT,
    CycleError,
    InputError,
    ParameterError,
    UnknownConceptError,
    enumerate_some,
    pluralise_all,
)
from ontoeval.ontology.file_formats import Cycles
from ontoeval.ontology.names import choose_labels, follow_replacements, name_all
from ontoeval.ontology.raw_ontology import DEPRECATED, RawOntology, merge_equivalents
from ontoeval.ontology.report import ReadingReport, Source, Tally, counts, tallies
from ontoeval.ontology.tables import FOUND, from_paths
from ontoeval.ontology.triples import grouped
from ontoeval.plumbing.files import File
from ontoeval.plumbing.values import PickledByFields

if TYPE_CHECKING:
    import networkx as nx
    from rdflib import Graph

OUTSIDE = "outside the branches"
ISOLATED = "without link and label"

_TRANSLATE = (
    "Correct the names, or translate them with a concept map "
    "(--concept-map FILE; in Python concept_map= of read_labels)."
)

_BREAK = " Or pass cycles='break' (--cycles break) to cut links that close cycles, which are listed."


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector, which takes long among a million new texts and finds nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


# Drafts -----------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Draft:
    """The live concepts of a file, by IRI, and those that are kept, with their names and in their order."""

    raw: RawOntology
    source: Source
    language: str
    cycles: Cycles = "refuse"
    roots: frozenset[str] = frozenset()
    kept: Mapping[str, str] = field(default_factory=dict)
    abstract: frozenset[str] = frozenset()
    left_out: Mapping[str, str] = field(default_factory=dict)
    show: Show = "label"

    @cached_property
    def names(self) -> dict[str, str]:
        """Name of each concept, whatever is left out afterwards."""
        return self.local_names if self.raw.plain else name_all(self.local_names, self.raw)

    @cached_property
    def local_names(self) -> dict[str, str]:
        """Local name of each concept, which several may have."""
        gone, name = self.raw.deprecated, str if self.raw.plain else local_name
        return {iri: name(iri) for iri in self.raw.concepts if iri not in gone}

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of each concept, "" where it has none, and those of deprecated and merged ones."""
        return choose_labels(self.names, self.raw, self._several, self.language)

    @cached_property
    def _several(self) -> set[str]:
        """Concepts that have more labels than one."""
        times = Counter(map(itemgetter(0), self.raw.labels))
        return {iri for iri, count in times.items() if count > 1}

    @cached_property
    def links(self) -> dict[tuple[str, str], str]:
        """Links between live concepts."""
        if not self.raw.deprecated:
            return self.raw.links
        return {
            (parent, child): kind
            for (parent, child), kind in self.raw.links.items()
            if parent in self.names and child in self.names
        }

    @cached_property
    def merged_names(self) -> dict[str, tuple[str, str]]:
        """Name of the concept that each equivalent IRI was merged into, and the label of the IRI itself."""
        same, labels = self.raw.same.items(), self.labels
        return {iri: (self.names[kept], labels.get(iri, "")) for iri, kept in same if kept in self.names}

    @cached_property
    def _spellings(self) -> Spellings:
        gone = {spelling: DEPRECATED for iri in self.raw.deprecated for spelling in self.spellings_of(iri)}
        return Spellings.from_names(
            tuple(self.names.values()),
            replace(self._concept_names(self.names, self.merged_names), left_out=gone),
        )

    def _concept_names(self, names: Mapping[str, str], same: Mapping[str, tuple[str, str]]) -> ConceptNames:
        """Names of some concepts: labels, IRIs and merged names."""
        labels = map(self.labels.__getitem__, names)
        return ConceptNames(
            {name: label for name, label in zip(names.values(), labels, strict=True) if label},
            {} if self.raw.plain else dict(zip(names.values(), names, strict=True)),
            self.raw.prefixes,
            same,
        )

    def _synonyms(self) -> Mapping[str, Sequence[str]]:
        """Synonyms of the concepts, and those of their labels that are not shown."""
        raw, kept = self.raw, self.kept
        labels = grouped((iri, text) for iri, text, *_ in raw.labels if iri in self._several)
        found = {kept[iri]: texts for iri, texts in raw.synonyms.items() if iri in kept}
        every = ((iri, [*texts, *raw.synonyms.get(iri, ())]) for iri, texts in labels.items())
        return found | {kept[iri]: texts for iri, texts in every if iri in kept}

    def display_name(self, iri: str) -> str:
        """Name of a concept in the report; other IRIs stay whole."""
        return self.names.get(iri) or (self.raw.local_name(iri) if iri in self.raw.concepts else iri)

    def spellings_of(self, iri: str) -> tuple[str, ...]:
        """Spellings of a concept, deprecated or not."""
        label = self.labels.get(iri)
        return (
            iri,
            self.names.get(iri) or self.raw.local_name(iri),
            *obo_id(iri),
            *([label] if label else ()),
        )

    def resolve(self, texts: Sequence[str], *, option: str) -> set[str]:
        """IRIs of the concepts that an option names."""
        if not texts:
            return set()
        places = dict.fromkeys(texts, f"`{option}`")
        remedy = _TRANSLATE if option == "concepts" else CORRECT
        found = self._spellings.resolve(places, where=self.source.path, remedy=remedy)
        meant = set(found.values())
        return {iri for iri, name in self.names.items() if name in meant}

    # Replacements -------------------------------------------------------------------------------------------

    @cached_property
    def replaced(self) -> dict[str, dict[str, str]]:
        """Spellings of each replaced identifier, with the name of the kept concept that replaces it."""
        if not self.raw.replaced:
            return {}
        names = self.names
        exact = spellings_without_synonyms(
            tuple(names.values()), self._concept_names(names, self.merged_names)
        )
        live = {iri: name for iri, name in names.items() if iri in self.kept}
        live |= {iri: names[one] for iri, one in self.raw.same.items() if one in live}
        namespaces = Namespaces.from_prefixes(self.raw.prefixes)

        def spellings_beside_names(iri: str) -> list[str]:
            every = dict.fromkeys([*self.spellings_of(iri), f"<{iri}>", *namespaces.curies(iri)])
            return [spelling for spelling in every if spelling not in exact]

        return follow_replacements(self.raw.replaced, live, spellings_beside_names)

    def considered_replacements(self) -> dict[str, tuple[str, ...]]:
        """Concepts that may replace each deprecated spelling, of which the user must choose."""
        raw, kept, meant = self.raw, self.kept, defaultdict[str, set[str]](set)
        for old, iris in raw.considered.items():
            live = {raw.same.get(iri, iri) for iri in iris}
            for spelling in () if old in kept else self.spellings_of(old):
                meant[spelling] |= {self.names[iri] for iri in live if iri in kept}
        return {spelling: tuple(sorted(names)) for spelling, names in sorted(meant.items()) if names}

    def dead_ends(self) -> dict[str, str]:
        """Reason why the named replacements of each deprecated spelling lead to no concept."""
        raw, gone, names, labels = self.raw, self.left_out, self.names, self.labels

        def successors(iri: str) -> list[str]:
            named = {raw.replaced[iri]} if iri in raw.replaced else raw.considered.get(iri, set())
            return sorted(raw.same.get(one, one) for one in named)

        def fate(iri: str) -> str:
            if iri in raw.deprecated:
                return "is obsolete too"
            if iri in gone:
                return f"was left out ({gone[iri]})"
            return "" if iri in names else "does not exist"

        def shown(iri: str) -> str:
            return with_label((*obo_id(iri), names.get(iri) or raw.local_name(iri))[0], labels.get(iri, ""))

        def reason(iri: str) -> str:
            following, noun = successors(iri), "replacement" if iri in raw.replaced else "suggestion"
            fates = sorted(set(map(fate, following)))
            if not following or "" in fates:
                return ""
            if len(following) > 1:
                return f"Each of its {noun}s {enumerate_some(map(shown, following))} {' or '.join(fates)}."
            circular = iri in {following[0], *successors(following[0])}
            return f"Its {noun} {shown(following[0])!r} {'leads back to it' if circular else fates[0]}."

        found = ((iri, reason(iri)) for iri in sorted(raw.deprecated))
        return {spelling: why for iri, why in found if why for spelling in self.spellings_of(iri)}

    # What is kept -------------------------------------------------------------------------------------------

    def showing(self, show: Show) -> Draft:
        """Choose how concepts are shown."""
        self.show = show
        return self

    def keeps_all(self, *iris: str) -> bool:
        """Whether all given concepts are kept."""
        return self.kept.keys() >= set(iris)

    def vocabulary(self) -> Vocabulary:
        """Names of the concepts, with what else they are called."""
        same = {iri: found for iri, found in self.merged_names.items() if self.raw.same[iri] in self.kept}
        called = replace(
            self._concept_names(self.kept, same),
            synonyms=self._synonyms(),
            narrow={
                fold(text): self.names[iri] for iri in self.kept for text in self.raw.narrow.get(iri, ())
            },
            replaced=dict(chain.from_iterable(spellings.items() for spellings in self.replaced.values())),
            left_out={one: why for iri, why in self.left_out.items() for one in self.spellings_of(iri)},
            show=self.show,
        )
        return Vocabulary(tuple(self.kept.values())).with_names(called)

    def abstract_mask(self) -> NDArray[np.bool_]:
        """Boolean mask of the abstract concepts."""
        return np.array([iri in self.abstract for iri in self.kept], dtype=bool)

    def matrix(self) -> tuple[sparse.csr_array, tuple[str, ...]]:
        """Links as an array, one row per child, and their kinds in its order."""
        position = {iri: number for number, iri in enumerate(self.kept)}
        ends = map(position.get, chain.from_iterable(self.links), repeat(-1))
        parents, children = np.fromiter(ends, np.intp, 2 * len(self.links)).reshape(-1, 2).T
        order = np.lexsort((parents, children))
        order = order[np.minimum(parents, children)[order] >= 0]
        ones, shape = np.ones(order.size, dtype=bool), (len(position), len(position))
        matrix = sparse.csr_array((ones, (children[order], parents[order])), shape=shape)
        kinds = list(self.links.values())
        return matrix, tuple(map(kinds.__getitem__, order.tolist()))

    def break_cycles(self) -> tuple[str, ...]:
        """Cut the links that close a cycle in a depth-first walk down, and list them, child -> parent.

        The walk begins at the roots that were asked for, then at concepts without parents, then at the first
        that is left. Without these links there is no cycle, and no fewer of them would do.
        """
        import networkx as nx

        names, way, cut = self.names, set[str](), set[tuple[str, str]]()
        links = [link for link in self.links if self.keeps_all(*link)]
        below = {child for _, child in links}
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(sorted(self.kept, key=lambda iri: (iri not in self.roots, iri in below)))
        graph.add_edges_from(sorted(links, key=lambda link: (names[link[0]], names[link[1]])))
        for parent, child, kind in cast("Any", nx.dfs_labeled_edges(graph)):
            if kind == "forward":
                way.add(child)
            elif kind == "reverse":
                way.discard(child)
            elif child in way:
                cut.add((parent, child))
        self.links = {link: kind for link, kind in self.links.items() if link not in cut}
        return tuple(sorted(f"{names[child]} -> {names[parent]}" for parent, child in cut))

    def rules(self) -> tuple[tuple[Exclusion, ...], tuple[Requirement, ...]]:
        """Rules between concepts that are kept."""
        names = self.names
        # Dropping one alternative would make a requirement stricter than in the ontology.
        exclusions = (
            Exclusion(names[one], names[other], form)
            for (one, other), form in self.raw.exclusions.items()
            if self.keeps_all(one, other)
        )
        requirements = (
            Requirement(
                names[need.concept],
                tuple(sorted(names[iri] for iri in need.any_of)),
                need.relation,
                need.precondition,
            )
            for need in self.raw.requirements
            if self.keeps_all(need.concept, *need.any_of)
        )
        return tuple(sorted(exclusions)), tuple(sorted(requirements))

    def report(self, arrays: Hierarchy, kinds: Sequence[str], cut: Sequence[str]) -> ReadingReport:
        """Count what was read and what was left out."""
        raw, kept, shown, labels = self.raw, self.kept, self.display_name, self.labels
        bearers = Counter(filter(None, map(labels.__getitem__, kept)))
        local_names = Counter(self.local_names.values())
        links = [
            ("to what is left out", child)
            for parent, child in (raw.links if len(kept) < len(raw.concepts) else ())
            if child in kept and parent not in kept
        ]
        links += [("of a concept to itself", iri) for iri in raw.self_links if iri in kept]
        rules = [("exclusions", one) for one, other in raw.exclusions if not self.keeps_all(one, other)]
        rules += [
            ("requirements", need.concept)
            for need in raw.requirements
            if not self.keeps_all(need.concept, *need.any_of)
        ]
        merged_into = [(shown(one), iri) for iri, one in raw.same.items() if one in kept]
        equal = (
            f"{name} = {iri if local_name(iri) == name else local_name(iri)}" for name, iri in merged_into
        )
        return ReadingReport(
            raw.vocabulary,
            found=len(raw.concepts) + len(raw.same),
            left_out=tallies((reason, shown(iri)) for iri, reason in self.left_out.items()),
            undeclared=Tally.from_items(shown(iri) for iri in raw.undeclared if iri in kept),
            concepts=len(kept),
            abstract=Tally.from_items(map(shown, self.abstract)),
            roots=Tally.from_items(arrays.vocabulary[position] for position in arrays.roots.tolist()),
            levels=arrays.levels - 1,
            several_parents=Tally.from_items(
                arrays.vocabulary[one] for one in arrays.several_parents.tolist()
            ),
            links=counts(kinds),
            links_left_out=tallies((reason, shown(iri)) for reason, iri in links),
            cut=Tally(len(cut), tuple(cut)),
            exclusions=counts(rule.source for rule in arrays.exclusions),
            preconditions=counts(rule.relation for rule in arrays.requirements if rule.precondition),
            other_requirements=counts(rule.relation for rule in arrays.requirements if not rule.precondition),
            rules_left_out=tallies((rule, shown(iri)) for rule, iri in rules),
            unused=tallies((kind, shown(iri)) for kind, iris in raw.unused.items() for iri in iris),
            equivalents=Tally.from_items(equal),
            languages=counts(language for iri, _, language, _ in raw.labels if iri in kept),
            unlabelled=Tally.from_items(() if raw.plain else (shown(iri) for iri in kept if not labels[iri])),
            ambiguous=Tally.from_items(label for label, count in bearers.items() if count > 1),
            clashing=Tally.from_items(name for name, count in local_names.items() if count > 1),
            imports=Tally.from_items(raw.imports),
            imported=Tally.from_items(raw.imported),
            replaced=Tally.from_items(map(shown, self.replaced)),
            also=raw.also,
        )


def select_concepts(
    raw: RawOntology,
    source: Source,
    *,
    root: Sequence[str] | None = None,
    language: str = "en",
    abstract: Sequence[str] = (),
    concepts: Sequence[str] | None = None,
) -> Draft:
    """Select concepts, and mark the abstract ones; cycles are allowed here."""
    draft = Draft(merge_equivalents(raw), source, language)
    raw, names, where = draft.raw, draft.names, source.path
    labels = None if concepts is None else draft.resolve(concepts, option="concepts")
    marked = draft.resolve(abstract, option="abstract")
    if labels is not None and marked & labels:
        both = enumerate_some(sorted(names[iri] for iri in marked & labels))
        raise ParameterError("abstract", list(abstract), f"no concepts that are in `concepts`, as {both}")
    asked = marked | (labels or set())
    draft.roots = frozenset(draft.resolve(root or (), option="root"))
    left_out = _isolated_concepts(draft, asked) if root is None else _concepts_outside(draft, draft.roots)
    draft.kept = {iri: names[iri] for iri in sorted(names, key=names.__getitem__) if iri not in left_out}
    beyond = sorted(names[iri] for iri in asked & left_out.keys())
    if beyond:
        raise UnknownConceptError(
            dict.fromkeys(beyond, "`abstract` or `concepts`"),
            where=where,
            remedy="They lie outside the branches that `root` names: widen it, or leave them out.",
        )
    if not draft.kept:
        raise InputError(
            f"none of its {len(raw.concepts):,} concepts is left: {len(raw.deprecated):,} are deprecated, "
            f"{len(left_out):,} lie outside the branches",
            "Is it the right file, and the right `root`?",
            where=where,
        )
    never = draft.kept.keys() & (raw.abstract | marked) if labels is None else draft.kept.keys() - labels
    draft.abstract = frozenset(never)
    draft.left_out = dict.fromkeys(raw.deprecated, DEPRECATED) | left_out
    return draft


def _concepts_outside(draft: Draft, roots: Iterable[str]) -> dict[str, str]:
    """Concepts outside the branches, with the reason."""
    children = defaultdict(list)
    for parent, child in draft.links:
        children[parent].append(child)
    inside, waiting = set(roots), list(roots)
    while waiting:
        new = [child for child in children[waiting.pop()] if child not in inside]
        inside.update(new)
        waiting += new
    return {iri: OUTSIDE for iri in draft.names if iri not in inside}


def _isolated_concepts(draft: Draft, asked: set[str]) -> dict[str, str]:
    """Concepts without link and label, in a file that labels most of what it links."""
    if draft.raw.plain:  # names serve as labels
        return {}
    unlabelled = [iri for iri, label in draft.labels.items() if not label]
    linked = {*chain.from_iterable(draft.links if unlabelled else ())}
    if 2 * sum(map(bool, map(draft.labels.__getitem__, linked))) <= len(linked):
        return {}
    return {iri: ISOLATED for iri in unlabelled if iri not in linked and iri not in asked}


# Ontologies -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Ontology(Plotted, PickledByFields):
    """Concepts, links between them, labels and rules.

    Parameters
    ----------
    arrays
        The concepts in alphabetical order of their names, with links, abstract marks and rules.
    iris, labels
        IRI of each concept, "" where the file has plain names, and its label.
    kinds
        For each link the axiom or relation that it comes from, in the order of `arrays.parents`.
    source
        Source of the ontology.
    report
        Counts of what was read and left out.
    prefixes
        The prefixes that the file binds, each with its namespace.
    left_out
        Names of concepts that were left out, each with the reason.
    replaced
        Deprecated names and identifiers, each with the concept that replaces it.
    same
        IRIs that are equivalent to a concept's, each with the concept and a label of its own.
    considered, dead_ends
        Deprecated spellings, with the concepts to choose from, or why replacements lead to none.

    Examples
    --------
    >>> from ontoeval import ontologies, read_ontology
    >>> sorted(read_ontology(ontologies.path("diamond")).graph.predecessors("seaplane"))
    ['aircraft', 'watercraft']
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

    @property
    def _brief(self) -> str:
        counts = pluralise_all(concept=len(self.iris), link=len(self.kinds))
        return f"{Path(self.source.path).name!r}: {counts}" if self.source.path else counts

    def __post_init__(self) -> None:
        """Freeze the mappings."""
        names = ("prefixes", "left_out", "replaced", "same", "considered", "dead_ends")
        vars(self).update((name, MappingProxyType(dict(getattr(self, name)))) for name in names)

    @classmethod
    def from_paths(cls, paths: Iterable[str], *, separator: str = "/") -> Ontology:
        """Make the ontology of labels such as ``CCAT/C15/C152``.

        Parameters
        ----------
        paths
            The labels, from the root down.
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
        """A frozen graph from parents to children; nodes have `iri`, `label`, `abstract`, edges `kind`."""
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
        return cast("nx.DiGraph[str]", nx.freeze(graph))

    def hierarchy(self) -> Hierarchy:
        """Return the concepts as arrays, with abstract marks, exclusions and requirements.

        Returns
        -------
        Hierarchy
            The hierarchy, its concepts in alphabetical order; always the same object.
        """
        return self.arrays

    def to_rdf(
        self,
        vocabulary: Literal["skos", "owl"] | None = None,
        *,
        base: str = "urn:ontoeval:",
        agreement: Mapping[str, float] | None = None,
    ) -> Graph:
        """Return a graph of rdflib from which `read_ontology` reads the same ontology.

        What SKOS or OWL cannot state is written in terms of ``https://w3id.org/ontoeval/ns#``. What the file
        held and the graph does not is listed in comments of its scheme or ontology.

        Parameters
        ----------
        vocabulary
            "skos" or "owl"; by default as it was read, and SKOS for tables and JSON.
        base
            What the IRIs of concepts begin with that have plain names.
        agreement
            The annotators' agreement on concepts, as `read_agreement` returns it, to write as a weight.

        Raises
        ------
        InputError
            If this vocabulary would make another ontology of it.

        Examples
        --------
        >>> plants = Ontology.from_paths(["plant/tree"])
        >>> graph = plants.to_rdf(base="https://example.org/plants#")
        >>> sorted(graph.subjects())[0].n3()
        '<https://example.org/plants#ontology>'
        """
        from ontoeval.ontology.rdf import read_rdf
        from ontoeval.ontology.rdf_export import RdfExport

        graph = RdfExport(self, vocabulary, base).graph(agreement or {})
        raw, _ = read_rdf(File("", b"", ""), "", graph=graph)
        read = compile_draft(select_concepts(raw, Source())).arrays.canonical
        if changed := set(read.split("\n")) ^ set(self.arrays.canonical.split("\n")):
            lines = enumerate_some(line.replace("\t", " ").strip() for line in sorted(changed))
            raise InputError(
                f"in this vocabulary of RDF it would be another ontology when it is read: {lines}",
                "Write it in the other one (vocabulary=, --as), or give the concepts other IRIs.",
            )
        return graph

    def showing(self, show: Show) -> Ontology:
        """Choose how concepts are shown in all that is made with the new ontology.

        Parameters
        ----------
        show
            "label", "id" for the names that results have as keys, or "both".

        Returns
        -------
        Ontology
            A copy that shows concepts in this way.

        Raises
        ------
        ParameterError
            If `show` has another value.
        """
        return replace(self, arrays=self.arrays.showing(show))

    @property
    def spellings(self) -> Spellings:
        """Every spelling of the concepts; those of deprecated ones are in `replaced`."""
        return self.arrays.vocabulary.spellings

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
            A name, local name, CURIE, IRI, or in any case a label, else an exact synonym, a notation or a
            label in another language. The first of these wins, and the last over a deprecated name.
        where
            File and row, for messages.

        Raises
        ------
        AmbiguousNameError, UnknownConceptError
            If several concepts have this name, or none.

        Examples
        --------
        >>> from ontoeval import ontologies, read_ontology
        >>> ontology = read_ontology(ontologies.path("diamond"))
        >>> ontology.resolve("<https://w3id.org/ontoeval/diamond#car>")
        'car'
        >>> ontology.resolve("Car")
        'car'
        """
        return self.resolve_all([text], where=where)[text]

    def resolve_all(self, texts: Iterable[str] | Mapping[str, str], *, where: str = "") -> dict[str, str]:
        """Find the one concept that each text means.

        Parameters
        ----------
        texts
            Texts, or a mapping from texts to where each first occurs, such as "row 3", for messages.
        where
            The file, for messages.

        Raises
        ------
        AmbiguousNameError, UnknownConceptError
            If a text names several concepts, or none.
        """
        return self.spellings.resolve(texts, where=where)


def compile_draft(draft: Draft) -> Ontology:
    """Make an ontology of a draft; cycles are refused, or broken."""
    raw, kept, where = draft.raw, draft.kept, draft.source.path
    with gc_paused():
        cut = draft.break_cycles() if draft.cycles == "break" else ()
        parents, kinds = draft.matrix()
        found = {"columns": f"{where}: {raw.vocabulary}"} if FOUND in raw.vocabulary else {}
        try:
            arrays = Hierarchy(
                draft.vocabulary(), parents, draft.abstract_mask(), *draft.rules(), sources=found
            )
        except (CycleError, InputError) as error:
            # The hierarchy does not know which file it comes from.
            place, remedy = f"{where}: " if where else "", _BREAK if isinstance(error, CycleError) else ""
            error.args = (" ".join([f"{place}{error}{remedy}", *found.values()]),)
            raise
        names = arrays.vocabulary.names
        if raw.agreement:
            given = dict.fromkeys((draft.names[iri] for iri in draft.abstract), 1.0)
            given |= {draft.names[iri]: raw.agreement[iri] for iri in kept if iri in raw.agreement}
            arrays = arrays.with_weight("agreement", given, source=where)
        return Ontology(
            arrays,
            iris=tuple("" if raw.plain else iri for iri in kept),
            labels=tuple(draft.labels[iri] or raw.local_name(iri) for iri in kept),
            kinds=kinds,
            source=draft.source,
            report=draft.report(arrays, kinds, cut),
            prefixes=raw.prefixes,
            left_out=names.left_out,
            replaced=names.replaced,
            same=names.same,
            considered=draft.considered_replacements(),
            dead_ends=draft.dead_ends(),
        )
