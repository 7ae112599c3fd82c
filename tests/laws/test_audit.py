"""An audit says all that is wrong, and nothing else; what it corrects stays correct."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.audit.corrections import Correction
from ontoeval.audit.exchange import baseline, new_findings, read_baseline, sarif
from tests import strategies
from tests.oracles import audit
from tests.oracles.hierarchical import above

Rows = list[frozenset[str]]


@dataclass(frozen=True)
class World:
    """A hierarchy with rules, and label sets over it."""

    graph: strategies.Graph
    exclusions: tuple[tuple[str, str], ...]
    requirements: tuple[tuple[str, frozenset[str]], ...]
    rows: Rows

    @property
    def hierarchy(self) -> oe.Hierarchy:
        return oe.Hierarchy.from_edges(
            self.graph.edges,
            concepts=self.graph.names,
            exclusions=[oe.core.Exclusion(*pair) for pair in self.exclusions],
            requirements=[
                oe.core.Requirement(name, tuple(sorted(any_of))) for name, any_of in self.requirements
            ],
        )

    def sets(self, rows: Rows | None = None) -> oe.LabelSets:
        return oe.LabelSets.from_sets([sorted(row) for row in (self.rows if rows is None else rows)])

    def consistent(self) -> Rows:
        """Closed sets that break no rule."""
        return [
            frozenset(audit.consistent(self.graph.edges, sorted(row), self.exclusions, self.requirements))
            for row in self.rows
        ]

    def audit(self, rows: Rows | None = None, **options: str) -> oe.audit.Findings:
        return oe.audit_labels(self.sets(rows), self.hierarchy, **options)  # type: ignore[arg-type]

    def correct(self, **options: str) -> Correction:
        return oe.correct_labels(self.sets(), self.hierarchy, **options)  # type: ignore[arg-type]


@st.composite
def worlds(draw: st.DrawFn, *, min_samples: int = 1) -> World:
    graph = draw(strategies.graphs(max_nodes=9))
    exclusions = draw(strategies.exclusions(graph))
    requirements = tuple(dict(draw(strategies.requirements(graph))).items())
    rows = draw(st.lists(strategies.concept_sets(graph.names), min_size=min_samples, max_size=14))
    return World(graph, exclusions, requirements, rows)


def counts(findings: oe.audit.Findings, *rules: str) -> dict[tuple[str, ...], int]:
    return {finding.concepts: finding.count for rule in rules for finding in findings.of(rule)}


@given(worlds())
def test_broken_rules_are_counted_as_one_would_by_hand(world: World) -> None:
    findings = world.audit()
    by_hand = (
        ("exclusion", audit.excluded(world.graph.edges, world.rows, world.exclusions)),
        ("requirement", audit.unmet(world.graph.edges, world.rows, world.requirements)),
    )
    for rule, expected in by_hand:
        found = counts(findings, rule, f"systematic-{rule}", f"doubtful-{rule}")
        if findings.of("unmeetable"):
            assert all(count <= expected[key] for key, count in found.items())
        else:
            assert found == expected


@given(worlds())
def test_samples_of_rules_that_cannot_be_kept_have_a_label_that_no_consistent_set_has(world: World) -> None:
    (names, edges), rows = (world.graph.names, world.graph.edges), world.rows
    for note in world.audit().of("unmeetable"):
        subsets = chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))
        kept = frozenset[str]().union(
            *(
                one
                for one in map(frozenset, subsets)
                if not audit.excluded(edges, [one], world.exclusions)
                and not audit.unmet(edges, [one], world.requirements)
            )
        )
        assert all(rows[row] - kept for row in note.rows.tolist())


@given(worlds())
def test_redundant_ancestors_are_counted_as_one_would_by_hand(world: World) -> None:
    found = counts(world.audit(convention="most-specific"), "redundant-ancestor")
    assert {name: count for (name,), count in found.items()} == audit.redundant(world.graph.edges, world.rows)


@given(worlds())
def test_exactly_the_sets_that_lack_an_ancestor_are_found(world: World) -> None:
    findings = world.audit(convention="closed").of("missing-ancestor")
    found = {row for finding in findings for row in finding.rows.tolist()}
    assert found == audit.incomplete(world.graph.edges, world.rows)
    for finding in findings:
        label, ancestor = finding.concepts
        lacking = [row for row, labels in enumerate(world.rows) if label in labels and ancestor not in labels]
        assert finding.rows.tolist() == lacking


@given(worlds(), st.data())
def test_the_nearest_labels_above_are_those_with_no_label_between(world: World, data: st.DataObject) -> None:
    abstract = data.draw(st.sets(st.sampled_from(world.graph.names), max_size=len(world.graph.names) - 1))
    hierarchy = oe.Hierarchy.from_edges(world.graph.edges, concepts=world.graph.names, abstract=abstract)
    names, above = hierarchy.label_vocabulary.concepts, hierarchy.labels_above.toarray()
    alone = oe.LabelSets.from_sets([[name] for name in names])
    found = oe.audit_labels(alone, hierarchy, convention="closed").of("missing-ancestor")
    nearest = zip(*(above & ~(above @ above)).nonzero(), strict=True)
    assert {one.concepts for one in found} == {(names[label], names[upper]) for label, upper in nearest}


@given(worlds())
def test_sets_that_are_consistent_have_no_errors_and_no_warnings(world: World) -> None:
    assert not world.audit(world.consistent()).fails("warning")


@given(worlds())
def test_most_specific_sets_that_are_consistent_have_no_errors_and_no_warnings(world: World) -> None:
    edges = world.graph.edges
    rows = [row - audit.redundant(edges, [row]).keys() for row in world.consistent()]
    assert not world.audit(rows).fails("warning")


@given(worlds(), st.data())
def test_an_ancestor_that_is_taken_away_is_found_named_and_put_back(
    world: World, data: st.DataObject
) -> None:
    rows = world.consistent()
    removable = [
        (place, label)
        for place, row in enumerate(rows)
        for label in audit.redundant(world.graph.edges, [row])
    ]
    assume(removable)
    place, label = data.draw(st.sampled_from(removable))
    faulty = [row - {label} if number == place else row for number, row in enumerate(rows)]
    findings = world.audit(faulty, convention="closed").of("missing-ancestor")
    assert {finding.concepts[1] for finding in findings} == {label}
    assert all(finding.fixable and finding.samples == (str(place),) for finding in findings)
    corrected = oe.correct_labels(world.sets(faulty), world.hierarchy, convention="closed")
    assert corrected.sets.labels_of(str(place)) == tuple(sorted(rows[place]))
    assert [(change.sample, change.change, change.label) for change in corrected.changes] == [
        (str(place), "add", label)
    ]


@given(worlds(), st.data())
def test_an_ancestor_that_is_added_is_found_named_and_taken_away(world: World, data: st.DataObject) -> None:
    edges = world.graph.edges
    rows = [row - audit.redundant(edges, [row]).keys() for row in world.consistent()]
    addable = [
        (place, label)
        for place, row in enumerate(rows)
        for label in audit.redundant(edges, [world.consistent()[place]])
    ]
    assume(addable)
    place, label = data.draw(st.sampled_from(addable))
    faulty = [row | {label} if number == place else row for number, row in enumerate(rows)]
    (finding,) = world.audit(faulty, convention="most-specific").of("redundant-ancestor")
    assert (finding.concepts, finding.samples) == ((label,), (str(place),))
    corrected = oe.correct_labels(world.sets(faulty), world.hierarchy, convention="most-specific")
    assert corrected.sets.labels_of(str(place)) == tuple(sorted(rows[place]))


@given(worlds(), st.data())
def test_an_unknown_label_is_found_named_and_kept(world: World, data: st.DataObject) -> None:
    rows = world.consistent()
    place = data.draw(st.integers(0, len(rows) - 1))
    faulty = [row | {"?unheard"} if number == place else row for number, row in enumerate(rows)]
    findings = world.audit(faulty)
    (finding,) = (finding for finding in findings if finding.severity != "note")
    assert (finding.rule, finding.concepts, finding.samples) == ("unknown", ("?unheard",), (str(place),))
    corrected = oe.correct_labels(world.sets(faulty), world.hierarchy)
    assert "?unheard" in corrected.sets.labels_of(str(place))


FAULTS = {
    "deprecated": ("X:gone", False),
    "replaced": ("X:old", True),
    "alternative": ("X:other", True),
    "abstract": ("Thing", False),
    "unknown": ("?unheard", False),
    "spelling": ("{} it is", True),
}
"""What is written in the place of a label, by the rule that it breaks, and whether it can be corrected."""


def named_ontology(world: World, folder: Path) -> oe.Ontology:
    """The hierarchy as a file that knows other names of one concept, and names of none."""
    first = world.graph.names[0]
    terms = [f"[Term]\nid: X:{name}\nname: {name} it is\n" for name in world.graph.names]
    for parent, child in world.graph.edges:
        terms[world.graph.names.index(child)] += f"is_a: X:{parent}\n"
    terms[0] += "alt_id: X:other\n"
    terms.append("[Term]\nid: X:gone\nname: gone\nis_obsolete: true\n")
    terms.append(f"[Term]\nid: X:old\nname: old\nis_obsolete: true\nreplaced_by: X:{first}\n")
    terms.append("[Term]\nid: X:thing\nname: Thing\n")
    Path(folder, "x.obo").write_text("\n".join(terms), encoding="utf-8")
    return oe.read_ontology(Path(folder, "x.obo"), abstract=["Thing"])


def bad(findings: oe.audit.Findings) -> list[tuple[str, tuple[str, ...], bool]]:
    return [
        (one.rule, one.samples, one.fixable)
        for one in findings
        if one.rule in FAULTS or one.severity != "note"
    ]


@given(worlds(), st.sampled_from(sorted(FAULTS)), st.data())
def test_a_name_that_is_none_is_found_named_and_where_it_can_be_corrected(
    world: World, rule: str, data: st.DataObject
) -> None:
    first = world.graph.names[0]
    text, fixable = FAULTS[rule][0].format(first), FAULTS[rule][1]
    assume(rule != "spelling" or len(world.rows) > 2)  # otherwise nothing tells which is the usual one
    rows = [audit_above(world, row | {first}) for row in world.rows]
    place = data.draw(st.integers(0, len(rows) - 1))
    right = [[f"X:{name}" for name in sorted(row)] for row in rows]
    wrong = [list(row) for row in right]
    wrong[place].append(text)
    if fixable:
        wrong[place].remove(f"X:{first}")
    with TemporaryDirectory() as folder:
        ontology = named_ontology(world, Path(folder))
        path, copy = Path(folder, "labels.csv"), Path(folder, "copy.csv")
        path.write_text(
            "id,labels\n" + "".join(f"{number},{';'.join(row)};\n" for number, row in enumerate(wrong)),
            encoding="utf-8",
        )
        findings = oe.audit_labels(path, ontology, convention="closed")
        assert bad(findings) == [(rule, (str(place),), fixable)]
        assert text in findings.of(rule)[0].concepts
        correction = oe.correct_labels(path, ontology, convention="closed")
        correction.write(copy, Path(folder, "log.csv"))
        left = oe.audit_labels(copy, ontology, convention="closed")
        assert bad(left) == ([] if fixable else bad(findings))
        changed = [(change.sample, change.change, change.label) for change in correction.changes]
        assert changed == [(str(place), "rename", text)] * fixable


def audit_above(world: World, labels: frozenset[str]) -> set[str]:
    return set(above(list(world.graph.edges), labels))


@given(worlds(), st.sampled_from(["duplicate-sample", "conflicting-sample"]), st.data())
def test_rows_that_are_there_twice_are_found_and_joined_if_they_say_the_same(
    world: World,
    rule: str,
    data: st.DataObject,
) -> None:
    rows, same = world.consistent(), rule == "duplicate-sample"
    place = data.draw(st.integers(0, len(rows) - 1))
    other = rows[place] if same else rows[place] ^ {world.graph.names[0]}
    samples = [(str(number), sorted(row)) for number, row in enumerate(rows)] + [(str(place), sorted(other))]
    with TemporaryDirectory() as folder:
        path, copy = Path(folder, "labels.csv"), Path(folder, "copy.csv")
        path.write_text(
            "id,labels\n" + "".join(f"{name},{';'.join(row)};\n" for name, row in samples), encoding="utf-8"
        )
        findings = oe.audit_labels(path, world.hierarchy, convention="mixed")
        assert {(one.samples, one.fixable) for one in findings.of(rule)} == {((str(place),), same)}
        correction = oe.correct_labels(path, world.hierarchy, convention="mixed")
        correction.write(copy, Path(folder, "log.csv"))
        left = oe.audit_labels(copy, world.hierarchy, convention="mixed")
        assert len(left.of(rule)) == (not same)
        assert [change.change for change in correction.changes] == ["join"] * same


@given(worlds(), st.data())
def test_an_ancestor_that_is_denied_is_found_and_named(world: World, data: st.DataObject) -> None:
    rows = world.consistent()
    implied = [
        (place, label)
        for place, row in enumerate(rows)
        for label in audit.redundant(world.graph.edges, [row])
    ]
    assume(implied)
    place, label = data.draw(st.sampled_from(implied))
    positive = [sorted(row - {label} if number == place else row) for number, row in enumerate(rows)]
    negative = [[label] if number == place else [] for number in range(len(rows))]
    verified = oe.VerifiedLabels.from_sets(positive, negative, vocabulary=world.hierarchy.label_vocabulary)
    found = oe.audit_labels(verified, world.hierarchy, convention="mixed").of("negative-ancestor")
    assert found
    assert {(one.concepts[1], one.samples) for one in found} == {(label, (str(place),))}


@given(worlds(), st.sampled_from(["infer", "closed", "most-specific", "mixed"]))
def test_a_corrected_file_has_nothing_left_to_correct_and_is_corrected_to_itself(
    world: World, convention: str
) -> None:
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("first.csv", "second.csv")]
        hierarchy = world.hierarchy
        first = world.correct(convention=convention)
        first.write(paths[0], Path(folder, "first.log"))
        again = oe.correct_labels(paths[0], hierarchy, convention=convention)  # type: ignore[arg-type]
        again.write(paths[1], Path(folder, "second.log"))
        assert not again.changes
        assert paths[0].read_bytes() == paths[1].read_bytes()
        findings = oe.audit_labels(paths[0], hierarchy, convention=convention)  # type: ignore[arg-type]
    assert not [finding for finding in findings if finding.fixable]


@given(worlds())
def test_correcting_breaks_no_rule_that_was_kept(world: World) -> None:
    before = world.audit(convention="closed")
    corrected = world.correct(convention="closed").sets
    after = oe.audit_labels(corrected, world.hierarchy, convention="closed")
    rules = "exclusion", "doubtful-exclusion", "systematic-exclusion", "requirement", "systematic-requirement"
    for key, count in counts(after, *rules).items():
        assert count <= counts(before, *rules).get(key, 0)


@given(worlds())
def test_the_order_of_samples_changes_no_finding(world: World) -> None:
    backwards = [(f.rule, f.concepts, f.count) for f in world.audit(world.rows[::-1])]
    assert backwards == [(f.rule, f.concepts, f.count) for f in world.audit()]


@given(worlds(), st.randoms(use_true_random=False), st.sampled_from(["infer", "closed", "most-specific"]))
def test_a_baseline_accepts_the_same_file_in_another_order(
    world: World, random: Random, convention: str
) -> None:
    rows = [(f"s{number}", ";".join(sorted(row))) for number, row in enumerate(world.rows)]
    rows = [*rows, *[(name.upper(), f"{labels};other") for name, labels in rows[:2]]]
    rows += [(name, labels) for name, labels in rows[::3]]
    shuffled = random.sample(rows, k=len(rows))
    found = []
    with TemporaryDirectory() as folder:
        path = Path(folder, "labels.csv")
        for order in (rows, shuffled):
            lines = "".join(f"{name},{labels};\n" for name, labels in order)
            path.write_text(f"id,labels\n{lines}", encoding="utf-8")
            found.append(oe.audit_labels(path, world.hierarchy, convention=convention))  # type: ignore[arg-type]
    assert not news(*found)
    assert not news(*found[::-1])
    logs = [sarif(one, {}, "labels.csv")["runs"][0]["results"] for one in found]
    prints = [[result["partialFingerprints"] for result in log] for log in logs]
    assert prints[0] == prints[1]


@given(worlds(), st.randoms(use_true_random=False), st.sampled_from(["closed", "most-specific"]))
def test_a_copy_differs_in_the_rows_of_the_log_alone(world: World, random: Random, convention: str) -> None:
    rows = [random.sample(sorted(row), k=len(row)) for row in world.rows]
    with TemporaryDirectory() as folder:
        path, copy = Path(folder, "labels.csv"), Path(folder, "copy.csv")
        lines = "".join(f'{number}|{"; ".join(row)};|"a\nremark"\n' for number, row in enumerate(rows))
        path.write_text(f"Image|positive_labels|remark\n{lines}".replace("|", "\t"), encoding="utf-8")
        correction = oe.correct_labels(path, world.hierarchy, convention=convention)  # type: ignore[arg-type]
        correction.write(copy, Path(folder, "log.csv"))
        before, after = (text.read_text(encoding="utf-8").split("\n") for text in (path, copy))
    differ = [old.split("\t")[0] for old, new in zip(before, after, strict=True) if old != new]
    assert differ == list(dict.fromkeys(change.sample for change in correction.changes))


def news(before: oe.audit.Findings, after: oe.audit.Findings) -> list[oe.audit.Finding]:
    with TemporaryDirectory() as folder:
        path = Path(folder, "baseline.json")
        path.write_text(baseline(before, before.samples), encoding="utf-8")
        return new_findings(after, read_baseline(path), after.samples)


@given(worlds())
def test_a_baseline_of_all_findings_accepts_all_findings(world: World) -> None:
    assert news(world.audit(), world.audit()) == []


@given(worlds(), st.sampled_from(["closed", "most-specific"]))
def test_a_baseline_accepts_all_that_is_left_when_a_sample_is_mended(world: World, convention: str) -> None:
    mended = [frozenset[str](), *world.rows[1:]]
    left = news(world.audit(convention=convention), world.audit(mended, convention=convention))
    assert not [one for one in left if one.severity != "note"]


@given(worlds(), st.data())
def test_one_more_fault_is_told_whatever_a_baseline_accepts(world: World, data: st.DataObject) -> None:
    assume(world.exclusions)
    pair = data.draw(st.sampled_from(world.exclusions))
    after = world.audit([*world.rows, frozenset(pair)])
    new = [one for one in news(world.audit(), after) if one.key == ("exclusion", *sorted(pair))]
    assert [(one.count, one.samples) for one in new] == [(1, (str(len(world.rows)),))]
