"""Every worked value of Nowak and Lukashevich 2009.

Multilabel classification evaluation using ontology information, with the fixture that completes its
Figure 1.
"""

from __future__ import annotations

import pytest

import ontoeval as oe
from tests.oracles import worked_examples as examples

NODES = tuple(dict.fromkeys(node for edge in examples.NOWAK_EDGES for node in edge))
FIGURE_1 = oe.Hierarchy.from_edges(examples.NOWAK_EDGES)
AGREEMENT = {node: examples.NOWAK_AGREEMENT.get(node, 1.0) for node in NODES}
EXCLUSIVE = oe.Hierarchy.from_edges(
    examples.NOWAK_EDGES, exclusions=[oe.core.Exclusion(*pair) for pair in examples.NOWAK_EXCLUSIONS]
)
PORTRAIT = oe.Hierarchy.from_edges(
    examples.NOWAK_EDGES, requirements=[oe.core.Requirement("portrait", ("single", "small_group"))]
)
TOY = oe.Hierarchy.from_edges(examples.TOY_EDGES)


def score(
    truth: str,
    prediction: str,
    measure: str = "OS",
    *,
    hierarchy: oe.Hierarchy = FIGURE_1,
    agreement: dict[str, float] | None = None,
) -> float:
    """Score one photo; labels are separated by blanks."""
    names = hierarchy.vocabulary.concepts
    sets = [oe.LabelSets.from_sets([labels.split()], vocabulary=names) for labels in (truth, prediction)]
    return oe.evaluate(*sets, hierarchy=hierarchy, agreement=agreement, measures=[measure])[measure]


def cost(one: str, other: str, hierarchy: oe.Hierarchy = FIGURE_1) -> float:
    """Cost between two concepts; where one is false and the other missed, both are charged as much."""
    found = oe.concepts.cost_between(hierarchy, one, other)
    assert score(one, other, hierarchy=hierarchy) == pytest.approx(1 - found, abs=1e-12)
    return found


def test_section_3_2_single_and_small_group_cost_two_fourteenths() -> None:
    """The only cost that is printed; it needs N - 1 = 3 links, though the text says N links."""
    assert cost("small_group", "single") == pytest.approx(2 / 14, abs=1e-12)


@pytest.mark.parametrize(
    ("parent", "child", "fourteenths"),
    [
        ("root", "landscape", 4),
        ("landscape", "plants", 2),
        ("plants", "trees", 1),
        ("representation", "style", 2),
    ],
)
def test_figure_1_links_cost_four_two_and_one_fourteenths(parent: str, child: str, fourteenths: int) -> None:
    assert cost(parent, child) == pytest.approx(fourteenths / 14, abs=1e-12)


@pytest.mark.parametrize(
    ("one", "other", "fourteenths"),
    [
        ("plants", "trees", 1),
        ("trees", "flowers", 2),
        ("mountains", "trees", 5),
        ("aesthetic", "trees", 13),
        ("single", "trees", 14),
        ("portrait", "small_group", 14),
        ("root", "trees", 7),
    ],
)
def test_section_3_2_costs_add_up_along_the_path_in_the_hierarchy(
    one: str, other: str, fourteenths: int
) -> None:
    assert cost(one, other) == pytest.approx(fourteenths / 14, abs=1e-12)


@pytest.mark.parametrize(
    ("links", "denominator"),
    [(1, 2), (2, 6), (3, 14), (4, 30), (5, 62)],
)
def test_section_3_2_links_halve_with_depth_and_a_path_between_deepest_leaves_costs_1(
    links: int, denominator: int
) -> None:
    left, right = (
        [("0", f"{side}1")] + [(f"{side}{i}", f"{side}{i + 1}") for i in range(1, links)] for side in "lr"
    )
    hierarchy = oe.Hierarchy.from_edges(left + right)
    found = [cost(*link, hierarchy) for link in left]
    assert found == pytest.approx([2 ** (links - 1 - i) / denominator for i in range(links)], abs=1e-9)
    assert cost(f"l{links}", f"r{links}", hierarchy) == pytest.approx(1, abs=1e-12)


SCORES = [
    # truth, prediction, score with full agreement, score with the agreement of the fixture
    ("trees", "plants", 0.928571, 0.931429),
    ("trees", "mountains", 0.642857, 0.657143),
    ("trees single", "trees small_group", 0.904762, 0.914286),
    ("trees single", "", 0, 0),
    ("", "trees", 0, 0),
    ("", "", 1, 1),
    ("trees", "single", 0, 0.04),
    ("trees single", "trees single small_group", 0.952381, 0.957143),
    ("trees mountains", "plants aesthetic", 0.678571, 0.68),
    ("trees single portrait", "trees single portrait", 1, 1),
]


@pytest.mark.parametrize(("truth", "prediction", "plain", "weighted"), SCORES)
def test_equations_1_and_2_section_3_2_scores(
    truth: str, prediction: str, plain: float, weighted: float
) -> None:
    assert score(truth, prediction) == pytest.approx(plain, abs=1e-6)
    assert score(truth, prediction, agreement=AGREEMENT) == pytest.approx(weighted, abs=1e-6)


@pytest.mark.parametrize(("truth", "prediction", "plain", "weighted"), SCORES)
def test_equation_2_section_3_2_alpha_is_a_power(
    truth: str, prediction: str, plain: float, weighted: float
) -> None:
    assert score(truth, prediction, "OS(alpha=2)") == pytest.approx(plain**2, abs=2e-6)
    assert score(truth, prediction, "OS(alpha=2)", agreement=AGREEMENT) == pytest.approx(
        weighted**2, abs=2e-6
    )
    assert score(truth, prediction, "OS(alpha=0)") == float(plain > 0)


def test_section_3_1_plants_for_trees_are_judged_better_than_mountains() -> None:
    assert score("trees", "plants") > score("trees", "mountains")


def test_section_3_2_small_group_beside_a_correct_single_costs_1_and_not_2_14_of_the_agreement() -> None:
    truth, prediction = "trees single", "trees single small_group"
    for agreement, unchecked in ((None, 1 - 2 / 14 / 3), (AGREEMENT, 1 - 2 / 14 * 0.9 / 3)):
        checked = score(truth, prediction, hierarchy=EXCLUSIVE, agreement=agreement)
        assert checked == pytest.approx(2 / 3, abs=1e-9)
        for option in ("penalise='none'", "exclusions='none'"):
            found = score(truth, prediction, f"OS({option})", hierarchy=EXCLUSIVE, agreement=agreement)
            assert found == pytest.approx(unchecked, abs=1e-9)


def test_section_3_2_the_cross_check_may_charge_correct_labels_as_well() -> None:
    measure = "OS(penalise='all predicted')"
    assert score("trees single", "trees single small_group", measure, hierarchy=EXCLUSIVE) == pytest.approx(
        1 / 3
    )


def test_section_3_2_exclusions_may_be_given_with_the_measure() -> None:
    measure = "OS(exclusions=(('single', 'small_group'),))"
    assert score("trees single", "trees single small_group", measure) == pytest.approx(2 / 3, abs=1e-9)


def test_section_3_2_a_portrait_without_a_person_costs_1() -> None:
    alone, accompanied = "aesthetic portrait", "aesthetic portrait single"
    assert score("aesthetic", alone) == pytest.approx(1 - 5 / 14 / 2, abs=1e-9)
    assert score("aesthetic", alone, hierarchy=PORTRAIT) == pytest.approx(1 / 2, abs=1e-9)
    # portrait 5/14 from aesthetic, single 13/14 from it
    assert score("aesthetic", accompanied, hierarchy=PORTRAIT) == pytest.approx(1 - 18 / 14 / 3, abs=1e-9)


def test_section_3_2_an_empty_prediction_costs_the_maximum_where_equation_1_is_read_literally() -> None:
    literally = "OS(empty_prediction='weighted')"
    assert score("trees single", "", literally, agreement=AGREEMENT) == pytest.approx(0.07, abs=1e-9)
    assert score("trees single", "", literally) == 0


def test_section_3_2_the_score_is_not_0_wherever_nothing_was_found() -> None:
    """The text says that it is; near misses earn credit, and so does an agreement below 1."""
    assert score("trees", "plants") > 0.9
    assert score("trees", "single", agreement=AGREEMENT) == pytest.approx(0.04, abs=1e-9)


@pytest.mark.parametrize(("truth", "prediction", "expected"), examples.TOY_SCORES)
def test_scores_on_the_toy_tree(truth: str, prediction: str, expected: float) -> None:
    assert score(truth, prediction, hierarchy=TOY) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("power", [0.5, 1, 2])
def test_section_3_2_flat_costs_and_full_agreement_give_the_alpha_evaluation_of_shen(power: float) -> None:
    for truth, prediction, _, _ in SCORES:
        ours = score(truth, prediction, f"OS(alpha={power}, cost='flat')")
        assert ours == pytest.approx(score(truth, prediction, f"Alpha(alpha={power})"), abs=1e-12)


def test_figure_1_shipped_with_the_project_gives_the_printed_costs_and_penalties() -> None:
    ontology = oe.read_ontology(oe.ontologies.path("nowak-2009-figure-1"))
    hierarchy = ontology.hierarchy()
    names = hierarchy.label_vocabulary.concepts
    assert len(names) == 8

    def shipped(truth: list[str], prediction: list[str], measure: str = "OS") -> float:
        sets = [oe.LabelSets.from_sets([labels], vocabulary=names) for labels in (truth, prediction)]
        return oe.evaluate(*sets, hierarchy=hierarchy, measures=[measure])[measure]

    assert 1 - shipped(["single"], ["small_group"]) == pytest.approx(2 / 14, abs=1e-12)
    assert 1 - shipped(["trees"], ["mountains"]) == pytest.approx(5 / 14, abs=1e-12)
    assert shipped(["trees", "single"], ["trees", "single", "small_group"]) == pytest.approx(2 / 3, abs=1e-9)
    assert shipped(["aesthetic"], ["aesthetic", "portrait"]) == pytest.approx(1 / 2, abs=1e-9)
    unchecked = shipped(["aesthetic"], ["aesthetic", "portrait"], "OS(requirements='none')")
    assert unchecked == pytest.approx(1 - 5 / 28, abs=1e-9)
