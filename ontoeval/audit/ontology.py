"""The audit of an ontology: rules for links, exclusions, requirements, names, and use in label sets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import EXAMPLES, Finding, Findings, Rule, Severities, findings_over
from ontoeval.audit.ontology_material import EMPTY, Material
from ontoeval.audit.satisfiability import Sides, unmeetable
from ontoeval.audit.settings import check_severities, graded
from ontoeval.concepts.violations import SUSPECT_SHARE, rule_book
from ontoeval.core.coercion import Labels, sets_of
from ontoeval.core.files import FilePath, reading_at_most
from ontoeval.core.hierarchy import Hierarchy, cycles
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.core.sparse import entries_at, line, pattern, row_of_entries, without
from ontoeval.errors import enumerate_some, pluralise
from ontoeval.ontology.draft import Draft
from ontoeval.ontology.model import Ontology, compile_draft
from ontoeval.ontology.names import fold, with_label
from ontoeval.ontology.reading import read_draft

CYCLE = Rule("cycle", "error", "Concepts are their own ancestors.")
UNSATISFIABLE = Rule("unsatisfiable", "error", "A concept lies below two that exclude each other.")
IMPOSSIBLE = Rule(
    "impossible-requirement",
    "warning",
    "No label set can meet a requirement.",
    fix="Read as rules for labels they contradict the ontology. Audit labels without requirements "
    "(--axioms exclusions), or correct the ontology. Do not delete labels.",
)
SUSPECT = Rule(
    "suspect-rule",
    "warning",
    f"More than {SUSPECT_SHARE:.0%} of the label sets that a rule applies to break it.",
    fix="Correct the labels; or score without the rule (exclusions, requirements), or remove it.",
)
REDUNDANT = Rule("redundant-link", "warning", "A link that other links imply.")
ORPHAN = Rule(
    "orphan",
    "warning",
    "A concept has neither parents nor children.",
    fix="Link them to what they belong to, or leave them out.",
)
DEPRECATED = Rule("deprecated-in-use", "warning", "Concepts build on one that was given up.")
UNDECLARED = Rule("undeclared", "warning", "A concept is used and never declared.")
DUPLICATE_LABEL = Rule(
    "duplicate-label",
    "warning",
    "Several concepts have the same label.",
    fix="Give them labels that differ by more than case; or make them one, if they are.",
)
MISSING_LABEL = Rule("missing-label", "warning", "A concept has no label.", fix="Give them labels.")
SEVERAL_ROOTS = Rule(
    "several-roots",
    "note",
    "More than one concept has children and no parent.",
    fix="If they belong together, give them a parent in common; or choose branches (--root).",
)
SELF_LINK = Rule(
    "self-link",
    "note",
    "A concept is said to lie below itself.",
    fix="Remove these links, or leave them: they are not read.",
)
_RULES = (
    *(CYCLE, UNSATISFIABLE, IMPOSSIBLE, SUSPECT, REDUNDANT, ORPHAN, DEPRECATED, UNDECLARED),
    *(DUPLICATE_LABEL, MISSING_LABEL, SEVERAL_ROOTS, SELF_LINK),
)

RULES: Mapping[str, Rule] = {rule.name: rule for rule in _RULES}
"""What an audit of an ontology looks for, by name."""

_DEFINING = frozenset(
    {
        *("owl:intersectionOf", "owl:unionOf", "owl:disjointUnionOf"),
        *("intersection_of", "union_of", "genusIds"),
    }
)
"""Kinds of links that a definition implies: it needs them, whatever else is said."""

_MANY, _THROUGHOUT = 100, 0.1
"""From how many on, and which share of all links, redundant ones are deliberate, no oversights."""

_SHOWN, _REASONS = 8, 3
"""How many links of a cycle, or concepts, and how many reasons one sentence names."""


_AS_READ = (
    "An ontology that was read has neither cycles nor deprecated concepts: only an audit of its file "
    "finds them."
)


def audit_ontology(
    ontology: Ontology | Draft | FilePath,
    *,
    labels: Labels | None = None,
    severities: Severities | None = None,
    max_bytes: int | None = None,
) -> Findings:
    r"""Find what is wrong with an ontology.

    Parameters
    ----------
    ontology
        An ontology, or the file of one. Cycles, and concepts that were given up and are still in
        use, are only found in a file: an ontology that was read is without them.
    labels
        Label sets, such as a truth, or what `evaluate` takes for some, to find the rules that they break
        often.
    severities
        For some rules another severity, or "off".
    max_bytes
        How large the file, and each that it imports, may be, unpacked; by default 2 GiB.

    Returns
    -------
    Findings
        What is wrong, and in its facts the shape of the ontology.

    Raises
    ------
    InputError
        If a file cannot be read.
    ParameterError
        If there is no such rule or severity.
    CycleError
        If labels are given, and the file has cycles.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "plants.csv")
    >>> _ = path.write_text("child,parent\noak,tree\ntree,plant\noak,plant\n")
    >>> [finding.explanation for finding in audit_ontology(path)]
    ['oak lies below plant through tree already.']
    """
    check_severities(severities or {}, RULES)
    labels = None if labels is None else sets_of(labels)
    with reading_at_most(max_bytes):
        draft = ontology if isinstance(ontology, Ontology | Draft) else read_draft(ontology)
    known = isinstance(draft, Ontology)
    material = Material.of_ontology(draft) if isinstance(draft, Ontology) else Material.of_draft(draft)
    found = list(find(material))
    if labels is not None:
        read = draft if isinstance(draft, Ontology) else compile_draft(draft)
        found += suspects(read.hierarchy(), labels)
    facts = {
        "source": material.source.path,
        **{name: getattr(material.source, name) for name in ("format", "iri", "version", "digest")},
        "label_sets": None if labels is None else len(labels),
        "notes": [_AS_READ] if known else [],
        "shape": material.shape,
    }
    return findings_over(material.hierarchy, graded(found, severities or {}), material.called, facts=facts)


def find(material: Material) -> Iterator[Finding]:
    """Find what is wrong with an ontology by itself."""
    for rule in (_cycles, _self_links, _tops, _redundant, _empty, _unsatisfiable, _impossible):
        yield from rule(material)
    for rule in (_duplicate_labels, _missing_labels, _undeclared, _deprecated):
        yield from rule(material)


def _cycles(material: Material) -> Iterator[Finding]:
    names, tangles = material.vocabulary, material.tangles
    sizes, inside = np.bincount(tangles), _links_of_tangles(material)
    for cycle in cycles(material.parents, most=len(names))[0]:
        pairs = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        called = {node: material.called(names[node]) for node in cycle}
        links = [f"{called[one]} -> {called[two]} ({material.kind_of[one, two]})" for one, two in pairs]
        shown = "; ".join(links[:_SHOWN]) + ("; …" if len(links) > _SHOWN else "")
        tangle = int(tangles[cycle[0]])
        more = int(sizes[tangle]) - len(cycle)
        rest = f" {more:,} more concepts are tangled in it." if more else ""
        equal = "Remove one of these links; or say that the concepts are equal, if they are."
        yield CYCLE.found_in(
            inside[tangle],
            f"A cycle, child -> parent: {shown}.{rest}",
            concepts=tuple(names[node] for node in cycle),
            count=int(sizes[tangle]),
            fix="Remove this link." if len(cycle) == 1 else equal,
        )


def _links_of_tangles(material: Material) -> dict[int, list[str]]:
    names, found = material.vocabulary, defaultdict(list)
    child, parent = row_of_entries(material.parents), material.parents.indices
    within = material.tangles[child] == material.tangles[parent]
    for one, other in zip(child[within].tolist(), parent[within].tolist(), strict=True):
        found[int(material.tangles[one])].append(f"{names[one]} -> {names[other]}")
    return found


def _self_links(material: Material) -> Iterator[Finding]:
    if material.self_links:
        told = f"Said to lie below themselves: {enumerate_some(material.self_links)}. This says nothing."
        yield SELF_LINK.found_in(material.self_links, told)


def _tops(material: Material) -> Iterator[Finding]:
    """Find concepts without any link, and roots if there are several."""
    names, apart = material.vocabulary, material.apart
    above = np.diff(material.parents.indptr) > 0
    below = np.bincount(material.parents.indices, minlength=len(names)) > 0
    orphans = tuple(names[row] for row in np.flatnonzero(~(above | below)).tolist()) + apart
    if orphans and len(names) > 1:
        count = len(names) + len(apart)
        shown = f"{len(orphans):,} of {count:,}: {enumerate_some(orphans)}"
        told = f"Concepts with neither parents nor children: {shown}."
        if apart:
            shown = enumerate_some(apart)
            told += f" Those without a label, too, are left out when the ontology is read: {shown}."
        yield ORPHAN.found_in(orphans, told, total=count)
    roots = tuple(names[row] for row in np.flatnonzero(below & ~above).tolist())
    if len(roots) > 1:
        shown = enumerate_some(map(material.called, roots))
        told = f"{len(roots):,} concepts have children and no parent: {shown}."
        yield SEVERAL_ROOTS.found_in(roots, f"{told} Nothing lies above concepts of different branches.")


def _redundant(material: Material) -> Iterator[Finding]:
    """Find links to concepts that lie above another parent as well."""
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
    called = {at: material.called(names[at]) for row, above in found.items() for at in (row, *above)}
    if count >= _MANY and count > _THROUGHOUT * parents.nnz:
        some = [f"{called[row]} -> {called[above[0]]}" for row, above in found.items()]
        yield REDUNDANT.found_in(
            _links(material, found),
            f"{count:,} of {parents.nnz:,} links are redundant (implied by other links). With so many, "
            f"this is probably deliberate. Child -> parent: {enumerate_some(some)}.",
            concepts=tuple(names[row] for row in found),
            total=parents.nnz,
            fix="If it is not, remove these links: measures that count links take shortcuts through them.",
        )
        return
    for row, above in found.items():
        others = line(parents, row).tolist()
        through = []
        for parent in above:
            way = next(other for other in others if parent in line(strict, other))
            through.append(f"below {called[parent]} through {material.called(names[way])}")
        remove = _and([called[parent] for parent in above])
        yield REDUNDANT.found_in(
            _links(material, {row: above}),
            f"{called[row]} lies {_and(through)} already.",
            concepts=(names[row], *(names[parent] for parent in above)),
            fix=f"Remove the link from {called[row]} to {remove}.",
        )


def _links(material: Material, found: Mapping[int, list[int]]) -> tuple[str, ...]:
    names = material.vocabulary
    return tuple(f"{names[row]} -> {names[parent]}" for row, above in found.items() for parent in above)


def _and(texts: list[str]) -> str:
    shown = texts[:_SHOWN]
    more = [f"{len(texts) - len(shown):,} more"] if len(texts) > len(shown) else []
    parts = [*shown, *more]
    return ", ".join(parts[:-1]) + " and " * (len(parts) > 1) + parts[-1]


def _empty(material: Material) -> Iterator[Finding]:
    """Find classes that an axiom by itself leaves without instances."""
    for reason in dict.fromkeys(reason for _, reason in material.empty):
        names = tuple(name for name, why in material.empty if why == reason)
        yield UNSATISFIABLE.found_in(
            names,
            f"{_none_of(material, names)}: {EMPTY.get(reason, reason)}.",
            fix="Remove the axiom, or the concept.",
            key=(UNSATISFIABLE.name, reason),
        )


def _unsatisfiable(material: Material) -> Iterator[Finding]:
    """Find what lies below two concepts that exclude each other, and name what lies highest."""
    names, sides = material.vocabulary, Sides.of(material.kinship)
    members, columns = sides.below.astype(np.intp), sides.below.tocsc()
    shared = entries_at(sparse.csr_array(members.T @ members), sides.left, sides.right)
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
        reasons = "; ".join(_in_words(material, rule) for rule in rules[:_REASONS])
        more = f", and {len(rules) - _REASONS:,} more such pairs" if len(rules) > _REASONS else ""
        rest = sizes[top] - len(top)
        below = f" The same holds for {pluralise(rest, 'descendant')}." if rest else ""
        ends = dict.fromkeys(end for rule in rules for end in (rule.first, rule.second))
        lies = "it lies" if len(top) == 1 else "they lie"
        yield UNSATISFIABLE.found_in(
            tuple(map(str, rules)),
            f"{_none_of(material, top)}: {lies} below both sides of {reasons}{more}.{below}",
            concepts=(*top, *(end for end in ends if end not in top)),
            count=sizes[top],
            fix="Remove the exclusion, or a link to one of its sides.",
            key=(UNSATISFIABLE.name, *top),
        )


def _none_of(material: Material, names: Sequence[str]) -> str:
    shown = enumerate_some(map(material.called, names))
    return f"None of {shown} can have instances" if names[1:] else f"{shown} can have no instances"


def _in_words(material: Material, rule: Exclusion) -> str:
    by = f" ({rule.source})" if rule.source else ""
    return f"{material.called(rule.first)} excludes {material.called(rule.second)}{by}"


class _Unmet(NamedTuple):
    """A requirement that no label meets beside a concept that states it or inherits it, and why."""

    rule: Requirement
    bearer: str
    why: str

    def __str__(self) -> str:
        return f"{self.rule}{f', inherited by {self.bearer}' * (self.bearer != self.rule.concept)}"


def _impossible(material: Material) -> Iterator[Finding]:
    """Find requirements whose every alternative is excluded, or holds nothing that may be a label."""
    rules = [rule for rule in material.requirements if rule.precondition]
    if not rules:
        return
    stated = Counter(rule.relation for rule in rules)
    groups: defaultdict[tuple[str, ...], list[_Unmet]] = defaultdict(list)
    for unmet in _unmet(material, rules):
        inherited = ("inherited",) * (unmet.bearer != unmet.rule.concept)
        groups[unmet.rule.relation, unmet.why, *inherited].append(unmet)
    for key, several in groups.items():
        relation, why, inherited = *key[:2], key[2:]
        some = "; ".join(map(str, several[:_REASONS])) + ("; …" if len(several) > _REASONS else "")
        total = None if inherited else stated[relation]
        what = f"{len(several):,} of {stated[relation]:,} requirements"
        if inherited:
            what = pluralise(len(several), "inherited requirement")
        by = f" by {relation}" if relation else ""
        yield IMPOSSIBLE.found_in(
            tuple(map(str, several)),
            f"{what}{by} cannot be met by labels: {some}; but {why}.",
            concepts=tuple(dict.fromkeys(unmet.bearer for unmet in several)),
            total=total,
            key=(IMPOSSIBLE.name, *key),
        )


def _unmet(material: Material, rules: list[Requirement]) -> Iterator[_Unmet]:
    """List the requirements that cannot be met, each with the highest concepts of which this holds."""
    names, hierarchy = material.vocabulary, material.hierarchy
    sides = Sides.of(hierarchy)
    unmet, needs, sizes = unmeetable(hierarchy, rules, material.abstract, sides)
    highest = without(unmet, pattern(hierarchy.parents @ unmet)).tocsc()
    for place, rule in enumerate(rules):
        for bearer in line(highest, place).tolist():
            reasons = dict.fromkeys(
                _reason(material, sides, needs, bearer, name, sizes) for name in rule.any_of
            )
            more = [f"{len(reasons) - _REASONS:,} more"] if len(reasons) > _REASONS else []
            yield _Unmet(rule, names[bearer], ", and ".join([*list(reasons)[:_REASONS], *more]))


def _reason(
    material: Material,
    sides: Sides,
    needs: sparse.csr_array,
    bearer: int,
    name: str,
    sizes: NDArray[np.intp],
) -> str:
    """Say why a required concept cannot be there beside a bearer."""
    place = material.vocabulary.index[name]
    direct, indirect = (_clash(sides, *some[[bearer, place]].toarray()) for some in (sides.below, needs))
    if direct is not None:
        return _in_words(material, material.exclusions[direct])
    if indirect is not None:
        return f"{_in_words(material, material.exclusions[indirect])}, and both follow from it"
    if sizes[place]:
        return f"each label at or below {name} is excluded"
    return f"nothing at or below {name} can be a label"


def _clash(sides: Sides, own: NDArray[np.bool_], other: NDArray[np.bool_]) -> int | None:
    """Find the first exclusion with one side among some, and the other among others."""
    clash = (own[sides.left] & other[sides.right]) | (own[sides.right] & other[sides.left])
    return int(np.flatnonzero(clash)[0]) if clash.any() else None


def _duplicate_labels(material: Material) -> Iterator[Finding]:
    bearers: defaultdict[str, list[int]] = defaultdict(list)
    for place, label in enumerate(material.labels):
        if label:
            bearers[fold(label)].append(place)
    for folded, places in bearers.items():
        if len(places) > 1:
            spellings = enumerate_some(dict.fromkeys(material.labels[place] for place in places))
            names = tuple(material.vocabulary[place] for place in places)
            told = f"{len(names):,} concepts are labelled {spellings}: {enumerate_some(names)}."
            key = (DUPLICATE_LABEL.name, folded)
            yield DUPLICATE_LABEL.found_in(names, f"{told} In a label file this names none of them.", key=key)


def _missing_labels(material: Material) -> Iterator[Finding]:
    total = len(material.vocabulary)
    count, examples = material.unlabelled.count, material.unlabelled.examples
    if 0 < count < total:  # a file without any label is one of names
        told = f"Concepts without a label, which are shown by their local names: {count:,} of {total:,}: "
        told += f"{enumerate_some(examples, total=count)}."
        yield MISSING_LABEL.found_in(examples, told, count=count, total=total)


def _undeclared(material: Material) -> Iterator[Finding]:
    count, examples = material.undeclared.count, material.undeclared.examples
    if count:
        told = (
            f"Concepts that are used and never declared: {count:,}: {enumerate_some(examples, total=count)}."
        )
        fix, imports = "Declare them, or correct the names.", material.imports
        if imports.count:
            told += (
                f" What it imports was not read, and may declare them: {enumerate_some(imports.examples)}."
            )
            fix = "Say where the imports lie (--import)."
        yield UNDECLARED.found_in(examples, told, count=count, total=len(material.vocabulary), fix=fix)


def _deprecated(material: Material) -> Iterator[Finding]:
    for concept in material.given_up or ():
        called = with_label(concept.name, concept.label)
        instead = material.called(concept.instead) if concept.instead else ""
        ways: defaultdict[str, list[str]] = defaultdict(list)
        for user, way in concept.users:
            ways[way].append(user)
        uses = "; ".join(
            f"{way}: {enumerate_some(map(material.called, users))}" for way, users in sorted(ways.items())
        )
        users = tuple(dict.fromkeys(user for user, _ in concept.users))
        replaces = f", which {instead} replaces," if instead else ""
        yield DEPRECATED.found_in(
            tuple(f"{user}: {way}" for user, way in concept.users),
            f"{called} is deprecated{replaces} but still in use: {uses}. These links and rules are not read.",
            concepts=(concept.name, *users),
            count=len(users),
            fix=f"Use {instead or 'another concept'} instead.",
            key=(DEPRECATED.name, concept.name),
        )


def suspects(hierarchy: Hierarchy, sets: LabelSets) -> Iterator[Finding]:
    """Find rules that label sets break so often that they probably mean something else."""
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
            how = f"that hold either of {rule.first} and {rule.second} hold both, although {rule}"
        else:
            names = (rule.concept, *rule.any_of)
            how = f"that hold {rule.concept} hold nothing of what it requires: {' or '.join(rule.any_of)}"
        yield SUSPECT.found(
            names,
            breach.broken,
            samples=tuple(sets.samples[row] for row in rows[:EXAMPLES].tolist()),
            total=breach.applies,
            explanation=f"{breach.broken:,} of {breach.applies:,} label sets {how}. Either the labels are "
            "wrong, or the rule does not say which labels go together.",
            rows=rows,
            key=(SUSPECT.name, str(rule)),
        )
