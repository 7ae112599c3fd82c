"""Audits of random ontologies, against networkx and the definitions; diffs undone and redone."""

import tempfile
from itertools import chain, combinations, pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.audit.ontology_changes import OntologyChange
from ontoeval.ontology.model import Draft, compile_draft, select_concepts
from ontoeval.ontology.raw_ontology import RawOntology

NAMES = [f"c{number}" for number in range(7)]
PAIRS = [(one, other) for one in NAMES for other in NAMES]
DOWN = [(NAMES[i], NAMES[j]) for i in range(7) for j in range(i + 1, 7)]

some_links = st.lists(st.sampled_from(PAIRS), min_size=1, unique=True)
some_edges = st.lists(st.sampled_from(DOWN), min_size=1, unique=True)
some_exclusions = st.lists(st.sampled_from(DOWN), unique=True, max_size=5)
some_needs = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sets(st.sampled_from(NAMES), min_size=1, max_size=2)), max_size=4
)


def file_of(links: list[tuple[str, str]]) -> Path:
    """An edge list of pairs of parent and child."""
    path = Path(tempfile.mkdtemp(), "links.csv")
    rows = [f"{child},{parent}" for parent, child in links]
    path.write_text("\n".join(["child,parent", *rows]) + "\n", encoding="utf-8")
    return path


def draft_of(
    edges: list[tuple[str, str]],
    exclusions: list[tuple[str, str]],
    needs: list[tuple[str, set[str]]] = [],  # noqa: B006 - nobody changes it
    names: list[str] = NAMES,
) -> Draft:
    told = RawOntology("test", plain=True, concepts=dict.fromkeys(names))
    for parent, child in edges:
        told.link(parent, child, "edge list")
    for one, other in exclusions:
        told.exclude([one], [other], "told")
    for concept, any_of in needs:
        told.requirements[oe.core.Requirement(concept, tuple(sorted(any_of)), "shows", precondition=True)] = (
            None
        )
    return select_concepts(told, oe.ontology.Source())


def ontology_of(*told: Any) -> oe.Ontology:
    return compile_draft(draft_of(*told))


@given(some_links)
def test_there_is_one_finding_for_each_tangle_and_each_names_a_cycle(links: list[tuple[str, str]]) -> None:
    findings = oe.audit_ontology(file_of(links)).of("cycle")
    graph = nx.DiGraph((child, parent) for parent, child in links)
    tangles = [group for group in nx.strongly_connected_components(graph) if len(group) > 1]
    assert sorted(finding.count for finding in findings) == sorted(map(len, tangles))
    for finding in findings:
        assert all(graph.has_edge(*ends) for ends in pairwise((*finding.concepts, finding.concepts[0])))


@given(some_edges)
def test_what_is_redundant_is_what_a_transitive_reduction_leaves_out(edges: list[tuple[str, str]]) -> None:
    found = {
        (parent, finding.concepts[0])
        for finding in oe.audit_ontology(file_of(edges)).of("redundant-link")
        for parent in finding.concepts[1:]
    }
    assert found == set(edges) - set(nx.transitive_reduction(nx.DiGraph(edges)).edges)


@given(some_links)
def test_beside_cycles_every_link_that_is_called_redundant_follows_from_others(
    links: list[tuple[str, str]],
) -> None:
    for finding in oe.audit_ontology(file_of(links)).of("redundant-link"):
        for parent in finding.concepts[1:]:
            graph = nx.DiGraph(links)
            graph.remove_edge(parent, finding.concepts[0])
            assert nx.has_path(graph, parent, finding.concepts[0])


@given(some_edges, some_exclusions)
def test_what_can_have_no_instances_lies_below_both_sides_of_an_exclusion(
    edges: list[tuple[str, str]], exclusions: list[tuple[str, str]]
) -> None:
    graph = nx.DiGraph(edges)
    graph.add_nodes_from(NAMES)
    below = {name: nx.descendants(graph, name) | {name} for name in NAMES}
    empty = {name for one, other in exclusions for name in below[one] & below[other]}
    found = oe.audit_ontology(draft_of(edges, exclusions)).of("unsatisfiable")
    tops = {name for finding in found for name in finding.concepts if name in empty}
    assert {name for top in tops for name in below[top]} == empty


def may_be_there(
    hierarchy: oe.Hierarchy, rule: oe.core.Requirement, exclusions: list[oe.core.Exclusion]
) -> bool:
    """Look for two labels, one that requires and one that it requires, that break no exclusion."""
    names = hierarchy.vocabulary

    def above(name: str) -> set[str]:
        row = hierarchy.ancestors[[names.index[name]]]
        return {names[place] for place in row.indices.tolist()}

    def clash(labels: set[str]) -> bool:
        held = set().union(*map(above, labels))
        return any({rule.first, rule.second} <= held for rule in exclusions)

    return any(not clash({rule.concept, other}) for other in names if above(other) & set(rule.any_of)) or all(
        clash({label}) for label in names if rule.concept in above(label)
    )


@given(some_edges, some_exclusions, some_needs)
def test_a_requirement_is_impossible_where_no_two_labels_meet_it(
    edges: list[tuple[str, str]], exclusions: list[tuple[str, str]], needs: list[tuple[str, set[str]]]
) -> None:
    ontology = ontology_of(edges, exclusions, needs)
    found = {
        concept
        for finding in oe.audit_ontology(draft_of(edges, exclusions, needs)).of("impossible-requirement")
        for concept in finding.concepts
    }
    hierarchy = ontology.hierarchy()
    clashing = [oe.core.Exclusion(one, other) for one, other in exclusions]
    possible = {rule.concept: may_be_there(hierarchy, rule, clashing) for rule in hierarchy.requirements}
    for concept, fine in possible.items():
        rules = [rule for rule in hierarchy.requirements if rule.concept == concept]
        if len(rules) == 1 and not fine:
            assert concept in found, rules


@given(some_edges, some_exclusions, some_needs)
def test_no_set_that_keeps_all_rules_holds_a_concept_whose_requirement_is_called_impossible(
    edges: list[tuple[str, str]], exclusions: list[tuple[str, str]], needs: list[tuple[str, set[str]]]
) -> None:
    ontology = ontology_of(edges, exclusions, needs)
    hierarchy = ontology.hierarchy()
    names = tuple(hierarchy.vocabulary)
    above = {name: {names[n] for n in hierarchy.ancestors[[at]].indices} for at, name in enumerate(names)}
    kept = set[str]()
    for some in chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)):
        held = set().union(*(above[name] for name in some))
        broken = any({one, other} <= held for one, other in exclusions)
        unmet = any(rule.concept in held and not held & set(rule.any_of) for rule in hierarchy.requirements)
        kept |= set() if broken or unmet else held
    for finding in oe.audit_ontology(draft_of(edges, exclusions, needs)).of("impossible-requirement"):
        assert not kept & set(finding.concepts)


sets_of_samples = st.dictionaries(
    st.sampled_from("pqrst"), st.sets(st.sampled_from(NAMES), max_size=4), max_size=5
)


@given(sets_of_samples, sets_of_samples)
def test_a_difference_leads_from_the_first_to_the_second(
    first: dict[str, set[str]], second: dict[str, set[str]]
) -> None:
    changes = oe.audit.difference(oe.LabelSets.from_sets(first), oe.LabelSets.from_sets(second))
    assert set(changes.samples) == first.keys() & second.keys()
    assert set(changes.samples_added) == second.keys() - first.keys()
    assert set(changes.samples_removed) == first.keys() - second.keys()
    for sample in changes.samples:
        assert first[sample] - set(changes.removed(sample)) | set(changes.added(sample)) == second[sample]
    assert set(changes.changed) == {name for name in changes.samples if first[name] != second[name]}


@given(sets_of_samples, sets_of_samples)
def test_the_other_way_round_what_was_added_is_removed(
    first: dict[str, set[str]], second: dict[str, set[str]]
) -> None:
    one, other = (oe.LabelSets.from_sets(each) for each in (first, second))
    there = {change.name: change for change in oe.audit.difference(one, other).by_concept()}
    back = {change.name: change for change in oe.audit.difference(other, one).by_concept()}
    assert there.keys() == back.keys()
    for name, change in there.items():
        expected = (name, change.after, change.before, change.removed, change.added, change.samples)
        assert tuple(back[name]) == expected


@given(sets_of_samples, some_edges)
def test_migrating_to_the_same_version_changes_nothing(
    sets: dict[str, set[str]], edges: list[tuple[str, str]]
) -> None:
    ontology = ontology_of(edges, [])
    labels = oe.LabelSets.from_sets(sets, vocabulary=ontology.hierarchy().label_vocabulary)
    moved = oe.audit.migrate(labels, ontology, ontology)
    assert moved.sets.matrix.toarray().tolist() == labels.matrix.toarray().tolist()
    assert not moved.open
    assert not moved.noted


Version = tuple[list[str], list[tuple[str, str]], list[tuple[str, str]], list[tuple[str, set[str]]]]


@st.composite
def versions(draw: st.DrawFn) -> Version:
    """Some of the concepts, and links and rules between these."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
    links, exclusions = (
        [pair for pair in draw(pairs) if {*pair} <= {*names}]
        for pairs in (st.lists(st.sampled_from(DOWN), unique=True), some_exclusions)
    )
    needs = [
        (name, any_of)
        for name, any_of in draw(some_needs)
        if {name, *any_of} <= {*names} and name not in any_of
    ]
    return names, links, exclusions, needs


def shared_by(one: OntologyChange, version: Version, sets: dict[str, set[str]]) -> int:
    """Count the samples that a change touches, by the old version."""
    names, links, *_ = version
    graph = nx.DiGraph(links)
    graph.add_nodes_from(names)
    below = {name: nx.descendants(graph, name) | {name} for name in names}
    alone = one.change not in {"moved", "rule"}
    needed = [{name} if alone else below.get(name, {name}) for name in one.concept.split(", ")]
    return sum(all(labels & some for some in needed) for labels in sets.values())


@given(versions(), versions(), sets_of_samples)
def test_versions_differ_in_their_concepts_parents_and_rules_and_touch_what_lies_below(
    old: Version, new: Version, sets: dict[str, set[str]]
) -> None:
    before, after = (ontology_of(*version[1:], version[0]) for version in (old, new))
    shared = {*old[0]} & {*new[0]}
    if not shared:
        with pytest.raises(oe.OntoevalError, match="share no identifier and no label"):
            oe.diff_ontologies(before, after)
        return
    labels = oe.LabelSets.from_sets(sets)
    found = oe.diff_ontologies(before, after, labels=labels)
    assert {one.concept for one in found.of("new")} == {*new[0]} - shared
    assert {one.concept for one in found.of("removed")} == {*old[0]} - shared
    parents = [
        {name: {up for up, down in links if down == name} for name in NAMES} for _, links, *_ in (old, new)
    ]
    assert {one.concept for one in found.of("moved")} == {
        name for name in shared if parents[0][name] != parents[1][name]
    }
    rules = [
        {str(rule) for rule in (*version.exclusions, *version.requirements)} for version in (before, after)
    ]
    assert {one.before for one in found.of("rule")} - {""} == rules[0] - rules[1]
    assert {one.after for one in found.of("rule")} - {""} == rules[1] - rules[0]
    assert len(found.changes) == sum(map(len, map(found.of, ("new", "removed", "moved", "rule"))))
    for one in found.changes:
        assert one.samples == shared_by(one, old, sets), one
    lost = {name for labels in sets.values() for name in labels} - {*old[0], *new[0]}
    assert len(found.notes) == bool(lost) + (2 * len(shared) < min(len(old[0]), len(new[0])))
    assert not oe.diff_ontologies(before, before, labels=labels).changes


@pytest.mark.parametrize("count", [2, 50])
def test_a_cycle_through_all_concepts_is_one_finding(count: int) -> None:
    links = [(f"c{number}", f"c{(number + 1) % count}") for number in range(count)]
    findings = oe.audit_ontology(file_of(links))
    assert [finding.count for finding in findings.of("cycle")] == [count]
