"""Worked values of information content, of similarities, and of the information contrast model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.concepts.information import weight_by_name
from ontoeval.errors import InputError, MeasureError, ParameterError, UnknownConceptError
from tests.oracles.worked_examples import TOY_EDGES

TOY = oe.Hierarchy.from_edges(TOY_EDGES)
DAG = oe.Hierarchy.from_edges([*TOY_EDGES, ("B1", "c")])
FOREST = oe.Hierarchy.from_edges([edge for edge in TOY_EDGES if edge[0] != "R"])

SECO = {"R": 0, "A": 0.278943, "B": 0.352315, "A1": 0.557886, "B1": 0.557886, "A2": 0.721057, "a": 1, "B2": 1}
SANCHEZ = {"A": 1.029619, "B": 1.029619, "A1": 1.435085, "B1": 1.435085, "A2": 1.658228}
OWN_LEAF = SANCHEZ | {"B2": 1.658228, "a": 1.722767, "c": 1.722767}
"""As nxontology computes it: a leaf is its own leaf."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("seco", SECO),
        ("sanchez", SANCHEZ | {"a": 1.945910, "B2": 1.945910}),
        ("sanchez(own-leaf)", OWN_LEAF),
        ("zhou", {"R": 0, "A": 0.389471, "A1": 0.675184, "B2": 0.896241, "a": 1}),
        ("zhou(0.5)", {"A": 0.389471}),
        ("zhou(1)", SECO),
        ("zhou(0)", {"R": 0, "A": np.log(2) / np.log(4), "a": 1}),
        ("resnik", {"R": 0, "A": np.log(2), "a": np.log(12)}),
        ("uniform", {"R": 1, "a": 1}),
    ],
)
def test_intrinsic_information_of_the_toy_tree(name: str, expected: dict[str, float]) -> None:
    found = dict(zip(TOY.vocabulary, weight_by_name(TOY, name), strict=True))
    assert {concept: found[concept] for concept in expected} == pytest.approx(expected, abs=5e-7)


PAIRS = {
    ("a", "c"): {"wu-palmer": 0.5, "wu-palmer(links)": 0.3333, "leacock-chodorow": 0.470004, "lin": 0.278943},
    ("a", "d"): {"wu-palmer": 0.25, "wu-palmer(links)": 0, "leacock-chodorow": 0.133531, "lin": 0},
    ("a", "A1"): {"wu-palmer": 0.857143, "leacock-chodorow": 1.386294, "lin": 0.716209},
    ("a", "a"): {"wu-palmer": 1, "leacock-chodorow": 2.079442, "lin": 1},
}
JIANG_CONRATH = {
    ("a", "c"): 1.442114,
    ("a", "d"): 2,
    ("a", "A1"): 0.442114,
    ("a", "a"): 0,
}
"""Distances, on Seco's information."""


@pytest.mark.parametrize("pair", PAIRS)
def test_similarities_of_the_toy_tree(pair: tuple[str, str]) -> None:
    for measure, expected in PAIRS[pair].items():
        found = oe.concepts.similarity(TOY, *pair, measure=measure)  # type: ignore[arg-type]
        assert found == pytest.approx(expected, abs=5e-5 if measure == "wu-palmer(links)" else 5e-7)
    distance = JIANG_CONRATH[pair]
    assert oe.concepts.similarity(TOY, *pair, measure="jiang-conrath") == pytest.approx(
        1 / (1 + distance), abs=5e-7
    )
    assert oe.concepts.cost_between(TOY, *pair, cost="jiang-conrath") == pytest.approx(distance / 2, abs=5e-7)
    for measure in ("wu-palmer", "lin"):
        cost = oe.concepts.cost_between(TOY, *pair, cost=measure)
        assert cost == pytest.approx(1 - PAIRS[pair][measure], abs=5e-7)


NXONTOLOGY = {
    # intrinsic_ic: resnik, lin, jiang, jiang_seco, batet
    ("resnik", "a", "b"): (1.3862943611, 0.5578858913, 0.3127712726, 0.5578858913, 0.6),
    ("resnik", "a", "c"): (0.6931471806, 0.2789429457, 0.2181729831, 0.2789429457, 0.25),
    ("resnik", "c", "d"): (1.0986122887, 0.4421141087, 0.2650699755, 0.4421141087, 0.4285714286),
    ("resnik", "c", "B2"): (0.6931471806, 0.2789429457, 0.2181729831, 0.2789429457, 0.2857142857),
    ("resnik", "A1", "c"): (0.6931471806, 0.3581044635, 0.2869517323, 0.5, 0.2857142857),
    ("resnik", "a", "A"): (0.6931471806, 0.436208584, 0.3581970478, 0.6394714728, 0.5),
    # intrinsic_ic_sanchez; what it scales by is not the largest there is, so jiang_seco is left out
    ("sanchez(own-leaf)", "a", "b"): (1.4350845253, 0.8330115798, 0.6347738732, None, 0.6),
    ("sanchez(own-leaf)", "a", "c"): (1.0296194172, 0.5859221969, 0.4072843237, None, 0.25),
    ("sanchez(own-leaf)", "c", "d"): (1.2527629685, 0.7129057771, 0.4977600474, None, 0.4285714286),
    ("sanchez(own-leaf)", "c", "B2"): (0.8472978604, 0.4911889386, 0.3629247902, None, 0.2857142857),
    ("sanchez(own-leaf)", "A1", "c"): (1.0296194172, 0.6381587823, 0.4613386323, None, 0.2857142857),
    ("sanchez(own-leaf)", "a", "A"): (1.0296194172, 0.7481649824, 0.5906161091, None, 0.5),
}
"""What nxontology 0.5.0 gives for the toy hierarchy in which c has two parents."""


@pytest.mark.parametrize(("information", "one", "other"), NXONTOLOGY)
def test_similarities_in_a_dag_are_those_of_nxontology(information: str, one: str, other: str) -> None:
    *published, scaled, batet = NXONTOLOGY[information, one, other]
    found = [
        oe.concepts.similarity(DAG, one, other, measure=measure, information=information)
        for measure in ("resnik", "lin", "jiang-conrath")
    ]
    assert found == pytest.approx(published, abs=1e-9)
    assert oe.concepts.similarity(DAG, one, other, measure="batet") == pytest.approx(batet)
    assert oe.concepts.cost_between(DAG, one, other, cost="batet") == pytest.approx(1 - batet)
    if scaled is not None:
        cost = oe.concepts.cost_between(DAG, one, other, cost="jiang-conrath(resnik)")
        assert cost == pytest.approx(1 - scaled)


def test_similarities_below_two_roots_are_those_of_nxontology_where_the_roots_are_apart() -> None:
    """It knows no virtual root; without one, concepts without a common ancestor have the similarity 0."""
    roots = oe.Hierarchy.from_edges([("x", "y"), ("x", "z"), ("u", "z"), ("u", "v")])
    for pair in (("y", "z"), ("z", "v")):
        assert oe.concepts.similarity(roots, *pair, measure="resnik", information="resnik") == pytest.approx(
            0.5108256238
        )
        assert oe.concepts.similarity(roots, *pair) == pytest.approx(0.3173938055)
        assert oe.concepts.similarity(roots, *pair, measure="batet") == 0.25
    # nxontology gives 1 / (1 + IC + IC) here, as if there were a root that says nothing
    found = oe.concepts.similarity(roots, "y", "v", measure="jiang-conrath", information="resnik")
    assert found == pytest.approx(0.2370299676)
    for measure in ("resnik", "lin", "batet", "wu-palmer", "leacock-chodorow", "jiang-conrath"):
        assert oe.concepts.similarity(roots, "y", "v", measure=measure, connect_roots=False) == 0
        assert oe.concepts.cost_between(roots, "y", "v", cost=measure, connect_roots=False) == 1


def test_one_concept_alone_is_similar_to_itself() -> None:
    single = oe.Hierarchy.from_edges([], concepts=["only"])
    for measure in ("lin", "jiang-conrath", "wu-palmer", "wu-palmer(links)", "batet"):
        assert oe.concepts.similarity(single, "only", "only", measure=measure) == 1
        assert oe.concepts.cost_between(single, "only", "only", cost=measure) == 0
    assert (
        oe.concepts.similarity(
            single, "only", "only", information="ic" if "ic" in single.weights else "resnik"
        )
        == 1
    )
    assert weight_by_name(single, "seco").tolist() == [1]
    assert weight_by_name(single, "zhou").tolist() == [1]
    assert weight_by_name(single, "resnik").tolist() == [0]


# annotations ------------------------------------------------------------------------------------------------

CAFA_TRUTH = [["a"], ["a", "d"], ["c"], ["e"], ["B2"], ["b", "c"]]
CAFA_IA = {"A": 0.584963, "B": 1, "A1": 0.415037, "A2": 1, "a": 0.584963, "b": 1.584963, "c": 0} | {
    "B1": 0.584963,
    "B2": 1.584963,
    "d": 1,
    "e": 1,
    "R": 0,
}
"""Equal to what cafaeval computes."""


def test_information_accretion_of_the_toy_tree_and_of_the_dag() -> None:
    sets = oe.LabelSets.from_sets(CAFA_TRUTH, vocabulary=TOY.vocabulary)
    found = dict(zip(TOY.vocabulary, oe.concepts.information_accretion(sets, TOY), strict=True))
    assert found == pytest.approx(CAFA_IA, abs=5e-7)
    found = dict(zip(DAG.vocabulary, oe.concepts.information_accretion(sets, DAG), strict=True))
    expected = {"B": 0.2630, "B1": 0.3219, "B2": 2.3219, "d": 2, "e": 2}
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=5e-5)


GOLD = [["a"], ["b"], ["c"], ["d"], ["a", "d"], ["e"], ["B2"], ["a"]]
PREDICTED = [["a"], ["a"], ["A1"], ["e"], ["a"], ["B"], ["c"], ["a", "d"]]
ROWS = [1.415037, -1.415037, -1.965784, -0.754888, -0.584963, -1, -6, -0.584963]
"""Amigó and Delgado's measure as PyEvALL 0.2.11 computes it for the forest."""


def known(gold: list[list[str]], hierarchy: oe.Hierarchy = FOREST) -> oe.Hierarchy:
    sets = oe.LabelSets.from_sets(gold, vocabulary=hierarchy.vocabulary)
    return oe.concepts.with_information(hierarchy, sets, corpus="the gold standard")


def test_the_contrast_model_of_the_forest_is_that_of_pyevall() -> None:
    result = oe.evaluate(GOLD, PREDICTED, hierarchy=known(GOLD), measures=["ICM", "ICMnorm"])
    assert result.scores == pytest.approx({"ICM": -1.3613245985, "ICMnorm": 0.2310314579}, abs=5e-11)
    assert result.per_sample("ICM") == pytest.approx(ROWS, abs=5e-7)
    perfect = oe.evaluate(GOLD, GOLD, hierarchy=known(GOLD), measures=["ICM", "ICMnorm"])
    assert perfect.scores == pytest.approx({"ICM": 2.5306390622, "ICMnorm": 1}, abs=5e-11)


def test_the_contrast_model_of_yes_and_no_is_that_of_pyevall() -> None:
    flat = oe.Hierarchy.from_edges([], concepts=["yes", "no"])
    gold, predicted = [["yes"], ["yes"], ["no"], ["no"]], [["yes"], ["yes"], ["no"], ["yes"]]
    result = oe.evaluate(gold, predicted, hierarchy=known(gold, flat), measures=["ICM", "ICMnorm"])
    assert result.scores == pytest.approx({"ICM": 0.25, "ICMnorm": 0.625})


PYEVALL = [
    (
        [["A", "a"], ["B1", "e"], ["A"], ["c"], ["A2", "B1"]],
        [["a"], ["B"], ["B1", "B2", "b"], ["b"], ["b", "d"]],
        -1.4780719051,
        0.1279359361,
    ),
    (
        [["A2", "a"], ["A1"], ["A1", "a"], ["A", "A1"], ["B", "d"]],
        [["A", "B", "b"], ["A"], ["A", "B2", "c"], ["A", "A2", "c"], ["A2", "B1", "d"]],
        -2.6712287620,
        0,
    ),
    (
        [["c", "d"], ["c"], ["c"], ["b"], ["B2", "c"]],
        [["B1", "B2"], ["A", "a", "d"], ["B1", "b"], ["B2", "c"], ["B2"]],
        -2.3794705708,
        0,
    ),
    (
        [["B1", "a"], ["B1"], ["A1"], ["B1", "d"], ["a"]],
        [["B2", "e"], ["A1", "c"], ["e"], ["B2"], ["A", "B"]],
        -2.5781193577,
        0,
    ),
    (
        [["A2"], ["c"], ["A2", "a"], ["B", "a"], ["B"]],
        [["A"], ["A2", "a", "e"], ["a"], ["b", "e"], ["d"]],
        -0.4780719051,
        0.3635895476,
    ),
]
"""What PyEvALL 0.2.11 gives for the forest, where some predicted labels are never true: gold, predicted,
ICM and ICM-norm."""


@pytest.mark.parametrize(("gold", "predicted", "icm", "normalised"), PYEVALL)
def test_labels_that_are_never_true_say_as_much_as_those_that_are_once(
    gold: list[list[str]], predicted: list[list[str]], icm: float, normalised: float
) -> None:
    result = oe.evaluate(gold, predicted, hierarchy=known(gold), measures=["ICM", "ICMnorm"])
    assert result.scores == pytest.approx({"ICM": icm, "ICMnorm": normalised}, abs=1e-9)


def test_where_the_truth_says_nothing_saying_nothing_is_right() -> None:
    hierarchy = known([["a"], ["b"]])
    result = oe.evaluate([[], []], [[], ["a"]], hierarchy=hierarchy, measures=["ICM", "ICMnorm"])
    assert result.per_sample("ICMnorm").tolist() == [1, 0]
    assert result.per_sample("ICM").tolist() == [0, -1]


def test_the_contrast_model_has_no_value_on_a_dag_and_says_why() -> None:
    message = r"ICM is defined for trees only.* 1 concepts have some: 'c'\. .* hF\(weight='seco'\)"
    with pytest.raises(MeasureError, match=message):
        oe.evaluate([["a"]], [["c"]], hierarchy=DAG, measures="ICM(information='seco')")


# what has to be given ---------------------------------------------------------------------------------------


def test_unseen_concepts_are_counted_as_told() -> None:
    hierarchy = oe.Hierarchy.from_edges([("r", "a"), ("r", "b")])
    sets = oe.LabelSets.from_sets([["a"], ["a"], ["r"]], vocabulary=hierarchy.vocabulary)
    content = oe.concepts.information_content(sets, hierarchy)
    assert content == pytest.approx([0, np.log2(3 / 2), np.log2(3)])
    content = oe.concepts.information_content(sets, hierarchy, unseen="smoothed")
    assert content == pytest.approx([0, np.log2(4 / 3), np.log2(4)])
    with pytest.raises(InputError, match=r"1 of 3 concepts occur in no sample: 'b'\. Take a larger corpus"):
        oe.concepts.information_content(sets, hierarchy, unseen="refuse")
    assert oe.concepts.information_accretion(sets, hierarchy)[2] == 0


def test_a_corpus_has_samples_and_a_description() -> None:
    none = oe.LabelSets.from_sets([], vocabulary=TOY.vocabulary)
    with pytest.raises(InputError, match="a corpus without samples"):
        oe.concepts.information_accretion(none, TOY)
    some = oe.LabelSets.from_sets([["a"]])
    for corpus in ("", "  ", None):
        with pytest.raises(ParameterError, match="corpus="):
            oe.concepts.with_information(TOY, some, corpus=corpus)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="unseen='never'"):
        oe.concepts.with_information(TOY, some, corpus="c", unseen="never")  # type: ignore[arg-type]


@pytest.mark.parametrize("measure", ["OS(cost='lin(agreement)')", "ICM(information='agreement')"])
def test_what_falls_from_parent_to_child_is_no_information_content(measure: str) -> None:
    agreement = dict.fromkeys(TOY.vocabulary, 1.0) | {"a": 0.5, "b": 0.25}
    message = r"the weight 'agreement' is no information content.*'a 0\.5 below A1 1', 'b 0\.25 below A1 1'"
    with pytest.raises(InputError, match=message):
        oe.evaluate([["a"]], [["b"]], hierarchy=TOY, agreement=agreement, measures=measure)


@pytest.mark.parametrize(
    "name", ["sanchez(leaf)", "zhou(2)", "zhou(x)", "seco(1)", "seco()", "nothing", "zhou(0.5"]
)
def test_unknown_information_is_refused_with_what_is_known(name: str) -> None:
    with pytest.raises(ParameterError, match=r"information='.*': expected one of 'uniform', 'seco'"):
        oe.concepts.cost_between(TOY, "a", "b", cost=f"lin({name})")
    with pytest.raises(ParameterError, match=r"weight='.*': expected one of 'uniform', 'seco'"):
        oe.evaluate([["a"]], [["b"]], hierarchy=TOY, measures=f"hF(weight={name!r})")


def test_built_in_names_are_not_given_to_other_things() -> None:
    with pytest.raises(ParameterError, match=r"weight='zhou.0.1.': expected another name"):
        weight_by_name(TOY.with_weight("zhou(0.1)", np.ones(12)), "zhou(0.1)")
    with pytest.raises(ParameterError, match=r"cost='lin.ic.': expected another name"):
        oe.concepts.cost_between(TOY.with_cost("lin(ic)", np.zeros((12, 12))), "a", "b", cost="lin(ic)")


def test_unknown_similarities_and_concepts_are_refused() -> None:
    with pytest.raises(ParameterError, match="measure='cosine'"):
        oe.concepts.similarity(TOY, "a", "b", measure="cosine")  # type: ignore[arg-type]
    with pytest.raises(UnknownConceptError, match="'z'"):
        oe.concepts.similarity(TOY, "a", "z")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("beta=2", "beta=2.0: expected more than alpha1=2 and alpha2=2, less than their sum"),
        ("beta=4", "beta=4.0: expected more than"),
        ("alpha1=0", "alpha1=0: expected a number above 0"),
        ("alpha2='2'", "alpha2='2': expected a number above 0"),
        ("information=None", "information=None: expected the name of a weight"),
    ],
)
def test_parameters_that_the_contrast_model_cannot_have_are_refused(options: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        oe.measures.parse(f"ICM({options})")


# weights from mappings and files ----------------------------------------------------------------------------


def test_weights_are_given_by_name_for_every_concept() -> None:
    hierarchy = oe.Hierarchy.from_edges([("r", "a")], abstract=["r"])
    assert hierarchy.with_weight("w", {"a": 2, "r": 1}).weights["w"].tolist() == [1, 2]
    with pytest.raises(
        InputError, match=r"the weight 'w' lacks 1 of 2 concepts: 'r'.*those that are no labels"
    ):
        hierarchy.with_weight("w", {"a": 2})
    with pytest.raises(UnknownConceptError, match="'z'"):
        hierarchy.with_weight("w", {"a": 2, "r": 1, "z": 3})


def test_weights_are_read_for_abstract_concepts_too(tmp_path: Path) -> None:
    ontology = oe.read_ontology(oe.ontologies.path("diamond"))
    vocabulary = ontology.hierarchy().vocabulary
    path = tmp_path / "weights.csv"
    rows = [f"{name},{number}" for number, name in enumerate(vocabulary)]
    path.write_text("\n".join(["concept,weight", *rows]), encoding="utf-8")
    weights = oe.read_weights(path, ontology)
    known = ontology.hierarchy().with_weight("w", weights, source=weights.source)
    assert known.weights["w"].tolist() == list(range(len(vocabulary)))
    assert known.sources["weight 'w'"] == str(path)


def test_weights_without_header_are_read_as_cafa_writes_them(tmp_path: Path) -> None:
    path = tmp_path / "IA.tsv"
    path.write_text("GO:1\t0.5\nGO:2\t0\n", encoding="utf-8")
    assert dict(oe.read_weights(path)) == {"GO:1": 0.5, "GO:2": 0.0}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("concept,weight\na,-1\n", r"the weight of 'a' is '-1'\. Write a finite number of at least 0"),
        ("concept,weight\na,inf\n", "the weight of 'a' is 'inf'"),
        ("a,1\na,2\n", "'a' has two values, in row 1 and row 2"),
        ("a,1\nb,x\n", "row 2: the weight of 'b' is 'x'"),
        ("concept,value,weight\na,1,2\n", "2 columns for the weight"),
    ],
)
def test_weights_that_are_none_are_refused_with_their_row(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "weights.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        oe.read_weights(path)


def test_concepts_without_weight_get_the_default_or_are_named() -> None:
    ontology = oe.read_ontology(oe.ontologies.path("diamond"))
    with pytest.raises(
        InputError, match=r"no weight for .* concepts: .* or in Python a default \(default=\)"
    ):
        oe.read_weights({"car": 1}, ontology)
    weights = oe.read_weights({"car": 1}, ontology, default=0)
    assert sum(weights.values()) == 1
    assert len(weights.filled) == len(weights) - 1
    with pytest.raises(ParameterError, match="default=-1: expected None or a number of at least 0"):
        oe.read_weights({"car": 1}, ontology, default=-1)


# co-occurrence ----------------------------------------------------------------------------------------------

COUNTS = [[100, 60, 2], [60, 200, 4], [2, 4, 50]]
"""How many of 1,000 pages hold tree, plant and car."""


def test_context_similarity_of_counts() -> None:
    similarity = 1 - oe.concepts.CoOccurrence(np.array(COUNTS), 1000).costs()[np.triu_indices(3, 1)]
    assert similarity == pytest.approx([0.606273, 0.286566, 0.286566], abs=1e-6)
    distances = np.array([0.522879, 1.305865, 1.305865])
    assert -np.log(similarity) * distances.mean() == pytest.approx(distances, abs=2e-6)


def test_context_similarity_is_a_cost_of_the_ontology_score() -> None:
    flat = oe.Hierarchy.from_edges([], concepts=["tree", "plant", "car"])
    given = flat.with_cost(
        "context", oe.concepts.CoOccurrence(np.array(COUNTS), 1000).costs(), source="Flickr"
    )
    result = oe.evaluate([["tree"]], [["plant"]], hierarchy=given, measures="OS(cost='context')")
    assert result["OS(cost='context')"] == pytest.approx(0.606273, abs=1e-6)
    assert "cost 'context': Flickr" in result.signature


def test_concepts_that_never_meet_are_wholly_apart_and_those_that_always_do_are_alike() -> None:
    sets = oe.LabelSets.from_sets([["x", "y"], ["x", "y"]], vocabulary=("x", "y", "z"))
    counts = oe.concepts.CoOccurrence.of(sets)
    assert counts.costs().tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    nothing = oe.concepts.CoOccurrence.of(oe.LabelSets.from_sets([], vocabulary=("x", "y")))
    assert nothing.costs().tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("together", "total"),
    [
        ([[1, 2], [2, 1]], 9),
        ([[2, 1], [0, 2]], 9),
        ([[2, -1], [-1, 2]], 9),
        ([[2, np.nan], [np.nan, 2]], 9),
        ([[2]], 1),
        ([[2, 1]], 9),
        ([2, 1], 9),
        ([["x"]], 9),
    ],
)
def test_what_cannot_be_counts_is_refused(together: list[object], total: float) -> None:
    with pytest.raises(InputError, match=r"counts that are no numbers|no counts of the samples"):
        oe.concepts.CoOccurrence(np.array(together), total)


def test_tables_of_all_pairs_are_not_too_large() -> None:
    many = oe.LabelSets.from_sets([["c0"]], vocabulary=tuple(f"c{i}" for i in range(5_001)))
    with pytest.raises(InputError, match=r"5,001 concepts has 25,010,001 entries, 0.2 GB.*'lin'"):
        oe.concepts.CoOccurrence.of(many)
