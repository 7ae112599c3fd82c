"""A selection of concepts that is about to become an ontology; cycles are not refused yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.constraints import Exclusion, Requirement
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import CycleError, InputError, ParameterError, UnknownConceptError, listed
from ontoeval.ontology.garbage import collector_paused
from ontoeval.ontology.live_concepts import DEPRECATED, Candidates
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.names import local_name
from ontoeval.ontology.raw_ontology import Told, merged
from ontoeval.ontology.report import ReadingReport, Source, Tally, counts, tallies


def assemble(
    told: Told,
    source: Source,
    *,
    root: Sequence[str] | None = None,
    language: str = "en",
    abstract: Sequence[str] = (),
    concepts: Sequence[str] | None = None,
) -> Ontology:
    """Make an ontology of what a file tells."""
    return choose(told, source, root=root, language=language, abstract=abstract, concepts=concepts).ontology()


@dataclass(frozen=True, eq=False)
class Draft:
    """What is to become an ontology, which cycles may keep it from: what is kept, and what is not."""

    source: Source
    candidates: Candidates
    kept: Mapping[str, None]
    abstract: frozenset[str]
    left_out: Mapping[str, str]

    def ontology(self) -> Ontology:
        """Make an ontology of what is kept."""
        with collector_paused():
            return self._ontology()

    def _ontology(self) -> Ontology:
        arrays, kinds = _compiled(self, where=self.source.path)
        told, replaced = self.candidates.told, self.candidates.replaced(self.kept)
        return Ontology(
            arrays,
            iris=tuple("" if told.plain else iri for iri in self.kept),
            labels=tuple(self.candidates.labels[iri] or told.local(iri) for iri in self.kept),
            kinds=kinds,
            source=self.source,
            report=_report(self, arrays, kinds, replaced),
            prefixes=told.prefixes,
            left_out={
                spelling: reason
                for iri, reason in self.left_out.items()
                for spelling in self.candidates.called(iri)
            },
            replaced=dict(chain.from_iterable(spellings.items() for spellings in replaced.values())),
            same={iri: found for iri, found in self.candidates.same.items() if told.same[iri] in self.kept},
            considered=self.candidates.considered(self.kept),
            dead_ends=self.candidates.dead_ends(self.left_out),
        )

    def shown(self, iri: str) -> str:
        """Name a concept in the report, live or not; other IRIs stay what they are."""
        told = self.candidates.told
        return self.candidates.names.get(iri) or (told.local(iri) if iri in told.concepts else iri)

    def keeps(self, *iris: str) -> bool:
        """Tell whether all of some concepts are kept."""
        return self.kept.keys() >= set(iris)

    def links(self) -> list[tuple[str, str, str]]:
        """Parent, child and kind of each link between what is kept."""
        kept = self.kept
        links = self.candidates.links.items()
        return [(parent, child, kind) for (parent, child), kind in links if parent in kept and child in kept]

    def vocabulary(self) -> Vocabulary:
        """Name what is kept."""
        return Vocabulary(tuple(self.candidates.names[iri] for iri in self.kept))

    def marks(self) -> NDArray[np.bool_]:
        """Mark what is abstract."""
        return np.array([iri in self.abstract for iri in self.kept], dtype=bool)

    def matrix(self) -> tuple[sparse.csr_array, tuple[str, ...]]:
        """Make an array of the links, one row per child, and list their kinds in its order."""
        position = {iri: number for number, iri in enumerate(self.kept)}
        links = self.links()
        ends = np.array([(position[child], position[parent]) for parent, child, _ in links], dtype=np.intp)
        children, parents = ends.reshape(-1, 2).T
        order = np.lexsort((parents, children))
        ones, shape = np.ones(len(links), dtype=bool), (len(position), len(position))
        matrix = sparse.csr_array((ones, (children[order], parents[order])), shape=shape)
        return matrix, tuple(links[number][2] for number in order.tolist())

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


def choose(
    told: Told,
    source: Source,
    *,
    root: Sequence[str] | None = None,
    language: str = "en",
    abstract: Sequence[str] = (),
    concepts: Sequence[str] | None = None,
) -> Draft:
    """Decide what is kept and what is abstract; cycles are no matter yet."""
    candidates = Candidates(merged(told), language, source.path)
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
    return Draft(source, candidates, kept, frozenset(never), gone)


def _compiled(draft: Draft, *, where: str) -> tuple[Hierarchy, tuple[str, ...]]:
    """Make arrays of what is kept, and list the kinds of its links in their order."""
    parents, kinds = draft.matrix()
    exclusions, requirements = draft.rules()
    try:
        arrays = Hierarchy(draft.vocabulary(), parents, draft.marks(), exclusions, requirements)
    except (CycleError, InputError) as error:
        # The arrays do not know which file they come from.
        error.args = (f"{where}: {error}" if where else str(error),)
        raise
    return arrays, kinds


def _report(draft: Draft, arrays: Hierarchy, kinds: Sequence[str], replaced: Iterable[str]) -> ReadingReport:
    """Count everything."""
    told, kept, shown = draft.candidates.told, draft.kept, draft.shown
    names = arrays.vocabulary
    labels = draft.candidates.labels
    bearers = Counter(labels[iri] for iri in kept if labels[iri])
    local_names = Counter(map(told.local, draft.candidates.names))
    links = [
        ("to what is left out", child) for parent, child in told.links if child in kept and parent not in kept
    ]
    links += [("of a concept to itself", iri) for iri in told.self_links if iri in kept]
    rules = [("exclusions", one) for one, other in told.exclusions if not draft.keeps(one, other)]
    rules += [
        ("requirements", need.concept)
        for need in told.requirements
        if not draft.keeps(need.concept, *need.any_of)
    ]
    equal = [f"{shown(one)} = {_other(same, shown(one))}" for same, one in told.same.items() if one in kept]
    return ReadingReport(
        told.vocabulary,
        found=len(told.concepts) + len(told.same),
        left_out=tallies((reason, shown(iri)) for iri, reason in draft.left_out.items()),
        undeclared=Tally.of(shown(iri) for iri in told.undeclared if iri in kept),
        concepts=len(kept),
        abstract=Tally.of(map(shown, draft.abstract)),
        roots=Tally.of(names[position] for position in arrays.roots.tolist()),
        levels=arrays.levels - 1,
        several_parents=Tally.of(names[position] for position in arrays.several_parents.tolist()),
        links=counts(kinds),
        links_left_out=tallies((reason, shown(iri)) for reason, iri in links),
        exclusions=counts(rule.source for rule in arrays.exclusions),
        preconditions=counts(rule.relation for rule in arrays.requirements if rule.precondition),
        other_requirements=counts(rule.relation for rule in arrays.requirements if not rule.precondition),
        rules_left_out=tallies((rule, shown(iri)) for rule, iri in rules),
        unused=tallies((kind, shown(iri)) for kind, iris in told.unused.items() for iri in iris),
        equivalents=Tally.of(equal),
        languages=counts(
            text.language for iri in kept for group in told.labels.get(iri, ()) for text in group
        ),
        unlabelled=Tally.of(() if told.plain else (shown(iri) for iri in kept if not labels[iri])),
        ambiguous=Tally.of(label for label, count in bearers.items() if count > 1),
        clashing=Tally.of(name for name, count in local_names.items() if count > 1),
        imports=Tally.of(told.imports),
        imported=Tally.of(told.imported),
        replaced=Tally.of(map(shown, replaced)),
        also=told.also,
    )


def _other(iri: str, than: str) -> str:
    """Name what became one with a concept by another name than that."""
    return iri if local_name(iri) == than else local_name(iri)
