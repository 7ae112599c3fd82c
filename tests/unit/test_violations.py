"""Rules: what an ontology declares, what is chosen, and who breaks them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.concepts.compiled_rules import RuleClasses, RuleMasks, RuleSides
from ontoeval.concepts.violations import rule_book
from ontoeval.errors import InputError, ParameterError, UnknownConceptError

HIERARCHY = oe.Hierarchy.from_edges(
    [
        ("thing", "season"),
        ("season", "summer"),
        ("season", "winter"),
        ("summer", "august"),
        ("thing", "people"),
        ("people", "one"),
        ("people", "crowd"),
        ("thing", "portrait"),
        ("portrait", "selfie"),
        ("thing", "flowers"),
    ],
    abstract=["season"],
    exclusions=[oe.core.Exclusion("winter", "summer")],
    requirements=[
        oe.core.Requirement("portrait", ("people", "flowers"), "shows|hasSubject"),
        oe.core.Requirement("crowd", ("flowers",), "part_of", precondition=False),
    ],
)


def sets(*labels: str) -> oe.LabelSets:
    """Label sets, each a text of names."""
    return oe.LabelSets.from_sets([names.split() for names in labels], vocabulary=HIERARCHY.label_vocabulary)


def rules(**chosen: Any) -> list[str]:
    """Say the rules that count."""
    return [str(rule) for rule in rule_book(HIERARCHY, **chosen).rules]


def test_an_exclusion_has_no_direction() -> None:
    assert oe.core.Exclusion("summer", "winter") == oe.core.Exclusion("winter", "summer")
    assert str(oe.core.Exclusion("winter", "summer")) == "summer excludes winter"
    with pytest.raises(InputError, match="'summer' excludes itself"):
        oe.core.Exclusion("summer", "summer")


def test_a_requirement_names_at_least_one_concept() -> None:
    assert oe.core.Requirement("a", ["b", "c"]).any_of == ("b", "c")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the requirement of 'a' names no concept"):
        oe.core.Requirement("a", ())


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"exclusions": "none", "requirements": "none"}, []),
        ({"exclusions": "none"}, ["portrait requires people or flowers"]),
        ({"requirements": "none"}, ["summer excludes winter"]),
        ({"exclusions": (), "requirements": ()}, []),
        ({"exclusions": (("people", "flowers"),), "requirements": "none"}, ["flowers excludes people"]),
        ({"exclusions": [["people", "flowers"]], "requirements": "none"}, ["flowers excludes people"]),
        ({"exclusions": "none", "requirements": ("part_of",)}, ["crowd requires flowers"]),
        ({"exclusions": "none", "requirements": ("shows",)}, ["portrait requires people or flowers"]),
        ({"exclusions": "none", "requirements": ("hasSubject",)}, ["portrait requires people or flowers"]),
        (
            {"exclusions": "none", "requirements": (("one", ("flowers", "august")), "part_of")},
            ["one requires flowers or august", "crowd requires flowers"],
        ),
    ],
)
def test_rules_are_chosen_by_word_by_property_or_one_by_one(chosen: Any, expected: list[str]) -> None:
    assert rules(**chosen) == expected


@pytest.mark.parametrize(
    ("chosen", "error", "message"),
    [
        ({"exclusions": "non"}, ParameterError, 'exclusions=\'non\': expected "declared", "none" or pairs'),
        ({"exclusions": ("summer", "winter")}, ParameterError, "exclusions=.*pairs of concepts"),
        ({"exclusions": (("a", "b", "c"),)}, ParameterError, "exclusions=.*pairs of concepts"),
        ({"exclusions": (("one", ("crowd",)),)}, ParameterError, "exclusions=.*pairs of concepts"),
        ({"exclusions": (("one", "crowds"),)}, UnknownConceptError, "'crowds' in the rule .*near: 'crowd'"),
        ({"requirements": "shows"}, ParameterError, "requirements='shows': .* or a tuple"),
        (
            {"requirements": ("shown",)},
            ParameterError,
            r"requirements='shown'.*\['part_of', 'shows\|hasSubject'\]",
        ),
        ({"requirements": (("one", "crowd"),)}, ParameterError, "pairs of a concept and a tuple of concepts"),
        ({"requirements": (3,)}, ParameterError, "requirements=3"),
        ({"requirements": (("one", ()),)}, InputError, "the requirement of 'one' names no concept"),
        ({"requirements": (("ones", ("crowd",)),)}, UnknownConceptError, "'ones' in the rule"),
    ],
)
def test_choices_that_are_not_understood_are_refused(
    chosen: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        rule_book(HIERARCHY, **chosen)


def test_a_rule_is_suspect_that_more_than_a_twentieth_of_the_sets_break() -> None:
    twenty = sets(*["summer"] * 19, "summer winter")
    assert [breach.suspect for breach in rule_book(HIERARCHY).breaches(twenty.matrix)] == [False, False]
    nineteen = sets(*["summer"] * 18, "summer winter")
    assert [breach.suspect for breach in rule_book(HIERARCHY).breaches(nineteen.matrix)] == [True, False]


def test_the_rules_that_a_label_breaks_are_named() -> None:
    book, one = rule_book(HIERARCHY), sets("summer winter selfie").matrix
    broken = {
        label: [str(rule) for rule in book.rules_broken_by(column, one)]
        for column, label in enumerate(HIERARCHY.label_vocabulary)
    }
    assert {label: rules for label, rules in broken.items() if rules} == {
        "summer": ["summer excludes winter"],
        "august": ["summer excludes winter"],
        "winter": ["summer excludes winter"],
        "portrait": ["portrait requires people or flowers"],
        "selfie": ["portrait requires people or flowers"],
    }


def test_many_rules_of_many_labels_are_broken_alike_by_masks_and_by_classes() -> None:
    random, names = np.random.default_rng(0), [f"c{number}" for number in range(150)]
    parents = [(names[random.integers(child)], names[child]) for child in range(1, 150)]
    pairs = [random.choice(names, 2, replace=False).tolist() for _ in range(90)]
    hierarchy = oe.Hierarchy.from_edges(
        parents,
        concepts=names,
        exclusions=[oe.core.Exclusion(*pair) for pair in pairs],
        requirements=[oe.core.Requirement(one, (other,)) for one, other in pairs[:80]],
    )
    book = rule_book(hierarchy)
    sides = RuleSides(book.sides, book.left, book.right, book.excludes)
    matrix = sparse.csr_array(random.random((300, 150)) < 0.04)
    there = matrix.toarray() @ book.sides.toarray()
    left, right = there[:, book.left], there[:, book.right]
    broken = left & (right == book.excludes)
    for rules in (RuleMasks.from_sides(sides), RuleClasses.from_sides(sides)):
        assert rules.counts(matrix)[1].tolist() == broken.sum(axis=0).tolist()
        marked = np.unique(matrix.nonzero()[0][rules.offending_labels(matrix, matrix)])
        assert marked.tolist() == np.flatnonzero(broken.any(axis=1)).tolist()
        assert 0 < marked.size < 300
