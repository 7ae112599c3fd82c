"""Explanations: what they say of one sample."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MeasureError
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
        "p: 0.6786\n"
        "  false  crowd: 1.0000  (crowd excludes one)\n"
        "  false  portrait: 0.2857  (portrait - people - one)\n"
        "  common trees: 0.0000\n"
        "  common one: 0.0000\n"
        "  (1 - 1.2857 / 4)^1 = 0.6786"
    )
    everyone = explain("one", "one crowd", measure="OS(penalise='all predicted', alpha=2)")
    assert "  common one: 1.0000  (crowd excludes one)\n" in everyone
    assert everyone.endswith("(1 - 2.0000 / 2)^2 = 0.0000")
    assert "excludes" not in explain("one", "one crowd", measure="OS(penalise='none')")


def test_labels_without_a_partner_cost_one() -> None:
    assert "  false  trees: 1.0000\n" in explain("", "trees")
    assert "  missed trees: 1.0000\n" in explain("trees", "")


def test_costs_that_are_no_paths_name_the_partner() -> None:
    size = len(HIERARCHY.vocabulary)
    table = HIERARCHY.with_cost("looks", 0.25 * (1 - np.eye(size)))
    found = explain("trees", "flowers", hierarchy=table, measure="OS(cost='looks')")
    assert "  false  flowers: 0.2500  (matched to trees)\n" in found
    assert "(matched to trees)" in explain("trees", "flowers", measure="OS(cost='flat')")


def test_paths_over_a_virtual_root_say_so() -> None:
    assert "(trees - plants - nature - (root) - people - one)" in explain("trees", "one")
    assert "(matched to one)" in explain("trees", "one", measure="OS(connect_roots=False)")


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
    assert explain(truth, prediction, **options).splitlines()[-1].strip() == last


def test_only_samples_and_ontology_scores_can_be_explained() -> None:
    with pytest.raises(InputError, match=r"no sample 'photo1' \(near: 'photo_1'\). Name one of the samples"):
        oe.explain({"photo_1": ["trees"]}, {"photo_1": []}, "photo1", hierarchy=HIERARCHY)
    with pytest.raises(MeasureError, match="Only ontology scores are explained, not Hamming"):
        explain("trees", "", measure="Hamming")
