"""Worked values of transport precision, recall, F, Jaccard and κ, computed by hand and by a prototype."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from tests.oracles.worked_examples import TOY_EDGES

TREE = oe.Hierarchy.from_edges(TOY_EDGES, abstract=["R"])
DAG = oe.Hierarchy.from_edges([*TOY_EDGES, ("B1", "c")], abstract=["R"])
INSERTED = oe.Hierarchy.from_edges(
    [edge for edge in TOY_EDGES if edge != ("A2", "c")] + [("A2", "x"), ("x", "c"), ("B1", "y"), ("y", "c")],
    abstract=["R", "x", "y"],
)
TWO = oe.Hierarchy.from_edges(
    [("R", "P"), ("R", "Q"), ("P", "y"), ("P", "a"), ("Q", "y"), ("Q", "b")], abstract=["R"]
)
THREE = oe.Hierarchy.from_edges(
    [
        (p, c)
        for p, children in {"P": "y p1 p2", "Q": "y q1 q2", "S": "y s1 s2"}.items()
        for c in children.split()
    ]
)
ROOT_IS_A_LABEL = oe.Hierarchy.from_edges([("p", "x"), ("p", "y"), ("x", "x1")])
ONE_LABEL = oe.Hierarchy.from_edges([], concepts=["o"])
FLAT = oe.Hierarchy.from_edges([], concepts="abcd")
AGREED = TREE.with_weight("agreement", {**dict.fromkeys(TREE.vocabulary, 1), "a": 0.5, "b": 0.8})
EXCLUDING = oe.Hierarchy.from_edges(TOY_EDGES, abstract=["R"], exclusions=[oe.core.Exclusion("a", "b")])

VALUES = [  # S, FP, A, tP, tR, tF, tJaccard; None where no value was worked out
    (TREE, "a", "a", (1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0)),
    (TREE, "a", "b", (0.54184309, 0.45815691, 1.0, 0.54184309, 0.54184309, 0.54184309, 0.3715945015)),
    (
        TREE,
        "a",
        "c",
        (0.2527782637, 0.7472217363, 1.0, 0.2527782637, 0.2527782637, 0.2527782637, 0.1446744042),
    ),
    (TREE, "a", "d", (0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0)),
    (TREE, "a", "A1", (0.54184309, 0.0, 1.0, 1.0, 0.54184309, 0.7028511442, 0.54184309)),
    (TREE, "A1", "a", (0.54184309, 0.45815691, 0.54184309, 0.54184309, 1.0, 0.7028511442, 0.54184309)),
    (TREE, "a", "A", (0.2527782637, 0.0, 1.0, 1.0, 0.2527782637, 0.4035482911, 0.2527782637)),
    (TREE, "a", "a b", (1.0, 0.45815691, 1.0, 0.6857972507, 1.0, 0.8136177117, 0.6857972507)),
    (TREE, "a", "a d", (1.0, 1.0, 1.0, 0.5, 1.0, 0.6666666667, 0.5)),
    (TREE, "a", "a b d", (1.0, 1.45815691, 1.0, 0.4068088558, 1.0, 0.5783427566, 0.4068088558)),
    (TREE, "a c", "b", (0.54184309, 0.45815691, 2.0, 0.54184309, 0.270921545, 0.3612287267, 0.2204265675)),
    (TREE, "b", "a c", (0.54184309, 1.45815691, 1.0, 0.270921545, 0.54184309, 0.3612287267, 0.2204265675)),
    (
        TREE,
        "a b",
        "A1 c",
        (0.7946213537, 0.7472217363, 2.0, 0.5153710899, 0.3973106768, 0.448705001, 0.2892454377),
    ),
    (TREE, "A A1 a", "a", (1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0)),
    (TREE, "a d", "b e", (1.08368618, 0.91631382, 2.0, 0.54184309, 0.54184309, 0.54184309, 0.3715945015)),
    (TREE, "a d", "b d", (1.54184309, 0.45815691, 2.0, 0.770921545, 0.770921545, 0.770921545, 0.6272354233)),
    (
        TREE,
        "c",
        "a b",
        (0.2527782637, 1.7472217363, 1.0, 0.1263891318, 0.2527782637, 0.1685188425, 0.0920123266),
    ),
    (TREE, "a d", "", (0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0)),
    (TREE, "", "a", (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
    (TREE, "", "", (0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0)),
    (DAG, "c", "d", (0.2109351737, 0.7890648263, 1.0, 0.2109351737, 0.2109351737, 0.2109351737, None)),
    (DAG, "c", "a", (None, None, 1.0, None, None, 0.1263891318, None)),
    (DAG, "a d", "c", (0.3373243055, 0.6626756945, 2.0, None, None, 0.2248828704, None)),
    (DAG, "c", "A2", (None, 0.0, 1.0, 1.0, None, 0.5244944111, None)),
    (DAG, "c", "B1", (None, 0.0, 1.0, 1.0, None, 0.3483839239, None)),
    (DAG, "c", "A2 B1", (None, 0.0, 1.0, 1.0, None, 0.7231891756, None)),
    (TWO, "y", "P", (0.1586969028, 0.0, 1.0, 1.0, 0.1586969028, 0.2739230637, None)),
    (TWO, "y", "P Q", (0.3173938055, 0.0, 1.0, 1.0, 0.3173938055, 0.4818510671, None)),
    (TWO, "y", "a", (0.1586969028, 0.8413030972, 1.0, 0.1586969028, 0.1586969028, 0.1586969028, None)),
    (TWO, "y a", "y", (1.0, 0.0, 2.0, 1.0, 0.5, 2 / 3, 0.5)),
    (TWO, "y a", "a", (1.0, 0.0, 2.0, 1.0, 0.5, 2 / 3, 0.5)),
    (THREE, "y", "p1", (None, None, 1.0, None, None, 0.1326466696, None)),
    (THREE, "y", "P", (None, 0.0, 1.0, 1.0, None, 0.2342242698, None)),
    (THREE, "y", "p1 q1 s1", (0.3979400087, 2.6020599913, 1.0, None, None, 0.1989700043, None)),
    (THREE, "y p1 p2", "y", (1.0, 0.0, 3.0, 1.0, 1 / 3, 0.5, 1 / 3)),
    (THREE, "y p1 p2", "p1 p2", (2.0, 0.0, 3.0, 1.0, 2 / 3, 0.8, 2 / 3)),
    (ROOT_IS_A_LABEL, "y", "p", (0.1386468839, 0.0, 1.0, 1.0, 0.1386468839, 0.2435292026, 0.1386468839)),
    (
        ROOT_IS_A_LABEL,
        "x1",
        "y",
        (0.1386468839, 0.8613531161, 1.0, 0.1386468839, 0.1386468839, 0.1386468839, 0.0744871474),
    ),
    (ONE_LABEL, "o", "o", (1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0)),
    (INSERTED, "c", "d", (0.2109351737, 0.7890648263, 1.0, 0.2109351737, 0.2109351737, 0.2109351737, None)),
    (FLAT, "a b c", "a d", (1.0, 1.0, 3.0, 0.5, 0.3333333333, 0.4, 0.25)),
    (
        AGREED,
        "a d",
        "b d",
        (1.54184309, 0.366525528, 1.770921545, 0.8079377723, 0.8706444926, 0.8381198664, 0.721347962),
    ),
    (EXCLUDING, "a", "a b", (1.0, 1.0, 1.0, 0.5, 1.0, 0.6666666667, 0.5)),
    (EXCLUDING, "a", "b", (0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0)),
]

ALL = "A B A1 A2 B1 B2 a b c d e"
TRUTH = "a|b d|c|e|B2"
RUNS = [  # S, FP, A, E, tF, tκ
    ("a b|b d|c|d|e B2", (5.5418430900, 1.5875015615, 6.0, 2.3672219864, 0.8441918827, 0.7563213015)),
    (TRUTH, (6.0, 0.0, 6.0, 2.0987468898, 1.0, 1.0)),
    ("a|a|a|a|a", (1.7946213537, 3.2053786463, 6.0, 1.7946213537, 0.3262947916, 0.0)),
    ("|".join([ALL] * 5), (6.0, 21.2510371177, 6.0, 6.0, 0.3608909989, 0.0)),
    ("||||", (0.0, 0.0, 6.0, 0.0, 0.0, 0.0)),
    ("e|c|b d|B2|a", (0.8343687859, 5.1656312141, 6.0, 2.0987468898, 0.1390614643, -0.3240953786)),
]


@pytest.mark.parametrize(("hierarchy", "true", "predicted", "expected"), VALUES)
def test_values_of_single_samples(
    hierarchy: oe.Hierarchy, true: str, predicted: str, expected: tuple[float | None, ...]
) -> None:
    exclusions = ", exclusions='declared'" if hierarchy is EXCLUDING else ""
    measures = [f"{symbol}(average='samples'{exclusions})" for symbol in ("tP", "tR", "tF", "tJaccard")]
    sums = oe.measures.parse(f"tF(beta=1{exclusions})")
    result = oe.evaluate([true.split()], [predicted.split()], hierarchy=hierarchy, measures=[*measures, sums])
    found = [*result.totals.sums[sums.statistic], *(result[measure] for measure in measures)]
    known = [value if worked is None else worked for value, worked in zip(found, expected, strict=True)]
    assert found == pytest.approx(known, abs=1e-10)


@pytest.mark.parametrize(("run", "expected"), RUNS)
def test_values_of_five_samples(run: str, expected: tuple[float, ...]) -> None:
    truth, predicted = ([labels.split() for labels in side.split("|")] for side in (TRUTH, run))
    result = oe.evaluate(truth, predicted, hierarchy=TREE, measures=["tF", "tKappa"])
    sums = result.totals.sums[oe.measures.parse("tKappa").statistic]
    reached, chosen = np.split(sums[4:], 2)
    found = [*sums[1:4], reached @ chosen / sums[0], result["tF"], result["tKappa"]]
    assert found == pytest.approx(expected, abs=1e-10)


def test_chance_may_leave_more_than_is_told() -> None:
    names = [f"x{number}" for number in range(63)]
    edges = [("p", "a"), ("p", "b")]
    hierarchy = oe.Hierarchy.from_edges(edges, concepts=["p", "a", "b", *names], abstract=["p"])
    result = oe.evaluate(
        [["a"], ["a"], ["a", "b"]], [["a", "b"], ["a", "b"], ["a"]], hierarchy=hierarchy, measures="tKappa"
    )
    assert result["tKappa"] == pytest.approx(-4)  # (A + S + FP) / 2 would be less than chance


def test_cophe_of_leaves_in_three_layers_as_its_authors_count_them() -> None:
    """Codes of the iris in the authors' notes: 5 right, 3 surplus and 1 lacking in all layers together."""
    edges = [("364", "364.1"), ("364", "364.2"), ("364", "364.3"), ("364.1", "364.11"), ("364.2", "364.21")]
    hierarchy = oe.Hierarchy.from_edges([*edges, ("364.2", "364.22"), ("401", "401.9")])
    sides = [
        oe.LabelSets.from_sets([codes.split()], vocabulary=hierarchy.vocabulary)
        for codes in ("364.11 364.22", "364.11 364.21 364.3")
    ]
    measures = ["CoPHE(beta=0)", "CoPHE", "CoPHE(members='given')"]
    leaves, closed = (
        [oe.evaluate(*both, hierarchy=hierarchy, measures=measures)[measure] for measure in measures]
        for both in (sides, [side.closed(hierarchy) for side in sides])
    )
    assert leaves == pytest.approx([5 / 8, 10 / 14, 10 / 14])
    assert closed[:2] == pytest.approx(leaves[:2])
    assert closed[2] != pytest.approx(10 / 14)
