"""Rules for ontologies: links, exclusions and requirements, names, and agreement with label sets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import EXAMPLES, Finding, Rule
from ontoeval.audit.ontology_material import Material
from ontoeval.audit.satisfiability import Sides, unmeetable
from ontoeval.concepts.violations import SUSPECT_SHARE, rule_book
from ontoeval.core.constraints import Exclusion, Requirement
from ontoeval.core.csr import entries_at, line, pattern, row_of_entries, without
from ontoeval.core.dag import cycles
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import counted, listed
from ontoeval.ontology.spellings import fold, with_label

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


UNSATISFIABLE = Rule("unsatisfiable", "error", "A concept lies below two that exclude each other.")
IMPOSSIBLE = Rule("impossible-requirement", "warning", "No label set can meet a requirement.")


def about_rules(material: Material) -> Iterator[Finding]:
    """Look at exclusions and requirements."""
    for reason in dict.fromkeys(reason for _, reason in material.empty):
        names = tuple(name for name, why in material.empty if why == reason)
        yield UNSATISFIABLE.found(
            names,
            len(names),
            explanation=f"{_none_of(material, names)}: {_REASONS.get(reason, reason)}.",
            fix="Remove the axiom, or the concept.",
            key=(UNSATISFIABLE.name, reason),
            cases=names,
        )
    yield from _unsatisfiable(material, Sides.of(material.kinship))
    if any(rule.precondition for rule in material.requirements):
        yield from _impossible(material, Sides.of(material.hierarchy))


def _unsatisfiable(material: Material, sides: Sides) -> Iterator[Finding]:
    """Find what lies below two concepts that exclude each other, and name what lies highest."""
    names = material.vocabulary
    members = sides.below.astype(np.intp)
    shared = entries_at(sparse.csr_array(members.T @ members), sides.left, sides.right)
    columns = sides.below.tocsc()
    parents = material.kinship.parents
    groups: defaultdict[tuple[str, ...], list[Exclusion]] = defaultdict(list)
    sizes: dict[tuple[str, ...], int] = {}
    for number in np.flatnonzero(shared).tolist():
        both = np.intersect1d(line(columns, sides.left[number]), line(columns, sides.right[number]))
        inside = np.zeros(len(names), dtype=bool)
        inside[both] = True
        lower = np.diff(np.append(0, np.cumsum(inside[parents.indices]))[parents.indptr]) > 0
        top = tuple(names[place] for place in both[~lower[both]].tolist())
        groups[top].append(material.exclusions[number])
        sizes[top] = int(both.size)
    for top, rules in groups.items():
        reasons = [_said(material, rule) for rule in rules[:3]]
        more = f", and {len(rules) - 3:,} more such pairs" if len(rules) > 3 else ""  # noqa: PLR2004 - as many as shown
        rest = sizes[top] - len(top)
        below = f" The same holds for {counted(rest, 'descendant')}." if rest else ""
        ends = dict.fromkeys(end for rule in rules for end in (rule.first, rule.second))
        lies = "it lies" if len(top) == 1 else "they lie"
        yield UNSATISFIABLE.found(
            (*top, *(end for end in ends if end not in top)),
            sizes[top],
            explanation=f"{_none_of(material, top)}: {lies} below both sides of {'; '.join(reasons)}{more}."
            f"{below}",
            fix="Remove the exclusion, or a link to one of its sides.",
            key=(UNSATISFIABLE.name, *top),
            cases=tuple(map(str, rules)),
        )


def _said(material: Material, rule: Exclusion) -> str:
    by = f" ({rule.source})" if rule.source else ""
    return f"{material.called(rule.first)} excludes {material.called(rule.second)}{by}"


def _impossible(material: Material, sides: Sides) -> Iterator[Finding]:
    """Find requirements whose every alternative is excluded, or holds nothing that may be a label."""
    rules = [rule for rule in material.requirements if rule.precondition]
    stated: defaultdict[str, int] = defaultdict(int)
    for rule in rules:
        stated[rule.relation] += 1
    groups: defaultdict[tuple[str, ...], list[_Unmet]] = defaultdict(list)
    for unmet in _unmet(material, sides, rules):
        apart = ("inherited",) * (unmet.bearer != unmet.rule.concept)
        groups[unmet.rule.relation, unmet.why, *apart].append(unmet)
    for key, several in groups.items():
        relation, why, *inherited = key
        some = "; ".join(map(str, several[:3])) + ("; …" if len(several) > 3 else "")  # noqa: PLR2004 - likewise
        by = f" by {relation}" if relation else ""
        what = f"{len(several):,} of {stated[relation]:,} requirements{by}"
        if inherited:
            what = counted(len(several), "inherited requirement") + by
        yield IMPOSSIBLE.found(
            tuple(dict.fromkeys(unmet.bearer for unmet in several)),
            len(several),
            total=None if inherited else stated[relation],
            explanation=f"{what} cannot be met by labels: {some}; but {why}.",
            fix="Read as rules for labels they contradict the ontology. Audit labels without requirements "
            "(--axioms exclusions), or correct the ontology. Do not delete labels.",
            key=(IMPOSSIBLE.name, *key),
            cases=tuple(map(str, several)),
        )


_REASONS = {
    "exclusions of a class by itself": "declared disjoint with itself",
    "owl:Nothing above a class, which then has no instances": "declared below owl:Nothing",
    "unions of nothing above a class": "declared below a union of no classes",
}
"""Why a class is empty, by what readers count such axioms as."""


def _none_of(material: Material, names: Sequence[str]) -> str:
    """Say that concepts have no instances."""
    shown = listed(map(material.called, names))
    return f"None of {shown} can have instances" if names[1:] else f"{shown} can have no instances"


class _Unmet(NamedTuple):
    """A requirement that no label meets beside a concept that states it or inherits it, and why."""

    rule: Requirement
    bearer: str
    why: str

    def __str__(self) -> str:
        """Say it in words."""
        return f"{self.rule}{f', inherited by {self.bearer}' * (self.bearer != self.rule.concept)}"


def _unmet(material: Material, sides: Sides, rules: list[Requirement]) -> Iterator[_Unmet]:
    """List the requirements that cannot be met, each with the highest concepts of which this holds."""
    names, hierarchy = material.vocabulary, material.hierarchy
    unmet, needs, sizes = unmeetable(hierarchy, rules, material.abstract, sides)
    highest = without(unmet, pattern(hierarchy.parents @ unmet)).tocsc()
    for place, rule in enumerate(rules):
        for bearer in line(highest, place).tolist():
            yield _Unmet(rule, names[bearer], _reason(material, sides, needs, rule, bearer, sizes))


def _reason(
    material: Material,
    sides: Sides,
    needs: sparse.csr_array,
    rule: Requirement,
    bearer: int,
    sizes: NDArray[np.intp],
) -> str:
    """Say why none of some alternatives can be there."""
    index = material.vocabulary.index
    reasons: dict[str, None] = {}
    for name in rule.any_of:
        at = [bearer, index[name]]
        direct, indirect = (_clash(sides, *some[at].toarray()) for some in (sides.below, needs))
        if direct is not None:
            reasons[_said(material, material.exclusions[direct])] = None
        elif indirect is not None:
            reasons[f"{_said(material, material.exclusions[indirect])}, and both follow from it"] = None
        elif sizes[index[name]]:
            reasons[f"each label at or below {name} is excluded"] = None
        else:
            reasons[f"nothing at or below {name} can be a label"] = None
    return _joined(list(reasons))


def _clash(sides: Sides, own: NDArray[np.bool_], other: NDArray[np.bool_]) -> int | None:
    """Find the first exclusion with one side among some, and the other among others."""
    clash = (own[sides.left] & other[sides.right]) | (own[sides.right] & other[sides.left])
    return int(np.flatnonzero(clash)[0]) if clash.any() else None


def _joined(texts: list[str]) -> str:
    """Join a few texts, and count the others."""
    more = [f"{len(texts) - 3:,} more"] if len(texts) > 3 else []  # noqa: PLR2004 - as many as are shown
    return ", and ".join([*texts[:3], *more])


DUPLICATE_LABEL = Rule("duplicate-label", "warning", "Several concepts have the same label.")
MISSING_LABEL = Rule("missing-label", "warning", "A concept has no label.")
UNDECLARED = Rule("undeclared", "warning", "A concept is used and never declared.")
DEPRECATED = Rule("deprecated-in-use", "warning", "Concepts build on one that was given up.")


def about_names(material: Material) -> Iterator[Finding]:
    """Look at labels, declarations, and concepts that were given up."""
    yield from _duplicates(material)
    count = material.unlabelled.count
    if 0 < count < len(material.vocabulary):  # a file without any label is one of names
        yield MISSING_LABEL.found(
            material.unlabelled.examples,
            count,
            total=len(material.vocabulary),
            explanation=f"Concepts without a label, which are shown by their local names: {count:,} of "
            f"{len(material.vocabulary):,}: {listed(material.unlabelled.examples, total=count)}.",
            fix="Give them labels.",
            key=(MISSING_LABEL.name,),
            cases=material.unlabelled.examples,
        )
    count = material.undeclared.count
    if count:
        imports = material.imports
        missing = (
            f" What it imports was not read, and may declare them: {listed(imports.examples)}."
            if imports.count
            else ""
        )
        yield UNDECLARED.found(
            material.undeclared.examples,
            count,
            total=len(material.vocabulary),
            explanation=f"Concepts that are used and never declared: {count:,}: "
            f"{listed(material.undeclared.examples, total=count)}.{missing}",
            fix="Say where the imports lie (--import)." if missing else "Declare them, or correct the names.",
            key=(UNDECLARED.name,),
            cases=material.undeclared.examples,
        )
    yield from _given_up(material)


def _duplicates(material: Material) -> Iterator[Finding]:
    bearers: defaultdict[str, list[int]] = defaultdict(list)
    for place, label in enumerate(material.labels):
        if label:
            bearers[fold(label)].append(place)
    for folded, places in bearers.items():
        if len(places) > 1:
            spellings = listed(dict.fromkeys(material.labels[place] for place in places))
            names = tuple(material.vocabulary[place] for place in places)
            yield DUPLICATE_LABEL.found(
                names,
                len(names),
                explanation=f"{len(names):,} concepts are labelled {spellings}: {listed(names)}. "
                "In a label file this names none of them.",
                fix="Give them labels that differ by more than case; or make them one, if they are.",
                key=(DUPLICATE_LABEL.name, folded),
                cases=names,
            )


def _given_up(material: Material) -> Iterator[Finding]:
    for concept in material.given_up or ():
        called = with_label(concept.name, concept.label)
        instead = f", which {material.called(concept.instead)} replaces," if concept.instead else ""
        ways: defaultdict[str, list[str]] = defaultdict(list)
        for user, way in concept.users:
            ways[way].append(user)
        uses = "; ".join(
            f"{way}: {listed(map(material.called, users))}" for way, users in sorted(ways.items())
        )
        users = tuple(dict.fromkeys(user for user, _ in concept.users))
        yield DEPRECATED.found(
            (concept.name, *users),
            len(users),
            explanation=f"{called} is deprecated{instead} but still in use: {uses}. "
            "These links and rules are not read.",
            fix=f"Use {material.called(concept.instead)} instead."
            if concept.instead
            else "Use another concept instead.",
            key=(DEPRECATED.name, concept.name),
            cases=tuple(f"{user}: {way}" for user, way in concept.users),
        )


SUSPECT = Rule(
    "suspect-rule",
    "warning",
    f"More than {SUSPECT_SHARE:.0%} of the label sets that a rule applies to break it.",
)


def about_use(hierarchy: Hierarchy, sets: LabelSets) -> Iterator[Finding]:
    """Look for rules that label sets break often."""
    hierarchy = hierarchy.with_labels(sets.vocabulary)
    sets = sets.within(hierarchy.label_vocabulary)
    book = rule_book(hierarchy)
    there = (sets.matrix @ book.sides).tocsc()
    for number, breach in enumerate(book.breaches(sets.matrix)):
        if not breach.suspect:
            continue
        rule, rows = breach.rule, book.breaking(there, number)
        if isinstance(rule, Exclusion):
            names: tuple[str, ...] = (rule.first, rule.second)
            how = f"that hold either of {rule.first} and {rule.second} hold both"
            why = f", although {rule}"
        else:
            names = (rule.concept, *rule.any_of)
            how = f"that hold {rule.concept} hold nothing of what it requires: {' or '.join(rule.any_of)}"
            why = ""
        yield SUSPECT.found(
            names,
            breach.broken,
            tuple(sets.samples[row] for row in rows[:EXAMPLES].tolist()),
            breach.applies,
            f"{breach.broken:,} of {breach.applies:,} label sets {how}{why}. Either the labels are wrong, or "
            "the rule does not say which labels go together.",
            "Correct the labels; or score without the rule (exclusions, requirements), or remove it.",
            rows=rows,
            key=(SUSPECT.name, str(rule)),
        )
