"""Differences between two collections of label sets, and the command that shows them."""

import csv
import json
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MisalignedError, ParameterError
from tests.commands import call

HIERARCHY = oe.Hierarchy.from_edges(
    [("all", "water"), ("all", "land"), ("water", "sea"), ("water", "lake"), ("land", "sand")]
)
BEFORE = oe.LabelSets.from_sets({"p1": ["sea"], "p2": ["sand", "lake"], "p3": ["lake"]})
AFTER = oe.LabelSets.from_sets({"p2": ["sand"], "p1": ["sea", "sand"], "p4": ["sea"]})


def test_samples_and_labels_that_came_and_went_are_told() -> None:
    changes = oe.audit.difference(BEFORE, AFTER)
    assert changes.samples == ("p1", "p2")
    assert changes.changed == ("p1", "p2")
    assert (changes.samples_added, changes.samples_removed) == (("p4",), ("p3",))
    assert (changes.added("p1"), changes.removed("p1")) == (("sand",), ())
    assert (changes.added("p2"), changes.removed("p2")) == ((), ("lake",))


def test_changes_are_counted_by_concept_the_largest_first() -> None:
    rows = [tuple(change) for change in oe.audit.difference(BEFORE, AFTER).by_concept()]
    assert rows == [("lake", 2, 0, 0, 1, 1), ("sand", 1, 2, 1, 0, 1), ("sea", 1, 2, 0, 0, 0)]


def test_changes_are_counted_by_branch_where_there_is_a_hierarchy() -> None:
    rows = [tuple(change) for change in oe.audit.difference(BEFORE, AFTER, HIERARCHY).by_branch()]
    assert rows == [("land", 1, 2, 1, 0, 1), ("water", 3, 2, 0, 1, 1)]
    assert oe.audit.difference(BEFORE, AFTER).by_branch() == ()


def test_branches_are_the_roots_where_there_are_several() -> None:
    hierarchy = oe.Hierarchy.from_edges([("water", "sea"), ("water", "lake"), ("land", "sand")])
    assert [change.name for change in oe.audit.difference(BEFORE, AFTER, hierarchy).by_branch()] == [
        "land",
        "water",
    ]


def test_nothing_changes_between_equal_sets() -> None:
    changes = oe.audit.difference(BEFORE, BEFORE, HIERARCHY)
    assert (changes.changed, changes.by_concept(), changes.by_branch()) == ((), (), ())


def test_a_sample_that_not_both_have_is_refused() -> None:
    with pytest.raises(InputError, match="not both have a sample 'p4'"):
        oe.audit.difference(BEFORE, AFTER).added("p4")


def test_a_label_that_the_hierarchy_lacks_is_refused() -> None:
    with pytest.raises(MisalignedError, match="'sky'"):
        oe.audit.difference(BEFORE, oe.LabelSets.from_sets({"p1": ["sky"]}), HIERARCHY)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [tmp_path / "before.csv", tmp_path / "after.csv"]
    paths[0].write_text("id,labels\np1,lake\np2,trees;sky\np3,summer\n", encoding="utf-8")
    paths[1].write_text("id,labels\np1,river\np2,trees;sky\np4,summer\n", encoding="utf-8")
    return list(map(str, paths))


def test_the_command_shows_everything_as_tables(files: list[str]) -> None:
    shown = call("diff", *files, "--ontology", "photo").stdout
    for title in ("of these with other labels", "By branch", "By concept", "By sample"):
        assert title in shown
    assert "By branch" not in call("diff", *files).stdout


def test_the_command_says_how_many_rows_it_does_not_show(files: list[str]) -> None:
    assert "1 more rows are not shown (--most)" in call("diff", *files, "--most", "1").stdout


def test_the_command_writes_rows_of_what_was_asked_for(files: list[str]) -> None:
    rows = list(csv.DictReader(call("diff", *files, "--by", "sample", "--format", "csv").stdout.splitlines()))
    assert rows[0] == {"sample": "p1", "added": "river", "removed": "lake"}
    found = json.loads(
        call("diff", *files, "--ontology", "photo", "--by", "branch", "--format", "json").stdout
    )
    assert [(row["branch"], row["added"], row["removed"]) for row in found["rows"]] == [
        ("landscape_element", 1, 1)
    ]
    assert (found["samples_added"], found["samples_removed"]) == (["p4"], ["p3"])
    assert (found["samples_shared"], found["samples_changed"]) == (2, 1)


def test_rows_of_branches_need_an_ontology(files: list[str]) -> None:
    with pytest.raises(ParameterError, match="--ontology"):
        call("diff", *files, "--by", "branch", "--format", "csv")


def test_a_single_root_is_a_branch_of_its_own_as_in_audits() -> None:
    hierarchy = oe.Hierarchy.from_edges([("all", "plants"), ("plants", "trees")])
    first = oe.LabelSets.from_sets({"p1": ["all"]})
    changes = oe.audit.difference(first, oe.LabelSets.from_sets({"p1": ["trees"]}), hierarchy)
    assert [(row.name, row.added, row.removed) for row in changes.by_branch()] == [
        ("all", 0, 1),
        ("plants", 1, 0),
    ]
