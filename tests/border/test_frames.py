"""Data frames are read by the names of their rows and columns, wherever labels and numbers are taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

TRUTH = pd.DataFrame(
    {"sky": [1, 0, 1, 0], "sea": [0, 1, 1, 0], "sun": [1, 1, 0, 1]}, index=["p1", "p2", "p3", "p4"]
)
SHUFFLED = TRUTH[["sun", "sky", "sea"]].loc[["p3", "p1", "p4", "p2"]]
HIERARCHY = oe.Hierarchy.from_edges(
    [("root", "plants"), ("plants", "trees"), ("plants", "flowers"), ("root", "mountains")]
)
LIBRARIES: Mapping[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}
FORMS = ("wide", "long", "long with values", "lists")


def framed(library: str, form: str, sets: Mapping[str, Any], concepts: list[str]) -> Any:
    """Write label sets as a frame, rows and columns in the order in which they are given."""
    columns: dict[str, list[Any]]
    if form == "wide":
        columns = {"id": list(sets)}
        columns |= {name: [int(name in labels) for labels in sets.values()] for name in concepts}
    elif form == "long":
        pairs = [(p, c) for p, labels in sets.items() for c in (sorted(labels) or [None])]
        columns = {"sample": [p for p, _ in pairs], "concept": [c for _, c in pairs]}
    elif form == "long with values":
        pairs = [(p, c) for p in sets for c in concepts]
        columns = {"sample": [p for p, _ in pairs], "concept": [c for _, c in pairs]}
        columns["value"] = [int(c in sets[p]) for p, c in pairs]
    else:
        columns = {"sample": list(sets), "labels": [sorted(labels) for labels in sets.values()]}
    if library == "polars" and form == "lists":
        return pl.DataFrame(columns, schema={"sample": pl.String, "labels": pl.List(pl.String)})
    if library == "pyarrow" and form == "lists":
        return pa.table(
            columns, schema=pa.schema([("sample", pa.string()), ("labels", pa.list_(pa.string()))])
        )
    if library == "polars" and form == "long":
        return pl.DataFrame(columns, schema={"sample": pl.String, "concept": pl.String})
    if library == "pyarrow" and form == "long":
        return pa.table(columns, schema=pa.schema([("sample", pa.string()), ("concept", pa.string())]))
    frame = LIBRARIES[library](columns)
    return frame.set_index("id") if library == "pandas" and form == "wide" else frame


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(oe.OntoevalError) as caught:
        call()
    return str(caught.value)


def by_name(truth: Any, prediction: Any, **options: Any) -> dict[Any, float]:
    """Scores, the scores of each sample by its name, and the confusion matrix by names."""
    result = oe.evaluate(truth, prediction, **options)
    matrix = oe.confusion_matrix(truth, prediction, hierarchy=options.get("hierarchy"))
    cells = {
        (row, column): float(value)
        for row, values in zip(matrix.rows, np.asarray(matrix.matrix).tolist(), strict=True)
        for column, value in zip(matrix.columns, values, strict=True)
    }
    samples = {
        (measure, name): score
        for measure in ("Jaccard", "F")
        for name, score in zip(result.samples, result.per_sample(measure).tolist(), strict=True)
    }
    return {**result.scores, **samples, **cells}


LABELS = sorted(HIERARCHY.label_vocabulary)
SETS = st.fixed_dictionaries({p: st.frozensets(st.sampled_from(LABELS)) for p in ("10", "p2", "3", "x")})


@pytest.mark.no_cover
@given(st.data(), SETS, SETS)
def test_the_order_of_rows_and_columns_and_the_form_of_frames_change_nothing(data, truth, prediction):
    expected = by_name(truth, prediction, hierarchy=HIERARCHY)

    def drawn(sets: Mapping[str, Any]) -> Any:
        rows = {p: sets[p] for p in data.draw(st.permutations(list(sets)))}
        library, form = data.draw(st.sampled_from(sorted(LIBRARIES))), data.draw(st.sampled_from(FORMS))
        return framed(library, form, rows, data.draw(st.permutations(LABELS)))

    found = by_name(drawn(truth), drawn(prediction), hierarchy=HIERARCHY)
    assert found == pytest.approx(expected, nan_ok=True, abs=1e-12)


@given(st.data(), SETS, SETS)
def test_without_a_hierarchy_the_order_of_rows_and_columns_changes_nothing(data, truth, prediction):
    first = framed("pandas", "wide", truth, LABELS), framed("pandas", "wide", prediction, LABELS)
    orders = [(data.draw(st.permutations(list(truth))), data.draw(st.permutations(LABELS))) for _ in first]
    second = [frame.loc[rows, columns] for frame, (rows, columns) in zip(first, orders, strict=True)]
    assert by_name(*second) == pytest.approx(by_name(*first), nan_ok=True, abs=1e-12)


def test_the_same_frame_in_another_order_is_the_same():
    assert oe.evaluate(TRUTH, SHUFFLED).scores == oe.evaluate(TRUTH, TRUTH).scores
    assert oe.evaluate(TRUTH, SHUFFLED).samples == ("p1", "p2", "p3", "p4")


def test_with_a_hierarchy_columns_are_found_by_name():
    frames = (pd.DataFrame({name: [1], "plants": [0]}, index=["x"]) for name in ("trees", "mountains"))
    found = oe.evaluate(*frames, hierarchy=HIERARCHY, measures="OS")["OS"]
    assert found == pytest.approx(1 / 6)
    assert found == oe.evaluate([["trees"]], [["mountains"]], hierarchy=HIERARCHY, measures="OS")["OS"]
    wrong = pd.DataFrame({"treees": [0], "plants": [1]}, index=["x"])
    message = refused(lambda: oe.evaluate(wrong, wrong, hierarchy=HIERARCHY))
    assert "1 unknown concept: 'treees' in the columns (near: 'trees')" in message


def test_every_call_that_takes_labels_reads_names():
    names = (*TRUTH.columns, "unknown")
    assert oe.confusion_matrix(TRUTH, SHUFFLED).rows == names
    assert oe.confusion_tensor(TRUTH, SHUFFLED).recall_plane.rows == names
    assert oe.one_vs_rest(TRUTH, SHUFFLED).fp.tolist() == [0, 0, 0]
    assert oe.score(oe.collect(oe.align(TRUTH, SHUFFLED), "F"))["F"] == 1
    assert oe.comparison.baseline(SHUFFLED, "prior").samples == tuple(SHUFFLED.index)
    assert oe.comparison.perturb(SHUFFLED, "drop", 0, seed=1).labels_of("p2") == ("sun", "sea")
    assert not oe.audit.difference(TRUTH, SHUFFLED).by_concept()
    flat = oe.Hierarchy.flat(oe.Vocabulary(("sky", "sea", "sun")))
    assert oe.explain(TRUTH, SHUFFLED, sample="p4", hierarchy=flat).score == 1
    assert not oe.audit_labels(SHUFFLED, flat).of("unknown")
    ontology = oe.Ontology.from_paths(list(TRUTH.columns))
    assert oe.audit_ontology(ontology, labels=SHUFFLED).facts["label_sets"] == 4
    assert oe.concepts.information_content(SHUFFLED, flat).round(3).tolist() == [1, 1, 0.415]
    found = oe.study(TRUTH, {"a": SHUFFLED, "b": 1 - TRUTH}, measures="F", resamples=20, changes=None)
    assert found.comparison.scores[:, 0].tolist() == [1, 0]


def test_labels_in_memory_are_audited_and_written(tmp_path):
    sets = {"p1": ["sky", "sea"], "p2": []}
    flat = oe.Hierarchy.flat(oe.Vocabulary(("sky", "sea")))
    found = [oe.audit_labels(labels, flat).found for labels in (sets, oe.LabelSets.from_sets(sets))]
    assert found[0] == found[1]
    assert oe.audit_labels([["skyy"]], flat).of("unknown")
    for labels in (sets, oe.LabelSets.from_sets(sets)):
        oe.write_labels(labels, tmp_path / "labels.csv")
        assert oe.evaluate(oe.read_labels(tmp_path / "labels.csv"), sets, measures="F")["F"] == 1


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("form", FORMS)
def test_forms_that_leave_no_doubt_are_read(library, form):
    sets = {"p1": {"sky", "sea"}, "p2": set(), "p3": {"sun"}}
    frame = framed(library, form, sets, ["sea", "sky", "sun"])
    assert by_name(frame, sets) == pytest.approx(by_name(sets, sets), nan_ok=True)


def test_series_of_lists_are_read():
    series = pd.Series([["sky"], ["sky", "sea"]], index=["a", "b"])
    assert oe.evaluate(series, series.iloc[::-1])["F"] == 1
    for lists in (pl.Series(series.tolist()), pa.chunked_array([series.tolist()])):
        assert oe.evaluate(lists, [["sky"], ["sea"]], measures="R")["R"] == pytest.approx(2 / 3)


# names and positions ----------------------------------------------------------------------------------------


def test_an_array_takes_the_names_of_a_frame_of_its_shape_and_the_recipe_says_so():
    result = oe.evaluate(SHUFFLED, SHUFFLED.to_numpy(), measures="F")
    assert result["F"] == 1
    assert result.samples == tuple(SHUFFLED.index)
    line = "arrays without names, in the order of the data frame's rows and columns: 'prediction'"
    assert line in result.signature.splitlines()
    assert "arrays" not in oe.evaluate(TRUTH, SHUFFLED, measures="F").signature
    assert "'truth'" in oe.evaluate(SHUFFLED.to_numpy(), SHUFFLED, measures="F").signature
    message = refused(lambda: oe.evaluate(TRUTH, TRUTH.to_numpy()[:2]))
    assert "array of shape (2, 3) beside a data frame of 4 rows and 3 concepts" in message


def test_with_a_hierarchy_an_array_still_takes_the_columns_of_the_frame():
    frame = pd.DataFrame({"trees": [1, 0], "mountains": [0, 1]}, index=["x", "y"])
    assert oe.evaluate(frame, frame.to_numpy(), hierarchy=HIERARCHY, measures="OS")["OS"] == 1


def test_two_arrays_count_by_position():
    assert oe.evaluate(TRUTH.to_numpy(), SHUFFLED.to_numpy()[:, [1, 2, 0]], measures="F")["F"] < 1


def test_runs_that_are_arrays_or_frames_are_compared_by_name():
    runs = {
        "frame": SHUFFLED,
        "array": TRUTH.to_numpy(),
        "polars": pl.from_pandas(SHUFFLED.reset_index(names="id")),
    }
    found = oe.compare(TRUTH, runs, measures="F", baselines=(), resamples=20)
    assert found.scores.ravel().tolist() == [1, 1, 1]
    assert "columns: 'array'" in found.signature
    bare = oe.compare(
        TRUTH.to_numpy(), {"a": TRUTH, "b": TRUTH.to_numpy()}, measures="F", baselines=(), resamples=20
    )
    assert bare.scores.ravel().tolist() == [1, 1]
    message = refused(lambda: oe.compare(TRUTH.to_numpy(), {"a": TRUTH, "b": SHUFFLED}, measures="F"))
    assert "data frames that differ in rows or columns" in message


def test_a_default_index_names_nothing():
    counted = TRUTH.reset_index(drop=True)
    assert oe.evaluate(counted, counted[["sun", "sky", "sea"]], measures="F")["F"] == 1
    assert oe.evaluate(pl.from_pandas(counted), counted, measures="F")["F"] == 1
    for other in (TRUTH, counted.sample(frac=1, random_state=1), oe.LabelSets.from_frame(TRUTH)):
        for sides in ((counted, other), (other, counted)):
            message = refused(partial(oe.evaluate, *sides))
            assert "have no names" in message
            assert "sample=" in message
            assert "set_index" in message
    shuffled = TRUTH.set_axis([3, 1, 0, 2])
    assert oe.evaluate(shuffled, shuffled.sort_index(), measures="F")["F"] == 1
    assert "the columns of the truth have no names" in refused(
        lambda: oe.evaluate(pd.DataFrame(TRUTH.to_numpy(), index=TRUTH.index), TRUTH)
    )


def test_samples_that_only_one_side_has_are_refused_as_between_files():
    fewer = SHUFFLED.drop("p1")
    assert "1 only in the truth ('p1')" in refused(lambda: oe.evaluate(TRUTH, fewer))
    assert oe.evaluate(TRUTH, fewer, missing="empty", measures="P")["P"] == 1
    more = TRUTH.assign(moon=[1, 0, 0, 0])
    sets = oe.LabelSets.from_frame(TRUTH, vocabulary=list(TRUTH))
    assert "1 only in the prediction ('moon')" in refused(lambda: oe.evaluate(sets, more))
    assert "unknown concept: 'moon' in sample 'p1'" in refused(
        lambda: oe.evaluate(sets, {"p1": ["moon"], "p2": [], "p3": [], "p4": []})
    )


@pytest.mark.parametrize("index", [["7", "7"], [None, "b"]], ids=["twice", "missing"])
def test_samples_that_do_not_name_one_row_are_refused(index):
    frame = pd.DataFrame({"sky": [1, 0]}, index=index)
    assert "sample" in refused(lambda: oe.evaluate(frame, frame))


def test_columns_called_by_numbers_are_names():
    frame = pd.DataFrame({3: [1, 0], 1: [True, False]}, index=["a", "b"])
    assert oe.evaluate(frame, frame[[1, 3]], measures="F")["F"] == 1
    assert oe.confusion_matrix(frame, frame).rows == ("3", "1", "unknown")


# refusals ---------------------------------------------------------------------------------------------------

ONE = {"id": ["p1", "p2"]}


def test_the_calls_that_messages_name_work():
    texts = pd.DataFrame(ONE | {"labels": ["sky;sea", "sky"]})
    assert ".str.split(';')" in refused(lambda: oe.LabelSets.from_frame(texts, sample="id", concept="labels"))
    split = texts.assign(labels=texts["labels"].str.split(";"))
    assert oe.evaluate(split, split, measures="F")["F"] == 1
    numbers = pd.DataFrame(ONE | {"label": [0, 1]})
    assert oe.LabelSets.from_frame(numbers, sample="id", concept="label").vocabulary.concepts == ("0", "1")
    assert oe.LabelSets.from_frame(numbers, sample="id").labels_of("p2") == ("label",)
    known = oe.LabelSets.from_frame(pd.DataFrame(ONE | {"label": ["a|b", "c"]}), vocabulary=["a|b", "c"])
    assert known.labels_of("p1") == ("a|b",)
    beside = TRUTH.assign(split="train")
    assert oe.LabelSets.from_frame(beside, vocabulary=["sun", "sky"]).labels_of("p1") == ("sun", "sky")


def test_names_are_not_lost_where_arrays_and_lists_are_taken():
    for call in (oe.LabelSets.from_array, oe.LabelScores.from_array, oe.VerifiedLabels.from_array):
        assert "from_frame(frame)" in refused(partial(call, TRUTH))
    assert "Give the data frame itself" in refused(
        lambda: oe.evaluate(TRUTH, [r for _, r in TRUTH.iterrows()])
    )
    assert "from_frame(frame)" in refused(lambda: oe.LabelSets.from_sets(pd.Series([["sky"]], index=["a"])))
    verified = oe.VerifiedLabels.from_frame(TRUTH.astype(float).replace(0, np.nan).assign(sky=[1, 0, 1, 0]))
    assert verified.negative.labels_of("p2") == ("sky",)


def test_a_long_frame_without_rows_is_a_run_that_predicts_nothing():
    nothing = pl.DataFrame(schema={"sample": pl.String, "concept": pl.String})
    assert oe.evaluate(TRUTH, nothing, missing="empty", measures="R")["R"] == 0


# scores, weights and annotations ----------------------------------------------------------------------------


def test_frames_of_scores_are_read_where_scores_are_asked_for():
    scores = SHUFFLED * 0.5 + 0.25
    assert oe.evaluate(TRUTH, scores, measures=["AP", "LRAP"]).scores == {"AP": 1, "LRAP": 1}
    assert oe.evaluate(TRUTH, TRUTH.to_numpy() * 0.5, measures="LRAP")["LRAP"] == 1
    assert oe.evaluate(TRUTH, scores, measures="F", threshold=0.5)["F"] == 1
    assert oe.evaluate(TRUTH, scores, measures="F", threshold=0.2)["F"] < 1
    limits = pd.Series({"sun": 0.5, "sea": 0.8, "sky": 0.5})
    assert oe.LabelScores.from_frame(scores).at(limits).labels_of("p3") == ("sky",)
    assert oe.curve(TRUTH, scores, thresholds=[0.5], propagate=False).f.tolist() == [1]
    assert oe.sweep(TRUTH, scores, measures="F", thresholds=[0.5])["F"].tolist() == [1]
    long = pl.DataFrame({"id": ["b", "a", "a"], "label": ["sky", "sea", "sky"], "score": [0.9, 0.8, 0.1]})
    truth = {"a": ["sea"], "b": ["sky"]}
    flat = oe.Hierarchy.flat(oe.Vocabulary(("sea", "sky")))
    assert oe.evaluate(truth, long, hierarchy=flat, measures="Fmax")["Fmax"] == 1
    assert "neither 0 nor 1" in refused(lambda: oe.evaluate(truth, long))
    compared = oe.compare(TRUTH, {"a": scores, "b": -scores + 1}, measures="LRAP", resamples=20)
    assert compared.scores[0, 0] == 1 > compared.scores[1, 0]


AGREEMENT = {"trees": 0.5, "mountains": 1.0, "flowers": 0.75, "plants": 0.9, "root": 1.0}


@pytest.mark.parametrize(
    "agreement",
    [
        pd.Series(AGREEMENT),
        pd.DataFrame({"concept": list(AGREEMENT), "agreement": list(AGREEMENT.values())}),
        pd.DataFrame({"agreement": AGREEMENT}),
        pl.DataFrame({"concept": list(AGREEMENT), "agreement": list(AGREEMENT.values())}),
    ],
    ids=["series", "frame", "frame with an index", "polars"],
)
def test_agreement_and_weights_are_read_by_name(agreement):
    sides = [["trees"], ["plants"]], [["flowers"], ["mountains"]]
    expected = oe.evaluate(*sides, hierarchy=HIERARCHY, agreement=AGREEMENT, measures="OS").scores
    assert oe.evaluate(*sides, hierarchy=HIERARCHY, agreement=agreement, measures="OS").scores == expected
    weights = HIERARCHY.with_weight("mine", agreement).weights["mine"]
    assert weights.tolist() == HIERARCHY.with_weight("mine", AGREEMENT).weights["mine"].tolist()
    assert oe.read_weights(agreement) == AGREEMENT


def test_a_series_without_concepts_as_its_index_is_refused():
    message = refused(lambda: HIERARCHY.with_weight("mine", pd.Series([1.0] * 5)))
    assert "not plain which weight belongs to which concept" in message
    assert "near: 'trees'" in refused(
        lambda: oe.concepts.with_agreement(HIERARCHY, pd.Series({"treees": 1.0}))
    )


def test_a_table_of_costs_is_read_by_name():
    names = list(HIERARCHY.label_vocabulary)
    table = pd.DataFrame(np.triu(np.full((5, 5), 0.5), 1) + np.tril(np.full((5, 5), 0.2), -1), names, names)
    expected = HIERARCHY.with_cost("mine", table.to_numpy()).costs["mine"]
    assert (
        HIERARCHY.with_cost("mine", table.loc[names[::-1], sorted(names)]).costs["mine"].tolist()
        == expected.tolist()
    )


@pytest.mark.parametrize("library", LIBRARIES)
def test_annotations_are_read_from_frames(library):
    long = LIBRARIES[library](
        {
            "id": ["p1", "p1", "p2", "p2"],
            "annotator": ["Ann", "Bob", "Bob", "Ann"],
            "label": ["a", "a", "b", None],
        }
    )
    wide = LIBRARIES[library](
        {
            "id": ["p2", "p1", "p2", "p1"],
            "rater": ["Ann", "Ann", "Bob", "Bob"],
            "b": [0, 0, 1, 0],
            "a": [0, 1, 0, 1],
        }
    )
    expected = {"a": 1.0, "b": 0.75}
    assert oe.agreement(long, resamples=10).weights() == expected
    assert oe.agreement(oe.Annotations.from_frame(wide), resamples=10).weights() == expected
    assert oe.annotators.consensus(wide).labels_of("p1") == ("a",)
    assert "annotator=" in refused(lambda: oe.agreement(LIBRARIES[library]({"id": ["p1"], "label": ["a"]})))


def test_annotators_whose_labels_are_frames_are_matched_by_name():
    said = oe.Annotations.from_sets({"Ann": TRUTH, "Bob": SHUFFLED})
    assert set(oe.agreement(said, resamples=10).weights().values()) == {1.0}


def test_an_array_of_xarray_is_refused_with_the_frame_to_give():
    xarray = pytest.importorskip("xarray")
    truth = xarray.DataArray(TRUTH, dims=("sample", "concept"))
    assert "array.to_pandas()" in refused(lambda: oe.evaluate(truth, SHUFFLED, measures="F"))
    assert oe.evaluate(truth.to_pandas(), SHUFFLED, measures="F")["F"] == 1


def test_names_in_lists_that_differ_only_in_their_normal_form_are_refused() -> None:
    with pytest.raises(oe.OntoevalError, match="normal form"):
        oe.evaluate([["caf\u00e9"]], [["cafe\u0301"]], measures="F")


# what looks like labels and is none -------------------------------------------------------------------------


def test_labels_that_are_whole_numbers_are_labels():
    assert oe.evaluate({"a": [3, 17], "b": [5]}, {"b": [5], "a": {17, 3}}, measures="F")["F"] == 1


def test_a_column_that_says_that_labels_are_absent_is_not_passed_over():
    long = pd.DataFrame({"id": ["a", "a"], "label": ["sky", "sea"], "value": [1, 0], "rater": ["Ann", "Bob"]})
    columns = {"sample": "id", "concept": "label"}
    message = refused(lambda: oe.LabelSets.from_frame(long, **columns))
    assert "the column 'value' holds 0 in 1 row" in message
    assert "value='value'" in message
    assert oe.LabelSets.from_frame(long, **columns, value="value").labels_of("a") == ("sky",)
    assert "frame[frame['value'] > 0]" in refused(
        lambda: oe.Annotations.from_frame(long, annotator="rater", **columns)
    )
    best = long.assign(value=[0.9, 0.2])
    assert oe.LabelSets.from_frame(best, **columns).labels_of("a") == ("sea", "sky")


def test_a_repeated_pair_is_refused_by_its_names():
    long = pd.DataFrame({"id": ["b", "a", "b"], "label": ["sky", "sea", "sky"], "score": [0.1, 0.2, 0.3]})
    assert "sample 'b' has two scores for 'sky'" in refused(lambda: oe.LabelScores.from_frame(long))
    assert "sample 'b' has two values for 'sky'" in refused(
        lambda: oe.LabelSets.from_frame(long.assign(score=1))
    )
    best = long.groupby(["id", "label"], as_index=False).max()
    assert oe.LabelScores.from_frame(best).at(0.3).labels_of("b") == ("sky",)


def test_a_molten_frame_is_refused_with_the_column_of_its_values():
    molten = TRUTH.rename_axis("id").reset_index().melt(id_vars="id")
    message = refused(lambda: oe.evaluate(molten, TRUTH))
    assert "LabelSets.from_frame(frame, sample='id', concept='variable', value='value')" in message
    read = oe.LabelSets.from_frame(molten, sample="id", concept="variable", value="value")
    assert oe.evaluate(read, TRUTH, measures="F")["F"] == 1


@pytest.mark.parametrize("kind", [str, "category"])
def test_texts_of_0_and_1_are_read_as_in_a_file(kind):
    assert oe.evaluate(TRUTH.astype(kind), TRUTH, measures="F")["F"] == 1
    assert oe.evaluate(TRUTH.astype(bool).astype(kind), TRUTH, measures="F")["F"] == 1


@pytest.mark.parametrize(
    "kind", [bool, float, object, "Int64", "boolean", pd.SparseDtype(int, 0), pd.SparseDtype(bool)]
)
def test_every_type_of_numbers_is_read(kind):
    assert oe.evaluate(TRUTH, SHUFFLED.astype(kind), measures="F")["F"] == 1


@pytest.mark.parametrize(
    "counted",
    [SHUFFLED.reset_index(drop=True), SHUFFLED.to_numpy(), [["sky"]] * 4],
    ids=["frame", "array", "lists"],
)
def test_annotators_without_samples_are_refused_beside_those_who_name_them(counted):
    message = refused(lambda: oe.agreement({"Ann": TRUTH, "Bob": SHUFFLED, "Cleo": counted}, resamples=10))
    assert "the samples of the annotator 'Cleo' have no names" in message


def test_an_array_beside_named_label_sets_is_refused_with_the_call_that_names_its_samples():
    truth = oe.LabelSets.from_frame(TRUTH)
    message = refused(lambda: oe.evaluate(truth, TRUTH.to_numpy(), missing="empty"))
    assert "LabelSets.from_array(array, vocabulary=[...], samples=[...])" in message
    named = oe.LabelSets.from_array(TRUTH.to_numpy(), vocabulary=truth.vocabulary, samples=truth.samples)
    assert oe.evaluate(truth, named, measures="F")["F"] == 1


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@pytest.mark.parametrize("list_of", [pa.list_, pa.large_list])
def test_lists_in_arrow_are_those_of_objects(kind, list_of):
    cells = [["x"], [], None, ["sea", "sky"], ["sun"], ["sky"], ["x"]]
    lists = pa.array(cells, list_of(kind))
    samples = pa.array([f"p{at}" for at in range(len(cells))])
    # Cut, so that chunks do not begin with their memory.
    table = pa.table({"sample": samples, "labels": lists})
    table = pa.concat_tables([table[1:3], table[3:6]])
    expected = oe.LabelSets.from_sets(
        {"p1": [], "p2": [], "p3": ["sea", "sky"], "p4": ["sun"], "p5": ["sky"]},
        vocabulary=["sea", "sky", "sun"],
    )
    for frame in (table, table.to_pandas(types_mapper=pd.ArrowDtype), pl.from_arrow(table)):
        found = oe.LabelSets.from_frame(frame, vocabulary=expected.vocabulary.concepts)
        assert found.samples == expected.samples
        assert found.matrix.toarray().tolist() == expected.matrix.toarray().tolist()


@pytest.mark.parametrize("backend", ["pandas", "pyarrow"])
def test_a_null_in_a_list_of_arrow_is_no_label(backend):
    table = pa.table({"sample": ["p1", "p2"], "labels": [["sky"], ["sea", None]]})
    frame = table.to_pandas(types_mapper=pd.ArrowDtype) if backend == "pandas" else table
    assert oe.LabelSets.from_frame(frame).labels_of("p2") == ("sea",)
    result = oe.evaluate({"p1": ["sky"], "p2": ["sea", None]}, frame, measures="F")
    assert result["F"] == 1
    assert result.notes == [
        f"1 null or empty text among the labels of '{side}', read as no label"
        for side in ("truth", "prediction")
    ]


class Stream:
    """Data by the protocol of Arrow, and nothing else."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return self.data.__arrow_c_stream__(schema)


class Tensor:
    """An array by DLPack, and nothing else."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


class Learning:
    """A tensor of bfloat16 that requires gradients, as torch has them: NumPy meets a TypeError."""

    dtype = "torch.bfloat16"

    def __init__(self, array: Any) -> None:
        self.array, self.shape = array, array.shape

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("Got unsupported ScalarType BFloat16")

    def detach(self) -> Learning:
        return self

    cpu = detach

    def float(self) -> Any:
        return self.array.astype(np.float32)


MARKS = np.array([[1, 0, 1], [0, 1, 0]])


@pytest.mark.parametrize(
    "data",
    [
        pa.array([["sky", "sea"], ["sun"]]),
        Stream(pa.chunked_array([[["sky", "sea"], ["sun"]]])),
        Stream(pa.table({"labels": [["sky", "sea"], ["sun"]]})),
        pa.RecordBatch.from_pydict({"labels": [["sky", "sea"], ["sun"]]}),
        (row for row in [("sky", "sea"), iter(["sun"])]),
    ],
    ids=["array", "stream", "stream of a table", "batch", "generator"],
)
def test_labels_come_by_the_protocol_of_arrow_and_from_generators(data: Any) -> None:
    assert oe.evaluate([["sky", "sea"], ["sun"]], data, measures="F")["F"] == 1


@pytest.mark.parametrize(
    "frame", [pa.table([[1], [0]], names=["sky", "sky"]), pd.DataFrame([[1, 0]], columns=["sky", "sky"])]
)
def test_columns_of_one_name_are_refused(frame: Any) -> None:
    with pytest.raises(oe.errors.InputError, match="whose columns have different names"):
        oe.evaluate([["sky"]], frame)


@pytest.mark.parametrize(
    "scores",
    [
        Tensor(MARKS * 0.75),
        Learning(MARKS * 0.75),
        (MARKS * 0.75).astype("f2"),
        (list(row) for row in MARKS * 0.75),
    ],
    ids=["dlpack", "bfloat16", "float16", "generator"],
)
def test_scores_of_tensors_and_of_half_precision_are_taken(scores: Any) -> None:
    assert oe.evaluate(MARKS, scores, threshold=0.7, measures="F")["F"] == 1


def test_scores_of_half_precision_are_taken_in_frames_and_by_name() -> None:
    half = (MARKS * 0.75).astype("f2")
    assert oe.LabelScores.from_array(half).matrix.toarray().tolist() == (MARKS * 0.75).tolist()
    frame = pd.DataFrame(half, columns=["a", "b", "c"], index=["x", "y"])
    truth = pd.DataFrame(MARKS, columns=["a", "b", "c"], index=["x", "y"])
    assert oe.evaluate(truth, frame, measures="AP")["AP"] == 1


def test_a_mask_is_not_lost() -> None:
    masked = np.ma.array(MARKS, mask=np.array([[False, False, True], [False, False, False]]))
    for call in (oe.LabelSets.from_array, oe.LabelScores.from_array, lambda one: oe.evaluate(MARKS, one)):
        with pytest.raises(oe.errors.InputError, match=r"1 masked value, .*filled\(0\)"):
            call(masked)
    assert oe.evaluate(MARKS, np.ma.array(MARKS), measures="F")["F"] == 1
