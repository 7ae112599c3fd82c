"""Numbers: scores that are absent or 0, conventions of programs, counts, and the same bits for the same samples."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import ontoeval as oe
from ontoeval.concepts import LabelFrequencies
from ontoeval.measures.counts import Overlap

FLAT = oe.Vocabulary(("a", "b"))
BOTH = oe.LabelSets.from_sets([["a", "b"]], vocabulary=FLAT)
HALF = np.array([[0.5, 0.0]])

# a label without a score has the score 0 --------------------------------------------------------------------

TREE = oe.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "c"), ("a", "d")]).with_weight(
    "ia", [0, 1.5, 0.7, 0, 2.1]
)
NAMES = TREE.label_vocabulary
CORPUS = LabelFrequencies({"a": 3, "b": 1}, 10)
OF_SCORES: list[Any] = [
    replace(measure, corpus=CORPUS) if hasattr(measure, "corpus") else measure
    for measure in (entry.measure for entry in oe.CATALOGUE)
    if getattr(measure, "takes", "") == "scores"
]
"""Every measure of scores, those of single labels too."""
CURVES = [
    f"{symbol}(thresholds={thresholds}{options})"
    for symbol in ("Fmax", "wFmax", "microFmax", "Covered", "Smin")
    for thresholds in ("'distinct'", "(-1.0, 0.0, 0.3)")
    for options in (
        "",
        ", propagate=False, empty=0.0",
        ", uncovered=False" if symbol == "Smin" else ", empty=None",
    )
]


@st.composite
def scored(draw: st.DrawFn) -> tuple[list[list[str]], np.ndarray[Any, Any]]:
    """One true label for each sample, and scores that sum to 1 at most, many of them 0."""
    count = draw(st.integers(1, 4))
    truth = [[draw(st.sampled_from(list(NAMES)))] for _ in range(count)]
    levels = st.lists(st.sampled_from([0.0, 0.0, 0.05, 0.1, 0.2]), min_size=5, max_size=5)
    return truth, np.array([draw(levels) for _ in range(count)])


def ways(table: np.ndarray[Any, Any]) -> dict[str, oe.LabelScores]:
    """The same scores as a dense array, sparse with and without its zeros, and from a long file without."""
    samples, names = tuple(map(str, range(len(table)))), list(NAMES)
    column = np.tile(np.arange(len(names)), len(table))
    stored = sparse.csr_array((table.ravel(), column, np.arange(0, table.size + 1, 5)), shape=table.shape)
    lines = [f"{sample},," for sample in samples]
    lines += [f"{row},{names[at]},{table[row, at]}" for row, at in np.argwhere(table > 0).tolist()]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "long.csv"
        path.write_text("\n".join(["sample,concept,score", *lines]), encoding="utf-8")
        file = oe.read_scores(path, concepts=names)
    return {
        "dense": oe.LabelScores.from_array(table, vocabulary=NAMES, samples=samples),
        "sparse": oe.LabelScores.from_array(sparse.csr_array(table), vocabulary=NAMES, samples=samples),
        "zeros stored": oe.LabelScores.from_array(stored, vocabulary=NAMES, samples=samples),
        "by hand": oe.LabelScores(stored, NAMES, samples),
        "long file": file,
    }


@pytest.mark.no_cover
@settings(max_examples=settings().max_examples // 2)
@given(case=scored())
def test_dense_scores_sparse_ones_and_a_long_file_without_zeros_have_the_same_numbers(case: Any) -> None:
    truth = oe.LabelSets.from_sets(case[0], vocabulary=NAMES)
    found = {
        way: [
            repr((result.scores, [result.per_sample(one).tolist() for one in result]))
            for result in [oe.evaluate(truth, one, hierarchy=TREE, measures=[*OF_SCORES, *CURVES])]
        ]
        + [
            repr([oe.sweep(truth, one, measures=["F", "hF"], hierarchy=TREE, thresholds=limits).rows()])
            for limits in ((-1.0, 0.0, 0.1), 0.1)
        ]
        + [repr(oe.curve(truth, one, hierarchy=TREE, thresholds=(-1.0, 0.0, 0.1)).rows())]
        + [repr([one.at(limit).sizes.tolist() for limit in (-1, 0, 0.05)])]
        for way, one in ways(case[1]).items()
    }
    assert {way for way, numbers in found.items() if numbers != found["dense"]} == set()


@pytest.mark.parametrize("array", [HALF, sparse.csr_array(HALF)], ids=["dense", "sparse"])
def test_a_score_of_zero_is_predicted_at_no_threshold(array: Any) -> None:
    scores = oe.LabelScores.from_array(array, vocabulary=FLAT)
    notation = "Fmax(thresholds='distinct', propagate=False)"
    assert oe.evaluate(BOTH, scores, measures=notation)[notation] == 2 / 3
    assert [scores.at(limit).labels_of("0") for limit in (-1, 0, 0.5)] == [("a",)] * 3
    curve = oe.curve(BOTH, scores, propagate=False, thresholds=(-1, 0, 0.5))
    assert curve.recall.tolist() == [0.5] * 3
    swept = oe.sweep(BOTH, scores, measures="R", thresholds=(-1, 0, 0.5))
    assert swept["R"].tolist() == [0.5] * 3


def test_of_negative_scores_zero_is_one_like_the_others() -> None:
    scores = oe.LabelScores.from_array([[-2.0, 0.0], [1.0, 0.0]], vocabulary=FLAT)
    assert [scores.at(-1).labels_of(sample) for sample in "01"] == [("b",), ("a", "b")]
    # The second sample is part of data with negative scores, alone as well.
    assert scores.rows(1, 2).at(-1).labels_of("1") == ("a", "b")
    truth = oe.LabelSets.from_array([[0, 1], [0, 1]], vocabulary=FLAT)
    notation = "Fmax(thresholds=(-1.0, 0.5), propagate=False)"
    batch = oe.align(truth, scores)
    parts = [oe.collect(chunk, notation) for chunk in batch.chunks(1)]
    assert oe.score(oe.merge(*parts)).scores == oe.evaluate(truth, scores, measures=notation).scores


GAP = r"no score for 1 of 4 pairs of sample and concept, such as sample 'p2' and 'a', while other scores"


def test_negative_scores_without_those_of_all_pairs_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("sample,concept,score\np1,a,-2\np1,b,1\np2,b,0\n", encoding="utf-8")
    with pytest.raises(oe.OntoevalError, match=rf"run\.csv: {GAP} are negative.*1 / \(1 \+ exp\(-score\)\)"):
        oe.read_scores(path)
    lists = pd.read_csv(path)
    with pytest.raises(oe.OntoevalError, match=GAP):
        oe.LabelScores.from_frame(lists, sample="sample", concept="concept", score="score")
    path.write_text("sample,concept,score\np1,a,-2\np1,b,1\np2,b,0\np2,a,-1\n", encoding="utf-8")
    assert oe.read_scores(path).at(0).labels_of("p2") == ("b",)


def test_negative_scores_are_refused_where_the_truth_has_more_samples_or_concepts() -> None:
    scores = oe.LabelScores.from_array([[-2.0, 0.0]], vocabulary=FLAT, samples=["p1"])
    two = oe.LabelSets.from_sets({"p1": ["a"], "p2": ["b"]}, vocabulary=FLAT)
    with pytest.raises(oe.OntoevalError, match="no score for 2 of 4 pairs of sample and concept"):
        oe.align(two, scores, missing="empty")
    more = oe.LabelSets.from_sets({"p1": ["a"]}, vocabulary=oe.Vocabulary(("a", "b", "c")))
    with pytest.raises(oe.OntoevalError, match="such as sample 'p1' and 'c'"):
        oe.evaluate(more, scores, measures="LRAP")


# the same samples give the same bits ------------------------------------------------------------------------

TINY = (
    [["c"], ["d", "b"], ["b", "a", "d"]],
    [["c", "d"], ["r", "d", "b"], ["b"]],
)


def test_the_order_of_samples_does_not_change_a_mean() -> None:
    for way in (slice(None), slice(None, None, -1)):
        truth, run = (side[way] for side in TINY)
        assert oe.evaluate(truth, run, measures="Jaccard").scores == {"Jaccard": 0.5}


ONTOLOGY = oe.read_ontology(oe.ontologies.path("photo"))
FOLDER = oe.ontologies.benchmark()
SOME = 60
"""Samples of the example that are looked at."""


@cache
def example() -> tuple[oe.LabelSets, oe.LabelSets, oe.Hierarchy]:
    """Truth, run and hierarchy of the example, with information from the truth and some agreement."""
    truth, run = (oe.read_labels(FOLDER / file, ONTOLOGY) for file in ("truth.csv", "runs/noisy.csv"))
    hierarchy = oe.concepts.with_information(ONTOLOGY.hierarchy(), truth, corpus="the truth")
    agreement = {name: 1 / (3 + at) for at, name in enumerate(truth.vocabulary)}
    return truth, run, oe.concepts.with_agreement(hierarchy, agreement)


def of_sets(rows: Sequence[int]) -> oe.Batch:
    """Some samples of the example in some order."""
    truth, run, hierarchy = example()
    names = [truth.samples[row] for row in rows]
    return oe.align(truth.take(names), run.take(names), hierarchy=hierarchy)


def of_scores(rows: Sequence[int]) -> oe.core.ScoredBatch:
    """The same with scores, of which most are no sum of halves."""
    sets = of_sets(rows)
    at = np.array(rows)[:, None] + np.arange(len(sets.truth.vocabulary))
    table = sets.prediction.matrix.toarray() / 3 + (at * 7 % 11) / 33
    scores = oe.LabelScores(sparse.csr_array(table), sets.truth.vocabulary, sets.truth.samples)
    return oe.align(sets.truth, scores, hierarchy=sets.hierarchy)


@pytest.mark.no_cover
@pytest.mark.parametrize("make", [of_sets, of_scores])
@settings(max_examples=5)
@given(order=st.permutations(range(SOME)), size=st.integers(1, SOME), turned=st.integers(0, SOME))
def test_neither_order_nor_parts_of_the_samples_change_a_bit(
    make: Any, order: list[int], size: int, turned: int
) -> None:
    of_label_sets = [one.measure for one in oe.CATALOGUE if getattr(one.measure, "takes", "sets") == "sets"]
    fitting = [
        one for one in (of_label_sets if make is of_sets else OF_SCORES) if not getattr(one, "single", False)
    ]
    straight, moved = make(range(SOME)), make(order)
    whole = oe.score(oe.collect(straight, fitting)).scores
    assert dict(oe.score(oe.collect(moved, fitting)).scores) == whole
    summed = [measure for measure in fitting if getattr(measure, "mergeable", True)]
    parts = [oe.collect(chunk, summed) for chunk in moved.chunks(size)]
    parts = parts[turned % len(parts) :] + parts[: turned % len(parts)]
    merged = oe.merge(oe.merge(*parts[:2]), *(pickle.loads(pickle.dumps(part)) for part in parts[2:]))  # noqa: S301
    found = oe.score(merged).scores
    assert found == {name: whole[name] for name in found}


def test_compared_runs_have_the_bits_of_evaluated_ones() -> None:
    batch = of_sets(range(SOME))
    backwards = of_sets(range(SOME)[::-1])
    measures = ["Jaccard", "OS", "hF(average='samples')", "F(average='macro', rule='krstinic')"]
    compared = oe.compare(
        backwards.truth,
        {"one": backwards.prediction, "two": backwards.truth},
        hierarchy=backwards.hierarchy,
        measures=measures,
        resamples=10,
    )
    found = dict(zip(compared.measures, compared.scores[compared.runs.index("one")].tolist(), strict=True))
    assert found == oe.score(oe.collect(batch, measures)).scores


# counts and conventions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["unique", "case"])
def test_the_tensor_counts_in_whole_numbers(variant: Any) -> None:
    folder, ontology = oe.ontologies.benchmark(), oe.read_ontology(oe.ontologies.path("photo"))
    truth = oe.read_labels(folder / "truth.csv", ontology)
    run = oe.read_labels(folder / "runs" / "noisy.csv", ontology)
    counts, plain = oe.confusion_tensor(truth, run, variant=variant).counts(), oe.one_vs_rest(truth, run)
    for part in ("tp", "fp", "fn", "tn"):
        assert getattr(counts, part)[:-1].tolist() == getattr(plain, part).tolist()
        assert float(getattr(counts, part)[-1]).is_integer()


def test_the_preset_of_cafa_is_zero_where_what_is_true_weighs_nothing() -> None:
    hierarchy = oe.Hierarchy.from_edges([("r", "a"), ("r", "b")]).with_weight("ia", [0, 0, 1])
    names = hierarchy.label_vocabulary
    truth = oe.LabelSets.from_sets([["a"]], vocabulary=names)
    scores = oe.LabelScores.from_array([[0, 0.5, 0.5]], vocabulary=names)
    cafa = oe.evaluate(truth, scores, hierarchy=hierarchy, measures=oe.measures.preset("cafa").measures)
    weighted = "wFmax(thresholds='cafaeval', empty=0, undefined=0)"
    assert cafa[weighted] == 0
    assert weighted in cafa.scores
    assert (
        "Fmax is 0 where what is true weighs nothing (undefined=0.0)."
        in oe.measures.preset("cafa").conventions
    )
    assert [cafa[one] for one in cafa if one.startswith(("Fmax", "Covered", "microFmax"))] == [0.8, 1, 0.8]
    # By the definition it is 0/0, and for no samples it is undefined in any case.
    assert np.isnan(oe.evaluate(truth, scores, hierarchy=hierarchy, measures="wFmax")["wFmax"])
    nothing = oe.align(truth.take([]), scores.take([]), hierarchy=hierarchy)
    assert np.isnan(oe.score(oe.collect(nothing, weighted)).scores[weighted])


def test_the_preset_of_hemkit_says_why_its_lca_measures_differ() -> None:
    notes = " ".join(oe.measures.preset("hemkit").conventions)
    assert "HEMKit keeps a few, chosen by the order of concepts." in notes
    assert "LCaF can differ from HEMKit's by some hundredths on real data: in 2 of" in notes


# confusion matrices ------------------------------------------------------------------------------------------


def test_relations_of_confusions_are_shares_of_all_and_nothing_for_nothing_is_right() -> None:
    tree = oe.Hierarchy.from_edges([("x", "a"), ("x", "b"), ("y", "c")])
    truth, prediction = [["a"], ["a"], ["b"], ["c"]], [["b"], ["c"], ["b"], ["c"]]
    found = oe.confusion_matrix(truth, prediction, rule="multiclass", hierarchy=tree).relations(tree)
    assert [tuple(one) for one in found if one.mass] == [
        ("same", 2, 0.5),
        ("sibling", 1, 0.25),
        ("other root", 1, 0.25),
    ]
    found = oe.confusion_matrix([[], ["a"]], [[], ["b"]], rule="mlcm", hierarchy=tree).relations(tree)
    assert [tuple(one) for one in found if one.mass] == [("same", 1, 0.5), ("sibling", 1, 0.5)]


def test_twenty_confusions_are_listed_unless_others_are_asked_for() -> None:
    names = [f"c{number:02}" for number in range(30)]
    truth, prediction = ([[name] for name in side] for side in (names, names[1:] + names[:1]))
    matrix = oe.confusion_matrix(truth, prediction, rule="multiclass")
    flat = oe.Hierarchy.flat(oe.Vocabulary(tuple(names)))
    assert len(matrix.top()) == len(matrix.related(flat)) == 20
    assert len(matrix.top(3)) == len(matrix.related(flat, 3)) == 3


def test_only_a_square_matrix_has_counts() -> None:
    matrix = oe.confusion.ConfusionMatrix(np.ones((2, 3)), ("a", "b"), ("a", "b", "c"), "multiclass")
    with pytest.raises(oe.OntoevalError, match="a matrix that is not square has no counts per concept"):
        matrix.counts()


def test_the_tensor_counts_the_samples_whose_label_is_known() -> None:
    verified = oe.VerifiedLabels.from_sets([["a"], [], ["b"]], [["b"], ["a"], []], vocabulary=["a", "b"])
    tensor = oe.confusion_tensor(verified, [["a"], ["a"], ["a"]])
    assert tensor.recall_plane.rows == ("a", "b", "unknown")
    assert np.asarray(tensor.samples).tolist() == [2, 2, 3]


# sums of many samples ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hits:
    """How many labels are true and predicted."""

    mergeable: bool = True

    @property
    def statistic(self) -> Overlap:
        return Overlap()

    def formula(self, values: np.ndarray) -> np.ndarray:
        return self.statistic.unpack(values).tp


def test_every_sample_counts_once_however_many_are_summed_at_a_time() -> None:
    truth, prediction = np.random.default_rng(0).random((2, 41_000, 3)) < 0.4
    batch = oe.align(oe.LabelSets.from_array(truth), oe.LabelSets.from_array(prediction))
    hits = int((truth & prediction).sum())
    assert oe.score(oe.collect(batch, Hits()))[Hits()] == hits
    parts = [oe.collect(part, Hits()) for part in batch.chunks(15_000)]
    assert oe.score(oe.merge(*parts))[Hits()] == hits


def test_measures_share_a_sum_though_one_of_them_needs_all_samples_at_once() -> None:
    whole = Hits(mergeable=False)
    result = oe.evaluate([["a"], ["b"]], [["a", "b"], ["b"]], measures=[whole, Hits()])
    assert result[whole] == result[Hits()] == 2


def test_known_labels_of_parts_are_added_to_all_labels_of_others() -> None:
    verified = oe.VerifiedLabels.from_sets([["a"], []], [["b"], ["a"]], vocabulary=["a", "b"])
    sets = oe.LabelSets.from_sets([["a"], ["b"], []], vocabulary=["a", "b"])
    part, plain = (
        oe.evaluate(side, side_of, measures="F").totals
        for side, side_of in ((verified, [["a"], ["b"]]), (sets, sets))
    )
    assert (part.verified, plain.verified) == (3, None)
    assert oe.merge(plain, part).verified == oe.merge(part, plain).verified == 3 + 3 * 2
    assert oe.merge(plain, plain).verified is None


def test_totals_alone_are_their_own_sum_however_they_were_resampled() -> None:
    batch = oe.align(oe.LabelSets.from_array([[1, 0], [1, 1]]), oe.LabelSets.from_array([[1, 0], [0, 1]]))
    totals = oe.collect(batch, "F", bootstrap=oe.core.Bootstrap(resamples=20))
    alone, merged = (oe.score(one).interval("F") for one in (totals, oe.merge(totals)))
    assert alone == merged


# ends of what a float holds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [5e-324, 1e-310, 1e-200, 1e200, 1e308])
def test_equal_weights_of_any_size_change_no_bit(weight: float) -> None:
    batch = of_sets(range(SOME))
    measures = [entry.measure for entry in oe.CATALOGUE if getattr(entry.measure, "takes", "sets") == "sets"]
    fitting = [
        one for one in measures if not getattr(one, "single", False) and getattr(one, "mergeable", True)
    ]
    ones, others = (
        oe.collect(batch, fitting, sample_weight=dict.fromkeys(batch.truth.samples, one))
        for one in (1, weight)
    )
    assert dict(oe.score(others).scores) == dict(oe.score(ones).scores)


def test_tiny_weights_keep_their_ratio() -> None:
    sides = [["a"], ["a"], ["b"]], [["a"], ["b"], ["b"]]
    usual = oe.evaluate(*sides, measures="Jaccard", sample_weight=[1, 2, 4])
    small = oe.evaluate(*sides, measures="Jaccard", sample_weight=[1e-307, 2e-307, 4e-307])
    assert usual["Jaccard"] == small["Jaccard"] == pytest.approx(5 / 7)


HUGE = 10**400


@pytest.mark.parametrize(
    "call",
    [
        oe.LabelScores.from_frame,
        lambda frame: oe.evaluate(frame, frame, measures="F"),
        lambda frame: oe.evaluate([["a"]] * 2, [["a"]] * 2, measures="F", sample_weight=frame["x"].tolist()),
        lambda frame: oe.evaluate([["a"]] * 2, [["a"]] * 2, measures="F", sample_weight=frame["x"]),
        lambda frame: oe.LabelScores.from_frame(
            frame.assign(label=["a", "b"]), sample="id", concept="label", score="x"
        ),
    ],
    ids=range(5),
)
def test_whole_numbers_that_no_float_holds_are_refused(call: Any) -> None:
    with pytest.raises(oe.OntoevalError, match="too large to convert to float"):
        call(pd.DataFrame({"id": ["p", "q"], "x": [HUGE, 1], "y": [1, 0]}))


@pytest.mark.parametrize("kind", ["Int128", "UInt128"])
def test_columns_of_128_bits_are_numbers(kind: str) -> None:
    polars = pytest.importorskip("polars")
    if not hasattr(polars, kind):
        pytest.skip("this polars has no such column")
    plain = {"id": ["p", "q"], "x": [0, 1], "y": [1, 1]}
    kinds = {"id": polars.String, **dict.fromkeys("xy", getattr(polars, kind))}
    wide = polars.DataFrame(plain, schema=kinds)
    assert oe.LabelSets.from_frame(wide).matrix.toarray().tolist() == [[0, 1], [1, 1]]
    assert oe.LabelScores.from_frame(wide).matrix.toarray().tolist() == [[0, 1], [1, 1]]


def malformed(**parts: list[int]) -> list[Any]:
    """A CSR and a CSC array of which some parts were changed behind their backs."""
    made = []
    for kind in (sparse.csr_array, sparse.csc_array):
        matrix = kind(np.eye(3))
        for name, values in parts.items():
            setattr(matrix, name, np.array(values, dtype=getattr(matrix, name).dtype))
        made.append(matrix)
    return made


@pytest.mark.parametrize(
    "matrix",
    [
        *malformed(indices=[0, 7, 2]),
        *malformed(indices=[0, -1, 2]),
        *malformed(indptr=[0, 3, 2, 3]),
        *malformed(indptr=[0, 1, 2, 30]),
        *malformed(indptr=[1, 1, 2, 3]),
        *malformed(indptr=[0, 1, 3]),
        *malformed(data=[1]),
    ],
    ids=range(14),
)
@pytest.mark.parametrize(
    "door",
    [
        lambda matrix: oe.evaluate(np.eye(3, dtype=int), matrix, measures="F"),
        lambda matrix: oe.evaluate(matrix, np.eye(3, dtype=int), measures="F"),
        lambda matrix: oe.LabelSets(matrix, oe.Vocabulary(("a", "b", "c")), ("p", "q", "r")),
        lambda matrix: oe.LabelScores(matrix, oe.Vocabulary(("a", "b", "c")), ("p", "q", "r")),
        oe.LabelSets.from_array,
        oe.LabelScores.from_array,
        oe.VerifiedLabels.from_array,
        lambda matrix: oe.Hierarchy(oe.Vocabulary(("a", "b", "c")), matrix, np.zeros(3, dtype=bool)),
    ],
    ids=range(8),
)
def test_malformed_sparse_arrays_are_refused_at_each_door(matrix: Any, door: Any) -> None:
    with pytest.raises(oe.OntoevalError, match="a sparse matrix that is malformed"):
        door(matrix)


def test_coordinates_outside_of_the_shape_are_refused() -> None:
    matrix: Any = sparse.coo_array(np.eye(3))
    matrix.coords = np.array([0, 1, 9]), np.arange(3)
    with pytest.raises(oe.OntoevalError, match="malformed"):
        oe.evaluate(np.eye(3, dtype=int), matrix, measures="F")
