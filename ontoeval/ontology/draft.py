"""A selection of concepts that is about to become an ontology; cycles are not refused yet."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import CycleError, InputError, ParameterError, UnknownConceptError, enumerate_some
from ontoeval.ontology.live_concepts import DEPRECATED, LiveConcepts
from ontoeval.ontology.names import local_name
from ontoeval.ontology.raw_ontology import RawOntology, merge_equivalents
from ontoeval.ontology.report import ReadingReport, Source, Tally, counts, tallies


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector, which among a million new texts takes long and finds nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(frozen=True, eq=False)
class Draft:
    """The concepts that are kept, by IRI in the order of their names, and the reasons why others are not."""

    source: Source
    live: LiveConcepts
    kept: Mapping[str, None]
    abstract: frozenset[str]
    left_out: Mapping[str, str]

    def shown(self, iri: str) -> str:
        """Name of a concept in the report; IRIs of what is no concept stay whole."""
        raw = self.live.raw
        return self.live.names.get(iri) or (raw.local(iri) if iri in raw.concepts else iri)

    def keeps(self, *iris: str) -> bool:
        """Whether all of some concepts are kept."""
        return self.kept.keys() >= set(iris)

    def links(self) -> list[tuple[str, str, str]]:
        """Parent, child and kind of each link between concepts that are kept."""
        kept = self.kept
        links = self.live.links.items()
        return [(parent, child, kind) for (parent, child), kind in links if parent in kept and child in kept]

    def vocabulary(self) -> Vocabulary:
        """Names of the concepts."""
        return Vocabulary(tuple(self.live.names[iri] for iri in self.kept))

    def marks(self) -> NDArray[np.bool_]:
        """Abstract concepts, as a mask."""
        return np.array([iri in self.abstract for iri in self.kept], dtype=bool)

    def matrix(self) -> tuple[sparse.csr_array, tuple[str, ...]]:
        """Links as an array, one row per child, and their kinds in its order."""
        position = {iri: number for number, iri in enumerate(self.kept)}
        links = self.links()
        ends = np.array([(position[child], position[parent]) for parent, child, _ in links], dtype=np.intp)
        children, parents = ends.reshape(-1, 2).T
        order = np.lexsort((parents, children))
        ones, shape = np.ones(len(links), dtype=bool), (len(position), len(position))
        matrix = sparse.csr_array((ones, (children[order], parents[order])), shape=shape)
        return matrix, tuple(links[number][2] for number in order.tolist())

    def rules(self) -> tuple[tuple[Exclusion, ...], tuple[Requirement, ...]]:
        """Rules between concepts that are kept.

        A requirement of which one alternative is not kept is left out: without the alternative it would
        require more than the ontology does.
        """
        raw, names = self.live.raw, self.live.names
        exclusions = (
            Exclusion(names[one], names[other], form)
            for (one, other), form in raw.exclusions.items()
            if self.keeps(one, other)
        )
        requirements = (
            Requirement(names[need.concept], tuple(sorted(names[iri] for iri in need.any_of)), *need[2:])
            for need in raw.requirements
            if self.keeps(need.concept, *need.any_of)
        )
        return tuple(sorted(exclusions)), tuple(sorted(requirements))

    def arrays(self) -> tuple[Hierarchy, tuple[str, ...]]:
        """Compile the hierarchy, and list the kinds of its links in the order of its `parents`."""
        parents, kinds = self.matrix()
        where = self.source.path
        try:
            return Hierarchy(self.vocabulary(), parents, self.marks(), *self.rules()), kinds
        except (CycleError, InputError) as error:
            # The hierarchy does not know which file it comes from.
            error.args = (f"{where}: {error}" if where else str(error),)
            raise

    def report(self, arrays: Hierarchy, kinds: Sequence[str], replaced: Iterable[str]) -> ReadingReport:
        """Count what was read and what was left out."""
        raw, kept, shown = self.live.raw, self.kept, self.shown
        names = arrays.vocabulary
        labels = self.live.labels
        bearers = Counter(labels[iri] for iri in kept if labels[iri])
        local_names = Counter(map(raw.local, self.live.names))
        links = [
            ("to what is left out", child)
            for parent, child in raw.links
            if child in kept and parent not in kept
        ]
        links += [("of a concept to itself", iri) for iri in raw.self_links if iri in kept]
        rules = [("exclusions", one) for one, other in raw.exclusions if not self.keeps(one, other)]
        rules += [
            ("requirements", need.concept)
            for need in raw.requirements
            if not self.keeps(need.concept, *need.any_of)
        ]
        merged_into = [(shown(one), iri) for iri, one in raw.same.items() if one in kept]
        equal = (
            f"{name} = {iri if local_name(iri) == name else local_name(iri)}" for name, iri in merged_into
        )
        return ReadingReport(
            raw.vocabulary,
            found=len(raw.concepts) + len(raw.same),
            left_out=tallies((reason, shown(iri)) for iri, reason in self.left_out.items()),
            undeclared=Tally.of(shown(iri) for iri in raw.undeclared if iri in kept),
            concepts=len(kept),
            abstract=Tally.of(map(shown, self.abstract)),
            roots=Tally.of(names[position] for position in arrays.roots.tolist()),
            levels=arrays.levels - 1,
            several_parents=Tally.of(names[position] for position in arrays.several_parents.tolist()),
            links=counts(kinds),
            links_left_out=tallies((reason, shown(iri)) for reason, iri in links),
            exclusions=counts(rule.source for rule in arrays.exclusions),
            preconditions=counts(rule.relation for rule in arrays.requirements if rule.precondition),
            other_requirements=counts(rule.relation for rule in arrays.requirements if not rule.precondition),
            rules_left_out=tallies((rule, shown(iri)) for rule, iri in rules),
            unused=tallies((kind, shown(iri)) for kind, iris in raw.unused.items() for iri in iris),
            equivalents=Tally.of(equal),
            languages=counts(
                text.language for iri in kept for group in raw.labels.get(iri, ()) for text in group
            ),
            unlabelled=Tally.of(() if raw.plain else (shown(iri) for iri in kept if not labels[iri])),
            ambiguous=Tally.of(label for label, count in bearers.items() if count > 1),
            clashing=Tally.of(name for name, count in local_names.items() if count > 1),
            imports=Tally.of(raw.imports),
            imported=Tally.of(raw.imported),
            replaced=Tally.of(map(shown, replaced)),
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
    """Select concepts, and mark the abstract ones; cycles are no matter yet."""
    live = LiveConcepts(merge_equivalents(raw), language, source.path)
    raw, names, where = live.raw, live.names, live.where
    labels = None if concepts is None else live.resolve(concepts, option="concepts")
    marked = live.resolve(abstract, option="abstract")
    if labels is not None and marked & labels:
        both = enumerate_some(sorted(names[iri] for iri in marked & labels))
        raise ParameterError("abstract", list(abstract), f"no concepts that are in `concepts`, as {both}")
    asked = marked | (labels or set())
    left_out = live.isolated(asked) if root is None else live.outside(live.resolve(root, option="root"))
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
            f"none of its {len(raw.concepts):,} concepts is left: {len(raw.deprecated):,} are deprecated, "
            f"{len(left_out):,} lie outside the branches",
            "Is it the right file, and the right `root`?",
            where=where,
        )
    never = kept.keys() & (raw.abstract | marked) if labels is None else kept.keys() - labels
    gone = dict.fromkeys(raw.deprecated, DEPRECATED) | left_out
    return Draft(source, live, kept, frozenset(never), gone)
