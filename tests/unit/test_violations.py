"""Rules: what an ontology declares, what is chosen, and who breaks them."""

from __future__ import annotations

from typing import Any

import pytest

import ontoeval as oe
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


def rules(**chosen: Any) -> list[str]:
    """Say the rules that count."""
    return [str(rule) for rule in rule_book(HIERARCHY, **chosen).rules]


def test_an_exclusion_has_no_direction() -> None:
    assert oe.core.Exclusion("summer", "winter") == oe.core.Exclusion("winter", "summer")
    assert str(oe.core.Exclusion("winter", "summer")) == "summer excludes winter"
    with pytest.raises(InputError, match="'summer' excludes itself"):
        oe.core.Exclusion("summer", "summer")


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
