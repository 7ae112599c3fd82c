"""What is wrong with the links of an ontology: cycles, orphans, several roots, links that say nothing new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np
from scipy import sparse

from ontoeval.audit.finding import Finding, Rule
from ontoeval.audit.ontology_material import Material
from ontoeval.core.csr import line, pattern, row_of_entries, without
from ontoeval.core.dag import cycles
from ontoeval.errors import listed

CYCLE = Rule("cycle", "error", "Concepts are their own ancestors.")
SELF_LINK = Rule("self-link", "note", "A concept is said to lie below itself.")
ORPHAN = Rule("orphan", "warning", "A concept has neither parents nor children.")
SEVERAL_ROOTS = Rule("several-roots", "note", "More than one concept has children and no parent.")
REDUNDANT = Rule("redundant-link", "warning", "A link that other links imply.")

_DEFINING = frozenset(
    {
        *("owl:intersectionOf", "owl:unionOf", "owl:disjointUnionOf"),
        *("intersection_of", "union_of", "genusIds"),
    }
)
"""Kinds of links that a definition implies: it needs them, whatever else is said."""

_MANY, _THROUGHOUT = 100, 0.1
"""From how many on, and which share of all links, redundant ones are the way of a file, not oversights."""

_SHOWN = 8
"""How many links of a cycle, or concepts, one sentence names."""


def about_links(material: Material) -> Iterator[Finding]:
    """Look at the links."""
    yield from _cycles(material)
    if material.self_links:
        yield SELF_LINK.found(
            material.self_links,
            len(material.self_links),
            explanation=f"Said to lie below themselves: {listed(material.self_links)}. This says nothing.",
            fix="Remove these links, or leave them: they are not read.",
            key=(SELF_LINK.name,),
            cases=material.self_links,
        )
    yield from _tops(material)
    yield from _redundant(material)


def _cycles(material: Material) -> Iterator[Finding]:
    names = material.vocabulary
    sizes, tangled = np.bincount(material.tangles), _tangled(material)
    for cycle in cycles(material.parents, most=len(names))[0]:
        pairs = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        called = [material.called(names[node]) for node in cycle]
        links = [
            f"{one} -> {other} ({material.kind_of[pair]})"
            for one, other, pair in zip(called, [*called[1:], called[0]], pairs, strict=True)
        ]
        shown = "; ".join(links[:_SHOWN]) + ("; …" if len(links) > _SHOWN else "")
        size = int(sizes[material.tangles[cycle[0]]])
        more = size - len(cycle)
        rest = f" {more:,} more concepts are tangled in it." if more else ""
        alone = len(cycle) == 1
        yield CYCLE.found(
            tuple(names[node] for node in cycle),
            size,
            explanation=f"A cycle, child -> parent: {shown}.{rest}",
            fix="Remove this link."
            if alone
            else "Remove one of these links; or say that the concepts are equal, if they are.",
            key=(CYCLE.name,),
            cases=tuple(tangled[int(material.tangles[cycle[0]])]),
        )


def _tangled(material: Material) -> dict[int, list[str]]:
    """List the links within each tangle."""
    names, found = material.vocabulary, defaultdict(list)
    child, parent = row_of_entries(material.parents), material.parents.indices
    within = material.tangles[child] == material.tangles[parent]
    for one, other in zip(child[within].tolist(), parent[within].tolist(), strict=True):
        found[int(material.tangles[one])].append(f"{names[one]} -> {names[other]}")
    return found


def _tops(material: Material) -> Iterator[Finding]:
    names = material.vocabulary
    above = np.diff(material.parents.indptr) > 0
    below = np.bincount(material.parents.indices, minlength=len(names)) > 0
    linked = above | below
    orphans = tuple(names[row] for row in np.flatnonzero(~linked).tolist()) + material.apart
    if orphans and len(names) > 1:
        count = len(names) + len(material.apart)
        apart = (
            f" Those without a label, too, are left out when the ontology is read: {listed(material.apart)}."
            if material.apart
            else ""
        )
        yield ORPHAN.found(
            orphans,
            len(orphans),
            total=count,
            explanation=f"Concepts with neither parents nor children: {len(orphans):,} of {count:,}: "
            f"{listed(orphans)}.{apart}",
            fix="Link them to what they belong to, or leave them out.",
            key=(ORPHAN.name,),
            cases=orphans,
        )
    roots = tuple(names[row] for row in np.flatnonzero(below & ~above).tolist())
    if len(roots) > 1:
        yield SEVERAL_ROOTS.found(
            roots,
            len(roots),
            explanation=f"{len(roots):,} concepts have children and no parent: "
            f"{listed(map(material.called, roots))}. Nothing lies above concepts of different branches.",
            fix="If they belong together, give them a parent in common; or choose branches (--root).",
            key=(SEVERAL_ROOTS.name,),
            cases=roots,
        )


def _redundant(material: Material) -> Iterator[Finding]:
    """Find links to what lies above another parent as well."""
    hierarchy, names = material.kinship, material.vocabulary
    parents = hierarchy.parents
    several = np.flatnonzero(np.diff(parents.indptr) > 1)
    own = sparse.csr_array(sparse.eye_array(len(names), dtype=bool))
    strict = without(hierarchy.ancestors, own)
    chosen = parents[several]
    implied = sparse.csr_array(pattern(chosen @ strict).multiply(chosen))
    found: dict[int, list[int]] = defaultdict(list)
    for row, parent in zip(several[row_of_entries(implied)].tolist(), implied.indices.tolist(), strict=True):
        if material.kind_of[row, parent] not in _DEFINING:
            found[row].append(parent)
    count = sum(map(len, found.values()))

    def called(place: int) -> str:
        return material.called(names[place])

    if count >= _MANY and count > _THROUGHOUT * parents.nnz:
        some = [f"{called(row)} -> {called(above[0])}" for row, above in found.items()]
        yield REDUNDANT.found(
            tuple(names[row] for row in found),
            count,
            total=parents.nnz,
            explanation=(
                f"{count:,} of {parents.nnz:,} links are redundant (implied by other links). With so many, "
                f"this is probably deliberate. Child -> parent: {listed(some)}."
            ),
            fix="If it is not, remove these links: measures that count links take shortcuts through them.",
            key=(REDUNDANT.name,),
            cases=_links(material, found),
        )
        return
    for row, above in found.items():
        others = line(parents, row).tolist()
        through: list[str] = []
        for parent in above:
            way = next(other for other in others if parent in line(strict, other))
            through.append(f"below {called(parent)} through {called(way)}")
        yield REDUNDANT.found(
            (names[row], *(names[parent] for parent in above)),
            len(above),
            explanation=f"{called(row)} lies {_and(through)} already.",
            fix=f"Remove the link from {called(row)} to {_and([called(parent) for parent in above])}.",
            key=(REDUNDANT.name,),
            cases=_links(material, {row: above}),
        )


def _links(material: Material, found: Mapping[int, list[int]]) -> tuple[str, ...]:
    names = material.vocabulary
    return tuple(f"{names[row]} -> {names[parent]}" for row, above in found.items() for parent in above)


def _and(texts: list[str]) -> str:
    shown = texts[:_SHOWN]
    more = [f"{len(texts) - len(shown):,} more"] if len(texts) > len(shown) else []
    parts = [*shown, *more]
    return ", ".join(parts[:-1]) + " and " * (len(parts) > 1) + parts[-1]
