"""The audit of an ontology: rules for links, exclusions, requirements, names, and use in label sets."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit import ontology_texts
from ontoeval.audit.constraints import ExclusionSides, unmeetable_by_concept
from ontoeval.audit.exchange import check_severities, with_severities
from ontoeval.audit.findings import Finding, Findings, Severities, rules_of
from ontoeval.core.dag import cycles as cycles_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.names import fold, with_label
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import ParameterError, enumerate_some, join_with_and, pluralise
from ontoeval.ontology.annotations import ConceptAnnotations
from ontoeval.ontology.file_formats import AS_IT_IS
from ontoeval.ontology.model import ISOLATED, Draft, Ontology
from ontoeval.ontology.raw_ontology import REPEATED
from ontoeval.ontology.reading import OntologySource, read_draft
from ontoeval.ontology.tables import FOUND
from ontoeval.plumbing.arrays import Places
from ontoeval.plumbing.files import reading_at_most
from ontoeval.plumbing.sparse import entries_at, pattern, row_of_entries, stored_columns, without_entries

RULES = rules_of("ontology")
"""The rules of an audit of an ontology, by name."""

_DEFINING = {
    *("owl:intersectionOf", "owl:unionOf", "owl:disjointUnionOf"),
    *("intersection_of", "union_of", "genusIds"),
}
"""Kinds of links that a definition states: never reported as redundant."""

_MANY, _THROUGHOUT = 100, 0.1
"""Number and share of redundant links from which they are probably deliberate."""

_BETWEEN_WORDS, _SHORT = re.compile(r"[\s_\u2010-]+"), 3
"""What words may have between them, and the length up to which words are codes."""

_SHOWN, _REASONS = 8, 3
"""Most links of a cycle, or concepts, and most reasons in a sentence."""

EMPTY = {
    "exclusions of a class by itself": "declared disjoint with itself",
    "owl:Nothing above a class, which then has no instances": "declared below owl:Nothing",
    "unions of nothing above a class": "declared below a union of no classes",
}
"""Reason why a class has no instances, by the reader's name of the axiom."""


def audit_ontology(
    ontology: Draft | OntologySource, *, severities: Severities | None = None, max_bytes: int | None = None
) -> Findings:
    r"""Find what is wrong with an ontology.

    Parameters
    ----------
    ontology
        The file of an ontology, the name of a shipped one, or a graph of rdflib.
    severities
        For some rules another severity, or "off".
    max_bytes
        Largest size of a file, unpacked; by default 2 GiB.

    Returns
    -------
    Findings
        What is wrong, and in its facts the shape of the ontology.

    Raises
    ------
    InputError
        If a file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "plants.csv")
    >>> _ = path.write_text("child,parent\noak,tree\ntree,plant\noak,plant\n")
    >>> [finding.explanation for finding in audit_ontology(path)]
    ['oak lies below plant through tree already.']
    """
    check_severities(severities or {}, RULES)
    if isinstance(ontology, Ontology):
        raise ParameterError("ontology", ontology, "its file, or ontology.to_rdf()")
    if not isinstance(ontology, Draft):
        with reading_at_most(max_bytes):
            ontology = read_draft(ontology, AS_IT_IS, annotated=True)
    material = AuditedOntology.of_draft(ontology)
    found = list(find(material))
    annotations = ConceptAnnotations.from_raw(ontology.raw).only(ontology.raw.concepts)
    if annotations:
        found += ontology_texts.find(ontology, annotations)
    facts = {
        "source": ontology.source.path,
        **{name: getattr(ontology.source, name) for name in ("format", "iri", "version", "digest")},
        "shape": material.shape,
        **({"notes": [ontology.raw.vocabulary]} if FOUND in ontology.raw.vocabulary else {}),
    }
    unchecked = set() if annotations else set(ontology_texts.CHECKS)
    unchecked |= {rule for rule, severity in (severities or {}).items() if severity == "off"}
    checks = tuple(rule for rule in RULES if rule not in unchecked)
    found = with_severities(found, severities or {})
    return Findings(found, facts, hierarchy=material.hierarchy, checks=checks)


def find(material: AuditedOntology) -> Iterator[Finding]:
    """Find what is wrong with an ontology by itself."""
    for rule in (_cycles, _self_links, _roots_and_isolated, _redundant, _empty_classes):
        yield from rule(material)
    for rule in (_unsatisfiable, _impossible, _duplicate_labels, _twin_labels, _missing_labels):
        yield from rule(material)
    for rule in (_repeated_links, _undeclared, _deprecated):
        yield from rule(material)


def _cycles(material: AuditedOntology) -> Iterator[Finding]:
    names, tangles = material.vocabulary, material.cycle_numbers
    sizes, inside = np.bincount(tangles), _links_in_cycles(material)
    for cycle in cycles_of(material.parents, most=len(names))[0]:
        pairs = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        called = {node: material.display_name(names[node]) for node in cycle}
        links = [f"{called[one]} -> {called[two]} ({material.kind_of[one, two]})" for one, two in pairs]
        tangle = int(tangles[cycle[0]])
        more = int(sizes[tangle]) - len(cycle)
        words = {
            "links": "; ".join(links[:_SHOWN]) + ("; …" if len(links) > _SHOWN else ""),
            "more": f" {more:,} more concepts are tangled in it." if more else "",
        }
        only = {"fix": "Remove this link."} if len(cycle) == 1 else {}
        concepts = tuple(names[node] for node in cycle)
        yield RULES["cycle"].found_in(
            inside[tangle], words, concepts=concepts, count=int(sizes[tangle]), **only
        )


def _links_in_cycles(material: AuditedOntology) -> dict[int, list[str]]:
    names, found = material.vocabulary, defaultdict(list)
    child, parent = row_of_entries(material.parents), material.parents.indices
    within = material.cycle_numbers[child] == material.cycle_numbers[parent]
    for one, other in zip(child[within].tolist(), parent[within].tolist(), strict=True):
        found[int(material.cycle_numbers[one])].append(f"{names[one]} -> {names[other]}")
    return found


def _self_links(material: AuditedOntology) -> Iterator[Finding]:
    draft = material.draft
    if found := sorted(draft.names[iri] for iri in draft.raw.self_links if iri in draft.kept):
        yield RULES["self-link"].found_in(found, {"names": enumerate_some(found)})


def _roots_and_isolated(material: AuditedOntology) -> Iterator[Finding]:
    """Find concepts without any link, and roots if there are several."""
    names, draft = material.vocabulary, material.draft
    apart = tuple(sorted(draft.names[iri] for iri, why in draft.left_out.items() if why == ISOLATED))
    above = np.diff(material.parents.indptr) > 0
    below = np.bincount(material.parents.indices, minlength=len(names)) > 0
    orphans = tuple(names[row] for row in np.flatnonzero(~(above | below)).tolist()) + apart
    if orphans and len(names) > 1:
        without_label = "Those without a label, too, are left out when the ontology is read:"
        left_out = f" {without_label} {enumerate_some(apart)}." if apart else ""
        words = {"names": enumerate_some(orphans), "left_out": left_out}
        yield RULES["orphan"].found_in(orphans, words, total=len(names) + len(apart))
    # What is used and never declared is a finding of its own, and no branch.
    tops, undeclared = np.flatnonzero(below & ~above).tolist(), set(material.undeclared)
    roots = tuple(name for name in map(names.__getitem__, tops) if name not in undeclared)
    if len(roots) > 1:
        words = {"names": enumerate_some(map(material.display_name, roots))}
        yield RULES["several-roots"].found_in(roots, words)


def _redundant(material: AuditedOntology) -> Iterator[Finding]:
    """Find redundant links: to ancestors of another parent."""
    hierarchy, names = material.is_a_hierarchy, material.vocabulary
    parents = hierarchy.parents
    several = np.flatnonzero(np.diff(parents.indptr) > 1)
    own = sparse.csr_array(sparse.eye_array(len(names), dtype=bool))
    strict = without_entries(hierarchy.ancestors, own)
    chosen = parents[several]
    implied = sparse.csr_array(pattern(chosen @ strict).multiply(chosen))
    found: dict[int, list[int]] = defaultdict(list)
    for row, parent in zip(several[row_of_entries(implied)].tolist(), implied.indices.tolist(), strict=True):
        if material.kind_of[row, parent] not in _DEFINING:
            found[row].append(parent)
    count = sum(map(len, found.values()))
    called = {at: material.display_name(names[at]) for row, above in found.items() for at in (row, *above)}
    if count >= _MANY and count > _THROUGHOUT * parents.nnz:
        some = [f"{called[row]} -> {called[above[0]]}" for row, above in found.items()]
        yield RULES["redundant-link"].found_in(
            _links(material, found),
            {},
            explanation=f"{count:,} of {parents.nnz:,} links are redundant (implied by other links). With so "
            f"many, this is probably deliberate. Child -> parent: {enumerate_some(some)}.",
            concepts=tuple(names[row] for row in found),
            total=parents.nnz,
            fix="If it is not, remove these links: measures that count links take shortcuts through them.",
        )
        return
    for row, above in found.items():
        others = stored_columns(parents, row).tolist()
        through = []
        for parent in above:
            way = next(other for other in others if parent in stored_columns(strict, other))
            through.append(f"below {called[parent]} through {material.display_name(names[way])}")
        words = {
            "concept": called[row],
            "through": _and(through),
            "above": _and([called[parent] for parent in above]),
        }
        concepts = (names[row], *(names[parent] for parent in above))
        yield RULES["redundant-link"].found_in(_links(material, {row: above}), words, concepts=concepts)


def _links(material: AuditedOntology, found: Mapping[int, list[int]]) -> tuple[str, ...]:
    names = material.vocabulary
    return tuple(f"{names[row]} -> {names[parent]}" for row, above in found.items() for parent in above)


def _and(texts: list[str]) -> str:
    more = [f"{len(texts) - _SHOWN:,} more"] if len(texts) > _SHOWN else []
    return join_with_and([*texts[:_SHOWN], *more])


def _empty_classes(material: AuditedOntology) -> Iterator[Finding]:
    """Find classes that an axiom by itself leaves without instances."""
    draft = material.draft
    empty = {
        draft.names[iri]: why for why in EMPTY for iri in draft.raw.unused.get(why, ()) if iri in draft.kept
    }
    for reason in dict.fromkeys(empty[name] for name in sorted(empty)):
        names = tuple(name for name in sorted(empty) if empty[name] == reason)
        yield RULES["unsatisfiable"].found_in(
            names,
            {},
            explanation=f"{_none_of(material, names)}: {EMPTY.get(reason, reason)}.",
            fix="Remove the axiom, or the concept.",
            key=("unsatisfiable", reason),
        )


def _unsatisfiable(material: AuditedOntology) -> Iterator[Finding]:
    """Find concepts below two concepts that exclude each other, and name the highest."""
    names, sides = material.vocabulary, ExclusionSides.from_hierarchy(material.is_a_hierarchy)
    members, columns = sides.below.astype(np.intp), sides.below.tocsc()
    shared = entries_at(sparse.csr_array(members.T @ members), sides.left, sides.right)
    parents = material.is_a_hierarchy.parents
    groups: defaultdict[tuple[str, ...], list[Exclusion]] = defaultdict(list)
    sizes: dict[tuple[str, ...], int] = {}
    for number in np.flatnonzero(shared).tolist():
        both = np.intersect1d(
            stored_columns(columns, sides.left[number]), stored_columns(columns, sides.right[number])
        )
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
        words = {
            "none": _none_of(material, top),
            "lies": "it lies" if len(top) == 1 else "they lie",
            "reasons": reasons + more,
            "below": f" The same holds for {pluralise(rest, 'descendant')}." if rest else "",
        }
        concepts = tuple(dict.fromkeys((*top, *(end for rule in rules for end in (rule.first, rule.second)))))
        yield RULES["unsatisfiable"].found_in(
            tuple(map(str, rules)), words, concepts=concepts, count=sizes[top], key=("unsatisfiable", *top)
        )


def _none_of(material: AuditedOntology, names: Sequence[str]) -> str:
    shown = enumerate_some(map(material.display_name, names))
    return f"None of {shown} can have instances" if names[1:] else f"{shown} can have no instances"


def _in_words(material: AuditedOntology, rule: Exclusion) -> str:
    by = f" ({rule.source})" if rule.source else ""
    return f"{material.display_name(rule.first)} excludes {material.display_name(rule.second)}{by}"


class _Unmet(NamedTuple):
    """A requirement that no label meets beside a concept that states it or inherits it, and why."""

    rule: Requirement
    bearer: str
    why: str

    def __str__(self) -> str:
        return f"{self.rule}{f', inherited by {self.bearer}' * (self.bearer != self.rule.concept)}"


def _impossible(material: AuditedOntology) -> Iterator[Finding]:
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
        what = f"{len(several):,} of {stated[relation]:,} requirements"
        if inherited:
            what = pluralise(len(several), "inherited requirement")
        some = "; ".join(map(str, several[:_REASONS])) + ("; …" if len(several) > _REASONS else "")
        yield RULES["impossible-requirement"].found_in(
            tuple(map(str, several)),
            {"what": what, "by": f" by {relation}" if relation else "", "some": some, "why": why},
            concepts=tuple(dict.fromkeys(unmet.bearer for unmet in several)),
            total=None if inherited else stated[relation],
            key=("impossible-requirement", *key),
        )


def _unmet(material: AuditedOntology, rules: list[Requirement]) -> Iterator[_Unmet]:
    """List the requirements that cannot be met, each with the highest concepts that have it."""
    names, hierarchy = material.vocabulary, material.hierarchy
    sides = ExclusionSides.from_hierarchy(hierarchy)
    unmet, needs, sizes = unmeetable_by_concept(hierarchy, rules, material.abstract, sides)
    highest = without_entries(unmet, pattern(hierarchy.parents @ unmet)).tocsc()
    for place, rule in enumerate(rules):
        for bearer in stored_columns(highest, place).tolist():
            reasons = dict.fromkeys(
                _why_impossible(material, sides, needs, bearer, name, sizes) for name in rule.any_of
            )
            more = [f"{len(reasons) - _REASONS:,} more"] if len(reasons) > _REASONS else []
            yield _Unmet(rule, names[bearer], ", and ".join([*list(reasons)[:_REASONS], *more]))


def _why_impossible(
    material: AuditedOntology,
    sides: ExclusionSides,
    needs: sparse.csr_array,
    bearer: int,
    name: str,
    sizes: Places,
) -> str:
    """Explain why a required concept is impossible beside a concept that requires it."""
    place = material.vocabulary.index[name]
    direct, indirect = (
        _first_exclusion(sides, *some[[bearer, place]].toarray()) for some in (sides.below, needs)
    )
    if direct is not None:
        return _in_words(material, material.exclusions[direct])
    if indirect is not None:
        return f"{_in_words(material, material.exclusions[indirect])}, and both follow from it"
    if sizes[place]:
        return f"each label at or below {name} is excluded"
    return f"nothing at or below {name} can be a label"


def _first_exclusion(sides: ExclusionSides, own: NDArray[np.bool_], other: NDArray[np.bool_]) -> int | None:
    """Find the first exclusion with one side among some, and the other among others."""
    clash = (own[sides.left] & other[sides.right]) | (own[sides.right] & other[sides.left])
    return int(np.flatnonzero(clash)[0]) if clash.any() else None


def _duplicate_labels(material: AuditedOntology) -> Iterator[Finding]:
    bearers: defaultdict[str, list[int]] = defaultdict(list)
    for place, label in enumerate(material.labels):
        if label:
            bearers[fold(label)].append(place)
    for folded, places in bearers.items():
        if len(places) > 1:
            names = tuple(material.vocabulary[place] for place in places)
            spellings = enumerate_some(dict.fromkeys(material.labels[place] for place in places))
            words = {"spellings": spellings, "names": enumerate_some(names)}
            yield RULES["duplicate-label"].found_in(names, words, key=("duplicate-label", folded))


def _twin_labels(material: AuditedOntology) -> Iterator[Finding]:
    """Find labels that differ in hyphens or blanks, and those of near concepts that differ in a plural s."""
    # Equal labels have a rule of their own.
    written = list(map(fold, material.labels)) if any(material.labels) else list(material.vocabulary)
    places = defaultdict[str, list[int]](list)
    for place, text in enumerate(written):
        places[_BETWEEN_WORDS.sub(" ", fold(text))].append(place)
    for key, found in places.items():
        plurals = places.get(f"{key}s", ())
        plural = [one for one in plurals if any(_are_near(material, one, at) for at in found)]
        if len(key) > _SHORT and (plural or len({written[place] for place in found}) > 1):
            names = tuple(material.vocabulary[place] for place in (*found, *plural))
            words = {"names": enumerate_some(map(material.display_name, names))}
            yield RULES["twin-label"].found_in(names, words, key=("twin-label", key))


def _are_near(material: AuditedOntology, *places: int) -> bool:
    """Whether one of two concepts is a parent of the other, or both have a parent in common."""
    above, beside = ({at, *stored_columns(material.parents, at).tolist()} for at in places)
    return bool(above & beside)


def _repeated_links(material: AuditedOntology) -> Iterator[Finding]:
    """Find links that a file states repeatedly; in nested ones a branch stands below each parent."""
    draft = material.draft
    if draft.raw.unused.get(REPEATED) and not draft.raw.vocabulary.startswith("nested"):
        names = tuple(map(draft.display_name, draft.raw.unused[REPEATED]))
        words = {"names": enumerate_some(dict.fromkeys(names))}
        yield RULES["repeated-link"].found_in(names, words, concepts=tuple(dict.fromkeys(names)))


def _missing_labels(material: AuditedOntology) -> Iterator[Finding]:
    total, known = len(material.vocabulary), {*material.undeclared}
    labels = zip(material.vocabulary, material.labels, strict=True)
    plain = material.draft.raw.plain and not any(material.labels)
    found = tuple(name for name, label in labels if not (label or plain or name in known))
    if 0 < len(found) < total:  # a file without any label is one of names
        yield RULES["missing-label"].found_in(found, {"names": enumerate_some(found)}, total=total)


def _undeclared(material: AuditedOntology) -> Iterator[Finding]:
    found = material.undeclared
    if not found:
        return
    words, fix = {"names": enumerate_some(found), "imports": ""}, {}
    if material.draft.raw.imports:
        imports = enumerate_some(material.draft.raw.imports)
        words["imports"] = f" What it imports was not read, and may declare them: {imports}."
        fix = {"fix": "Name the local copies of the imports (--import)."}
    yield RULES["undeclared"].found_in(found, words, total=len(material.vocabulary), **fix)


def _deprecated(material: AuditedOntology) -> Iterator[Finding]:
    """Find deprecated concepts that other concepts use."""
    draft = material.draft
    raw, shown = draft.raw, draft.display_name
    found: Iterator[tuple[str, str, str]] = chain(
        ((parent, child, "below it") for parent, child in raw.links),
        (
            (iri, one.concept, f"needing it ({one.relation})")
            for one in raw.requirements
            for iri in one.any_of
        ),
        ((old, user, "excluding it") for pair in raw.exclusions for old, user in permutations(pair)),
    )
    uses: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for old, user, way in found:
        if old in raw.deprecated and user in draft.kept:
            uses[old].add((shown(user), way))
    replaced = draft.replaced if uses else {}
    for iri, pairs in sorted(uses.items()):
        ways: defaultdict[str, list[str]] = defaultdict(list)
        for user, way in sorted(pairs):
            ways[way].append(material.display_name(user))
        instead = min(replaced.get(iri, {"": ""}).values())
        called = material.display_name(instead) if instead else ""
        label = draft.labels.get(iri, "")
        words = {
            "concept": with_label(shown(iri), label),
            "replaced": f", which {called} replaces," if called else "",
            "uses": "; ".join(f"{way}: {enumerate_some(users)}" for way, users in sorted(ways.items())),
            "instead": called or "another concept",
        }
        users = tuple(dict.fromkeys(user for user, _ in sorted(pairs)))
        yield RULES["deprecated-in-use"].found_in(
            tuple(f"{user}: {way}" for user, way in sorted(pairs)),
            words,
            concepts=(shown(iri), *users),
            count=len(users),
            key=("deprecated-in-use", shown(iri)),
        )


@dataclass(frozen=True, eq=False)
class AuditedOntology:
    """Input of the rules for ontologies."""

    draft: Draft
    vocabulary: Vocabulary
    labels: tuple[str, ...]
    parents: sparse.csr_array
    kinds: tuple[str, ...]
    abstract: NDArray[np.bool_]
    exclusions: tuple[Exclusion, ...]
    requirements: tuple[Requirement, ...]
    undeclared: tuple[str, ...]

    @classmethod
    def of_draft(cls, draft: Draft) -> AuditedOntology:
        """Take the statements of a file."""
        kept = draft.kept
        return cls(
            draft,
            draft.vocabulary(),
            tuple(draft.labels[iri] for iri in kept),
            *draft.matrix(),
            draft.abstract_mask(),
            *draft.rules(),
            tuple(sorted(draft.names[iri] for iri in draft.raw.undeclared if iri in kept)),
        )

    def display_name(self, name: str) -> str:
        """Name a concept, with its label where that differs."""
        label = self.labels[self.vocabulary.index[name]]
        return name if self.vocabulary.names.show == "id" else with_label(name, label)

    @cached_property
    def kind_of(self) -> dict[tuple[int, int], str]:
        """The kind of each link, by positions of child and parent."""
        ends = zip(row_of_entries(self.parents).tolist(), self.parents.indices.tolist(), strict=True)
        return dict(zip(ends, self.kinds, strict=True))

    @cached_property
    def cycle_numbers(self) -> NDArray[np.intp]:
        """Number of the strongly connected component of each concept: its members are on cycles together."""
        from scipy.sparse.csgraph import connected_components

        _, component = connected_components(self.parents, directed=True, connection="strong")
        return np.asarray(component, dtype=np.intp)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy without the links of cycles; all that follows from it also holds with these links."""
        return self._of_links(np.ones(len(self.kinds), dtype=bool))

    @cached_property
    def is_a_hierarchy(self) -> Hierarchy:
        """The hierarchy of the is-a links alone."""
        is_a = np.array([kind not in self.draft.raw.relations for kind in self.kinds], dtype=bool)
        return self.hierarchy if is_a.all() else self._of_links(is_a)

    @property
    def shape(self) -> dict[str, Any]:
        """How deep the ontology is, and how it fans out."""
        names, depth, unused = self.vocabulary, self.hierarchy.depth, self.draft.raw.unused
        children = np.bincount(self.parents.indices, minlength=len(names))
        parents = np.diff(self.parents.indptr)
        leaves = children == 0
        return {
            "concepts": len(names),
            "labels": int((~self.abstract).sum()),
            "abstract": int(self.abstract.sum()),
            "links": self.parents.nnz,
            "roots": int((parents == 0).sum()),
            "leaves": int(leaves.sum()),
            "depth": int(depth.max()),
            "deepest": names[int(depth.argmax())],
            "mean depth of leaves": float(depth[leaves].mean()) if leaves.any() else None,
            "children": int(children.max()),
            "most children": names[int(children.argmax())] if children.any() else "",
            "mean children of inner concepts": float(children[~leaves].mean()) if not leaves.all() else None,
            "with one child": int((children == 1).sum()),
            "with several parents": int((parents > 1).sum()),
            "parents": int(parents.max()),
            "most parents": names[int(parents.argmax())] if parents.max() > 1 else "",
            "exclusions": len(self.exclusions),
            "requirements": len(self.requirements),
            **{f"not used: {kind}": len(iris) for kind, iris in sorted(unused.items()) if iris},
        }

    def _of_links(self, links: NDArray[np.bool_]) -> Hierarchy:
        children = row_of_entries(self.parents)
        kept = links & (self.cycle_numbers[children] != self.cycle_numbers[self.parents.indices])
        ends = children[kept], self.parents.indices[kept]
        parents = sparse.csr_array((np.ones(ends[0].size, dtype=bool), ends), shape=self.parents.shape)
        marks = np.zeros(len(self.vocabulary), dtype=bool)
        return Hierarchy(self.vocabulary, parents, marks, self.exclusions, self.requirements)
