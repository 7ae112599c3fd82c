"""Explanations: what they say of one sample."""

from __future__ import annotations

from typing import Any

import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from ontoeval.measures.ontology_score import OntologyScore

HIERARCHY = oe.Hierarchy.from_edges(
    [
        ("nature", "plants"),
        ("plants", "trees"),
        ("plants", "flowers"),
        ("people", "one"),
        ("people", "crowd"),
        ("people", "portrait"),
    ],
    exclusions=[oe.core.Exclusion("one", "crowd")],
    requirements=[oe.core.Requirement("portrait", ("one",))],
)


def explain(truth: str, prediction: str, **options: Any) -> str:
    """Explain one photo; labels are separated by blanks."""
    sides = ({"p": truth.split()}, {"p": prediction.split()})
    return str(oe.explain(*sides, "p", **{"hierarchy": HIERARCHY, **options}))


def test_broken_rules_are_given_as_the_reason() -> None:
    assert explain("one trees", "one crowd portrait trees") == (
        "p: hF 0.8333, OS 0.6786\n"
        "  false  crowd: 1.0000  (crowd excludes one)\n"
        "  false  portrait: 0.2857  (portrait - people - one)\n"
        "  common trees: 0.0000\n"
        "  common one: 0.0000\n"
        "  OS: (1 - 1.2857 / 4)^1 = 0.6786"
    )
    everyone = explain("one", "one crowd", measure="OS(penalise='all predicted', alpha=2)")
    assert "  common one: 1.0000  (crowd excludes one)\n" in everyone
    assert everyone.endswith("(1 - 2.0000 / 2)^2 = 0.0000")
    assert "excludes" not in explain("one", "one crowd", measure="OS(penalise='none')")


@pytest.mark.parametrize(
    ("truth", "prediction", "options", "last"),
    [
        ("", "", {}, "nothing is true or predicted = 1.0000"),
        (
            "trees",
            "",
            {"agreement": dict.fromkeys(HIERARCHY.vocabulary, 0.5)},
            "nothing is predicted = 0.0000",
        ),
        (
            "trees",
            "",
            {
                "agreement": dict.fromkeys(HIERARCHY.vocabulary, 0.5),
                "measure": "OS(empty_prediction='weighted')",
            },
            "(1 - 0.5000 / 1)^1 = 0.5000",
        ),
        ("trees", "trees", {}, "(1 - 0.0000 / 1)^1 = 1.0000"),
        ("trees one", "trees", {"measure": OntologyScore(alpha=0.5)}, "(1 - 0.9286 / 2)^0.5 = 0.7319"),
    ],
)
def test_the_last_line_says_how_the_score_is_made(
    truth: str, prediction: str, options: dict[str, Any], last: str
) -> None:
    assert explain(truth, prediction, **options).splitlines()[-1].strip() == f"OS: {last}"


def test_only_samples_that_there_are_can_be_explained() -> None:
    with pytest.raises(InputError, match=r"no sample 'photo1' \(near: 'photo_1'\). Name a sample"):
        oe.explain({"photo_1": ["trees"]}, {"photo_1": []}, "photo1", hierarchy=HIERARCHY)
