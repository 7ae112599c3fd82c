"""Errors by kind: which kind each wrong label has, and what measures charge for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.comparison import ERROR_KINDS
from tests.commands import call, refusal
from tests.strategies import Graph, concept_set_pairs, dags, trees

EDGES = [
    ("animal", "dog"), ("animal", "cat"), ("dog", "poodle"), ("dog", "corgi"), ("cat", "siamese"),
    ("plant", "tree"), ("plant", "rose"), ("tree", "oak"),
]  # fmt: skip
KINDS = tuple(ERROR_KINDS)


def kinds_of(truth: list[str], prediction: list[str], edges: Any = EDGES) -> dict[str, list[int]]:
    """Missed and false labels of each kind that there is."""
    found = oe.errors_by_kind([truth], {"run": [prediction]}, hierarchy=edges, measures="F")
    (both,) = found.counts.astype(int).tolist()
    return {kind: counts for kind, *counts in zip(KINDS, *both, strict=True) if any(counts)}


@pytest.mark.parametrize(
    ("truth", "prediction", "expected"),
    [
        (["poodle"], ["animal"], {"too general": [1, 1]}),
        (["dog"], ["poodle"], {"too specific": [1, 1]}),
        (["poodle"], ["corgi"], {"sibling": [1, 1]}),
        (["poodle"], ["siamese"], {"cousin": [1, 1]}),
        (["poodle"], ["cat"], {"other branch": [1, 1]}),  # an uncle is none of the above
        (["poodle"], ["oak"], {"other branch": [1, 1]}),  # nothing above both
        (["poodle", "rose"], ["poodle"], {"nothing": [1, 0]}),
        (["poodle"], ["poodle", "rose"], {"invented": [0, 1]}),
        (["poodle"], ["poodle", "corgi"], {"invented": [0, 1]}),  # nothing is missed in whose place it could be
        (["animal", "dog", "poodle"], ["animal", "dog"], {"too general": [1, 0]}),  # stops above, in closed sets
        (["animal", "dog"], ["animal", "dog", "poodle"], {"too specific": [0, 1]}),
        (["dog", "poodle"], ["poodle"], {"too specific": [1, 0]}),
        (["poodle"], ["dog", "poodle"], {"too general": [0, 1]}),
        (["poodle", "oak"], ["corgi", "rose"], {"sibling": [1, 1], "other branch": [1, 1]}),
        ([], ["rose"], {"invented": [0, 1]}),
        (["rose"], [], {"nothing": [1, 0]}),
        (["rose"], ["rose"], {}),
    ],
)  # fmt: skip
def test_each_wrong_label_has_one_kind(
    truth: list[str], prediction: list[str], expected: dict[str, list[int]]
) -> None:
    assert kinds_of(truth, prediction) == expected


def test_one_of_several_parents_is_enough() -> None:
    assert kinds_of(["poodle"], ["pet"], [*EDGES, ("pet", "poodle")]) == {"too general": [1, 1]}


@given(st.data())
def test_kinds_are_the_relations_that_a_graph_gives_and_every_wrong_label_has_one(
    data: st.DataObject,
) -> None:
    graph: Graph = data.draw(st.one_of(trees(min_nodes=2), dags(min_nodes=2)))
    truth, prediction = data.draw(concept_set_pairs(graph.names))
    links = nx.DiGraph(graph.edges)
    links.add_nodes_from(graph.names)
    hierarchy = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)

    def counted(truths: Any, predictions: Any) -> Any:
        return oe.errors_by_kind(truths, {"run": predictions}, hierarchy=hierarchy, measures="Hamming")

    found = counted(truth, prediction)
    missed = sum(len(true - said) for true, said in zip(truth, prediction, strict=True))
    false = sum(len(said - true) for true, said in zip(truth, prediction, strict=True))
    assert found.counts[0].sum(axis=1).tolist() == [missed, false]
    alone = sum(counted([one], [other]).counts for one, other in zip(truth, prediction, strict=True))
    np.testing.assert_array_equal(found.counts, alone)
    for true, said in zip(truth, prediction, strict=True):
        if len(true) == len(said) == 1 and true != said:
            ((one,), (other,)) = true, said
            expected = _relation(links, one, other)
            assert counted([true], [said]).counts[0, :, KINDS.index(expected)].tolist() == [1, 1]
    # Hamming is additive: kinds share its loss as they share the wrong labels, and nothing is left.
    np.testing.assert_allclose(found.rest, 0, atol=1e-9)
    np.testing.assert_allclose(found.loss_shares[0, 0], found.shares[0], atol=1e-9)


def _relation(links: Any, true: str, said: str) -> str:
    if said in nx.ancestors(links, true):
        return "too general"
    if said in nx.descendants(links, true):
        return "too specific"
    parents, grandparents = (
        [set.union(set(), *(at(one) for at in [above])) for one in (true, said)]
        for above in (
            lambda one: set(links.predecessors(one)),
            lambda one: {top for parent in links.predecessors(one) for top in links.predecessors(parent)},
        )
    )
    if parents[0] & parents[1]:
        return "sibling"
    return "cousin" if grandparents[0] & grandparents[1] else "other branch"


TRUTH = [["poodle"], ["corgi"], ["rose"], ["poodle", "oak"]]
RUN = [["dog"], ["poodle"], ["rose", "oak"], ["poodle"]]


def test_the_share_of_a_kind_is_what_its_repair_gains() -> None:
    found = oe.errors_by_kind(TRUTH, {"run": RUN}, hierarchy=EDGES, measures=["F", "hF", "Hamming"])
    repaired = {
        "too general": [["poodle"], *RUN[1:]],
        "sibling": [RUN[0], ["corgi"], *RUN[2:]],
        "invented": [*RUN[:2], ["rose"], RUN[3]],
        "nothing": [*RUN[:3], ["poodle", "oak"]],
    }
    for at, measure in enumerate(found.measures):
        sign = -1 if measure == "Hamming" else 1

        def scored(prediction: Any, measure: str = measure) -> float:
            return oe.evaluate(TRUTH, prediction, hierarchy=EDGES, measures=measure)[measure]

        now = scored(RUN)
        assert found.scores[0, at] == now
        assert found.losses[0, at] == pytest.approx(sign * (scored(TRUTH) - now))
        gains = {kind: sign * (scored(other) - now) for kind, other in repaired.items()}
        expected = [gains.get(kind, 0.0) for kind in KINDS]
        np.testing.assert_allclose(found.gains[0, at], expected, atol=1e-9)
        np.testing.assert_allclose(found.loss_shares[0, at], np.divide(expected, sum(expected)), atol=1e-9)
        assert found.rest[0, at] == pytest.approx(found.losses[0, at] - sum(expected))


def test_a_weight_of_two_is_the_sample_twice() -> None:
    weighted = oe.errors_by_kind(
        TRUTH, {"run": RUN}, hierarchy=EDGES, measures="F", sample_weight=np.array([2.0, 1, 0, 1])
    )
    twice = oe.errors_by_kind(
        [TRUTH[0], TRUTH[0], TRUTH[1], TRUTH[3]],
        {"run": [RUN[0], RUN[0], RUN[1], RUN[3]]},
        hierarchy=EDGES,
        measures="F",
    )
    np.testing.assert_array_equal(weighted.counts, twice.counts)
    np.testing.assert_allclose(weighted.loss_shares, twice.loss_shares)


@pytest.mark.parametrize(
    "measure",
    [lambda _, said: [0.5] * len(said), lambda _, said: [np.nan] * len(said)],
    ids=["constant", "undefined"],
)
def test_a_measure_that_charges_for_nothing_has_no_shares(measure: Callable[..., Any]) -> None:
    found = oe.errors_by_kind(TRUTH, {"run": RUN, "truth": TRUTH}, hierarchy=EDGES, measures=measure)
    assert np.isnan(found.loss_shares).all()
    assert np.isnan(found.shares[1]).all()
    assert not np.isnan(found.shares[0]).any()
    assert "–" in str(oe.reports.tables(found)["errors"].text(oe.reports.tables(found)["errors"].rows[1]))


def test_a_measure_of_single_labels_sees_single_labels() -> None:
    truth, run = [["poodle"], ["rose"], ["oak"]], [["oak"], ["plant"], ["rose"]]
    found = oe.errors_by_kind(truth, {"run": run}, hierarchy=EDGES, measures="Cost")
    assert found.losses[0, 0] > 0


def test_a_label_that_was_not_verified_is_no_error() -> None:
    truth = oe.VerifiedLabels.from_sets(
        {"p": ["poodle"]}, {"p": ["corgi"]}, vocabulary=["poodle", "corgi", "rose"]
    )
    run = {"p": ["rose", "corgi"]}
    found = oe.errors_by_kind(truth, {"run": run}, hierarchy=EDGES, measures="F")
    assert found.counts[0, :, KINDS.index("sibling")].tolist() == [1, 1]
    assert found.counts.sum() == 2


@pytest.mark.parametrize(
    ("call_it", "message"),
    [
        (lambda: oe.errors_by_kind(TRUTH, cast("Any", RUN), hierarchy=EDGES), "runs without names"),
        (lambda: oe.errors_by_kind(TRUTH, {"r": RUN}, hierarchy=None), "expected a Hierarchy, an Ontology"),
        (
            lambda: oe.errors_by_kind(TRUTH, {"r": RUN}, hierarchy=EDGES, measures="AP"),
            "AP",
        ),
    ],
)
def test_what_has_no_kinds_is_refused(call_it: Callable[[], object], message: str) -> None:
    with pytest.raises(oe.OntoevalError, match=message):
        call_it()


def test_the_command_shows_the_table_and_draws_it(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "tree.csv").write_text("".join(["parent,child\n", *(f"{a},{b}\n" for a, b in EDGES)]))
    for name, sets in (("truth", TRUTH), ("run", RUN)):
        rows = "".join(f"p{at};{','.join(labels)}\n".replace(",", "|") for at, labels in enumerate(sets))
        (tmp_path / f"{name}.csv").write_text(
            "id;labels\n".replace(";", ",") + rows.replace(";", ",").replace("|", ";")
        )
    given = (tmp_path / "truth.csv", tmp_path / "run.csv", "--ontology", tmp_path / "tree.csv", "-m", "F")
    shown = call("errors", *given, "--format", "csv", "--figures", tmp_path / "figures")
    assert shown.exit_code == 0, shown.output
    assert "run,wrong labels,6,,,0.3333333333333333,0.0,0.3333333333333333,0.0,0.0,0.16" in shown.stdout
    assert {path.name for path in (tmp_path / "figures").iterdir()} == {
        "errors.pdf",
        "errors.png",
        "errors.svg",
    }
    svg = (tmp_path / "figures" / "errors.svg").read_text()
    assert all(kind in svg for kind in (*KINDS, "run: F", "run: wrong labels"))


def test_a_refused_command_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "truth.csv").write_text("id,labels\np,sky\n")
    arguments = ["errors", tmp_path / "truth.csv", tmp_path / "truth.csv", "--ontology", "photo", "-m", "AP"]
    assert "labels, not scores" in refusal(
        [*arguments, "--figures", tmp_path / "figures"], capsys, monkeypatch
    )
    assert not (tmp_path / "figures").exists()
